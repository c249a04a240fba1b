"""Cells: their texts, repeats, and relative values (chapter Cells)."""

from fractions import Fraction

from figures import ACCEPTED, divide_up, FAILURES, JUDGE_ERROR, RELATIVE_ONE


def cell_text(contest, board, result):
    """R16 to R18: the text of a cell; `result` is None if it is missing."""
    if result is None:
        return "-"
    if result.verdict == JUDGE_ERROR:
        return "-/JUD" if shows_several(contest, board) else "JUD"
    if result.verdict in FAILURES:
        return "0/" + result.verdict if shows_several(contest, board) else result.verdict
    known = any(result.figures.get(name) is not None for name in contest.cell)
    return figures_text(contest, contest.cell, result.figures, "/") if board.shows_figures and known else ACCEPTED


def shows_several(contest, board):
    """R17: whether the cell of an accepted result has several figures."""
    return board.shows_figures and len(contest.cell) > 1


def figures_text(contest, names, figures, between):
    """R70: the texts of these figures, `-` if none is known."""
    if all(figures[name] is None for name in names):
        return "-"
    return between.join(points_text(figures[name], contest.by_name[name].decimals) for name in names)


def whole_text(value, width=1):
    """R61, R62."""
    return "-" if value is None else str(value).zfill(width)


def points_text(value, decimals):
    """R61, R62: a figure with its decimals; there is no negative zero."""
    if value is None:
        return "-"
    digits = str(abs(value)).zfill(decimals + 1)
    sign = "-" if value < 0 else ""
    return sign + (digits[:-decimals] + "." + digits[-decimals:] if decimals else digits)


def relative_text(value):
    """R62: four decimals, to the nearest, halves up."""
    return "-" if value is None else points_text(divide_up(value, 10**5), 4)


def median(contest, results, unclear):
    """R20: the median of the results of one cell, a dict from repeat to result; None if all are missing."""
    judged = [(repeat, result) for repeat, result in results.items() if result.judged]
    judged.sort(key=lambda pair: (result_key(contest, pair[1], unclear), pair[0]))
    return judged[len(judged) // 2][1] if judged else None


def result_key(contest, result, unclear):
    """R20: the key of one result alone; a better result has a smaller key."""
    return tuple(result_part(contest, result, unclear, name) for name in contest.list)


def result_part(contest, result, unclear, name):
    if name == "relative":
        _, value = compared_value(contest, result, unclear)
        return part_of_key(value, contest.more_is_compared)
    if name == "solved" and unclear:
        return part_of_key(None, True)
    return part_of_key(result.figures[name], contest.more[name])


def part_of_key(value, more):
    """R6, R7: the smaller, the better; an unknown value is the worst."""
    if value is None:
        return (1, 0)
    return (0, -value if more else value)


def compared_value(contest, result, unclear):
    """R38: (True, the value that `relative` compares), (True, None) without such a value, (False, None) if unknown."""
    figures = result.figures
    if contest.kind == "moves" and (unclear or figures["solved"] is None):
        return False, None
    if result.verdict != ACCEPTED or (contest.kind == "moves" and figures["solved"] == 0):
        return True, None
    value = figures["solved"] if contest.compared is None else figures[contest.compared.name]
    return value is not None, None if value is None else max(value, 0)


def relative_figure(own, best, more):
    """R38, R25: in units of the ninth decimal; `own` is None for a result without a value."""
    if own is None:
        return 0
    if best == 0:
        return RELATIVE_ONE if own == 0 else 0
    return divide_up(RELATIVE_ONE * own, best) if more else divide_up(RELATIVE_ONE * best, own)


def set_relative(contest, cells, unclear):
    """R38, R39: `relative` of all cells of a column that are not missing; they are those of rows that are not out."""
    for figure in contest.figures:
        if figure.source == "ratio":
            set_ratio(contest, figure, cells)
    more = contest.more_is_compared
    values = [compared_value(contest, cell, unclear) for cell in cells]
    known = [value for _, value in values if value is not None]
    best = (max(known) if more else min(known)) if known else None
    for cell, (is_known, own) in zip(cells, values):
        cell.figures["relative"] = relative_figure(own, best, more) if is_known else None


def set_ratio(contest, figure, cells):
    """R69: a ratio to the best of another figure, of all cells of a column that are not missing."""
    more = contest.by_name[figure.of].better != "less"
    accepted = [cell.figures[figure.of] for cell in cells if cell.verdict == ACCEPTED]
    known = [max(value, 0) for value in accepted if value is not None]
    best = (max(known) if more else min(known)) if known else None
    for cell in cells:
        own = cell.figures[figure.of]
        if cell.verdict != ACCEPTED:
            cell.figures[figure.name] = 0
        elif own is None:
            cell.figures[figure.name] = None
        else:
            part, whole = (max(own, 0), best) if more else (best, max(own, 0))
            value = Fraction(1) if part >= whole else Fraction(part, whole)
            cell.figures[figure.name] = figure.of_fraction(value)


def is_unclear(contest, results):
    """R9: whether nothing says what solves a board with these results, and one of them is accepted."""
    return contest.kind == "moves" and any(
        result.verdict == ACCEPTED and not result.goal_known for result in results
    )
