"""A second opinion on the results of a contest of Loyd's Dilemma, or of one whose answers get points.

It shares no code with judge. From a results directory alone it checks the chain of hashes, replays every stored answer by the
rules of 1995, applies all events of the journal, and makes the table. Written after docs/file-formats.md, docs/threats.md and
docs/organise.md.

    second_opinion.py RESULTS                      print the table as JSON
    second_opinion.py RESULTS --rank RANK.json     compare with `judge rank RESULTS --format json`
    second_opinion.py RESULTS --points EXPRESSION  what a referee gives: of `answer`, `board` and `version` of the referee

It prints one line per difference and ends with exit code 1 if there is one.
"""

import argparse
import hashlib
import json
import os
import re
import sys

HOME = "ABCDEFGHIJKLMNOPQRSTUVWX+"
CENTRE = 12
# Where the tile comes from that travels in this direction, as a change of row and column from the empty spot.
FROM = {"u": (1, 0), "d": (-1, 0), "l": (0, 1), "r": (0, -1)}
CHAINED = re.compile(rb'^(\{.*),"chain":"([0-9a-f]{64})"\}\n$', re.DOTALL)
CODES = {
    "illegal_move": "ILL", "wrong": "WRO", "timed_out": "TIM", "out_of_cpu": "CPU", "out_of_memory": "MEM",
    "too_many_processes": "PRO", "scratch_full": "SCR", "too_much_output": "OUT", "crashed": "CRA",
    "could_not_start": "STA", "build_failed": "BLD", "judge_error": "JUD",
}
ANSWERED = ("solved", "unsolved", "valid", "wrong", "illegal_move")
COUNTS = ("progress", "moves", "tie_break")
NEVER_STARTED = ("could_not_start", "build_failed")

problems = []


def complain(text):
    problems.append(text)


# The journal.


def read_journal(path):
    """The lines of a journal as objects, and the hash of the last one."""
    with open(path, "rb") as file:
        data = file.read()
    lines = data.split(b"\n")
    # What follows the last newline is incomplete and does not count.
    lines = [line + b"\n" for line in lines[:-1]]
    first = json.loads(lines[0])
    chained = first["format"] >= 4
    last, events, before = "", [], hashlib.sha256()
    for number, line in enumerate(lines, 1):
        event = json.loads(line)
        if not chained and event["line"] == "format" and event["format"] >= 4:
            chained, last = True, before.hexdigest()
        if chained:
            parts = CHAINED.match(line)
            if parts is None:
                complain(f"line {number} has no hash")
                break
            wanted = hashlib.sha256(last.encode() + parts[1] + b"}").hexdigest()
            last = parts[2].decode()
            if wanted != last:
                complain(f"line {number} does not follow: its hash is {last}, not {wanted}")
        else:
            before.update(line)
        events.append(event)
    return events, last if chained else before.hexdigest()


# Loyd's Dilemma.


def play(text, answer, centre_transport):
    """The score of an answer: progress, moves, transports, and whether it is legal."""
    spots = [symbol for symbol in text if not symbol.isspace()]
    empty, moves, transports = spots.index("+"), 0, 0
    legal = True
    for byte in answer:
        letter = chr(byte)
        if letter in " \t\n\r\v\f":
            continue
        if letter == "t":
            if empty == CENTRE and centre_transport != "noop":
                legal = False
                break
            source = CENTRE
        elif letter in FROM:
            row, column = empty // 5 + FROM[letter][0], empty % 5 + FROM[letter][1]
            if not (0 <= row < 5 and 0 <= column < 5):
                legal = False
                break
            source = 5 * row + column
        else:
            legal = False
            break
        spots[empty], spots[source] = spots[source], spots[empty]
        empty, moves = source, moves + 1
        transports += letter == "t"
    return sum(a == b for a, b in zip(spots, HOME)), moves, transports, legal


# The contest, event by event.


class Contest:
    def __init__(self, header):
        plan = header["plan"]
        self.format = header["format"]
        self.game, self.rules = plan["game"], plan.get("rules", {})
        self.ranking, self.rounds = plan["ranking"], plan.get("rounds", [])
        self.limits = plan["limits"]
        self.boards = {board["name"]: board for board in plan["boards"]}
        self.entries = {entry["name"]: entry for entry in plan["entries"]}
        self.referee = plan.get("referee")
        self.order = (list(self.boards), list(self.entries))
        self.withdrawn, self.struck = dict(header.get("withdrawn", {})), dict(header.get("struck", {}))
        self.open = 1
        self.records = {}
        # Who takes part in a round, from the second on.
        self.entrants = {}
        # Versions of the referee, for the rulings that it made.
        self.version = 1

    def round_of(self, board):
        for number, one in enumerate(self.rounds, 1):
            if board in one["boards"]:
                return number
        return 1

    def supersede(self, fits):
        for key in [key for key in self.records if key[0] == self.open and fits(key)]:
            del self.records[key]

    def apply(self, event):
        getattr(self, "on_" + event["line"], self.unknown)(event)

    def unknown(self, event):
        # A program that changed before its missing runs were made changes none of those that were.
        if event["line"] not in ("machine", "build", "program"):
            complain(f"unknown event {event['line']}")

    def on_contest(self, event):
        complain("a second header")

    def on_format(self, event):
        self.format = event["format"]

    def on_entry(self, event):
        name = event["entry"]["name"]
        if name in self.entries and not event.get("keeps_runs"):
            self.supersede(lambda key: key[1] == name)
        self.entries[name] = event["entry"]

    def on_board(self, event):
        name, old = event["name"], self.boards.get(event["name"])
        shown = ("reconstruction", "note", "best", "line", "at", "chain", "reason")
        judged = lambda board: {key: value for key, value in board.items() if key not in shown}
        if old is not None and judged(old) != judged(event):
            self.supersede(lambda key: key[2] == name)
        self.boards[name] = event

    def on_struck(self, event):
        self.struck[event["board"]] = event["reason"]

    def on_reinstated(self, event):
        del self.struck[event["board"]]

    def on_withdrawn(self, event):
        self.withdrawn[event["entry"]] = {"reason": event["reason"], "disqualified": event.get("disqualified", False)}

    def on_restored(self, event):
        del self.withdrawn[event["entry"]]

    def on_settings(self, event):
        self.ranking, self.limits = event["ranking"], event["limits"]
        self.rounds = event.get("rounds", [])
        self.order = (event["boards"], event["entries"])

    def on_referee(self, event):
        self.referee = event["referee"]
        self.version += 1

    def on_round(self, event):
        self.open = event["number"]
        self.entrants[self.open] = {key["entry"] for key in event["order"]}

    @staticmethod
    def key(event):
        return event["round"], event["entry"], event["board"], event.get("repeat", 1)

    def on_run(self, event):
        self.records[self.key(event)] = {**event, "format": self.format, "version": self.version, "by_hand": []}

    def on_rejudged(self, event):
        """An answer has another ruling. A ruling by hand does not outlive it."""
        record = self.records[self.key(event)]
        if record.get("attempt", 1) != event["attempt"]:
            complain(f"attempt {event['attempt']} of {self.key(event)} was refereed again, the last one is another")
        for name in ("figures", "full", "reason", "failed_at", "token", "exit"):
            record.pop(name, None)
        verdict = event["verdict"]
        record.update(verdict if isinstance(verdict, dict) else {"verdict": verdict})
        if event.get("output"):
            record["output"] = event["output"]
        record["version"], record["by_hand"] = self.version, []

    def on_rejudgement(self, event):
        if event.get("referee"):
            self.on_referee(event["referee"])
        for changed in event.get("changed", []):
            self.on_rejudged(changed)
        for confirmed in event.get("confirmed", []):
            self.records[self.key(confirmed)]["version"] = self.version

    def on_ruling(self, event):
        self.records[self.key(event)]["by_hand"].append(event["verdict"])

    def on_ruling_undone(self, event):
        self.records[self.key(event)]["by_hand"].pop()

    # The table.

    def takes_part(self, entry, number):
        return number == 1 or entry in self.entrants.get(number, ())



def output_of(results, record):
    if record["format"] == 2:
        return os.path.join(results, "runs", record["entry"], record["board"] + ".out")
    parts = [results, "output", str(record["round"]), record["entry"]]
    if record.get("repeat", 1) > 1:
        parts.append(f"repeat-{record['repeat']}")
    return os.path.join(*parts, f"{record['board']}.{record.get('attempt', 1)}.out")


def score_of(record):
    """The figure of a contest with one."""
    given = record.get("figures", {})
    return float(given["score"]) if "score" in given else None


def counts_of(record):
    """The figures of a game."""
    given = record.get("figures", {})
    return {name: int(given[name]) for name in COUNTS if name in given}


def score(contest, results, record, points):
    """The figures of a run, recomputed from its stored answer."""
    verdict = record["verdict"]
    where = f"{record['entry']} on {record['board']}"
    try:
        with open(output_of(results, record), "rb") as file:
            answer = file.read()
    except FileNotFoundError:
        answer = None
        if verdict in ANSWERED:
            complain(f"{where}: the answer is missing")
    if answer is not None:
        if len(answer) != record["stdout_bytes"]:
            complain(f"{where}: {len(answer)} bytes are stored, {record['stdout_bytes']} were printed")
        stored = record.get("output")
        if stored and stored["stdout"] != {"bytes": len(answer), "sha256": hashlib.sha256(answer).hexdigest()}:
            complain(f"{where}: the stored answer is not the one of the record")
    limit_us = record["limit_ms"] * 1000
    figures = {"verdict": verdict, "time_us": record["wall_us"]}
    if record["by_hand"]:
        ruled = record["by_hand"][-1]
        figures.update(verdict=ruled["verdict"], points=score_of(ruled), **counts_of(ruled))
    elif verdict in ANSWERED and contest.game == "loyd" and answer is not None:
        text = contest.boards[record["board"]]["text"]
        progress, moves, transports, legal = play(text, answer, contest.rules.get("centre_transport", "illegal"))
        wanted = ("solved" if progress == 25 else "unsolved") if legal else "illegal_move"
        if verdict != wanted:
            complain(f"{where}: {verdict} is recorded, the answer is {wanted}")
        figures.update(verdict=wanted, progress=progress, moves=moves, tie_break=transports)
    elif verdict in ANSWERED and points is not None and answer is not None:
        board = contest.boards[record["board"]].get("text")
        value = eval(points, {}, {"answer": answer.decode(), "board": board, "version": record["version"]})
        if (value is None) != (verdict == "wrong"):
            complain(f"{where}: {verdict} is recorded, the answer has {value} points")
        elif value is not None and score_of(record) != float(value):
            complain(f"{where}: {score_of(record)} points are recorded, the answer has {value}")
        figures.update(points=value)
    elif verdict in ANSWERED:
        figures.update(counts_of(record))
    # In the order of what decides.
    verdict = figures["verdict"]
    if verdict in ("solved", "unsolved", "valid"):
        pass
    elif verdict in ("illegal_move", "wrong"):
        figures.update(moves=0, tie_break=0)
    elif verdict == "judge_error":
        return None
    else:
        figures.update(progress=0, moves=0, tie_break=0)
        if verdict == "timed_out":
            if record["wall_us"] <= limit_us:
                complain(f"{where}: out of time after {record['wall_us']} of {limit_us} microseconds")
            figures["time_us"] = limit_us
        if verdict in NEVER_STARTED:
            figures["time_us"] = 0
    return figures


def cell(figures, by_points):
    if figures is None:
        return None
    code = CODES.get(figures["verdict"])
    if by_points:
        return code or figures["points"]
    return f"0/{code}" if code else f"{figures['progress']}/{figures['moves']}"


def sum_up(cells):
    """Totals of cells; all unknown if one is missing."""
    if any(one is None for one in cells):
        return {"progress": None, "moves": None, "tie_break": None, "time_us": None, "points": None}
    return {key: sum(one.get(key) or 0 for one in cells) for key in ("progress", "moves", "tie_break", "time_us", "points")}


def compared(contest, cells):
    """What decides between two entries in one round, the better one first."""
    total = sum_up(cells)
    unknown = float("inf")
    known = [one for one in cells if one is not None]
    solved = sum(one["verdict"] == "solved" for one in known)
    failed = sum(one["verdict"] in CODES for one in known)
    unstarted = sum(one["verdict"] in NEVER_STARTED for one in known)
    least = lambda figure: unknown if figure is None else figure
    most = lambda figure: unknown if figure is None else -figure
    down = contest.referee is not None and contest.referee.get("score") == "down"
    parts = []
    for key in contest.ranking:
        if key == "progress":
            parts.append(most(total["progress"]))
        elif key == "moves":
            parts.append(least(total["moves"]))
        elif key == "tie_break":
            parts.append(least(total["tie_break"]))
        elif key == "time":
            time = total["time_us"]
            parts.append(least(None if time is None else (time + 500) // 1000))
        elif key == "score":
            parts.append(least(total["points"]) if down else most(total["points"]))
        elif key == "solved":
            parts.append(-solved)
        elif key == "failed":
            parts.append(failed)
        elif key == "unstarted":
            parts.append(unstarted)
        else:
            raise SystemExit(f"this program has no second opinion on a ranking by {key}")
    return parts


def table(contest, results, points):
    by_points = contest.game != "loyd"
    in_order = lambda names, order: sorted(names, key=lambda name: order.index(name) if name in order else len(order))
    boards, entries = (in_order(*pair) for pair in zip((contest.boards, contest.entries), contest.order))
    boards = [board for board in boards if board not in contest.struck]
    opened = [board for board in boards if contest.round_of(board) <= contest.open]
    opened.sort(key=contest.round_of)
    rows = []
    for name in entries:
        reached = max(number for number in range(1, contest.open + 1) if contest.takes_part(name, number))
        out = contest.withdrawn.get(name)
        cells = {}
        for board in opened:
            number = contest.round_of(board)
            if contest.takes_part(name, number):
                record = contest.records.get((number, name, board, 1))
                # The runs of an entry that is out of the contest are kept, and not shown.
                cells[board] = score(contest, results, record, points) if record and not out else None
        in_rounds = [[one for board, one in cells.items() if contest.round_of(board) == number] for number in range(1, reached + 1)]
        complete = all(one is not None for one in cells.values())
        rows.append({
            "entry": name,
            "withdrawn": out and out["reason"],
            "disqualified": bool(out and out.get("disqualified")),
            "complete": complete,
            "competes": contest.entries[name].get("competing", True) and not out and bool(opened),
            # The last round decides, then those before it.
            "key": [-reached] + [compared(contest, cells) for cells in reversed(in_rounds)],
            "reached": reached,
            "total": sum_up(list(cells.values())),
            "cells": {board: cell(one, by_points) for board, one in cells.items()},
        })
    # Who reached a later round is above who did not; in a round, those with missing runs come last.
    order = sorted(rows, key=lambda row: (row["withdrawn"] is not None, -row["reached"], not row["complete"], row["key"]))
    winner = next((row for row in order if row["competes"]), None)
    if winner is not None and winner["complete"]:
        # Entries that are better and do not compete are listed below.
        order.remove(winner)
        order.insert(0, winner)
    counted, last = 0, None
    for row in order:
        row["place"] = None
        if row["competes"]:
            counted += 1
            if row["complete"]:
                row["place"] = last["place"] if last and last["key"] == row["key"] else counted
                last = row
    return order


def compare(found, document, last):
    if document["journal_hash"] != last:
        complain(f"journal_hash is {document['journal_hash']}, the journal ends with {last}")
    theirs = {row["entry"]: row for row in document["entries"]}
    if set(theirs) != {row["entry"] for row in found}:
        complain(f"entries: {sorted(theirs)}")
    # Rows that are equal may stand in any order.
    ours = [row["entry"] for row in found]
    for above, below in zip(document["entries"], document["entries"][1:]):
        one, other = (next(row for row in found if row["entry"] == each["entry"]) for each in (above, below))
        if ours.index(one["entry"]) > ours.index(other["entry"]) and one["key"] != other["key"]:
            complain(f"{one['entry']} stands above {other['entry']}")
    for row in found:
        their, name = theirs[row["entry"]], row["entry"]
        for key in ("place", "withdrawn", "disqualified", "complete"):
            if their[key] != row[key]:
                complain(f"{name}: {key} is {their[key]!r}, not {row[key]!r}")
        total = row["total"]
        given = their["total"]["figures"]
        for key in ("progress", "moves", "tie_break"):
            if key in given and given[key] != (None if total[key] is None else str(total[key])):
                complain(f"{name}: total {key} is {given[key]}, not {total[key]}")
        if "score" in given:
            value, points = given["score"], total["points"]
            if (value is None) != (points is None) or value is not None and float(value) != float(points):
                complain(f"{name}: total score is {value}, not {points}")
        time = None if total["time_us"] is None else (total["time_us"] + 500) // 1000
        if their["total"]["time_ms"] != time:
            complain(f"{name}: total time is {their['total']['time_ms']} ms, not {time}")
        cells = {run["board"]: run["cell"] for run in their["runs"]}
        if list(cells) != list(row["cells"]):
            complain(f"{name}: boards {list(cells)}, not {list(row['cells'])}")
        for board, text in row["cells"].items():
            shown = cells.get(board)
            same = shown == text or (text is None and shown in (None, "-/JUD"))
            if not same and not isinstance(text, str) and shown is not None and text is not None:
                same = float(shown) == float(text)
            if not same:
                complain(f"{name} on {board}: {shown!r}, not {text!r}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results")
    parser.add_argument("--rank")
    parser.add_argument("--points")
    arguments = parser.parse_args()
    events, last = read_journal(os.path.join(arguments.results, "journal.jsonl"))
    contest = Contest(events[0])
    for event in events[1:]:
        contest.apply(event)
    found = table(contest, arguments.results, arguments.points)
    if arguments.rank:
        with open(arguments.rank) as file:
            compare(found, json.load(file), last)
        runs = sum(len(row["cells"]) for row in found)
        print(f"{len(found)} entries, {runs} runs, {len(events)} lines")
    else:
        shown = [{key: row[key] for key in ("entry", "place", "withdrawn", "complete", "total", "cells")} for row in found]
        print(json.dumps({"journal_hash": last, "entries": shown}, indent=1))
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


main()
