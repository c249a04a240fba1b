"""Takes the words in the order of the list, each where it is found first and shares no square with an earlier one."""

import sys

WAYS = {"n": (-1, 0), "ne": (-1, 1), "e": (0, 1), "se": (1, 1), "s": (1, 0), "sw": (1, -1), "w": (0, -1), "nw": (-1, -1)}


def read(path):
    with open(path, encoding="ascii") as file:
        grid, _, words = file.read().partition("\n\n")
    return grid.split(), words.split()


def places(rows, words):
    """Everywhere where a word is, as word, row, column, direction and squares."""
    for word in words:
        for row, line in enumerate(rows):
            for column in range(len(line)):
                for way, (down, right) in WAYS.items():
                    squares = [(row + number * down, column + number * right) for number in range(len(word))]
                    last = squares[-1]
                    if 0 <= last[0] < len(rows) and 0 <= last[1] < len(line):
                        if all(rows[a][b] == letter for letter, (a, b) in zip(word, squares)):
                            yield word, row, column, way, frozenset(squares)


def show(taken):
    print("\n".join(f"{word} {row + 1} {column + 1} {way}" for word, row, column, way, _ in taken))


def first_come(found):
    taken, used, words = [], set(), set()
    for place in found:
        if place[0] not in words and not place[4] & used:
            taken.append(place)
            used |= place[4]
            words.add(place[0])
    return taken


if __name__ == "__main__":
    show(first_come(places(*read(sys.argv[-1]))))
