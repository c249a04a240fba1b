"""Uncovers all tiles, then brings one after the other home: each by the shortest way that moves no tile that is home. The
last two of a row, and the last two rows, go home together."""
from tiles import MOVES, Board

board = Board()
board.uncover()
rows, columns = board.rows, board.columns
goal = [*range(1, rows * columns), 0]


def bring(tiles, fixed):
    """Moves these tiles home. A state is the places of the empty spot and of the tiles."""
    homes = tuple(goal.index(tile) for tile in tiles)
    start = (board.empty, *(board.cells.index(tile) for tile in tiles))
    ways, reached = {start: ""}, [start]
    for state in reached:
        empty, *places = state
        if tuple(places) == homes:
            for way in ways[state]:
                board.move(way)
            return
        for way in MOVES:
            other = board.to(empty, way)
            if other is None or other in fixed:
                continue
            after = (other, *(empty if place == other else place for place in places))
            if after not in ways:
                ways[after] = ways[state] + way
                reached.append(after)


fixed = set()
for row in range(rows - 2):
    for column in range(columns - 2):
        bring([goal[row * columns + column]], fixed)
        fixed.add(row * columns + column)
    pair = [row * columns + column for column in (columns - 2, columns - 1)]
    bring([goal[at] for at in pair], fixed)
    fixed.update(pair)
for column in range(columns - 2):
    pair = [(rows - 2) * columns + column, (rows - 1) * columns + column]
    bring([goal[at] for at in pair], fixed)
    fixed.update(pair)
bring([goal[at] for at in range(rows * columns) if at not in fixed and goal[at]], fixed)
