"""Takes the first jump that it finds. Without one, the peg with the shortest way to a place to jump from walks there."""

import sys

WAYS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}


def jumps_from(pegs, holes, place):
    """The jumps of a peg in this place, as way, peg jumped over and place of landing."""
    for way, (down, right) in WAYS.items():
        over, to = (place[0] + down, place[1] + right), (place[0] + 2 * down, place[1] + 2 * right)
        if over in pegs and to in holes and to not in pegs:
            yield way, over, to


def walk_to_jump(pegs, holes):
    """The shortest walk of a peg to a place from which it can jump, as moves and the places of its ends."""
    ways = [(peg, peg, []) for peg in sorted(pegs)]
    seen = {(peg, peg) for peg in pegs}
    for start, place, moves in ways:
        others = pegs - {start}
        if any(jumps_from(others, holes, place)):
            return start, place, moves
        for way, (down, right) in WAYS.items():
            to = (place[0] + down, place[1] + right)
            if to in holes and to not in others and (start, to) not in seen:
                seen.add((start, to))
                ways.append((start, to, [*moves, (place, way)]))
    return None


def solve(rows):
    holes = {(row, column) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell != "_"}
    pegs = {place for place in holes if rows[place[0]][place[1]] == "X"}
    moves = []
    while len(pegs) > 1:
        found = walk_to_jump(pegs, holes)
        if found is None:
            break
        start, place, walked = found
        moves += walked
        pegs.discard(start)
        way, over, to = next(jumps_from(pegs, holes, place))
        moves.append((place, way))
        pegs.discard(over)
        pegs.add(to)
    return moves


if __name__ == "__main__":
    with open(sys.argv[-1], encoding="ascii") as board:
        print("\n".join(f"{row + 1},{column + 1}{way}" for (row, column), way in solve(board.read().split())))
