"""Tests of scoring.py: the worked examples of docs/scoring.md, by their rules."""

import io
import json
import subprocess
import sys
import unittest
from fractions import Fraction
from pathlib import Path

import cells
import declaration
import figures
import scoring

PROGRAM = str(Path(__file__).resolve().parent / "scoring.py")


def board(name, **keys):
    return dict({"name": name, "round": 1, "struck": False, "group": None, "goal": None}, **keys)


def entry(name, **keys):
    return dict({"name": name, "competing": True, "out": False, "reached": 1}, **keys)


def result(entry_name, board_name, verdict="AC", repeat=1, wall_us=1000, limit_ms=10000, **figures):
    return {
        "entry": entry_name,
        "board": board_name,
        "repeat": repeat,
        "verdict": verdict,
        "figures": {name: str(value) for name, value in figures.items()},
        "wall_us": wall_us,
        "limit_ms": limit_ms,
        "suspect": False,
        "by_hand": False,
    }


def declared(better, decimals, **keys):
    return {"figures": [dict({"name": "score", "better": better, "decimals": decimals}, **keys)]}


def table(kind="moves", **keys):
    case = {
        "case": "test",
        "kind": kind,
        "order": None,
        "exactly": False,
        "repeats": "first",
        "planned": 1,
        "rounds": [{"advance": "all", "tie_on": None}],
        "boards": [board("A", goal="25" if kind == "moves" else None)],
        "entries": [],
        "results": [],
    }
    if kind == "figures":
        case["scoring"] = declared("more", 3)
    case.update(keys)
    if not case["entries"]:
        names = dict.fromkeys(item["entry"] for item in case["results"])
        case["entries"] = [entry(name) for name in names]
    return case


def rows_of(case):
    return {row["entry"]: row for row in scoring.solve(case)["rows"]}


def places(answer, name="entry"):
    return [(row[name], row["place"]) for row in answer["rows"]]


def read_list(names, kind="moves"):
    return declaration.Contest(table(kind, order=names.split())).list


class Figures(unittest.TestCase):
    def test_r5_cut(self):
        self.assertEqual(figures.read_points("0.25", 1), 3)
        self.assertEqual(figures.read_points("-0.25", 1), -3)
        self.assertEqual(figures.read_points("1e-1", 1), 1)

    def test_r5_other_spellings(self):
        for text, units in (("12", 120), ("+.5", 5), ("5.", 50), ("0.05", 1), ("0.0499", 0), ("1e-999999999", 0), ("-0", 0)):
            self.assertEqual(figures.read_points(text, 1), units, text)
        for text in ("", ".", "1e", "x", "1e999999999", "NaN", None, True):
            self.assertRaises(figures.BadInput, figures.read_points, text, 1)

    def test_r5_against_fractions(self):
        for units in range(-250, 251):
            text = cells.points_text(units, 2)
            exact = Fraction(text) * 10
            nearest = int(abs(exact) + Fraction(1, 2))
            self.assertEqual(figures.read_points(text, 1), -nearest if exact < 0 else nearest, text)

    def test_r23(self):
        def answer(kind, one, two, name):
            results = [result("a", "A", **{name: one}), result("a", "B", **{name: two})]
            return scoring.solve(table(kind, boards=[board("A", goal="0"), board("B", goal="0")], results=results))

        self.assertEqual(answer("moves", 2**119 - 2, 2, "moves"), {"case": "test", "error": "R23"})
        self.assertNotIn("error", answer("moves", 2**119 - 2, 1, "moves"))
        large = "664613997892457936451903530140172.287"
        self.assertEqual(answer("figures", large, "0.001", "score"), {"case": "test", "error": "R23"})
        self.assertNotIn("error", answer("figures", large, "0", "score"))
        self.assertNotIn("error", answer("figures", "-664613997892457936451903530140172.288", "0", "score"))

    def test_r24_half_milliseconds(self):
        case = table("accepted", results=[result("a", "A", wall_us=500), result("b", "A", wall_us=1499)])
        answer = scoring.solve(case)
        self.assertEqual([row["total"]["figures"]["time"] for row in answer["rows"]], [1, 1])
        self.assertEqual(places(answer), [("a", 1), ("b", 1)])

    def test_r38_moves(self):
        results = [result(name, "A", progress=25, moves=moves) for name, moves in (("a", 80), ("b", 100), ("c", 160))]
        self.check_relative(table(results=results + [result("d", "A", "TIM")]), ["1", "0.8", "0.5", "0"])

    def test_r38_points(self):
        for direction, scores, expected in (("down", (0, 4), ["1", "0"]), ("up", (0, -3), ["1", "1"])):
            results = [result(name, "A", score=score) for name, score in zip("ab", scores)]
            keys = declared({"down": "less", "up": "more"}[direction], 3)
            self.check_relative(table("figures", scoring=keys, results=results), expected)

    def check_relative(self, case, expected):
        rows = rows_of(case)
        names = [item["name"] for item in case["entries"]]
        figures = [Fraction(rows[name]["total"]["figures"]["relative"]) for name in names]
        self.assertEqual(figures, [Fraction(text) for text in expected])


class Cells(unittest.TestCase):
    def test_r16_examples(self):
        case = table(results=[result("a", "A", progress=25, moves=94, tie_break=1)])
        self.assertEqual(rows_of(case)["a"]["cells"], ["25/94"])
        case = table("figures", results=[result("a", "A", score="12.5")])
        self.assertEqual(rows_of(case)["a"]["cells"], ["12.500"])
        case = table("accepted", results=[result("a", "A")])
        self.assertEqual(rows_of(case)["a"]["cells"], ["AC"])

    def test_r16_all(self):
        groups = dict(declared("more", 0), groups=[{"name": "g", "aggregate": "all", "points": "60"}])
        results = [result("a", "A", score="12"), result("b", "A", "WRO")]
        rows = rows_of(table("figures", scoring=groups, boards=[board("A", group="g")], results=results))
        self.assertEqual((rows["a"]["cells"], rows["a"]["total"]["text"]), (["AC"], "60"))
        self.assertEqual((rows["b"]["cells"], rows["b"]["total"]["text"]), (["WRO"], "0"))

    def test_r17_illegal_adds_tiles(self):
        rows = rows_of(table(results=[result("a", "A", "ILL", progress=5), result("b", "A", "JUD")]))
        self.assertEqual(rows["a"]["cells"], ["0/ILL"])
        self.assertEqual(rows["a"]["total"]["text"], "005/0000/000")
        self.assertEqual(rows["b"]["cells"], ["-/JUD"])

    def test_r19_marks(self):
        marked = dict(result("a", "A", progress=25, moves=94, tie_break=1), suspect=True, by_hand=True)
        row = rows_of(table(results=[marked]))["a"]
        self.assertEqual(row["cells"][0] + row["marks"][0], "25/94?!")

    def test_r20_median_of_moves(self):
        results = [
            result("a", "A", repeat=repeat, progress=25, moves=moves, tie_break=0)
            for repeat, moves in ((1, 10), (2, 30), (3, 20))
        ]
        self.assertEqual(rows_of(table(repeats="median", planned=3, results=results))["a"]["cells"], ["25/20"])
        self.assertEqual(rows_of(table(repeats="first", planned=3, results=results))["a"]["cells"], ["25/10"])

    def test_r20_median_with_failure(self):
        results = [result("a", "A", progress=25, moves=10, tie_break=0), result("a", "A", "TIM", repeat=2)]
        row = rows_of(table(repeats="median", planned=2, results=results))["a"]
        self.assertEqual(row["cells"], ["0/TIM"])
        self.assertEqual(row["total"]["figures"]["time"], 10000)


class Groups(unittest.TestCase):
    def total(self, aggregate):
        groups = [{"name": "a", "aggregate": aggregate}, {"name": "b", "within": "a"}]
        scores = (("A", "a", "8.0"), ("B", "a", "5.5"), ("C", "b", "3.0"), ("D", "b", "4.0"))
        case = table(
            "figures",
            scoring=dict(declared("more", 1), groups=groups),
            boards=[board(name, group=group) for name, group, _ in scores],
            results=[result("x", name, score=score) for name, _, score in scores],
        )
        return rows_of(case)["x"]["total"]["text"]

    def test_r26_example(self):
        for aggregate, text in (("min", "5.5"), ("max", "8.0"), ("sum", "20.5"), ("average", "6.8")):
            self.assertEqual(self.total(aggregate), text)

    def test_r27_example(self):
        names = ("first", "second", "third")
        groups = [{"name": name, "requires": [names[index - 1]] if index else []} for index, name in enumerate(names)]
        boards = [board(name + number, group=name) for name in names for number in "12"]
        results = [result("x", item["name"], score=10) for item in boards[1:]] + [result("x", "first1", "WRO")]
        scoring_keys = dict(declared("more", 0), groups=groups)
        rows = rows_of(table("figures", scoring=scoring_keys, boards=boards, results=results))
        self.assertEqual(rows["x"]["total"]["text"], "10")

    def test_r27_circle(self):
        groups = [{"name": "a", "requires": ["b"]}, {"name": "b", "requires": ["a"]}]
        case = table("figures", scoring=dict(declared("more", 0), groups=groups))
        self.assertRaises(figures.BadInput, scoring.solve, case)


class Texts(unittest.TestCase):
    def test_r61_examples(self):
        results = [result("a", name, progress=25, moves=moves, tie_break=tie) for name, moves, tie in
                   (("A", 94, 20), ("B", 90, 12), ("C", 100, 10), ("D", 69, 10), ("E", 100, 10))]
        boards = [board(name, goal="25") for name in "ABCDE"]
        self.assertEqual(rows_of(table(boards=boards, results=results))["a"]["total"]["text"], "125/0453/062")
        del results[0]["figures"]["moves"], results[0]["figures"]["tie_break"]
        self.assertEqual(rows_of(table(boards=boards, results=results))["a"]["total"]["text"], "125/-/-")
        self.assertEqual(rows_of(table(boards=boards, results=results[1:]))["a"]["total"]["text"], "-/-/-")
        results = [result("a", "A", score="12.5"), result("a", "B", score="15")]
        row = rows_of(table("figures", boards=[board("A"), board("B")], results=results))["a"]
        self.assertEqual(row["total"]["text"], "27.500")
        boards = [board(name) for name in "ABCD"]
        row = rows_of(table("accepted", boards=boards, results=[result("a", name) for name in "ABCD"]))["a"]
        self.assertEqual(row["total"]["text"], "4")

    def test_r62_examples(self):
        self.assertEqual([cells.points_text(units, 3) for units in (12500, -250, 0)], ["12.500", "-0.250", "0.000"])
        self.assertEqual(cells.relative_text(1666666667), "1.6667")
        self.assertEqual(cells.points_text(-12, 0), "-12")


class Places(unittest.TestCase):
    def test_r32_default_lists(self):
        lists = {
            "moves": "progress solved failed moves tie_break unstarted time",
            "accepted": "solved failed unstarted time",
        }
        for kind, names in lists.items():
            self.assertEqual(declaration.Contest(table(kind)).list, names.split())
        for direction, names in (
            ("up", "score solved failed unstarted time"),
            ("down", "solved failed score unstarted time"),
        ):
            case = table("figures", scoring=declared({"up": "more", "down": "less"}[direction], 3))
            self.assertEqual(declaration.Contest(case).list, names.split())

    def test_r32_examples(self):
        for names, read in (
            ("moves", "solved failed moves"),
            ("time", "solved failed unstarted time"),
            ("tie_break progress", "solved failed tie_break progress"),
            ("progress", "progress"),
            ("relative", "relative"),
            ("failed moves", "failed solved moves"),
        ):
            self.assertEqual(read_list(names), read.split())
        self.assertEqual(declaration.Contest(table(order=["time"], exactly=True)).list, ["time"])

    def test_r33_partial_score(self):
        results = [result("fifty", "A", score=50), result("fifty", "B", score=0)]
        results += [result("sixty", "A", score=60), result("sixty", "B", "TIM")]
        answer = scoring.solve(table("figures", boards=[board("A"), board("B")], results=results))
        self.assertEqual(places(answer), [("sixty", 1), ("fifty", 2)])

    def test_r34_shared_places(self):
        results = [result(name, "A", score=score) for name, score in (("c", 1), ("a", 2), ("b", 2))]
        answer = scoring.solve(table("figures", order=["score"], results=results))
        self.assertEqual(places(answer), [("a", 1), ("b", 1), ("c", 3)])

    def test_r43_advance(self):
        results = [result(name, "A", score=score) for name, score in (("a", 3), ("b", 3), ("c", 2), ("d", 2), ("e", 1))]
        results[4]["verdict"] = "WRO"
        for advance, names in (("all", "abcde"), ("tied", "ab"), (1, "ab"), (3, "abcd"), (5, "abcde")):
            rounds = [{"advance": advance, "tie_on": None}]
            self.assertEqual(scoring.solve(table("figures", rounds=rounds, results=results))["goes_on"], list(names))
        rounds = [{"advance": "solved", "tie_on": None}]
        case = table("figures", rounds=rounds, boards=[board("A", goal="3")], results=results)
        self.assertEqual(scoring.solve(case)["goes_on"], ["a", "b"])

    def test_r35_r36_nothing_is_moved(self):
        results = [result("guest", "A", score=3), result("guest", "B", score=3), result("a", "A", score=9)]
        case = table("figures", boards=[board("A"), board("B")], results=results)
        case["entries"] = [entry("a"), entry("guest", competing=False), entry("b")]
        self.assertEqual(places(scoring.solve(case)), [("guest", None), ("a", None), ("b", None)])
        case["results"] += [result("b", "A", score=1), result("b", "B", score=1)]
        self.assertEqual(places(scoring.solve(case)), [("b", 1), ("guest", None), ("a", None)])

    def test_r42_later_rounds_first(self):
        rounds = [{"advance": "tied", "tie_on": None}] * 3
        boards = [board("C", round=3), board("B", round=2, struck=True), board("A")]
        entries = [entry("a"), entry("out", reached=2, out=True), entry("b", reached=3), entry("c", reached=3)]
        results = [result("a", "A", score=9), result("b", "A", score=5), result("c", "A", score=6)]
        results += [result("b", "C", score=2), result("c", "C", score=2)]
        case = table("figures", order=["score"], rounds=rounds, boards=boards, entries=entries, results=results)
        answer = scoring.solve(case)
        self.assertEqual(places(answer), [("c", 1), ("b", 2), ("a", 3), ("out", None)])
        self.assertEqual((answer["columns"], answer["goes_on"]), (["A", "C"], ["c", "b"]))
        self.assertEqual([row["cells"][1] for row in answer["rows"]], ["2.000", "2.000", "", ""])
        self.assertEqual([len(row["rounds"]) for row in answer["rows"]], [2, 2, 1, 1])

    def test_r9_unknown_for_every_row(self):
        results = [result("a", "A", progress=20, moves=1, tie_break=1), result("b", "A", "WRO", progress=3)]
        rows = rows_of(table(boards=[board("A")], results=results))
        for row in rows.values():
            self.assertIsNone(row["total"]["figures"]["solved"])
            self.assertIsNone(row["total"]["figures"]["relative"])
        results[0]["verdict"] = "WRO"
        rows = rows_of(table(boards=[board("A")], results=results))
        self.assertEqual([row["total"]["figures"]["solved"] for row in rows.values()], ["0", "0"])

    def test_r43_default_of_tie_on(self):
        self.assertEqual(declaration.Contest(table()).tie_list(None), "progress solved failed moves tie_break".split())
        self.assertEqual(declaration.Contest(table(order=["time"])).tie_list(None), "solved failed unstarted time".split())


def submission(team, problem, minute, verdict="AC", built=True, score=0, state="in", seen=True):
    judged = result(team, "x", verdict, score=score)
    del judged["entry"]
    return {
        "team": team,
        "problem": problem,
        "arrived": 60 * minute,
        "state": state,
        "seen": seen,
        "built": built,
        "results": [judged] if built else [],
    }


def office(kind, teams, problems, submissions, **keys):
    for number, one in enumerate(submissions, 1):
        one["number"] = number
    case = {
        "case": "test",
        "kind": kind,
        "order": None,
        "exactly": False,
        "counts": "first-accepted" if kind == "accepted" else "latest",
        "penalty": 20,
        "problems": [{"name": name, "boards": [board("x")]} for name in problems],
        "teams": [{"name": name, "out": False, "chosen": {}} for name in teams],
        "submissions": submissions,
    }
    if kind == "figures":
        case["scoring"] = declared("more", 0)
    case.update(keys)
    return case


class Offices(unittest.TestCase):
    def test_r52_example(self):
        submissions = [
            submission("ada", "A", 5, "WRO"),
            submission("ada", "A", 12),
            submission("ada", "B", 40),
            submission("bob", "A", 30),
            submission("bob", "B", 31, built=False),
            submission("bob", "B", 42),
            submission("cleo", "A", 3),
            submission("cleo", "A", 4, "WRO"),
            submission("cleo", "B", 9, "TIM"),
            submission("cleo", "B", 20, "TIM"),
            submission("dora", "B", 50, "WRO"),
        ]
        answer = scoring.solve(office("accepted", ["dora", "cleo", "bob", "ada"], "AB", submissions))
        figures = [tuple(row["figures"][name] for name in answer["list"]) for row in answer["rows"]]
        self.assertEqual(answer["list"], ["solved", "penalty", "last"])
        self.assertEqual(places(answer, "team"), [("ada", 1), ("bob", 2), ("cleo", 3), ("dora", 4)])
        self.assertEqual(figures, [("2", "72", "40"), ("2", "72", "42"), ("1", "3", "3"), ("0", "0", "0")])
        self.assertEqual(answer["rows"][2]["counts"], {"A": 7, "B": 10})
        self.assertEqual(answer["rows"][3]["counts"], {"A": None, "B": 11})

    def test_r47_counts(self):
        submissions = [
            submission("t", "A", 1, score=5),
            submission("t", "A", 2, score=5),
            submission("t", "A", 3, score=4),
            submission("t", "A", 4, "STA"),
            submission("t", "A", 5, state="held"),
            submission("t", "A", 6, seen=False),
        ]
        for counts, number in (("latest", 3), ("best", 1), ("chosen", 2)):
            case = office("figures", "tu", "A", submissions, counts=counts, order=["score"])
            case["teams"][0]["chosen"] = {"A": 2}
            answer = scoring.solve(case)
            self.assertEqual(answer["rows"][0]["counts"], {"A": number}, counts)
            self.assertEqual(places(answer, "team"), [("t", 1), ("u", None)])
            self.assertEqual(set(answer["rows"][1]["figures"].values()), {None})

    def test_r53_nothing_counts(self):
        answer = scoring.solve(office("figures", ["t", "u"], "AB", [submission("t", "A", 1, score=5)]))
        self.assertEqual(places(answer, "team"), [("t", 1), ("u", 2)])
        self.assertEqual([row["figures"]["unstarted"] for row in answer["rows"]], ["1", "2"])
        self.assertEqual([row["figures"]["score"] for row in answer["rows"]], ["5", "0"])


def whole_example():
    def run(name, board_name, moves, tie_break, ms):
        return result(name, board_name, progress=25, moves=moves, tie_break=tie_break, wall_us=ms * 1000)

    results = [
        run("late", "A", 40, 3, 100),
        result("late", "B", "TIM", wall_us=10001000),
        run("long", "A", 80, 4, 100),
        run("long", "B", 90, 5, 100),
        run("illegal", "A", 40, 3, 100),
        result("illegal", "B", "ILL", wall_us=50000, progress=20),
        run("guest", "A", 30, 1, 400),
        run("guest", "B", 50, 1, 500),
        run("short", "A", 40, 2, 100),
        run("short", "B", 60, 2, 200),
        run("unfinished", "A", 20, 1, 100),
        run("gone", "A", 10, 1, 100),
    ]
    entries = [entry("gone", out=True), entry("unfinished"), entry("late"), entry("long"), entry("illegal")]
    entries += [entry("guest", competing=False), entry("short")]
    return table(boards=[board("A", goal="25"), board("B", goal="25")], entries=entries, results=results)


class WholeExample(unittest.TestCase):
    def test_whole_example(self):
        answer = scoring.solve(whole_example())
        self.assertEqual(answer["list"], "progress solved failed moves tie_break unstarted time".split())
        expected = [
            ("short", 1, ["25/40", "25/60"], "50", "2", "0", "100", "050/0100/004", 300),
            ("guest", None, ["25/30", "25/50"], "50", "2", "0", "80", "050/0080/002", 900),
            ("long", 2, ["25/80", "25/90"], "50", "2", "0", "170", "050/0170/009", 200),
            ("illegal", 3, ["25/40", "0/ILL"], "45", "1", "1", "40", "045/0040/003", 150),
            ("late", 4, ["25/40", "0/TIM"], "25", "1", "1", "40", "025/0040/003", 10100),
            ("unfinished", None, ["25/20", "-"], None, "1", "0", None, "-/-/-", None),
            ("gone", None, ["-", "-"], None, "0", "0", None, "-/-/-", None),
        ]
        rows = []
        for row in answer["rows"]:
            figures = [row["total"]["figures"][name] for name in ("progress", "solved", "failed", "moves")]
            text, time = row["total"]["text"], row["total"]["figures"]["time"]
            rows.append((row["entry"], row["place"], row["cells"], *figures, text, time))
        self.assertEqual(rows, expected)
        self.assertIs(answer["complete"], False)
        self.assertIsNone(answer["goes_on"])

    def test_program(self):
        lines = json.dumps(whole_example()) + "\n\n" + json.dumps(table()) + "\n"
        done = subprocess.run([sys.executable, PROGRAM], input=lines, stdout=subprocess.PIPE, universal_newlines=True)
        answers = [json.loads(line) for line in io.StringIO(done.stdout)]
        self.assertEqual((done.returncode, len(answers)), (0, 2))
        self.assertEqual(answers[0], scoring.solve(whole_example()))

    def test_bad_input(self):
        for line in ("{", "{}", "[]", json.dumps(table(kind="chess"))):
            done = subprocess.run(
                [sys.executable, PROGRAM], input=line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True
            )
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("scoring.py: line 1", done.stderr)
            self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
