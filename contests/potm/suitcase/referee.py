#!/usr/bin/env python3
"""Referee of SUITCASE: rearrange what is in a suitcase until one more item fits, in few moves.

    referee.py BOARD ANSWER OUT [none]    writes OUT/ruling.json, and OUT/frames.jsonl for the replay
    referee.py check BOARD                refuses an unusable board
    referee.py make SEED                  prints a board that can be solved

A board has the rows and columns of the suitcase, then a line per item: a letter, its rows and columns, and the row and column of its
upper left corner, counted from 1. The last line is the item outside: a letter, rows and columns. A move such as `C 2 4` takes an
item and puts its upper left corner into row 2, column 4, where all must be free; items are not turned. The last move puts the item
outside into the suitcase. The answer `none` says that there is no way. It is right on boards that the contest file marks with the
argument `none`, and wrong on others.
"""

import json
import os
import random
import re
import string
import sys


class Wrong(Exception):
    """A fault of an answer."""


class Suitcase:
    def __init__(self, rows, columns, sizes, places, outside):
        self.rows, self.columns, self.sizes, self.places, self.outside = rows, columns, sizes, places, outside

    def cells(self, item, row, column):
        high, wide = self.sizes[item]
        return {(row + down, column + right) for down in range(high) for right in range(wide)}

    def is_free(self, item, row, column):
        """True if the item fits into this place, with all other items where they are."""
        high, wide = self.sizes[item]
        inside = row >= 0 and column >= 0 and row + high <= self.rows and column + wide <= self.columns
        mine = self.cells(item, row, column) if inside else set()
        return inside and all(mine.isdisjoint(self.cells(other, *place)) for other, place in self.places.items() if other != item)

    def frame(self, at, touched=()):
        grid = [["."] * self.columns for _ in range(self.rows)]
        for item, place in self.places.items():
            for row, column in self.cells(item, *place):
                grid[row][column] = item
        return {"at": at, "grid": ["".join(row) for row in grid], "touched": sorted(touched)}


def read_board(path):
    with open(path, encoding="ascii") as file:
        lines = [line.split() for line in file if line.strip()]
    numbers = [[int(word) for word in line[number > 0:] if re.fullmatch("[0-9]{1,2}", word)] for number, line in enumerate(lines)]
    good = len(lines) >= 2 and len(numbers[0]) == 2 and len(numbers[-1]) == 2 and all(len(each) == 4 for each in numbers[1:-1])
    names = [line[0] for line in lines[1:]]
    if not good or not all(re.fullmatch("[A-Za-z]", name) for name in names) or len(set(names)) < len(names):
        sys.exit("expected rows and columns, items of a letter and four numbers, and at last a letter and two numbers")
    suitcase = Suitcase(*numbers[0], {name: tuple(each[:2]) for name, each in zip(names, numbers[1:])}, {}, names[-1])
    if min(map(min, numbers)) < 1:
        sys.exit("all numbers are at least 1")
    for name, (_, _, row, column) in zip(names, numbers[1:-1]):
        if not suitcase.is_free(name, row - 1, column - 1):
            sys.exit(f"item {name} does not fit where it is")
        suitcase.places[name] = (row - 1, column - 1)
    return suitcase


def rule(board, text, frames, solution="some"):
    """Returns the figures of a right answer. Appends the positions up to a fault to frames."""
    frames.append(board.frame(0))
    if text.split() == ["none"]:
        if solution != "none":
            raise Wrong("there is a way to put the item in")
        return {"moves": 0}
    at = moves = 0
    for line in text.split("\n"):
        at += len(line) + 1
        words = line.split()
        if not words:
            continue
        moves += 1
        if len(words) != 3 or words[0] not in board.sizes or not all(re.fullmatch("[0-9]{1,2}", word) for word in words[1:]):
            raise Wrong(f"move {moves}: expected an item, a row and a column, not {line.strip()[:30]!r}")
        if board.outside in board.places:
            raise Wrong(f"move {moves}: the item outside was put in before, which must be the last move")
        item, row, column = words[0], int(words[1]) - 1, int(words[2]) - 1
        if not board.is_free(item, row, column):
            raise Wrong(f"move {moves}: item {item} does not fit into row {row + 1}, column {column + 1}")
        board.places[item] = (row, column)
        if len(frames) < 1000:
            frames.append(board.frame(min(at, len(text)), board.cells(item, row, column)))
    if board.outside not in board.places:
        raise Wrong(f"item {board.outside} is still outside")
    return {"moves": moves}


def make(seed):
    """Packs a suitcase, takes one item out, and moves the others about."""
    chance = random.Random(seed)
    board = Suitcase(4 + seed % 2, 5 + seed % 3, {}, {}, "")
    for name in string.ascii_uppercase[:7 + seed % 3]:
        board.sizes[name] = (chance.randint(1, 3), chance.randint(1, 3))
        free = [(row, column) for row in range(board.rows) for column in range(board.columns) if board.is_free(name, row, column)]
        if not free:
            del board.sizes[name]
            continue
        board.places[name] = chance.choice(free)
    board.outside = max(board.places, key=lambda name: board.sizes[name][0] * board.sizes[name][1])
    del board.places[board.outside]
    for _ in range(60):
        name = chance.choice(sorted(board.places))
        free = [(row, column) for row in range(board.rows) for column in range(board.columns) if board.is_free(name, row, column)]
        board.places[name] = chance.choice(free)
    lines = [f"{name} {high} {wide} {board.places[name][0] + 1} {board.places[name][1] + 1}"
             for name, (high, wide) in board.sizes.items() if name != board.outside]
    last = f"{board.outside} {board.sizes[board.outside][0]} {board.sizes[board.outside][1]}"
    return "\n".join([f"{board.rows} {board.columns}", *lines, last]) + "\n"


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2 and words[0] == "make":
        print(make(int(words[1])), end="")
    elif len(words) in (3, 4):
        board, answer, out, *solution = words
        with open(answer, encoding="ascii", errors="replace", newline="") as file:
            text = file.read()
        frames = []
        try:
            figures = rule(read_board(board), text, frames, *solution)
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
