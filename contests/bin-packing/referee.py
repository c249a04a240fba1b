#!/usr/bin/env python3
"""Referee of one-dimensional bin packing: fewer bins are better.

A board has a line with the capacity of a bin, the number of items and the best known number of bins, then the sizes of
the items. An answer has one line per bin: the numbers of its items, from 1. Every item must be in exactly one bin.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json, and OUT/frames.jsonl with images for the replay
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board of 60 items in triplets that fill 20 bins exactly
    referee.py show BOARD           draws the items of a board
"""

import json
import math
import os
import random
import sys

# Cells that a full bin takes in a picture.
WIDTH = 50
# The judge reads at most 4096 frames, grids of 512 rows, and 4 MiB.
MOST_FRAMES = 400
MOST_ROWS = 500
MOST_BYTES = 2_000_000
# Colours of items, from small to those of half a bin or more.
SHADES = ["fde725", "a0da39", "4ac16d", "1fa187", "277f8e", "365c8d", "46327e", "440154"]


def read_board(path):
    """Returns capacity, best known number of bins and sizes, or raises ValueError with the reason."""
    with open(path, encoding="ascii") as file:
        words = file.read().split()
    if len(words) < 3:
        raise ValueError("expected the capacity, the number of items and the best known number of bins")
    try:
        capacity, count, best, *sizes = [int(word) for word in words]
    except ValueError as error:
        raise ValueError(f"expected integers: {error}") from error
    if len(sizes) != count:
        raise ValueError(f"expected {count} sizes, found {len(sizes)}")
    if count < 1 or not all(0 < size <= capacity for size in sizes):
        raise ValueError(f"sizes must be 1 to {capacity}")
    if best * capacity < sum(sizes):
        raise ValueError(f"the items do not fit into {best} bins")
    return capacity, best, sizes


class Wrong(Exception):
    """A fault of an answer."""


def pack(answer, capacity, sizes):
    """Returns the bins as lists of items from 0, and the number of bytes up to the end of each line."""
    bins, ends, where = [], [], {}
    at = 0
    for line in answer.splitlines(keepends=True):
        at += len(line)
        items = []
        for word in line.split():
            # A plain check first: `int` accepts underscores and signs, and takes long on a million digits.
            item = int(word) - 1 if word.isdigit() and len(word) <= 9 else -1
            if not 0 <= item < len(sizes):
                raise Wrong(f"bin {len(bins) + 1}: no item {word[:20].decode('ascii', 'replace')!r}")
            if item in where:
                raise Wrong(f"item {item + 1} is in bins {where[item] + 1} and {len(bins) + 1}")
            where[item] = len(bins)
            items.append(item)
        if not items:
            continue
        load = sum(sizes[item] for item in items)
        if load > capacity:
            raise Wrong(f"bin {len(bins) + 1} holds {load}, more than {capacity}")
        bins.append(items)
        ends.append(at)
    missing = [item + 1 for item in range(len(sizes)) if item not in where]
    if missing:
        raise Wrong(f"item {missing[0]} is in no bin, and {len(missing) - 1} more")
    return bins, ends


def row(items, capacity, sizes):
    """One bin as text: a letter per item, as wide as the item."""
    text, load = "", 0
    for number, item in enumerate(items):
        load += sizes[item]
        text += "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % 26] * (load * WIDTH // capacity - len(text))
    return text.ljust(WIDTH, ".")


def drawing(bins, total, capacity, sizes):
    """The first bins as an SVG image with room for all of them: a column per bin, filled from the ground."""
    across = max(1, math.ceil(math.sqrt(9 * total)))
    down = -(-total // across)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -4 {12 * across + 4} {70 * down + 2}">',
        '<rect x="-3" y="-4" width="100%" height="100%" fill="#fff"/>',
        # What is outside of a bin's three walls is cut off: a bin is open at its top.
        f'<path fill="none" stroke="#b9b4a6" stroke-width=".8" d="{"".join(walls(number, across) for number in range(total))}"/>',
        '<g stroke="#fff" stroke-width=".5">',
    ]
    for number, items in enumerate(bins):
        left, ground = 12 * (number % across), 70 * (number // across) + 62
        level = 0
        for item in items:
            height = 60 * sizes[item] / capacity
            shade = SHADES[min(2 * sizes[item] * len(SHADES) // capacity, len(SHADES) - 1)]
            parts.append(f'<path fill="#{shade}" d="M{left} {ground - level:.3g}h10v-{height:.3g}h-10z"/>')
            level += height
    parts.append("</g>")
    if bins:
        left, top = 12 * ((len(bins) - 1) % across), 70 * ((len(bins) - 1) // across)
        parts.append(f'<path fill="#c2410c" d="M{left + 2} {top - 3}h6l-3 4z"/>')
    return "".join(parts) + "</svg>"


def walls(number, across):
    """The walls and the floor of a bin."""
    left, top = 12 * (number % across), 70 * (number // across) + 2
    return f"M{left} {top}v60h10v-60"


def frames(bins, ends, capacity, sizes):
    """One position per bin, as rows of text for the terminal and as an image for the page, with the name of its file."""
    # An image has some 50 bytes per item, and all together have to stay below the 4 MiB that the judge reads.
    step = 1 + 50 * len(sizes) * len(bins) // 2 // MOST_BYTES
    rows = []
    for number, (items, end) in enumerate(zip(bins, ends)):
        rows.append(row(items, capacity, sizes))
        if number % step == 0 and number // step < MOST_FRAMES or number + 1 == len(bins):
            # Rows of text beyond these are too many for a grid.
            touched = [[number, column] for column in range(WIDTH) if number < MOST_ROWS and rows[-1][column] != "."]
            frame = {"at": end, "progress": number + 1, "grid": rows[:MOST_ROWS], "touched": touched, "svg": f"{number}.svg"}
            yield frame, drawing(bins[: number + 1], len(bins), capacity, sizes)


def referee(board, answer, out):
    capacity, best, sizes = read_board(board)
    with open(answer, "rb") as file:
        text = file.read()
    try:
        bins, ends = pack(text, capacity, sizes)
    except Wrong as wrong:
        ruling = {"format": 1, "verdict": "wrong", "reason": str(wrong)}
    else:
        verdict = "solved" if len(bins) <= best else "valid"
        ruling = {"format": 1, "verdict": verdict, "figures": {"bins": len(bins)}}
        with open(os.path.join(out, "frames.jsonl"), "w", encoding="ascii") as file:
            for frame, image in frames(bins, ends, capacity, sizes):
                file.write(json.dumps(frame, separators=(",", ":")) + "\n")
                with open(os.path.join(out, frame["svg"]), "w", encoding="ascii") as picture:
                    picture.write(image)
    with open(os.path.join(out, "ruling.json"), "w", encoding="ascii") as file:
        json.dump(ruling, file)


def make(seed):
    """A board whose best packing is known: triplets that fill a bin exactly."""
    dice = random.Random(seed)
    sizes = []
    for _ in range(20):
        first = dice.randint(380, 490)
        second = dice.randint(250, (1000 - first) // 2)
        sizes += [first, second, 1000 - first - second]
    dice.shuffle(sizes)
    lines = [" ".join(str(size) for size in sizes[at : at + 20]) for at in range(0, 60, 20)]
    print("1000 60 20", *lines, sep="\n")


def main(words):
    if len(words) == 2 and words[0] == "check":
        try:
            read_board(words[1])
        except (ValueError, UnicodeDecodeError) as error:
            sys.exit(f"{error}")
    elif len(words) == 2 and words[0] == "make":
        make(words[1])
    elif len(words) == 2 and words[0] == "show":
        capacity, best, sizes = read_board(words[1])
        print(f"{len(sizes)} items, bins of {capacity}, best known {best}")
        for item in range(len(sizes)):
            print(f"{item + 1:4} {sizes[item]:5} {row([item], capacity, sizes).rstrip('.')}")
    elif len(words) == 3:
        referee(*words)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
