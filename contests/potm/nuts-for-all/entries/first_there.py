"""After scrunch, place 10 of 2004: first the nuts that it reaches before all others, then those that it would share, then the others;
of each kind the nearest one. Where several squirrels are on a square, the others there are as near as this one.
"""

import sys

from any_step import answer, far, nuts_of, parse, toward


def best(here, rows):
    others = [(row, column) for row, line in enumerate(rows) for column, cell in enumerate(line)
              if cell.isdigit() and ((row, column) != here or cell > "1")]

    def kind(nut):
        mine, theirs = far(here, nut), min((far(other, nut) for other in others), default=1000)
        return (mine >= theirs) + (mine > theirs), mine

    return min(nuts_of(rows), key=kind)


if __name__ == "__main__":
    here, rows = parse(sys.stdin.read().splitlines())
    answer(toward(here, best(here, rows)))
