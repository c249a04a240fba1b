#!/usr/bin/env python3
"""Checks a certificate that a row needs at least so many men: a second checker, in integers, without code of the first.

    python3 entries/hexa-draughts/check.py results/hexa-draughts/row-7.certificate

The argument is in the documentation of `src/certificate.rs` and `src/tighten.rs`. Exit code 0 means accepted.
"""

import math
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
        self.startset = set(self.starts)
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

    def case(self, least, most, men, contradiction=False):
        """Checks the case with these bounds on hops and men, and all its subcases."""
        words = self.next()
        while words[0] == "tighten":
            # After a contradiction the rest of the chain is only read.
            spread = self.weights(words[1:])
            contradiction = contradiction or self.refuted(least, most, men, spread)
            words = self.next()
        if words[0] == "split":
            for more in (False, True):
                limits = [dict(least), dict(most), dict(men)]
                none = contradiction or self.limit(words, more, *limits) or self.unbalanced(*limits)
                self.case(*limits, none)
            return
        self.cases += 1
        if words[0] == "contradiction":
            demand(contradiction, "the limits of a case leave games")
        else:
            spread = self.weights(words)
            demand(contradiction or self.slack(least, most, men, spread)[0] < 0, "the weights leave games")

    def limit(self, words, more, least, most, men):
        """Limits the case to one side of a split; True if that contradicts its bounds."""
        ends = tuple(tuple(map(int, point.split(","))) for point in words[1].split(">"))
        if len(ends) == 1:
            man = self.index.get(ends[0])
            demand(man in self.startset and len(words) == 2, "a point of the window in rows up to 0 is expected")
            return men.setdefault(man, more) != more
        demand(ends in self.hops and len(words) == 3, "a hop that touches the window is expected")
        count = int(words[2])
        if more:
            least[ends] = max(count + 1, least.get(ends, 0))
        else:
            most[ends] = min(count, most.get(ends, count))
        return least.get(ends, 0) > most.get(ends, math.inf)

    def unbalanced(self, least, most, men):
        """Limits hops and men by the balances of the points: as many men come as leave, but for the last two. True if
        that is a contradiction."""
        while True:
            low, high = [-(place in self.last) for place in range(len(self.points) + 2)], [0] * (len(self.points) + 2)
            high[:] = low
            for man in self.starts:
                low[man] += men.get(man, 0)
                high[man] += men.get(man, 1)
            for hop, (start, over, to) in self.hops.items():
                few, many = least.get(hop, 0), most.get(hop, math.inf)
                for place, fewest, greatest in ((to, few, many), (start, -many, -few), (over, -many, -few)):
                    low[place] += fewest
                    high[place] += greatest
            for place in range(len(self.points), len(self.points) + 2):
                low[place], high[place] = -math.inf, math.inf  # points outside share one balance
            if max(low) > 0 or min(high) < 0:
                return True
            changed = False
            for man in self.starts:
                if man not in men and (low[man] > -1 or high[man] < 1):
                    # None may start there, or one must.
                    men[man], changed = low[man] <= -1, True
                    if low[man] > -1 and high[man] < 1:
                        return True
            for hop, (start, over, to) in self.hops.items():
                few, many = least.get(hop, 0), most.get(hop, math.inf)
                if few == many:
                    continue
                largest = few + min(-low[to], high[start], high[over])
                smallest = many - min(high[to], -low[start], -low[over]) if many < math.inf else few
                if largest < many:
                    most[hop], changed = largest, True
                if smallest > few:
                    least[hop], changed = smallest, True
                if max(few, smallest) > min(many, largest):
                    return True
            if not changed:
                return False

    def slack(self, least, most, men, spread):
        """The most that an army can weigh beyond what it needs, the loss of each hop, the number of men to choose, the
        men to choose from, and the weights of the heaviest."""
        losses = {hop: spread[a] + spread[b] - spread[c] for hop, (a, b, c) in self.hops.items()}
        needed = sum(spread[place] for place in self.last)
        for hop, loss in losses.items():
            demand(loss >= 0 or hop in most, "a hop gains weight and has no limit")
            needed += loss * (least.get(hop, 0) if loss >= 0 else most[hop])
        required = [man for man, there in men.items() if there]
        more, outside = self.fewer - len(required), spread[len(self.points)]
        free = [man for man in self.starts if man not in men]
        heavy = sorted((max(spread[man], outside) for man in free), reverse=True) + [outside] * (more + 1)
        weighs = sum(spread[man] for man in required) + sum(heavy[:max(more, 0)])
        return (weighs - needed if more >= 0 else -1), losses, more, free, heavy

    def refuted(self, least, most, men, spread):
        """True if the weights refute the case; otherwise they limit it, and then the balances do."""
        slack, losses, more, free, heavy = self.slack(least, most, men, spread)
        if slack < 0:
            return True
        for man in free:
            if more == 0 or heavy[more - 1] - spread[man] > slack:
                men[man] = False
            elif spread[man] >= heavy[more - 1] and spread[man] - heavy[more] > slack:
                men[man] = True
        for hop, loss in losses.items():
            if loss > 0:
                limit = least.get(hop, 0) + slack // loss
                most[hop] = min(limit, most.get(hop, limit))
            elif loss < 0:
                least[hop] = max(least.get(hop, 0), most[hop] - slack // -loss)
        if any(count > most.get(hop, count) for hop, count in least.items()):
            return True
        return self.unbalanced(least, most, men)


def main():
    with open(sys.argv[1], encoding="ascii") as file:
        checker = Checker(file.read().splitlines())
    sys.setrecursionlimit(20_000)  # for deep trees
    checker.case({}, {}, {})
    demand(not checker.lines, "unexpected lines after the last case")
    print(f"M({checker.row}) >= {checker.fewer + 1}: {checker.cases} cases refuted by {len(checker.known)} weightings")


main()
