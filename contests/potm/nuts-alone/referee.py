#!/usr/bin/env python3
"""Referee of NUTS alone: collect all nuts in few moves.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json, and OUT/frames.jsonl for the replay
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board

A board is an odd number of rows of the same odd length: `*` is a nut, and `.` none. The squirrel starts in the middle, where no nut is.
An answer has a line per move with the row and the column, counted from 1, of the next square: one of the 8 neighbours.
"""

import json
import os
import random
import re
import sys


class Wrong(Exception):
    """A fault of an answer."""


def read_board(path):
    with open(path, encoding="ascii") as file:
        rows = file.read().split()
    if len(rows) not in range(3, 100, 2) or len(rows[0]) not in range(3, 100, 2) or any(len(row) != len(rows[0]) for row in rows):
        sys.exit("a board has 3 to 99 rows of the same length, 3 to 99, and both are odd")
    if set("".join(rows)) != set(".*") or rows[len(rows) // 2][len(rows[0]) // 2] != ".":
        sys.exit("a board has only . and *, at least one *, and a . in the middle")
    return rows


def rule(rows, text, frames):
    """Returns the figures of a right answer. Appends the positions up to a fault to frames."""
    nuts = {(row, column) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell == "*"}
    here = (len(rows) // 2, len(rows[0]) // 2)
    at = moves = 0

    def frame(touched):
        grid = ["".join("@" if (row, column) == here else "*" if (row, column) in nuts else "." for column in range(len(rows[0])))
                for row in range(len(rows))]
        return {"at": at, "grid": grid, "touched": touched}

    frames.append(frame([]))
    for line in text.split("\n"):
        at = min(at + len(line) + 1, len(text))
        words = line.split()
        if not words:
            continue
        moves += 1
        if len(words) != 2 or not all(re.fullmatch("[0-9]{1,2}", word) for word in words):
            raise Wrong(f"move {moves}: expected a row and a column, not {line.strip()[:30]!r}")
        square = (int(words[0]) - 1, int(words[1]) - 1)
        if square[0] not in range(len(rows)) or square[1] not in range(len(rows[0])):
            raise Wrong(f"move {moves}: row {words[0]}, column {words[1]} is outside the grid")
        if max(abs(square[0] - here[0]), abs(square[1] - here[1])) != 1:
            raise Wrong(f"move {moves}: row {words[0]}, column {words[1]} is no neighbour of row {here[0] + 1}, column {here[1] + 1}")
        touched, here = [here, square], square
        nuts.discard(here)
        if len(frames) < 500:
            frames.append(frame(touched))
    if nuts:
        raise Wrong(f"{len(nuts)} nuts are left after {moves} moves")
    return {"moves": moves}


def make(seed):
    chance = random.Random(seed)
    high, wide = chance.randrange(11, 20, 2), chance.randrange(13, 26, 2)
    nuts = set(chance.sample(range(high * wide), high * wide // 8)) - {high * wide // 2}
    return "".join("".join("*" if row * wide + column in nuts else "." for column in range(wide)) + "\n" for row in range(high))


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
            ruling = {"format": 1, "verdict": "valid", "figures": rule(read_board(board), text, frames)}
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
