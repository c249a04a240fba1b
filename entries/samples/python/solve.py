#!/usr/bin/env python3
"""A sample entry for Loyd's Dilemma: it places one tile after the other, each by the fewest moves.

Called as `solve.py BOARD_FILE`; prints its moves on one line. It needs only Python 3.

The tiles are placed so that they form PATTERN, in an order that never walls a tile in. To place one,
a breadth-first search over pairs (spot of the tile, empty spot) finds the fewest moves that do not
disturb placed tiles. There are at most 25 x 25 pairs, so it is fast. Then CLOSING finishes the board.

Possible improvements: the order is the same for every board, and no tile considers the next.
"""

import sys
from collections import deque

PERFECTION = "ABCDEFGHIJKLMNOPQRSTUVWX+"
PATTERN = "ABCDEFGHIJKL+MNPQRSOUVWXT"  # four moves before perfection
CLOSING = "lluu"
ORDER = "AEUTBDFJOPVXCKNWGHILMQRS"  # border from far to near, then the ring inside
CENTRE = 12


def legal(empty):
    """The legal moves as (letter, spot of the tile that moves)."""
    row, column = divmod(empty, 5)
    if row < 4:
        yield "u", empty + 5
    if row > 0:
        yield "d", empty - 5
    if column < 4:
        yield "l", empty + 1
    if column > 0:
        yield "r", empty - 1
    if empty != CENTRE:
        yield "t", CENTRE


def shortest(tile, empty, goal, fixed):
    """The fewest moves that take the tile from its spot to the goal without touching a fixed spot."""
    queue = deque([(tile, empty, "")])
    seen = {(tile, empty)}
    while queue:
        tile, empty, moves = queue.popleft()
        if tile == goal:
            return moves
        for letter, source in legal(empty):
            after = (empty if source == tile else tile, source)
            if source not in fixed and after not in seen:
                seen.add(after)
                queue.append((*after, moves + letter))
    raise AssertionError("ORDER walls a tile in")


def solve(board):
    board = list(board)
    answer = ""
    fixed = set()
    for symbol in ORDER:
        goal = PATTERN.index(symbol)
        moves = shortest(board.index(symbol), board.index("+"), goal, fixed)
        for letter in moves:
            empty = board.index("+")
            source = dict(legal(empty))[letter]
            board[empty], board[source] = board[source], "+"
        answer += moves
        fixed.add(goal)
    return answer + CLOSING


def main():
    if len(sys.argv) != 2:
        sys.exit(report("give the path of a board file as the only argument"))
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            board = "".join(file.read().split())
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(report(f"cannot read {sys.argv[1]}: {error}"))
    if sorted(board) != sorted(PERFECTION):
        sys.exit(report(f"invalid board in {sys.argv[1]}: use A to X and + once each"))
    print(solve(board))


def report(message):
    print(message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
