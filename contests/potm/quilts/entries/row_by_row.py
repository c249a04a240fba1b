"""Lays squares row by row, always the first that fits, until none does."""

import math
import sys


def read(path):
    with open(path, encoding="ascii") as file:
        return {int(line.split()[0]): tuple(map(int, line.split()[1:])) for line in file}


def show(rows):
    print("\n".join(" ".join(map(str, row)) for row in rows if row))


def solve(squares):
    wide = math.isqrt(len(squares))
    left, rows = dict(squares), [[]]
    while True:
        if len(rows[-1]) == wide:
            rows.append([])
        at = len(rows[-1])
        above = squares[rows[-2][at]][2] if len(rows) > 1 else None
        before = squares[rows[-1][-1]][1] if at else None
        fits = [number for number, (top, _, _, side) in left.items() if above in (None, top) and before in (None, side)]
        if not fits:
            return rows
        rows[-1].append(fits[0])
        del left[fits[0]]


if __name__ == "__main__":
    show(solve(read(sys.argv[-1])))
