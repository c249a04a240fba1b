"""As most-points, but it takes away what the best answer brings the other."""

from any_move import moves, parse, play, text
from most_points import after, is_group


def value(pieces, move, other):
    left, brings = after(pieces, move)
    colours = {piece: [square for square, each in left.items() if each == piece] for piece in "RB"}
    if any(is_group(squares) for squares in colours.values()):
        return brings
    return brings - max((after(left, answer)[1] for answer in moves(left, other)), default=0)


if __name__ == "__main__":

    def choose(lines):
        colour, pieces = parse(lines)
        other = "RB".replace(colour, "")
        return text(max(moves(pieces, colour), key=lambda move: value(pieces, move, other)))

    play(choose)
