"""Searches all positions, those after fewest moves first: what it finds is shortest. If it has seen all, there is no way."""

import sys

from into_the_corner import free_places, read, show, tidy

MOST_POSITIONS = 150_000


def search(case, sizes, places, outside):
    """The fewest moves; an empty list if there is no way; none if the search is too long."""
    start = tuple(sorted(places.items()))
    before, edge = {start: None}, [start]
    for position in edge:
        places = dict(position)
        end = next(free_places(case, sizes, places, outside), None)
        if end:
            moves = [(outside, *end)]
            while before[position]:
                move, position = before[position]
                moves.append(move)
            return moves[::-1]
        for item in places:
            for place in free_places(case, sizes, places, item):
                after = tuple(sorted({**places, item: place}.items()))
                if after not in before:
                    before[after] = ((item, *place), position)
                    edge.append(after)
        if len(before) > MOST_POSITIONS:
            return None
    return []


if __name__ == "__main__":
    board = read(sys.argv[-1])
    moves = search(*board)
    if moves == []:
        print("none")
    else:
        show(moves or tidy(*board) or [])
