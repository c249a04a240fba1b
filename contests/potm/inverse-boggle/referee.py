#!/usr/bin/env python3
"""Referee of INVERSE BOGGLE: a square of 5 by 5 letters that contains as many words of a list as possible.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json, and OUT/frames.jsonl for the replay
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board: words of syllables

A board is a list of different words of the letters A to Z, one per line. An answer is 5 rows of 5 letters, then the words of the list
that are in the square. A word is there if it can be read from letter to neighbour, of which there are up to eight, without using a
letter of the square twice. Each word counts its letters.
"""

import json
import os
import random
import re
import sys

SIZE = 5
PLACES = [(row, column) for row in range(SIZE) for column in range(SIZE)]


class Wrong(Exception):
    """A fault of an answer."""


def read_board(path):
    with open(path, encoding="ascii") as file:
        words = file.read().split()
    if not 1 <= len(words) <= 1000 or not all(re.fullmatch("[A-Z]{2,25}", word) for word in words):
        sys.exit("a board has 1 to 1000 words of 2 to 25 letters from A to Z")
    if len(set(words)) < len(words):
        sys.exit("a board has no word twice")
    return set(words)


def path_of(square, word):
    """The places of the letters of a word, or none."""
    paths = [[place] for place in PLACES if square[place] == word[0]]
    while paths:
        path = paths.pop()
        if len(path) == len(word):
            return path
        row, column = path[-1]
        paths += [[*path, place] for place in PLACES
                  if square[place] == word[len(path)] and place not in path and abs(place[0] - row) < 2 > abs(place[1] - column)]
    return None


def rule(board, text, frames):
    """Returns the figures of a right answer. Appends positions up to a fault to frames: the square, then each word in it."""
    found = list(re.finditer(r"\S+", text, re.ASCII))
    rows = [word[0] for word in found[:SIZE]]
    if len(rows) < SIZE or not all(re.fullmatch("[A-Z]{5}", row) for row in rows):
        raise Wrong("expected 5 rows of 5 letters from A to Z")
    square = {(row, column): rows[row][column] for row, column in PLACES}
    words, score = set(), 0
    frames.append({"at": found[SIZE - 1].end(), "progress": 0, "grid": rows})
    for each in found[SIZE:]:
        word = each[0]
        if word not in board:
            raise Wrong(f"{word[:30]} is not in the list")
        if word in words:
            raise Wrong(f"{word} is there twice")
        path = path_of(square, word)
        if path is None:
            raise Wrong(f"{word} is not in the square")
        words.add(word)
        score += len(word)
        frames.append({"at": each.end(), "progress": score, "grid": rows, "touched": path})
    return {"score": score, "words": len(words)}


def make(seed):
    chance = random.Random(seed)
    starts, vowels, ends = "B C D F G H L M N P R S T W ST TR".split(), "A E I O U A E O".split(), ["", "", "N", "R", "S", "T"]
    words = set()
    while len(words) < 60 + 20 * (seed % 8):
        word = "".join(chance.choice(starts) + chance.choice(vowels) + chance.choice(ends) for _ in range(chance.choice([1, 2, 2, 3])))
        if len(word) > 2:
            words.add(word)
    return "".join(word + "\n" for word in sorted(words))


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
