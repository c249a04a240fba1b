"""The next free square, row by row."""

import sys


def mark_of(rows):
    """The mark that is to move."""
    marks = "".join(rows)
    return "X" if marks.count("X") == marks.count("O") else "O"


def put(rows, row, column, mark):
    """The grid with one more mark."""
    return [*rows[:row], rows[row][:column] + mark + rows[row][column + 1:], *rows[row + 1:]]


def free(rows):
    return [(row, column) for row in range(7) for column in range(7) if rows[row][column] == "-"]


def choices(rows):
    """All grids that may be answered."""
    return [put(rows, *square, mark_of(rows)) for square in free(rows)]


def play(choose):
    print(*choose(sys.stdin.read().split()), sep="\n")


if __name__ == "__main__":
    play(lambda rows: choices(rows)[0])
