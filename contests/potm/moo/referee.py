#!/usr/bin/env python3
"""Referee of MOO: guess a word in few guesses. It talks to the entry.

    referee.py BOARD OUT      says the length of the word, reads guesses, and says how near they come
    referee.py check BOARD    refuses an unusable board

A board is a word of the letters A to Z. The referee begins with its length. The entry says a guess, a string of that length of these
letters. The referee answers with the guess, the number of letters that are right where they are, and the number of other letters of
the guess that are in the word elsewhere; each letter of the word is counted once. The talk ends with the right guess.
"""

import json
import os
import re
import sys
from collections import Counter

MOST_GUESSES = 1000


def read_board(path):
    with open(path, encoding="ascii") as file:
        words = file.read().split()
    if len(words) != 1 or not re.fullmatch("[A-Z]{2,30}", words[0]):
        sys.exit("a board is one word of 2 to 30 letters from A to Z")
    return words[0]


def compare(word, guess):
    """The number of letters that are right, and of those that belong elsewhere."""
    right = sum(a == b for a, b in zip(word, guess))
    return right, (Counter(word) & Counter(guess)).total() - right


def talk(word, hear, say):
    """Returns the figures and positions, or the reason why the entry is wrong."""
    say(f"{len(word)}")
    frames, at = [], 0
    while len(frames) < MOST_GUESSES:
        line = hear()
        at += len(line)
        guess = line.strip()
        if not re.fullmatch(f"[A-Z]{{{len(word)}}}", guess) or not line.endswith("\n"):
            return None, frames, f"guess {len(frames) + 1}: expected a line of {len(word)} letters from A to Z, not {guess[:30]!r}"
        right, elsewhere = compare(word, guess)
        touched = [[0, column] for column, (a, b) in enumerate(zip(word, guess)) if a == b]
        frames.append({"at": at, "progress": right, "grid": [guess, f"{right}+{elsewhere}"], "touched": touched})
        say(f"{guess} {right} {elsewhere}")
        if guess == word:
            return {"guesses": len(frames)}, frames, None
    return None, frames, f"the word is not found after {MOST_GUESSES} guesses"


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2:
        board, out = words
        sys.stdin.reconfigure(encoding="ascii", errors="replace", newline="\n")
        figures, frames, reason = talk(read_board(board), lambda: sys.stdin.readline(100), lambda text: print(text, flush=True))
        with open(os.path.join(out, "frames.jsonl"), "w", encoding="ascii") as file:
            file.writelines(json.dumps(each) + "\n" for each in frames)
        ruling = {"verdict": "wrong", "reason": reason} if reason else {"verdict": "valid", "figures": figures}
        with open(os.path.join(out, "ruling.json"), "w", encoding="ascii") as file:
            json.dump({"format": 1, **ruling}, file)
        sys.exit(1 if reason else 0)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
