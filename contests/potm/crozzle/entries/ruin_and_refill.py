"""Short words first, each into one of its places by chance; then words are taken out and the grid is filled again, if that is better.

Every word crosses an earlier one, so any first part of the words is connected, and the rest can be replaced.
"""

import random
import sys

from list_order import Grid

ROUNDS = 24


def refill(kept, words, chance):
    """A grid of the kept placements and of as many other words as fit. Returns all placements, in order."""
    grid, placed = Grid(), []
    for placement in kept:
        grid.put(*placement)
        placed.append(placement)
    left = sorted(sorted(words - grid.words), key=lambda word: len(word) + 2 * chance.random())
    progress = True
    while progress:
        progress = False
        for word in list(left):
            places = list(grid.places(word)) if placed else [(0, 10, (20 - len(word)) // 2, False)]
            if places:
                most = max(place[0] for place in places)
                place = chance.choice([place for place in places if place[0] == most])
                grid.put(word, *place[1:])
                placed.append((word, *place[1:]))
                left.remove(word)
                progress = True
    return grid, placed


if __name__ == "__main__":
    with open(sys.argv[-1], encoding="ascii") as board:
        words = set(board.read().split())
    chance = random.Random(1)
    best, placed = refill([], words, chance)
    for _ in range(ROUNDS):
        other, placements = refill(placed[:chance.randrange(len(placed))], words, chance)
        # With as many words, fewer letters mean more crossings.
        if (len(other.words), -len(other.cells)) >= (len(best.words), -len(best.cells)):
            best, placed = other, placements
    print(best)
