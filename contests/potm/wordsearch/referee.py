#!/usr/bin/env python3
"""Referee of WORDSEARCH: find words in a grid of letters that share no square.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json, and OUT/frames.jsonl for the replay
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board

A board has rows of letters, an empty line, and a list of words. An answer has a line per word: the word, the row and column of its
first letter, counted from 1, and its direction: n, ne, e, se, s, sw, w or nw. Each word is found once, and no two words may use the
same square. The score is the number of letters.
"""

import json
import os
import random
import re
import sys

WAYS = {"n": (-1, 0), "ne": (-1, 1), "e": (0, 1), "se": (1, 1), "s": (1, 0), "sw": (1, -1), "w": (0, -1), "nw": (-1, -1)}


class Wrong(Exception):
    """A fault of an answer."""


def read_board(path):
    """Returns the rows of the grid, and the words."""
    with open(path, encoding="ascii") as file:
        grid, _, words = file.read().partition("\n\n")
    rows, words = grid.split(), words.split()
    if not rows or len(rows) > 200 or not all(re.fullmatch("[A-Z]{1,200}", row) and len(row) == len(rows[0]) for row in rows):
        sys.exit("a grid has 1 to 200 rows of the same length, of at most 200 letters from A to Z")
    if not words or not all(re.fullmatch("[A-Z]{2,50}", word) for word in words) or len(set(words)) < len(words):
        sys.exit("expected an empty line and different words of 2 to 50 letters from A to Z")
    return rows, set(words)


def rule(board, text, frames):
    """Returns the figures of a right answer. Appends positions up to a fault to frames: the grid after each word."""
    rows, words = board
    used, found, at = {}, set(), 0
    drawn = [row.lower() for row in rows]
    frames.append({"at": 0, "progress": 0, "grid": drawn})
    for line in text.split("\n"):
        at += len(line) + 1
        parts = line.split()
        if not parts:
            continue
        if len(parts) != 4 or not all(re.fullmatch("[0-9]{1,3}", part) for part in parts[1:3]) or parts[3] not in WAYS:
            raise Wrong(f"expected a word, a row, a column and a direction, not {line.strip()[:60]!r}")
        word, (down, right) = parts[0], WAYS[parts[3]]
        if word not in words:
            raise Wrong(f"{word[:50]} is not in the list")
        if word in found:
            raise Wrong(f"{word} is found twice")
        found.add(word)
        squares = [(int(parts[1]) - 1 + number * down, int(parts[2]) - 1 + number * right) for number in range(len(word))]
        for letter, (row, column) in zip(word, squares):
            if not (0 <= row < len(rows) and 0 <= column < len(rows[0])) or rows[row][column] != letter:
                raise Wrong(f"{word} is not in row {parts[1]}, column {parts[2]}, direction {parts[3]}")
            if (row, column) in used:
                raise Wrong(f"{word} and {used[row, column]} share the square in row {row + 1}, column {column + 1}")
        used |= {square: word for square in squares}
        drawn = ["".join(letter.upper() if (row, column) in used else letter for column, letter in enumerate(line))
                 for row, line in enumerate(drawn)]
        frames.append({"at": min(at, len(text)), "progress": len(used), "grid": drawn, "touched": squares})
    return {"score": len(used), "words": len(found)}


def make(seed):
    """Words of syllables, laid into the grid wherever they fit by chance. Up to two cross in a square."""
    chance = random.Random(seed)
    size = 12 + 3 * (seed % 4)
    parts = "BA RI TO NE LU SA MI KO DE FA GOR HIN TAR LES PON".split()
    words = sorted({"".join(chance.choice(parts) for _ in range(chance.choice([2, 2, 3]))) for _ in range(6 * size)})
    cells, uses, laid = {}, {}, []
    for word in chance.sample(words, len(words)):
        for _ in range(60):
            down, right = WAYS[chance.choice(sorted(WAYS))]
            row, column = chance.randrange(size), chance.randrange(size)
            squares = [(row + number * down, column + number * right) for number in range(len(word))]
            if all(0 <= a < size and 0 <= b < size and cells.get((a, b), letter) == letter and uses.get((a, b), 0) < 2
                   for letter, (a, b) in zip(word, squares)):
                cells |= dict(zip(squares, word))
                for square in squares:
                    uses[square] = uses.get(square, 0) + 1
                laid.append(word)
                break
    grid = ["".join(cells.get((row, column)) or chance.choice("VWXYZ") for column in range(size)) for row in range(size)]
    return "\n".join([*grid, "", *sorted(laid)]) + "\n"


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
