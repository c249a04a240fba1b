"""Three groups of numbers: of 7 numbers drawn, 3 are in one group. So tickets that have every 3 numbers of a group are enough.

Tickets are made one by one: the first 3 numbers that are on no ticket yet, and what adds most other such threes.
"""

import sys
from itertools import combinations


def cover(numbers):
    """Tickets that have every three of these numbers."""
    missing, tickets = set(combinations(numbers, 3)), []
    for three in combinations(numbers, 3):
        if three not in missing:
            continue
        ticket = list(three)
        while len(ticket) < 7:
            others = [number for number in numbers if number not in ticket]
            if not others:
                break
            pairs = list(combinations(ticket, 2))
            ticket.append(max(others, key=lambda number: sum(tuple(sorted((*pair, number))) in missing for pair in pairs)))
        missing -= set(combinations(sorted(ticket), 3))
        tickets.append(sorted(ticket))
    return tickets


def filled(tickets, most):
    """Groups of fewer than 7 numbers leave room on their tickets."""
    return [sorted(ticket + [number for number in range(1, most + 1) if number not in ticket][:7 - len(ticket)]) for ticket in tickets]


if __name__ == "__main__":
    with open(sys.argv[-1], encoding="ascii") as board:
        most = int(board.read())
    tickets = [ticket for start in (1, 2, 3) for ticket in cover(range(start, most + 1, 3))]
    for ticket in filled(tickets, most):
        print(*ticket)
