"""What a contest declares: figures, groups and lists (chapters Declared figures and Places)."""

from fractions import Fraction

from figures import (
    ACCEPTED,
    BadInput,
    COUNTS,
    cut,
    field,
    JUDGE_ERROR,
    MEASURED,
    MOVES,
    optional,
    parse_number,
    read_points,
)


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
