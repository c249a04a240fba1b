//! Results and the options of `judge rank`: the first line has the keys and the numbers of boards and entries, such as
//! `moves,time 2 1`.
//!
//! What must hold: places rise from 1; every format, whole and in part, is printable.

use judge_core::plan::RankKey;
use judge_core::results::Results;
use judge_core::score::Row;

use crate::common::check_reports;
use crate::sources::{plain, with_sources};

/// Ranks everything that can be read by these keys, whole and in part, and writes every format. Places begin with 1, or below
/// entries whose runs are missing, and never fall from one row to the next.
pub fn check(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let options = String::from_utf8_lossy(&bytes[..end]);
    let mut words = options.split(' ');
    let names = words.next().unwrap_or_default();
    let numbers: Vec<usize> = words.map(|word| word.parse().unwrap_or(usize::MAX)).collect();
    with_sources(&bytes[(end + 1).min(bytes.len())..], |sources| {
        for source in plain(sources) {
            let mut results = source.results;
            let keys = names.split(',').filter_map(|name| RankKey::named(name, &results.scoring));
            let keys: Vec<RankKey> = keys.collect();
            if !keys.is_empty() {
                results = results.ranked_by(&keys);
            }
            check_places(&results);
            check_reports(&results);
            let first = |names: Vec<String>, number: Option<&usize>| {
                number
                    .map(|&number| names.into_iter().take(number.max(1)).collect::<Vec<_>>())
                    .filter(|some| !some.is_empty())
            };
            let boards = first(results.boards.iter().map(|board| board.name.clone()).collect(), numbers.first());
            let entries = first(results.rows.iter().map(|row| row.entry.name.clone()).collect(), numbers.get(1));
            if let Ok(some) = results.only(boards.as_deref(), entries.as_deref()) {
                check_places(&some);
                check_reports(&some);
            }
        }
    });
}

fn check_places(results: &Results) {
    let places: Vec<usize> = results.rows.iter().filter_map(|row| row.place).collect();
    let waits = |row: &&Row| row.place.is_none() && row.entry.competing && row.entry.withdrawn.is_none();
    let waiting = results.rows.iter().take_while(|row| row.place.is_none()).filter(waits).count();
    assert!(places.first().is_none_or(|first| (1..=waiting + 1).contains(first)), "{places:?}");
    assert!(places.windows(2).all(|two| two[0] <= two[1]), "{places:?}");
    let rows = results.rows.iter().zip(1..);
    assert!(rows.filter_map(|(row, number)| Some((row.place?, number))).all(|(place, number)| place <= number));
}
