//! Compares two versions that play each other, as games finish.

use judge_core::compare::statistics::{BettingTest, Interval, resampled};
use judge_core::journal::Record;
use judge_core::key::Name;
use judge_core::matches::Played;
use judge_core::plan::Plan;

/// The seed of the resamples.
const SEED: u64 = 1997;

/// A new version against an old one. They play on each board in both seats, and these games count together. Boards
/// count in their order, not as they finish.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Duel {
    new: Name,
    /// The finished games of each board: the new version's lead in points, negative if it was behind; `None` for a judge
    /// error.
    boards: Vec<(Name, Vec<Option<f64>>)>,
    seatings: usize,
    /// The number of boards that have counted, in their order, up to the decision.
    pub counted: usize,
    /// The test on these boards: a win is a board that the new version won.
    pub test: BettingTest,
}

/// The finding of a duel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// The new version is better.
    Better,
    /// It is worse.
    Worse,
    /// Neither is shown to be better.
    NotDecided,
}

impl Duel {
    /// A duel of the entry of that name against the other one of a contest, before its first game.
    pub fn new(new: Name, plan: &Plan) -> Self {
        let boards = plan.boards.iter().map(|board| (Name::from(&*board.name), Vec::new())).collect();
        Self { new, boards, seatings: 2, counted: 0, test: BettingTest::default() }
    }

    /// Adds a finished game, and returns true if the duel is decided. Games that were in progress at the decision do
    /// not change it.
    pub fn add(&mut self, record: &Record) -> bool {
        if self.test.decided() {
            return true;
        }
        let ahead = record.extras.played.as_deref().map(|played| self.ahead(record, played));
        if let Some((_, games)) = self.boards.iter_mut().find(|(board, _)| *board == record.key.board) {
            games.push(ahead);
        }
        while let Some((_, games)) = self.boards.get(self.counted).filter(|(_, games)| games.len() >= self.seatings) {
            let ahead: Option<f64> = games.iter().copied().sum();
            self.counted += 1;
            match ahead {
                Some(ahead) if ahead > 0.0 => self.test.add(true),
                Some(ahead) if ahead < 0.0 => self.test.add(false),
                _ => {}
            }
            if self.test.decided() {
                return true;
            }
        }
        false
    }

    /// The new version's lead in a game, in points.
    fn ahead(&self, record: &Record, played: &Played) -> f64 {
        let points = |own: bool| {
            let seats = record.key.seats().zip(&played.seats).filter(|(seat, _)| (**seat == self.new) == own);
            seats.map(|(_, seat)| seat.points.to_f64()).sum::<f64>()
        };
        points(true) - points(false)
    }

    /// The new version's lead per game, in points, on each board that counted and has no judge error.
    fn leads(&self) -> Vec<f64> {
        let counted = self.boards.iter().take(self.counted);
        let sums = counted.filter_map(|(_, games)| games.iter().copied().sum::<Option<f64>>());
        sums.map(|ahead| ahead / self.seatings as f64).collect()
    }

    /// The boards that the new version won, drew and lost.
    pub fn tally(&self) -> (usize, usize, usize) {
        let leads = self.leads();
        let count = |fits: fn(&f64) -> bool| leads.iter().filter(|lead| fits(lead)).count();
        (count(|lead| *lead > 0.0), count(|lead| *lead == 0.0), count(|lead| *lead < 0.0))
    }

    /// The new version's mean lead per game, in points; `None` before the first board has counted.
    pub fn lead(&self) -> Option<f64> {
        let leads = self.leads();
        (!leads.is_empty()).then(|| leads.iter().sum::<f64>() / leads.len() as f64)
    }

    /// The range of the mean lead over resampled boards; `None` for fewer than two.
    pub fn range(&self) -> Option<Interval> {
        let leads = self.leads();
        let mean = |chosen: &[usize]| Some(chosen.iter().map(|&at| leads[at]).sum::<f64>() / chosen.len() as f64);
        resampled(leads.len(), SEED, mean)
    }

    /// The finding so far.
    pub fn found(&self) -> Better {
        let (wins, losses) = self.test.tally();
        match self.test.decided() {
            true if wins > losses => Better::Better,
            true => Better::Worse,
            false => Better::NotDecided,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use std::sync::Arc;

    use judge_core::figure::RefereeFigures;
    use judge_core::key::RunKey;
    use judge_core::plan::Board;
    use judge_core::points::Points;
    use judge_core::verdict::Verdict;
    use judge_job::{Isolation, Tier};

    use super::*;

    /// A game with these points of the new and the old version, which is in seat 1 if `first`; a judge error without points.
    fn game(board: usize, first: bool, points: Option<(&str, &str)>) -> Record {
        let seats: [Name; 2] = if first { ["new".into(), "old".into()] } else { ["old".into(), "new".into()] };
        let key = RunKey::game(1, &seats, format!("B{board}"));
        let isolation = Arc::new(Isolation { tier: Tier::ProcessGroup, layers: Vec::new() });
        let mut record = Record::without_run(1, key, 1, Verdict::Valid(RefereeFigures::default()), 1000, isolation);
        if let Some((new, old)) = points {
            let mut played = Played::of_seats(2);
            let of = if first { [new, old] } else { [old, new] };
            for (seat, text) in played.seats.iter_mut().zip(of) {
                seat.points = Points::parse(text, 1).unwrap();
            }
            record.extras.played = Some(Box::new(played));
        }
        record
    }

    fn duel(boards: usize) -> Duel {
        let mut plan = Plan::new("duel", "external");
        plan.boards = (0..boards).map(|board| Board::new(format!("B{board}"), "")).collect();
        Duel::new("new".into(), &plan)
    }

    #[test]
    fn boards_count_in_their_order_once_both_seats_were_played() {
        let mut duel = duel(3);
        assert_eq!((duel.lead(), duel.range(), duel.found()), (None, None, Better::NotDecided));
        duel.add(&game(1, true, Some(("1", "0"))));
        duel.add(&game(1, false, Some(("0.5", "0.5"))));
        duel.add(&game(0, false, Some(("0", "1"))));
        assert_eq!(duel.counted, 0, "the first board is not over");
        duel.add(&game(0, true, Some(("1", "0"))));
        assert_eq!((duel.counted, duel.tally(), duel.test.tally()), (2, (1, 1, 0), (1, 0)));
        assert_eq!(duel.lead(), Some(0.25));
        // A judge error decides nothing.
        duel.add(&game(2, true, None));
        duel.add(&game(2, false, Some(("0", "1"))));
        assert_eq!((duel.counted, duel.tally()), (3, (1, 1, 0)));
    }

    #[test]
    fn it_stops_when_one_is_better() {
        for (points, expected) in
            [(("1", "0"), Better::Better), (("0", "1"), Better::Worse), (("1", "1"), Better::NotDecided)]
        {
            let mut duel = duel(20);
            let played = (0..20).take_while(|&board| {
                duel.add(&game(board, true, Some(points)));
                !duel.add(&game(board, false, Some(points)))
            });
            let boards = played.count();
            assert_eq!(duel.found(), expected);
            // Eight boards are needed at least.
            assert_eq!(boards, if expected == Better::NotDecided { 20 } else { 7 });
            let lead = duel.lead().unwrap();
            assert_eq!(duel.range().map(|range| (range.low, range.high)), Some((lead, lead)));
        }
    }
}
