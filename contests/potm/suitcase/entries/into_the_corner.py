"""Moves item after item to the first free place, from the upper left corner on, until the item outside fits."""

import sys


def read(path):
    with open(path, encoding="ascii") as file:
        lines = [line.split() for line in file]
    sizes = {line[0]: (int(line[1]), int(line[2])) for line in lines[1:]}
    places = {line[0]: (int(line[3]) - 1, int(line[4]) - 1) for line in lines[1:-1]}
    return tuple(map(int, lines[0])), sizes, places, lines[-1][0]


def free_places(case, sizes, places, item):
    """The places where the item fits while all others are where they are."""
    high, wide = sizes[item]
    taken = {(row + down, column + right) for other, (row, column) in places.items() if other != item
             for down in range(sizes[other][0]) for right in range(sizes[other][1])}
    for row in range(case[0] - high + 1):
        for column in range(case[1] - wide + 1):
            if not any((row + down, column + right) in taken for down in range(high) for right in range(wide)):
                yield row, column


def tidy(case, sizes, places, outside):
    moves, places = [], dict(places)
    for _ in range(20):
        for item in [outside, *sorted(places, key=places.get)]:
            place = next(free_places(case, sizes, places, item), None)
            if place is None or item != outside and place >= places[item]:
                continue
            moves.append((item, *place))
            if item == outside:
                return moves
            places[item] = place
            break
        else:
            break
    return None


def show(moves):
    print("\n".join(f"{item} {row + 1} {column + 1}" for item, row, column in moves))


if __name__ == "__main__":
    show(tidy(*read(sys.argv[-1])) or [])
