"""Any bite, always the same one of the same grid."""

import random
import sys


def bite(rows, row, column):
    """The grid after a bite."""
    return rows[:row] + [line[:column] + "*" * len(line[column:]) for line in rows[row:]]


def bites(rows):
    """All places that can be bitten."""
    return [(row, column) for row, line in enumerate(rows) for column, cookie in enumerate(line) if cookie == "O"]


def choices(rows):
    """All grids that may be answered."""
    return [bite(rows, *place) for place in bites(rows)]


def play(choose):
    print(*choose(sys.stdin.read().split()), sep="\n")


if __name__ == "__main__":
    play(lambda rows: random.Random("".join(rows)).choice(choices(rows)))
