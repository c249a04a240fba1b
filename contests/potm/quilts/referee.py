#!/usr/bin/env python3
"""Referee of QUILTS: sew squares together whose sides have the same colours where they touch.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json, and OUT/frames.jsonl for the replay
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board

A board has a line per square: its number and the colours of its top, right, bottom and left side, all whole numbers above 0. An
answer is rows of numbers of squares, with 0 where there is none. Squares are not turned, each is used at most once, and the quilt
is in one piece. RATIO is its area divided by its perimeter.
"""

import json
import os
import random
import sys

MOST = 500
DRAWN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Wrong(Exception):
    """A fault of an answer."""


def is_number(word):
    return word.isascii() and word.isdigit() and len(word) <= 6


def read_board(path):
    squares = {}
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if len(words) != 5 or not all(is_number(word) and int(word) > 0 for word in words):
                sys.exit(f"expected a number and four colours above 0, not {line.strip()[:40]!r}")
            if int(words[0]) in squares:
                sys.exit(f"square {words[0]} is there twice")
            squares[int(words[0])] = [int(word) for word in words[1:]]
    if not 1 <= len(squares) <= 10_000:
        sys.exit("a board has 1 to 10000 squares")
    return squares


def rule(board, text, frames):
    """Returns the figures of a right answer. Appends the positions up to a fault to frames."""
    quilt = {}
    for row, line in enumerate(text.split("\n")):
        for column, word in enumerate(line.split()):
            if row >= MOST or column >= MOST:
                raise Wrong(f"a quilt has at most {MOST} rows and columns")
            if not is_number(word) or int(word) and int(word) not in board:
                raise Wrong(f"row {row + 1}: no square {word[:20]!r}")
            if int(word):
                quilt[row, column] = int(word)
    if not quilt:
        raise Wrong("the quilt has no squares")
    if len(set(quilt.values())) < len(quilt):
        raise Wrong("a square is used twice")
    seams = 0
    for (row, column), number in quilt.items():
        for place, mine, other in [((row, column + 1), 1, 3), ((row + 1, column), 2, 0)]:
            if place in quilt:
                seams += 1
                if board[number][mine] != board[quilt[place]][other]:
                    raise Wrong(f"squares {number} and {quilt[place]} touch with different colours")
    reached, edge = set(), [min(quilt)]
    while edge:
        row, column = edge.pop()
        if (row, column) in quilt and (row, column) not in reached:
            reached.add((row, column))
            edge += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    if len(reached) < len(quilt):
        raise Wrong("the quilt is not in one piece")
    area, perimeter = len(quilt), 4 * len(quilt) - 2 * seams
    colours = {colour for number in quilt.values() for colour in board[number]}
    ratio = area * 10**9 // perimeter
    frames.append({"at": len(text), "grid": drawn(board, quilt)})
    return {"ratio": f"{ratio // 10**9}.{ratio % 10**9:09}", "cols": len(colours), "ar": area, "per": perimeter}


def drawn(board, quilt):
    """The quilt with the colour of the top of each square as a letter."""
    grid = [["."] * (1 + max(column for _, column in quilt)) for _ in range(1 + max(row for row, _ in quilt))]
    for (row, column), number in quilt.items():
        grid[row][column] = DRAWN[board[number][0] % len(DRAWN)]
    return ["".join(row) for row in grid]


def make(seed):
    """Squares of a quilt that was whole, and half as many others; colours by chance."""
    chance = random.Random(seed)
    high, wide, colours = 6 + seed % 3, 7 + seed % 4, 6 + seed % 5
    across = [[chance.randint(1, colours) for _ in range(wide)] for _ in range(high + 1)]
    down = [[chance.randint(1, colours) for _ in range(wide + 1)] for _ in range(high)]
    squares = [(across[row][column], down[row][column + 1], across[row + 1][column], down[row][column])
               for row in range(high) for column in range(wide)]
    squares += [tuple(chance.randint(1, colours) for _ in range(4)) for _ in range(len(squares) // 2)]
    chance.shuffle(squares)
    return "".join(f"{number} {' '.join(map(str, square))}\n" for number, square in enumerate(squares, 1))


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2 and words[0] == "make":
        print(make(int(words[1])), end="")
    elif len(words) == 3:
        board, answer, out = words
        with open(answer, encoding="ascii", errors="replace", newline="") as file:
            text = file.read()
        frames = []
        try:
            figures = rule(read_board(board), text, frames)
            ruling = {"format": 1, "verdict": "valid", "figures": figures}
        except Wrong as wrong:
            ruling = {"format": 1, "verdict": "wrong", "reason": str(wrong)}
        with open(os.path.join(out, "frames.jsonl"), "w", encoding="ascii") as file:
            file.writelines(json.dumps(each) + "\n" for each in frames)
        with open(os.path.join(out, "ruling.json"), "w", encoding="ascii") as file:
            json.dump(ruling, file)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
