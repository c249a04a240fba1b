"""The table of an office (chapter Submissions)."""

from cells import is_unclear
from declaration import Contest
from figures import ACCEPTED, BadInput, field, optional, PASS_FAIL_LIST, read_points, REJECTED
from places import fill_relative, rank, Row, shared_places
from results import Board, Result
from table import by_name, one_of
from totals import figures_answer, fitting_whole, Groups, Section, Total


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
