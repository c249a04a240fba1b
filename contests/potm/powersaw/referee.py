#!/usr/bin/env python3
"""Referee of POWERSAW: cut a square of wood into pieces of nearly the same area.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json, and OUT/frames.jsonl with an image per cut for the replay
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board

The wood is the square from (0, 0) to (100, 100). A board has four whole numbers, two different points of the first line. An answer
has up to ten further lines, each of four such numbers. All lines are cut from edge to edge. The score is the area of the largest
piece minus that of the smallest one. Areas are computed exactly.
"""

import json
import os
import random
import re
import sys
from fractions import Fraction

SIDE, MOST_LINES = 100, 10
NUMBER = re.compile(r"[+-]?[0-9]{1,6}")


class Wrong(Exception):
    """A fault of an answer."""


def line_of(words):
    """The coordinates of two different points, or none."""
    if len(words) != 4 or not all(NUMBER.fullmatch(word) for word in words):
        return None
    x1, y1, x2, y2 = map(int, words)
    return (x1, y1, x2, y2) if (x1, y1) != (x2, y2) else None


def read_board(path):
    with open(path, encoding="ascii") as file:
        line = line_of(file.read().split())
    if line is None or len(cut([[(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)]], line)) < 2:
        sys.exit("a board is four whole numbers of at most six digits: two points whose line cuts the square")
    return line


def cut(pieces, line):
    """The pieces that a line leaves of convex pieces."""
    x1, y1, x2, y2 = line
    after = []
    for piece in pieces:
        halves = [], []
        for (ax, ay), (bx, by) in zip(piece, piece[1:] + piece[:1]):
            # On which side of the line a corner lies, and where an edge crosses it.
            a = (x2 - x1) * (ay - y1) - (y2 - y1) * (ax - x1)
            b = (x2 - x1) * (by - y1) - (y2 - y1) * (bx - x1)
            if a >= 0:
                halves[0].append((ax, ay))
            if a <= 0:
                halves[1].append((ax, ay))
            if a * b < 0:
                share = Fraction(a) / (a - b)
                crossing = (ax + share * (bx - ax), ay + share * (by - ay))
                halves[0].append(crossing)
                halves[1].append(crossing)
        # A line through a corner or along an edge leaves a half without area.
        after += [half for half in halves if area(half) > 0]
    return after


def area(piece):
    return Fraction(sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(piece, piece[1:] + piece[:1]))) / 2


def rule(board, text, frames):
    """Returns the figures of a right answer. Appends positions up to a fault to frames: the wood after each line."""
    pieces = cut([[(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)]], board)
    frames.append({"at": 0, "svg": drawing(pieces)})
    at = lines = 0
    for text_line in text.split("\n"):
        at += len(text_line) + 1
        if not text_line.strip():
            continue
        lines += 1
        line = line_of(text_line.split())
        if lines > MOST_LINES:
            raise Wrong(f"there are more than {MOST_LINES} lines")
        if line is None:
            raise Wrong(f"line {lines}: expected two different points as four whole numbers, not {text_line.strip()[:40]!r}")
        pieces = cut(pieces, line)
        frames.append({"at": min(at, len(text)), "svg": drawing(pieces)})
    areas = sorted(map(area, pieces))
    return {"diff": decimal(areas[-1] - areas[0]), "pieces": len(areas), "largest": decimal(areas[-1]), "smallest": decimal(areas[0])}


def decimal(number):
    """A number above 0, cut to six decimals."""
    units = number * 10**6 // 1
    return f"{units // 10**6}.{units % 10**6:06}"


def drawing(pieces):
    """The pieces as an SVG image, large ones darker."""
    paths = []
    for piece in pieces:
        shade = 235 - min(150, int(area(piece)) // 12)
        corners = " ".join(f"{float(x):.2f} {float(SIDE - y):.2f}" for x, y in piece)
        paths.append(f'<path fill="rgb({shade},{shade - 25},{shade - 60})" d="M{corners}z"/>')
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 102 102"><rect x="-1" y="-1" width="102" height="102" fill="#fff"/>'
            f'<g stroke="#5b3a1e" stroke-width=".4">{"".join(paths)}</g></svg>')


def make(seed):
    """A line through two edges of the wood."""
    chance = random.Random(seed)
    return f"{chance.randint(5, 95)} 0 {chance.randint(5, 95)} {SIDE}\n"


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2 and words[0] == "make":
        print(make(int(words[1])), end="")
    elif len(words) == 3:
        board, answer, out = words
        with open(answer, encoding="ascii", errors="replace", newline="") as file:
            text = file.read()
        frames = []
        try:
            figures = rule(read_board(board), text, frames)
            ruling = {"format": 1, "verdict": "valid", "figures": figures}
        except Wrong as wrong:
            ruling = {"format": 1, "verdict": "wrong", "reason": str(wrong)}
        with open(os.path.join(out, "frames.jsonl"), "w", encoding="ascii") as file:
            for number, frame in enumerate(frames):
                with open(os.path.join(out, f"{number}.svg"), "w", encoding="ascii") as image:
                    image.write(frame["svg"])
                file.write(json.dumps({"at": frame["at"], "svg": f"{number}.svg"}) + "\n")
        with open(os.path.join(out, "ruling.json"), "w", encoding="ascii") as file:
            json.dump(ruling, file)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
