#!/usr/bin/env python3
"""Referee of ODOMETERFUN: how many miles until the odometer reads the same from both ends?

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board of 1000 readings

A board has a reading of six digits per line. An answer has a whole number per line, in the order of the readings: the fewest miles,
at least one, after which the reading is a palindrome. After 999999 comes 000000. The score is the number of right lines.
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
        readings = file.read().split()
    if not 1 <= len(readings) <= 100_000 or not all(re.fullmatch("[0-9]{6}", reading) for reading in readings):
        sys.exit("a board has 1 to 100000 readings of six digits")
    return list(map(int, readings))


def miles(reading):
    """A palindrome repeats its first half, so the next one has this half, the next half, or is 000000."""
    half = reading // 1000
    for first in (half, half + 1):
        palindrome = int(f"{first:03}" + f"{first:03}"[::-1])
        if first < 1000 and palindrome > reading:
            return palindrome - reading
    return 1_000_000 - reading


def rule(board, text, frames):
    """Returns the figures of a right answer. There are no positions."""
    lines = text.rstrip().split("\n") if text.strip() else []
    if len(lines) > len(board):
        raise Wrong(f"there are {len(lines)} lines for {len(board)} readings")
    score = 0
    for number, (line, reading) in enumerate(zip(lines, board), 1):
        if not re.fullmatch("[0-9]{1,9}", line.strip()):
            raise Wrong(f"line {number}: expected a whole number, not {line.strip()[:30]!r}")
        score += int(line) == miles(reading)
    return {"score": score}


def make(seed):
    chance = random.Random(seed)
    return "".join(f"{chance.randrange(10**6):06}\n" for _ in range(1000))


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
