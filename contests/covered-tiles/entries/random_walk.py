import random

from tiles import MOVES, Board

board, chance = Board(), random.Random(1)
while True:
    ways = [way for way in MOVES if board.to(board.empty, way) is not None]
    try:
        board.move(chance.choice(ways))
    except EOFError:
        # The referee has ended the talk: too many moves.
        break
