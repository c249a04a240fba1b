#!/usr/bin/env python3
"""Referee of CROZZLE: a crossword of as many words of a list as possible.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json, and OUT/frames.jsonl for the replay
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board: words of syllables

A board is a list of different words of the letters a to z, one per line. An answer is 20 rows of 20 squares: a letter, or `.` for an
empty square. Whatever stands in two or more squares in a row, across or down, must be a word of the list, each at most once, and
all words must be connected.
"""

import json
import os
import random
import re
import sys

SIZE = 20


class Wrong(Exception):
    """A fault of an answer."""


def read_board(path):
    with open(path, encoding="ascii") as file:
        words = file.read().split()
    if not 1 <= len(words) <= 200 or not all(re.fullmatch("[a-z]{2,20}", word) for word in words):
        sys.exit("a board has 1 to 200 words of 2 to 20 letters from a to z")
    if len(set(words)) < len(words):
        sys.exit("a board has no word twice")
    return set(words)


def rule(board, text, frames):
    """Returns the figures of a right answer. Appends the positions up to a fault to frames."""
    rows = text.rstrip().replace("\r", "").split("\n")
    if len(rows) != SIZE or not all(re.fullmatch(f"[a-z.]{{{SIZE}}}", row) for row in rows):
        raise Wrong(f"expected {SIZE} rows of {SIZE} squares, each a letter from a to z or a dot")
    placed = {}
    for way, lines in [("across", rows), ("down", ["".join(column) for column in zip(*rows)])]:
        for number, line in enumerate(lines):
            for found in re.finditer("[a-z]{2,}", line):
                where = f"{way}, {'row' if way == 'across' else 'column'} {number + 1}, from square {found.start() + 1}"
                if found[0] not in board:
                    raise Wrong(f"{found[0]} ({where}) is not in the list")
                if found[0] in placed:
                    raise Wrong(f"{found[0]} ({where}) is placed twice")
                squares = [(number, at) if way == "across" else (at, number) for at in range(*found.span())]
                placed[found[0]] = squares
    letters = {(row, column) for row in range(SIZE) for column in range(SIZE) if rows[row][column] != "."}
    if not placed:
        raise Wrong("the grid has no word")
    in_words = [square for squares in placed.values() for square in squares]
    for row, column in sorted(letters - set(in_words)):
        raise Wrong(f"the letter in row {row + 1}, column {column + 1} belongs to no word")
    # Words hang together by the squares they share; every letter is in a word.
    reached, edge = set(), [min(letters)]
    while edge:
        row, column = edge.pop()
        if (row, column) in letters - reached:
            reached.add((row, column))
            edge += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    if reached != letters:
        row, column = min(letters - reached)
        raise Wrong(f"the letter in row {row + 1}, column {column + 1} is not connected with the first word")
    frames.append({"at": len(text), "grid": rows})
    return {"words": len(placed), "conns": len(in_words) - len(letters), "lettr": len(letters)}


def make(seed):
    chance = random.Random(seed)
    starts, vowels, ends = "b c d f g h l m n p r s t w st tr".split(), "a e i o u a e o".split(), ["", "", "n", "r", "s", "t"]
    words = set()
    while len(words) < 101 + 13 * (seed % 8):
        word = "".join(chance.choice(starts) + chance.choice(vowels) + chance.choice(ends)
                       for _ in range(chance.choice([1, 1, 1, 2, 2, 3])))
        words.add(word)
    return "".join(word + "\n" for word in chance.sample(sorted(words), len(words)))


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
