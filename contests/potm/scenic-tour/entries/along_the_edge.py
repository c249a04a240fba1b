"""There along the upper and the right edge, back along the lower and the left one."""

import sys


def read(path):
    with open(path, encoding="ascii") as file:
        limit, size, *heights = map(int, file.read().split())
    return limit, [heights[row * size:(row + 1) * size] for row in range(size)]


if __name__ == "__main__":
    steps = len(read(sys.argv[-1])[1]) - 1
    print(*["e"] * steps, *["s"] * steps, *["w"] * steps, *["n"] * steps)
