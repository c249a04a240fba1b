#!/usr/bin/env python3
"""Checks rows.csv, a line per published row of a month, and makes tables for `judge rank` of it.

    python3 contests/potm/series.py FOLDER      # NAME-published.csv beside each NAME.csv there

It recomputes what published rows say of themselves: totals of boards, sums, and the ratio of QUILTS. A table of published rows has the
declaration of NAME.csv, which is the table of the contest that `record` ran here, as `judge rank --format csv` prints it.
"""

import csv
import json
import os
import sys
from decimal import ROUND_DOWN, Decimal

HERE = os.path.dirname(os.path.abspath(__file__))


def table(name):
    with open(os.path.join(HERE, name), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def figures_of(text, separator=" "):
    return {name: Decimal(value) for name, value in (part.split("=") for part in text.split(separator) if part)}


def boards_of(row):
    return {board.split(":")[0]: figures_of(board.partition(":")[2], ":") for board in row["boards"].split()}


def check(row):
    """Stops if a published row contradicts itself."""
    figures, boards = figures_of(row["figures"]), boards_of(row)
    if row["check"].startswith("sum of boards"):
        for name in next(iter(boards.values())):
            assert figures[name] == sum(board[name] for board in boards.values()), row
    if row["check"].endswith("=chars+hsec"):
        assert figures[row["check"].split("=")[0]] == figures["chars"] + figures["hsec"], row
    if row["check"] == "ratio=ar/per":
        assert abs(figures["ratio"] - figures["ar"] / figures["per"]) < Decimal("0.0000005"), row
    if row["check"] == "diff=largest-smallest cut":
        for board in boards.values():
            assert board["diff"] == (board["largest"] - board["smallest"]).quantize(Decimal(1), ROUND_DOWN), row


def published(folder, month):
    """Writes the published rows of a month as a table. Rows without the boards and the figures of the first one are left out."""
    path = os.path.join(folder, month["folder"])
    with open(f"{path}.csv", encoding="utf-8", newline="") as file:
        declaration = next(csv.DictReader(file))["declaration"]
    scoring = json.loads(declaration)["scoring"]
    names, lines = [figure["name"] for figure in scoring["figures"]], []
    for row in table("rows.csv"):
        figures, boards = figures_of(row["figures"]), boards_of(row)
        boards = boards or {"FINAL": figures}
        if row["month"] != month["month"] or not all(name in board for board in boards.values() for name in scoring["cell"]):
            continue
        if lines and not boards.keys() <= lines[0].keys():
            continue
        cells = {name: "/".join(str(board[figure]) for figure in scoring["cell"]) for name, board in boards.items()}
        totals = {name: figures.get(name, sum(board.get(name, 0) for board in boards.values())) for name in names}
        time = {"total_ms": int(figures["secs"] * 1000) if "secs" in figures else ""}
        who = {name: row[name] for name in ["entry", "author", "competing"]}
        lines.append({**who, **cells, **totals, **time, "declaration": "" if lines else declaration})
    if lines:
        with open(f"{path}-published.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, lines[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)


if __name__ == "__main__":
    for row in table("rows.csv"):
        check(row)
    for folder in sys.argv[1:2]:
        for month in table("series.csv"):
            if month["folder"] and not month["folder"].endswith(".toml"):
                published(folder, month)
