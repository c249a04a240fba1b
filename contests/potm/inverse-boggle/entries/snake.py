"""Writes long words into the square, one after the other, in rows that go to and fro. Then it looks which words are there."""

import sys

SIZE = 5
PLACES = [(row, column) for row in range(SIZE) for column in range(SIZE)]
NEXT = {place: [other for other in PLACES if other != place and max(abs(other[0] - place[0]), abs(other[1] - place[1])) == 1]
        for place in PLACES}


def contains(square, word):
    """True if the word can be read in the square."""

    def reads(at, place, used):
        return at == len(word) or any(
            square[other] == word[at] and other not in used and reads(at + 1, other, used | {other}) for other in NEXT[place])

    return any(square[place] == word[0] and reads(1, place, {place}) for place in PLACES)


def show(square, words):
    print("\n".join("".join(square[row, column] for column in range(SIZE)) for row in range(SIZE)))
    print("\n".join(word for word in words if contains(square, word)))


def snake(words):
    letters = "".join(sorted(words, key=len, reverse=True))[:SIZE * SIZE].ljust(SIZE * SIZE, "E")
    order = [(row, column if row % 2 == 0 else SIZE - 1 - column) for row, column in PLACES]
    return dict(zip(order, letters))


if __name__ == "__main__":
    with open(sys.argv[-1], encoding="ascii") as board:
        words = board.read().split()
    show(snake(words), words)
