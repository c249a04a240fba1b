#!/usr/bin/env python3
"""A whole puzzle in one file: boards, rules and pictures. Change it into your own.

The puzzle: numbers in a row are to be sorted by swapping neighbours, in few swaps.
A board is a line of numbers. An answer is a list of positions: 3 swaps the third number and the fourth.

    referee.py BOARD ANSWER OUT     rules on an answer: writes OUT/ruling.json, and OUT/frames.jsonl for the replay
    referee.py check BOARD          refuses an unusable board: exit code 1, and the reason on standard error
    referee.py make SEED            prints a new board; the same seed always gives the same board
    referee.py show BOARD           draws a board
"""

import json
import os
import random
import sys

MOST_FRAMES = 4000


def read_board(path):
    """Returns the numbers of a board, or ends with the reason why it is unusable."""
    try:
        with open(path, encoding="ascii") as file:
            row = [int(word) for word in file.read().split()]
    except ValueError as error:
        sys.exit(f"expected numbers: {error}")
    if not 2 <= len(row) <= 26:
        sys.exit(f"expected 2 to 26 numbers, found {len(row)}")
    return row


def in_order(row):
    """The number of neighbours that are in order: the progress. One more, all of them, solves the board."""
    return sum(a <= b for a, b in zip(row, row[1:]))


def rule(row, answer):
    """Plays an answer. Returns the ruling and one position per swap."""
    of = len(row) - 1
    frames = [{"at": 0, "progress": in_order(row), "grid": [picture(row)]}]
    at = moves = 0
    # Answers come from programs that may do anything: nothing here trusts a word before it was checked.
    for word in answer.split():
        at = answer.index(word, at) + len(word)
        place = int(word) if word.isdigit() and len(word) < 4 else 0
        if not 1 <= place <= of:
            token = word[:20].decode("ascii", "replace")
            reason = f"expected a position from 1 to {of}"
            ruling = {"verdict": "wrong", "failed_at": moves + 1, "token": token, "reason": reason}
            break
        row[place - 1], row[place] = row[place], row[place - 1]
        moves += 1
        if len(frames) < MOST_FRAMES:
            touched = [[0, place - 1], [0, place]]
            frames.append({"at": at, "progress": in_order(row), "grid": [picture(row)], "touched": touched})
    else:
        ruling = {"verdict": "solved" if in_order(row) == of else "unsolved"}
    return {"format": 1, "figures": {"progress": in_order(row), "moves": moves}, "full": of, **ruling}, frames


def picture(row):
    """A row as letters, from A for the smallest number."""
    ranks = sorted(row)
    return "".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[ranks.index(number)] for number in row)


def referee(board, answer, out):
    row = read_board(board)
    with open(answer, "rb") as file:
        ruling, frames = rule(row, file.read())
    if ruling["verdict"] == "wrong":
        # A wrong answer may have made any progress, but solves nothing.
        ruling["figures"]["progress"] = min(ruling["figures"]["progress"], ruling["full"] - 1)
    with open(os.path.join(out, "frames.jsonl"), "w", encoding="ascii") as file:
        file.writelines(json.dumps(frame) + "\n" for frame in frames)
    with open(os.path.join(out, "ruling.json"), "w", encoding="ascii") as file:
        json.dump(ruling, file)


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2 and words[0] == "make":
        print(*random.Random(words[1]).sample(range(1, 100), 8))
    elif len(words) == 2 and words[0] == "show":
        print(*(f"{number:3}" for number in read_board(words[1])))
    elif len(words) == 3:
        referee(*words)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
