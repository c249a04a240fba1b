#!/usr/bin/env python3
"""Compute tables of contests between programs by the rules of docs/scoring.md.

Cases are read from standard input, one JSON object per line; one JSON object per case is written to standard output.
README.md describes both. R1, R2 and so on are the numbers of the rules. QUESTIONS.md says where a rule left a choice.

Every figure is an int: declared ones in units of their last decimal, time in microseconds (its totals in milliseconds),
`relative` in units of its ninth decimal. None is an unknown figure.
"""

import json
import re
import sys
from fractions import Fraction

FAILURES = frozenset("TIM ILL WRO CPU MEM PRO SCR OUT CRA STA BLD".split())
JUDGE_ERROR = "JUD"
ACCEPTED = "AC"
REJECTED = FAILURES - {"BLD"}

COUNTS = ("solved", "failed", "unstarted")
MOVES = {
    "figures": [
        {"name": "progress", "better": "more", "failed": "own"},
        {"name": "moves", "better": "less"},
        {"name": "tie_break", "better": "less"},
    ],
    "cell": ["progress", "moves"],
}
PASS_FAIL_LIST = ["solved", "penalty", "last"]

MAX_WHOLE = 2**64 - 1
MIN_FIGURE, MAX_FIGURE = -(2**127), 2**127 - 1
MEASURED = ("time", "cpu", "memory", "size", "answer")
RELATIVE_ONE = 10**9
MAX_DIGITS = 400
NUMBER = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,9}))?")


class BadInput(Exception):
    """The case does not follow README.md, or the rules say nothing about it."""


class DoesNotFit(Exception):
    """A sum does not fit (R23)."""


# Reading ------------------------------------------------------------------------------------------------------------


def field(obj, key, *types):
    """The value of a key that must be there and have one of the types."""
    if not isinstance(obj, dict) or key not in obj:
        raise BadInput("there is no key `%s`" % key)
    value = obj[key]
    if (isinstance(value, bool) and bool not in types) or not isinstance(value, types):
        raise BadInput("the key `%s` has a value of a wrong type" % key)
    return value


def optional(obj, key, *types):
    """The value of a key, or None if it is not there or null."""
    return None if obj.get(key) is None else field(obj, key, *types)


def parse_number(value):
    """A written decimal number as (n, e), which is n * 10**e, from exactly the digits that were written (R5)."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise BadInput("%r is no number" % (value,))
    match = NUMBER.fullmatch(str(value))
    whole, fraction = (match.group(2), match.group(3) or "") if match else ("", "")
    digits = (whole + fraction).lstrip("0")
    exponent = int(match.group(4) or 0) - len(fraction) if match else 0
    if not whole + fraction or len(digits) > MAX_DIGITS:
        raise BadInput("%r is no number that can be read" % (value,))
    if not digits:
        return 0, 0
    if len(digits) + exponent > MAX_DIGITS:
        raise BadInput("%r is too large" % (value,))
    return int(match.group(1) + digits), exponent


def read_points(value, decimals, down=False):
    """R5: a figure in units of the last decimal, cut to the nearest, halves away from zero, or down."""
    number, exponent = parse_number(value)
    exponent += decimals
    if exponent >= 0:
        return number * 10**exponent
    if -exponent > MAX_DIGITS + 1:
        return 0
    return cut(Fraction(number, 10**-exponent), down)


def cut(value, down):
    """R5: a fraction as a whole number: to the nearest, halves away from zero, or down, which is towards zero."""
    if down:
        return abs(value.numerator) // value.denominator * (1 if value >= 0 else -1)
    return divide_away(value.numerator, value.denominator)


def divide_away(number, divisor):
    """The nearest whole number to number / divisor, halves away from zero (R5, R26)."""
    cut = (2 * abs(number) + divisor) // (2 * divisor)
    return -cut if number < 0 else cut


def divide_up(number, divisor):
    """The nearest whole number to number / divisor, which is not negative, halves up (R24, R38, R62)."""
    return (2 * number + divisor) // (2 * divisor)


class Contest:
    """What is the same for all results of a case: the kind (R3), the figures (R4) and the list (R31)."""

    def __init__(self, case):
        self.kind = field(case, "kind", str)
        if self.kind not in ("moves", "figures", "accepted"):
            raise BadInput("the kind `%s` is unknown" % self.kind)
        self.main, self.compared, self.full, self.up, self.groups = None, None, None, True, []
        self.figures, self.cell, self.total = [], [], []
        if self.kind != "accepted":  # R3; where an answer is accepted or not, its figure is the count `solved`
            self.read_scoring(MOVES if self.kind == "moves" else field(case, "scoring", dict))
            self.compared = self.figures[1] if self.kind == "moves" else self.main  # R38
        self.more_is_compared = self.compared is None or self.compared.better != "less"
        self.by_name = {figure.name: figure for figure in self.figures}
        self.group_numbers = {group.name: index for index, group in enumerate(self.groups)}
        self.groups_by_requirement = order_of_requirements(self.groups)
        self.exactly = field(case, "exactly", bool)
        self.more = self.directions()
        self.order = optional(case, "order", list)
        self.list = self.default_list() if self.order is None else self.read_list(self.order)

    def read_scoring(self, scoring):
        """R64 to R66, R70."""
        self.figures = [Figure(item) for item in field(scoring, "figures", list)]
        if not self.figures or self.figures[0].source != "referee":
            raise BadInput("the first figure is not one that the referee gives")
        self.main = self.figures[0]
        self.up, self.full = self.main.better != "less", self.main.full
        given = [figure.name for figure in self.figures if figure.source == "referee"]
        self.cell = optional(scoring, "cell", list) or given
        self.total = optional(scoring, "total", list) or self.cell
        self.groups = read_groups(optional(scoring, "groups", list) or [], self.main.decimals)

    def directions(self):
        """R4, R6: the figures that can be ranked by, each with True if more of it is better."""
        more = {"solved": True, "failed": False, "unstarted": False, "time": False, "relative": True}
        more.update((figure.name, figure.better == "more") for figure in self.figures if figure.better != "neither")
        return more

    def names(self):
        """All figures of a total."""
        return [name for name in self.more if name not in self.by_name] + list(self.by_name)

    def default_list(self):
        """R32: the list of a contest that has none."""
        return insert_counts(self.usual_order(), self.more)

    def usual_order(self):
        if self.kind == "accepted":
            return ["solved", "time"]
        given = [figure for figure in self.figures if figure.source == "referee" and figure.better != "neither"]
        return [figure.name for figure in given] + ["time"]

    def read_list(self, names):
        """R32: a list as it is read, with the counts inserted."""
        unknown = [name for name in names if not isinstance(name, str) or name not in self.more]
        if unknown or len(set(names)) < len(names):
            raise BadInput("the list %r has an unknown name, or one twice" % (names,))
        return list(names) if self.exactly else insert_counts(names, self.more)

    def tie_list(self, tie_on):
        """R43: the list of `tie_on`; by default the `order` without `time`, and with it if that leaves nothing."""
        if tie_on is None:
            order = self.usual_order() if self.order is None else self.order
            tie_on = [name for name in order if name != "time"] or order
        return self.read_list(tie_on)


def insert_counts(names, more):
    """R32, 1 and 2."""
    result = list(names)
    costs = [place for place, name in enumerate(names) if name not in COUNTS and not more[name]]
    if costs:
        result[costs[0]:costs[0]] = [name for name in ("solved", "failed") if name not in names]
    if "time" in names and "unstarted" not in names:
        result.insert(result.index("time"), "unstarted")
    return result


class Figure:
    """R64, R65: a figure that a contest declares."""

    def __init__(self, item):
        self.name = field(item, "name", str)
        self.better = optional(item, "better", str) or "neither"
        source = item.get("from", "referee")
        self.terms, self.of = [], None
        if isinstance(source, dict) and "add" in source:
            self.terms = [(name, exact(weight)) for name, weight in source["add"]]
            source = "add"
        elif isinstance(source, dict):
            self.of, source = field(source, "ratio", str), "ratio"
        if source not in MEASURED + ("referee", "add", "ratio") or self.better not in ("more", "less", "neither"):
            raise BadInput("the figure `%s` has an unknown source or direction" % self.name)
        self.source = source
        self.unit = optional(item, "unit", int) or 1
        self.decimals = optional(item, "decimals", int) or 0
        self.down = (optional(item, "round", str) or "nearest") == "down"
        self.aggregate = optional(item, "total", str) or "sum"
        failed = optional(item, "failed", str, int)
        if failed is None:
            failed = "own" if source in MEASURED else "0"
        self.failed = None if failed == "own" else self.read(failed)
        full = optional(item, "full", str, int)
        self.full = None if full is None else self.read(full)

    def read(self, value):
        """R5."""
        return read_points(value, self.decimals, self.down)

    def of_fraction(self, value):
        """A number that was measured or made of others, cut."""
        return cut(value * 10**self.decimals, self.down)

    def value(self, contest, verdict, given, measured, known):
        """R65, R66, R68: the value of one result; ratios are known later."""
        if verdict == JUDGE_ERROR or self.source == "ratio":
            return None
        if self.source == "add":
            return self.added(contest, known)
        failed = verdict != ACCEPTED
        if failed and self.failed is not None:
            return self.failed
        if self.source == "referee":
            value = given.get(self.name)
            return (0 if failed else None) if value is None else self.read(value)
        value = measured[self.source]
        return None if value is None else self.of_fraction(Fraction(value, self.unit))

    def added(self, contest, known):
        """R68."""
        total = Fraction(0)
        for name, weight in self.terms:
            if known[name] is None:
                return None
            total += weight * Fraction(known[name], 10 ** contest.by_name[name].decimals)
        return self.of_fraction(total)


def exact(value):
    """A written number as a fraction."""
    number, exponent = parse_number(value)
    return Fraction(number) * Fraction(10) ** exponent


class Group:
    """R26: a group as it is defined; `within` and `requires` are indices of groups."""

    def __init__(self, name, aggregate, points):
        self.name, self.aggregate, self.points = name, aggregate, points
        self.within, self.requires = None, []


def read_groups(definitions, decimals):
    """R26, R27: all groups, in their order."""
    groups, numbers = [], {}
    for definition in definitions:
        name = field(definition, "name", str)
        aggregate = optional(definition, "aggregate", str) or "sum"
        if aggregate not in ("sum", "average", "min", "max", "all"):
            raise BadInput("the aggregate `%s` is unknown" % aggregate)
        points = optional(definition, "points", str, int)
        if aggregate == "all" and points is None:
            raise BadInput("the group `%s` has no points" % name)
        group = Group(name, aggregate, None if points is None else read_points(points, decimals))
        within = optional(definition, "within", str)
        if name in numbers or (within is not None and within not in numbers):
            raise BadInput("the group `%s` is there twice, or the one that it is within is not before it" % name)
        group.within = None if within is None else numbers[within]
        numbers[name] = len(groups)
        groups.append(group)
    for group, definition in zip(groups, definitions):
        for name in optional(definition, "requires", list) or []:
            if not isinstance(name, str) or name not in numbers:
                raise BadInput("the group `%s` requires an unknown group" % group.name)
            group.requires.append(numbers[name])
    return groups


def order_of_requirements(groups):
    """The indices of the groups, each after those that it requires (R27)."""
    waits_for = [len(group.requires) for group in groups]
    required_by = [[] for _ in groups]
    for index, group in enumerate(groups):
        for required in group.requires:
            required_by[required].append(index)
    order = [index for index, number in enumerate(waits_for) if number == 0]
    for index in order:
        for other in required_by[index]:
            waits_for[other] -= 1
            if waits_for[other] == 0:
                order.append(other)
    if len(order) < len(groups):
        raise BadInput("groups require each other in a circle")
    return order


class Board:
    def __init__(self, contest, board):
        self.name = field(board, "name", str)
        self.round = field(board, "round", int)
        self.struck = field(board, "struck", bool)
        self.group = optional(board, "group", str)
        self.goal = read_goal(contest, optional(board, "goal", str, int))
        self.shows_figures = contest.kind != "accepted"
        if contest.kind == "figures" and self.group is not None:
            if self.group not in contest.group_numbers:
                raise BadInput("the group `%s` of the board `%s` is not defined" % (self.group, self.name))
            self.shows_figures = contest.groups[contest.group_numbers[self.group]].aggregate != "all"


def read_goal(contest, goal):
    """R8: the `progress` or the value of the first figure that solves a board; `full` is that of all boards."""
    if contest.kind == "accepted":
        return None
    if contest.full is not None:
        return contest.full
    if goal is None:
        return None
    return contest.main.read(goal)


class Result:
    """A result with its figures (R4), except `relative`, which is known once all cells are (R38)."""

    __slots__ = ("verdict", "judged", "goal_known", "figures", "marks")

    def __init__(self, contest, board, result):
        self.verdict = field(result, "verdict", str)
        if self.verdict not in FAILURES and self.verdict not in (ACCEPTED, JUDGE_ERROR):
            raise BadInput("the verdict `%s` is unknown" % self.verdict)
        self.judged = self.verdict != JUDGE_ERROR
        solves = optional(result, "solves", bool)
        self.goal_known = board.goal is not None or solves is not None
        given = field(result, "figures", dict)
        self.figures = figures = {}
        wall_us, limit_ms = optional(result, "wall_us", int), optional(result, "limit_ms", int)
        figures["time"] = time_figure(self.verdict, wall_us, limit_ms)
        measured = {
            "time": figures["time"],
            "cpu": optional(result, "cpu_us", int),
            "memory": optional(result, "memory_bytes", int),
            "size": optional(result, "size", int),
            "answer": optional(result, "answer_us", int),
        }
        if measured["answer"] is None:
            measured["answer"] = figures["time"]
        for figure in contest.figures:
            figures[figure.name] = figure.value(contest, self.verdict, given, measured, figures)
        figures["solved"] = solved_figure(contest, board, self.verdict, solves, figures)
        figures["failed"] = int(self.verdict in FAILURES)  # R13
        figures["unstarted"] = int(self.verdict in ("STA", "BLD"))  # R4
        self.marks = marks_of(field(result, "suspect", bool), field(result, "by_hand", bool))


def solved_figure(contest, board, verdict, solves, figures):
    """R8: `solved` of a result. R9 is applied later, since it depends on all rows."""
    if verdict != ACCEPTED:
        return 0
    if contest.kind == "accepted":
        return 1
    if solves is not None:
        return int(solves)
    if board.goal is None:
        return 0
    reached = figures[contest.main.name]
    if reached is None:
        return None
    if contest.kind == "moves":
        return int(reached == board.goal)
    return int(reached >= board.goal if contest.up else reached <= board.goal)


def time_figure(verdict, wall_us, limit_ms):
    """R11: `time` of a result, in microseconds."""
    if (wall_us or 0) < 0 or (limit_ms or 0) < 0:
        raise BadInput("a time or a limit is negative")
    limit_us = None if limit_ms is None else limit_ms * 1000
    if verdict in ("STA", "BLD"):
        return 0
    if verdict == "TIM":
        return limit_us
    if wall_us is None or limit_us is None:
        return wall_us
    return min(wall_us, limit_us)


def marks_of(suspect, by_hand):
    """R19."""
    return ("?" if suspect else "") + ("!" if by_hand else "")


# Cells --------------------------------------------------------------------------------------------------------------


def cell_text(contest, board, result):
    """R16 to R18: the text of a cell; `result` is None if it is missing."""
    if result is None:
        return "-"
    if result.verdict == JUDGE_ERROR:
        return "-/JUD" if shows_several(contest, board) else "JUD"
    if result.verdict in FAILURES:
        return "0/" + result.verdict if shows_several(contest, board) else result.verdict
    known = any(result.figures.get(name) is not None for name in contest.cell)
    return figures_text(contest, contest.cell, result.figures, "/") if board.shows_figures and known else ACCEPTED


def shows_several(contest, board):
    """R17: whether the cell of an accepted result has several figures."""
    return board.shows_figures and len(contest.cell) > 1


def figures_text(contest, names, figures, between):
    """R70: the texts of these figures, `-` if none is known."""
    if all(figures[name] is None for name in names):
        return "-"
    return between.join(points_text(figures[name], contest.by_name[name].decimals) for name in names)


def whole_text(value, width=1):
    """R61, R62."""
    return "-" if value is None else str(value).zfill(width)


def points_text(value, decimals):
    """R61, R62: a figure with its decimals; there is no negative zero."""
    if value is None:
        return "-"
    digits = str(abs(value)).zfill(decimals + 1)
    sign = "-" if value < 0 else ""
    return sign + (digits[:-decimals] + "." + digits[-decimals:] if decimals else digits)


def relative_text(value):
    """R62: four decimals, to the nearest, halves up."""
    return "-" if value is None else points_text(divide_up(value, 10**5), 4)


def median(contest, results, unclear):
    """R20: the median of the results of one cell, a dict from repeat to result; None if all are missing."""
    judged = [(repeat, result) for repeat, result in results.items() if result.judged]
    judged.sort(key=lambda pair: (result_key(contest, pair[1], unclear), pair[0]))
    return judged[len(judged) // 2][1] if judged else None


def result_key(contest, result, unclear):
    """R20: the key of one result alone; a better result has a smaller key."""
    return tuple(result_part(contest, result, unclear, name) for name in contest.list)


def result_part(contest, result, unclear, name):
    if name == "relative":
        _, value = compared_value(contest, result, unclear)
        return part_of_key(value, contest.more_is_compared)
    if name == "solved" and unclear:
        return part_of_key(None, True)
    return part_of_key(result.figures[name], contest.more[name])


def part_of_key(value, more):
    """R6, R7: the smaller, the better; an unknown value is the worst."""
    if value is None:
        return (1, 0)
    return (0, -value if more else value)


def compared_value(contest, result, unclear):
    """R38: (True, the value that `relative` compares), (True, None) without such a value, (False, None) if unknown."""
    figures = result.figures
    if contest.kind == "moves" and (unclear or figures["solved"] is None):
        return False, None
    if result.verdict != ACCEPTED or (contest.kind == "moves" and figures["solved"] == 0):
        return True, None
    value = figures["solved"] if contest.compared is None else figures[contest.compared.name]
    return value is not None, None if value is None else max(value, 0)


def relative_figure(own, best, more):
    """R38, R25: in units of the ninth decimal; `own` is None for a result without a value."""
    if own is None:
        return 0
    if best == 0:
        return RELATIVE_ONE if own == 0 else 0
    return divide_up(RELATIVE_ONE * own, best) if more else divide_up(RELATIVE_ONE * best, own)


def set_relative(contest, cells, unclear):
    """R38, R39: `relative` of all cells of a column that are not missing; they are those of rows that are not out."""
    for figure in contest.figures:
        if figure.source == "ratio":
            set_ratio(contest, figure, cells)
    more = contest.more_is_compared
    values = [compared_value(contest, cell, unclear) for cell in cells]
    known = [value for _, value in values if value is not None]
    best = (max(known) if more else min(known)) if known else None
    for cell, (is_known, own) in zip(cells, values):
        cell.figures["relative"] = relative_figure(own, best, more) if is_known else None


def set_ratio(contest, figure, cells):
    """R69: a ratio to the best of another figure, of all cells of a column that are not missing."""
    more = contest.by_name[figure.of].better != "less"
    accepted = [cell.figures[figure.of] for cell in cells if cell.verdict == ACCEPTED]
    known = [max(value, 0) for value in accepted if value is not None]
    best = (max(known) if more else min(known)) if known else None
    for cell in cells:
        own = cell.figures[figure.of]
        if cell.verdict != ACCEPTED:
            cell.figures[figure.name] = 0
        elif own is None:
            cell.figures[figure.name] = None
        else:
            part, whole = (max(own, 0), best) if more else (best, max(own, 0))
            value = Fraction(1) if part >= whole else Fraction(part, whole)
            cell.figures[figure.name] = figure.of_fraction(value)


def is_unclear(contest, results):
    """R9: whether nothing says what solves a board with these results, and one of them is accepted."""
    return contest.kind == "moves" and any(
        result.verdict == ACCEPTED and not result.goal_known for result in results
    )


# Totals -------------------------------------------------------------------------------------------------------------


class Groups:
    """R26, R27: the groups of a contest as they are on some of its columns."""

    def __init__(self, contest, columns, chosen):
        self.definitions = contest.groups
        self.name = contest.main.name
        self.by_requirement = contest.groups_by_requirement
        self.alone = [index for index in chosen if columns[index].group is None]
        self.boards = [[] for _ in self.definitions]
        for index in chosen:
            if columns[index].group is not None:
                self.boards[contest.group_numbers[columns[index].group]].append(index)
        self.inner = [[] for _ in self.definitions]
        self.outermost = []
        for index in reversed(range(len(self.definitions))):
            if self.boards[index] or self.inner[index]:
                within = self.definitions[index].within
                (self.outermost if within is None else self.inner[within]).append(index)

    def total(self, cells):
        """R26, 4: the total of the first figure; no cell is missing and every value is known."""
        accepted = self.accepted(cells)
        passes = self.passes(accepted)
        points = [0] * len(self.definitions)
        for index in reversed(range(len(self.definitions))):
            if self.boards[index] or self.inner[index]:
                parts = [cells[board].figures[self.name] for board in self.boards[index]]
                parts += [points[inner] for inner in self.inner[index]]
                points[index] = group_points(self.definitions[index], parts, accepted[index], passes)
        return sum(cells[board].figures[self.name] for board in self.alone) + sum(
            points[index] for index in self.outermost
        )

    def accepted(self, cells):
        """R26, R27: for each group, whether every board in it, at any depth, has an accepted result."""
        accepted = [True] * len(self.definitions)
        for index in reversed(range(len(self.definitions))):
            accepted[index] = all(cells[board].verdict == ACCEPTED for board in self.boards[index]) and all(
                accepted[inner] for inner in self.inner[index]
            )
        return accepted

    def passes(self, accepted):
        """R27: for each group, whether it passes."""
        passes = [False] * len(self.definitions)
        for index in self.by_requirement:
            passes[index] = accepted[index] and all(passes[other] for other in self.definitions[index].requires)
        return passes


def group_points(group, parts, accepted, passes):
    """R26, 3, and R27: the points of a group that has parts."""
    if not all(passes[required] for required in group.requires):
        return 0
    if group.aggregate == "all":
        return group.points if accepted else 0
    if group.aggregate == "min":
        return min(parts)
    if group.aggregate == "max":
        return max(parts)
    if group.aggregate == "average":
        return divide_away(sum(parts), len(parts))
    return fitting_points(sum(parts))


def fitting_whole(value):
    """R23: a sum of whole numbers or microseconds."""
    if value > MAX_WHOLE:
        raise DoesNotFit()
    return value


def fitting_points(value):
    """R23: a sum of a declared figure."""
    if not MIN_FIGURE <= value <= MAX_FIGURE:
        raise DoesNotFit()
    return value


class Section:
    """Columns that are totalled together: those of a round, or of all rounds that a row reached."""

    def __init__(self, columns, groups, unclear):
        self.columns = columns
        self.groups = groups
        self.unclear = any(unclear[index] for index in columns)


class Total:
    """R22: the totals of a section; `time` is in milliseconds (R24)."""

    __slots__ = ("figures", "lacks")

    def __init__(self, contest, section, cells):
        present = [cells[index] for index in section.columns if cells[index] is not None]
        self.lacks = len(present) < len(section.columns)
        self.figures = {}
        for name in contest.names():
            self.figures[name] = self.figure(contest, name, present, section, cells)

    def figure(self, contest, name, present, section, cells):
        """R22: unknown if the figure of one cell is unknown or missing; counts leave out what is missing."""
        if name in ("solved", "relative") and section.unclear:
            return None  # R9
        if self.lacks and name not in COUNTS:
            return None
        declared = contest.by_name.get(name)
        if declared is not None and declared.source == "add":
            return declared.added(contest, self.figures)
        values = [cell.figures[name] for cell in present]
        if None in values:
            return None
        if declared is not None:
            return self.declared(contest, declared, values, section, cells)
        if name == "time":
            return divide_up(fitting_whole(sum(values)), 1000)  # R24
        return fitting_whole(sum(values))  # R25 for `relative`

    @staticmethod
    def declared(contest, figure, values, section, cells):
        """R22, R26, R67: the total of a figure that is not made of others."""
        if figure is contest.main and figure.aggregate in ("sum", "groups"):
            return fitting_points(sum(groups.total(cells) for groups in section.groups))
        if not values:
            return 0
        if figure.aggregate == "mean":
            return divide_away(sum(values), len(values))
        if figure.aggregate in ("min", "max"):
            return min(values) if figure.aggregate == "min" else max(values)
        return fitting_points(sum(values))

    def key(self, contest, names):
        """R31: the key of these totals by a list; better totals have a smaller key."""
        return tuple(part_of_key(self.figures[name], contest.more[name]) for name in names)

    def text(self, contest):
        """R61."""
        figures = self.figures
        if contest.kind == "moves":
            widths = (("progress", 3), ("moves", 4), ("tie_break", 3))
            return "/".join(whole_text(figures[name], width) for name, width in widths)
        if contest.kind == "figures":
            return figures_text(contest, contest.total, figures, " ")
        return "-" if self.lacks else whole_text(figures["solved"])

    def answer(self, contest):
        return {
            "text": self.text(contest),
            "figures": figures_answer(contest, self.figures),
            "relative": relative_text(self.figures["relative"]),
        }


def figures_answer(contest, figures):
    """The figures of a total as README.md says: strings, but milliseconds are a number."""
    answer = {}
    for name, value in figures.items():
        if name == "time" or value is None:
            answer[name] = value
        elif name == "relative":
            answer[name] = points_text(value, 9)
        elif name in contest.by_name:
            answer[name] = points_text(value, contest.by_name[name].decimals)
        else:
            answer[name] = str(value)
    return answer


# Places -------------------------------------------------------------------------------------------------------------


class Row:
    """An entry, or a team. `reached` has the rounds that it reached, from the first (R42)."""

    def __init__(self, name, competing, out, reached, width):
        self.name, self.competing, self.out, self.reached = name, competing, out, reached
        self.shown = [None] * width  # the results that make the cells, with judge errors
        self.cells = [None] * width  # the same without judge errors (R14)
        self.incomplete_rounds = set()  # rounds with a missing result of any repeat (R21)
        self.totals = {}  # from round to Total
        self.total = None
        self.place = None

    def takes_up(self):
        """R34: whether the row takes up a place."""
        return self.competing and not self.out

    def show(self, column, result):
        self.shown[column] = result
        self.cells[column] = result if result is not None and result.judged else None

    def key(self, contest):
        """R36, R37, R42: what orders the rows; rows with equal keys are separated by nothing."""
        if self.out:
            return (True, -self.reached[-1], False, ())
        totals = tuple(self.totals[number].key(contest, contest.list) for number in reversed(self.reached))
        return (False, -self.reached[-1], self.total.lacks, totals)


def fill_relative(contest, rows, unclear):
    """R39: `relative` of all cells, column by column."""
    for column, column_unclear in enumerate(unclear):
        set_relative(contest, [row.cells[column] for row in rows if row.cells[column] is not None], column_unclear)


def rank(contest, rows, has_boards):
    """R31 to R37, R63: the rows in the order of the table, with their places. `rows` are in the order of R63."""
    keyed = sorted(((row.key(contest), row) for row in rows), key=lambda pair: pair[0])
    keyed = winner_first(keyed)
    if has_boards:  # R37
        give_places(keyed)
    return [row for _, row in keyed]


def winner_first(keyed):
    """R35: the first row that competes stands at the top, unless it lacks a result."""
    for index, (_, row) in enumerate(keyed):
        if row.takes_up():
            if row.total.lacks:
                return keyed
            return [keyed[index]] + keyed[:index] + keyed[index + 1:]
    return keyed


def give_places(keyed):
    """R34, R36: the places of rows in the order of the table."""
    for (_, row), place in zip(keyed, shared_places(keyed)):
        row.place = None if row.total.lacks else place


def shared_places(keyed):
    """R34: the place that each row takes up, or None. Rows that nothing separates share that of the first."""
    places = []
    taken, place, place_key = 0, None, None
    for key, row in keyed:
        if not row.takes_up():
            places.append(None)
            continue
        taken += 1
        if place is None or key != place_key:
            place, place_key = taken, key
        places.append(place)
    return places


# Rounds -------------------------------------------------------------------------------------------------------------


def goes_on(contest, rounds, columns, unclear, rows):
    """R43, R44: the names of the rows that go on from the last round, or None if a result is missing."""
    number = len(rounds)
    able = [row for row in rows if not row.out and number in row.reached]
    if any(number in row.incomplete_rounds for row in able):
        return None
    advance = field(rounds[-1], "advance", str, int)
    competing = [row for row in able if row.competing]
    if advance == "all":
        chosen = able
    elif advance == "solved":
        boards = [index for index, board in enumerate(columns) if board.round == number]
        chosen = [row for row in competing if solved_each(row, boards, unclear)]
    else:
        places = tie_places(contest, optional(rounds[-1], "tie_on", list), number, competing if columns else [])
        chosen = tied(competing, places) if advance == "tied" else top(competing, places, advance)
    return [row.name for row in chosen]


def solved_each(row, boards, unclear):
    """R43: whether a row has `solved` = 1 on each board."""
    return all(row.cells[board].figures["solved"] == 1 and not unclear[board] for board in boards)


def tie_places(contest, tie_on, number, rows):
    """R43: from the name of each row to its place in the table of the round that is over, by `tie_on`."""
    names = contest.tie_list(tie_on)
    keyed = sorted(((row.totals[number].key(contest, names), row) for row in rows), key=lambda pair: pair[0])
    return {row.name: place for (_, row), place in zip(keyed, shared_places(keyed))}


def tied(rows, places):
    """R43: those that share the first place, if there are at least two."""
    first = [row for row in rows if places.get(row.name) == 1]
    return first if len(first) > 1 else []


def top(rows, places, number):
    """R43: those with a place from 1 to `number`."""
    if not isinstance(number, int) or number < 1:
        raise BadInput("`advance` is %r" % (number,))
    return [row for row in rows if row.name in places and places[row.name] <= number]


# A table ------------------------------------------------------------------------------------------------------------


class Table:
    """A case of a table."""

    def __init__(self, case):
        self.contest = Contest(case)
        self.median = one_of(case, "repeats", ("first", "median")) == "median"
        self.planned = field(case, "planned", int)
        self.rounds = field(case, "rounds", list)
        if self.planned < 1 or not self.rounds:
            raise BadInput("no repeat is planned, or there is no round")
        boards = [Board(self.contest, board) for board in field(case, "boards", list)]
        if any(not 1 <= board.round <= len(self.rounds) for board in boards):
            raise BadInput("a board is of a round that is not there")
        self.boards = by_name(boards)
        self.columns = sorted((board for board in boards if not board.struck), key=lambda board: board.round)  # R30
        self.rows = self.read_rows(field(case, "entries", list))
        self.results = self.read_results(field(case, "results", list))
        self.unclear = self.find_unclear()
        self.make_cells()
        fill_relative(self.contest, self.rows, self.unclear)
        self.make_totals()

    def read_rows(self, entries):
        open_rounds = sorted({board.round for board in self.columns} | {1})
        rows = []
        for entry in entries:
            last = field(entry, "reached", int)
            if not 1 <= last <= len(self.rounds):
                raise BadInput("an entry reached a round that is not there")
            reached = [number for number in open_rounds if number <= last]  # R42
            name, competing, out = field(entry, "name", str), field(entry, "competing", bool), field(entry, "out", bool)
            rows.append(Row(name, competing, out, reached, len(self.columns)))
        by_name(rows)
        return rows

    def read_results(self, results):
        """R1, R30: the results that count: from (row, column) to a dict from repeat to result."""
        rows = {row.name: (index, row) for index, row in enumerate(self.rows)}
        columns = {board.name: index for index, board in enumerate(self.columns)}
        seen, counting = set(), {}
        for item in results:
            name, board_name = field(item, "entry", str), field(item, "board", str)
            repeat = field(item, "repeat", int)
            if name not in rows or board_name not in self.boards or not 1 <= repeat <= self.planned:
                raise BadInput("the run (%s, %s, %s) is not planned" % (name, board_name, repeat))
            if (name, board_name, repeat) in seen:
                raise BadInput("the run (%s, %s, %s) has two results" % (name, board_name, repeat))
            seen.add((name, board_name, repeat))
            (index, row), board = rows[name], self.boards[board_name]
            result = Result(self.contest, board, item)
            if not row.out and not board.struck and board.round in row.reached:
                counting.setdefault((index, columns[board_name]), {})[repeat] = result
        return counting

    def find_unclear(self):
        """R9: for each column, whether nothing says what solves its board."""
        unclear = [False] * len(self.columns)
        for (_, column), repeats in self.results.items():
            unclear[column] = unclear[column] or is_unclear(self.contest, repeats.values())
        return unclear

    def make_cells(self):
        """R20, R21: the results that make the cells, and the rounds that lack a result of any repeat."""
        for index, row in enumerate(self.rows):
            for column in self.planned_columns(row):
                repeats = self.results.get((index, column), {})
                row.show(column, self.cell(repeats, self.unclear[column]))
                if sum(result.judged for result in repeats.values()) < self.planned:
                    row.incomplete_rounds.add(self.columns[column].round)

    def planned_columns(self, row):
        reached = set(row.reached)
        return [index for index, board in enumerate(self.columns) if board.round in reached]

    def cell(self, repeats, unclear):
        """R20: the result that makes a cell; a judge error of repeat 1 is shown if there is no median."""
        chosen = median(self.contest, repeats, unclear) if self.median else None
        return chosen or repeats.get(1)

    def make_totals(self):
        """R22: the totals of each row, in each round that it reached and over all of them."""
        sections = {}
        for row in self.rows:
            for number in row.reached:
                row.totals[number] = self.make_total(sections, row, (number,))
            row.total = self.make_total(sections, row, tuple(row.reached))

    def make_total(self, sections, row, rounds):
        if rounds not in sections:
            columns = [index for index, board in enumerate(self.columns) if board.round in rounds]
            groups = [Groups(self.contest, self.columns, columns)] if self.contest.main else []
            sections[rounds] = Section(columns, groups, self.unclear)
        return Total(self.contest, sections[rounds], row.cells)

    def answer(self):
        rows = rank(self.contest, self.rows, bool(self.columns))
        return {
            "list": self.contest.list,
            "columns": [board.name for board in self.columns],
            "complete": not any(row.incomplete_rounds for row in rows if not row.out),  # R21
            "goes_on": goes_on(self.contest, self.rounds, self.columns, self.unclear, rows),
            "rows": [self.row_answer(row) for row in rows],
        }

    def row_answer(self, row):
        planned = set(self.planned_columns(row))
        texts, marks = [], []
        for index, board in enumerate(self.columns):
            result = row.shown[index]
            texts.append(cell_text(self.contest, board, result) if index in planned else "")  # R18
            marks.append("" if result is None else result.marks)
        return {
            "entry": row.name,
            "place": row.place,
            "complete": not row.incomplete_rounds,
            "cells": texts,
            "marks": marks,
            "rounds": [row.totals[number].answer(self.contest) for number in row.reached],
            "total": row.total.answer(self.contest),
        }


def one_of(obj, key, values):
    value = field(obj, key, str)
    if value not in values:
        raise BadInput("the value `%s` of `%s` is unknown" % (value, key))
    return value


def by_name(things):
    """From the name of each thing to the thing; names are unique."""
    named = {thing.name: thing for thing in things}
    if len(named) < len(things):
        raise BadInput("two boards, entries, problems or teams have the same name")
    return named


# An office ----------------------------------------------------------------------------------------------------------


class Problem:
    """A problem of an office. `columns` are the indices of its boards among those of all problems."""

    def __init__(self, contest, problem, first_column):
        self.name = field(problem, "name", str)
        self.boards = [Board(contest, board) for board in field(problem, "boards", list)]
        self.named = by_name(self.boards)
        self.columns = range(first_column, first_column + len(self.boards))


class Team:
    def __init__(self, team):
        self.name = field(team, "name", str)
        self.out = field(team, "out", bool)
        self.chosen = field(team, "chosen", dict)


class Submission:
    """A submission; `results` are in the order of the boards of its problem, None where there is none."""

    def __init__(self, contest, problem, item):
        self.number = field(item, "number", int)
        self.arrived = field(item, "arrived", int)
        self.state = one_of(item, "state", ("in", "cancelled", "ignored", "held", "late"))
        self.seen = field(item, "seen", bool)
        self.built = optional(item, "built", bool)
        results = {}
        for result in field(item, "results", list):
            name = field(result, "board", str)
            if name not in problem.named or name in results:
                raise BadInput("the board `%s` is unknown, or has two results" % name)
            results[name] = Result(contest, problem.named[name], result)
        self.results = [results.get(board.name) for board in problem.boards]
        self.verdict = self.make_verdict()

    def make_verdict(self):
        """R46: the verdict; None while a result is missing."""
        if self.built is False:
            return "BLD"
        if None in self.results:
            return None
        bad = [result.verdict for result in self.results if result.verdict != ACCEPTED]
        return bad[0] if bad else ACCEPTED

    def can_count(self):
        """R47, R54: what is not in, does not build or may not be seen never counts."""
        return self.state == "in" and self.seen and self.verdict != "BLD"

    def judged_results(self):
        """R14: the results without judge errors."""
        return [result for result in self.results if result is not None and result.judged]

    def started(self):
        """R47: whether it was seen to start."""
        return any(result.verdict not in ("STA", "BLD") for result in self.judged_results())

    def minute(self):
        """R50."""
        return max(self.arrived, 0) // 60


def latest(submissions):
    """R47, `latest`. Here and below, `submissions` can count and are in the order of R48."""
    started = [submission for submission in submissions if submission.started()]
    waiting = [submission for submission in submissions if not submission.judged_results()]
    return last_of(started) or last_of(waiting) or last_of(submissions)


def last_of(things):
    return things[-1] if things else None


def chosen_by_team(submissions, number):
    """R47, `chosen`."""
    for submission in submissions:
        if submission.number == number:
            return submission
    return latest(submissions)


def first_accepted(submissions):
    """R47, `first-accepted`."""
    for submission in submissions:
        if submission.verdict == ACCEPTED:
            return submission
    return latest(submissions)


def best(contest, problem, submissions):
    """R47, `best`: ranked in a table of the submissions of the team alone."""
    judged = [one for one in submissions if len(one.judged_results()) == len(problem.boards)]
    if not judged:
        return latest(submissions)
    rows = []
    for submission in judged:
        row = Row(submission, True, False, [1], len(problem.boards))
        for column, result in enumerate(submission.results):
            row.show(column, result)
        rows.append(row)
    total_and_relative(contest, problem.boards, [range(len(problem.boards))], rows)
    return rank(contest, rows, True)[0].name


def total_and_relative(contest, columns, parts, rows):
    """The totals of rows with one round. `parts` are the columns of each problem, with groups of its own (R53)."""
    unclear = [
        is_unclear(contest, [row.cells[column] for row in rows if row.cells[column] is not None])
        for column in range(len(columns))
    ]
    fill_relative(contest, rows, unclear)
    groups = [Groups(contest, columns, part) for part in parts] if contest.main else []
    section = Section(range(len(columns)), groups, unclear)
    for row in rows:
        row.total = Total(contest, section, row.cells)
        row.totals[1] = row.total


class Office:
    """A case of an office."""

    def __init__(self, case):
        self.contest = Contest(case)
        self.pass_fail = self.contest.kind == "accepted"  # R49
        self.counts = one_of(case, "counts", ("latest", "best", "chosen", "first-accepted"))
        if self.pass_fail and (self.counts != "first-accepted" or self.contest.order is not None):
            raise BadInput("a pass-fail contest has `first-accepted` and no `order` (R49)")
        self.penalty = read_points(field(case, "penalty", str, int), 0)
        self.problems, self.columns = [], []
        for item in field(case, "problems", list):
            problem = Problem(self.contest, item, len(self.columns))
            self.problems.append(problem)
            self.columns += problem.boards
        by_name(self.problems)
        teams = [Team(team) for team in field(case, "teams", list)]
        by_name(teams)
        self.teams = sorted(teams, key=lambda team: team.name)  # R63
        self.submissions = self.read_submissions(field(case, "submissions", list))
        self.results = {
            team.name: {problem.name: self.result(team, problem) for problem in self.problems} for team in self.teams
        }

    def read_submissions(self, items):
        """From (team, problem) to the submissions that can count, ordered by their arrival (R48)."""
        problems = {problem.name: problem for problem in self.problems}
        submissions = {(team.name, name): [] for team in self.teams for name in problems}
        numbers = set()
        for item in items:
            team, problem = field(item, "team", str), field(item, "problem", str)
            if (team, problem) not in submissions:
                raise BadInput("a submission is of an unknown team or problem")
            submission = Submission(self.contest, problems[problem], item)
            if (problem, submission.number) in numbers:
                raise BadInput("two submissions for `%s` have the number %d" % (problem, submission.number))
            numbers.add((problem, submission.number))
            if submission.can_count():
                submissions[team, problem].append(submission)
        for ones in submissions.values():
            ones.sort(key=lambda one: (one.arrived, one.number))
        return submissions

    def result(self, team, problem):
        """R47: the submission that is the result of a team on a problem, or None."""
        submissions = self.submissions[team.name, problem.name]
        if self.counts == "chosen":
            return chosen_by_team(submissions, team.chosen.get(problem.name))
        if self.counts == "best":
            return best(self.contest, problem, submissions)
        if self.counts == "first-accepted":
            return first_accepted(submissions)
        return latest(submissions)

    def answer(self):
        if self.pass_fail:
            return {"list": PASS_FAIL_LIST, "rows": self.pass_fail_rows()}
        return {"list": self.contest.list, "rows": self.table_rows()}

    def row_answer(self, name, place, figures):
        counts = {problem: one and one.number for problem, one in self.results[name].items()}
        return {"team": name, "place": place, "counts": counts, "figures": figures}

    def pass_fail_rows(self):
        """R49 to R52, R54: the rows of a pass-fail contest."""
        keyed, figures = [], {}
        for team in self.teams:
            solved, penalty, last = (0, 0, 0) if team.out else self.pass_fail_figures(team)
            figures[team.name] = {"solved": str(solved), "penalty": str(penalty), "last": str(last)}
            keyed.append(((team.out, -solved, penalty, last), Row(team.name, True, team.out, [1], 0)))
        keyed.sort(key=lambda pair: pair[0])
        places = shared_places(keyed) if self.columns else [None] * len(keyed)  # R37
        return [self.row_answer(row.name, place, figures[row.name]) for (_, row), place in zip(keyed, places)]

    def pass_fail_figures(self, team):
        """R49, R50, R52: `solved`, `penalty` and `last` of a team."""
        solved, penalty, last = 0, 0, 0
        for problem in self.problems:
            result = self.results[team.name][problem.name]
            if result is not None and result.verdict == ACCEPTED:
                solved += 1
                penalty += result.minute() + self.penalty * self.rejected_before(team, problem, result)
                last = max(last, result.minute())
        return solved, fitting_whole(penalty), last

    def rejected_before(self, team, problem, accepted):
        """R50, R51: how many rejected submissions arrived before the accepted one."""
        submissions = self.submissions[team.name, problem.name]
        before = submissions[:submissions.index(accepted)]
        return sum(submission.verdict in REJECTED for submission in before)

    def table_rows(self):
        """R53: the rows of an office that is not pass-fail. With one problem, a team without a result is below all."""
        rows, without = [], []
        for team in self.teams:
            results = self.results[team.name]
            if len(self.problems) == 1 and None in results.values():
                without.append(team.name)
            else:
                rows.append(self.table_row(team, results))
        total_and_relative(self.contest, self.columns, [problem.columns for problem in self.problems], rows)
        rows = rank(self.contest, rows, bool(self.columns))
        answers = [
            self.row_answer(row.name, row.place, figures_answer(self.contest, row.total.figures)) for row in rows
        ]
        return answers + [self.row_answer(name, None, dict.fromkeys(self.contest.more)) for name in without]

    def table_row(self, team, results):
        """R30, R53: the row of a team, with a `STA` on each board of a problem on which nothing counts."""
        row = Row(team.name, True, team.out, [1], len(self.columns))
        for problem in [] if team.out else self.problems:
            submission = results[problem.name]
            for place, (column, board) in enumerate(zip(problem.columns, problem.boards)):
                row.show(column, submission.results[place] if submission else not_started(self.contest, board))
        return row


def not_started(contest, board):
    """R53."""
    return Result(contest, board, {"verdict": "STA", "figures": {}, "suspect": False, "by_hand": False})


# Lines --------------------------------------------------------------------------------------------------------------


def solve(case):
    """The answer to one case."""
    answer = {"case": field(case, "case", str)}
    try:
        answer.update((Office(case) if "submissions" in case else Table(case)).answer())
    except DoesNotFit:
        answer["error"] = "R23"
    return answer


def refuse_constant(name):
    raise BadInput("%s is no number" % name)


def read_case(line):
    """One JSON object; numbers keep the digits that were written."""
    try:
        return json.loads(line.decode("utf-8"), parse_float=str, parse_constant=refuse_constant)
    except ValueError as error:
        raise BadInput("this is no JSON: %s" % error)


def main():
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        case = None
        try:
            case = read_case(line)
            answer = solve(case)
        except BadInput as error:
            name = case.get("case") if isinstance(case, dict) else None
            sys.stderr.write("scoring.py: line %d, case %r: %s\n" % (number, name, error))
            return 1
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
