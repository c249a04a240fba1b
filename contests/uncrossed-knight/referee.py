#!/usr/bin/env python3
"""Referee of the uncrossed knight: the longest path of a knight that never crosses itself.

A board is the number of its rows and columns. An answer is the squares of the path, such as `a1 c2 b4`. The score is the
number of moves.

    referee.py BOARD ANSWER     prints `score = MOVES`, or exits with 1 and the reason on standard error; draws the path
                                into the folder `out` of its working directory, if there is one
    referee.py check BOARD      refuses an unusable board
    referee.py make SEED        prints a board of 3 to 12 rows
"""

import os
import re
import sys

# The squares of the largest board; a longer answer cannot be a path.
MOST_SQUARES = 26 * 26


def read_board(path):
    """Returns the number of rows, or ends with the reason."""
    with open(path, "rb") as file:
        word = file.read(100).strip()
    if not word.isdigit() or not 3 <= int(word) <= 26:
        sys.exit("a board is a number of rows from 3 to 26")
    return int(word)


def square(word, rows):
    """Column and row from 0 of a square such as b4."""
    column, row = word[:1], word[1:]
    if len(word) <= 3 and b"a" <= column <= b"z" and row.isdigit():
        place = ord(column) - ord("a"), int(row) - 1
        if place[0] < rows and 0 <= place[1] < rows:
            return place
    sys.exit(f"{word[:20].decode('ascii', 'replace')!r} is no square of this board")


def side(a, b, c):
    """The side of the line from a to b on which c is: -1, 0 or 1."""
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)


def cross(a, b, c, d):
    """True if the moves from a to b and from c to d cross. No square lies between the ends of a knight's move."""
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def score(board, answer):
    rows = read_board(board)
    with open(answer, "rb") as file:
        text = file.read()
    words = text.split()
    if not words:
        sys.exit("the answer has no square")
    if len(words) > MOST_SQUARES:
        sys.exit(f"the answer has more than {MOST_SQUARES} squares")
    path = [square(word, rows) for word in words]
    names = [word.decode() for word in words]
    if len(set(path)) < len(path):
        sys.exit("the path visits a square twice")
    for end in range(1, len(path)):
        a, b = path[end - 1], path[end]
        if sorted((abs(a[0] - b[0]), abs(a[1] - b[1]))) != [1, 2]:
            sys.exit(f"{names[end - 1]} to {names[end]} is no move of a knight")
        for other in range(1, end - 1):
            if cross(a, b, path[other - 1], path[other]):
                sys.exit(f"{names[end - 1]} to {names[end]} crosses {names[other - 1]} to {names[other]}")
    if os.path.isdir("out"):
        leave_frames(path, [word.end() for word in re.finditer(rb"\S+", text)], rows)
    print(f"score = {len(path) - 1}")


def leave_frames(path, ends, rows):
    """One image per square of the path, for the replay of the results page."""
    with open("out/frames.jsonl", "w", encoding="ascii") as file:
        for moves, end in enumerate(ends):
            file.write(f'{{"at": {end}, "progress": {moves}, "svg": "{moves}.svg"}}\n')
            with open(f"out/{moves}.svg", "w", encoding="ascii") as image:
                image.write(drawing(path[: moves + 1], rows))


def drawing(path, rows):
    """The path so far as an SVG image: ten units per square, the first row at the bottom."""
    places = [(10 * column + 5, 10 * (rows - 1 - row) + 5) for column, row in path]
    labels = "".join(
        f'<text x="{10 * at + 5}" y="{10 * rows + 4}">{chr(ord("a") + at)}</text>'
        f'<text x="-3" y="{10 * (rows - 1 - at) + 6.5}">{at + 1}</text>'
        for at in range(rows)
    )
    x, y = places[-1]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -1 {10 * rows + 7} {10 * rows + 7}">'
        '<defs><pattern id="s" width="20" height="20" patternUnits="userSpaceOnUse">'
        '<path fill="#f0d9b5" d="M0 0h20v20h-20z"/><path fill="#d9b88f" d="M10 0h10v10h-20v10h10z"/></pattern></defs>'
        f'<path fill="#fff" d="M-6 -1h{10 * rows + 7}v{10 * rows + 7}h-{10 * rows + 7}z"/>'
        f'<path fill="url(#s)" d="M0 0h{10 * rows}v{10 * rows}h-{10 * rows}z"/>'
        f'<g font-family="sans-serif" font-size="4" text-anchor="middle" fill="#6b6457">{labels}</g>'
        '<g fill="none" stroke="#1f4e79" stroke-width="1.1" stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="M{" ".join(f"{left} {top}" for left, top in places)}"/>'
        f'<path stroke-width="2.4" d="{"".join(f"M{left} {top}h0" for left, top in places)}"/></g>'
        # The knight: head, mane and eye.
        f'<g transform="translate({x - 5} {y - 5})"><path fill="#1b1b1b" stroke="#fff" stroke-width=".5" d="M2.6 8.6h5.6'
        'c.3-3-.2-5.6-2.9-6.6l-.7-1-.5 1.2c-1.3 .6-1.9 1.9-2.7 3.1l.7 1.1 2.2-.7.5.3'
        'c-.8 1-2 1.4-2.2 2.6z"/><circle cx="4.2" cy="3.5" r=".4" fill="#fff"/></g></svg>'
    )


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2 and words[0] == "make":
        print(3 + int(words[1]) % 10)
    elif len(words) == 2:
        score(*words)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
