#!/usr/bin/env python3
"""Writes the page of the series from series.csv, a line per month, and rows.csv, a line per published row.

    python3 contests/potm/series.py > contests/potm/README.md
    python3 contests/potm/series.py FOLDER      # NAME-published.csv beside each NAME.csv there: tables for `judge rank`

It recomputes what published rows say of themselves: totals of boards, sums, and the ratio of QUILTS. A table of published rows has the
declaration of NAME.csv, which is the table of the contest that `record` ran here, as `judge rank --format csv` prints it.
"""

import csv
import json
import os
import sys
from decimal import ROUND_DOWN, Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "..", "..", "results", "potm")

HEAD = """\
# Programmer Of The Month

The contest of 1995 was a month of a series: the Programmer Of The Month (POTM), 1989 to 2006. `series.py` writes this
page from series.csv and [rows.csv](rows.csv). The months with a link are here as contests that run:

    judge run contests/potm/pegged
    judge replay --contest contests/potm/pegged APART "2,2e 2,3s 2,6s 3,6w 4,2n 3,2e 3,4e 3,6s"
    judge run contests/potm/numbersgame

Each folder has a contest file, a referee and entries in Python, and boards. Each page says what its sources have, stored
copies of pages, each from its beginning and not to its end, and what was decided here because they do not say it. A limit
of a minute was decided here (originally about 10 minutes for a board), and boards are new unless the contest file says
that they are published. Facts and figures are those of the sources; all sentences and programs here are new. `?` is
unknown.

`judge/tests/potm` has a second checker of each month. `results/potm/NAME` is each contest as `record` recorded it here;
`first here` is the entry with the first place in it. [series.csv](series.csv) also has what decided, and the winners'
entries.

## Who won what, and when

| month | date | problem | winner | first here |
| --- | --- | --- | --- | --- |
"""

ROWS = """
## Published rows

[rows.csv](rows.csv) has them, with the names that the contest files give the figures. Entries with `no` in `competing` were
earlier winners:

    judge rank results/potm/aimless-published.csv --format plain
"""

PROOFS = """
## Small proofs

`python3 contests/potm/proofs.py` prints these lines. Each is a search that leaves nothing out.

"""


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


def line(cells):
    return "| " + " | ".join(cells) + " |\n"


def recorded(folder):
    """The first entry of a contest that was recorded here, with a link to the page of its results."""
    if folder.endswith(".toml"):
        return "[strategies](../../results/strategies.md)"
    if not folder:
        return ""
    with open(os.path.join(RESULTS, f"{folder}.csv"), encoding="utf-8", newline="") as file:
        return f"[{next(csv.DictReader(file))['entry']}](../../results/potm/{folder}/report.html)"


def page(proofs):
    text = HEAD
    for month in table("series.csv"):
        folder = month["folder"]
        name = f"[{month['month']}]({folder if folder.endswith('.toml') else folder + '/README.md'})" if folder else month["month"]
        text += line([name, month["date"], month["problem"], month["winner"] or "?", recorded(folder)])
    text += ROWS
    for row in table("rows.csv"):
        check(row)
    return text + PROOFS + "".join(f"    {proof}\n" for proof in proofs.splitlines())


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
    for folder in sys.argv[1:2]:
        for month in table("series.csv"):
            if month["folder"] and not month["folder"].endswith(".toml"):
                published(folder, month)
        sys.exit()
    with open(os.path.join(HERE, "proofs.txt"), encoding="utf-8") as file:
        sys.stdout.write(page(file.read()))
