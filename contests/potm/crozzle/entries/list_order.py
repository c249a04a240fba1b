"""The first word goes into the middle row, every further one, in the order of the list, to the first place where it crosses another."""

import sys

SIZE = 20


class Grid:
    def __init__(self):
        self.cells, self.words = {}, set()

    def crossings(self, word, row, column, down):
        """The number of letters that are there already, or -1 if the word does not fit here."""
        ahead = (row + len(word), column) if down else (row, column + len(word))
        before = (row - 1, column) if down else (row, column - 1)
        if max(ahead) > SIZE or ahead in self.cells or before in self.cells:
            return -1
        found = 0
        for at, letter in enumerate(word):
            place = (row + at, column) if down else (row, column + at)
            there = self.cells.get(place)
            if there == letter:
                found += 1
                continue
            sides = [(place[0], place[1] - 1), (place[0], place[1] + 1)] if down else \
                [(place[0] - 1, place[1]), (place[0] + 1, place[1])]
            if there or any(side in self.cells for side in sides):
                return -1
        return found if found < len(word) else -1

    def put(self, word, row, column, down):
        self.words.add(word)
        for at, letter in enumerate(word):
            self.cells[(row + at, column) if down else (row, column + at)] = letter

    def places(self, word):
        """All places where the word crosses another: number of crossings, row, column, and whether it goes down."""
        for (row, column), there in self.cells.items():
            for at, letter in enumerate(word):
                if letter == there:
                    for place in [(row - at, column, True), (row, column - at, False)]:
                        if min(place[:2]) >= 0:
                            found = self.crossings(word, *place)
                            if found > 0:
                                yield found, *place

    def __str__(self):
        return "\n".join("".join(self.cells.get((row, column), ".") for column in range(SIZE)) for row in range(SIZE))


def solve(words):
    grid = Grid()
    grid.put(words[0], SIZE // 2, (SIZE - len(words[0])) // 2, False)
    for word in words[1:]:
        place = next(grid.places(word), None)
        if place:
            grid.put(word, *place[1:])
    return grid


if __name__ == "__main__":
    with open(sys.argv[-1], encoding="ascii") as board:
        print(solve(board.read().split()))
