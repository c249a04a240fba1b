"""Always to the nearest nut."""

import sys

from any_step import answer, far, nuts_of, parse, toward

if __name__ == "__main__":
    here, rows = parse(sys.stdin.read().splitlines())
    answer(toward(here, min(nuts_of(rows), key=lambda nut: far(here, nut))))
