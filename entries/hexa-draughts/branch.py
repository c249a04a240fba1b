#!/usr/bin/env python3
"""Proves that no army of fewer than MEN men reaches ROW, by tightening and by splitting cases, and writes the certificate.

    python3 -m venv venv && venv/bin/pip install highspy numpy
    venv/bin/python entries/hexa-draughts/branch.py 7 145 15 row-7.certificate
    entries/target/release/hexa-certificate check row-7.certificate

The chain of `tighten.py` limits the first case. Then branch and bound: the dual solution of a linear relaxation, rounded to
integers, refutes a case or limits it; so do the weightings of other cases, which are tried first, and the balances of the
points. A case that is left is split by the hop or man whose two cases have the highest bounds (strong branching; later the
mean of former gains, if a hop or man has enough of them). A part of the proof ends after some cases; then its case is split,
and each half becomes a part of its own, with fewer free hops and with gains of its own. Processes work on parts side by side.
Finished parts are kept in FILE.parts, and the same command continues from them; they are pickles, so use only your own. Finally the proof is shortened.

Nothing here has to be trusted: the checkers use integers only.
"""

import heapq
import multiprocessing
import os
import pickle
import queue
import sys
import time

import numpy as np

import tighten
from program import NotProved, Program, apply, columns
from shorten import Shortening, lines_of, links
from tighten import ANY, Window, header

PART = 100  # cases of a part, before it is split
POOL = 400  # weightings that a part tries before it solves a relaxation
RELAXATIONS = 2  # of a case, each with the limits of the last one
CANDIDATES = 60  # for strong branching
RELIABLE = 16  # gains of a column, after which their mean is good enough
WIDE = 6  # splits from the first case of a part for which all columns are candidates
LEAST_GAIN = 1e-3
REFUTED = 3.0  # the gain of a branch that is refuted
MOST_USED = 500  # weightings that are tried on each case when a proof is shortened


class PartTooLarge(Exception):
    pass


class Pool:
    """Weightings that are tried on each case; the one not used for the longest time makes room for a new one."""

    def __init__(self, size):
        self.costs, self.sizes = np.zeros((POOL, size)), np.zeros((POOL, size))
        self.budgets, self.names, self.used = np.zeros(POOL), np.zeros(POOL, dtype=np.int64), np.zeros(POOL, dtype=np.int64)
        self.count = self.clock = 0

    def add(self, name, costs, budget):
        place = self.count if self.count < POOL else int(self.used.argmin())
        self.count = min(self.count + 1, POOL)
        self.costs[place], self.sizes[place], self.budgets[place], self.names[place] = costs, abs(costs), budget, name
        self.use(place)

    def use(self, place):
        self.clock += 1
        self.used[place] = self.clock
        return int(self.names[place])

    def slacks(self, least, most):
        costs, sizes = self.costs[:self.count], self.sizes[:self.count]
        return self.budgets[:self.count] - costs @ ((least + most) / 2) + sizes @ ((most - least) / 2)



class Search:
    """Branch and bound of a part."""

    def __init__(self, program, weightings, limit=None):
        self.program, self.weightings, self.limit, self.cases = program, weightings, limit, 0
        self.gains, self.tries = np.zeros((2, program.size)), np.zeros((2, program.size))
        self.pool = Pool(program.size)
        for name in range(max(0, len(weightings) - POOL * 2 // 3), len(weightings)):
            self.pool.add(name, *program.costs(weightings[name]))

    def refuted_by_pool(self, least, most, chain):
        """Limits a case by the weightings of the pool and by the balances; True if that refutes it."""
        program, pool = self.program, self.pool
        while pool.count:
            slacks = pool.slacks(least, most)
            best = int(slacks.argmin())
            if slacks[best] < 0:
                chain.append(pool.use(best))
                return True
            near = np.argsort(slacks)[:60]
            near = near[(pool.sizes[near] * (most > least) > slacks[near][:, None]).any(axis=1)][:8]
            changed = 0
            for place in near:
                done = apply(pool.costs[place], pool.budgets[place], least, most)
                if done:
                    chain.append(pool.use(place))
                if done < 0:
                    return True
                changed += done
            if not changed:
                return False
            if not program.balance(least, most):
                return True
        return False

    def refuted(self, least, most, chain):
        """Limits a case by all means. None if that refutes it; otherwise the fewest men and the counts of its relaxation."""
        program = self.program
        if not program.balance(least, most) or self.refuted_by_pool(least, most, chain):
            return None
        for _ in range(RELAXATIONS):
            men = program.solve(least, most)
            counts, weighting = program.solution()
            costs, budget = program.costs(weighting)
            done = apply(costs, budget, least, most)
            if done == 0:
                return men, counts
            chain.append(len(self.weightings))
            self.pool.add(len(self.weightings), costs, budget)
            self.weightings.append(weighting)
            if done < 0 or not program.balance(least, most) or self.refuted_by_pool(least, most, chain):
                return None
        men = program.solve(least, most)
        return men, program.solution()[0]

    def gain(self, least, most, men, free):
        """How much a branch raises the bound, plus the share of the free columns that it fixes."""
        program = self.program
        if not program.balance(least, most):
            return REFUTED
        bound = program.solve(least, most)
        if bound > program.fewer + 0.005:
            return REFUTED
        apply(*program.costs(program.solution()[1]), least, most)
        program.balance(least, most)
        return max(bound - men, 0.0) + 1 - int((most > least).sum()) / free

    def branch(self, least, most, men, counts, depth):
        """The column to split by, the most of its first case, and which case to search first."""
        program = self.program
        below = np.floor(counts)
        share = counts - below
        candidates = np.nonzero((share > 1e-6) & (share < 1 - 1e-6) & (most > least))[0]
        if not len(candidates):
            raise NotProved(f"the window allows hop counts with {men:.0f} men; try a wider one")
        parts = np.array([share, 1 - share])[:, candidates]
        tries = self.tries[:, candidates]
        mean = (self.gains.sum(axis=1) / np.maximum(self.tries.sum(axis=1), 1))[:, None]
        expected = np.where(tries > 0, self.gains[:, candidates] / np.maximum(tries, 1), mean) * parts
        centre = 0.5 + parts.min(axis=0)
        scores = np.maximum(expected, LEAST_GAIN).prod(axis=0) * centre
        free, basis, left = max(int((most > least).sum()), 1), None, len(candidates) if depth <= WIDE else CANDIDATES
        best = None
        for place in np.argsort(-scores)[:max(left, 20)]:
            column, gains, score = candidates[place], expected[:, place], scores[place]
            if left and tries[:, place].min() < RELIABLE:
                left -= 1
                if basis is None:
                    program.solve(least, most)
                    basis = program.highs.getBasis()
                gains = []
                for side in (0, 1):
                    bounds = least.copy(), most.copy()
                    bounds[1 - side][column] = below[column] + side
                    gains.append(self.gain(*bounds, men, free))
                    program.highs.setBasis(basis)
                    self.learn(column, side, gains[side] / parts[side, place])
                score = max(gains[0], LEAST_GAIN) * max(gains[1], LEAST_GAIN) * centre[place]
            if best is None or score > best[0]:
                best = score, int(column), int(below[column]), int(gains[1] > gains[0])
        return best[1:]

    def learn(self, column, side, gain):
        self.gains[side, column] += gain
        self.tries[side, column] += 1

    def case(self, least, most, depth=0, split=None):
        """The tree of a case, whose bounds are changed. `split` is how the case came about: column, side, distance, and
        the men and free columns of the case above."""
        program, chain = self.program, []
        self.cases += 1
        if self.limit and self.cases > self.limit:
            raise PartTooLarge
        relaxed = self.refuted(least, most, chain)
        if relaxed is None:
            return "leaf", chain
        men, counts = relaxed
        free = max(int((most > least).sum()), 1)
        if split:
            column, side, away, before, freer = split
            self.learn(column, side, min(max(men - before, 0) + 1 - free / freer, REFUTED) / away)
        column, below, first = self.branch(least, most, men, counts, depth)
        cases = [None, None]
        for side in (first, 1 - first):
            bounds = least.copy(), most.copy()
            bounds[1 - side][column] = below + side
            away = max(below + 1 - counts[column] if side else counts[column] - below, 1e-3)
            cases[side] = self.case(*bounds, depth + 1, (column, side, away, men, free))
            if side == first:
                # What the first case taught may refute the whole case.
                if not program.balance(least, most) or self.refuted_by_pool(least, most, chain):
                    return "leaf", chain
        return "split", chain, int(program.free[column]), below, *cases


shared = {"window": None, "weightings": []}  # of a process: what former parts taught


def part(name, least, most, fewer, row, radius):
    """Searches a part. Returns its name, its tree or its split, the weightings of its chains, and the number of cases."""
    sys.setrecursionlimit(100_000)
    window = shared["window"] = shared["window"] or Window(row, radius)
    program, weightings = Program(window, least, most, fewer), list(shared["weightings"])
    search, cases = Search(program, weightings, PART), 0
    try:
        result = search.case(program.least.copy(), program.most.copy())
    except PartTooLarge:
        search, cases = Search(program, weightings), PART
        chain, bounds = [], (program.least.copy(), program.most.copy())
        relaxed = search.refuted(*bounds, chain)
        if relaxed is None:
            result = "leaf", chain
        else:
            column, below, _ = search.branch(*bounds, *relaxed, 0)
            column = int(program.free[column])
            halves = []
            for side in (0, 1):
                limits = least.copy(), most.copy()
                for limit, bound in zip(limits, bounds):
                    limit[program.free] = bound.astype(np.int64)
                limits[1 - side][column] = below + side
                halves.append(limits)
            result = "parts", chain, column, below, *halves
    shared["weightings"] = weightings[-3 * POOL // 2:]
    return name, result, {link: weightings[link] for link in links(result)}, cases + search.cases


def search_all(folder, least, most, fewer, row, radius):
    """Searches all parts, several at a time, and keeps each in a file of the folder."""
    begun, open_parts, running, done, cases = time.time(), [(0, "r", least, most)], 0, 0.0, 0
    finished = queue.Queue()
    workers = len(os.sched_getaffinity(0))
    with multiprocessing.Pool(workers) as pool:
        while open_parts or running:
            while open_parts and running < workers:
                _, name, *bounds = heapq.heappop(open_parts)
                file = os.path.join(folder, name)
                running += 1
                if os.path.exists(file):
                    finished.put(load(file))
                else:
                    pool.apply_async(part, (name, *bounds, fewer, row, radius), callback=finished.put, error_callback=finished.put)
            result = finished.get()
            running -= 1
            if isinstance(result, BaseException):
                raise result
            name, tree, _, count = result
            save(os.path.join(folder, name), result)
            cases += count
            if tree[0] == "parts":
                # The deepest parts first, so that few are open.
                for side in (0, 1):
                    heapq.heappush(open_parts, (-len(name), f"{name}{side}", *tree[4 + side]))
            else:
                done += 0.5 ** (len(name) - 1)
            print(f"\r{time.time() - begun:.0f} s: {cases} cases, {100 * done:.3f} % of the splits done, {len(open_parts)} parts open ",
                  end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def save(file, value):
    with open(file + ".new", "wb") as new:
        pickle.dump(value, new)
    os.replace(file + ".new", file)


def load(file):
    try:
        with open(file, "rb") as kept:
            return pickle.load(kept)
    except (EOFError, pickle.UnpicklingError) as error:
        raise NotProved(f"{file} is damaged; remove it, and repeat the command") from error


def assembled(folder, weightings, name="r"):
    """The tree of a part and all that it was split into; appends its weightings."""
    _, tree, used, _ = load(os.path.join(folder, name))
    numbers = {}
    for link in sorted(used):
        numbers[link] = len(weightings)
        weightings.append(used[link])

    def renamed(node):
        chain = [numbers[link] for link in node[1]]
        if node[0] == "leaf":
            return "leaf", chain
        if node[0] == "parts":
            return "split", chain, *node[2:4], *(assembled(folder, weightings, f"{name}{side}") for side in (0, 1))
        return "split", chain, *node[2:4], *map(renamed, node[4:])

    return renamed(tree)


def begin(window, claim, file):
    """The limits of the first case, its chain, and whether that refutes it; kept in a file."""
    if os.path.exists(file):
        former, *begun = load(file)
        if former != claim:
            sys.exit(f"{os.path.dirname(file)} has the parts of another claim; remove it, or name another certificate")
        return begun
    case, chain, refuted = tighten.tighten(window, claim[1] - 1)
    if refuted:
        bounds, chain = None, tighten.refutation(window, claim[1] - 1, chain)
    else:
        bounds = columns(case)

        def enough(shorter):
            limited = tighten.Case(window, claim[1] - 1)
            for link in shorter:
                limited.tighten(*link)
            return all((new == old).all() for new, old in zip(columns(limited), bounds)) if limited.most.max() < ANY else False

        chain = tighten.shortened(chain, enough)
    save(file, (claim, bounds, chain, refuted))
    return bounds, chain, refuted


def main():
    given = tighten.arguments(__doc__)
    row, men, radius = claim = given.row, given.men, given.radius
    file, folder = given.certificate, given.certificate + ".parts"
    sys.setrecursionlimit(100_000)
    os.makedirs(folder, exist_ok=True)
    window = Window(row, radius)
    bounds, chain, refuted = begin(window, claim, os.path.join(folder, "first"))
    if refuted:
        tree, weightings, chain = ("leaf", [0], True), chain[-1:], chain[:-1]
    else:
        search_all(folder, *bounds, men - 1, row, radius)
        weightings = []
        shortening = Shortening(Program(window, *bounds, men - 1), assembled(folder, weightings), weightings)
        for _ in range(3):
            shortening.run(MOST_USED)
            print(f"shortened to {len(links(shortening.tree))} uses of {len(set(links(shortening.tree)))} weightings",
                  file=sys.stderr, flush=True)
        tree = shortening.tree
    lines = header(window, men) + lines_of(tree, weightings, window, chain)
    tighten.write(file, lines)
    print(f"{file}: M({row}) >= {men}, {len(lines)} lines; not checked yet")


if __name__ == "__main__":
    try:
        main()
    except NotProved as error:
        sys.exit(f"not proved: {error}")
