//! Knock-out rounds: who met whom, and who goes on. It follows from the games of the journal.

use std::collections::{HashMap, HashSet};

use super::{Game, GameState};
use crate::journal::ContestState;
use crate::key::{Name, RunKey};
use crate::matches::{Schedule, Tie};
use crate::points::Points;

/// A knock-out round.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnockOut {
    /// Its number, from 1.
    pub round: u32,
    /// The pairs, that of the best seed first.
    pub pairs: Vec<Pair>,
    /// The entry that goes on without a game, if their number is odd.
    pub bye: Option<Name>,
}

/// Two entries that meet in a knock-out round.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair {
    /// The entries, the better seed first.
    pub entries: [Name; 2],
    /// The sums of their points in their games.
    pub points: [Points; 2],
    /// Their games so far that count, played or still to be played.
    pub games: usize,
    /// Those of them that are still to be played, or again.
    pub missing: usize,
    /// The one that goes on; `None` while that is open, and if both are out of the contest.
    pub winner: Option<Name>,
}

impl KnockOut {
    /// The entries that won, the one with the bye first.
    pub fn through(&self) -> impl Iterator<Item = &Name> {
        self.bye.iter().chain(self.pairs.iter().filter_map(|pair| pair.winner.as_ref()))
    }

    /// The knock-out rounds of a contest that have opened.
    pub(crate) fn of_contest(contents: &ContestState) -> Vec<Self> {
        let rounds = (1..=contents.round()).filter(|round| contents.plan.is_knock_out(*round));
        rounds.map(|round| Self::of_round(contents, round)).collect()
    }

    /// A knock-out round that has opened.
    pub(crate) fn of_round(contents: &ContestState, round: u32) -> Self {
        let games: Vec<RunKey> = contents.order().iter().filter(|game| game.round == round).cloned().collect();
        Self::of_games(contents, round, &contents.entrants_of(round), &games)
    }

    /// A knock-out round of these entries, if these are its games.
    fn of_games(contents: &ContestState, round: u32, seeds: &[Name], games: &[RunKey]) -> Self {
        let of_seed: HashMap<&Name, usize> = seeds.iter().zip(0..).collect();
        let mut pairs: Vec<([usize; 2], Vec<&RunKey>)> = Vec::new();
        let mut places: HashMap<[usize; 2], usize> = HashMap::new();
        for game in games {
            let seats: Option<Vec<usize>> = game.seats().map(|seat| of_seed.get(seat).copied()).collect();
            let Some(mut pair) = seats.and_then(|seats| <[usize; 2]>::try_from(seats).ok()) else { continue };
            pair.sort_unstable();
            let place = *places.entry(pair).or_insert_with(|| {
                pairs.push((pair, Vec::new()));
                pairs.len() - 1
            });
            pairs[place].1.push(game);
        }
        let met: HashSet<usize> = pairs.iter().flat_map(|(pair, _)| *pair).collect();
        let pairs = pairs.into_iter().map(|(pair, games)| {
            let entries = pair.map(|seed| seeds[seed].clone());
            Pair::of(contents, round, entries, &games)
        });
        let bye = (0..seeds.len()).find(|seed| !met.contains(seed)).map(|seed| seeds[seed].clone());
        Self { round, pairs: pairs.collect(), bye }
    }
}

impl Pair {
    fn of(contents: &ContestState, round: u32, entries: [Name; 2], games: &[&RunKey]) -> Self {
        let decimals = contents.plan.match_rules.as_ref().map_or(0, |rules| rules.decimals);
        let mut pair = Self { entries, points: [Points::zero(decimals); 2], games: 0, missing: 0, winner: None };
        // Pairs of programs that could not be built.
        let mut unbuilt = [false; 2];
        for &key in games.iter().filter(|key| contents.counts(key)) {
            let game = Game::new(key.clone(), contents.record(key));
            pair.games += 1;
            match &game.state {
                GameState::Missing | GameState::JudgeError => pair.missing += 1,
                GameState::Unbuilt(names) => {
                    (0..2).for_each(|side| unbuilt[side] |= names.contains(&pair.entries[side]));
                }
                GameState::Played(played) => {
                    for (seat, result) in game.key.seats().zip(&played.seats) {
                        let side = usize::from(*seat != pair.entries[0]);
                        pair.points[side] = pair.points[side].plus(result.points);
                    }
                }
            }
        }
        let out = [0, 1].map(|side| contents.withdrawn.contains_key(&*pair.entries[side]));
        let winner = match (out, unbuilt, pair.points) {
            ([true, true], ..) => None,
            ([one, other], ..) if one != other => Some(usize::from(one)),
            _ if pair.missing > 0 => None,
            (_, [one, other], _) if one != other => Some(usize::from(one)),
            (.., [one, other]) if one != other => Some(usize::from(one < other)),
            _ if pair.next_board(contents, round, games).is_some() => None,
            _ => Some(0),
        };
        pair.winner = winner.map(|side| pair.entries[side].clone());
        pair
    }

    /// The board on which they play next if they tie.
    fn next_board<'c>(&self, contents: &'c ContestState, round: u32, games: &[&RunKey]) -> Option<&'c str> {
        if contents.plan.schedule_in(round) != Some(Schedule::KnockOut { tie: Tie::Games }) {
            return None;
        }
        let plan = &contents.plan;
        let of_round = plan.boards.iter().zip(plan.rounds_of_boards()).filter(|(_, of)| *of == round);
        let counting = of_round.filter(|(board, _)| !contents.struck.contains_key(&board.name));
        let mut names = counting.map(|(board, _)| board.name.as_str());
        names.find(|board| !games.iter().any(|game| *game.board == **board))
    }
}

/// The games of a knock-out round of these entries, one of which has a bye if their number is odd, as far as they follow from results.
pub(crate) fn games(contents: &ContestState, round: u32, seeds: &[Name], bye: Option<&Name>) -> Vec<RunKey> {
    // In their order the one with the bye is first.
    let others = seeds.iter().filter(|seed| Some(*seed) != bye);
    let entries: Vec<Name> = bye.into_iter().chain(others).cloned().collect();
    let plan = &contents.plan;
    let mut known: HashSet<RunKey> = plan.start_order_in(round, &entries).into_iter().collect();
    let boards = plan.boards.iter().zip(plan.rounds_of_boards()).filter(|(_, of)| *of == round);
    let boards: Vec<Name> = boards.map(|(board, _)| Name::from(&*board.name)).collect();
    let all = plan.games_in(round, &entries, &boards);
    loop {
        let so_far: Vec<RunKey> = all.iter().filter(|game| known.contains(game)).cloned().collect();
        let round_so_far = KnockOut::of_games(contents, round, seeds, &so_far);
        let before = known.len();
        for pair in round_so_far.pairs.iter().filter(|pair| pair.winner.is_none() && pair.missing == 0) {
            let of_pair = |game: &&RunKey| pair.entries.iter().all(|entry| game.has(entry));
            let games: Vec<&RunKey> = so_far.iter().filter(of_pair).collect();
            if let Some(next) = pair.next_board(contents, round, &games) {
                known.extend(all.iter().filter(of_pair).filter(|game| *game.board == *next).cloned());
            }
        }
        if known.len() == before {
            return so_far;
        }
    }
}

/// A place in the tree of knock-out rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeCell {
    /// The entry.
    pub entry: Name,
    /// Its points in its pair; `None` for one with a bye.
    pub points: Option<Points>,
    /// True if it goes on.
    pub won: bool,
}

/// The tree of knock-out rounds: lines of cells, one for each round. Who meets in a round is in lines that follow one another, each
/// with those below whom it beat before.
pub fn tree(rounds: &[KnockOut]) -> Vec<Vec<Option<TreeCell>>> {
    let mut tree = Tree { rounds, lines: Vec::new(), seen: HashSet::new() };
    for column in (0..rounds.len()).rev() {
        for entry in rounds[column].bye.iter().chain(rounds[column].pairs.iter().flat_map(|pair| &pair.entries)) {
            if !tree.seen.contains(&(column, entry)) {
                let line = tree.lines.len();
                tree.add(column, entry, line);
            }
        }
    }
    tree.lines
}

struct Tree<'a> {
    rounds: &'a [KnockOut],
    lines: Vec<Vec<Option<TreeCell>>>,
    seen: HashSet<(usize, &'a Name)>,
}

impl<'a> Tree<'a> {
    /// Adds an entry of a round in this line, with all whom it beat before behind it.
    fn add(&mut self, column: usize, entry: &'a Name, line: usize) {
        self.seen.insert((column, entry));
        if line == self.lines.len() {
            self.lines.push(vec![None; self.rounds.len()]);
        }
        let round = &self.rounds[column];
        let pair = round.pairs.iter().find(|pair| pair.entries.contains(entry));
        let points = pair.map(|pair| pair.points[usize::from(pair.entries[0] != *entry)]);
        let won = pair.map_or(round.bye.as_ref() == Some(entry), |pair| pair.winner.as_ref() == Some(entry));
        self.lines[line][column] = Some(TreeCell { entry: entry.clone(), points, won });
        let Some(before) = column.checked_sub(1) else { return };
        let met = self.rounds[before].pairs.iter().find(|pair| pair.entries.contains(entry));
        if met.is_some() || self.rounds[before].bye.as_ref() == Some(entry) {
            self.add(before, entry, line);
        }
        for other in met.iter().flat_map(|pair| &pair.entries).filter(|other| *other != entry) {
            self.add(before, other, self.lines.len());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    /// A round of pairs such as `a2-d0`, and of an entry with a bye. The first of a pair wins.
    fn round(text: &str) -> KnockOut {
        let mut round = KnockOut { round: 1, pairs: Vec::new(), bye: None };
        for word in text.split(' ') {
            let Some((one, other)) = word.split_once('-') else {
                round.bye = Some(word.into());
                continue;
            };
            let entries = [one, other].map(|side| Name::from(&side[..1]));
            let points = [one, other].map(|side| Points::parse(&side[1..], 0).unwrap());
            round.pairs.push(Pair { winner: Some(entries[0].clone()), entries, points, games: 2, missing: 0 });
        }
        round
    }

    #[test]
    fn a_tree_has_those_who_meet_under_each_other() {
        let rounds = ["a e2-b0 c1-d1", "c a2-e0", "a1-c0"].map(round);
        let cell = |cell: &Option<TreeCell>| match cell {
            None => "  ".to_owned(),
            Some(TreeCell { entry, points, .. }) => {
                format!("{entry}{}", points.map_or(" ".into(), |points| points.to_string()))
            }
        };
        let lines: Vec<String> =
            tree(&rounds).iter().map(|line| line.iter().map(cell).collect::<Vec<_>>().join("|")).collect();
        assert_eq!(lines, ["a |a2|a1", "e2|e0|  ", "b0|  |  ", "c1|c |c0", "d1|  |  "]);
        // A round that is not played yet, and an entry that left.
        let mut open = round("a0-b0");
        open.pairs[0].winner = None;
        assert_eq!(tree(&[open]).len(), 2);
        assert_eq!(tree(&[]).len(), 0);
        let lines = tree(&[round("a1-d0 b1-c0"), round("a1-c0")]);
        assert_eq!(lines.iter().flatten().flatten().count(), 6, "each entry of each round is there once");
    }
}
