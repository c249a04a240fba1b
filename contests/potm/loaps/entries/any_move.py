"""Any move, always the same one of the same position."""

import random
import sys

WAYS = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)]


def parse(lines):
    """The own colour, and the pieces by squares. Row and column count from 0, the row from below."""
    rows = lines[:0:-1]
    return lines[0][0], {(row, column): cell for row, line in enumerate(rows) for column, cell in enumerate(line) if cell != "."}


def moves(pieces, colour):
    """All legal moves, as the squares from which and to which they lead."""
    found = []
    for (row, column), piece in pieces.items():
        if piece != colour:
            continue
        for up, right in WAYS:
            far = sum((row + number * up, column + number * right) in pieces for number in range(-6, 7))
            way = [(row + number * up, column + number * right) for number in range(1, far + 1)]
            inside = 0 <= way[-1][0] < 7 and 0 <= way[-1][1] < 7
            if inside and pieces.get(way[-1]) != colour and all(pieces.get(square, colour) == colour for square in way[:-1]):
                found.append(((row, column), way[-1]))
    return sorted(found)


def text(move):
    return "-".join(f"{'abcdefg'[column]}{row + 1}" for row, column in move)


def choices(lines):
    """All that may be answered to an ask, each as its lines."""
    colour, pieces = parse(lines)
    return [[text(move)] for move in moves(pieces, colour)]


def play(choose):
    """Answers each ask with the move that is chosen for its lines."""
    while first := sys.stdin.readline():
        lines = [first.strip(), *(sys.stdin.readline().strip() for _ in range(7))]
        print(choose(lines), flush=True)


if __name__ == "__main__":
    play(lambda lines: random.Random(" ".join(lines)).choice(choices(lines))[0])
