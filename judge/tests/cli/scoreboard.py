"""Recomputes the scoreboard of a contest from its event feed, and compares.

Reads the feed (NDJSON) and the scoreboard (JSON) of the Contest API, version 2026-01, for one caller. It knows the rule of
judge's office, that the last submission of a team that builds counts, and of the ICPC for contests of accepted answers: the
first accepted submission solves the problem, and each rejected one before it costs time. It shares no code with judge.
"""

import json
import sys


def seconds(text):
    sign = -1 if text.startswith("-") else 1
    hours, minutes, rest = text.lstrip("-").split(":")
    return sign * (int(hours) * 3600 + int(minutes) * 60 + float(rest))


def arrival(submission):
    """What submissions are ordered by: one whose upload took long has a number after those of later ones."""
    return seconds(submission["contest_time"]), int(submission["id"])


def replay(lines):
    """The objects after all events, by type and identifier."""
    objects = {}
    for line in lines:
        if line.strip():
            event = json.loads(line)
            of_type = objects.setdefault(event["type"], {})
            if event["data"] is None:
                del of_type[event["id"]]
            else:
                of_type[event["id"]] = event["data"]
    return objects


def pass_fail(objects, submissions, ended, rows):
    """The submissions that wait, and of each team a score of which more is better."""
    costs = {name for name, kind in objects["judgement-types"].items() if kind["penalty"]}
    solves = {name for name, kind in objects["judgement-types"].items() if kind["solved"]}
    penalty = int(seconds(objects["contest"][None]["penalty_time"])) // 60
    pending_of_all, scores = 0, {}
    for team in objects["teams"]:
        own = sorted((s for s in submissions.values() if s["team_id"] == team), key=arrival)
        pending_of_all += sum(s["id"] not in ended for s in own)
        ends = [(s, ended[s["id"]]["judgement_type_id"] if s["id"] in ended else None) for s in own]
        first = next((n for n, (_, end) in enumerate(ends) if end in solves), None)
        considered = ends if first is None else ends[: first + 1]
        row, (problem,) = rows[team]["score"], rows[team]["problems"]
        judged = sum(end is not None for _, end in considered)
        assert (problem["num_judged"], problem["num_pending"]) == (judged, len(considered) - judged), (team, problem)
        assert problem["solved"] == (first is not None) and row["num_solved"] == int(first is not None), (team, row)
        if first is None:
            assert row["time"] is None and seconds(row["total_time"]) == 0 and "time" not in problem, (team, row)
            scores[team] = (0, 0, 0)
            continue
        minute = int(seconds(ends[first][0]["contest_time"])) // 60
        total = minute + penalty * sum(end in costs for _, end in considered)
        assert seconds(problem["time"]) == seconds(row["time"]) == minute * 60, (team, row, minute)
        assert seconds(row["total_time"]) == total * 60, (team, row, total)
        scores[team] = (1, -total, -minute)
    for one in scores:
        for other in scores:
            assert (scores[one] == scores[other]) == (rows[one]["rank"] == rows[other]["rank"]), (one, other)
    return pending_of_all, scores


def finish(board, objects, rows, scores, submissions, pending_of_all):
    """Compares the ranks with the scores, and the state with the feed's."""
    for one in scores:
        for other in scores:
            if scores[one] > scores[other]:
                assert rows[one]["rank"] < rows[other]["rank"], (rows[one], rows[other])
    ranks = [row["rank"] for row in board["rows"]]
    assert ranks == sorted(ranks), ranks
    assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks), ranks
    assert board["state"] == objects["state"][None], board["state"]
    print(f"{len(rows)} teams, {submissions} submissions, {pending_of_all} pending")


def main(feed, board):
    with open(feed, encoding="utf-8") as lines:
        objects = replay(lines)
    with open(board, encoding="utf-8") as text:
        board = json.load(text)
    submissions = objects.get("submissions", {})
    ended = {j["submission_id"]: j for j in objects.get("judgements", {}).values() if j["end_time"] is not None}
    rows = {row["team_id"]: row for row in board["rows"]}
    assert set(rows) == set(objects["teams"]), (set(rows), set(objects["teams"]))
    if objects["contest"][None]["scoreboard_type"] == "pass-fail":
        pending_of_all, scores = pass_fail(objects, submissions, ended, rows)
        finish(board, objects, rows, scores, len(submissions), pending_of_all)
        return
    pending_of_all = 0
    scores = {}
    for team in objects["teams"]:
        own = sorted((s for s in submissions.values() if s["team_id"] == team), key=arrival)
        judged = [s for s in own if s["id"] in ended]
        problem, = rows[team]["problems"]
        pending = len(own) - len(judged)
        pending_of_all += pending
        assert (problem["num_judged"], problem["num_pending"]) == (len(judged), pending), (team, problem)
        counting = [s for s in judged if ended[s["id"]]["judgement_type_id"] not in ("CE", "JE", "CS")]
        score = ended[counting[-1]["id"]]["score"] if counting else 0
        assert rows[team]["score"]["score"] == problem["score"] == score, (team, rows[team], score)
        # No time of a submission decides.
        assert rows[team]["score"]["time"] is None, rows[team]
        if score > 0:
            time = seconds(counting[-1]["contest_time"])
            assert seconds(problem["time"]) == time, (team, rows[team], time)
        else:
            assert "time" not in problem, rows[team]
        # A team that was judged has a place, also without a point.
        scores[team] = (score, bool(counting))
    finish(board, objects, rows, scores, len(submissions), pending_of_all)


if __name__ == "__main__":
    main(*sys.argv[1:])
