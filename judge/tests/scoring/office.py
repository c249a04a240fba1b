"""The table of an office (chapter Submissions)."""

from cells import is_unclear
from declaration import Contest
from figures import ACCEPTED, BadInput, field, optional, PASS_FAIL_LIST, read_points, REJECTED
from places import fill_relative, rank, Row, shared_places
from results import Board, Result
from rounds import goes_on
from table import by_name, one_of
from totals import figures_answer, fitting_whole, Groups, Section, Total


class Problem:
    """A problem of an office, with the boards of the rounds that have opened. `columns` are the indices of those that count (R30)
    among those of all problems."""

    def __init__(self, contest, problem, first_column, opened):
        self.name = field(problem, "name", str)
        boards = [Board(contest, board) for board in field(problem, "boards", list)]
        self.named = by_name(boards)
        self.boards = [board for board in boards if not board.struck and board.round <= opened]
        self.first = [board for board in self.boards if board.round == 1]
        self.has_more = any(board.round > opened for board in boards)
        self.columns = range(first_column, first_column + len(self.boards))


class Team:
    def __init__(self, team):
        self.name = field(team, "name", str)
        self.out = field(team, "out", bool)
        self.chosen = field(team, "chosen", dict)


class Submission:
    """A submission; `results` are in the order of the boards of its problem, None where there is none. Those of the first round
    decide whether it counts."""

    def __init__(self, contest, problem, item):
        self.number = field(item, "number", int)
        self.arrived = field(item, "arrived", int)
        order = optional(item, "order", int)
        self.order = self.arrived if order is None else order
        self.reached = optional(item, "reached", int) or 1
        self.state = one_of(item, "state", ("in", "cancelled", "ignored", "held", "late"))
        self.seen = field(item, "seen", bool)
        self.built = optional(item, "built", bool)
        results = {}
        for result in field(item, "results", list):
            name = field(result, "board", str)
            if name not in problem.named or name in results:
                raise BadInput("the board `%s` is unknown, or has two results" % name)
            results[name] = Result(contest, problem.named[name], result)
        self.results = [results.get(board.name) if board.round <= self.reached else None for board in problem.boards]
        self.first = [results.get(board.name) for board in problem.first]
        self.verdict = self.make_verdict()

    def make_verdict(self):
        """R46: the verdict; None while a result is missing."""
        if self.built is False:
            return "BLD"
        if None in self.first or not self.first:
            return None
        bad = [result.verdict for result in self.first if result.verdict != ACCEPTED]
        return bad[0] if bad else ACCEPTED

    def can_count(self):
        """R47, R54: what is not in, does not build or may not be seen never counts."""
        return self.state == "in" and self.seen and self.verdict != "BLD"

    def judged_results(self):
        """R14: the results without judge errors."""
        return [result for result in self.first if result is not None and result.judged]

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
    judged = [one for one in submissions if len(one.judged_results()) == len(problem.first)]
    if not judged:
        return latest(submissions)
    rows = []
    for submission in judged:
        row = Row(submission, True, False, [1], len(problem.first))
        row.planned = range(len(problem.first))
        for column, result in enumerate(submission.first):
            row.show(column, result)
        rows.append(row)
    total_and_relative(contest, problem.first, [range(len(problem.first))], rows)
    return rank(contest, rows, True)[0].name


def total_and_relative(contest, columns, parts, rows):
    """The totals of rows, in each round and over all of them. `parts` are the columns of each problem, with groups of its own
    (R53). Each row has the columns that are planned for it."""
    unclear = [
        is_unclear(contest, [row.cells[column] for row in rows if row.cells[column] is not None])
        for column in range(len(columns))
    ]
    fill_relative(contest, rows, unclear)

    def total(row, rounds):
        planned = [column for column in row.planned if columns[column].round in rounds]
        of_problems = [[column for column in part if column in planned] for part in parts]
        groups = [Groups(contest, columns, part) for part in of_problems] if contest.main else []
        return Total(contest, Section(planned, groups, unclear), row.cells)

    for row in rows:
        row.totals = {number: total(row, [number]) for number in row.reached}
        row.total = total(row, row.reached)
        row.incomplete_rounds = {number for number in row.reached if row.totals[number].lacks}
    return unclear


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
        self.rounds = optional(case, "rounds", list) or [{"advance": "all"}]
        for item in field(case, "problems", list):
            problem = Problem(self.contest, item, len(self.columns), len(self.rounds))
            self.problems.append(problem)
            self.columns += problem.boards
        by_name(self.problems)
        teams = [Team(team) for team in field(case, "teams", list)]
        by_name(teams)
        self.teams = sorted(teams, key=lambda team: team.name)  # R63
        self.out = {team.name for team in teams if team.out}
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
            ones.sort(key=lambda one: (one.order, one.number))
        return submissions

    def result(self, team, problem):
        """R47: the submission that is the result of a team on a problem, or None. Once some are in a later round, only these."""
        submissions = self.submissions[team.name, problem.name]
        submissions = [one for one in submissions if one.reached > 1] or submissions
        if self.counts == "chosen":
            return chosen_by_team(submissions, team.chosen.get(problem.name))
        if self.counts == "best":
            return best(self.contest, problem, submissions)
        if self.counts == "first-accepted":
            return first_accepted(submissions)
        return latest(submissions)

    def answer(self):
        advancing, rows = self.table_rows()
        if self.pass_fail:
            return {"list": PASS_FAIL_LIST, "rows": self.pass_fail_rows(), "goes_on": advancing}
        return {"list": self.contest.list, "rows": rows, "goes_on": advancing}

    def row_answer(self, name, place, figures):
        # R54: a team that is out has no result.
        out = name in self.out
        counts = {problem: None if out or one is None else one.number for problem, one in self.results[name].items()}
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
            submissions = self.submissions[team.name, problem.name]
            accepted = [number for number, one in enumerate(submissions) if one.verdict == ACCEPTED]
            if accepted:
                before = submissions[:accepted[0]]
                minute = submissions[accepted[0]].minute()
                solved += 1
                # R50, R51: the rejected submissions that arrived before.
                penalty += minute + self.penalty * sum(submission.verdict in REJECTED for submission in before)
                last = max(last, minute)
        return solved, fitting_whole(penalty), last

    def table_rows(self):
        """R53: who goes on, and the rows of an office that is not pass-fail. With one problem, a team without a result is below
        all."""
        rows, without = [], []
        for team in self.teams:
            results = self.results[team.name]
            if len(self.problems) == 1 and None in results.values():
                without.append(team.name)
            else:
                rows.append(self.table_row(team, results))
        unclear = total_and_relative(self.contest, self.columns, [problem.columns for problem in self.problems], rows)
        rows = rank(self.contest, rows, bool(self.columns))
        teams = goes_on(self.contest, self.rounds, self.columns, unclear, rows)
        answers = [
            self.row_answer(row.name, row.place, figures_answer(self.contest, row.total.figures)) for row in rows
        ]
        answers += [self.row_answer(name, None, dict.fromkeys(self.contest.more)) for name in without]
        return None if teams is None else self.submissions_of(teams), answers

    def submissions_of(self, teams):
        """R53: the numbers of all submissions of teams that count, on the problems that have a board in the next round."""
        more = [problem.name for problem in self.problems if problem.has_more]
        results = [self.results[team][problem] for team in teams for problem in more]
        return sorted(one.number for one in results if one is not None)

    def table_row(self, team, results):
        """R30, R42, R53: the row of a team, with a `STA` on each board of the first round of a problem on which nothing counts. In a
        later round, it has the boards of the problems with which it is in it."""
        known = [one for one in results.values() if one is not None]
        reached = max([one.reached for one in known], default=1)
        row = Row(team.name, True, team.out, [], len(self.columns))
        row.planned = []
        for problem in self.problems:
            submission = results[problem.name]
            last = submission.reached if submission else 1
            for place, (column, board) in enumerate(zip(problem.columns, problem.boards)):
                if board.round <= last:
                    row.planned.append(column)
                if board.round <= last and not team.out:
                    row.show(column, submission.results[place] if submission else not_started(self.contest, board))
        shown = {board.round for board in self.columns}
        row.reached = [number for number in range(1, reached + 1) if number == 1 or number in shown]
        return row


def not_started(contest, board):
    """R53."""
    return Result(contest, board, {"verdict": "STA", "figures": {}, "suspect": False, "by_hand": False})
