"""Random walks: from each start, moves at random among those that cross nothing; the longest of many walks."""

import random
import sys

JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
WALKS = 3000


def side(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def cross(a, b, c, d):
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def walk(rows, dice):
    path = [(dice.randrange(rows), dice.randrange(rows))]
    while True:
        a = path[-1]
        free = []
        for x, y in JUMPS:
            b = a[0] + x, a[1] + y
            if 0 <= b[0] < rows and 0 <= b[1] < rows and b not in path:
                # Only moves that begin nearby can be in the way.
                if not any(cross(a, b, c, d) for c, d in zip(path, path[1:]) if abs(c[0] - a[0]) < 5):
                    free.append(b)
        if not free:
            return path
        path.append(dice.choice(free))


rows = int(sys.stdin.read())
dice = random.Random(rows)
longest = max((walk(rows, dice) for _ in range(WALKS)), key=len)
print(*(f"{chr(ord('a') + column)}{row + 1}" for column, row in longest))
