#!/usr/bin/env python3
"""Proves that no army of fewer than MEN men reaches ROW, by a chain of weightings, and writes the certificate.

    python3 -m venv venv && venv/bin/pip install highspy numpy
    venv/bin/python entries/hexa-draughts/tighten.py 7 144 15 row-7.certificate
    entries/target/release/hexa-certificate check row-7.certificate

For each hop and each man, HiGHS maximises and minimises the count over the linear relaxation with at most MEN - 1 men. The
dual solution is a weight for each point. Rounded to integers, the weights limit this count and all others by their slack,
exactly as `src/tighten.rs` does it. Limits make the next relaxations tighter. The chain ends when weights refute the case.
Finally, weightings that are not needed are left out. Nothing here has to be trusted: the checker uses integers only.
"""

import argparse
import math
import os
import sys

import highspy
import numpy as np

DECAY = (34, 55)
SCALE = 10**6  # of weights
ANY = 10**6  # the most hops, if there is no limit
ROUNDS = 6
PENALTY = 3000.0  # of a man who is created or removed; makes every relaxation feasible, and its weights finite


def distance(a, b):
    rows, columns = abs(a[0] - b[0]), abs(a[1] - b[1])
    return rows + max((columns - rows) // 2, 0)


class Window:
    """The points within a radius of the goal, in the order of the certificate, and the hops that touch them."""

    def __init__(self, row, radius):
        self.row, self.radius, self.goal = row, radius, (row, row % 2)
        self.points = [p for p in self.within(radius) if p[0] < row]
        self.index = {point: number for number, point in enumerate(self.points)}
        self.hops = []
        for to in self.within(radius + 2):
            for rows, columns in ((0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)):
                hop = ((to[0] + 2 * rows, to[1] + 2 * columns), (to[0] + rows, to[1] + columns), to)
                if max(p[0] for p in hop) < row and min(distance(p, self.goal) for p in hop) <= radius:
                    self.hops.append(hop)
        self.starts = np.array([n for n, p in enumerate(self.points) if p[0] <= 0])
        self.places = np.array([[self.place(p) for p in hop] for hop in self.hops]).T
        self.last = [self.index[(row - back, self.goal[1] - back)] for back in (2, 1)]

    def within(self, radius):
        row, column = self.goal
        square = ((r, c) for r in range(row - radius, row + radius + 1)
                  for c in range(column - 2 * radius, column + 2 * radius + 1))
        return [p for p in square if (p[0] + p[1]) % 2 == 0 and distance(p, self.goal) <= radius]

    def place(self, point):
        return self.index.get(point, len(self.points) + (distance(point, self.goal) > self.radius + 1))


class Case:
    """Limits of hops and men; `tighten` as in `src/tighten.rs`."""

    def __init__(self, window, fewer):
        self.window, self.fewer = window, fewer
        hops, men = len(window.hops), len(window.starts)
        self.least, self.most = np.zeros(hops, dtype=np.int64), np.full(hops, ANY, dtype=np.int64)
        self.required, self.allowed = np.zeros(men, dtype=bool), np.ones(men, dtype=bool)

    def slack(self, tail, weights):
        """The slack, the losses and the weights by place; None if a hop gains weight without limit."""
        spread = np.concatenate([weights * 3025, [tail * 34 * 55, tail * 34 * 34]])
        start, over, to = self.window.places
        loss = spread[start] + spread[over] - spread[to]
        if (self.most[loss < 0] >= ANY).any():
            return None
        needed = spread[self.window.last].sum() + (loss * np.where(loss < 0, self.most, self.least)).sum()
        men, outside = spread[self.window.starts], spread[len(weights)]
        free = self.allowed & ~self.required
        more = max(self.fewer - int(self.required.sum()), 0)
        heavy = np.maximum(np.sort(men[free])[::-1], outside)
        heavy = np.concatenate([heavy, np.full(max(more + 1 - len(heavy), 0), outside)])
        army = men[self.required].sum() + heavy[:more].sum()
        return int(army - needed), loss, (men, free, heavy, more)

    def tighten(self, tail, weights):
        """True if the weights refute the case, else the number of changed limits; None if they are not valid."""
        found = self.slack(tail, weights)
        if found is None:
            return None
        slack, loss, (men, free, heavy, more) = found
        if slack < 0 or self.required.sum() > self.fewer:
            return True
        before = [limit.copy() for limit in (self.least, self.most, self.required, self.allowed)]
        if more == 0:
            self.allowed[free] = False
        else:
            lightest, following = heavy[more - 1], heavy[more]
            self.allowed[free & (lightest - men > slack)] = False
            self.required[free & (men >= lightest) & (men - following > slack)] = True
        spare = slack // np.maximum(abs(loss), 1)
        self.most = np.where(loss > 0, np.minimum(self.most, self.least + spare), self.most)
        self.least = np.where(loss < 0, np.maximum(self.least, self.most - spare), self.least)
        if (self.least > self.most).any():
            return True
        after = (self.least, self.most, self.required, self.allowed)
        return sum(int((old != new).sum()) for old, new in zip(before, after))


class Relaxation:
    """The linear relaxation with at most `fewer` men: columns for hops, men, and the men outside the window."""

    def __init__(self, window, fewer):
        points, goal, ratio = len(window.points), window.goal, DECAY[0] / DECAY[1]
        columns = []
        for hop in window.hops:
            terms = {}
            for point, change in zip(hop, (-1, -1, 1)):
                inside = point in window.index
                row = window.index[point] if inside else points
                terms[row] = terms.get(row, 0) + change * (1 if inside else ratio ** (distance(point, goal) - window.radius))
            columns.append((0.0, math.inf, terms))
        columns += [(0.0, 1.0, {int(start): 1.0, points + 1: 1.0}) for start in window.starts]
        columns.append((0.0, math.inf, {points: ratio, points + 1: 1.0}))
        columns += [(PENALTY, math.inf, {row: sign}) for row in range(points) for sign in (1.0, -1.0)]
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = len(columns), points + 2
        program.col_cost_ = np.array([cost for cost, _, _ in columns])
        program.col_lower_ = np.zeros(len(columns))
        program.col_upper_ = np.array([upper for _, upper, _ in columns])
        lower = np.zeros(points + 2)
        lower[window.last] = 1.0
        upper = lower.copy()
        upper[points], lower[points + 1], upper[points + 1] = math.inf, -math.inf, fewer
        program.row_lower_, program.row_upper_ = lower, upper
        entries = [(row, value) for _, _, terms in columns for row, value in terms.items()]
        program.a_matrix_.start_ = np.cumsum([0] + [len(terms) for _, _, terms in columns])
        program.a_matrix_.index_ = np.array([row for row, _ in entries])
        program.a_matrix_.value_ = np.array([float(value) for _, value in entries])
        self.points, self.highs, self.limits = points, highspy.Highs(), None
        self.highs.setOptionValue("output_flag", False)
        self.highs.setOptionValue("threads", 1)
        self.highs.passModel(program)

    def limit(self, case):
        lower = np.concatenate([case.least, case.required]).astype(float)
        upper = np.concatenate([np.where(case.most >= ANY, math.inf, case.most), case.allowed]).astype(float)
        if self.limits is None:
            self.limits = (np.full(len(lower), -1.0), np.full(len(upper), -1.0))
        changed = np.nonzero((lower != self.limits[0]) | (upper != self.limits[1]))[0]
        if len(changed):
            self.highs.changeColsBounds(len(changed), changed.astype(np.int32), lower[changed], upper[changed])
            self.limits = (lower, upper)

    def weights(self, case, column, sign):
        """Solves for the least `sign` times a column; returns integer weights that are valid for the case, or None."""
        self.limit(case)
        self.highs.changeColCost(column, float(sign))
        self.highs.run()
        dual = np.array(self.highs.getSolution().row_dual)
        self.highs.changeColCost(column, 0.0)
        weights = np.rint(dual[:self.points] * SCALE).astype(np.int64)
        tail = math.ceil(max(dual[self.points], 0.0) * SCALE)
        # A constant makes every hop lose as much more, which covers the rounding.
        for more in range(5):
            raised = (tail + 2 * more if tail or more else 0, weights + more)
            if case.slack(*raised) is not None:
                return raised
        return None


def refutes(window, fewer, chain):
    """The number of weightings of a chain after which the case is refuted, or None."""
    case = Case(window, fewer)
    return next((number + 1 for number, link in enumerate(chain) if case.tighten(*link) is True), None)


def tighten(window, fewer):
    """The case of `fewer` men, limited by a chain of weightings; the chain; and whether it refutes the case."""
    case, relaxation, chain = Case(window, fewer), Relaxation(window, fewer), []
    hops, men = len(window.hops), len(window.starts)
    for number in range(ROUNDS):
        tries = [(hop, -1) for hop in range(hops)] + [(hops + man, sign) for man in range(men) for sign in (-1, 1)]
        changed = 0
        for column, sign in tries + [(hop, 1) for hop in range(hops)]:
            man = column - hops
            fixed = case.least[column] == case.most[column] if man < 0 else case.required[man] or not case.allowed[man]
            link = None if fixed else relaxation.weights(case, column, sign)
            done = link and case.tighten(*link)
            if done:
                chain.append(link)
            if done is True:
                return case, chain, True
            changed += done or 0
        free = int((case.least < case.most).sum())
        print(f"round {number + 1}: {changed} changes, {free} hops and {int((case.allowed & ~case.required).sum())} men free",
              file=sys.stderr, flush=True)
        if not changed:
            break
    return case, chain, False


def shortened(chain, enough):
    """The chain without links that are not needed: halves, quarters and so on are left out if the rest is enough."""
    size = len(chain) // 2
    while size:
        begin = len(chain) - 1 - size
        while begin >= 0:
            shorter = chain[:begin] + chain[begin + size:]
            if enough(shorter):
                chain = shorter
            begin = min(begin - size, len(chain) - 1 - size)
        size //= 2
    return chain


def refutation(window, fewer, chain):
    """A chain that refutes the case, without links that are not needed."""
    chain = shortened(chain[:refutes(window, fewer, chain)], lambda shorter: refutes(window, fewer, shorter))
    return chain[:refutes(window, fewer, chain)]


def header(window, men):
    return ["certificate of hexa-draughts", f"row {window.row}", f"claim at-least {men}", f"radius {window.radius}"]


def line(weighting):
    """The words of a certificate for a weighting: the weight outside the window, and those of its points."""
    tail, weights = weighting
    return " ".join(["weights", str(int(tail)), *map(str, weights.tolist())])


def arguments(what):
    """The arguments of a tool that proves: row, men, radius and the certificate."""
    parser = argparse.ArgumentParser(description=what, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("row", type=int, help="the row to reach")
    parser.add_argument("men", type=int, help="the number of men that it needs")
    parser.add_argument("radius", type=int, help="the window: all points at most this many steps from the goal")
    parser.add_argument("certificate", help="the file to write")
    given = parser.parse_args()
    if not (1 <= given.row <= 20 and 1 <= given.men <= 10_000 and 2 <= given.radius <= 40):
        parser.error("expected a row from 1 to 20, 1 to 10000 men, and a radius from 2 to 40")
    return given


def write(file, lines):
    """Writes a whole file or none."""
    with open(file + ".new", "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")
    os.replace(file + ".new", file)


def main():
    given = arguments(__doc__)
    row, men = given.row, given.men
    window = Window(row, given.radius)
    _, chain, refuted = tighten(window, men - 1)
    if not refuted:
        sys.exit("not proved: the weightings leave games; `branch.py` splits cases")
    chain = refutation(window, men - 1, chain)
    write(given.certificate, header(window, men) + ["tighten " + line(link) for link in chain[:-1]] + [line(chain[-1])])
    print(f"{given.certificate}: M({row}) >= {men}, a chain of {len(chain)} weightings; not checked yet")


if __name__ == "__main__":
    main()
