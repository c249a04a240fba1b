"""A case as columns with bounds: its relaxation, and what weightings and balances say about it."""

import math

import highspy
import numpy as np

from tighten import ANY, DECAY, distance

SCALE = 10**4  # of weights
PENALTY = 20_000.0  # of a man who is created or removed, in men; a relaxation is always feasible, and its weights finite


class NotProved(Exception):
    pass


def columns(case):
    """The bounds of the hops and of the men, in one array each."""
    least, most = (np.concatenate([hops, men.astype(np.int64)])
                   for hops, men in ((case.least, case.required), (case.most, case.allowed)))
    if most.max() >= ANY:
        raise NotProved("the weightings leave hops without a limit")
    return least, most


class Program:
    """The columns of a case that are free, hops before men, and the balances of the points: `matrix @ x == balance`."""

    def __init__(self, window, least, most, fewer):
        self.window, self.fewer, self.fixed_counts = window, fewer, least
        hops, points = len(window.hops), len(window.points)
        places = np.full((hops + len(window.starts), 3), points)
        places[:hops] = np.minimum(window.places.T, points)
        places[hops:, 0] = window.starts
        changes = np.zeros(places.shape)
        changes[:hops], changes[hops:, 0] = (-1, -1, 1), 1
        changes[places == points] = 0
        self.free, self.fixed = np.nonzero(least < most)[0], np.nonzero(least == most)[0]
        self.balances = np.zeros(points + 1)
        self.balances[window.last] = 1
        np.subtract.at(self.balances, places[self.fixed], changes[self.fixed] * least[self.fixed][:, None])
        self.places, changes = places[self.free], changes[self.free]
        self.size, self.points = len(self.free), points
        self.matrix = np.zeros((points + 1, self.size))
        np.add.at(self.matrix, (self.places, np.arange(self.size)[:, None]), changes)
        self.matrix[points] = self.balances[points] = 0
        self.size_of = abs(self.matrix)
        self.comes, self.beyond = changes > 0, np.where(changes == 0, 1e9, 0.0)
        self.man = self.free >= hops
        self.least, self.most = least[self.free].astype(float), most[self.free].astype(float)
        self.highs, self.bounds = self.relaxation(), (self.least.copy(), self.most.copy())

    def relaxation(self):
        """The linear program of the fewest men: the free columns, the men outside the window, and penalties."""
        window, points = self.window, self.points
        ratio = DECAY[0] / DECAY[1]

        def tail(hop):
            outside = [(p, sign) for p, sign in zip(window.hops[hop], (-1, -1, 1)) if p not in window.index]
            return sum(sign * ratio ** (distance(p, window.goal) - window.radius) for p, sign in outside)

        hops = len(window.hops)
        matrix = self.matrix.copy()
        matrix[points] = [tail(column) if column < hops else 0.0 for column in self.free]
        settled = sum(self.fixed_counts[hop] * tail(hop) for hop in self.fixed if hop < hops and self.fixed_counts[hop])
        live = np.nonzero(self.size_of.any(axis=1))[0]
        penalties = np.eye(points + 1)[:, live]
        matrix = np.hstack([matrix, ratio * np.eye(points + 1)[:, points:], penalties, -penalties])
        program = highspy.HighsLp()
        program.num_row_, program.num_col_ = matrix.shape
        more = 2 * len(live)
        program.col_cost_ = np.concatenate([self.man.astype(float), [1.0], np.full(more, PENALTY)])
        program.col_lower_ = np.concatenate([self.least, np.zeros(1 + more)])
        program.col_upper_ = np.concatenate([self.most, np.full(1 + more, math.inf)])
        program.row_lower_, program.row_upper_ = self.balances.copy(), self.balances.copy()
        program.row_lower_[points], program.row_upper_[points] = -settled, math.inf
        program.offset_ = float(self.fixed_counts[self.fixed[self.fixed >= hops]].sum())
        rows, columns = np.nonzero(matrix.T)[::-1]
        program.a_matrix_.start_ = np.append(np.searchsorted(columns, np.arange(program.num_col_)), len(columns))
        program.a_matrix_.index_, program.a_matrix_.value_ = rows.astype(np.int32), matrix[rows, columns]
        highs = highspy.Highs()
        for option, value in (("output_flag", False), ("threads", 1), ("presolve", "off")):
            highs.setOptionValue(option, value)
        highs.passModel(program)
        return highs

    def solve(self, least, most):
        """The fewest men of the relaxation with these bounds."""
        changed = np.nonzero((least != self.bounds[0]) | (most != self.bounds[1]))[0]
        if len(changed):
            self.highs.changeColsBounds(len(changed), changed.astype(np.int32), least[changed], most[changed])
            self.bounds = (least.copy(), most.copy())
        self.highs.run()
        return self.highs.getInfo().objective_function_value

    def solution(self):
        """The counts of the last relaxation, and its weighting in integers."""
        solution = self.highs.getSolution()
        dual = np.array(solution.row_dual)
        weights = np.rint(dual[:self.points] * SCALE).astype(np.int64)
        return np.array(solution.col_value)[:self.size], (math.ceil(max(dual[self.points], 0.0) * SCALE), weights)

    def costs(self, weighting):
        """What each free column costs by a weighting, and the most that all together may cost, for the least counts of
        columns with a cost and the most counts of the others. Whole numbers below 2^53, exact as floats."""
        tail, weights = weighting
        spread = np.concatenate([weights * 3025, [tail * 34 * 55, tail * 34 * 34]])
        start, over, to = self.window.places
        # What the lightest man of an army weighs; the checker finds the best value.
        man = max(SCALE * 3025, int(spread[self.points]))
        costs = np.concatenate([spread[start] + spread[over] - spread[to], man - spread[self.window.starts]])
        settled = (costs[self.fixed] * self.fixed_counts[self.fixed]).sum()
        return costs[self.free].astype(float), float(man * self.fewer - spread[self.window.last].sum() - settled)

    def balance(self, least, most):
        """Limits the columns by the balances; False if that is a contradiction."""
        while True:
            middle, half = self.matrix @ ((least + most) / 2) - self.balances, self.size_of @ ((most - least) / 2)
            # How far the least men at a point are below what it needs, and the most above.
            below, above = half - middle, half + middle
            below[self.points] = above[self.points] = 1e9
            if below.min() < 0 or above.min() < 0:
                return False
            below, above = below[self.places], above[self.places]
            up = (np.where(self.comes, below, above) + self.beyond).min(axis=1)
            down = (np.where(self.comes, above, below) + self.beyond).min(axis=1)
            fewest, greatest = np.maximum(least, most - down), np.minimum(most, least + up)
            if (fewest > greatest).any():
                return False
            if (fewest == least).all() and (greatest == most).all():
                return True
            least[:], most[:] = fewest, greatest


def apply(costs, budget, least, most):
    """Limits the columns by a weighting; the number of changes, or -1 if it refutes the case."""
    slack = budget - (costs * np.where(costs > 0, least, most)).sum()
    if slack < 0:
        return -1
    spare = np.floor(slack / np.maximum(abs(costs), 1e-9))
    fewest = np.where(costs < 0, np.maximum(least, most - spare), least)
    greatest = np.where(costs > 0, np.minimum(most, least + spare), most)
    if (fewest > greatest).any():
        return -1
    changes = int((fewest != least).sum() + (greatest != most).sum())
    least[:], most[:] = fewest, greatest
    return changes
