"""Totals and groups (chapter Totals)."""

from cells import figures_text, part_of_key, points_text, relative_text, whole_text
from figures import ACCEPTED, COUNTS, divide_away, divide_up, DoesNotFit, MAX_FIGURE, MAX_WHOLE, MIN_FIGURE


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
    """The figures of a total as generate.py says: strings, but milliseconds are a number."""
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
