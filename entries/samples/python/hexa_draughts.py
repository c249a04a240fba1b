#!/usr/bin/env python3
"""A sample entry for hexa-draughts: it plays backwards from one man on the goal's row, at random, until time is up.

Called as `hexa_draughts.py BOARD_FILE`. To take a hop back, the man that landed becomes two men: the one that was
jumped over, and the one that hopped. When no man is above row 0, the men are an army, and the hops the answer. The army
with the fewest men is printed. It needs only Python 3.

Possible improvement: a search that remembers which armies it has seen, instead of random attempts.
"""

import os
import random
import sys
import time

BEGUN = time.monotonic()
DOWN = [(-1, -1), (-1, 1)]
SIDEWAYS = [(0, -2), (0, 2)]


def attempt(row, chance, most):
    """One army and its hops, or None if it needs too many men."""
    men, hops = {(row, row % 2)}, []
    while True:
        high = [man for man in men if man[0] > 0]
        if not high:
            return men, hops[::-1]
        if len(men) + len(high) > most:
            return None
        # The highest man goes down. If men are in its way, one of them goes first.
        man, asked = max(high), set()
        while man:
            asked.add(man)
            choices = []
            for down, right in chance.sample(DOWN, 2) + (chance.sample(SIDEWAYS, 2) if chance.random() < 0.1 else []):
                over, origin = (man[0] + down, man[1] + right), (man[0] + 2 * down, man[1] + 2 * right)
                choices.append((over, origin))
            free = [cells for cells in choices if men.isdisjoint(cells)]
            if free:
                over, origin = free[0]
                men.remove(man)
                men.update((over, origin))
                hops.append((origin, man))
                break
            blocking = [cell for cells in choices for cell in cells if cell in men and cell not in asked]
            man = chance.choice(blocking) if blocking else None
        else:
            return None


def solve(row, deadline):
    chance, best = random.Random(1), None  # the same seed always, so that a run can be repeated
    while best is None or time.monotonic() < deadline:
        most = len(best[0]) - 1 if best else 100
        found = attempt(row, chance, most)
        best = found or best
        if time.monotonic() >= deadline:
            break
    return best


# The limit counts from the start of the process to its end: leave time to start and to exit.
LIMIT = int(os.environ.get("JUDGE_LIMIT_MS", "10000")) / 1000
with open(sys.argv[-1], encoding="utf-8") as file:
    found = solve(int(file.read().split()[1]), BEGUN + LIMIT - min(LIMIT / 10 + 0.1, 2))
if found:
    army, hops = found
    print("men", " ".join(f"{r},{c}" for r, c in sorted(army)))
    print("hops", " ".join(f"{r},{c}>{to_r},{to_c}" for (r, c), (to_r, to_c) in hops))
