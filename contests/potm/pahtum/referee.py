#!/usr/bin/env python3
"""Referee of PAHTUM: two seats put marks into a grid of 7 by 7, and lines of the own marks give points.

    referee.py BOARD SEATS OUT     leads a game by the protocol of matches; writes OUT/frames.jsonl for the replay
    referee.py check BOARD         refuses an unusable board
    referee.py make SEED           prints a board

A board is 7 rows of 7 squares: `-` is free, and `+` cannot be used; of these there is an odd number, from 1 to 25. Seat 1 has the mark
X, and seat 2 the mark O. A seat reads the grid and answers with the grid that has one more mark of its own.
"""

import json
import os
import random
import re
import sys

POINTS = {3: 3, 4: 10, 5: 25, 6: 56, 7: 119}
WIN, TIE = {"X": 1000, "O": 1200}, {"X": 500, "O": 600}


def read_board(path):
    with open(path, encoding="ascii") as file:
        rows = file.read().split()
    if len(rows) != 7 or any(len(row) != 7 or set(row) - {"-", "+"} for row in rows) or "".join(rows).count("+") not in range(1, 26, 2):
        sys.exit("a board has 7 rows of 7 squares, - or +, and an odd number of +, from 1 to 25")
    return rows


def ask(seat, lines):
    """Asks a seat for as many lines. Returns the lines of its answer, or None if it has none."""
    print(f"ask {seat} {len(lines)} {len(lines)}", *lines, "wait", sep="\n", flush=True)
    _, state, *count = sys.stdin.readline().split()
    return [sys.stdin.readline().rstrip("\n") for _ in range(int(count[0]))] if state == "ok" else None


def lines_of(rows, mark):
    """The points for the lines of a mark."""
    lines = " ".join([*rows, *map("".join, zip(*rows))])
    return sum(POINTS.get(len(run), 0) for run in re.findall(f"{mark}+", lines))


def the_mark(rows, answer, mark):
    """Row and column of the new mark, or None if the answer is not the grid with one more."""
    changed = [(row, column) for row in range(7) for column in range(7)
               if len(answer) == 7 and len(answer[row]) == 7 and answer[row][column] != rows[row][column]]
    if len(changed) != 1:
        return None
    row, column = changed[0]
    good = [*rows[:row], rows[row][:column] + mark + rows[row][column + 1:], *rows[row + 1:]]
    return changed[0] if rows[row][column] == "-" and answer == good else None


def play(rows, frames):
    """Plays a game. Returns the points of both."""
    mark, other = "X", "O"
    frames.append({"at": 0, "grid": rows})
    while "-" in "".join(rows):
        seat = 1 + (mark == "O")
        answer = ask(seat, rows)
        place = answer and the_mark(rows, answer, mark)
        if not place:
            if answer is not None:
                print(f"out {seat} expected the grid with one more {mark}, not {' '.join(answer)[:60]!r}", flush=True)
            return {mark: 0, other: WIN[other] + lines_of(rows, other)}
        rows = answer
        frames.append({"at": len(frames), "grid": rows, "touched": [place]})
        mark, other = other, mark
    points = {mark: lines_of(rows, mark) for mark in "XO"}
    if points["X"] == points["O"]:
        return {mark: TIE[mark] + points[mark] for mark in "XO"}
    points[max(points, key=points.get)] += WIN[max(points, key=points.get)]
    return points


def make(seed):
    chance = random.Random(seed)
    blocked = set(chance.sample(range(49), 2 * chance.randint(2, 11) + 1))
    return "".join("".join("+" if 7 * row + column in blocked else "-" for column in range(7)) + "\n" for row in range(7))


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2 and words[0] == "make":
        print(make(int(words[1])), end="")
    elif len(words) == 3:
        board, _, out = words
        frames = []
        points = play(read_board(board), frames)
        with open(os.path.join(out, "frames.jsonl"), "w", encoding="ascii") as file:
            file.writelines(json.dumps(each) + "\n" for each in frames)
        print("end", points["X"], points["O"], flush=True)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
