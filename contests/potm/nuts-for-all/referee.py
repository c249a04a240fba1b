#!/usr/bin/env python3
"""Referee of NUTS for all: all squirrels collect nuts at once.

    referee.py BOARD SEATS OUT     leads a game by the protocol of matches; writes OUT/frames.jsonl for the replay
    referee.py check BOARD         refuses an unusable board
    referee.py make SEED           prints a board

A board is an odd number of rows of the same odd length: `*` is a nut, and `.` none. All squirrels start in the middle, where no nut is.
In each turn all seats are asked at once. A seat reads a line with the row and the column of its squirrel, counted from 1, and then the
rows, in which a digit is the number of squirrels on that square, 9 for more. It answers with the row and the column of its next square:
one of the 8 neighbours, or the same one.
"""

import json
import os
import random
import re
import sys
from collections import Counter
from fractions import Fraction


def read_board(path):
    with open(path, encoding="ascii") as file:
        rows = file.read().split()
    if len(rows) not in range(3, 100, 2) or len(rows[0]) not in range(3, 100, 2) or any(len(row) != len(rows[0]) for row in rows):
        sys.exit("a board has 3 to 99 rows of the same length, 3 to 99, and both are odd")
    if set("".join(rows)) != set(".*") or rows[len(rows) // 2][len(rows[0]) // 2] != ".":
        sys.exit("a board has only . and *, at least one *, and a . in the middle")
    return rows


def ask_all(asks):
    """Asks seats at once. Returns the lines of each answer, None for a seat that has none."""
    for seat, lines in asks.items():
        print(f"ask {seat} {len(lines)}", *lines, sep="\n")
    print("wait", flush=True)
    answers = {}
    for _ in asks:
        seat, state, *count = sys.stdin.readline().split()
        answers[int(seat)] = [sys.stdin.readline().rstrip("\n") for _ in range(int(count[0]))] if state == "ok" else None
    return answers


def next_square(answer, here, high, wide):
    """The square of an answer, or None if a squirrel cannot go there."""
    found = re.fullmatch("([0-9]{1,2}) ([0-9]{1,2})", answer[0]) if len(answer) == 1 else None
    square = (int(found[1]) - 1, int(found[2]) - 1) if found else (-1, -1)
    near = max(abs(square[0] - here[0]), abs(square[1] - here[1])) <= 1
    return square if near and 0 <= square[0] < high and 0 <= square[1] < wide else None


def play(rows, seats, frames):
    """Plays a game. Returns the nuts of each seat."""
    high, wide = len(rows), len(rows[0])
    nuts = {(row, column) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell == "*"}
    places = {seat: (high // 2, wide // 2) for seat in range(1, seats + 1)}
    points = {seat: Fraction(0) for seat in places}

    def grid():
        cells = [["."] * wide for _ in range(high)]
        for row, column in nuts:
            cells[row][column] = "*"
        for (row, column), count in Counter(places.values()).items():
            cells[row][column] = str(min(9, count))
        return ["".join(line) for line in cells]

    frames.append({"at": 0, "grid": grid()})
    for turn in range(high * wide):
        if not nuts or not places:
            break
        lines = grid()
        answers = ask_all({seat: [f"{row + 1} {column + 1}", *lines] for seat, (row, column) in places.items()})
        for seat, answer in answers.items():
            square = next_square(answer, places[seat], high, wide) if answer is not None else None
            if square is None:
                if answer is not None:
                    print(f"out {seat} turn {turn + 1}: no square next to its own: {' '.join(answer)[:30]!r}", flush=True)
                del places[seat]
                points[seat] = Fraction(0)
            else:
                places[seat] = square
        for square in nuts & set(places.values()):
            there = [seat for seat, place in places.items() if place == square]
            for seat in there:
                points[seat] += Fraction(1, len(there))
            nuts.remove(square)
        if len(frames) < 500:
            frames.append({"at": turn + 1, "grid": grid(), "touched": sorted(set(places.values()))})
    return points


def make(seed):
    chance = random.Random(seed)
    high, wide = chance.randrange(9, 16, 2), chance.randrange(9, 22, 2)
    nuts = set(chance.sample(range(high * wide), high * wide // 6)) - {high * wide // 2}
    return "".join("".join("*" if row * wide + column in nuts else "." for column in range(wide)) + "\n" for row in range(high))


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2 and words[0] == "make":
        print(make(int(words[1])), end="")
    elif len(words) == 3:
        board, seats, out = words
        frames = []
        points = play(read_board(board), int(seats), frames)
        with open(os.path.join(out, "frames.jsonl"), "w", encoding="ascii") as file:
            file.writelines(json.dumps(each) + "\n" for each in frames)
        cut = [int(points[seat] * 1000) for seat in sorted(points)]
        print("end", *(f"{nuts // 1000}.{nuts % 1000:03}" for nuts in cut), flush=True)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
