"""Makes random contests of every kind, as files that judge reads and as cases for scoring.py.

scoring.py is a second program for docs/scoring.md, written from that page and this text, without code of judge. It needs Python 3.9,
reads one case per line, JSON, and writes an answer for each, in order. judge/tests/cli/scoring_matrix.rs compares all outputs of
judge with each other and with these answers.

    generate.py files FIRST COUNT          files of results, one JSON object per line: the `case`, the text of the file as
                                           `csv`, and the `options` of `judge rank` for it
    generate.py contests FIRST COUNT       contests to run: the `case`, with `answers` and without results, and the `files`
    generate.py collect CASE RESULTS.CSV   the cases of a contest that was run, one per round that has opened; `went_on` has who
                                           went on to the next one, `null` if there is none

FIRST and the numbers after it are the seeds, and the names of the cases. Figures are drawn from few values, so that rows often tie
in all but one figure, or in all. Nothing here computes a total or a place.

# A case

A case is a table, or an office, which has the key `submissions`. Figures are strings, such as "12.5"; places, rounds, repeats and
times are numbers; null is unknown or missing. Only `scoring` may be absent: it is there if `kind` is "figures". `kind` is "moves",
"figures" or "accepted" (R3), `scoring` the declaration of results.csv (R64), `order` and `exactly` those of [ranking].

    table        case, kind, scoring, order, exactly, repeats ("first" or "median", R20), planned (repeats of each run), rounds that
                 have opened (advance: "all", "solved", "tied" or a number; tie_on), boards and entries in the order of the file, and
                 results in any order; a planned result that is not there is missing
    board        name, round, struck, group, and goal: what solves it, if the first figure has no `full`
    entry        name, competing, out (withdrawn or disqualified), reached: the last round to which it went on (R42), also with all
                 its boards struck
    result       entry, board, repeat, verdict ("AC", three letters, "JUD" for a judge error), figures as the referee wrote them,
                 also of a failed result, wall_us, limit_ms, suspect, by_hand; with "figures" cpu_us, memory_bytes, size, answer_us;
                 solves, if the referee says whether an accepted answer solves the board, which wins over `goal` and `full`
    office       case, kind, scoring, order, exactly as above; "accepted" is pass-fail (R49), with a null order. counts (R47),
                 penalty (minutes, R50), problems with name and boards, teams with name, out, and chosen, from problems to numbers
    submission   team, problem, number (unique in its problem), arrived (second since the start), state ("in", "cancelled",
                 "ignored", "held", "late"), seen (may the viewer know its verdict), built, results without entry

# An answer

    table        case, error ("R23", and nothing else, if a sum does not fit), list (the ranking, after R32), columns, complete (R21),
                 goes_on (who goes on from the last round, null if a result is missing, R44), rows in the order of the table
    row          entry, place, complete, cells (R16 to R18) without marks, marks, rounds (a total for each that it reached), total.
                 If it is out, its totals are those of missing results
    total        text (R61), relative (R62), figures: time in whole milliseconds, solved, failed, unstarted, relative with nine
                 decimals, and the declared ones
    office       case, list, rows, one per team: team, place, counts (from problems to the number of the result), figures over all
                 problems, which are solved, penalty and last in a pass-fail contest. With one problem that is not pass-fail, a team
                 without a submission has no place, is below the others, and its figures are null
"""

import csv
import io
import json
import random
import sys

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
    """A random contest."""

    def __init__(self, seed):
        self.seed, self.dice = seed, random.Random(f"judge {seed}")

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
        rounds = self.dice.choice((1, 1, 1, 2, 3))
        self.figures = self.declared() if self.kind == "figures" else []
        self.case = {
            "case": str(self.seed), "kind": self.kind, "order": None, "exactly": False,
            "repeats": "first", "planned": self.dice.choice((1, 1, 1, 2, 3)),
            "rounds": [
                {"advance": self.dice.choice(("all", "solved", "tied", 1, 2)), "tie_on": self.tie_on()} for _ in range(rounds)
            ],
        }
        if self.kind == "figures":
            self.case["scoring"] = self.scoring()
        self.case["boards"] = [self.board(number, rounds) for number in range(self.dice.randint(rounds, 5))]
        self.case["entries"] = [self.entry(number, rounds) for number in range(self.dice.randint(1, 7))]

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


def file_of_results(seed):
    """A file, and the case of its table. Of some, the table is ranked by another list, or of some boards alone."""
    maker = Maker(seed)
    maker.declare()
    # A file has the whole list.
    maker.case["order"], maker.case["exactly"] = maker.order(), True
    maker.results()
    made = {"case": maker.case, "csv": maker.text(), "options": []}
    if seed % 10 == 3:
        by = maker.order()
        maker.case["order"], maker.case["exactly"] = by, False
        made["options"] = ["--by", ",".join(by)]
    if seed % 10 == 7 and len(maker.case["rounds"]) == 1:
        shown = [board for board in maker.case["boards"] if not board["struck"]]
        if shown:
            some = shown[:: maker.dice.randint(1, 2)]
            maker.case["boards"] = some
            names = [board["name"] for board in some]
            maker.case["results"] = [one for one in maker.case["results"] if one["board"] in names]
            made["options"] = ["--boards", ",".join(names)]
    return made


class Contest(Maker):
    """A random contest to run, without isolation: an entry prints what its referee copies."""

    def declare(self):
        super().declare()
        case = self.case
        case["order"], case["exactly"] = (None if self.one_in(3) else self.order()), self.one_in(4)
        if case["order"] is None:
            case["exactly"] = False
        # The second of two runs of an entry shows nothing that the first one does not.
        case["planned"] = 1
        self.answers = {}
        for entry in case["entries"]:
            for board in case["boards"]:
                self.answers[entry["name"], board["name"]] = self.answer(board)

    def written(self):
        """A decimal number as somebody writes it, with more digits than count."""
        units = self.dice.randint(-300, 900) * self.dice.choice((1, 1, 5))
        text = decimal(units, self.dice.choice((0, 1, self.decimals, min(self.decimals + 1, 9))))
        return self.dice.choice((text, text, "+" + text if units >= 0 else text, text + "e0", text + "E-1"))

    def answer(self, board):
        verdict = self.dice.choice(["AC"] * 8 + ["WRO", "WRO", "CRA", "OUT", "TIM" if self.one_in(4) else "AC"])
        figures = {}
        if self.counted and verdict in ("AC", "WRO"):
            goal = int(board["goal"])
            progress = goal if self.one_in(2) and verdict == "AC" else self.dice.randrange(goal + (verdict == "WRO"))
            figures = {"progress": progress, "moves": 8 + self.dice.randrange(3), "tie_break": self.dice.randrange(3)}
            figures = {name: str(figure) for name, figure in figures.items()}
            if verdict == "WRO" and self.one_in(2):
                verdict = "ILL"
        given = [figure["name"] for figure in self.figures if "from" not in figure]
        if self.kind == "figures" and verdict == "AC":
            figures = {name: self.written() for name in given}
        result = {"verdict": verdict, "figures": figures}
        if len(given) > 1 and verdict == "AC":
            # The referee says itself what solves.
            result["solves"] = self.one_in(2)
        return result

    def protocol(self):
        given = [figure for figure in self.figures if "from" not in figure]
        return "native" if self.counted or len(given) > 1 else {"figures": "kattis", "accepted": "exit"}[self.kind]

    def printed(self, answer, board):
        """What an entry prints for its referee."""
        verdict, figures = answer["verdict"], answer["figures"]
        if self.protocol() == "exit":
            return "yes" if verdict == "AC" else "no"
        if self.protocol() == "kattis":
            return f"yes {figures['score']}" if verdict == "AC" else "no"
        if self.kind == "figures":
            word = "wrong" if verdict != "AC" else "solved" if answer["solves"] else "valid"
            return json.dumps({"format": 1, "verdict": word, "figures": figures, **({"reason": "no"} if word == "wrong" else {})})
        ruling = {"format": 1, "figures": figures, "full": int(board["goal"])}
        if verdict == "AC":
            ruling["verdict"] = "solved" if figures["progress"] == board["goal"] else self.short
        else:
            ruling.update(verdict="wrong", reason="no", **({"failed_at": 4, "token": "x"} if verdict == "ILL" else {}))
        return json.dumps(ruling)

    def script(self, entry):
        lines = []
        for board in self.case["boards"]:
            answer = self.answers[entry["name"], board["name"]]
            act = {"CRA": "exit 3", "OUT": "head -c 9999 /dev/zero", "TIM": "exec sleep 9"}.get(answer["verdict"])
            act = act or f"echo '{self.printed(answer, board)}'"
            lines.append(f"{board['name']}) {act};;\n")
        return f'read -r board <"$1"\ncase $board in\n{"".join(lines)}esac\n'

    @staticmethod
    def key(figure, key, value):
        """A line of [[figure]]."""
        if key == "from" and "add" in value:
            return "add = { " + ", ".join(f"{name} = {weight}" for name, weight in value["add"]) + " }"
        if key == "from" and "ratio" in value:
            return f'ratio = "{value["ratio"]}"'
        if key == "unit":
            return f'unit = "{value // 1000}ms"'
        return f"{key} = {json.dumps(value)}"

    def files(self):
        """The files of its folder, by name."""
        case, self.short = self.case, self.dice.choice(("unsolved", "valid"))
        referees = {
            "native": 'cp "$2" "$3/ruling.json"\n',
            "kattis": 'read -r word score\n[ "$word" = yes ] || exit 43\nprintf %s "$score" >"$3/score.txt"\nexit 42\n',
            "exit": 'grep -q yes "$2"\n',
        }
        protocol = self.protocol()
        text = [f'name = "contest {self.seed}"', 'game = "external"', 'limit = "3s"', 'isolation = "off"', 'output = "1KiB"']
        if case["order"] is not None:
            text += ["[ranking]", f"order = {json.dumps(case['order'])}"] + ["exactly = true"] * case["exactly"]
        text += ["[referee]", f'protocol = "{protocol}"', 'command = ["sh", "referee.sh"]']
        scoring = case.get("scoring")
        if scoring:
            for figure in scoring["figures"]:
                text += ["[[figure]]"] + [self.key(figure, key, value) for key, value in figure.items()]
            if "cell" in scoring:
                text += ["[table]"] + [f"{key} = {json.dumps(scoring[key])}" for key in ("cell", "total")]
            for group in scoring.get("groups", []):
                text += ["[[group]]"] + [f"{key} = {json.dumps(value)}" for key, value in group.items()]
        if len(case["rounds"]) > 1:
            for number, one in enumerate(case["rounds"], 1):
                boards = [board["name"] for board in case["boards"] if board["round"] == number]
                advance = f"{{ top = {one['advance']} }}" if isinstance(one["advance"], int) else json.dumps(one["advance"])
                text += ["[[round]]", f'name = "R{number}"', f"boards = {json.dumps(boards)}", f"advance = {advance}"]
                text += [f"tie_on = {json.dumps(one['tie_on'])}"] if one["tie_on"] else []
        for board in case["boards"]:
            text += ["[[board]]", f'name = "{board["name"]}"', f'file = "{board["name"]}.txt"']
            text += ['struck = "a misprint"'] if board["struck"] else []
            text += [f'group = "{board["group"]}"'] if board["group"] else []
            text += [f'points = "{board["goal"]}"'] if board["goal"] and not self.counted else []
        for entry in case["entries"]:
            text += ["[[entry]]", f'name = "{entry["name"]}"', f'command = ["sh", "{entry["name"]}.sh"]']
            text += ["competing = false"] if not entry["competing"] else []
            sized = any(figure.get("from") == "size" for figure in self.figures)
            text += [f'source = ["{entry["name"]}.sh", "referee.sh"]'] if sized else []
            text += ['withdrawn = "gone"'] if entry["out"] else []
        files = {"contest.toml": "\n".join(text) + "\n", "referee.sh": referees[protocol]}
        files.update({f"{board['name']}.txt": f"{board['name']}\n" for board in case["boards"]})
        files.update({f"{entry['name']}.sh": self.script(entry) for entry in case["entries"]})
        return files


def contest(seed):
    made = Contest(seed)
    made.declare()
    files = made.files()
    answers = [{"entry": entry, "board": board, **answer} for (entry, board), answer in made.answers.items()]
    return {"case": {**made.case, "answers": answers}, "files": files}


def collect(case, path):
    """The cases of a contest that was run, one per round that has opened, from its definition and its results.csv. What was
    measured comes from the file, and so do the verdicts that depend on time."""
    answers = {(one.pop("entry"), one.pop("board")): one for one in case.pop("answers")}
    results, reached = [], {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            number = int(row["round"])
            reached[row["entry"]] = max(reached.get(row["entry"], 1), number)
            if row["verdict"] in ("missing", "judge_error"):
                continue
            answer = answers[row["entry"], row["board"]]
            if row["verdict"] == "timed_out":
                answer = {"verdict": "TIM", "figures": {}}
            found = LETTERS.get(row["verdict"], "AC")
            assert found == answer["verdict"], (row, answer)
            results.append({
                "entry": row["entry"], "board": row["board"], "repeat": int(row["repeat"]), **answer,
                "wall_us": int(row["wall_us"]) if row["wall_us"] else None, "limit_ms": int(row["limit_ms"]),
                "suspect": bool(row["suspect"]), "by_hand": False,
                **{name: int(row[name]) if row[name] else None for name in MEASURED},
            })
    planned = len(case["rounds"])
    for last in range(1, max(reached.values(), default=1) + 1):
        boards = {board["name"]: board for board in case["boards"] if board["round"] <= last}
        entries = [{**entry, "reached": min(last, reached.get(entry["name"], 1))} for entry in case["entries"]]
        went_on = sorted(name for name, number in reached.items() if number > last)
        yield {
            **case, "case": f"{case['case']} to round {last}", "rounds": case["rounds"][:last], "boards": list(boards.values()),
            "entries": entries, "results": [one for one in results if one["board"] in boards],
            "went_on": went_on if last < planned else None,
        }


def main(mode, *arguments):
    if mode in ("files", "contests"):
        first, count = map(int, arguments)
        make = file_of_results if mode == "files" else contest
        for seed in range(first, first + count):
            print(json.dumps(make(seed)))
    elif mode == "collect":
        with open(arguments[0], encoding="utf-8") as file:
            definition = json.load(file)
        for case in collect(definition, arguments[1]):
            print(json.dumps(case))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
