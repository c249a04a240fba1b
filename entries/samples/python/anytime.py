#!/usr/bin/env python3
"""An anytime sample entry for Loyd's Dilemma: it has an answer at once and improves it while there is time.

Called as `anytime.py BOARD_FILE`; prints its moves on one line. It needs only Python 3.

The judge stops the clock when the program exits, and an answer counts only if it exits before the limit. So:
  1. find any answer;
  2. look for a shorter one, again and again, until the time is nearly up;
  3. print the best one, and exit.
A contest with a grace period sends SIGTERM at the limit; then 3 follows as well.
A contest that takes a stream of answers sets JUDGE_STREAM. Then each better answer is printed at once, and the
last one counts even if the limit ends the program.

An answer places one tile after the other, each by the fewest moves that disturb no placed tile. Step 2 changes
the order at random and keeps a change that does not make the answer longer.
"""

import os
import random
import signal
import sys
import time
from collections import deque

BEGUN = time.monotonic()
PERFECTION = "ABCDEFGHIJKLMNOPQRSTUVWX+"
PATTERN = "ABCDEFGHIJKL+MNPQRSOUVWXT"  # four moves before perfection
CLOSING = "lluu"
ORDER = "AEUTBDFJOPVXCKNWGHILMQRS"  # from the border inwards; walls no tile in
CENTRE = 12


class Warned(Exception):
    """The judge has sent the warning: the limit is over, and the grace period runs."""


def legal(empty):
    """The legal moves as (letter, spot of the tile that moves)."""
    row, column = divmod(empty, 5)
    moves = [("u", empty + 5, row < 4), ("d", empty - 5, row > 0), ("l", empty + 1, column < 4)]
    moves += [("r", empty - 1, column > 0), ("t", CENTRE, empty != CENTRE)]
    return [(letter, source) for letter, source, possible in moves if possible]


LEGAL = [legal(empty) for empty in range(25)]
SOURCE = [dict(moves) for moves in LEGAL]


def shortest(tile, empty, goal, fixed):
    """The fewest moves that take the tile from its spot to the goal without touching a fixed spot, or None."""
    queue = deque([(tile, empty, "")])
    seen = {(tile, empty)}
    while queue:
        tile, empty, moves = queue.popleft()
        if tile == goal:
            return moves
        for letter, source in LEGAL[empty]:
            after = (empty if source == tile else tile, source)
            if source not in fixed and after not in seen:
                seen.add(after)
                queue.append((*after, moves + letter))
    return None


def solve(board, order):
    """The answer that places the tiles in this order, or None if the order walls a tile in."""
    board = list(board)
    answer = ""
    fixed = set()
    for symbol in order:
        empty, goal = board.index("+"), PATTERN.index(symbol)
        moves = shortest(board.index(symbol), empty, goal, fixed)
        if moves is None:
            return None
        for letter in moves:
            source = SOURCE[empty][letter]
            board[empty], board[source] = board[source], "+"
            empty = source
        answer += moves
        fixed.add(goal)
    return answer + CLOSING


def improve(board, deadline):
    """Yields shorter and shorter answers until the deadline."""
    order = list(ORDER)
    best = solve(board, order)
    yield best
    chance = random.Random(1)  # the same seed always, so that a run can be repeated
    while time.monotonic() < deadline:
        changed = order.copy()
        a, b = chance.randrange(len(order)), chance.randrange(len(order))
        changed[a], changed[b] = changed[b], changed[a]
        answer = solve(board, changed)
        if answer is not None and len(answer) <= len(best):
            best, order = answer, changed
            yield best


def on_warning(_signal, _frame):
    raise Warned


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

    # The limit counts from the start of the process to its end: leave time to start and to exit.
    limit = int(os.environ.get("JUDGE_LIMIT_MS", "10000")) / 1000
    deadline = BEGUN + limit - min(limit / 10 + 0.1, 2)

    stream = "JUDGE_STREAM" in os.environ
    answers = improve(board, deadline)
    best = next(answers)
    if stream:
        print(best, flush=True)
    try:
        signal.signal(signal.SIGTERM, on_warning)
        for answer in answers:
            shorter, best = len(answer) < len(best), answer
            if stream and shorter:
                print(best, flush=True)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    except Warned:
        pass
    print(best)


def report(message):
    print(message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
