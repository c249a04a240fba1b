"""As three_groups, with groups of other sizes and tickets by chance: the best of many tries, without tickets that are not needed.

The sum of all numbers decides between equal counts. So numbers that are on many tickets are given small names, and a number that its
ticket does not need makes room for a smaller one.
"""

import random
import sys
from collections import Counter
from itertools import combinations


def cover(size, chance, in_order):
    """Tickets that have every three of the numbers from 0 to size - 1."""
    numbers, tickets = range(size), []
    missing = set(combinations(numbers, 3))
    order = sorted(missing)
    if not in_order:
        chance.shuffle(order)
    for three in order:
        if three not in missing:
            continue
        ticket = set(three)
        while len(ticket) < 7:
            gains = [(sum(tuple(sorted((*pair, number))) in missing for pair in combinations(ticket, 2)), chance.random(), number)
                     for number in numbers if number not in ticket]
            ticket.add(max(gains)[2])
        missing -= set(combinations(sorted(ticket), 3))
        tickets.append(ticket)
    # A ticket is not needed if others have all its threes, too.
    count = Counter(three for ticket in tickets for three in combinations(sorted(ticket), 3))
    for ticket in list(tickets):
        threes = list(combinations(sorted(ticket), 3))
        if all(count[three] > 1 for three in threes):
            tickets.remove(ticket)
            count.subtract(threes)
    return tickets


def solve(most):
    chance, best = random.Random(1), {}
    third = most // 3
    sizes = range(max(7, third - 4), third + 5) if most < 60 else range(third - 1, third + 3)
    for size in sizes:
        tries = max(1, min(300, 60_000 // size**3))
        best[size] = min((cover(size, chance, number == 0) for number in range(tries)), key=len)
    splits = [(a, b, most - a - b) for a in sizes for b in sizes if most - a - b in sizes]
    split = min(splits, key=lambda split: sum(len(best[size]) for size in split))
    tickets, first = [], 0
    for size in split:
        tickets += [[first + number for number in ticket] for ticket in best[size]]
        first += size
    uses = Counter(number for ticket in tickets for number in ticket)
    names = {number: name for name, (number, _) in enumerate(uses.most_common(), 1)}
    return smaller([sorted(names[number] for number in ticket) for ticket in tickets])


def smaller(tickets):
    """Replaces numbers whose threes are on other tickets, too."""
    count = Counter(three for ticket in tickets for three in combinations(ticket, 3))
    for ticket in tickets:
        for number in sorted(ticket, reverse=True):
            threes = [three for three in combinations(sorted(ticket), 3) if number in three]
            small = next(name for name in range(1, 9) if name not in ticket)
            if small < number and all(count[three] > 1 for three in threes):
                count.subtract(threes)
                ticket[ticket.index(number)] = small
    return [sorted(ticket) for ticket in tickets]


if __name__ == "__main__":
    with open(sys.argv[-1], encoding="ascii") as board:
        most = int(board.read())
    for ticket in solve(most):
        print(*ticket)
