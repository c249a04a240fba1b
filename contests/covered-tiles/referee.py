#!/usr/bin/env python3
"""The referee of covered tiles. It talks to the entry:

    referee.py BOARD OUT/     reads moves from standard input, and says which tile each uncovers
    referee.py check BOARD    refuses a bad board
    referee.py make SEED      prints a new board

A board is rows of numbers; 0 is the empty spot. Solved boards have 1, 2, 3, … by rows, and the empty spot at the end.
"""
import json
import random
import sys

MOVES = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
MOST_MOVES = 1000
COVERED = "?"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def goal(rows, columns):
    return [*range(1, rows * columns), 0]


def is_solvable(cells, rows, columns):
    """Swaps of two tiles come in pairs, if the way of the empty spot is counted as well."""
    order = [cell for cell in cells if cell]
    swaps = sum(a > b for at, a in enumerate(order) for b in order[at + 1:])
    if columns % 2 == 0:
        swaps += rows - 1 - cells.index(0) // columns
    return swaps % 2 == 0


def read(path):
    with open(path) as file:
        lines = [line.split() for line in file.read().splitlines() if line.strip()]
    rows, columns = len(lines), len(lines[0]) if lines else 0
    if not 2 <= rows <= 6 or not 2 <= columns <= 6 or any(len(line) != columns for line in lines):
        sys.exit("a board has 2 to 6 rows of 2 to 6 numbers each, all of the same length")
    cells = [int(word) if word.isascii() and word.isdigit() and len(word) < 3 else -1 for line in lines for word in line]
    if sorted(cells) != list(range(rows * columns)):
        sys.exit(f"a board has each number from 0 to {rows * columns - 1} once")
    if not is_solvable(cells, rows, columns):
        sys.exit("no moves solve this board")
    return cells, rows, columns


class Play:
    def __init__(self, cells, rows, columns):
        self.cells, self.rows, self.columns = cells, rows, columns
        self.covered = {at for at, cell in enumerate(cells) if cell}
        self.moves, self.frames, self.bytes = 0, [], 0

    def home(self):
        return sum(a == b for a, b in zip(self.cells, goal(self.rows, self.columns)) if b)

    def frame(self, touched):
        def letter(at):
            return COVERED if at in self.covered else "+" if not self.cells[at] else LETTERS[self.cells[at] - 1]

        grid = ["".join(letter(row * self.columns + column) for column in range(self.columns)) for row in range(self.rows)]
        places = [[at // self.columns, at % self.columns] for at in touched]
        self.frames.append({"at": self.bytes, "progress": self.home(), "grid": grid, "touched": places})

    def move(self, way):
        """Moves the empty spot, and returns the tile that slid into its place; None if that is not possible."""
        empty = self.cells.index(0)
        row, column = empty // self.columns + way[0], empty % self.columns + way[1]
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        other = row * self.columns + column
        self.cells[empty], self.cells[other] = self.cells[other], 0
        self.covered.discard(other)
        self.moves += 1
        self.frame([empty, other])
        return self.cells[empty]


def rule(out, play, **ruling):
    with open(out + "frames.jsonl", "w") as file:
        file.writelines(json.dumps(frame) + "\n" for frame in play.frames)
    of = play.rows * play.columns - 1
    wrong = ruling.get("verdict") == "wrong"
    with open(out + "ruling.json", "w") as file:
        json.dump({"format": 1, "figures": {"progress": play.home(), "moves": play.moves}, "full": of, **ruling}, file)
    sys.exit(1 if wrong else 0)


def talk(board, out):
    play = Play(*read(board))
    empty = play.cells.index(0)
    play.frame([])
    print(play.rows, play.columns, empty // play.columns, empty % play.columns, flush=True)
    of = play.rows * play.columns - 1
    while play.home() < of and play.moves < MOST_MOVES:
        line = sys.stdin.readline(100)
        if not line:
            break
        play.bytes += len(line.encode(errors="replace"))
        word = line.strip()
        tile = play.move(MOVES[word]) if word in MOVES and line.endswith("\n") else None
        if tile is None:
            at = play.moves + 1
            rule(out, play, verdict="wrong", reason=f"move {at} is {word[:20]!r}, which is no move here", failed_at=at)
        print(tile, "solved" if play.home() == of else "on", flush=True)
    rule(out, play, verdict="solved" if play.home() == of else "unsolved")


def make(seed):
    chance = random.Random(int(seed))
    rows, columns = chance.choice([(3, 3), (3, 4), (4, 4)])
    while True:
        cells = goal(rows, columns)
        chance.shuffle(cells)
        if is_solvable(cells, rows, columns) and cells != goal(rows, columns):
            break
    for row in range(rows):
        print(*cells[row * columns:(row + 1) * columns])


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    if command == "check":
        read(rest[0])
    elif command == "make":
        make(rest[0])
    else:
        talk(command, rest[0])
