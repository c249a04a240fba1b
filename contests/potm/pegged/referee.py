#!/usr/bin/env python3
"""Referee of PEGGED: leave one peg, in few moves.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json, and OUT/frames.jsonl for the replay
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board that can be solved

A board is rows of the same length: `_` has no hole, `O` is a hole, `X` a hole with a peg. A move is a word such as `3,4e`: the
peg in row 3 and column 4, counted from 1, goes north, east, south or west. It walks if the next hole is empty. If that hole has
a peg, it jumps over it, into an empty hole, and that peg is removed.
"""

import json
import os
import random
import re
import sys

WAYS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
MOVE = re.compile(r"([0-9]{1,3}),([0-9]{1,3})([nesw])")
MOST_FRAMES = 1000


class Wrong(Exception):
    """A fault of an answer."""


def read_board(path):
    with open(path, encoding="ascii") as file:
        rows = [list(row) for row in file.read().split()]
    cells = [cell for row in rows for cell in row]
    if not rows or len(rows) > 100 or not 1 <= len(rows[0]) <= 100 or any(len(row) != len(rows[0]) for row in rows):
        sys.exit("a board has 1 to 100 rows of the same length, at most 100")
    if not set(cells) <= set("_OX") or "X" not in cells:
        sys.exit("a board has only _, O and X, and at least one X")
    return rows


def rule(rows, text, frames):
    """Returns the figures of a right answer. Appends the positions up to a fault to frames."""

    def at(row, column):
        return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else "_"

    moves = 0
    frames.append(frame(0, rows, []))
    for word in re.finditer(r"\S+", text, re.ASCII):
        moves += 1
        move = MOVE.fullmatch(word[0])
        if not move:
            raise Wrong(f"move {moves}: expected a move such as 3,4e, not {word[0][:20]!r}")
        row, column = int(move[1]) - 1, int(move[2]) - 1
        down, right = WAYS[move[3]]
        if at(row, column) != "X":
            raise Wrong(f"move {moves}: no peg in row {row + 1}, column {column + 1}")
        to = (row + down, column + right)
        touched = [(row, column)]
        if at(*to) == "X":
            rows[to[0]][to[1]] = "O"
            touched.append(to)
            to = (to[0] + down, to[1] + right)
        if at(*to) != "O":
            raise Wrong(f"move {moves}: {word[0]} needs an empty hole in row {to[0] + 1}, column {to[1] + 1}")
        rows[row][column], rows[to[0]][to[1]] = "O", "X"
        if len(frames) < MOST_FRAMES:
            frames.append(frame(word.end(), rows, [*touched, to]))
    pegs = [(row, column) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell == "X"]
    if len(pegs) > 1:
        raise Wrong(f"{len(pegs)} pegs are left, expected 1")
    row, column = pegs[0]
    dist = abs(2 * row - len(rows) + 1) // 2 + abs(2 * column - len(rows[0]) + 1) // 2
    return {"moves": moves, "dist": dist}


def frame(at, rows, touched):
    return {"at": at, "grid": ["".join(row).replace("_", " ") for row in rows], "touched": touched}


def make(seed):
    """Plays backwards from one peg near the middle: a jump brings a peg back, and some pegs walk."""
    chance = random.Random(seed)
    high, wide = 5 + seed % 5, 6 + seed % 4
    rows = [["_" if chance.random() < 0.08 else "O" for _ in range(wide)] for _ in range(high)]
    rows[high // 2][wide // 2] = "X"
    for _ in range(10 * high * wide):
        row, column = chance.randrange(high), chance.randrange(wide)
        down, right = WAYS[chance.choice("nesw")]
        over, back = (row + down, column + right), (row + 2 * down, column + 2 * right)
        fits = 0 <= back[0] < high and 0 <= back[1] < wide and rows[row][column] == "X"
        if fits and rows[over[0]][over[1]] == rows[back[0]][back[1]] == "O":
            rows[row][column], rows[over[0]][over[1]], rows[back[0]][back[1]] = "O", "X", "X"
            if sum(line.count("X") for line in rows) >= high * wide // 2:
                break
        elif 0 <= over[0] < high and 0 <= over[1] < wide and chance.random() < 0.1:
            if rows[row][column] == "X" and rows[over[0]][over[1]] == "O":
                rows[row][column], rows[over[0]][over[1]] = "O", "X"
    return "".join("".join(row) + "\n" for row in rows)


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
