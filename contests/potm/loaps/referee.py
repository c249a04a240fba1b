#!/usr/bin/env python3
"""Referee of LOAPS: two seats play Lines of Action on 7 by 7 squares, for points.

    referee.py BOARD SEATS OUT     leads a game by the protocol of matches; writes OUT/frames.jsonl for the replay
    referee.py check BOARD         refuses an unusable board
    referee.py make SEED           prints a board

A board is 7 rows of 7 squares, the first one row 7, the last one row 1: `R` is a piece of seat 1, `B` one of seat 2, and `.` is empty.
Squares are a1 to g7, as in chess. A seat reads a line with its colour, the moves that it has left, its points and those of the other,
and then the rows. It answers with a move such as `b1-b3`. README.md has the rules of moves and the points.
"""

import json
import os
import random
import re
import sys

BONUS = {(3, 3): 7, (1, 1): 3, (1, 5): 3, (5, 1): 3, (5, 5): 3}
CAPTURE, CONNECTED, MOVES = 1, 12, 50


def read_board(path):
    with open(path, encoding="ascii") as file:
        rows = file.read().split()
    if len(rows) != 7 or any(len(row) != 7 or set(row) - set("RB.") for row in rows):
        sys.exit("a board has 7 rows of 7 squares, each R, B or .")
    pieces = {(row, column): cell for row, line in enumerate(rows[::-1]) for column, cell in enumerate(line) if cell != "."}
    if connected(pieces, "R") or connected(pieces, "B") or len(set(pieces.values())) < 2:
        sys.exit("both colours have pieces, and neither's are all connected")
    return pieces


def ask(seat, lines):
    """Asks a seat. Returns the lines of its answer, or None if it has none."""
    print(f"ask {seat} {len(lines)}", *lines, "wait", sep="\n", flush=True)
    _, state, *count = sys.stdin.readline().split()
    return [sys.stdin.readline().rstrip("\n") for _ in range(int(count[0]))] if state == "ok" else None


def connected(pieces, colour):
    """True if all pieces of a colour are one group of neighbours, diagonal ones among them."""
    left = {square for square, piece in pieces.items() if piece == colour}
    found = [left.pop()] if left else []
    for row, column in found:
        near = {square for square in left if max(abs(square[0] - row), abs(square[1] - column)) == 1}
        left -= near
        found += near
    return not left


def is_legal(pieces, colour, source, goal):
    """True if a piece of this colour can move so."""
    down, right = goal[0] - source[0], goal[1] - source[1]
    far = max(abs(down), abs(right))
    if pieces.get(source) != colour or pieces.get(goal) == colour or far == 0 or {abs(down), abs(right)} - {0, far}:
        return False
    step = (down // far, right // far)
    line = [(source[0] + number * step[0], source[1] + number * step[1]) for number in range(-6, 7)]
    between = line[7:6 + far]
    return sum(square in pieces for square in line) == far and all(pieces.get(square) in (None, colour) for square in between)


def the_move(pieces, colour, answer):
    """The squares from which and to which an answer moves, or None if it is no legal move."""
    found = re.fullmatch("([a-g])([1-7])-([a-g])([1-7])", answer[0]) if len(answer) == 1 else None
    if not found:
        return None
    source, goal = (int(found[2]) - 1, ord(found[1]) - ord("a")), (int(found[4]) - 1, ord(found[3]) - ord("a"))
    return (source, goal) if is_legal(pieces, colour, source, goal) else None


def can_move(pieces, colour):
    squares = [(row, column) for row in range(7) for column in range(7)]
    return any(is_legal(pieces, colour, source, goal) for source in pieces for goal in squares)


def grid(pieces):
    return ["".join(pieces.get((row, column), ".") for column in range(7)) for row in reversed(range(7))]


def play(pieces, frames):
    """Plays a game. Returns the points of both colours."""
    points, colour, other = {"R": 0, "B": 0}, "R", "B"
    frames.append({"at": 0, "grid": grid(pieces)})
    for number in range(2 * MOVES):
        if not can_move(pieces, colour):
            break
        seat = 1 + (colour == "B")
        answer = ask(seat, [f"{colour} {MOVES - number // 2} {points[colour]} {points[other]}", *grid(pieces)])
        move = the_move(pieces, colour, answer) if answer is not None else None
        if move is None:
            if answer is not None:
                print(f"out {seat} move {number + 1}: not legal: {' '.join(answer)[:20]!r}", flush=True)
            points[colour], points[other] = 0, points[other] + CONNECTED
            break
        source, goal = move
        capture = goal in pieces
        pieces[goal] = pieces.pop(source)
        points[colour] += BONUS.get(goal, 0) + CAPTURE * capture
        frames.append({"at": number + 1, "grid": grid(pieces), "touched": [(6 - row, column) for row, column in move]})
        groups = [each for each in "RB" if connected(pieces, each)]
        for each in groups:
            points[each] += CONNECTED
        if groups:
            break
        colour, other = other, colour
    return points


def make(seed):
    chance = random.Random(seed)
    while True:
        pieces = dict(zip(chance.sample([(row, column) for row in range(7) for column in range(7)], 16), "RB" * 8))
        if not connected(pieces, "R") and not connected(pieces, "B"):
            return "".join(line + "\n" for line in grid(pieces))


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2 and words[0] == "make":
        print(make(int(words[1])), end="")
    elif len(words) == 3:
        board, _, out = words
        frames = []
        points = play(read_board(board), frames)
        with open(os.path.join(out, "frames.jsonl"), "w", encoding="ascii") as file:
            file.writelines(json.dumps(each) + "\n" for each in frames)
        print("end", points["R"], points["B"], flush=True)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
