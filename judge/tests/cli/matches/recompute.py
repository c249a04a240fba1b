"""Computes tables and cross tables of matches from the lines of `judge games --json`, and compares them with
`judge rank --format json`. It knows nothing of the judge but docs/matches.md and docs/scoring.md.

    recompute.py GAMES.jsonl RANK.json [RANKING]
"""

import json
import sys
from collections import defaultdict
from fractions import Fraction


def main():
    with open(sys.argv[1]) as file:
        games = [json.loads(line) for line in file]
    with open(sys.argv[2]) as file:
        rank = json.load(file)
    order = sys.argv[3].split() if len(sys.argv) > 3 else ["points"]
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

    def key(row):
        signs = {"more": -1, "less": 1}
        return [signs[declared[figure]] * totals[row["entry"]][figure] for figure in order]

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
