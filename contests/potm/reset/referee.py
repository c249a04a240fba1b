#!/usr/bin/env python3
"""Referee of RESET: when to reset the trip meter so that all wheels show different digits soon.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board of 20 cars

A board has a line per car: its odometer of six wheels and its trip meter of four wheels. An answer has a whole number per line: after
so many miles the reset button is pressed, and the trip meter is 0000. From then on the car drives until the ten wheels show ten
different digits, or 10000 miles. The score is the sum of all miles, those before the button is pressed included.
"""

import json
import os
import random
import re
import sys

# Then the trip meter would be 0000 again.
MOST_MILES = 10_000


class Wrong(Exception):
    """A fault of an answer."""


def read_board(path):
    with open(path, encoding="ascii") as file:
        lines = [line.split() for line in file]
    if not 1 <= len(lines) <= 1000 or not all(
            len(line) == 2 and re.fullmatch("[0-9]{6}", line[0]) and re.fullmatch("[0-9]{4}", line[1]) for line in lines):
        sys.exit("a board has 1 to 1000 lines of six digits and four digits")
    return [int(odometer) for odometer, _ in lines]


def miles_after(odometer):
    """The miles from the press of the button until all digits are different."""
    for miles in range(MOST_MILES):
        if len(set(f"{(odometer + miles) % 10**6:06}{miles % 10**4:04}")) == 10:
            return miles
    return MOST_MILES


def rule(board, text, frames):
    """Returns the figures of a right answer. There are no positions."""
    lines = text.rstrip().split("\n")
    if len(lines) != len(board):
        raise Wrong(f"expected {len(board)} lines, not {len(lines)}")
    score = 0
    for number, (line, odometer) in enumerate(zip(lines, board), 1):
        if not re.fullmatch("[0-9]{1,6}", line.strip()):
            raise Wrong(f"line {number}: expected a whole number below a million, not {line.strip()[:30]!r}")
        score += int(line) + miles_after(odometer + int(line))
    return {"score1": score}


def make(seed):
    chance = random.Random(seed)
    return "".join(f"{chance.randrange(10**6):06} {chance.randrange(10**4):04}\n" for _ in range(20))


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
