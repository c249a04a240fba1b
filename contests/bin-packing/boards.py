"""Makes the boards of this folder. Their best packings are known, because each board is made from one.

    python3 contests/bin-packing/boards.py contests/bin-packing/boards

Triplets (T) follow a published method: E. Falkenauer, "A hybrid grouping genetic algorithm for bin packing", Journal of
Heuristics 2 (1996): three items fill a bin of 1000 exactly. Cut boards (C) have bins of 1000 that are cut at random into
items of 120 to 450. So all bins can be full, and no packing needs fewer. All numbers come from seeds: the same program writes
the same files.
"""

import os
import random
import sys

# Name, seed, bins. The number of items follows.
TRIPLETS = [("t120", 1, 40), ("t249", 2, 83)]
CUT = [("c30", 11, 30), ("c40", 12, 40), ("c80", 13, 80)]


def triplets(dice, bins):
    sizes = []
    for _ in range(bins):
        first = dice.randint(380, 490)
        second = dice.randint(250, (1000 - first) // 2)
        sizes += [first, second, 1000 - first - second]
    return 1000, sizes


def cut(dice, bins):
    sizes = []
    for _ in range(bins):
        left = 1000
        while left > 450:
            # What is left must be an item, or more.
            item = dice.randint(120, min(450, left - 120))
            sizes.append(item)
            left -= item
        sizes.append(left)
    return 1000, sizes


def text(dice, bins, kind):
    capacity, sizes = kind(dice, bins)
    assert sum(sizes) == capacity * bins, "all bins can be full"
    dice.shuffle(sizes)
    lines = [" ".join(str(size) for size in sizes[at : at + 20]) for at in range(0, len(sizes), 20)]
    return "\n".join([f"{capacity} {len(sizes)} {bins}", *lines]) + "\n"


def main(folder):
    for kind, boards in [(triplets, TRIPLETS), (cut, CUT)]:
        for name, seed, bins in boards:
            with open(os.path.join(folder, f"{name}.txt"), "w", encoding="ascii") as file:
                file.write(text(random.Random(seed), bins, kind))


if __name__ == "__main__":
    main(sys.argv[1])
