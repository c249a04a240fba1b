#!/usr/bin/env python3
"""Referee of CHOMP: two seats bite into a grid of cookies, and who is left with the poisoned one loses.

    referee.py BOARD SEATS OUT     leads a game by the protocol of matches; writes OUT/frames.jsonl for the replay
    referee.py check BOARD         refuses an unusable board
    referee.py make SEED           prints a board

A board is 2 to 50 rows of the same length, 2 to 50: `X` is the poisoned cookie, in row 1, column 1, `O` a good one, and `*` one that was
eaten. A seat reads the grid and answers with the grid after its bite: an `O` and all that is below it and to the right of it, in all
rows and columns, become `*`.
"""

import json
import os
import random
import sys


def read_board(path):
    with open(path, encoding="ascii") as file:
        rows = file.read().split()
    if not 2 <= len(rows) <= 50 or not 2 <= len(rows[0]) <= 50 or any(len(row) != len(rows[0]) for row in rows):
        sys.exit("a board has 2 to 50 rows of the same length, 2 to 50")
    lengths = [len(row) - row.count("*") for row in rows]
    right = [row.replace("X", "O") for row in rows] == ["O" * length + "*" * (len(rows[0]) - length) for length in lengths]
    if not right or lengths != sorted(lengths, reverse=True) or rows[0][0] != "X" or "".join(rows).count("X") > 1:
        sys.exit("a board has one X, in row 1 and column 1, and else O, and * only where bites can have left them")
    return rows


def ask(seat, lines):
    """Asks a seat for as many lines. Returns the lines of its answer, or None if it has none."""
    print(f"ask {seat} {len(lines)} {len(lines)}", *lines, "wait", sep="\n", flush=True)
    _, state, *count = sys.stdin.readline().split()
    return [sys.stdin.readline().rstrip("\n") for _ in range(int(count[0]))] if state == "ok" else None


def bite(rows, row, column):
    """The grid after a bite."""
    return rows[:row] + [line[:column] + "*" * len(line[column:]) for line in rows[row:]]


def the_bite(rows, answer):
    """Row and column of the bite that leads to the answer, or None if no bite does."""
    changed = [(row, column) for row, line in enumerate(rows) for column, cookie in enumerate(line)
               if row < len(answer) and answer[row][column:column + 1] != cookie]
    place = changed[0] if changed else (0, 0)
    return place if rows[place[0]][place[1]] == "O" and bite(rows, *place) == answer else None


def play(rows, frames):
    """Plays a game. Returns the seat that wins."""
    seat = 1
    frames.append({"at": 0, "grid": rows})
    while any("O" in row for row in rows):
        answer = ask(seat, rows)
        if answer is None:
            return 3 - seat
        place = the_bite(rows, answer)
        if place is None:
            print(f"out {seat} no bite leads to a grid of {len(answer)} rows: {' '.join(answer)[:60]!r}", flush=True)
            return 3 - seat
        eaten = [(row, column) for row, line in enumerate(rows) for column, cookie in enumerate(line) if answer[row][column] != cookie]
        rows = answer
        if len(frames) < 1000:
            frames.append({"at": len(frames), "grid": rows, "touched": eaten})
        seat = 3 - seat
    # Only the poisoned cookie is left, for the seat that is to move.
    return 3 - seat


def make(seed):
    chance = random.Random(seed)
    high, wide = chance.randint(4, 9), chance.randint(4, 12)
    return "X" + "O" * (wide - 1) + "\n" + ("O" * wide + "\n") * (high - 1)


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2 and words[0] == "make":
        print(make(int(words[1])), end="")
    elif len(words) == 3:
        board, _, out = words
        frames = []
        winner = play(read_board(board), frames)
        with open(os.path.join(out, "frames.jsonl"), "w", encoding="ascii") as file:
            file.writelines(json.dumps(each) + "\n" for each in frames)
        print("end", *(int(seat == winner) for seat in (1, 2)), flush=True)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
