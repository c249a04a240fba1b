#!/usr/bin/env python3
"""Checks a certificate that a row needs at least so many men: a second checker, in integers, without code of the first.

    python3 entries/hexa-draughts/check.py results/hexa-draughts/row-7.certificate

The argument is in the documentation of `src/certificate.rs` and `src/tighten.rs`. Exit code 0 means accepted.
"""

import sys

DIRECTIONS = ((0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1))


def distance(a, b):
    rows, columns = abs(a[0] - b[0]), abs(a[1] - b[1])
    return rows + max((columns - rows) // 2, 0)


def demand(condition, reason):
    # Not `assert`, which `python3 -O` leaves out.
    if not condition:
        sys.exit(f"refused: {reason}")


class Checker:
    def __init__(self, lines):
        self.lines, self.known, self.cases = lines, [], 0
        demand(self.next() == ["certificate", "of", "hexa-draughts"], "a title is expected")
        [_, row], [_, kind, men], [_, radius] = self.next(), self.next(), self.next()
        demand(kind == "at-least", "only claims `at-least MEN` are checked here")
        self.row, self.fewer, self.radius = int(row), int(men) - 1, int(radius)
        self.goal = (self.row, self.row % 2)
        self.points = [p for p in self.within(self.radius) if p[0] < self.row]
        self.index = {point: number for number, point in enumerate(self.points)}
        self.starts = [number for number, point in enumerate(self.points) if point[0] <= 0]
        self.hops = {}
        for to in self.within(self.radius + 2):
            for r, c in DIRECTIONS:
                hop = ((to[0] + 2 * r, to[1] + 2 * c), (to[0] + r, to[1] + c), to)
                if all(p[0] < self.row for p in hop) and any(distance(p, self.goal) <= self.radius for p in hop):
                    self.hops[hop[0], to] = [self.place(p) for p in hop]
        self.last = [self.place((self.row - back, self.goal[1] - back)) for back in (2, 1)]

    def within(self, radius):
        row, column = self.goal
        return [(r, c) for r in range(row - radius, row + radius + 1)
                for c in range(column - 2 * radius, column + 2 * radius + 1)
                if (r + c) % 2 == 0 and distance((r, c), self.goal) <= radius]

    def place(self, point):
        return self.index.get(point, len(self.points) + (distance(point, self.goal) > self.radius + 1))

    def next(self):
        return self.lines.pop(0).split()

    def weights(self, words):
        """The weights of all places in units of 1/3025: the window's points, then points one and two steps outside."""
        if words[0] == "same":
            return self.known[int(words[1]) - 1]
        demand(words[0] == "weights" and len(words) == len(self.points) + 2, "a line with weights is expected")
        tail, *window = map(int, words[1:])
        demand(tail >= 0, "the weight outside the window is negative")
        self.known.append([3025 * weight for weight in window] + [tail * 34 * 55, tail * 34 * 34])
        return self.known[-1]

    def case(self, least, most):
        """Checks the case with these bounds on hops, and all its subcases."""
        required, excluded = set(), set()
        words = self.next()
        if words[0] == "split":
            hop = tuple(tuple(map(int, point.split(","))) for point in words[1].split(">"))
            demand(hop in self.hops, "a hop that touches the window is expected")
            count = int(words[2])
            self.case(dict(least), {**most, hop: min(count, most.get(hop, count))})
            self.case({**least, hop: max(count + 1, least.get(hop, 0))}, dict(most))
            return
        done = False
        while words[0] == "tighten":
            spread = self.weights(words[1:])
            # Once the case is refuted, the rest of the chain is only read.
            done = done or self.refuted(least, most, required, excluded, spread)
            words = self.next()
        spread = self.weights(words)
        demand(done or self.refuted(least, most, required, excluded, spread), "the weights leave games")
        self.cases += 1

    def refuted(self, least, most, required, excluded, spread):
        """True if the weights refute the case; otherwise they limit it."""
        losses = {hop: spread[a] + spread[b] - spread[c] for hop, (a, b, c) in self.hops.items()}
        needed = sum(spread[place] for place in self.last)
        for hop, loss in losses.items():
            demand(loss >= 0 or hop in most, "a hop gains weight and has no limit")
            needed += loss * (least.get(hop, 0) if loss >= 0 else most[hop])
        more, outside = self.fewer - len(required), spread[len(self.points)]
        if more < 0:
            return True
        free = [man for man in self.starts if man not in required and man not in excluded]
        heavy = sorted((max(spread[man], outside) for man in free), reverse=True) + [outside] * (more + 1)
        slack = sum(spread[man] for man in required) + sum(heavy[:more]) - needed
        if slack < 0:
            return True
        for man in free:
            if more == 0 or heavy[more - 1] - spread[man] > slack:
                excluded.add(man)
            elif spread[man] >= heavy[more - 1] and spread[man] - heavy[more] > slack:
                required.add(man)
        for hop, loss in losses.items():
            if loss > 0:
                limit = least.get(hop, 0) + slack // loss
                most[hop] = min(limit, most.get(hop, limit))
            elif loss < 0:
                least[hop] = max(least.get(hop, 0), most[hop] - slack // -loss)
        return any(count > most.get(hop, count) for hop, count in least.items())


def main():
    with open(sys.argv[1], encoding="ascii") as file:
        checker = Checker(file.read().splitlines())
    checker.case({}, {})
    demand(not checker.lines, "unexpected lines after the last case")
    print(f"M({checker.row}) >= {checker.fewer + 1}: {checker.cases} cases refuted by {len(checker.known)} weightings")


main()
