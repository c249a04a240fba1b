"""The board as an entry knows it: the tiles that it has uncovered."""
import sys

MOVES = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


class Board:
    def __init__(self):
        self.rows, self.columns, row, column = map(int, input().split())
        self.cells = [None] * (self.rows * self.columns)
        self.empty = row * self.columns + column
        self.cells[self.empty] = 0

    def to(self, at, way):
        """The cell next to one, or None."""
        row, column = at // self.columns + MOVES[way][0], at % self.columns + MOVES[way][1]
        return row * self.columns + column if 0 <= row < self.rows and 0 <= column < self.columns else None

    def move(self, way):
        """Moves the empty spot. The referee says which tile slid, and that uncovers it."""
        other = self.to(self.empty, way)
        print(way, flush=True)
        tile, word = input().split()
        self.cells[self.empty], self.cells[other] = int(tile), 0
        self.empty = other
        if word == "solved":
            sys.exit(0)

    def uncover(self):
        """Walks the empty spot to the nearest covered tile until none is left."""
        while None in self.cells:
            ways = {self.empty: ""}
            reached = [self.empty]
            for at in reached:
                if self.cells[at] is None:
                    break
                for way in MOVES:
                    other = self.to(at, way)
                    if other is not None and other not in ways:
                        ways[other] = ways[at] + way
                        reached.append(other)
            for way in ways[at]:
                self.move(way)
