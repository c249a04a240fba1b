#!/usr/bin/env python3
"""Referee of NUMBERSGAME: two seats take digits from a number, and who writes 0 loses.

    referee.py BOARD SEATS OUT     leads a game by the protocol of matches; writes OUT/frames.jsonl for the replay
    referee.py check BOARD         refuses an unusable board
    referee.py make SEED           prints a board

A board is a number from 1 to 99999. A seat reads a number, and answers with it less one of its digits other than 0.
"""

import json
import os
import random
import re
import sys


def read_board(path):
    with open(path, encoding="ascii") as file:
        words = file.read().split()
    if len(words) != 1 or not re.fullmatch("[1-9][0-9]{0,4}", words[0]):
        sys.exit("a board is one number from 1 to 99999")
    return int(words[0])


def ask(seat, lines):
    """Asks a seat. Returns the lines of its answer, or None if it has none."""
    print(f"ask {seat} {len(lines)}", *lines, "wait", sep="\n", flush=True)
    _, state, *count = sys.stdin.readline().split()
    return [sys.stdin.readline().rstrip("\n") for _ in range(int(count[0]))] if state == "ok" else None


def after(number):
    """The numbers that may be written after this one, as text."""
    return [str(number - int(digit)) for digit in sorted(set(str(number)) - {"0"})]


def play(number, frames):
    """Plays a game. Returns the seat that wins."""
    seat = 1
    frames.append({"at": 0, "grid": [f"  {number:5}"]})
    while number:
        answer = ask(seat, [str(number)])
        if answer is None:
            return 3 - seat
        if len(answer) != 1 or answer[0] not in after(number):
            print(f"out {seat} expected {number} less one of its digits, not {' '.join(answer)[:20]!r}", flush=True)
            return 3 - seat
        number = int(answer[0])
        if len(frames) < 1000:
            frames.append({"at": len(frames), "grid": [f"{seat} {number:5}"]})
        seat = 3 - seat
    # The seat that is to move did not write the 0.
    return seat


def make(seed):
    return f"{random.Random(seed).randint(500, 4999)}\n"


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
