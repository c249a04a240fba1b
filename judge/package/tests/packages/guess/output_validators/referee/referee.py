#!/usr/bin/env python3
"""Answers guesses of a number from 1 to 1000; ten are allowed."""
import sys

BOARD, _, FEEDBACK = sys.argv[1:4]


def end(code, text):
    with open(FEEDBACK + "judgemessage.txt", "a") as file:
        file.write(text + "\n")
    sys.exit(code)


with open(BOARD) as file:
    number = int(file.read())
for count in range(1, 11):
    line = sys.stdin.readline()
    if not line.endswith("\n") or not line.strip().isascii() or not line.strip().isdigit():
        end(43, f"guess {count} is no number: {line!r}")
    guess = int(line)
    print("correct" if guess == number else "higher" if guess < number else "lower", flush=True)
    if guess == number:
        end(42, f"{count} guesses")
end(43, "more than ten guesses")
