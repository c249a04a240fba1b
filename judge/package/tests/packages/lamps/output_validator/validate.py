#!/usr/bin/env python3
"""Says how many lamps there are; the submission toggles one per line until all are on. Ten points, one less per toggle."""
import sys

BOARD, _, FEEDBACK = sys.argv[1:4]
lamps = [letter == "1" for letter in open(BOARD).read().strip()]
print(len(lamps), sum(lamps), flush=True)
points = 10
while not all(lamps):
    line = sys.stdin.readline().strip()
    if not line.isdigit() or int(line) >= len(lamps) or points == 0:
        open(FEEDBACK + "teammessage.txt", "w").write(f"no lamp: {line}")
        sys.exit(43)
    lamps[int(line)] = not lamps[int(line)]
    points -= 1
    print(sum(lamps), flush=True)
open(FEEDBACK + "score.txt", "w").write(str(points))
sys.exit(42)
