"""Always to the nearest nut."""

import sys


def read(path):
    """The start, and the nuts."""
    with open(path, encoding="ascii") as file:
        rows = file.read().split()
    nuts = [(row, column) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell == "*"]
    return (len(rows) // 2, len(rows[0]) // 2), nuts


def far(a, b):
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def nearest(start, nuts):
    """The start and all nuts, each the nearest one of those that are left."""
    order, left = [start], list(nuts)
    while left:
        order.append(min(left, key=lambda nut: far(order[-1], nut)))
        left.remove(order[-1])
    return order


def walk(order):
    """Prints the moves from each place to the next."""
    row, column = order[0]
    for nut in order[1:]:
        while (row, column) != nut:
            row += (nut[0] > row) - (nut[0] < row)
            column += (nut[1] > column) - (nut[1] < column)
            print(row + 1, column + 1)


if __name__ == "__main__":
    walk(nearest(*read(sys.argv[1])))
