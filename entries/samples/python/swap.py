#!/usr/bin/env python3
"""A sample entry for frogs and toads: the colours take turns of 1, 2, …, n, n, n, …, 2, 1 moves.

Called as `swap.py BOARD_FILE`. Every answer has n(n + 2) moves, so it needs no search and no clock, only Python 3.
"""

import sys


def solve(board):
    """The moves as (from, to), counted from 1 at the left, for the start BB…B.R…RR."""
    row, empty, size = list(board), board.index("."), len(board) // 2
    answer = []
    for turn, length in enumerate([*range(1, size + 1), size, *range(size, 0, -1)]):
        colour, behind = ("B", -1) if turn % 2 == 0 else ("R", 1)
        for _ in range(length):
            # The neighbour steps if it has the colour; otherwise the piece behind it hops.
            near = empty + behind
            origin = near if 0 <= near < len(row) and row[near] == colour else near + behind
            row[empty], row[origin] = colour, "."
            answer.append((origin + 1, empty + 1))
            empty = origin
    return answer


with open(sys.argv[-1], encoding="utf-8") as file:
    print(" ".join(f"{origin}->{goal}" for origin, goal in solve(file.read().strip())))
