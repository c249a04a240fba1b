"""After what is told of PegTheSnail, the winner of 1997: answers are played by chance and looking ahead, the best is printed.

A position is good if its pegs have neighbours and are near the middle. Of all jumps, that into the best position is made, by a
search of a few jumps ahead; walks are made only if there is no jump, and cost much. Rounds differ by chance.
"""

import random
import sys

from first_jump import WAYS, jumps_from, walk_to_jump

ROUNDS, DEPTH, WIDTH = 40, 3, 4


def value(pegs, middle):
    """Less is better: pegs without a neighbour cost most, then those far from the middle."""
    lonely = sum(not any((row + down, column + right) in pegs for down, right in WAYS.values()) for row, column in pegs)
    far = sum(abs(row - middle[0]) + abs(column - middle[1]) for row, column in pegs)
    return 8 * lonely + far


def ahead(pegs, holes, middle, depth):
    """The best value that a few jumps reach. What they remove is worth more than any place."""
    best = value(pegs, middle)
    if depth:
        after = []
        for place in pegs:
            for _, over, to in jumps_from(pegs, holes, place):
                after.append(pegs - {place, over} | {to})
        after.sort(key=lambda pegs: value(pegs, middle))
        best = min([best, *(ahead(pegs, holes, middle, depth - 1) - 6 for pegs in after[:WIDTH])])
    return best


def play(pegs, holes, middle, chance, most):
    moves = []
    while len(pegs) > 1 and len(moves) + len(pegs) - 1 < most:
        jumps = [(place, *jump) for place in sorted(pegs) for jump in jumps_from(pegs, holes, place)]
        if not jumps:
            found = walk_to_jump(pegs, holes)
            if found is None:
                return None
            start, place, walked = found
            moves += walked
            pegs = pegs - {start} | {place}
            continue
        rated = []
        for place, way, over, to in jumps:
            after = pegs - {place, over} | {to}
            rated.append((value(after, middle) + 3 * chance.random(), place, way, after))
        rated.sort(key=lambda each: each[0])
        rated = [(ahead(after, holes, middle, DEPTH - 1) + 3 * chance.random(), place, way, after)
                 for _, place, way, after in rated[:WIDTH]]
        _, place, way, pegs = min(rated, key=lambda each: each[0])
        moves.append((place, way))
    return moves if len(pegs) == 1 else None


def solve(rows):
    holes = {(row, column) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell != "_"}
    pegs = frozenset(place for place in holes if rows[place[0]][place[1]] == "X")
    middle = ((len(rows) - 1) / 2, (len(rows[0]) - 1) / 2)
    chance, best = random.Random(1), None
    for _ in range(ROUNDS):
        moves = play(pegs, holes, middle, chance, len(best) if best else 10**6)
        if moves is not None:
            best = moves
            if len(best) == len(pegs) - 1:
                break
    return best or []


if __name__ == "__main__":
    with open(sys.argv[-1], encoding="ascii") as board:
        print("\n".join(f"{row + 1},{column + 1}{way}" for (row, column), way in solve(board.read().split())))
