"""Recomputes every figure of `judge compare` and of the summaries of `judge rank` with numpy and scipy.

Usage: recompute.py OUTPUT.json [NAME=RESULTS.csv ...] [-- OUTPUT.json ...]
OUTPUT.json is what `judge compare --format json` or `judge rank --format json` printed for these files. The program
shares no code with the judge. It ends with the number of figures it compared, or with the first that differs.
"""

import bisect
import csv
import functools
import json
import sys
from fractions import Fraction

import numpy as np
from scipy import stats

CODES = {"timed_out": "TIM", "illegal_move": "ILL", "crashed": "CRA", "judge_error": "JUD", "out_of_memory": "MEM",
         "out_of_cpu": "CPU", "could_not_start": "STA", "build_failed": "BLD"}
compared = 0


def same(what, told, expected, by=1e-9):
    global compared
    compared += 1
    if told is None or expected is None or isinstance(expected, (str, list, bool)):
        equal = told == expected
    else:
        equal = abs(told - expected) <= by * max(1.0, abs(expected))
    if not equal:
        sys.exit(f"{what}: the judge has {told}, expected {expected}")


class Run:
    """What counts of a run: code, progress, moves, tie_break, time, limit, goal."""

    def __init__(self, code=None, progress=None, moves=None, tie=None, us=None, limit=None, of=None):
        self.code, self.progress, self.moves, self.tie = code, progress, moves, tie
        self.us, self.limit, self.of = us, limit, of

    def judged(self):
        return self.code != "JUD" and not (self.code is None and self.moves is None)

    def solves(self, goal):
        return self.code is None and goal is not None and self.progress == goal


def number(text):
    return int(text) if text not in (None, "") else None


def read(path):
    """Returns boards as (name, reconstruction), rows as {entry: [Run]}, competing entries, stated totals."""
    rows = list(csv.DictReader(open(path, newline="")))
    boards, entries, competing, totals = [], {}, {}, {}
    if "verdict" in rows[0]:
        cells = {}
        for row in rows:
            board = (row["board"], row.get("reconstruction") == "yes")
            if board not in boards:
                boards.append(board)
            entry, limit = row["entry"], number(row["limit_ms"])
            entries.setdefault(entry, None)
            competing[entry] = row.get("competing", "yes") != "no"
            us, code = number(row["wall_us"]), CODES.get(row["verdict"])
            given = json.loads(row["figures"]) if row.get("figures") else row
            if row["verdict"] in ("solved", "unsolved"):
                figures = [number(given[key]) for key in ("progress", "moves", "tie_break")]
                run = Run(None, *figures, us, limit, number(row["full"]))
            elif code == "JUD":
                run = Run("JUD", limit=limit)
            else:
                progress = number(given["progress"]) if code == "ILL" else 0
                us = limit * 1000 if code == "TIM" else 0 if code in ("STA", "BLD") else us
                run = Run(code, progress, 0, 0, us, limit, number(row["full"]))
            cells[entry, board] = run
        for entry in entries:
            entries[entry] = [cells.get((entry, board), Run()) for board in boards]
    else:
        head = list(rows[0])
        end = len(head) - 1 - head[::-1].index("total_ms")
        known = ("listed", "place", "entry", "author", "year", "withdrawn", "competing")
        names = [name for name in head[: end - 3] if name not in known]
        boards = [(name.rstrip("*"), name.endswith("*")) for name in names]
        goals = json.loads(rows[0].get("declaration") or "{}").get("goals", [])
        for row in rows:
            runs = []
            for at, name in enumerate(names):
                progress, _, moves = row[name].partition("/")
                goal = goals[at if len(goals) > 1 else 0] if goals else None
                if moves == "":
                    runs.append(Run())
                elif moves.isdigit():
                    runs.append(Run(None, int(progress), int(moves), of=goal))
                else:
                    runs.append(Run(moves, None if moves == "ILL" else 0, 0, 0, of=goal))
            entries[row["entry"]] = runs
            competing[row["entry"]] = row.get("competing", "yes") != "no"
            totals[row["entry"]] = [number(row[head[at]]) for at in range(end - 3, end + 1)]
    return boards, entries, competing, totals


class Source:
    def __init__(self, name, path):
        self.name = name
        self.boards, self.rows, self.competing, self.totals = read(path)


def goals_of(sources):
    """The goal of each board by name, as some run records it."""
    recorded = {}
    for source in sources:
        for runs in source.rows.values():
            for (name, _), run in zip(source.boards, runs):
                if run.of is not None:
                    recorded[name] = run.of
    return recorded


def bests_of(sources, goals):
    best = {}
    for source in sources:
        for runs in source.rows.values():
            for board, run in zip(source.boards, runs):
                if run.solves(goals.get(board[0])):
                    best[board] = min(best.get(board, run.moves), run.moves)
    return best


def score(run, board, goals, best):
    if not run.judged():
        return None
    if not run.solves(goals.get(board[0])):
        return Fraction(0)
    return Fraction(1) if run.moves == best[board] else Fraction(best[board], run.moves)


def par2(run, goal):
    if run.solves(goal):
        return run.us
    return None if run.limit is None else 2000 * run.limit


def summary(source, entry, goals, best):
    runs = [(run, board) for run, board in zip(source.rows[entry], source.boards) if run.judged()]
    solved = [run for run, board in runs if run.solves(goals.get(board[0]))]
    times = [par2(run, goals.get(board[0])) for run, board in runs]
    if any(time is None for time in times):
        total = source.totals.get(entry, [None] * 4)[3]
        times = [total * 1000] + [0] * (len(runs) - 1) if total is not None and len(solved) == len(source.boards) else None
    scores = sum((score(run, board, goals, best) for run, board in runs), Fraction(0))
    return {"boards": len(runs), "solved": len(solved), "relative_to_best_known": float(scores),
            "par2_us": None if times is None or not runs else sum(times) // len(runs)}, solved, runs


def figures(run, goal):
    """What the ranking compares, in its order, the greater the better; time is the last."""
    less = lambda value: None if value is None else -value
    return [run.progress, int(run.solves(goal)), -int(run.code is not None), less(run.moves), less(run.tie),
            -int(run.code in ("STA", "BLD")), less(run.us)]


def outcome(a, b, goal):
    """The ranking on one board, without time."""
    if not a.judged() or not b.judged():
        return "missing"
    if a.progress is None or b.progress is None:
        one, other = a.solves(goal), b.solves(goal)
        return "unknown" if one == other else "first" if one else "second"
    for one, other in zip(figures(a, goal)[:-1], figures(b, goal)[:-1]):
        if one != other and None in (one, other):
            return "unknown"
        if one != other:
            return "first" if one > other else "second"
    return "tie"


def differences(what, told, values, unit=1.0):
    values = np.array([float(value) for value in values])
    same(what + " boards", told["boards"], len(values))
    same(what + " mean", told["mean"], float(values.mean()) if len(values) else None, 1e-8)
    same(what + " median", told["median"], float(np.median(values)) if len(values) else None, 1e-8)
    rank = int(stats.binom.ppf(0.025, len(values), 0.5)) if len(values) >= 6 else 0
    if rank == 0:
        same(what + " interval", told["median_interval"], None)
        return
    ordered = np.sort(values)
    same(what + " low", told["median_interval"]["low"], float(ordered[rank - 1]), 1e-8)
    same(what + " high", told["median_interval"]["high"], float(ordered[-rank]), 1e-8)


@functools.cache
def drawn_signs(count):
    """Returns 10,000 rows of random signs."""
    return np.random.default_rng(7).choice([-1.0, 1.0], (10_000, count))


def far(sums, observed):
    """Which rows of sums are at least as far as the observed ones: the first figure that differs decides."""
    def turned(rows):
        first = (rows != 0).argmax(axis=1)
        sign = np.sign(rows[np.arange(len(rows)), first])
        return rows * sign[:, None]
    rows, least = turned(sums), turned(observed[None, :])[0]
    farther, equal = np.zeros(len(rows), bool), np.ones(len(rows), bool)
    for column in range(rows.shape[1]):
        farther |= equal & (rows[:, column] > least[column])
        equal &= rows[:, column] == least[column]
    return farther | equal


def sign_flips(what, told, gains):
    """The test of the ranking. `gains` has a row per figure and a column per board; None is unknown."""
    known = [row for row in gains if None not in row and any(row)]
    if not known:
        same(what, told, None)
        return
    values = np.array(known, dtype=float)
    values = values[:, np.any(values != 0, axis=0)]
    boards, observed = values.shape[1], values.sum(axis=1)
    if boards < 20:
        choices = (np.arange(2 ** boards)[:, None] >> np.arange(boards)) & 1
        exact = float(far((1.0 - 2.0 * choices) @ values.T, observed).mean())
        same(what, told, exact, 1e-9)
        if len(values) == 1 and 2 <= boards <= 10:
            test = stats.permutation_test((values[0],), lambda x, axis: np.sum(x, axis=axis), vectorized=True,
                                          permutation_type="samples", n_resamples=np.inf)
            same(what + " (scipy)", told, float(test.pvalue), 1e-9)
        return
    sums = drawn_signs(boards) @ values.T
    drawn = float((1 + far(sums, observed).sum()) / (1 + len(sums)))
    if told < 1e-4:
        # No drawn choice was as far, so the judge has an upper bound.
        bound = 2 * np.exp(-observed[0] ** 2 / (2 * (values[0] ** 2).sum()))
        same(what + " bound", told, float(bound), 1e-3)
        same(what + " drawn", drawn <= 4e-4, True)
    else:
        # Five standard deviations of the difference of two shares of 10,000.
        same(what, abs(told - drawn) <= 5 * np.sqrt(2 * max(drawn, 2e-4) / 10_000) + 2e-4, True)


def holm(values):
    tests = sorted((p, at) for at, p in enumerate(values) if p is not None)
    corrected, least = [None] * len(values), 0.0
    for rank, (p, at) in enumerate(tests):
        least = max(least, min(1.0, p * (len(tests) - rank)))
        corrected[at] = least
    return corrected


def pairs_of(output, sources, goals, best):
    by_name = {source.name: source for source in sources}
    for kind in ("pairs", "changes"):
        families = {}
        for pair in output[kind]:
            first, second = pair["first"], pair["second"]
            what = f"{kind} {first['run']}:{first['entry']} {second['run']}:{second['entry']}"
            one, other = by_name[first["run"]], by_name[second["run"]]
            columns = {name: at for at, (name, _) in enumerate(other.boards)}
            counts = {"first": 0, "tie": 0, "second": 0, "missing": 0, "unknown": 0}
            moves, scores, times, gains, both_solved = [], [], [], [], {"first": 0, "tie": 0, "second": 0}
            for at, board in enumerate(one.boards):
                if board[0] not in columns:
                    continue
                other_board = other.boards[columns[board[0]]]
                a, b = one.rows[first["entry"]][at], other.rows[second["entry"]][columns[board[0]]]
                goal = goals.get(board[0])
                result = outcome(a, b, goal)
                counts[result] += 1
                if a.solves(goal) and b.solves(goal):
                    moves.append(b.moves - a.moves)
                    both_solved[result] = both_solved.get(result, 0) + 1
                if result != "missing":
                    scores.append(score(b, other_board, goals, best) - score(a, board, goals, best))
                    times.append((par2(a, goal), par2(b, goal)))
                    gains.append([None if None in both else both[0] - both[1]
                                  for both in zip(figures(a, goal), figures(b, goal))])
            names = {"first": "first_better", "tie": "ties", "second": "second_better"}
            for result, count in counts.items():
                same(f"{what} {result}", pair[names.get(result, result)], count)
                if result in ("first", "tie", "second"):
                    same(f"{what} {result}, both solved", pair["both_solved"][names[result]], both_solved[result])
            gains = list(zip(*gains))
            if first["run"] != second["run"]:
                # The times of two contests differ without a reason in the entries.
                gains = gains[:-1] + [(0,) * len(row) for row in gains[-1:]]
            if not any(None in row for row in gains):
                sums = [sum(row) for row in gains[:-1]]
                decided = next((total for total in sums if total), None)
                if decided is not None:
                    same(what + " better", pair["better"], "first" if decided > 0 else "second")
            differences(what + " moves", pair["moves"], moves)
            differences(what + " score", pair["relative_to_best_known"], scores)
            if any(None in both for both in times):
                same(what + " PAR2", pair["par2_us"], None)
            else:
                differences(what + " PAR2", pair["par2_us"], [b - a for a, b in times])
            decided = counts["first"] + counts["second"]
            p = float(stats.binomtest(counts["first"], decided).pvalue) if decided else None
            same(what + " sign test", pair["sign_test"]["p"], p, 1e-9)
            sign_flips(what + " sign-flip test", pair["sign_flip_test"]["p"], gains)
            families.setdefault((first["run"], second["run"]), []).append(pair)
        for family in families.values():
            for test in ("sign_test", "sign_flip_test"):
                for pair, corrected in zip(family, holm([pair[test]["p"] for pair in family])):
                    same(f"{kind} {test} corrected", pair[test]["corrected"], corrected)
                    same("family", pair["family"], len(family))
                    same(f"{test} tests", pair[test]["tests"], sum(pair[test]["p"] is not None for pair in family))


def groups_of(names, differ):
    """The largest ranges of names of which no two differ."""
    ranges = [(a, b) for a in range(len(names)) for b in range(a, len(names))
              if not any(differ(names[x], names[y]) for x in range(a, b + 1) for y in range(x + 1, b + 1))]
    largest = [(a, b) for a, b in ranges if not any((c <= a and b <= d) and (c, d) != (a, b) for c, d in ranges)]
    return [names[a : b + 1] for a, b in sorted(largest)]


def scores_of(output, sources, goals, best):
    by_name = {source.name: source for source in sources}
    for told in output["scores"]:
        source = by_name[told["run"]]
        complete = [entry for entry, runs in source.rows.items() if all(run.judged() for run in runs)]
        same("entries with a score", sorted(entry["entry"] for entry in told["entries"]), sorted(complete))
        for entry in told["entries"]:
            expected, _, _ = summary(source, entry["entry"], goals, best)
            for key, value in expected.items():
                same(f"{told['run']} {entry['entry']} {key}", entry[key], value, 1e-8)
        significant = {frozenset((pair["first"]["entry"], pair["second"]["entry"])) for pair in output["pairs"]
                       if pair["first"]["run"] == pair["second"]["run"] == told["run"]
                       and any(pair[test]["corrected"] is not None and pair[test]["corrected"] < 0.05
                               for test in ("sign_test", "sign_flip_test"))}
        names = [entry["entry"] for entry in told["entries"]]
        same(f"{told['run']} groups", told["groups"], groups_of(names, lambda a, b: frozenset((a, b)) in significant))


def matrix(source, names, goals):
    """For each name and board: progress, solved, failed, moves, tie-break, time."""
    figures = []
    for name in names:
        row = []
        for (board, _), run in zip(source.boards, source.rows[name]):
            solved, failed = run.solves(goals.get(board)), run.code is not None
            row.append([run.progress, solved, failed, run.moves, run.tie, run.us])
        unknown = [at for at, values in enumerate(row) if values[0] is None]
        stated = source.totals.get(name)
        if len(unknown) == 1 and stated and stated[0] is not None:
            row[unknown[0]][0] = stated[0] - sum(values[0] for values in row if values[0] is not None)
        figures.append(row)
    return np.array([[[np.nan if value is None else value for value in values] for values in row] for row in figures],
                    dtype=float)


def places(totals):
    """Places by progress, boards solved, failures, moves, tie-break, milliseconds; equal rows share one."""
    keys = []
    for progress, solved, failed, moves, tie, us in totals:
        late = [np.inf if np.isnan(value) else value for value in (moves, tie, np.floor((us + 500) / 1000))]
        keys.append((np.inf if np.isnan(progress) else -progress, -solved, failed, *late))
    ordered = sorted(keys)
    return [1 + bisect.bisect_left(ordered, key) for key in keys]


def stability_of(output, sources, goals):
    by_name = {source.name: source for source in sources}
    for told in output["stability"]:
        source = by_name[told["run"]]
        names = [entry["entry"] for entry in told["entries"]]
        figures = matrix(source, names, goals)
        boards = figures.shape[1]
        random = np.random.default_rng(1)
        resampled = np.array([places(figures[:, random.integers(0, boards, boards)].sum(axis=1)) for _ in range(1000)])
        for at, entry in enumerate(told["entries"]):
            what = f"{told['run']} {entry['entry']}"
            if all(run.tie is not None and run.us is not None for name in names for run in source.rows[name]):
                same(what + " place", entry["place"], places(figures.sum(axis=1))[at])
            if entry["resampled"] is None:
                same(what + " is not resampled", boards < 6 or bool(np.isnan(figures[at, :, 0]).any()), True)
                continue
            low, high = np.quantile(resampled[:, at], [0.025, 0.975])
            same(what + " best", abs(entry["resampled"]["best"] - low) <= 1, True)
            same(what + " worst", abs(entry["resampled"]["worst"] - high) <= 1, True)
            if entry["resampled"]["above_next"] is not None:
                a, b = resampled[:, at], resampled[:, at + 1]
                share = float((a < b).mean() + (a == b).mean() / 2)
                same(what + " above the next", abs(entry["resampled"]["above_next"] - share) < 0.08, True)


def agreement_of(output, sources, goals):
    by_name = {source.name: source for source in sources}
    for told in output["agreement"]:
        ranks = []
        for name in (told["first"], told["second"]):
            source = by_name[name]
            figures = matrix(source, told["entries"], goals)
            totals = figures.sum(axis=1)
            for at, entry in enumerate(told["entries"]):
                if entry in source.totals:
                    stated = source.totals[entry]
                    for column, value in zip((0, 3, 4, 5), stated):
                        totals[at, column] = np.nan if value is None else value * (1000 if column == 5 else 1)
            ranks.append(places(totals))
        tau = stats.kendalltau(*ranks, variant="b").statistic
        same(f"{told['first']} {told['second']} tau-b", told["tau"], None if np.isnan(tau) else float(tau))
    by_pair = {(told["first"], told["second"]): told for told in output["agreement"]}
    for told in output["agreement_differences"]:
        one, other = by_pair[told["with"], told["first"]], by_pair[told["with"], told["second"]]
        if one["entries"] == other["entries"]:
            same("difference of tau-b", told["difference"], one["tau"] - other["tau"])


def summaries_of(output, source, goals, best):
    for told in output["entries"]:
        expected, solved, runs = summary(source, told["entry"], goals, best)
        for key, value in expected.items():
            same(f"{told['entry']} {key}", told["summary"][key], value, 1e-8)
        for key, figures in (("mean_moves", [run.moves for run in solved]), ("mean_tie_break", [run.tie for run in solved])):
            value = None if not figures or None in figures else float(np.mean(figures))
            same(f"{told['entry']} {key}", told["summary"][key], value)
        times = sorted(run.us for run, _ in runs) if all(run.us is not None for run, _ in runs) else []
        same(f"{told['entry']} median time", told["summary"]["median_time_us"], times[(len(times) - 1) // 2] if times else None)


def recompute(path, *files):
    output = json.load(open(path))
    sources = [Source(*file.split("=", 1)) for file in files]
    goals = goals_of(sources)
    best = bests_of(sources, goals)
    if "pairs" in output:
        told = [board["best_here"] for board in output["bests"] if board["best_here"] is not None]
        same("best answers", sorted(told), sorted(best.values()))
        pairs_of(output, sources, goals, best)
        scores_of(output, sources, goals, best)
        stability_of(output, sources, goals)
        agreement_of(output, sources, goals)
    else:
        summaries_of(output, sources[0], goals, best)


def main():
    arguments = sys.argv[1:]
    while arguments:
        end = arguments.index("--") if "--" in arguments else len(arguments)
        try:
            recompute(*arguments[:end])
        except SystemExit as difference:
            sys.exit(f"{' '.join(arguments[:end])}: {difference}")
        arguments = arguments[end + 1:]
    print(f"{compared} figures are equal")


main()
