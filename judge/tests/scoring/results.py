"""Results and their figures (chapters Results and Failures)."""

from figures import ACCEPTED, BadInput, FAILURES, field, JUDGE_ERROR, optional


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
