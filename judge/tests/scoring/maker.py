"""What random contests are drawn from: figures, boards, entries, and results of every kind."""

import csv
import io
import json
import random

WORDS = {
    "TIM": "timed_out", "ILL": "illegal_move", "WRO": "wrong", "CPU": "out_of_cpu", "MEM": "out_of_memory",
    "PRO": "too_many_processes", "SCR": "scratch_full", "OUT": "too_much_output", "CRA": "crashed", "STA": "could_not_start",
    "BLD": "build_failed", "JUD": "judge_error",
}
LETTERS = {word: letters for letters, word in WORDS.items()}
COLUMNS = (
    "contest", "game", "round", "round_name", "entry", "author", "competing", "board", "reconstruction", "repeat", "verdict",
    "figures", "full", "wall_us", "limit_ms", "suspect", "exit_code", "failed_at", "token", "reason",
    "ranking", "group", "scoring", "ruling", "withdrawn", "disqualified", "struck",
    "cpu_us", "memory_bytes", "size", "answer_us",
)
MEASURED = ("cpu_us", "memory_bytes", "size", "answer_us")
COUNTS = ("solved", "failed", "unstarted")
# Halves of a millisecond, so that a total that is cut twice differs from one that is cut once.
TIMES = (0, 1, 400, 499, 500, 501, 600, 999, 1000, 1499, 1500, 2500, 2501, 10_000, 123_456)


def decimal(units, decimals):
    """The text of a number of units of the last decimal."""
    sign, units = ("-" if units < 0 else ""), abs(units)
    if decimals == 0:
        return f"{sign}{units}"
    return f"{sign}{units // 10**decimals}.{units % 10**decimals:0{decimals}}"


class Maker:
    """A random contest. One with a `crowd` has so many entries, one run of each on one or two boards, and no later round."""

    def __init__(self, seed, crowd=0):
        self.seed, self.crowd, self.dice = seed, crowd, random.Random(f"judge {seed}")

    def one_in(self, number):
        return self.dice.randrange(number) == 0

    def some(self, names):
        """Some of the names, at least one, in any order."""
        names = list(names)
        self.dice.shuffle(names)
        return names[: self.dice.randint(1, len(names))]

    # What is declared.

    def declare(self, kinds=("moves", "moves", "figures", "figures", "figures", "accepted")):
        self.kind = self.dice.choice(kinds)
        self.counted = self.kind == "moves"
        self.decimals = self.dice.choice((0, 0, 1, 2, 3, 9))
        rounds = 1 if self.crowd else self.dice.choice((1, 1, 1, 2, 3))
        self.figures = self.declared() if self.kind == "figures" else []
        self.case = {
            "case": str(self.seed), "kind": self.kind, "order": None, "exactly": False,
            "repeats": "first", "planned": 1 if self.crowd else self.dice.choice((1, 1, 1, 2, 3)),
            "rounds": [
                {"advance": self.dice.choice(("all", "solved", "tied", 1, 2)), "tie_on": self.tie_on()} for _ in range(rounds)
            ],
        }
        if self.kind == "figures":
            self.case["scoring"] = self.scoring()
        boards = self.dice.randint(rounds, 2 if self.crowd else 5)
        self.case["boards"] = [self.board(number, rounds) for number in range(boards)]
        self.case["entries"] = [self.entry(number, rounds) for number in range(self.crowd or self.dice.randint(1, 7))]

    def names(self):
        names = ["time", "relative", *COUNTS]
        ranked = [figure["name"] for figure in self.figures if figure["better"] != "neither"]
        names += ranked + ranked[:1]
        if self.counted:
            names += ["progress", "moves", "tie_break"]
        return names

    def order(self):
        """Names as somebody writes them, each once."""
        return list(dict.fromkeys(self.some(self.names())))

    def tie_on(self):
        return None if self.one_in(2) else self.order()

    def points(self, least=-4, most=12, decimals=None):
        decimals = self.decimals if decimals is None else decimals
        return decimal(self.dice.randint(least, most) * self.dice.choice((1, 5)), decimals)

    def better(self):
        return self.dice.choice(("more", "less"))

    def declared(self):
        """The figures of a contest; the first one is of the referee."""
        figures = [{"name": "score", "better": self.better(), "decimals": self.decimals}]
        if self.one_in(3):
            figures[0]["failed"] = self.dice.choice(("own", self.points()))
        if self.one_in(2):
            return figures
        for name in self.given_names():
            decimals = self.dice.choice((0, 0, 2))
            figures.append({
                "name": name, "better": self.dice.choice(("more", "less", "neither")), "decimals": decimals,
                "total": self.dice.choice(("sum", "sum", "mean", "min", "max")),
                "failed": self.dice.choice(("0", "own", self.points(decimals=decimals))),
            })
        measured = [
            {"name": "secs", "from": "time", "unit": self.dice.choice((1000, 10_000))}, {"name": "ticks", "from": "cpu", "unit": 1000},
            {"name": "mem", "from": "memory"}, {"name": "chars", "from": "size", "total": "max"},
            {"name": "until", "from": "answer", "unit": 1000, "decimals": 1},
        ]
        for figure in self.some(measured)[: self.dice.choice((0, 1, 2))]:
            usual = {"better": self.dice.choice(("less", "neither")), "decimals": 0, "round": self.dice.choice(("nearest", "down"))}
            figures.append({**usual, **figure})
        if self.one_in(3):
            terms = [[figure["name"], self.dice.choice(("1", "2", "-0.5", "20"))] for figure in self.some(figures)]
            figures.append({"name": "cost", "better": self.better(), "decimals": self.dice.choice((0, 1)), "from": {"add": terms}})
        if self.one_in(3):
            of = self.dice.choice([figure["name"] for figure in figures])
            figures.append({"name": "near", "better": "more", "decimals": self.dice.choice((3, 9)), "from": {"ratio": of}})
        return figures

    def given_names(self):
        return ("ups", "downs")[: self.dice.randint(0, 2)]

    def scoring(self):
        scoring = {"figures": self.figures}
        if self.one_in(2):
            self.figures[0]["full"] = self.points(0, 8)
        if self.one_in(2):
            scoring["cell"] = self.some(figure["name"] for figure in self.figures)
            scoring["total"] = self.some(figure["name"] for figure in self.figures)
        groups = []
        for number in range(self.dice.choice((0, 0, 1, 2, 3, 4))):
            group = {"name": f"g{number}", "aggregate": self.dice.choice(("sum", "average", "min", "max", "all"))}
            earlier = [one["name"] for one in groups]
            if earlier and self.one_in(2):
                group["within"] = self.dice.choice(earlier)
            if earlier and self.one_in(3):
                group["requires"] = self.some(earlier)[:2]
            if group["aggregate"] == "all":
                group["points"] = self.points(0, 8)
            groups.append(group)
        if groups:
            scoring["groups"] = groups
        return scoring

    def board(self, number, rounds):
        # Each round has a board.
        board = {"name": f"B{number}", "round": number + 1 if number < rounds else self.dice.randint(1, rounds)}
        # One that is not struck, too.
        board["struck"] = number >= rounds and self.one_in(6)
        groups = [group["name"] for group in self.case.get("scoring", {}).get("groups", [])]
        board["group"] = self.dice.choice([None, *groups])
        board["goal"] = None
        if self.counted:
            board["goal"] = str(self.dice.choice((1, 3, 25)))
        elif self.kind == "figures" and "full" not in self.figures[0] and self.one_in(2):
            board["goal"] = self.points(0, 8)
        return board

    def entry(self, number, rounds):
        reached = rounds if number == 0 else self.dice.randint(1, rounds)
        return {"name": f"e{number}", "competing": not self.one_in(6), "out": self.one_in(9), "reached": reached}

    # Results as a file has them.

    def solves(self, board, figures):
        """Whether an accepted answer gets the word `solved`, which the referee says."""
        if self.kind == "accepted":
            return True
        if self.counted:
            return figures["progress"] == board["goal"]
        full = self.figures[0].get("full", board["goal"])
        if full is None:
            return False
        score, full = (int(text.replace(".", "")) for text in (figures["score"], full))
        return score >= full if self.figures[0]["better"] == "more" else score <= full

    def result(self, entry, board, repeat):
        limit = self.dice.choice((1, 3, 20))
        result = {"entry": entry["name"], "board": board["name"], "repeat": repeat, "limit_ms": limit}
        odds = ["AC"] * 12 + list(WORDS) + ["TIM", "CRA", "STA"] + (["ILL", "WRO"] if self.kind != "accepted" else ["WRO"])
        result["verdict"] = self.dice.choice(odds)
        if result["verdict"] == "ILL" and self.kind == "accepted":
            result["verdict"] = "WRO"
        result["wall_us"] = None if self.one_in(25) else min(self.dice.choice(TIMES), limit * 1000)
        if result["verdict"] == "TIM" or result["verdict"] == "AC" and self.one_in(20):
            # An answer that counts can be in a stream whose entry was ended at the limit.
            result["wall_us"] = limit * 1000 + self.dice.choice((0, 400, 900))
        result["suspect"], result["by_hand"] = self.one_in(15), self.one_in(15)
        figures = {}
        if result["verdict"] in ("AC", "ILL", "WRO") and self.counted:
            goal = int(board["goal"])
            progress = goal if self.one_in(2) else self.dice.randrange(goal + 1)
            if result["verdict"] != "AC":
                progress = self.dice.randrange(goal + 1)
            figures = {"progress": progress, "moves": 8 + self.dice.randrange(3), "tie_break": self.dice.randrange(3)}
            if result["verdict"] == "AC" and self.one_in(20):
                figures.update(moves=0, tie_break=0)
            figures = {name: str(figure) for name, figure in figures.items()}
        if result["verdict"] in ("AC", "ILL", "WRO"):
            for figure in self.figures:
                if "from" not in figure and (result["verdict"] == "AC" or self.one_in(2)):
                    figures[figure["name"]] = self.points(decimals=figure["decimals"])
        result["figures"] = figures
        if self.kind == "figures":
            result.update({name: self.dice.choice((0, 149, 150, 400, 1250)) for name in MEASURED[:3]})
            result["answer_us"] = self.dice.choice((None, 50, 99_950))
        return result

    def results(self):
        missing = self.dice.choice((0, 0, 0, 8, 30))
        results = []
        for entry in self.case["entries"]:
            for board in self.case["boards"]:
                if board["round"] <= entry["reached"]:
                    for repeat in range(1, self.case["planned"] + 1):
                        if not missing or not self.one_in(missing):
                            results.append(self.result(entry, board, repeat))
        self.case["results"] = results

    def row(self, entry, board, repeat, result):
        case = self.case
        row = {
            "contest": f"contest {self.seed}", "game": self.game, "round": board["round"], "round_name": f"R{board['round']}",
            "entry": entry["name"], "competing": "yes" if entry["competing"] else "no", "board": board["name"],
            "reconstruction": "no", "repeat": repeat, "verdict": "missing", "ranking": " ".join(case["order"]),
            "group": board["group"], "struck": "a misprint" if board["struck"] else "",
        }
        if self.kind == "figures":
            row["scoring"] = json.dumps(case["scoring"], separators=(",", ":"))
        elif self.kind == "accepted":
            row["scoring"] = '{"figures":[]}'
        if entry["out"]:
            row["disqualified" if entry["name"] == "e1" else "withdrawn"] = "gone"
        if result is None:
            return row
        verdict, figures = result["verdict"], result["figures"]
        row.update(limit_ms=result["limit_ms"], wall_us="" if result["wall_us"] is None else result["wall_us"])
        row.update(suspect="busy" if result["suspect"] else "", ruling="seen" if result["by_hand"] else "")
        if verdict == "AC":
            short = "unsolved" if self.kind == "moves" else "valid"
            row["verdict"] = "solved" if self.solves(board, figures) else short
        else:
            row["verdict"] = WORDS[verdict]
        row.update(exit_code=3 if verdict == "CRA" else "", reason="no" if verdict in ("WRO", "ILL", "STA", "BLD", "JUD") else "")
        if verdict == "ILL":
            row.update(failed_at=4, token="x")
        if verdict in ("AC", "ILL", "WRO") and self.kind != "accepted":
            row["figures"] = json.dumps({name: str(value) for name, value in figures.items()})
        if verdict in ("AC", "ILL", "WRO") and self.counted:
            row["full"] = board["goal"]
        row.update({name: result[name] for name in MEASURED if result.get(name) is not None})
        return row

    def text(self):
        """The file, entry by entry, in the order of the contest file."""
        self.game = self.dice.choice(("", "loyd", "ufo")) if self.kind == "moves" else "external"
        results = {(one["entry"], one["board"], one["repeat"]): one for one in self.case["results"]}
        out = io.StringIO()
        writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        for entry in self.case["entries"]:
            for board in self.case["boards"]:
                if board["round"] <= entry["reached"]:
                    for repeat in range(1, self.case["planned"] + 1):
                        result = results.get((entry["name"], board["name"], repeat))
                        writer.writerow(self.row(entry, board, repeat, result))
        return out.getvalue()
