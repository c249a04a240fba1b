#!/usr/bin/env python3
"""Referee of SCENIC TOUR: climb little on the way there and much on the way back.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json, and OUT/frames.jsonl for the replay
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board

A board has the most moves, the size of the map, and that many rows of that many altitudes from 0 to 255. An answer is the moves of
a tour from the upper left point to the lower right one and back: n, ne, e, se, s, sw, w or nw, with white space between them. No
point is visited twice. The score is the climb of the way back, divided by that of the way there; a climb is the sum of all
differences in altitude.
"""

import json
import os
import random
import re
import sys

WAYS = {"n": (-1, 0), "ne": (-1, 1), "e": (0, 1), "se": (1, 1), "s": (1, 0), "sw": (1, -1), "w": (0, -1), "nw": (-1, -1)}
MOST_FRAMES = 60


class Wrong(Exception):
    """A fault of an answer."""


def read_board(path):
    """Returns the most moves and the rows of altitudes."""
    with open(path, encoding="ascii") as file:
        words = file.read().split()
    if len(words) < 3 or not all(word.isdigit() and len(word) <= 6 for word in words):
        sys.exit("expected the most moves, the size of the map, and its altitudes")
    limit, size, *heights = map(int, words)
    if not 2 <= size <= 300 or len(heights) != size * size or max(heights) > 255:
        sys.exit("expected a size from 2 to 300, and that many rows of that many altitudes from 0 to 255")
    return limit, [heights[row * size:(row + 1) * size] for row in range(size)]


def rule(board, text, frames):
    """Returns the figures of a right answer. Appends the positions up to a fault to frames."""
    limit, heights = board
    size = len(heights)
    place, seen, path = (0, 0), set(), [(0, (0, 0))]
    climbs, ways = [0, 0], 0
    try:
        for word in re.finditer(r"\S+", text, re.ASCII):
            moves = len(path)
            if moves > limit:
                raise Wrong(f"there are more than {limit} moves")
            if word[0] not in WAYS:
                raise Wrong(f"move {moves}: expected one of n ne e se s sw w nw, not {word[0][:20]!r}")
            if ways == 1 and place == (0, 0):
                raise Wrong(f"move {moves}: the tour was back before")
            down, right = WAYS[word[0]]
            to = (place[0] + down, place[1] + right)
            if not (0 <= to[0] < size and 0 <= to[1] < size):
                raise Wrong(f"move {moves}: {word[0]} leaves the map")
            if to in seen:
                raise Wrong(f"move {moves}: {word[0]} leads to a point that was visited before")
            if to == (0, 0) and ways == 0:
                raise Wrong(f"move {moves}: the tour is back, and was not at the lower right point")
            climbs[ways] += abs(heights[to[0]][to[1]] - heights[place[0]][place[1]])
            place = to
            seen.add(to)
            path.append((word.end(), to))
            if to == (size - 1, size - 1):
                ways = 1
    finally:
        frames += positions(heights, path)
    if ways == 0 or place != (0, 0):
        raise Wrong("the tour does not end at the upper left point")
    score = climbs[1] * 10**6 // max(1, climbs[0])
    return {"score": f"{score // 10**6}.{score % 10**6:06}", "there": climbs[0], "back": climbs[1], "moves": len(path) - 1}


def positions(heights, path):
    """The map with `o` where the tour was, and digits for altitudes elsewhere."""
    grid = [[str(height * 10 // 256) for height in row] for row in heights]
    drawn, touched = [], []
    for number, (at, (row, column)) in enumerate(path):
        grid[row][column] = "o"
        touched.append([row, column])
        if number % (1 + len(path) // MOST_FRAMES) == 0 or number == len(path) - 1:
            drawn.append({"at": at, "grid": ["".join(line) for line in grid], "touched": touched})
            touched = []
    return drawn


def make(seed):
    """Hills and valleys: rough noise that is smoothed, with a limit of six moves per row."""
    chance = random.Random(seed)
    size = 12 + 6 * (seed % 4)
    rough = [[chance.randrange(256) for _ in range(size)] for _ in range(size)]

    def smooth(row, column):
        near = [rough[a][b] for a in range(row - 1, row + 2) for b in range(column - 1, column + 2) if 0 <= a < size and 0 <= b < size]
        return sum(near) // len(near)

    rows = [" ".join(str(smooth(row, column)) for column in range(size)) for row in range(size)]
    return "\n".join([f"{6 * size}", f"{size}", *rows]) + "\n"


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
            file.writelines(json.dumps(each) + "\n" for each in frames)
        with open(os.path.join(out, "ruling.json"), "w", encoding="ascii") as file:
            json.dump(ruling, file)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
