"""There by the way with the least climb; back by any short way, that then makes the detours that climb most.

A detour visits a point beside the way: one move more, until none is left. Moves are shared out to the best detours first.
"""

import heapq
import sys

from along_the_edge import read

WAYS = {"n": (-1, 0), "ne": (-1, 1), "e": (0, 1), "se": (1, 1), "s": (1, 0), "sw": (1, -1), "w": (0, -1), "nw": (-1, -1)}


def near(place, size):
    for down, right in WAYS.values():
        to = (place[0] + down, place[1] + right)
        if 0 <= to[0] < size and 0 <= to[1] < size:
            yield to


def climb(heights, a, b):
    return abs(heights[a[0]][a[1]] - heights[b[0]][b[1]])


def cheapest(heights, start, end, closed, cost):
    """The way with the least cost, as points, or none."""
    best, before, edge = {start: 0}, {}, [(0, start)]
    while edge:
        so_far, place = heapq.heappop(edge)
        if place == end:
            way = [end]
            while way[-1] != start:
                way.append(before[way[-1]])
            return way[::-1]
        if so_far > best[place]:
            continue
        for to in near(place, len(heights)):
            total = so_far + cost(place, to)
            if to not in closed and total < best.get(to, 1 << 60):
                best[to], before[to] = total, place
                heapq.heappush(edge, (total, to))
    return None


def detours(heights, way, closed, room):
    """Adds the detours that climb most, one point each, while there is room for moves."""
    used = closed | set(way)
    while room > 0:
        best = (0, 0, way[0])
        for at, (a, b) in enumerate(zip(way, way[1:])):
            for point in set(near(a, len(heights))) & set(near(b, len(heights))) - used:
                gain = climb(heights, a, point) + climb(heights, point, b) - climb(heights, a, b)
                best = max(best, (gain, at, point))
        if not best[0]:
            break
        _, at, point = best
        way.insert(at + 1, point)
        used.add(point)
        room -= 1
    return way


def solve(limit, heights):
    size = len(heights)
    start, end = (0, 0), (size - 1, size - 1)
    # Without a way back on either side, the way there must stay above the diagonal.
    lower = {(row, column) for row in range(size) for column in range(row)}
    for closed in [set(), lower]:
        there = cheapest(heights, start, end, closed, lambda a, b: climb(heights, a, b) + 0.01)
        back = cheapest(heights, end, start, set(there) - {start, end}, lambda a, b: 1)
        if back:
            return there, detours(heights, back, set(there), limit - len(there) - len(back) + 2)
    return there, []


if __name__ == "__main__":
    there, back = solve(*read(sys.argv[-1]))
    names = {step: name for name, step in WAYS.items()}
    tour = [*zip(there, there[1:]), *zip(back, back[1:])]
    print(*(names[b[0] - a[0], b[1] - a[1]] for a, b in tour))
