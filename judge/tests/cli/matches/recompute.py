"""Computes tables and cross tables of matches from the lines of `judge games --json`, and compares them with
`judge rank --format json`. It knows nothing of the judge but docs/matches.md and docs/scoring.md.

    recompute.py GAMES.jsonl RANK.json [RANKING [ROUNDS]]

ROUNDS is JSON: the entries in the order of the contest file, the ranking, and of each round its boards, schedule, tie, and how many go on.
"""

import json
import sys
from collections import defaultdict
from fractions import Fraction


def rounds(spec, games, out):
    """Who takes part in each round, who goes on from a knock-out, and the pairs of it: all from the results."""
    def points(names, board):
        sums = dict.fromkeys(names, Fraction(0))
        for game in games:
            seats = game["seats"]
            if game["board"] == board and {seat["entry"] for seat in seats} == set(names) and game["counts"]:
                for seat in seats:
                    sums[seat["entry"]] += Fraction(seat["points"])
        return sums

    took_part, through, knock_outs, had_bye, wanted = [], [], [], [], set()
    entrants = spec["entries"]
    for number, round_ in enumerate(spec["rounds"], 1):
        if number > 1 and through[-1] is not None:
            entrants = [entry for entry in entrants if entry in through[-1] and entry not in out]
        elif number > 1:
            def total(entry):
                boards = spec["rounds"][number - 2]["boards"]
                return sum(Fraction(seat["points"]) for game in games for seat in game["seats"]
                           if game["board"] in boards and game["counts"] and seat["entry"] == entry)
            entrants = sorted((entry for entry in entrants if entry not in out), key=total, reverse=True)
            last = spec["rounds"][number - 2]["top"]
            if last and last < len(entrants):
                entrants = [entry for entry in entrants if total(entry) >= total(entrants[last - 1])]
        if number > spec["opened"]:
            break
        took_part.append(set(entrants))
        if round_["schedule"] != "knock-out":
            through.append(None)
            continue
        playing, bye = list(entrants), None
        if len(playing) % 2:
            bye = next((entry for entry in playing if entry not in had_bye), playing[0])
            playing.remove(bye)
            had_bye.append(bye)
        pairs = []
        for place in range(len(playing) // 2):
            one, other = playing[place], playing[-1 - place]
            sums = {one: Fraction(0), other: Fraction(0)}
            for board in round_["boards"]:
                for seats in ((one, other), (other, one)):
                    wanted.add((number, board, seats))
                for entry, more in points((one, other), board).items():
                    sums[entry] += more
                if round_["tie"] == "games" and (sums[one] != sums[other] or out & {one, other}):
                    break
            left = [entry for entry in (one, other) if entry not in out]
            winner = max(left, key=lambda entry: sums[entry]) if left else None
            pairs.append(((one, other), (sums[one], sums[other]), winner))
        through.append({winner for *_, winner in pairs if winner} | ({bye} if bye else set()))
        knock_outs.append((number, bye, pairs))
    return took_part, through, knock_outs, wanted


def main():
    with open(sys.argv[1]) as file:
        games = [json.loads(line) for line in file]
    with open(sys.argv[2]) as file:
        rank = json.load(file)
    order = sys.argv[3].split() if len(sys.argv) > 3 else ["points"]
    spec = json.loads(sys.argv[4]) if len(sys.argv) > 4 and sys.argv[4] else None
    counting = [game for game in games if game["counts"]]
    missing = [game for game in counting if game["state"] in ("missing", "judge_error")]
    totals = defaultdict(lambda: defaultdict(Fraction))
    against = defaultdict(lambda: defaultdict(Fraction))
    open_games = defaultdict(int)
    for game in counting:
        names = [seat["entry"] for seat in game["seats"]]
        for name in names:
            totals[name]["games"] += 1
            open_games[name] += game in missing
        if len(names) == 2:
            for one, other in (names, reversed(names)):
                against[one, other]["games"] += 1
        if game["state"] != "played":
            continue
        points = [Fraction(seat["points"]) for seat in game["seats"]]
        for number, seat in enumerate(game["seats"]):
            others = points[:number] + points[number + 1:]
            result = "won" if points[number] > max(others) else "drawn" if points[number] == max(others) else "lost"
            assert seat["result"] == result, (game, number)
            sums = [totals[seat["entry"]]]
            if len(names) == 2:
                sums.append(against[seat["entry"], names[1 - number]])
            for sum_ in sums:
                sum_["points"] += points[number]
                sum_[result] += 1
                sum_["played"] += 1
                sum_["faults"] += seat["fault"] is not None
    declared = {figure["name"]: figure["better"] for figure in rank["scoring"]["figures"]}
    given = [name for name in declared if name not in ("points", "won", "drawn", "lost", "faults", "pairs")]
    for game in counting:
        for seat in game["seats"] if game["state"] == "played" else []:
            for name in given:
                totals[seat["entry"]][name] += Fraction(seat["figures"][name])
    # The table: figures of every entry that is in the contest, and places.
    rows = [row for row in rank["entries"] if row["withdrawn"] is None]
    for row in rows:
        for figure in ("points", "won", "drawn", "lost", "faults", *given):
            found, expected = Fraction(row["total"]["figures"][figure]), totals[row["entry"]][figure]
            assert found == expected, (row["entry"], figure, found, expected)
        assert row["missing"] == open_games[row["entry"]], row

    signs = {"more": -1, "less": 1}

    def key(row):
        return [signs[declared[figure]] * totals[row["entry"]][figure] for figure in order]

    if spec:
        out = {row["entry"] for row in rank["entries"] if row["withdrawn"] is not None}
        took_part, through, knock_outs, wanted = rounds(spec, games, out)
        # Every game of a knock-out follows from the results before it, and no other does.
        kept = {number for number, *_ in knock_outs}
        # Of entries that are out, no game counts. Others that do not count have fallen.
        follows = [game for game in games if game["counts"] or out & {seat["entry"] for seat in game["seats"]}]
        journal = {(game["round"], game["board"], tuple(seat["entry"] for seat in game["seats"])) for game in follows}
        assert {game for game in journal if game[0] in kept} == wanted, (journal, wanted)
        found = [(round_["round"], round_["bye"],
                  [(tuple(pair["entries"]), tuple(map(Fraction, pair["points"])), pair["winner"]) for pair in round_["pairs"]])
                 for round_ in rank["matches"]["knock_outs"]]
        assert found == knock_outs, (found, knock_outs)
        by_round = defaultdict(lambda: defaultdict(Fraction))
        for game in counting:
            for seat in game["seats"]:
                by_round[seat["entry"], game["round"]]["points"] += Fraction(seat["points"])
        for number, who in enumerate(through, 1):
            for entry in who or ():
                by_round[entry, number]["pairs"] += 1

        def key(row):
            entry = row["entry"]
            reached = max(number for number, who in enumerate(took_part, 1) if entry in who)
            figures = [signs[declared[figure]] * by_round[entry, number][figure]
                       for number in range(reached, 0, -1) for figure in order]
            return [-reached, *figures]

    # Without a board that counts, there is nothing to rank by.
    rows_with_places = rows if rank["boards"] else []
    placed = [row for row in rows_with_places if row["competing"] and not open_games[row["entry"]]]
    for row in rows:
        expected = 1 + sum(key(other) < key(row) for other in placed) if row in placed else None
        assert row["place"] == expected, (row["entry"], row["place"], expected)
    # The cross table has each pair that plays, and nothing else.
    found = {(cell["entry"], cell["against"]): cell for cell in rank["matches"]["cross_table"]}
    assert set(found) == set(against), (set(found) ^ set(against))
    for pair, cell in found.items():
        for figure in ("points", "games", "played", "won", "drawn", "lost", "faults"):
            assert Fraction(cell[figure]) == against[pair][figure], (pair, figure)
    assert (rank["matches"]["games"], rank["matches"]["missing"]) == (len(counting), len(missing))
    print(f"{len(counting)} games agree")


main()
