"""The order and the places of rows (chapter Places)."""

from cells import set_relative


class Row:
    """An entry, or a team. `reached` has the rounds that it reached, from the first (R42)."""

    def __init__(self, name, competing, out, reached, width):
        self.name, self.competing, self.out, self.reached = name, competing, out, reached
        self.shown = [None] * width  # the results that make the cells, with judge errors
        self.cells = [None] * width  # the same without judge errors (R14)
        self.incomplete_rounds = set()  # rounds with a missing result of any repeat (R21)
        self.totals = {}  # from round to Total
        self.total = None
        self.place = None

    def takes_up(self):
        """R34: whether the row takes up a place."""
        return self.competing and not self.out

    def show(self, column, result):
        self.shown[column] = result
        self.cells[column] = result if result is not None and result.judged else None

    def key(self, contest):
        """R36, R37, R42: what orders the rows; rows with equal keys are separated by nothing."""
        if self.out:
            return (True, -self.reached[-1], False, ())
        totals = tuple(self.totals[number].key(contest, contest.list) for number in reversed(self.reached))
        return (False, -self.reached[-1], self.total.lacks, totals)


def fill_relative(contest, rows, unclear):
    """R39: `relative` of all cells, column by column."""
    for column, column_unclear in enumerate(unclear):
        set_relative(contest, [row.cells[column] for row in rows if row.cells[column] is not None], column_unclear)


def rank(contest, rows, has_boards):
    """R31 to R37, R63: the rows in the order of the table, with their places. `rows` are in the order of R63."""
    keyed = sorted(((row.key(contest), row) for row in rows), key=lambda pair: pair[0])
    keyed = winner_first(keyed)
    if has_boards:  # R37
        give_places(keyed)
    return [row for _, row in keyed]


def winner_first(keyed):
    """R35: the first row that competes stands at the top, unless it lacks a result."""
    for index, (_, row) in enumerate(keyed):
        if row.takes_up():
            if row.total.lacks:
                return keyed
            return [keyed[index]] + keyed[:index] + keyed[index + 1:]
    return keyed


def give_places(keyed):
    """R34, R36: the places of rows in the order of the table."""
    for (_, row), place in zip(keyed, shared_places(keyed)):
        row.place = None if row.total.lacks else place


def shared_places(keyed):
    """R34: the place that each row takes up, or None. Rows that nothing separates share that of the first."""
    places = []
    taken, place, place_key = 0, None, None
    for key, row in keyed:
        if not row.takes_up():
            places.append(None)
            continue
        taken += 1
        if place is None or key != place_key:
            place, place_key = taken, key
        places.append(place)
    return places
