#!/usr/bin/env python3
"""The referee of a game for two, in one file. The judge starts it as

    referee.py BOARD SEATS OUT

and it leads the game by lines on standard output:

    ask S N       N lines for seat S follow; it is to answer them
    wait          the judge writes what it answered: "S ok N" and N lines,
                  or "S late", "S crash", "S output" or "S memory"
    out S WHY     seat S broke a rule of the game
    end P1 P2     the points of the seats; the game is over

The game: a heap of matches. In turn, each seat takes 1, 2 or 3 of them. Whoever
takes the last one wins: 1 point.

A referee never starts an entry: the judge does, in a sandbox of its own.
"""
import json
import sys


def ask(seat, text):
    """Asks a seat. Returns its answer, or None if it is out of the game."""
    print(f"ask {seat} 1", text, "wait", sep="\n", flush=True)
    _, state, *lines = sys.stdin.readline().split()
    if state != "ok":
        return None
    answer = [sys.stdin.readline().rstrip("\n") for _ in range(int(lines[0]))]
    return answer[0] if answer else ""


def show(frames, answers, heap, start):
    """Leaves a position for the replay: matches, and dots for those that are
    taken. With `at` the number of answers so far, the replay has the clocks."""
    grid = ["|" * heap + "." * (start - heap)]
    print(json.dumps({"at": answers, "grid": grid}), file=frames, flush=True)


def end(winner):
    print("end", *(1 if seat == winner else 0 for seat in (1, 2)), flush=True)
    sys.exit()


def main():
    with open(sys.argv[1]) as file:
        heap = start = int(file.read())
    frames = open(sys.argv[3] + "/frames.jsonl", "w")
    show(frames, 0, heap, start)
    seat, answers = 1, 0
    while True:
        other = 3 - seat
        answer = ask(seat, str(heap))
        if answer is None:
            end(other)
        if answer not in ("1", "2", "3") or int(answer) > heap:
            print("out", seat, f"takes {answer[:20]!r} of {heap}", flush=True)
            end(other)
        heap, answers = heap - int(answer), answers + 1
        show(frames, answers, heap, start)
        if heap == 0:
            end(seat)
        seat = other


main()
