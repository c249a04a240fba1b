#!/usr/bin/env python3
"""Referee of AIMLESS: a long walk through a building, that steps on no square twice.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json, and OUT/frames.jsonl for the replay
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board

A board has the floors, from the lowest: a line with the number of the floor, rows, columns and number of floors, then its rows.
`#` is closed, a blank is open, and `E` on the first floor is the entry. An answer is letters: north, south, east, west, up, down.
It begins and ends at the entry.
"""

import json
import os
import random
import sys

STEPS = {"n": (0, -1, 0), "s": (0, 1, 0), "w": (0, 0, -1), "e": (0, 0, 1), "u": (1, 0, 0), "d": (-1, 0, 0)}
MOST_FRAMES = 300


class Wrong(Exception):
    """A fault of an answer."""


def read_board(path):
    """Returns the floors as lists of rows, and the place of the entry."""
    with open(path, encoding="ascii") as file:
        lines = file.read().split("\n")
    head = lines[0].split()
    if len(head) != 4 or not all(word.isdigit() and 1 <= int(word) <= 200 for word in head):
        sys.exit("expected the floor, rows, columns and number of floors, at most 200 each")
    rows, columns, count = map(int, head[1:])
    floors = []
    for number in range(count):
        at = number * (rows + 1)
        if lines[at:at + 1] != [f"{number + 1} {rows} {columns} {count}"] or len(lines) < at + 1 + rows:
            sys.exit(f"expected the line `{number + 1} {rows} {columns} {count}` and {rows} rows")
        floors.append([row.ljust(columns) for row in lines[at + 1:at + 1 + rows]])
        if any(len(row) != columns or not set(row) <= set("# E") for row in floors[-1]):
            sys.exit(f"a row of floor {number + 1} does not have {columns} squares of #, blank or E")
    entries = [(floor, row, column) for floor, rows in enumerate(floors) for row, line in enumerate(rows)
               for column, square in enumerate(line) if square == "E"]
    if len(entries) != 1 or entries[0][0] != 0:
        sys.exit("expected one E, on the first floor")
    return floors, entries[0]


def rule(board, text, frames):
    """Returns the figures of a right answer. Appends the positions up to a fault to frames."""
    floors, entry = board
    size = (len(floors), len(floors[0]), len(floors[0][0]))
    moves = ups = 0
    place, seen, path = entry, set(), [(0, entry)]
    try:
        for at, letter in enumerate(text):
            if letter in " \t\r\n":
                continue
            moves += 1
            if letter not in STEPS:
                raise Wrong(f"move {moves}: expected one of n s e w u d, not {letter!r}")
            if moves > 1 and place == entry:
                raise Wrong(f"move {moves}: the walk was back at the entry before")
            place = tuple(a + b for a, b in zip(place, STEPS[letter]))
            if not all(0 <= a < b for a, b in zip(place, size)) or floors[place[0]][place[1]][place[2]] == "#":
                raise Wrong(f"move {moves}: {letter} leads to a closed square")
            if place in seen:
                raise Wrong(f"move {moves}: {letter} leads to a square that was visited before")
            seen.add(place)
            ups += letter in "ud"
            path.append((at + 1, place))
    finally:
        frames += positions(floors, path)
    if place != entry:
        raise Wrong("the walk does not end at the entry")
    return {"moves": moves, "ups": ups}


def positions(floors, path):
    """The floor of the moment, with letters for the squares that were visited, a frame per some moves."""
    drawn = [[list(row) for row in rows] for rows in floors]
    frames = []
    for number, (at, (floor, row, column)) in enumerate(path):
        if drawn[floor][row][column] == " ":
            drawn[floor][row][column] = "."
        if number % (1 + len(path) // MOST_FRAMES) == 0 or number == len(path) - 1:
            grid = ["".join(line) for line in drawn[floor]]
            frames.append({"at": at, "grid": grid, "touched": [[row, column]]})
    return frames


def make(seed):
    """A building whose squares are closed by chance, the more the higher the seed modulo 4."""
    chance = random.Random(seed)
    count, rows, columns = 2 + seed % 3, 6 + seed % 5, 10 + seed % 7
    lines = []
    for floor in range(count):
        lines.append(f"{floor + 1} {rows} {columns} {count}")
        lines += ["".join("#" if chance.random() < 0.1 + 0.05 * (seed % 4) else " " for _ in range(columns)) for _ in range(rows)]
    lines[rows] = "E" + lines[rows][1:]
    return "\n".join(lines) + "\n"


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
