"""The first way home that is not the way there: a walk of chance from the entry, until it is next to the entry again."""

import random
import sys

STEPS = {"n": (0, -1, 0), "s": (0, 1, 0), "w": (0, 0, -1), "e": (0, 0, 1), "u": (1, 0, 0), "d": (-1, 0, 0)}


def read(path):
    with open(path, encoding="ascii") as file:
        lines = file.read().split("\n")
    _, rows, columns, count = map(int, lines[0].split())
    places = {}
    for floor in range(count):
        for row in range(rows):
            line = lines[floor * (rows + 1) + 1 + row].ljust(columns)
            places.update({(floor, row, column): square for column, square in enumerate(line) if square != "#"})
    return places, next(place for place, square in places.items() if square == "E")


def step(place, letter):
    return tuple(a + b for a, b in zip(place, STEPS[letter]))


def walk(places, entry, chance):
    """Letters of a walk that ends at the entry, or none."""
    place, seen, letters = entry, set(), ""
    while True:
        ways = [letter for letter in STEPS if step(place, letter) in places and step(place, letter) not in seen]
        if len(letters) == 1:
            ways = [letter for letter in ways if step(place, letter) != entry]
        if not ways:
            return ""
        letter = chance.choice(ways)
        place = step(place, letter)
        seen.add(place)
        letters += letter
        if place == entry:
            return letters


if __name__ == "__main__":
    board, entry = read(sys.argv[-1])
    chance = random.Random(1)
    print(next(filter(None, (walk(board, entry, chance) for _ in range(100_000))), ""))
