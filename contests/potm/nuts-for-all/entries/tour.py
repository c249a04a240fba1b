"""Plans a tour in its first move: from nut to nut, each the nearest of those that are left, those near the middle first.

The tour is in the folder that the judge names as the last argument. Nuts that others took are left out.
"""

import os
import sys

from any_step import answer, far, nuts_of, parse, toward


def plan(here, nuts, middle):
    order, left = [here], list(nuts)
    while left:
        order.append(min(left, key=lambda nut: far(order[-1], nut) + far(nut, middle) / 2))
        left.remove(order[-1])
    return order[1:]


if __name__ == "__main__":
    here, rows = parse(sys.stdin.read().splitlines())
    path = os.path.join(sys.argv[-1], "tour")
    nuts = nuts_of(rows)
    if os.path.exists(path):
        with open(path, encoding="ascii") as file:
            tour = [tuple(map(int, line.split())) for line in file]
    else:
        tour = plan(here, nuts, (len(rows) // 2, len(rows[0]) // 2))
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{row} {column}\n" for row, column in tour)
    answer(toward(here, next(nut for nut in tour if nut in nuts)))
