#!/usr/bin/env python3
"""A whole puzzle in one file, whose referee talks to the entry. Change it into your own.

The puzzle: the entry has to find a number by few questions. A board is the number and the largest one possible.
The referee says the largest number first. A question is a number in a line; answers are `higher`, `lower` and `correct`.

    referee.py BOARD OUT       talks over standard input and output, then writes OUT/ruling.json, and OUT/frames.jsonl
    referee.py check BOARD     refuses an unusable board: exit code 1, and the reason on standard error
    referee.py make SEED       prints a new board; the same seed always gives the same board
"""

import json
import os
import random
import sys

MOST_QUESTIONS = 200


def read_board(path):
    """Returns the number of a board and the largest one, or ends with the reason why it is unusable."""
    try:
        with open(path, encoding="ascii") as file:
            number, largest = (int(word) for word in file.read().split())
    except ValueError as error:
        sys.exit(f"expected two numbers: {error}")
    if not 1 <= number <= largest <= 10**9:
        sys.exit("expected a number from 1 to the largest one, which is at most 1000000000")
    return number, largest


def end(out, frames, **ruling):
    with open(os.path.join(out, "frames.jsonl"), "w", encoding="ascii") as file:
        file.writelines(json.dumps(frame) + "\n" for frame in frames)
    with open(os.path.join(out, "ruling.json"), "w", encoding="ascii") as file:
        json.dump({"format": 1, **ruling}, file)
    # The exit code says at once whether the entry may go on to its end.
    sys.exit(1 if ruling["verdict"] == "wrong" else 0)


def talk(board, out):
    number, largest = read_board(board)
    frames, read = [], 0
    print(largest, flush=True)
    for question in range(1, MOST_QUESTIONS + 1):
        # Messages come from programs that may do anything: nothing here trusts a word before it was checked. An end of the
        # input is an empty line.
        line = sys.stdin.buffer.readline(100)
        read += len(line)
        word = line.strip()
        if not line.endswith(b"\n") or not word.isdigit() or len(word) > 10:
            shown = word[:20].decode("ascii", "replace")
            end(out, frames, verdict="wrong", failed_at=question, reason=f"question {question} is no number: {shown!r}")
        asked = int(word)
        answer = "correct" if asked == number else "higher" if asked < number else "lower"
        frames.append({"at": read, "grid": [f"{asked:>10} {answer}"]})
        print(answer, flush=True)
        if asked == number:
            end(out, frames, verdict="valid", figures={"questions": question})
    end(out, frames, verdict="wrong", reason=f"not found by {MOST_QUESTIONS} questions")


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2 and words[0] == "make":
        print(random.Random(words[1]).randint(1, 1000), 1000)
    elif len(words) == 2:
        talk(*words)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
