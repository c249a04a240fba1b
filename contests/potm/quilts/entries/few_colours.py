"""After the plan of the winner of 1998, few colours: squares of common colours fit more often, so they are laid first.

Rectangles of better and better ratio are searched, square by square, going back where nothing fits, until one takes too long.
"""

import sys

from row_by_row import read, show, solve

STEPS = 20_000


def rectangle(squares, high, wide):
    """Rows of squares, or none if the search is too long."""
    common = {}
    for sides in squares.values():
        for colour in sides:
            common[colour] = common.get(colour, 0) + 1
    by_sides = {}
    order = sorted(squares, key=lambda number: -sum(common[colour] for colour in squares[number]))
    for number in order:
        top, _, _, side = squares[number]
        for key in [(top, side), (top, None), (None, side), (None, None)]:
            by_sides.setdefault(key, []).append(number)
    laid, used, steps = [], set(), 0
    tries = [iter(by_sides[None, None])]
    while len(laid) < high * wide:
        steps += 1
        number = next((number for number in tries[-1] if number not in used), None)
        if number is None or steps > STEPS:
            if not laid or steps > STEPS:
                return None
            tries.pop()
            used.discard(laid.pop())
            continue
        laid.append(number)
        used.add(number)
        at = len(laid)
        above = squares[laid[at - wide]][2] if at >= wide else None
        before = squares[laid[-1]][1] if at % wide else None
        tries.append(iter(by_sides.get((above, before), [])))
    return [laid[row * wide:(row + 1) * wide] for row in range(high)]


def best(squares):
    sizes = [(high, wide) for high in range(1, 40) for wide in range(high, high + 4) if high * wide <= len(squares)]
    rows = solve(squares)
    for high, wide in sorted(sizes, key=lambda size: size[0] * size[1] / (size[0] + size[1])):
        found = rectangle(squares, high, wide)
        if found:
            rows = found
        elif high > 3:
            break
    return rows


if __name__ == "__main__":
    show(best(read(sys.argv[-1])))
