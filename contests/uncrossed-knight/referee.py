#!/usr/bin/env python3
"""Referee of the uncrossed knight: the longest path of a knight that never crosses itself.

A board is the number of its rows and columns. An answer is the squares of the path, such as `a1 c2 b4`. The score is the
number of moves.

    referee.py BOARD ANSWER     prints `score = MOVES`, or exits with 1 and the reason on standard error
    referee.py check BOARD      refuses an unusable board
    referee.py make SEED        prints a board of 3 to 12 rows
"""

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
        words = file.read().split()
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
    print(f"score = {len(path) - 1}")


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
