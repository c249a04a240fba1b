//! Strengths of entries that play each other, by the model of Bradley and Terry with draws (Davidson, Journal of the American
//! Statistical Association 65, 1970). They are only shown.
//!
//! An entry of strength `a` wins against one of strength `b` with probability `a / (a + b + d √(a b))`. It draws with probability
//! `d √(a b) / (a + b + d √(a b))`. The logarithms of strengths and of `d` maximize the likelihood of the games.

use std::collections::{BTreeMap, HashMap};

use super::statistics::{Interval, RESAMPLES, Resamples};
use crate::key::Name;
use crate::matches::GameResult;
use crate::results::Matches;

/// The scale of strengths: a lead of 400 is odds of 10 to 1 without draws.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
/// The most entries whose intervals are computed. Each resample costs the cube of their number.
const MAX_RESAMPLED: usize = 64;
/// The largest logarithm of a strength. Beyond it, the likelihood grows without bound, so the strength does not exist.
const MAX_LOGARITHM: f64 = 25.0;
/// The seed of the resamples, which is fixed so that equal games have equal intervals.
const SEED: u64 = 1952;

/// The strengths of entries, from their games of two seats.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Strengths {
    /// The strengths of entries with such games, strongest first; their mean is 0.
    pub entries: Vec<Strength>,
    /// The parameter of draws; 0 without a draw.
    pub draws: f64,
    /// The number of games.
    pub games: usize,
}

/// The strength of an entry.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Strength {
    /// The entry.
    pub entry: Name,
    /// Its strength; a lead of 400 means odds of 10 to 1.
    pub value: f64,
    /// The range of its strength over resamples. A resample draws all games of a pair on a board together, because they are not
    /// independent. `None` with too many entries, or if many resamples have no strengths.
    pub range: Option<Interval>,
}

impl Strengths {
    /// The strengths of the entries with finished games of two seats. `None` if the games do not determine them, for example
    /// because an entry won all its games.
    pub fn of(matches: &Matches) -> Option<Self> {
        let mut numbers: HashMap<&Name, usize> = HashMap::new();
        let mut names: Vec<&Name> = Vec::new();
        // The games of a pair on a board, in all seatings.
        let mut units: BTreeMap<(usize, usize, &Name), Vec<Game>> = BTreeMap::new();
        for game in &matches.games {
            let (seats, Some(played)) = (game.key.seats().collect::<Vec<_>>(), game.played()) else { continue };
            let [one, other] = seats[..] else { continue };
            if one == other || played.seats.len() != 2 {
                continue;
            }
            let mut number = |name| {
                *numbers.entry(name).or_insert_with(|| {
                    names.push(name);
                    names.len() - 1
                })
            };
            let players = [number(one), number(other)];
            let [low, high] = [players[0].min(players[1]), players[0].max(players[1])];
            let game_of = Game { players, first: played.outcome(0) };
            units.entry((low, high, &game.key.board)).or_default().push(game_of);
        }
        if names.is_empty() {
            return None;
        }
        let units: Vec<Vec<Game>> = units.into_values().collect();
        let fit = Fit::of(names.len(), units.iter().flatten(), None)?;
        let mut values: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
        if names.len() <= MAX_RESAMPLED && units.len() > 1 {
            for chosen in Resamples::new(units.len(), SEED) {
                let games = chosen.iter().flat_map(|&unit| &units[unit]);
                if let Some(fit) = Fit::of(names.len(), games, Some(&fit)) {
                    fit.logs.iter().zip(&mut values).for_each(|(log, values)| values.push(log * SCALE));
                }
            }
        }
        let range = |mut values: Vec<f64>| {
            if values.len() < RESAMPLES - RESAMPLES / 40 {
                return None;
            }
            values.sort_unstable_by(f64::total_cmp);
            let cut = values.len() / 40;
            Some(Interval { low: values[cut], high: values[values.len() - 1 - cut] })
        };
        let entries = names.into_iter().zip(&fit.logs).zip(values);
        let mut entries: Vec<Strength> = entries
            .map(|((name, log), values)| Strength { entry: name.clone(), value: log * SCALE, range: range(values) })
            .collect();
        entries.sort_by(|one, other| other.value.total_cmp(&one.value));
        Some(Self { entries, draws: fit.draws.map_or(0.0, exp), games: units.iter().map(Vec::len).sum() })
    }
}

#[derive(Clone, Copy)]
struct Game {
    players: [usize; 2],
    /// The result of the first seat.
    first: GameResult,
}

/// The games of two entries together: wins of each, and draws.
#[derive(Clone, Copy, Default)]
struct Met {
    wins: [f64; 2],
    draws: f64,
}

/// The logarithms that maximize the likelihood of games.
struct Fit {
    /// The logarithms of strengths; their mean is 0.
    logs: Vec<f64>,
    /// The logarithm of the parameter of draws; `None` without a draw.
    draws: Option<f64>,
}

impl Fit {
    /// Computes them by Newton's method, from the results of another fit. `None` if such logarithms do not exist.
    fn of<'g>(entries: usize, games: impl Iterator<Item = &'g Game>, from: Option<&Self>) -> Option<Self> {
        let mut met: BTreeMap<(usize, usize), Met> = BTreeMap::new();
        for Game { players: [one, other], first } in games {
            let met = met.entry((*one.min(other), *one.max(other))).or_default();
            match first {
                GameResult::Drawn => met.draws += 1.0,
                GameResult::Won => met.wins[usize::from(one > other)] += 1.0,
                GameResult::Lost => met.wins[usize::from(one < other)] += 1.0,
            }
        }
        let has_draws = met.values().any(|met| met.draws > 0.0);
        let mut at: Vec<f64> = from.map_or_else(|| vec![0.0; entries], |from| from.logs.clone());
        at.extend(has_draws.then(|| from.and_then(|from| from.draws).unwrap_or(0.0)));
        for _ in 0..100 {
            let mut step = steps(&at, entries, &met)?;
            let longest = step.iter().fold(0.0, |most: f64, step| most.max(step.abs()));
            // Far from the solution, a Newton step can be too long.
            let share = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            step.iter_mut().zip(&mut at).for_each(|(step, at)| *at += share * *step);
            if at.iter().any(|at| at.abs() > MAX_LOGARITHM) {
                return None;
            }
            if longest < 1e-11 {
                let draws = at.split_off(entries).pop();
                return Some(Self { logs: at, draws });
            }
        }
        None
    }
}

/// The step of Newton's method for logarithms of strengths and of the parameter of draws: the gradient of the likelihood divided
/// by its curvature.
fn steps(at: &[f64], entries: usize, met: &BTreeMap<(usize, usize), Met>) -> Option<Vec<f64>> {
    let (size, draws) = (at.len(), at.get(entries).copied());
    // Only differences of strengths matter. This term keeps their sum constant.
    let mut curvature: Vec<Vec<f64>> = (0..size)
        .map(|row| (0..size).map(|column| if row < entries && column < entries { 1.0 } else { 0.0 }).collect())
        .collect();
    let mut gradient = vec![0.0; size];
    for (&(one, other), Met { wins, draws: drawn }) in met {
        let games = wins[0] + wins[1] + drawn;
        // Divided by the geometric mean of both strengths, so that no number is large.
        let lead = exp((at[one] - at[other]) / 2.0);
        let of_draw = draws.map_or(0.0, exp);
        let all = lead + 1.0 / lead + of_draw;
        let (win, lose, draw) = (lead / all, 1.0 / lead / all, of_draw / all);
        let mean = [win + draw / 2.0, lose + draw / 2.0];
        for (side, entry) in [one, other].into_iter().enumerate() {
            gradient[entry] += wins[side] + drawn / 2.0 - games * mean[side];
            let square = [win, lose][side] + draw / 4.0;
            curvature[entry][entry] += games * (square - mean[side] * mean[side]);
            if draws.is_some() {
                let with_draw = games * (draw / 2.0 - mean[side] * draw);
                curvature[entry][entries] += with_draw;
                curvature[entries][entry] += with_draw;
            }
        }
        let both = games * (draw / 4.0 - mean[0] * mean[1]);
        curvature[one][other] += both;
        curvature[other][one] += both;
        if draws.is_some() {
            gradient[entries] += drawn - games * draw;
            curvature[entries][entries] += games * (draw - draw * draw);
        }
    }
    solve(curvature, gradient)
}

/// The solution of linear equations with a symmetric positive definite matrix, by Cholesky's method; `None` for any other matrix.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let before: f64 = (0..column).map(|at| matrix[row][at] * matrix[column][at]).sum();
            let rest = matrix[row][column] - before;
            if row > column {
                matrix[row][column] = rest / matrix[column][column];
            } else if rest > 1e-13 {
                matrix[row][row] = rest.sqrt();
            } else {
                return None;
            }
        }
    }
    for row in 0..size {
        let before: f64 = (0..row).map(|at| matrix[row][at] * right[at]).sum();
        right[row] = (right[row] - before) / matrix[row][row];
    }
    for row in (0..size).rev() {
        let after: f64 = (row + 1..size).map(|at| matrix[at][row] * right[at]).sum();
        right[row] = (right[row] - after) / matrix[row][row];
    }
    Some(right)
}

/// The exponential function by basic arithmetic, so that every machine computes the same digits.
fn exp(power: f64) -> f64 {
    const HALVINGS: i32 = 10;
    let small = power / f64::from(1 << HALVINGS);
    let mut result = (1..=8).rev().fold(1.0, |sum, at| 1.0 + small / f64::from(at) * sum);
    for _ in 0..HALVINGS {
        result *= result;
    }
    result
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;
    use crate::key::RunKey;
    use crate::matches::Played;
    use crate::points::Points;
    use crate::results::{self, GameState};

    /// The games of a text such as `a-b 1-0 X`: seats, points, board.
    fn matches(text: &str) -> Matches {
        let mut matches = Matches::default();
        for game in text.split(", ") {
            let words: Vec<&str> = game.split(' ').collect();
            let seats: Vec<Name> = words[0].split('-').map(Name::from).collect();
            let mut played = Played::of_seats(2);
            for (seat, points) in played.seats.iter_mut().zip(words[1].split('-')) {
                seat.points = Points::parse(points, 0).unwrap();
            }
            let key = RunKey::game(1, &seats, *words.get(2).unwrap_or(&"X"));
            matches.games.push(results::Game { key, state: GameState::Played(played) });
        }
        matches
    }

    #[test]
    fn two_entries_have_the_odds_of_their_games() {
        // Three wins to one: a lead of 400 log10(3).
        let found = Strengths::of(&matches("a-b 1-0, b-a 0-1 Y, a-b 1-0 Z, a-b 0-1 W")).unwrap();
        let lead = found.entries[0].value - found.entries[1].value;
        assert!((lead - 190.848_501_887_864_97).abs() < 1e-9, "{lead}");
        assert_eq!((found.draws, found.games, &*found.entries[0].entry), (0.0, 4, "a"));
        // With as many draws as wins of the weaker one. By hand, 3 : 1 : 1 of 5 gives a = 3 b and d √3 = 1.
        let found = Strengths::of(&matches("a-b 1-0, b-a 0-1 Y, a-b 1-0 Z, a-b 0-1 W, a-b 1-1 V")).unwrap();
        assert!((found.draws - 1.0 / 3f64.sqrt()).abs() < 1e-9, "{}", found.draws);
    }

    #[test]
    fn strengths_are_those_that_scipy_finds() {
        // By judge/tests/cli/matches/strength.py with scipy 1.10.1.
        let games = "a-b 1-0, b-a 0-1 Y, a-c 1-1, c-a 1-0 Y, b-c 1-0, c-b 1-1 Y, a-d 1-0, d-a 1-1 Y, b-d 0-1, d-b 1-1 Y, \
                     c-d 1-0, d-c 0-1 Y, a-b 0-1 Z, c-a 1-0 Z, d-a 1-0 Z";
        let found = Strengths::of(&matches(games)).unwrap();
        let scipy = [("c", 169.669_323_023_175_6), ("a", -43.997_193_620_705_815), ("b", -62.836_064_701_234_89)];
        let scipy = scipy.into_iter().chain([("d", -62.836_064_701_234_89)]);
        for (name, expected) in scipy {
            let one = found.entries.iter().find(|one| *one.entry == *name).unwrap();
            assert!((one.value - expected).abs() < 1e-6, "{name}: {}", one.value);
        }
        assert!((found.draws - 0.795_549_624_543_941_3).abs() < 1e-8);
        // Equal games have equal ranges, and a range contains its strength.
        assert_eq!(found, Strengths::of(&matches(games)).unwrap());
        let ranges = found.entries.iter().filter_map(|one| Some((one.value, one.range?)));
        assert!(ranges.clone().all(|(value, range)| range.low < value && value < range.high));
    }

    #[test]
    fn games_that_do_not_determine_strengths_have_none() {
        for text in [
            "a-b 1-0",
            "a-b 1-0, b-c 1-0, c-b 1-0",
            "a-b 1-0, b-c 1-1, c-a 1-1 Y",
            "a-b 1-0, b-a 1-0 Y, c-d 1-0, d-c 1-0 Y",
        ] {
            assert_eq!(Strengths::of(&matches(text)), None, "{text}");
        }
        assert_eq!(Strengths::of(&Matches::default()), None);
    }

    #[test]
    fn the_exponential_function_is_exact_to_twelve_digits() {
        for tenth in -300..300 {
            let power = f64::from(tenth) / 10.0;
            assert!((exp(power) / power.exp() - 1.0).abs() < 1e-11, "{power}");
        }
    }
}
