#!/usr/bin/env python3
"""Small proofs for months of the series. Each line that it prints is computed by a search that leaves nothing out.

    python3 contests/potm/proofs.py

PEGGED: the fewest moves of small boards. ELBONIA LOTTERY: the tickets of both entries for N = 25, against each of the 480,700 draws.
MOO: the fewest guesses for a short list of words, added over all of them. NUMBERSGAME: who wins from each number below 10,000, and the
games of `perfect` against all that an opponent may answer. CHOMP: the first bites that win, and the games of `solved`.
"""

import importlib.util
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import combinations, groupby
from unittest.mock import patch

HERE = os.path.dirname(os.path.abspath(__file__))


def path(*parts):
    return os.path.join(HERE, *parts)


def fewest_moves(rows):
    """All positions, those after fewest moves first, until one has a single peg. Pegs and holes are bits."""
    high, wide = len(rows), len(rows[0])
    holes = sum(1 << (row * wide + column) for row in range(high) for column in range(wide) if rows[row][column] != "_")
    start = sum(1 << (row * wide + column) for row in range(high) for column in range(wide) if rows[row][column] == "X")
    # Each step: from a hole to the next one, and to the one beyond if there is one.
    steps = []
    for row in range(high):
        for column in range(wide):
            for down, right in [(0, 1), (0, -1), (1, 0), (-1, 0)]:
                places = [(row + far * down, column + far * right) for far in range(3)]
                bits = [1 << (a * wide + b) if 0 <= a < high and 0 <= b < wide else 0 for a, b in places]
                steps.append([bit & holes for bit in bits])
    steps = [step for step in steps if step[0] and step[1]]
    seen, level, moves = {start}, [start], 0
    while level:
        after = []
        for pegs in level:
            if pegs.bit_count() == 1:
                return moves
            for here, over, beyond in steps:
                if not pegs & here:
                    continue
                if not pegs & over:
                    new = pegs ^ here ^ over
                elif beyond and not pegs & beyond:
                    new = pegs ^ here ^ over ^ beyond
                else:
                    continue
                if new not in seen:
                    seen.add(new)
                    after.append(new)
        level, moves = after, moves + 1
    return None


def uncovered(most, tickets):
    """The number of draws of 7 that have fewer than 3 numbers in common with every ticket."""
    masks = [sum(1 << number for number in ticket) for ticket in tickets]
    draws = (sum(1 << number for number in draw) for draw in combinations(range(1, most + 1), 7))
    return sum(not any((draw & ticket).bit_count() >= 3 for ticket in masks) for draw in draws)


def compare(word, guess):
    right = sum(a == b for a, b in zip(word, guess))
    return right, (Counter(word) & Counter(guess)).total() - right


def fewest_guesses(words):
    """The least sum of guesses over all words, if guesses are words of the list."""

    @cache
    def total(left):
        best = None
        for guess in words:
            parts = {}
            for word in left:
                parts.setdefault(compare(word, guess), []).append(word)
            if len(parts) > 1 or guess in left:
                rest = [tuple(part) for part in parts.values() if part != [guess]]
                here = len(left) + sum(total(part) for part in rest)
                best = here if best is None else min(best, here)
        return best

    return total(tuple(words))


def load(*parts):
    """A program of an entry, as a module."""
    spec = importlib.util.spec_from_file_location(parts[-1].removesuffix(".py"), path(*parts))
    module = importlib.util.module_from_spec(spec)
    with patch.object(sys, "path", [os.path.dirname(path(*parts)), *sys.path]):
        spec.loader.exec_module(module)
    return module


@cache
def wins_numbers(number):
    """True if the seat that is to move wins from this number, by a search through all games. At 0 it has won."""
    return number == 0 or not all(wins_numbers(number - int(digit)) for digit in set(str(number)) - {"0"})


def perfect_loses(number, entry, wins):
    """The games from this number that the entry begins and loses, whatever its opponent answers."""
    left = [int(entry.best([str(number)], wins)[0])]
    lost = 0
    while left:
        number = left.pop()
        lost += number == 0
        after = {number - int(digit) for digit in set(str(number)) - {"0"}}
        left += [int(entry.best([str(each)], wins)[0]) for each in after if each]
    return lost


def numbersgame():
    """Compares the table of the entry with a search, and lets it play all games from small numbers and all moves from others."""
    entry = load("numbersgame", "entries", "perfect.py")
    wins = entry.table(9999)
    assert wins == [wins_numbers(number) for number in range(10_000)]
    losing = [number for number in range(1, 10_000) if not wins[number]]
    tens = [number for number in losing if number % 10 == 0]
    assert tens == list(range(20, 10_000, 10))
    others = [number for number in losing if number % 10]
    yield f"NUMBERSGAME below 10000: the first seat loses from {len(losing)} starts: all multiples of 10 from 20 on, and {spans(others)}"
    games = [number for number in range(1, 60) if wins[number]]
    assert not any(perfect_loses(number, entry, wins) for number in games)
    yield f"NUMBERSGAME below 60: `perfect` wins every game from the {len(games)} starts from which the first seat can win"
    # From a number that wins it leaves one that loses, and from that each answer leads to one that wins: so it wins all of them.
    for number in range(1, 10_000):
        assert wins[int(entry.best([str(number)], wins)[0])] != wins[number]
    yield f"NUMBERSGAME below 10000: `perfect` leaves a number that loses, from each of the {9999 - len(losing)} from which the first seat can win"


def bites(lengths):
    """All grids that a bite leaves, as numbers of cookies per row, with the place of the bite."""
    for row, length in enumerate(lengths):
        for column in range(0 if row else 1, length):
            yield (row, column), lengths[:row] + tuple(min(each, column) for each in lengths[row:])


@cache
def wins_cookies(lengths):
    """True if the seat that is to move wins, by a search through all games."""
    return not all(wins_cookies(left) for _, left in bites(lengths))


def solved_wins(lengths, entry):
    """True if the entry wins all games that it begins on this grid, whatever its opponent answers."""
    wide = lengths[0]
    rows = ["O" * length + "*" * (wide - length) for length in lengths]
    left = tuple(row.count("O") + row.count("X") for row in entry.best(["X" + rows[0][1:], *rows[1:]]))
    return all(sum(after) > 1 and solved_wins(after, entry) for _, after in bites(left))


def chomp():
    entry = load("chomp", "entries", "solved.py")
    several = []
    for high in range(1, 9):
        for wide in range(max(2, high), 11):
            count = sum(not wins_cookies(left) for _, left in bites((wide,) * high))
            assert count > 0
            if count > 1:
                several.append(f"{high} by {wide} ({count})")
    yield f"CHOMP up to 8 by 10: the first seat wins on every grid, by one first bite only, except on {', '.join(several) or 'none'}"
    grids = [(high, wide) for high in range(2, 5) for wide in range(2, 5)]
    assert all(solved_wins((wide,) * high, entry) for high, wide in grids)
    yield "CHOMP up to 4 by 4: `solved` wins every game that it begins"


def spans(numbers):
    """Numbers, with runs of neighbours as first and last."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda each: each[1] - each[0])]
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def main():
    for name in ["apart", "seed-1"]:
        with open(path("pegged", "boards", f"{name}.txt"), encoding="ascii") as file:
            print(f"PEGGED {name}: {fewest_moves(file.read().split())} moves are the fewest")
    for name in ["three_groups", "best_of_many"]:
        words = [sys.executable, "-B", path("elbonia-lottery", "entries", f"{name}.py"), path("elbonia-lottery", "boards", "25.txt")]
        printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        tickets = [list(map(int, line.split())) for line in printed.splitlines()]
        print(f"ELBONIA LOTTERY N = 25, {name}: {len(tickets)} tickets, {uncovered(25, tickets)} of 480700 draws are not covered")
    with open(path("moo", "entries", "words.txt"), encoding="ascii") as file:
        words = [word for word in file.read().split() if len(word) == 5][:24]
    print(f"MOO, the first {len(words)} words of five letters of the list: {fewest_guesses(words)} guesses are the fewest")
    for month in [numbersgame, chomp]:
        print(*month(), sep="\n")


if __name__ == "__main__":
    main()
