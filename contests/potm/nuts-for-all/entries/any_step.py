"""Any neighbour, always the same one of the same grid."""

import random
import sys


def parse(lines):
    """The own square, and the rows; all numbers count from 0."""
    row, column = (int(word) - 1 for word in lines[0].split())
    return (row, column), lines[1:]


def nuts_of(rows):
    return [(row, column) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell == "*"]


def far(a, b):
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def toward(here, goal):
    """The next square on a way to another one."""
    return tuple(at + (to > at) - (to < at) for at, to in zip(here, goal))


def choices(lines):
    """All that may be answered to an ask, each as its lines. The own square is left out: that is a rest."""
    here, rows = parse(lines)
    squares = [(here[0] + down, here[1] + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    return [[f"{row + 1} {column + 1}"] for row, column in squares if 0 <= row < len(rows) and 0 <= column < len(rows[0])]


def answer(square):
    print(square[0] + 1, square[1] + 1)


if __name__ == "__main__":
    ASK = sys.stdin.read().splitlines()
    print(random.Random("".join(ASK)).choice(choices(ASK))[0])
