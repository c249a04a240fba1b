"""The move that brings most points at once; of equal ones, the one after which its pieces are nearest to each other."""

from any_move import moves, parse, play, text

BONUS = {(3, 3): 7, (1, 1): 3, (1, 5): 3, (5, 1): 3, (5, 5): 3}


def is_group(squares):
    left = set(squares)
    found = [left.pop()] if left else []
    for row, column in found:
        near = {square for square in left if max(abs(square[0] - row), abs(square[1] - column)) == 1}
        left -= near
        found += near
    return not left


def spread(squares):
    """How far apart pieces are: the sum over all pairs, for one piece."""
    return sum(max(abs(a - c), abs(b - d)) for a, b in squares for c, d in squares) / len(squares)


def after(pieces, move):
    """The pieces after a move, and what it brings: points of its colour less those of the other, with a little for gathered pieces."""
    source, goal = move
    colour = pieces[source]
    left = {**pieces, goal: colour}
    del left[source]
    mine = [square for square, piece in left.items() if piece == colour]
    theirs = [square for square, piece in left.items() if piece != colour]
    points = BONUS.get(goal, 0) + (goal in pieces) + 12 * is_group(mine) - 12 * is_group(theirs)
    return left, points - 0.1 * spread(mine)


if __name__ == "__main__":

    def choose(lines):
        colour, pieces = parse(lines)
        return text(max(moves(pieces, colour), key=lambda move: after(pieces, move)[1]))

    play(choose)
