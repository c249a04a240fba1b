"""The table of a contest file."""

from cells import cell_text, is_unclear, median
from declaration import Contest
from figures import BadInput, field
from places import fill_relative, rank, Row
from results import Board, Result
from rounds import goes_on
from totals import Groups, Section, Total


class Table:
    """A case of a table."""

    def __init__(self, case):
        self.contest = Contest(case)
        self.median = one_of(case, "repeats", ("first", "median")) == "median"
        self.planned = field(case, "planned", int)
        self.rounds = field(case, "rounds", list)
        if self.planned < 1 or not self.rounds:
            raise BadInput("no repeat is planned, or there is no round")
        boards = [Board(self.contest, board) for board in field(case, "boards", list)]
        if any(not 1 <= board.round <= len(self.rounds) for board in boards):
            raise BadInput("a board is of a round that is not there")
        self.boards = by_name(boards)
        self.columns = sorted((board for board in boards if not board.struck), key=lambda board: board.round)  # R30
        self.rows = self.read_rows(field(case, "entries", list))
        self.results = self.read_results(field(case, "results", list))
        self.unclear = self.find_unclear()
        self.make_cells()
        fill_relative(self.contest, self.rows, self.unclear)
        self.make_totals()

    def read_rows(self, entries):
        open_rounds = sorted({board.round for board in self.columns} | {1})
        rows = []
        for entry in entries:
            last = field(entry, "reached", int)
            if not 1 <= last <= len(self.rounds):
                raise BadInput("an entry reached a round that is not there")
            reached = [number for number in open_rounds if number <= last]  # R42
            name, competing, out = field(entry, "name", str), field(entry, "competing", bool), field(entry, "out", bool)
            rows.append(Row(name, competing, out, reached, len(self.columns)))
        by_name(rows)
        return rows

    def read_results(self, results):
        """R1, R30: the results that count: from (row, column) to a dict from repeat to result."""
        rows = {row.name: (index, row) for index, row in enumerate(self.rows)}
        columns = {board.name: index for index, board in enumerate(self.columns)}
        seen, counting = set(), {}
        for item in results:
            name, board_name = field(item, "entry", str), field(item, "board", str)
            repeat = field(item, "repeat", int)
            if name not in rows or board_name not in self.boards or not 1 <= repeat <= self.planned:
                raise BadInput("the run (%s, %s, %s) is not planned" % (name, board_name, repeat))
            if (name, board_name, repeat) in seen:
                raise BadInput("the run (%s, %s, %s) has two results" % (name, board_name, repeat))
            seen.add((name, board_name, repeat))
            (index, row), board = rows[name], self.boards[board_name]
            result = Result(self.contest, board, item)
            if not row.out and not board.struck and board.round in row.reached:
                counting.setdefault((index, columns[board_name]), {})[repeat] = result
        return counting

    def find_unclear(self):
        """R9: for each column, whether nothing says what solves its board."""
        unclear = [False] * len(self.columns)
        for (_, column), repeats in self.results.items():
            unclear[column] = unclear[column] or is_unclear(self.contest, repeats.values())
        return unclear

    def make_cells(self):
        """R20, R21: the results that make the cells, and the rounds that lack a result of any repeat."""
        for index, row in enumerate(self.rows):
            for column in self.planned_columns(row):
                repeats = self.results.get((index, column), {})
                row.show(column, self.cell(repeats, self.unclear[column]))
                if sum(result.judged for result in repeats.values()) < self.planned:
                    row.incomplete_rounds.add(self.columns[column].round)

    def planned_columns(self, row):
        reached = set(row.reached)
        return [index for index, board in enumerate(self.columns) if board.round in reached]

    def cell(self, repeats, unclear):
        """R20: the result that makes a cell; a judge error of repeat 1 is shown if there is no median."""
        chosen = median(self.contest, repeats, unclear) if self.median else None
        return chosen or repeats.get(1)

    def make_totals(self):
        """R22: the totals of each row, in each round that it reached and over all of them."""
        sections = {}
        for row in self.rows:
            for number in row.reached:
                row.totals[number] = self.make_total(sections, row, (number,))
            row.total = self.make_total(sections, row, tuple(row.reached))

    def make_total(self, sections, row, rounds):
        if rounds not in sections:
            columns = [index for index, board in enumerate(self.columns) if board.round in rounds]
            groups = [Groups(self.contest, self.columns, columns)] if self.contest.main else []
            sections[rounds] = Section(columns, groups, self.unclear)
        return Total(self.contest, sections[rounds], row.cells)

    def answer(self):
        rows = rank(self.contest, self.rows, bool(self.columns))
        return {
            "list": self.contest.list,
            "columns": [board.name for board in self.columns],
            "complete": not any(row.incomplete_rounds for row in rows if not row.out),  # R21
            "goes_on": goes_on(self.contest, self.rounds, self.columns, self.unclear, rows),
            "rows": [self.row_answer(row) for row in rows],
        }

    def row_answer(self, row):
        planned = set(self.planned_columns(row))
        texts, marks = [], []
        for index, board in enumerate(self.columns):
            result = row.shown[index]
            texts.append(cell_text(self.contest, board, result) if index in planned else "")  # R18
            marks.append("" if result is None else result.marks)
        return {
            "entry": row.name,
            "place": row.place,
            "complete": not row.incomplete_rounds,
            "cells": texts,
            "marks": marks,
            "rounds": [row.totals[number].answer(self.contest) for number in row.reached],
            "total": row.total.answer(self.contest),
        }


def one_of(obj, key, values):
    value = field(obj, key, str)
    if value not in values:
        raise BadInput("the value `%s` of `%s` is unknown" % (value, key))
    return value


def by_name(things):
    """From the name of each thing to the thing; names are unique."""
    named = {thing.name: thing for thing in things}
    if len(named) < len(things):
        raise BadInput("two boards, entries, problems or teams have the same name")
    return named
