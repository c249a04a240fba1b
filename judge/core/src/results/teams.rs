//! One row per team of a contest of several problems, which has an entry per problem. Rule 53 of docs/scoring.md.

use std::collections::BTreeMap;

use super::{BoardHead, Results};
use crate::ranking;
use crate::score::{EntryHead, Row, RunCell};
use crate::verdict::Verdict;
use crate::withdrawal::Withdrawal;

impl Results {
    /// The results with one row for each team instead of rows for its entries.
    #[must_use]
    pub fn by_team(self) -> Self {
        self.with_teams([])
    }

    /// The results with one row for each team instead of rows for its entries, also for these teams, of which nothing may count. Each has
    /// its withdrawal, if it is out of the contest.
    #[must_use]
    pub fn with_teams<'t>(mut self, teams: impl IntoIterator<Item = (&'t str, Option<Withdrawal>)>) -> Self {
        let mut of_teams: BTreeMap<String, (Option<Withdrawal>, Vec<usize>)> =
            teams.into_iter().map(|(team, out)| (team.to_owned(), (out, Vec::new()))).collect();
        for (index, row) in self.rows.iter().enumerate() {
            if let Some(team) = &row.entry.team {
                of_teams.entry(team.clone()).or_default().1.push(index);
            }
        }
        if of_teams.is_empty() {
            return self;
        }
        let made: Vec<Row> = of_teams.into_iter().map(|(team, (out, rows))| self.of_team(&team, out, &rows)).collect();
        self.rows.retain(|row| row.entry.team.is_none());
        self.rows.sort_by_key(|row| row.listed);
        self.rows.extend(made);
        self.rows.iter_mut().zip(0..).for_each(|(row, number)| row.listed = number);
        ranking::rank(&mut self.rows, &self.ranking);
        self
    }

    /// The row of a team: on the boards of each problem, the cells of its last entry there that is in the contest.
    fn of_team(&self, team: &str, out: Option<Withdrawal>, rows: &[usize]) -> Row {
        let rows = || rows.iter().map(|&row| &self.rows[row]);
        let is_inside = |row: &&Row| out.is_none() && row.entry.withdrawn.is_none();
        let mut inside: Vec<&Row> = rows().filter(is_inside).collect();
        // Tables are ordered by places, and the journal by time.
        inside.sort_by_key(|row| row.listed);
        let disqualified = || rows().filter_map(|row| row.entry.withdrawn.as_ref()).find(|out| out.disqualified);
        let withdrawn = if inside.is_empty() { out.or_else(|| disqualified().cloned()) } else { None };
        let on = |board: &BoardHead| inside.iter().rev().find(|row| row.entry.is_on(&board.name));
        let nothing = |board: &BoardHead| {
            let verdict = Verdict::CouldNotStart { reason: "nothing counts".into() };
            let cell = match withdrawn {
                None => RunCell::from_verdict(&verdict, None, 0, &self.scoring),
                Some(_) => RunCell::missing(),
            };
            // Of a later round, only those who reached it have any.
            let not_planned = board.round > 1;
            RunCell { group: board.group.clone(), earlier_rounds: board.round.saturating_sub(1), not_planned, ..cell }
        };
        let cells = self.boards.iter().zip(0..);
        let cells: Vec<RunCell> =
            cells.map(|(board, at)| on(board).map_or_else(|| nothing(board), |row| row.cells[at].clone())).collect();
        let more = (self.repeat as usize).saturating_sub(1);
        let repeats = self.boards.iter().zip(0..).map(|(board, at)| match on(board) {
            Some(row) => row.repeats.get(at).cloned().unwrap_or_default(),
            None => vec![nothing(board); more],
        });
        let repeats: Vec<Vec<RunCell>> = if more > 0 { repeats.collect() } else { Vec::new() };
        let competing = rows().all(|row| row.entry.competing);
        let counts =
            |row: &&&Row| self.boards.iter().any(|board| on(board).is_some_and(|other| std::ptr::eq(*other, **row)));
        let of = inside.iter().filter(counts).map(|row| row.entry.name.clone()).collect();
        let entry = EntryHead { competing, withdrawn, team: Some(team.to_owned()), of, ..EntryHead::new(team) };
        Row { repeats, repeat: self.repeat, ..Row::new(entry, cells, self.scoring.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of two problems with the entries of two teams, and one of the contest file.
    fn results() -> Results {
        let text = "entry,problems,team,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms,game,ranking\n\
                    ada.1,a,ada,a/X,solved,25,25,7,0,9,99,loyd,failed unstarted progress moves\n\
                    ada.2,b,ada,b/Y,solved,25,25,9,0,9,99,,\n\
                    bob.3,b,bob,b/Y,solved,25,25,4,0,9,99,,\n\
                    house,,,a/X,solved,25,25,8,0,9,99,,\n\
                    house,,,b/Y,solved,25,25,8,0,9,99,,\n";
        Results::read_csv("test", text.as_bytes()).unwrap()
    }

    #[test]
    fn a_team_has_one_row_over_all_problems() {
        let teams = results().with_teams([("cleo", None)]);
        let rows: Vec<_> = teams.rows.iter().map(|row| (&*row.entry.name, row.place)).collect();
        assert_eq!(rows, [("house", Some(1)), ("ada", Some(1)), ("bob", Some(3)), ("cleo", Some(4))]);
        let bob = &teams.rows[2];
        assert!(bob.cells[0].never_started() && bob.cells[1].solves() && bob.complete());
        let of: Vec<&[String]> = teams.rows.iter().map(|row| &row.entry.of[..]).collect();
        assert_eq!(of, [&[][..], &["ada.1".to_owned(), "ada.2".to_owned()], &["bob.3".to_owned()], &[]]);
    }
}
