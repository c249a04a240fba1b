//! The games of a round. They depend only on the plan and the entries that take part.

use super::Plan;
use crate::key::{Name, RunKey};
use crate::matches::{Schedule, Seats};

/// The most games of a round.
pub const MAX_GAMES: u64 = 1_000_000;

impl Plan {
    /// The schedule of a round, from 1; `None` in a contest without matches.
    pub fn schedule_in(&self, round: u32) -> Option<Schedule> {
        let rules = self.match_rules.as_deref()?;
        Some(self.round_plan(round).and_then(|round| round.schedule).unwrap_or(rules.schedule))
    }

    /// Returns true if a round is a knock-out. Rounds are numbered from 1.
    pub fn is_knock_out(&self, round: u32) -> bool {
        self.schedule_in(round).is_some_and(Schedule::is_knock_out)
    }

    /// The games of these entries in a round on these boards, in the order in which they start: by board, then by group, then by
    /// seating. In a knock-out, the entries are in the order of their seeds. If their number is odd, the first has a bye.
    pub fn games_in(&self, round: u32, entries: &[Name], boards: &[Name]) -> Vec<RunKey> {
        let Some((rules, schedule)) = self.match_rules.as_deref().zip(self.schedule_in(round)) else {
            return Vec::new();
        };
        let seats = seats_of(schedule, rules.seats, entries.len());
        if seats == 0 {
            return Vec::new();
        }
        let seatings = if schedule.mirror() { seats } else { 1 };
        let game = |board: &Name, group: &[usize], first: usize| {
            let seated = group.iter().cycle().skip(first).take(group.len());
            let seated: Vec<Name> = seated.map(|&entry| entries[entry].clone()).collect();
            RunKey::game(round, &seated, board.clone())
        };
        let mut games = Vec::new();
        for board in boards {
            match schedule {
                Schedule::RoundRobin { .. } | Schedule::All { .. } => each_group(entries.len(), seats, |group| {
                    games.extend((0..seatings).map(|first| game(board, group, first)));
                }),
                Schedule::KnockOut { .. } => {
                    let bye = entries.len() % 2;
                    for pair in 0..entries.len() / 2 {
                        let group = [bye + pair, entries.len() - 1 - pair];
                        games.extend((0..seatings).map(|first| game(board, &group, first)));
                    }
                }
                Schedule::Gauntlet { .. } => {
                    let (competing, house): (Vec<usize>, Vec<usize>) =
                        (0..entries.len()).partition(|&entry| !self.is_house(&entries[entry]));
                    for entry in competing {
                        each_group(house.len(), seats - 1, |others| {
                            let mut group: Vec<usize> = others.iter().map(|&other| house[other]).collect();
                            group.push(entry);
                            group.sort_unstable();
                            games.extend((0..seatings).map(|first| game(board, &group, first)));
                        });
                    }
                }
            }
        }
        games
    }

    /// Returns true if the entry does not compete. In a gauntlet, the others play against such entries.
    fn is_house(&self, entry: &str) -> bool {
        self.entries.iter().any(|known| known.name == entry && !known.competing)
    }

    /// The most games of a round with this many entries and boards. The result is above [`MAX_GAMES`] if there are more, and not
    /// exact.
    pub fn count_games(&self, round: u32, entries: usize, boards: usize) -> u64 {
        let Some((rules, schedule)) = self.match_rules.as_deref().zip(self.schedule_in(round)) else { return 0 };
        let seats = seats_of(schedule, rules.seats, entries);
        if seats == 0 {
            return 0;
        }
        let groups = match schedule {
            Schedule::RoundRobin { .. } | Schedule::All { .. } => count_groups(entries, seats),
            Schedule::KnockOut { .. } => entries as u64 / 2,
            Schedule::Gauntlet { .. } => {
                let house = self.entries.iter().filter(|entry| !entry.competing).count();
                count_groups(house, seats - 1).saturating_mul(entries.saturating_sub(house) as u64)
            }
        };
        let seatings = if schedule.mirror() { seats as u64 } else { 1 };
        groups.saturating_mul(seatings).saturating_mul(boards as u64)
    }
}

/// The number of groups of this size among all. The result is above [`MAX_GAMES`] if there are more, and not exact. The empty
/// group counts as one.
fn count_groups(all: usize, seats: usize) -> u64 {
    if seats > all {
        return 0;
    }
    let (all, few) = (all as u64, seats.min(all - seats) as u64);
    // Each factor gives a binomial coefficient again, so every division is exact.
    let grow = |groups: u64, at: u64| {
        let next = u128::from(groups) * u128::from(all - at) / u128::from(at + 1);
        u64::try_from(next).unwrap_or(u64::MAX).min(MAX_GAMES + 1)
    };
    let groups = (0..few).try_fold(1, |groups, at| match grow(groups, at) {
        groups if groups > MAX_GAMES => Err(groups),
        groups => Ok(groups),
    });
    groups.unwrap_or_else(|many| many)
}

/// Calls a function with each group of this many ascending places among all.
fn each_group(all: usize, seats: usize, mut with: impl FnMut(&[usize])) {
    let mut group: Vec<usize> = (0..seats).collect();
    // Fewer entries than seats may exist.
    let mut more = seats <= all;
    while more {
        with(&group);
        more = next_group(&mut group, all);
    }
}

/// The seats of a game among this many entries.
fn seats_of(schedule: Schedule, seats: Seats, entries: usize) -> usize {
    match (schedule, seats) {
        (Schedule::KnockOut { .. }, _) => 2,
        (Schedule::All { .. }, _) | (_, Seats::All) => entries,
        (_, Seats::Number(number)) => number as usize,
    }
}

/// Makes the next group of ascending places below `all`. It returns `false` after the last one.
fn next_group(group: &mut [usize], all: usize) -> bool {
    let seats = group.len();
    let Some(at) = (0..seats).rev().find(|&at| group[at] < all - seats + at) else { return false };
    let first = group[at] + 1;
    group[at..].iter_mut().zip(first..).for_each(|(place, next)| *place = next);
    true
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;
    use crate::matches::{Life, MatchRules, Tie};
    use crate::plan::Entry;

    fn games(seats: Seats, mirror: bool, entries: &str, boards: &[&str]) -> (String, u64) {
        scheduled(seats, Schedule::RoundRobin { mirror }, entries, boards)
    }

    /// The games of these entries and their number. Entries in capitals do not compete.
    fn scheduled(seats: Seats, schedule: Schedule, entries: &str, boards: &[&str]) -> (String, u64) {
        let mut plan = Plan::new("test", "external");
        let mut rules = MatchRules::new(seats, Life::Game);
        rules.schedule = schedule;
        plan.match_rules = Some(Box::new(rules));
        let entry = |name: char| {
            let competing = name.is_lowercase();
            Entry { competing, ..Entry::new(name.to_string(), Vec::new()) }.into()
        };
        plan.entries = entries.chars().map(entry).collect();
        let entries: Vec<Name> = entries.chars().map(|name| Name::from(name.to_string())).collect();
        let named: Vec<Name> = boards.iter().map(|&board| board.into()).collect();
        let games = plan.games_in(1, &entries, &named);
        let text = |game: &RunKey| format!("{}{}", game.board, game.seats().map(|seat| &**seat).collect::<String>());
        let count = plan.count_games(1, entries.len(), boards.len());
        assert_eq!(count, games.len() as u64);
        (games.iter().map(text).collect::<Vec<_>>().join(" "), count)
    }

    #[test]
    fn a_round_robin_seats_every_group_on_every_board() {
        let two = Seats::Number(2);
        for (seats, mirror, entries, boards, expected) in [
            (two, true, "abc", &["X", "Y"][..], "Xab Xba Xac Xca Xbc Xcb Yab Yba Yac Yca Ybc Ycb"),
            (two, false, "abc", &["X"], "Xab Xac Xbc"),
            (two, true, "a", &["X"], ""),
            (two, true, "", &["X"], ""),
            (two, true, "ab", &[], ""),
            (Seats::Number(1), true, "ab", &["X"], "Xa Xb"),
            (Seats::Number(3), true, "abc", &["X"], "Xabc Xbca Xcab"),
            (Seats::Number(3), false, "abcd", &["X"], "Xabc Xabd Xacd Xbcd"),
            (Seats::All, false, "abcd", &["X", "Y"], "Xabcd Yabcd"),
            (Seats::All, true, "abc", &["X"], "Xabc Xbca Xcab"),
            (Seats::All, true, "", &["X"], ""),
        ] {
            assert_eq!(games(seats, mirror, entries, boards).0, expected, "{seats:?} {mirror} {entries}");
        }
    }

    #[test]
    fn in_a_gauntlet_each_entry_plays_against_those_that_do_not_compete() {
        for (seats, mirror, entries, expected) in [
            (2, true, "aBcD", "XaB XBa XaD XDa XBc XcB XcD XDc"),
            (2, false, "aBcD", "XaB XaD XBc XcD"),
            (3, false, "aBcDE", "XaBD XaBE XaDE XBcD XBcE XcDE"),
            (3, true, "aBC", "XaBC XBCa XCaB"),
            (1, true, "aBc", "Xa Xc"),
            (2, true, "abc", ""),
            (2, true, "AB", ""),
            (3, true, "aB", ""),
        ] {
            let (games, _) = scheduled(Seats::Number(seats), Schedule::Gauntlet { mirror }, entries, &["X"]);
            assert_eq!(games, expected, "{seats} {mirror} {entries}");
        }
    }

    #[test]
    fn a_knock_out_pairs_the_best_seed_with_the_last() {
        for (entries, boards, expected) in [
            ("abcd", &["X"][..], "Xad Xda Xbc Xcb"),
            ("abcde", &["X"], "Xbe Xeb Xcd Xdc"),
            ("ab", &["X", "Y"], "Xab Xba Yab Yba"),
            ("a", &["X"], ""),
            ("", &["X"], ""),
        ] {
            for tie in [Tie::Seed, Tie::Games] {
                let (games, _) = scheduled(Seats::Number(2), Schedule::KnockOut { tie }, entries, boards);
                assert_eq!(games, expected, "{entries}");
            }
        }
        let all = Schedule::All { mirror: false };
        assert_eq!(scheduled(Seats::Number(2), all, "abc", &["X", "Y"]).0, "Xabc Yabc");
    }

    #[test]
    fn the_number_of_games_is_known_without_them() {
        let count = |seats, entries, boards| {
            let mut plan = Plan::new("test", "external");
            plan.match_rules = Some(Box::new(MatchRules::new(Seats::Number(seats), Life::Game)));
            plan.count_games(1, entries, boards)
        };
        assert_eq!(count(2, 100, 1), 9900);
        assert_eq!(count(2, 100, 2), 19_800);
        assert_eq!(count(98, 100, 1), 4950 * 98);
        assert!(count(50, 100, 1) > MAX_GAMES);
        assert!(count(2, 100_000, 1_000_000) > MAX_GAMES);
    }
}
