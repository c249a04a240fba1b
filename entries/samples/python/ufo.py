#!/usr/bin/env python3
"""A sample entry for UFO: breadth-first search, which finds an answer of the fewest moves.

Called as `ufo.py BOARD_FILE`. If time runs out first, it prints the moves to the best position that it has seen: an
answer that stops before the goal still scores its progress. It needs only Python 3.

Possible improvement: count positions that differ only by exchanged number pieces as one.
"""

import os
import sys
import time
from collections import deque

BEGUN = time.monotonic()
STEPS = {"L": (0, -1), "R": (0, 1), "U": (-1, 0), "D": (1, 0)}
TURNS = {"": "LRUD", "L": "UD", "R": "UD", "U": "LR", "D": "LR"}


def read(path):
    """The pieces with their squares, the squares of the board, and the centre."""
    with open(path, encoding="utf-8") as file:
        rows = [line.strip() for line in file if line.strip()]
    squares = {(r, c): cell for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "#"}
    pieces = tuple(sorted((cell, square) for square, cell in squares.items() if cell != "."))
    return pieces, frozenset(squares), (len(rows) // 2, len(rows[0]) // 2)


def travel(square, step, taken, squares):
    """The square before the next piece in that direction, or None if there is no piece or it is adjacent."""
    down, right = STEPS[step]
    row, column = square
    while (row + down, column + right) in squares:
        ahead = (row + down, column + right)
        if ahead in taken:
            return None if (row, column) == square else (row, column)
        row, column = ahead
    return None


def moves(pieces, squares, centre):
    """Every move as (word, pieces after it); a move is one or more steps of one piece, each turning by 90 degrees."""
    for index, (name, square) in enumerate(pieces):
        others = pieces[:index] + pieces[index + 1 :]
        taken = {place for _, place in others}
        waiting, seen = [(square, "", "")], {square}
        while waiting:
            here, steps, last = waiting.pop()
            for step in TURNS[last]:
                there = travel(here, step, taken, squares)
                if there is None:
                    continue
                word = f"{name}-{steps}{step}"
                if name.isalpha() and there == centre:
                    yield word, others  # it leaves the board
                elif (there, step in "LR") not in seen:
                    seen.add((there, step in "LR"))
                    yield word, tuple(sorted((*others, (name, there))))
                    waiting.append((there, steps + step, step))


def solve(path, deadline):
    start, squares, centre = read(path)

    def letters(pieces):
        return sum(name.isalpha() for name, _ in pieces)

    best, fewest = [], letters(start)
    queue, seen = deque([(start, None)]), {start}
    while queue and time.monotonic() < deadline:
        pieces, trail = queue.popleft()
        for word, after in moves(pieces, squares, centre):
            if after in seen:
                continue
            seen.add(after)
            trail_after = (word, trail)
            if letters(after) < fewest:
                best, fewest, link = [], letters(after), trail_after
                while link:
                    best.append(link[0])
                    link = link[1]
                best.reverse()
                if fewest == 0:
                    return best
            queue.append((after, trail_after))
    return best


# The limit counts from the start of the process to its end: leave time to start and to exit.
LIMIT = int(os.environ.get("JUDGE_LIMIT_MS", "10000")) / 1000
print(" ".join(solve(sys.argv[-1], BEGUN + LIMIT - min(LIMIT / 10 + 0.1, 2))))
