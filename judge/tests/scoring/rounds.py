"""Who goes on (chapter Rounds)."""

from figures import BadInput, field, optional
from places import shared_places


def goes_on(contest, rounds, columns, unclear, rows):
    """R43, R44: the names of the rows that go on from the last round, or None if a result is missing."""
    number = len(rounds)
    able = [row for row in rows if not row.out and number in row.reached]
    if any(number in row.incomplete_rounds for row in able):
        return None
    advance = field(rounds[-1], "advance", str, int)
    competing = [row for row in able if row.competing]
    if advance == "all":
        chosen = able
    elif advance == "solved":
        boards = [index for index, board in enumerate(columns) if board.round == number]
        chosen = [row for row in competing if solved_each(row, boards, unclear)]
    else:
        places = tie_places(contest, optional(rounds[-1], "tie_on", list), number, competing if columns else [])
        chosen = tied(competing, places) if advance == "tied" else top(competing, places, advance)
    return [row.name for row in chosen]


def solved_each(row, boards, unclear):
    """R43: whether a row has `solved` = 1 on each board."""
    return all(row.cells[board].figures["solved"] == 1 and not unclear[board] for board in boards)


def tie_places(contest, tie_on, number, rows):
    """R43: from the name of each row to its place in the table of the round that is over, by `tie_on`."""
    names = contest.tie_list(tie_on)
    keyed = sorted(((row.totals[number].key(contest, names), row) for row in rows), key=lambda pair: pair[0])
    return {row.name: place for (_, row), place in zip(keyed, shared_places(keyed))}


def tied(rows, places):
    """R43: those that share the first place, if there are at least two."""
    first = [row for row in rows if places.get(row.name) == 1]
    return first if len(first) > 1 else []


def top(rows, places, number):
    """R43: those with a place from 1 to `number`."""
    if not isinstance(number, int) or number < 1:
        raise BadInput("`advance` is %r" % (number,))
    return [row for row in rows if row.name in places and places[row.name] <= number]
