"""Recomputes the figures of `judge try` from the answers that solvers printed. It shares no code with judge.

    recompute.py moves|down|up RESULTS...

Each results directory is one try, in their order. Printed as JSON: for each try the boards that are better, worse and the
same compared with the best answers before, the first answers, the boards without any answer, and the mean relative score;
then for each try the mean relative score to the best answers at the end.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path

GOAL = "ABCDEFGHIJKLMNOPQRSTUVWX+"


def play(board, answer):
    """The tiles at home and the moves of an answer to a board of Loyd's Dilemma; None if a move is illegal."""
    cells = [c for line in board.split("\n")[:5] for c in line]
    moves = 0
    for move in answer.split():
        for letter in move:
            empty = cells.index("+")
            row, column = divmod(empty, 5)
            source = {
                "u": (row + 1, column),
                "d": (row - 1, column),
                "l": (row, column + 1),
                "r": (row, column - 1),
                "t": (2, 2),
            }.get(letter)
            if source is None or not (0 <= source[0] < 5 and 0 <= source[1] < 5) or source == (row, column):
                return None
            other = source[0] * 5 + source[1]
            cells[empty], cells[other] = cells[other], "+"
            moves += 1
    return sum(a == b for a, b in zip(cells, GOAL)), moves


class Answer:
    """What an answer is worth: `rank` orders answers, the greatest being the best; `value` is None if it solves nothing."""

    def __init__(self, kind, board, printed):
        self.counts = False
        self.value = None
        if kind == "moves":
            played = play(board, printed)
            if played is not None:
                self.counts = True
                home, moves = played
                self.value = moves if home == 25 else None
                self.rank = (1, -moves) if home == 25 else (0, home)
        elif printed.strip().isdigit():
            self.counts = True
            self.value = int(printed)
            self.rank = self.value if kind == "up" else -self.value


def relative(kind, own, best):
    if own is None or best is None or own.value is None or best.value is None:
        return Fraction(0)
    if kind == "up":
        return Fraction(own.value, best.value) if best.value else Fraction(1)
    return Fraction(1) if own.value == best.value else Fraction(best.value, own.value)


def answers(kind, results):
    """The answers of a try by board; None for a run that has none."""
    lines = [json.loads(line) for line in (results / "journal.jsonl").read_text().splitlines()]
    boards = {board["name"]: board["text"] for board in lines[0]["plan"]["boards"]}
    found = {}
    for run in lines:
        if run["line"] == "run":
            name = run["board"]
            printed = (results / "output/1" / run["entry"] / f"{name}.1.out").read_text(errors="replace")
            # How the process ended is not in its output.
            ended = run["verdict"] not in ("crashed", "timed_out")
            answer = Answer(kind, boards[name], printed) if ended else None
            found[(name, boards[name])] = answer if answer is not None and answer.counts else None
    return found


def main(kind, folders):
    best = {}
    tries, figures = [], []
    for folder in folders:
        now = answers(kind, Path(folder))
        tries.append(now)
        counts = {"better": 0, "worse": 0, "same": 0, "first": 0, "none": 0}
        for board, answer in now.items():
            known = best.get(board)
            if known is None:
                counts["first" if answer else "none"] += 1
            elif answer is None or answer.rank < known.rank:
                # An unsolved board without a tile at home is no worse than no answer, but the tests have none.
                counts["worse"] += 1
            else:
                counts["better" if answer.rank > known.rank else "same"] += 1
        for board, answer in now.items():
            if answer and (board not in best or answer.rank > best[board].rank):
                best[board] = answer
        shares = [relative(kind, answer, best.get(board)) for board, answer in now.items()]
        figures.append(counts | {"relative_to_best_known": float(sum(shares) / len(shares))})
    at_end = []
    for now in tries:
        shares = [relative(kind, answer, best.get(board)) for board, answer in now.items()]
        at_end.append(float(sum(shares) / len(shares)))
    print(json.dumps({"tries": figures, "history": at_end}))


main(sys.argv[1], sys.argv[2:])
