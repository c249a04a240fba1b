//! The reveal after a thaw. It begins with the frozen board. Each step reveals the results of one more team, the lowest one that
//! is not revealed yet.

use std::collections::HashSet;

use judge_core::journal::ContestState;

use super::judgements::is_of_matches;
use super::standing::standing;
use super::visible::Visibility;
use super::{Board, Viewer};
use crate::ends::Ends;
use crate::state::State;

/// A step of the reveal.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The board after this step.
    pub board: Board,
    /// The team that this step reveals; `None` before the first step.
    pub revealed: Option<String>,
    /// The number of all steps.
    pub steps: usize,
}

/// The reveal of one state of office and contest. The team that a step reveals depends on the board before it, so the teams are
/// remembered up to the last requested step. A step costs one board if this step, the previous one or a later one was requested
/// before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reveal {
    /// The teams that are not revealed at the beginning.
    hidden: HashSet<String>,
    /// The known part of the teams in the order of the reveal.
    order: Vec<String>,
}

impl Reveal {
    /// The reveal after the last thaw. `None` unless a freeze is over. `None` for games: the result of a player changes with each
    /// other player.
    pub fn new(state: &State, contents: &ContestState) -> Option<Self> {
        state.was_public(0).filter(|_| !is_of_matches(contents))?;
        let all = state.submissions().iter().map(|(_, submission)| submission);
        let hidden = all.filter(|submission| state.was_public(submission.number) == Some(false));
        Some(Self { hidden: hidden.map(|submission| submission.team.clone()).collect(), order: Vec::new() })
    }

    /// A step; `None` if no step has that number. The caller must always pass the same state and contents.
    pub fn step(&mut self, state: &State, contents: &ContestState, ends: &Ends, step: usize) -> Option<Step> {
        self.step_with(step, &|revealed| {
            let sight = Visibility {
                rounds: &Viewer::Public,
                sees: &|state, one| revealed.contains(&*one.team) || state.was_public(one.number) == Some(true),
                chosen: &|name, team| if revealed.contains(name) { &team.chosen } else { &team.chosen_before_thaw },
                entrants: &|_| u32::MAX,
                ends,
            };
            let problems: Vec<&str> = contents.plan.problems.iter().map(|problem| &*problem.id).collect();
            standing(state, contents, &problems, &sight).of_submissions()
        })
    }

    fn step_with(&mut self, step: usize, make: &dyn Fn(&HashSet<&str>) -> Board) -> Option<Step> {
        if step > self.hidden.len() {
            return None;
        }
        loop {
            let known = step.min(self.order.len());
            let board = make(&self.order[..known].iter().map(String::as_str).collect());
            if known == self.order.len() {
                let lowest = board.rows.iter().rev().filter(|row| row.is_team).map(|row| &row.name);
                let is_next = |name: &&String| self.hidden.contains(*name) && !self.order.contains(name);
                let next = { lowest }.find(is_next).cloned();
                match next {
                    Some(next) => self.order.push(next),
                    // A team without a row has nothing to reveal.
                    None if known < step => return None,
                    None => {}
                }
            }
            if known == step {
                let revealed = step.checked_sub(1).map(|last| self.order[last].clone());
                return Some(Step { board, revealed, steps: self.hidden.len() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::Row;
    use super::*;

    fn board(names: &[&str]) -> Board {
        let row = |name: &&str| Row::of_team(name, Vec::new());
        Board { rows: names.iter().map(row).collect(), ..Board::default() }
    }

    #[test]
    fn a_step_costs_one_board_and_no_board_is_made_twice_for_the_order() {
        let hidden = || ["b", "c", "d"].map(str::to_owned).into();
        let made = Cell::new(0);
        // Revealed teams come to the top: d, c and b are revealed; a had nothing hidden.
        let make = |revealed: &HashSet<&str>| {
            made.set(made.get() + 1);
            let (mut top, mut rest): (Vec<&str>, Vec<&str>) =
                ["a", "b", "c", "d"].into_iter().partition(|name| revealed.contains(name));
            top.append(&mut rest);
            board(&top)
        };
        let cost = |reveal: &mut Reveal, step| {
            let before = made.get();
            let shown = reveal.step_with(step, &make);
            (made.get() - before, shown.and_then(|shown| shown.revealed))
        };
        let mut reveal = Reveal { hidden: hidden(), order: Vec::new() };
        let name = |name: &str| Some(name.to_owned());
        for (step, team) in [(0, None), (1, name("d")), (2, name("c")), (3, name("b")), (1, name("d")), (3, name("b"))]
        {
            assert_eq!(cost(&mut reveal, step), (1, team), "step {step}");
        }
        assert_eq!(cost(&mut reveal, 4), (0, None), "there is none");
        // A request for a late step computes the boards of the steps before it, once for all viewers.
        let mut reveal = Reveal { hidden: hidden(), order: Vec::new() };
        assert_eq!(cost(&mut reveal, 3), (4, name("b")));
        assert_eq!([0, 1, 2, 3].map(|step| cost(&mut reveal, step).0), [1; 4]);
    }
}
