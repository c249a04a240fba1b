"""Makes random contests of every kind, as files that judge reads and as cases for scoring.py.

scoring.py is a second program for docs/scoring.md, written from that page and this text, without code of judge; log.py follows the
log of an office by docs/office.md. It needs Python 3.9,
reads one case per line, JSON, and writes an answer for each, in order. judge/tests/cli/scoring_matrix.rs compares all outputs of
judge with each other and with these answers.

    generate.py files FIRST COUNT          files of results, one JSON object per line: the `case`, the text of the file as
                                           `csv`, and the `options` of `judge rank` for it
    generate.py crowds FIRST COUNT         the same with a thousand entries each
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
                 It can have rounds, as a table
    submission   team, problem, number (unique in its problem), arrived (second since the start), state ("in", "cancelled",
                 "ignored", "held", "late"), seen (may the viewer know its verdict), built, results without entry. It can have order
                 (when it arrived, by a clock that is never set back) and reached (the last round in which it is, as far as the
                 viewer may know)
    log          case, kind, order, exactly, problems and rounds as of an office; log (the lines of the office), entries (name,
                 built, reached, results without entry) and viewer: "organiser", {"team": its name}, or null for the public. The case
                 of the office follows

# An answer

    table        case, error ("R23", and nothing else, if a sum does not fit), list (the ranking, after R32), columns, complete (R21),
                 goes_on (who goes on from the last round, null if a result is missing, R44), rows in the order of the table
    row          entry, place, complete, cells (R16 to R18) without marks, marks, rounds (a total for each that it reached), total.
                 If it is out, its totals are those of missing results
    total        text (R61), relative (R62), figures: time in whole milliseconds, solved, failed, unstarted, relative with nine
                 decimals, and the declared ones
    office       case, list, rows, one per team: team, place, counts (from problems to the number of the result), figures over all
                 problems, which are solved, penalty and last in a pass-fail contest, and goes_on, the numbers of the submissions that
                 go on from the last round, or null. With one problem that is not pass-fail, a team
                 without a submission has no place, is below the others, and its figures are null
"""

import csv
import json
import sys

from maker import LETTERS, MEASURED, decimal, Maker


CROWD = 1000


def file_of_results(seed, crowd=0):
    """A file, and the case of its table. Of some, the table is ranked by another list, or of some boards alone."""
    maker = Maker(seed, crowd)
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
    kinds = {"files": file_of_results, "crowds": lambda seed: file_of_results(seed, CROWD), "contests": contest}
    if mode in kinds:
        first, count = map(int, arguments)
        for seed in range(first, first + count):
            print(json.dumps(kinds[mode](seed)))
    elif mode == "collect":
        with open(arguments[0], encoding="utf-8") as file:
            definition = json.load(file)
        for case in collect(definition, arguments[1]):
            print(json.dumps(case))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
