"""Searches all positions of a small grid. The rules of 1995 said that research may pay off: CHOMP is an old game.

Of a larger grid it makes the first row and the first column alike and bites all else away, where that is possible: whatever is then
eaten of one of them can be eaten of the other. Otherwise it takes one cookie.
"""

from functools import cache
from math import comb

from any_bite import bite, bites, play

MOST_POSITIONS = 60_000


def after(lengths):
    """All rows that a bite leaves, with the place of the bite. Rows are numbers of cookies."""
    for row, length in enumerate(lengths):
        for column in range(row == 0, length):
            yield (row, column), tuple(min(each, column) if number >= row else each for number, each in enumerate(lengths))


@cache
def wins(lengths):
    """True if the seat that is to move wins."""
    return any(not wins(left) for _, left in after(lengths))


def best(rows):
    lengths = tuple(row.count("O") + row.count("X") for row in rows)
    high = sum(length > 0 for length in lengths)
    if comb(high + lengths[0], high) <= MOST_POSITIONS:
        place = next((place for place, left in after(lengths) if not wins(left)), None)
        return bite(rows, *(place or bites(rows)[-1]))
    column = sum(length > 0 for length in lengths)
    if column == lengths[0] and rows[1][1] == "O":
        return bite(rows, 1, 1)
    return bite(rows, *bites(rows)[-1])


if __name__ == "__main__":
    play(best)
