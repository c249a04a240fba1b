"""Uncovers all tiles, then searches for few moves: A*, whose estimate counts somewhat more than the moves so far."""
import heapq

from tiles import MOVES, Board

WEIGHT = 1.5

board = Board()
board.uncover()
size = board.rows * board.columns
goal = tuple([*range(1, size), 0])
homes = {tile: (at // board.columns, at % board.columns) for at, tile in enumerate(goal)}


def estimate(cells):
    return sum(
        abs(at // board.columns - homes[tile][0]) + abs(at % board.columns - homes[tile][1])
        for at, tile in enumerate(cells)
        if tile
    )


start = tuple(board.cells)
before = {start: (0, None, "")}
waiting = [(WEIGHT * estimate(start), start)]
while waiting:
    _, cells = heapq.heappop(waiting)
    if cells == goal:
        break
    empty, moves = cells.index(0), before[cells][0]
    for way in MOVES:
        other = board.to(empty, way)
        if other is None:
            continue
        after = list(cells)
        after[empty], after[other] = after[other], 0
        after = tuple(after)
        if after not in before or before[after][0] > moves + 1:
            before[after] = (moves + 1, cells, way)
            heapq.heappush(waiting, (moves + 1 + WEIGHT * estimate(after), after))
ways = []
while before[cells][1]:
    ways.append(before[cells][2])
    cells = before[cells][1]
for way in reversed(ways):
    board.move(way)
