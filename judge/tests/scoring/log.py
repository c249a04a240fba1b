"""What the log of an office decides (docs/office.md, R45 to R48): which submissions are late, who sees what, and in which order.

The clock of a log may be set back. `steady` below is a clock that stands still instead, until what is measured by it goes on.
"""

from datetime import datetime

from figures import BadInput, field, optional

ORGANISER = "organiser"


def seconds(date):
    return int(datetime.fromisoformat(date.replace("Z", "+00:00")).timestamp())


class Log:
    """The state after the lines of a log."""

    def __init__(self, lines):
        self.begun = None
        self.now, self.back = 0, 0  # the steady clock, and by how much the other one is behind it
        self.times, self.passed = {}, {}  # of the rounds, and from planned moments to when they came, by the steady clock
        self.counts, self.penalty = "latest", 20
        self.teams, self.submissions = {}, []
        self.frozen, self.froze = None, None  # the freeze that holds, and the last planned moment of one that came
        self.finals, self.public_round, self.final = False, 1, False
        for line in lines:
            self.follow(line)

    def follow(self, line):
        event, at = field(line, "event", str), seconds(field(line, "at", str))
        self.back += max(self.now - (at + self.back), 0)
        self.now = at + self.back
        if not self.final:
            self.pass_time(at)
        known = getattr(self, "on_" + event, None)
        if known is None:
            raise BadInput("the event `%s` is unknown" % event)
        known(line, at)

    def pass_time(self, at):
        """What is planned and has come by now. It stays so, whatever the clock shows later."""
        for times in self.times.values():
            for moment in (times.get("opens"), times.get("closes")):
                if moment is not None and moment <= at and moment not in self.passed:
                    self.passed[moment] = moment + self.back
        freezes = self.planned_freeze(at)
        if freezes is not None and freezes != self.froze and not self.frozen:
            self.freeze(at, freezes)

    def planned_freeze(self, at):
        freezes = self.times.get(1, {}).get("freezes")
        return freezes if freezes is not None and freezes <= at else None

    def freeze(self, at, planned):
        """The board is frozen from now on, or was from a planned moment on, by the steady clock."""
        self.frozen = {
            "last": len(self.submissions), "from": None if planned is None else planned + self.back, "round": self.public_round,
        }
        self.froze = planned or self.planned_freeze(at) or self.froze

    def came_by(self, moment, arrived):
        """Whether a planned moment came no later than an upload arrived, which is not later than now."""
        return moment <= arrived or (moment in self.passed and self.passed[moment] <= arrived + self.back)

    def on_office(self, line, at):
        self.begun = at

    def on_rules(self, line, at):
        if self.times:
            raise BadInput("rules that change another time")
        rules = field(line, "rules", dict)
        self.counts, self.penalty = rules.get("counts", "latest"), optional(rules, "penalty", int) or 20
        self.times = dict(enumerate([rules["times"]] + rules.get("rounds", []), 1))

    def on_extended(self, line, at):
        self.times[optional(line, "round", int) or 1] = field(line, "times", dict)

    def on_team(self, line, at):
        self.teams[field(line, "team", str)] = {"out": False, "chosen": {}, "publicly": {}}

    def on_disqualified(self, line, at):
        self.teams[field(line, "team", str)]["out"] = True

    def on_reinstated(self, line, at):
        self.teams[field(line, "team", str)]["out"] = False

    def on_submitted(self, line, at):
        arrived = seconds_of(line, at)
        opens = self.times.get(1, {}).get("opens")
        if self.final or (opens is not None and not self.came_by(opens, arrived)):
            raise BadInput("a submission was accepted before the beginning, or after the end")
        ends = [self.times.get(1, {}).get("closes"), self.times.get(2, {}).get("opens")]
        ends = [end for end in ends if end is not None]
        late = self.finals or (bool(ends) and self.came_by(min(ends), arrived))
        self.submissions.append({
            "number": field(line, "number", int), "team": field(line, "team", str), "problem": line.get("problem", ""),
            "arrived": arrived, "order": arrived + self.back, "late": late, "admitted": False,
            "held": False, "cancelled": False, "ignored": False,
        })

    def on_decided(self, line, at):
        submission, decision = self.submission(line), field(line, "decision", str)
        changes = {
            "admitted": ("admitted", True), "held": ("held", True), "released": ("held", False),
            "cancelled": ("cancelled", True), "ignored": ("ignored", True), "considered": ("ignored", False),
        }
        key, value = changes[decision]
        submission[key] = value

    def submission(self, line):
        return self.submissions[field(line, "number", int) - 1]

    def on_chosen(self, line, at):
        submission = self.submission(line)
        team = self.teams[submission["team"]]
        team["chosen"][submission["problem"]] = submission["number"]
        if not self.frozen:
            team["publicly"] = dict(team["chosen"])

    def on_frozen(self, line, at):
        if not self.frozen:
            self.freeze(at, optional(line, "from", int))

    def on_thawed(self, line, at):
        self.frozen, self.froze = None, self.planned_freeze(at) or self.froze
        for team in self.teams.values():
            team["publicly"] = dict(team["chosen"])

    def on_finals(self, line, at):
        self.finals = True

    def on_published(self, line, at):
        self.public_round = field(line, "round", int)

    def on_passed(self, line, at):
        pass

    def on_final(self, line, at):
        self.final = True

    def on_reopened(self, line, at):
        self.final = False

    def is_public(self, number, order):
        """What arrived before the freeze is public, also if its upload ended later."""
        if self.frozen is None:
            return True
        if self.frozen["from"] is None:
            return number <= self.frozen["last"]
        return order < self.frozen["from"]

    def start(self):
        opens = self.times.get(1, {}).get("opens")
        return self.begun if opens is None else opens

    def last_round(self, viewer, opened):
        """The last round whose boards and results a viewer sees: a final is sealed until it closes, or the results are final."""
        if viewer == ORGANISER:
            return opened
        public = opened if self.final else self.public_round
        return min(opened, public, opened if self.frozen is None else self.frozen["round"])


def seconds_of(line, at):
    """When the last byte arrived."""
    arrived = optional(line, "arrived", int)
    return at if arrived is None else arrived


def state_of(submission):
    for state in ("cancelled", "ignored", "held"):
        if submission[state]:
            return state
    return "late" if submission["late"] and not submission["admitted"] else "in"


def office_case(case):
    """The case of an office, as it follows from its log for a viewer."""
    log, viewer = Log(field(case, "log", list)), case.get("viewer")
    own = viewer.get("team") if isinstance(viewer, dict) else None
    names = [field(problem, "name", str) for problem in field(case, "problems", list)]
    entries = {field(entry, "name", str): entry for entry in field(case, "entries", list)}
    opened = len(field(case, "rounds", list))
    knows = opened if viewer == ORGANISER or log.frozen is None else log.frozen["round"]
    submissions = []
    for one in log.submissions:
        entry = entries.get("%s.%d" % (one["team"], one["number"]))
        reached = 1 if entry is None else entry.get("reached") or 1
        submissions.append({
            "team": one["team"], "problem": one["problem"] or names[0], "number": one["number"], "order": one["order"],
            "arrived": one["arrived"] - log.start(), "state": state_of(one), "reached": min(reached, knows),
            "seen": viewer == ORGANISER or one["team"] == own or log.is_public(one["number"], one["order"]),
            "built": entry is not None and field(entry, "built", bool), "results": [] if entry is None else entry["results"],
        })
    teams = []
    for name, team in log.teams.items():
        chosen = team["chosen"] if viewer == ORGANISER or name == own else team["publicly"]
        teams.append({"name": name, "out": team["out"], "chosen": {key or names[0]: number for key, number in chosen.items()}})
    counts = "first-accepted" if case["kind"] == "accepted" else log.counts
    return {
        **case, "counts": counts, "penalty": log.penalty, "teams": teams, "submissions": submissions,
        "rounds": case["rounds"][:log.last_round(viewer, opened)],
    }
