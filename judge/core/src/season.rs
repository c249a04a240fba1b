//! A season, which sums the places of several contests by author.
//!
//! The entries of a series differ between months, so a row is an author. An entry without an author has a separate row.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::results::Results;
use crate::score::Row;

/// One contest of a season.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Month {
    /// Its title.
    pub title: String,
    /// The entries with a place, best first: author, name and place.
    ranked: Vec<(String, String, usize)>,
    /// The entries without a place: author and name.
    unranked: Vec<(String, String)>,
}

/// The error for results that do not contain what decides places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the results do not say what decides places")]
pub struct NoPlaces;

/// The value of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counting {
    /// The number of the place; less is better. A contest without the author counts one more than its last place.
    Places,
    /// Points for places 1, 2 and so on, and 0 for later ones; more is better.
    Points(Vec<u64>),
}

/// The rules of a season.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeasonRules {
    /// The value of a place.
    pub counting: Counting,
    /// The number of contests after a win in which the winner takes no place.
    pub winners_wait: usize,
}

/// The table of a season.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Season {
    /// The titles of the contests, in their order.
    pub contests: Vec<String>,
    /// The authors in the order of their places.
    pub rows: Vec<SeasonRow>,
    /// The authors who take no place in the next contest, each with the last contest that they won.
    pub waiting: BTreeMap<String, String>,
}

/// An author's row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SeasonRow {
    /// The author, or the entry if it has none.
    pub author: String,
    /// Place in the season, from 1. Equal totals and wins share it. `None` without a place in any contest.
    pub place: Option<usize>,
    /// The sum over all contests.
    pub total: u64,
    /// The number of contests that the author won.
    pub wins: usize,
    /// The results, one per contest; `None` if the author had no entry.
    pub results: Vec<Option<SeasonResult>>,
}

/// The result of an author in one contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SeasonResult {
    /// The best entry of the author.
    pub entry: String,
    /// The place among the authors who can win; `None` if the author takes none.
    pub place: Option<usize>,
    /// The contest whose win makes the author wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<String>,
}

impl Month {
    /// The places of ranked results. `title` is used if the results have none.
    ///
    /// # Errors
    /// The results do not contain what decides places.
    pub fn from_results(results: &Results, title: &str) -> Result<Self, NoPlaces> {
        if results.ranking.is_empty() && results.rows.iter().all(|row| row.place.is_none()) {
            return Err(NoPlaces);
        }
        let author = |row: &Row| row.entry.author.clone().unwrap_or_else(|| row.entry.name.clone());
        let title = results.contest.clone().unwrap_or_else(|| title.to_owned());
        let mut month = Self { title, ranked: Vec::new(), unranked: Vec::new() };
        for row in &results.rows {
            match row.place {
                Some(place) => month.ranked.push((author(row), row.entry.name.clone(), place)),
                None => month.unranked.push((author(row), row.entry.name.clone())),
            }
        }
        month.ranked.sort_by_key(|(_, _, place)| *place);
        Ok(month)
    }

    /// The results by author, with places among the authors who do not wait, and the last of these places.
    fn results(&self, waiting: &BTreeMap<String, String>) -> (BTreeMap<String, SeasonResult>, usize) {
        let mut results: BTreeMap<String, SeasonResult> = BTreeMap::new();
        // Only the best entry of an author takes a place. The entries below it move up.
        let (mut before, mut last) = (0, (0, 0));
        for (author, entry, place) in &self.ranked {
            if results.contains_key(author) {
                continue;
            }
            let waits_for = waiting.get(author).cloned();
            let place = waits_for.is_none().then(|| {
                before += 1;
                if last.0 != *place {
                    last = (*place, before);
                }
                last.1
            });
            results.insert(author.clone(), SeasonResult { entry: entry.clone(), place, waits_for });
        }
        for (author, entry) in &self.unranked {
            let result = SeasonResult { entry: entry.clone(), place: None, waits_for: None };
            results.entry(author.clone()).or_insert(result);
        }
        (results, last.1)
    }
}

impl Season {
    /// Sums contests in the order in which they took place.
    pub fn from_months(months: &[Month], rules: &SeasonRules) -> Self {
        // The last win of each author: the number of that contest.
        let mut won: BTreeMap<String, usize> = BTreeMap::new();
        let waiting = |won: &BTreeMap<String, usize>, number: usize| -> BTreeMap<String, String> {
            let waits = won.iter().filter(|(_, last)| number - **last <= rules.winners_wait);
            waits.map(|(author, last)| (author.clone(), months[*last].title.clone())).collect()
        };
        let mut rows: BTreeMap<String, SeasonRow> = BTreeMap::new();
        let mut lasts = Vec::new();
        for (number, month) in months.iter().enumerate() {
            let (results, last) = month.results(&waiting(&won, number));
            lasts.push(last as u64);
            for (author, result) in results {
                let row = rows.entry(author.clone()).or_insert_with(|| SeasonRow {
                    author: author.clone(),
                    place: None,
                    total: 0,
                    wins: 0,
                    results: vec![None; months.len()],
                });
                if result.place == Some(1) {
                    row.wins += 1;
                    won.insert(author, number);
                }
                row.results[number] = Some(result);
            }
        }
        let mut rows: Vec<SeasonRow> = rows.into_values().collect();
        for row in &mut rows {
            let places = row.results.iter().map(|result| result.as_ref().and_then(|result| result.place));
            row.total = match &rules.counting {
                Counting::Places => {
                    places.zip(&lasts).map(|(place, last)| place.map_or(last + 1, |place| place as u64)).sum()
                }
                Counting::Points(points) => {
                    let points = places.flatten().map(|place| points.get(place - 1).copied().unwrap_or_default());
                    points.fold(0, u64::saturating_add)
                }
            };
        }
        let placed = |row: &SeasonRow| row.results.iter().flatten().any(|result| result.place.is_some());
        let key = |row: &SeasonRow| {
            let total = i128::from(row.total);
            let total = if rules.counting == Counting::Places { total } else { -total };
            (!placed(row), total, Reverse(row.wins))
        };
        rows.sort_by_key(|row| (key(row), row.author.clone()));
        let mut last = None;
        for (index, row) in rows.iter_mut().enumerate().filter(|(_, row)| placed(row)) {
            let key = key(row);
            let place = last.filter(|(before, _)| *before == key).map_or(index + 1, |(_, place)| place);
            (row.place, last) = (Some(place), Some((key, place)));
        }
        let contests = months.iter().map(|month| month.title.clone()).collect();
        Self { contests, rows, waiting: waiting(&won, months.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A contest with authors in the order of their places. Equal places are joined by `=`. Entries without a place follow `-`.
    fn month(title: &str, order: &str) -> Month {
        let (ranked, unranked) = order.split_once('-').unwrap_or((order, ""));
        let mut month = Month { title: title.into(), ranked: Vec::new(), unranked: Vec::new() };
        for group in ranked.split_whitespace() {
            let place = month.ranked.len() + 1;
            month.ranked.extend(group.split('=').map(|author| (author.into(), format!("{author}'s"), place)));
        }
        month.unranked.extend(unranked.split_whitespace().map(|author| (author.into(), format!("{author}'s"))));
        month
    }

    fn table(season: &Season) -> Vec<(Option<usize>, &str, u64, usize)> {
        season.rows.iter().map(|row| (row.place, row.author.as_str(), row.total, row.wins)).collect()
    }

    fn places<'a>(season: &'a Season, author: &str) -> Vec<(Option<usize>, Option<&'a str>)> {
        let row = season.rows.iter().find(|row| row.author == author).expect("an author");
        let one = |result: &'a Option<SeasonResult>| {
            result.as_ref().map_or((None, None), |result| (result.place, result.waits_for.as_deref()))
        };
        row.results.iter().map(one).collect()
    }

    #[test]
    fn places_are_added_and_absence_counts_as_the_place_after_the_last() {
        let months = [month("one", "ann bob=cat dan"), month("two", "bob ann - eve")];
        let rules = SeasonRules { counting: Counting::Places, winners_wait: 0 };
        let season = Season::from_months(&months, &rules);
        assert_eq!(
            table(&season),
            [
                (Some(1), "ann", 3, 1),
                (Some(1), "bob", 3, 1),
                (Some(3), "cat", 5, 0),
                (Some(4), "dan", 7, 0),
                (None, "eve", 8, 0)
            ]
        );
        assert_eq!(season.waiting, BTreeMap::new());
    }

    #[test]
    fn a_winner_takes_no_place_until_allowed_again() {
        let months = [month("one", "ann bob"), month("two", "ann bob cat"), month("three", "ann cat bob")];
        let points = Counting::Points(vec![5, 3]);
        for (winners_wait, ann, waiting) in [
            (0, [(Some(1), None), (Some(1), None), (Some(1), None)], vec![]),
            (1, [(Some(1), None), (None, Some("one")), (Some(1), None)], vec![("ann", "three")]),
            (2, [(Some(1), None), (None, Some("one")), (None, Some("one"))], vec![("bob", "two"), ("cat", "three")]),
        ] {
            let rules = SeasonRules { counting: points.clone(), winners_wait };
            let season = Season::from_months(&months, &rules);
            assert_eq!(places(&season, "ann"), ann, "{winners_wait}");
            let waits: Vec<(&str, &str)> = season.waiting.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!(waits, waiting, "{winners_wait}");
        }
        let rules = SeasonRules { counting: points, winners_wait: 1 };
        let season = Season::from_months(&months, &rules);
        assert_eq!(places(&season, "bob"), [(Some(2), None), (Some(1), None), (None, Some("two"))]);
        let rules = SeasonRules { counting: Counting::Points(vec![u64::MAX, 7]), winners_wait: 0 };
        let most = Season::from_months(&months, &rules);
        assert_eq!(table(&most), [(Some(1), "ann", u64::MAX, 3), (Some(2), "bob", 14, 0), (Some(3), "cat", 7, 0)]);
        assert_eq!(table(&season), [(Some(1), "ann", 10, 2), (Some(2), "bob", 8, 1), (Some(3), "cat", 6, 0)]);
    }

    #[test]
    fn only_the_best_entry_of_an_author_takes_a_place() {
        let mut one = month("one", "ann ann bob=ann cat");
        one.ranked[1].1 = "second".into();
        let rules = SeasonRules { counting: Counting::Places, winners_wait: 0 };
        let season = Season::from_months(&[one], &rules);
        assert_eq!(table(&season), [(Some(1), "ann", 1, 1), (Some(2), "bob", 2, 0), (Some(3), "cat", 3, 0)]);
        assert_eq!(season.rows[0].results[0].as_ref().map(|result| result.entry.as_str()), Some("ann's"));
    }

    #[test]
    fn results_without_places_are_refused() {
        let csv = "entry,board,verdict,ups,limit_ms,wall_ms\nx,A,valid,5,1000,5\ny,A,valid,4,1000,5\n";
        let results = Results::read_csv("t", csv.as_bytes()).expect("a table");
        assert!(Month::from_results(&results, "t").is_err());
    }
}
