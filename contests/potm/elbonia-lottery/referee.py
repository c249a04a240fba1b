#!/usr/bin/env python3
"""Referee of ELBONIA LOTTERY: few tickets of which one wins whatever is drawn.

    referee.py BOARD ANSWER OUT     writes OUT/ruling.json, and OUT/frames.jsonl for the replay
    referee.py check BOARD          refuses an unusable board
    referee.py make SEED            prints a board

A board is a number N: 7 of the numbers 1 to N are drawn. An answer has a line per ticket: 7 different numbers from 1 to N. Every
possible draw must have at least 3 numbers in common with one of the tickets.
"""

import json
import os
import sys

DRAWN, WINS, MOST_TICKETS = 7, 3, 2000
MOST_STEPS = 300_000


class Wrong(Exception):
    """A fault of an answer."""


def read_board(path):
    with open(path, encoding="ascii") as file:
        words = file.read().split()
    if len(words) != 1 or not words[0].isdigit() or not 7 <= int(words[0]) <= 200:
        sys.exit("a board is one number from 7 to 200")
    return int(words[0])


def rule(board, text, frames):
    """Returns the figures of a right answer. Appends the positions up to a fault to frames."""
    tickets = []
    for line in filter(str.strip, text.split("\n")):
        words = line.split()
        numbers = {int(word) for word in words if word.isascii() and word.isdigit() and len(word) <= 3}
        if len(words) != DRAWN or len(numbers) != DRAWN or not all(1 <= number <= board for number in numbers):
            raise Wrong(f"ticket {len(tickets) + 1}: expected 7 different numbers from 1 to {board}, not {line.strip()[:40]!r}")
        if len(tickets) == MOST_TICKETS:
            raise Wrong(f"there are more than {MOST_TICKETS} tickets")
        tickets.append(numbers)
    rows = ["".join("#" if number in ticket else "." for number in range(1, board + 1)) for ticket in tickets[:500]]
    frames.append({"at": len(text), "grid": rows or ["." * board]})
    draw = Search().largest((2 << board) - 2, [(sum(1 << number for number in ticket), WINS - 1) for ticket in tickets], DRAWN)
    if draw.bit_count() == DRAWN:
        numbers = [number for number in range(board + 1) if draw >> number & 1]
        raise Wrong(f"the draw {' '.join(map(str, numbers))} has fewer than 3 numbers in common with every ticket")
    return {"tickets": len(tickets), "sum": sum(map(sum, tickets))}


class Search:
    """Looks for a draw without a win: a set of numbers of which no ticket has 3. Sets of numbers are bits.

    A rule is a set of numbers and how many of them a draw can still have. Numbers that share no rule do not matter to each other, so
    groups of numbers that do are searched one by one. That makes tickets of separate groups cheap to check.
    """

    def __init__(self):
        self.known, self.steps = {}, 0

    def largest(self, numbers, rules, want):
        """A largest set that keeps the rules, or one of the wanted size."""
        rules = [(ticket & numbers, most) for ticket, most in rules if (ticket & numbers).bit_count() > most]
        ruled = 0
        for ticket, _ in rules:
            ruled |= ticket
        taken = numbers & ~ruled
        while ruled and taken.bit_count() < want:
            group, inner, before = ruled & -ruled, [], 0
            while group != before:
                before = group
                for ticket, _ in rules:
                    if ticket & group:
                        group |= ticket
            inner = sorted({rule for rule in rules if rule[0] & group})
            taken |= self.of_group(group, inner, want - taken.bit_count())
            ruled &= ~group
        while taken.bit_count() > want:
            taken &= taken - 1
        return taken

    def of_group(self, group, rules, want):
        key = (group, tuple(rules), want)
        if key in self.known:
            return self.known[key]
        best, left = 0, group
        while best.bit_count() < min(want, bound(left, rules)):
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise Wrong("the referee cannot check these tickets: see the README for what it can")
            number = left & -left
            left ^= number
            after = [(ticket & ~number, most - (ticket & number > 0)) for ticket, most in rules]
            allowed = left
            for ticket, most in after:
                if most == 0:
                    allowed &= ~ticket
            found = number | self.largest(allowed, [rule for rule in after if rule[1]], want - 1)
            if found.bit_count() > best.bit_count():
                best = found
        self.known[key] = best
        return best


def bound(numbers, rules):
    """At least as many numbers as a set can have: rules one by one, those that say most first."""
    most = 0
    for ticket, can in rules:
        inside = (ticket & numbers).bit_count()
        if inside > can:
            most += can
            numbers &= ~ticket
    return most + numbers.bit_count()


def make(seed):
    return f"{21 + seed % 17}\n"


def main(words):
    if len(words) == 2 and words[0] == "check":
        read_board(words[1])
    elif len(words) == 2 and words[0] == "make":
        print(make(int(words[1])), end="")
    elif len(words) == 3:
        board, answer, out = words
        with open(answer, encoding="ascii", errors="replace", newline="") as file:
            text = file.read()
        frames = []
        try:
            figures = rule(read_board(board), text, frames)
            ruling = {"format": 1, "verdict": "valid", "figures": figures}
        except Wrong as wrong:
            ruling = {"format": 1, "verdict": "wrong", "reason": str(wrong)}
        with open(os.path.join(out, "frames.jsonl"), "w", encoding="ascii") as file:
            file.writelines(json.dumps(each) + "\n" for each in frames)
        with open(os.path.join(out, "ruling.json"), "w", encoding="ascii") as file:
            json.dump(ruling, file)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
