"""Shortens a proof by `branch.py`, and writes its lines.

A tree is ("leaf", chain) or ("split", chain, column, most, fewer, more); a chain is a list of numbers of weightings.
"""

import numpy as np

from program import apply
from tighten import line


def links(tree):
    """All weightings of a tree, each as often as it is used."""
    waiting, found = [tree], []
    while waiting:
        node = waiting.pop()
        found += node[1]
        waiting += node[4:] if node[0] == "split" else []
    return found


class Shortening:
    """Repeats a proof with the weightings that refute the most cases, and leaves out what is not needed. The last link of a
    leaf's chain refutes it, or after the chain the balances do: ("leaf", chain, True) or ("leaf", chain, False)."""

    def __init__(self, program, tree, weightings):
        self.program, self.tree = program, tree
        self.position = {int(column): place for place, column in enumerate(program.free)}
        self.costs, self.budgets = map(np.array, zip(*(program.costs(weighting) for weighting in weightings)))

    def run(self, most_used):
        uses = np.bincount(links(self.tree), minlength=len(self.budgets))
        self.first = np.argsort(-uses, kind="stable")[:most_used]
        self.first_costs, self.first_budgets = self.costs[self.first], self.budgets[self.first]
        self.first_sizes = abs(self.first_costs)
        self.tree = self.case(self.tree, self.program.least.copy(), self.program.most.copy())

    def applied(self, chain, least, most):
        """Applies a chain: the links that change something, and a leaf if it refutes the case."""
        kept = []
        for link in chain:
            done = apply(self.costs[link], self.budgets[link], least, most)
            if done:
                kept.append(link)
            if done < 0 or done and not self.program.balance(least, most):
                return kept, ("leaf", kept, done < 0)
        return kept, None

    def needed(self, leaf, least, most):
        """A leaf of the same case, without links that are not needed."""
        for link in reversed(leaf[1]):
            _, shorter = self.applied([link], least.copy(), most.copy())
            if shorter:
                return shorter
        place = 0
        while place < len(leaf[1]) <= 12:
            _, shorter = self.applied(leaf[1][:place] + leaf[1][place + 1:], least.copy(), most.copy())
            leaf, place = (shorter, place) if shorter else (leaf, place + 1)
        return leaf

    def case(self, node, least, most):
        if (least > most).any() or not self.program.balance(least, most):
            return "leaf", [], False
        slacks = self.first_budgets - self.first_costs @ ((least + most) / 2) + self.first_sizes @ ((most - least) / 2)
        refuting = np.nonzero(slacks < 0)[0]
        if len(refuting):
            return "leaf", [int(self.first[refuting[0]])], True
        before = least.copy(), most.copy()
        chain, leaf = self.applied(node[1], least, most)
        if leaf:
            return self.needed(leaf, *before)
        _, _, column, below, *cases = node
        for side in (0, 1):
            bounds = least.copy(), most.copy()
            limit, place = bounds[1 - side], self.position[column]
            limit[place] = max(limit[place], below + 1) if side else min(limit[place], below)
            cases[side] = self.case(cases[side], *bounds)
            if cases[side][0] == "leaf":
                # What refutes one case may refute both.
                more, leaf = self.applied(cases[side][1], least.copy(), most.copy())
                if leaf:
                    return self.needed(("leaf", chain + more, leaf[2]), *before)
        return "split", chain, column, below, *cases


def lines_of(tree, weightings, window, chain):
    """The lines of a certificate after its header: the chain of the first case, and the tree."""
    known, lines = {}, ["tighten " + line(link) for link in chain]

    def words(link):
        if link in known:
            return f"same {known[link]}"
        known[link] = len(chain) + len(known) + 1
        return line(weightings[link])

    def name(point):
        return f"{point[0]},{point[1]}"

    def add(node):
        last = node[1][-1:] if node[0] == "leaf" and node[2] else []
        lines.extend("tighten " + words(link) for link in node[1][:len(node[1]) - len(last)])
        if node[0] == "leaf":
            lines.append(words(last[0]) if last else "contradiction")
            return
        _, _, column, below, fewer, more = node
        if column < len(window.hops):
            start, _, to = window.hops[column]
            lines.append(f"split {name(start)}>{name(to)} {below}")
        else:
            lines.append(f"split {name(window.points[window.starts[column - len(window.hops)]])}")
        add(fewer)
        add(more)

    add(tree)
    return lines
