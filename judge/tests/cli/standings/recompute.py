"""Recomputes the standings of contests from single runs: places, totals, relative scores, means and PAR2.

Usage: recompute.py NAME...
NAME.csv has one row per run; NAME.json, NAME.table.csv and NAME.plain are what `judge rank NAME.csv` printed in these
formats. The program shares no code with the judge and needs only Python. It ends with the number of figures that it
compared, or with the first that differs.
"""

import csv
import json
import statistics
import sys
from fractions import Fraction
from functools import cmp_to_key

CODES = {"timed_out": "TIM", "illegal_move": "ILL", "wrong": "WRO", "crashed": "CRA", "could_not_start": "STA",
         "build_failed": "BLD", "judge_error": "JUD", "out_of_memory": "MEM"}
ONE = 10**9
compared = 0


def same(what, told, expected):
    global compared
    compared += 1
    if isinstance(expected, float) and told is not None:
        equal = abs(told - expected) <= 1e-8 * max(1.0, abs(expected))
    else:
        equal = told == expected
    if not equal:
        sys.exit(f"{what}: the judge has {told!r}, expected {expected!r}")


def number(text):
    return int(text) if text else None


class Run:
    """A run by its row; `None` for a figure that is not known."""

    def __init__(self, row, counted):
        self.verdict = row["verdict"]
        self.code = CODES.get(self.verdict)
        self.judged = self.verdict not in ("missing", "judge_error")
        self.legal = self.verdict in ("solved", "unsolved", "valid")
        self.solved = self.verdict == "solved"
        self.valid = self.verdict == "valid"
        self.of = row["full"]
        limit = number(row["limit_ms"])
        self.limit_us = None if limit is None else 1000 * limit
        wall = number(row["wall_us"])
        none = not self.judged
        replayed = self.legal or self.verdict in ("illegal_move", "wrong")
        progress = number(row["progress"]) if counted else int(self.solved)
        self.progress = None if none else progress if replayed else 0
        self.moves = None if none else (number(row["moves"]) or 0) if self.legal else 0
        self.tie = None if none else (number(row["tie_break"]) or 0) if self.legal else 0
        self.us = {"timed_out": self.limit_us, "could_not_start": 0, "build_failed": 0}.get(self.verdict, wall)
        self.us = None if none else self.us
        self.points = Fraction(row["score"]) if self.legal and row["score"] else None


class Entry:
    def __init__(self, name):
        self.name = name
        self.competing, self.out = True, False
        # Its runs by (round, board); those of the first repeat count.
        self.runs = {}
        self.place, self.repeats = None, 0

    def in_round(self, number):
        return [(board, run) for (round_, board), run in self.runs.items() if round_ == number]


def added(values):
    values = list(values)
    return None if None in values else sum(values)


class Contest:
    def __init__(self, path):
        rows = list(csv.DictReader(open(path, newline="")))
        self.scoring = json.loads(rows[0]["scoring"]) if rows[0]["scoring"] else None
        self.accepted = self.scoring == {"figures": []}
        self.scoring = None if self.accepted else self.scoring
        self.ranking = rows[0]["ranking"].split()
        self.up = self.scoring is not None and self.scoring["figures"][0]["better"] == "more"
        self.groups, self.boards, self.entries = {}, [], {}
        for row in rows:
            entry = self.entries.setdefault(row["entry"], Entry(row["entry"]))
            entry.competing = row["competing"] != "no"
            entry.out = bool(row["withdrawn"] or row["disqualified"])
            if row["struck"]:
                continue
            board = (int(row["round"] or 1), row["board"])
            if board not in self.boards:
                self.boards.append(board)
            self.groups[board[1]] = row["group"]
            if row["repeat"] in ("", "1"):
                entry.runs[board] = Run(row, not self.accepted)
            elif Run(row, not self.accepted).judged:
                entry.repeats += 1
        self.boards.sort(key=lambda board: board[0])
        # So many are planned of each run, and those after the first make no cell.
        repeats = max(int(row["repeat"] or 1) for row in rows)
        for entry in self.entries.values():
            took_part = {1} | {round_ for round_, _ in entry.runs}
            planned = [board for board in self.boards if board[0] in took_part]
            missing = dict.fromkeys(rows[0], "") | {"verdict": "missing"}
            entry.runs = {board: entry.runs.get(board, Run(missing, True)) for board in planned}
            if entry.out:
                entry.runs = {board: Run(missing, True) for board in planned}
            # A round whose boards were all struck is no round of the table.
            entry.reached = max((round_ for round_, _ in entry.runs), default=1)
            entry.complete = all(run.judged for run in entry.runs.values())
            entry.lacks_repeats = entry.repeats < (repeats - 1) * len(planned)
        self.best = {board: self.best_of(board) for board in self.boards}
        # Nothing says what solves these.
        self.unknown = set()
        for board in self.boards if self.scoring is None and not self.accepted else ():
            runs = [entry.runs[board] for entry in self.entries.values() if board in entry.runs]
            if any(run.legal for run in runs) and not any(run.of for run in runs):
                self.unknown.add(board)
        every = [run for entry in self.entries.values() for run in entry.runs.values() if run.legal]
        solvable = any(not run.valid for run in every)
        if self.scoring is not None:
            self.solving = self.scoring["figures"][0].get("full") is not None or solvable
        else:
            self.solving = self.accepted or solvable or not any(run.valid for run in every)

    def value(self, run):
        if self.scoring is not None:
            return run.points
        return run.moves if run.solved else None

    def best_of(self, board):
        inside = [entry for entry in self.entries.values() if not entry.out and board in entry.runs]
        values = [self.value(entry.runs[board]) for entry in inside]
        values = [value for value in values if value is not None]
        return (max if self.up else min)(values) if values else None

    def relative(self, board, run):
        """The share of the best in whole billionths, the half upwards."""
        if not run.judged or board in self.unknown:
            return None
        own, best = self.value(run), self.best[board]
        if own is None or best is None:
            return 0
        one, other = (own, best) if self.up else (best, own)
        share = Fraction(1) if own == best else Fraction(one) / Fraction(other)
        return int((share * ONE * 2 + 1) // 2)

    def points(self, runs):
        """Points of boards together: groups take the least or the most of their boards, and all are added."""
        parts = {}
        total = Fraction(0)
        aggregates = {group["name"]: group["aggregate"] for group in self.scoring.get("groups", [])}
        for board, run in runs:
            if not run.judged:
                return None
            points = run.points or Fraction(0)
            group = self.groups[board]
            if group in aggregates:
                parts.setdefault(group, []).append(points)
            else:
                total += points
        return total + sum({"min": min, "max": max, "sum": sum}[aggregates[group]](all_) for group, all_ in parts.items())

    def figures(self, entry, number=None):
        """What decides, of a round or of all."""
        runs = [((round_, board), run) for (round_, board), run in entry.runs.items() if number in (None, round_)]
        us = added(run.us for _, run in runs)
        return {
            "progress": added(run.progress for _, run in runs),
            "moves": added(run.moves for _, run in runs),
            "tie_break": added(run.tie for _, run in runs),
            "time": None if us is None else (us + 500) // 1000,
            "score": self.points([(board, run) for (_, board), run in runs]) if self.scoring else None,
            "relative": added(self.relative(board, run) for board, run in runs),
            "solved": sum(run.solved for _, run in runs),
            "failed": sum(run.code is not None for _, run in runs),
            "unstarted": sum(run.code in ("STA", "BLD") for _, run in runs),
        }

    def better(self, a, b):
        """Below 0 if the figures `a` of a round are better than `b`."""
        def most(key):
            one, other = [(-1, 0) if figures[key] is None else (0, figures[key]) for figures in (a, b)]
            return (one < other) - (one > other)

        def least(key):
            one, other = [(1, 0) if figures[key] is None else (0, figures[key]) for figures in (a, b)]
            return (one > other) - (one < other)

        less = {"moves", "tie_break", "time", "failed", "unstarted"} | (set() if self.up else {"score"})
        steps = (least(key) if key in less else most(key) for key in self.ranking)
        return next((found for found in steps if found), 0)

    def compare(self, a, b):
        if a.reached != b.reached:
            return b.reached - a.reached
        for number in range(a.reached, 0, -1):
            found = self.better(self.figures(a, number), self.figures(b, number))
            if found:
                return found
        return 0

    def standings(self):
        """Places: 1 and the entries in competition that are better, or that reached a later round."""
        inside = [entry for entry in self.entries.values() if entry.competing and not entry.out]
        for entry in inside:
            if entry.complete:
                above = [other for other in inside if other.reached > entry.reached
                         or (other.complete and self.compare(other, entry) < 0)]
                entry.place = 1 + len(above)
        # The order of the table, which keeps that of the file between equals.
        def order(a, b):
            for key in (lambda row: row.out, lambda row: -row.reached, lambda row: not row.complete):
                if key(a) != key(b):
                    return -1 if key(a) < key(b) else 1
            return self.compare(a, b)

        rows = sorted(self.entries.values(), key=cmp_to_key(order))
        first = next((row for row in rows if row.competing and not row.out), None)
        if first is not None and first.place == 1:
            rows.remove(first)
            rows.insert(0, first)
        return rows


def points_text(contest, points):
    if points is None:
        return None
    decimals = contest.scoring["figures"][0]["decimals"]
    units = points * 10**decimals
    assert units.denominator == 1
    whole, rest = divmod(abs(int(units)), 10**decimals)
    return ("-" if units < 0 else "") + (f"{whole}.{rest:0{decimals}}" if decimals else str(whole))


def total_text(contest, figures):
    if contest.scoring:
        return points_text(contest, figures["score"]) or "-"
    if contest.accepted:
        return "-" if figures["progress"] is None else str(figures["progress"])
    widths = (("progress", 3), ("moves", 4), ("tie_break", 3))
    return "/".join("-" if figures[key] is None else f"{figures[key]:0{width}}" for key, width in widths)


def check_json(contest, told, rows):
    same("entries", [entry["entry"] for entry in told["entries"]], [row.name for row in rows])
    by_relative = "relative" in contest.ranking
    for entry, row in zip(told["entries"], rows):
        what = row.name
        same(f"{what} place", entry["place"], row.place)
        same(f"{what} complete", entry["complete"], row.complete and not row.lacks_repeats)
        whole = contest.figures(row)
        rounds = entry["rounds"] or [entry["total"]]
        if entry["rounds"]:
            same(f"{what} rounds", len(rounds), row.reached)
        per_round = [contest.figures(row, number) for number in range(1, row.reached + 1)] if entry["rounds"] else [whole]
        for sums, figures in [(entry["total"], whole)] + list(zip(rounds, per_round)):
            given = sums["figures"]
            for key in ("progress", "moves", "tie_break"):
                if key in given:
                    same(f"{what} {key}", given[key], None if figures[key] is None else str(figures[key]))
            if contest.accepted:
                solved = figures["progress"]
                same(f"{what} solved", given["solved"], None if solved is None else str(solved))
            if contest.scoring and figures["score"] is not None:
                same(f"{what} score", given["score"], points_text(contest, figures["score"]))
            same(f"{what} time", sums["time_ms"], figures["time"])
            if by_relative:
                known = figures["relative"]
                same(f"{what} relative", sums.get("relative_to_best_here"), None if known is None else known / ONE)
        check_summary(contest, what, entry["summary"], row)


def check_summary(contest, what, told, row):
    judged = [(board, run) for board, run in row.runs.items() if run.judged]
    solved = [run for _, run in judged if run.solved]
    same(f"{what} boards", told["boards"], len(judged))
    same(f"{what} solved boards", told["solved"], len(solved) if contest.solving else None)
    best = sum(contest.relative(board, run) for board, run in judged) / ONE
    same(f"{what} relative to the best known", told["relative_to_best_known"], best)
    times = [run.us if run.solved else 2 * run.limit_us for _, run in judged]
    par2 = sum(times) // len(times) if times and contest.solving else None
    same(f"{what} PAR2", told["par2_us"], par2)
    counted = [] if contest.accepted or contest.scoring else solved
    for key, figure in (("mean_moves", lambda run: run.moves), ("mean_tie_break", lambda run: run.tie)):
        same(f"{what} {key}", told[key], statistics.fmean(map(figure, counted)) if counted else None)
    same(f"{what} median", told["median_time_us"], statistics.median_low([run.us for _, run in judged]) if judged else None)


def check_table(contest, path, rows):
    """The table in CSV has the same order, places and totals, and declares what decides."""
    declared = [told["declaration"] for told in csv.DictReader(open(path, newline=""))]
    same("CSV declaration", json.loads(declared[0])["ranking"] if declared else contest.ranking, contest.ranking)
    same("CSV declarations", declared[1:], [""] * len(declared[1:]))
    for told, row in zip(csv.DictReader(open(path, newline="")), rows, strict=True):
        whole = contest.figures(row)
        same(f"CSV {row.name}", told["entry"], row.name)
        same(f"CSV {row.name} place", told["place"], str(row.place or ""))
        same(f"CSV {row.name} time", told["total_ms"], "" if whole["time"] is None else str(whole["time"]))
        if contest.scoring:
            points = points_text(contest, whole["score"]) or ""
            same(f"CSV {row.name} score", told["score"], points)
        elif contest.accepted:
            same(f"CSV {row.name} solved", told["solved"], "" if whole["progress"] is None else str(whole["progress"]))
            same(f"CSV {row.name} boards", told["boards"], str(len(row.runs)))
        else:
            for key in ("progress", "moves", "tie_break"):
                same(f"CSV {row.name} {key}", told[key], "" if whole[key] is None else str(whole[key]))
        if "relative" in contest.ranking:
            known = whole["relative"]
            rounded = "" if known is None else f"{(known + 50_000) // 100_000 / 10_000:.4f}"
            same(f"CSV {row.name} relative", told.get("relative_to_best_here", ""), rounded)


def check_plain(contest, path, rows):
    """The plain table has the same order and, per round, the same totals."""
    lines = [line.split() for line in open(path) if not line.startswith("#")]
    rounds = sorted({number for number, _ in contest.boards}) or [1]
    for line, row in zip(lines, rows, strict=True):
        same("plain entry", line[0], row.name)
        for number in rounds:
            figures = contest.figures(row, number if len(rounds) > 1 else None)
            text = total_text(contest, figures) if number <= row.reached or len(rounds) == 1 else "-"
            same(f"plain {row.name}: {text} in round {number}", text in line, True)
        time = contest.figures(row)["time"]
        same(f"plain {row.name} time", line[-1], "-" if time is None else f"{time}ms")


def main():
    for name in sys.argv[1:]:
        contest = Contest(f"{name}.csv")
        rows = contest.standings()
        try:
            check_json(contest, json.load(open(f"{name}.json")), rows)
            check_table(contest, f"{name}.table.csv", rows)
            check_plain(contest, f"{name}.plain", rows)
        except SystemExit as difference:
            sys.exit(f"{name}, ranked by {' '.join(contest.ranking)}: {difference}")
    print(f"{compared} figures are equal")


main()
