"""After scrunch, the winner of 2004: a local search by 2-opt. Where it is stuck, it makes some edges of the way dearer, long ones first,
and goes on; the shortest way that it passed counts.
"""

import sys

from nearest_nut import far, nearest, read, walk

PASSES = 150


def length(order):
    return sum(far(a, b) for a, b in zip(order, order[1:]))


def improve(order, cost):
    """2-opt: turns parts of the way around, as long as that makes it cheaper."""
    better = True
    while better:
        better = False
        for first in range(1, len(order) - 1):
            for last in range(first + 1, len(order)):
                before = cost(order[first - 1], order[first])
                after = cost(order[first - 1], order[last])
                if last + 1 < len(order):
                    before += cost(order[last], order[last + 1])
                    after += cost(order[first], order[last + 1])
                if after < before - 1e-9:
                    order[first:last + 1] = order[first:last + 1][::-1]
                    better = True
    return order


def guided(start, nuts):
    penalties = {}

    def penalty(a, b):
        return penalties.get((min(a, b), max(a, b)), 0)

    order = improve(nearest(start, nuts), far)
    best, weight = list(order), 0.3 * length(order) / len(order)
    for _ in range(PASSES):
        edge = max(zip(order, order[1:]), key=lambda edge: far(*edge) / (1 + penalty(*edge)))
        penalties[min(edge), max(edge)] = penalty(*edge) + 1
        order = improve(order, lambda a, b: far(a, b) + weight * penalty(a, b))
        plain = improve(list(order), far)
        best = min(best, plain, key=length)
    return best


if __name__ == "__main__":
    walk(guided(*read(sys.argv[1])))
