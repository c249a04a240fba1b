"""Cuts strips beside the first line: as many on each side as make their areas most alike, then moves the lines a little.

The first line cannot be moved, so the areas of its two sides decide how many strips each gets. Ends of lines lie on the edges of a
larger square around the wood, in whole numbers; they are moved by chance, and what makes the pieces more alike is kept.
"""

import random
import sys

STEPS = 6000


def cut(pieces, line):
    x1, y1, x2, y2 = line
    after = []
    for piece in pieces:
        sides = [(x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x, y in piece]
        if min(sides) >= -1e-9 or max(sides) <= 1e-9:
            after.append(piece)
            continue
        halves = [], []
        for at, (ax, ay) in enumerate(piece):
            (bx, by), a, b = piece[at - 1], sides[at], sides[at - 1]
            if a * b < 0:
                share = a / (a - b)
                for half in halves:
                    half.append((ax + share * (bx - ax), ay + share * (by - ay)))
            if a >= 0:
                halves[0].append((ax, ay))
            if a <= 0:
                halves[1].append((ax, ay))
        after += halves
    return after


def area(piece):
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(piece, piece[1:] + piece[:1]))) / 2


WOOD = [[(0, 0), (100, 0), (100, 100), (0, 100)]]


def difference(lines):
    pieces = WOOD
    for line in lines:
        pieces = cut(pieces, line)
    areas = [area(piece) for piece in pieces]
    return max(areas) - min(areas)


def moved(line, far):
    """The line moved to its left by so much, with ends some way outside of the wood."""
    x1, y1, x2, y2 = line
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    right, up = (x2 - x1) / length, (y2 - y1) / length
    middle = 50 - x1, 50 - y1
    along = middle[0] * right + middle[1] * up
    x, y = x1 + along * right - far * up, y1 + along * up + far * right
    return [round(x - 150 * right), round(y - 150 * up), round(x + 150 * right), round(y + 150 * up)]


def left_of(line, far):
    """The area of the wood to the left of the line that is moved by so much."""
    x1, y1, x2, y2 = line
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    shift = -far * (y2 - y1) / length, far * (x2 - x1) / length
    line = x1 + shift[0], y1 + shift[1], x2 + shift[0], y2 + shift[1]
    pieces = [piece for piece in cut(WOOD, line) if max((line[2] - line[0]) * (y - line[1]) - (line[3] - line[1]) * (x - line[0])
                                                        for x, y in piece) > 1e-9]
    return sum(map(area, pieces))


def strips(line):
    left = left_of(line, 0)
    options = [(abs(left / a - (10_000 - left) / b), -a - b, a, b) for a in range(1, 11) for b in range(1, 12 - a)]
    _, _, a, b = min(options)
    wanted = [left * part / a for part in range(1, a)] + [left + (10_000 - left) * part / b for part in range(1, b)]
    lines = []
    for want in wanted:
        low, high = -150.0, 150.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if left_of(line, middle) > want else (low, middle)
        lines.append(moved(line, low))
    return lines


if __name__ == "__main__":
    with open(sys.argv[-1], encoding="ascii") as board:
        first = list(map(int, board.read().split()))
    lines, chance = strips(first), random.Random(1)
    best = difference([first, *lines])
    for _ in range(STEPS if lines else 0):
        line, at = chance.choice(lines), chance.randrange(4)
        before = line[at]
        line[at] += chance.choice([-3, -2, -1, 1, 2, 3])
        after = difference([first, *lines])
        if after <= best:
            best = after
        else:
            line[at] = before
    for line in lines:
        print(*line)
