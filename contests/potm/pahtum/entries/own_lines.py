"""The square where a mark brings most points; counted twice are those that it keeps from the other."""

import re

from next_free import free, mark_of, play, put

POINTS = {1: 0, 2: 1, 3: 3, 4: 10, 5: 25, 6: 56, 7: 119}


def lines_of(rows, mark):
    """The points of all lines of a mark; a pair counts 1 here."""
    lines = " ".join([*rows, *map("".join, zip(*rows))])
    return sum(POINTS[len(run)] for run in re.findall(f"{mark}+", lines))


def best(rows):
    mark = mark_of(rows)
    other = "XO".replace(mark, "")

    def gain(square):
        return lines_of(put(rows, *square, mark), mark) - lines_of(rows, mark) \
            + 2 * (lines_of(put(rows, *square, other), other) - lines_of(rows, other))

    return put(rows, *max(free(rows), key=gain), mark)


if __name__ == "__main__":
    play(best)
