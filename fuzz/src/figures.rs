//! Figures of every size in a table of a few entries and boards: the drawings of the page, the tables and the comparison.
//!
//! The other targets read files, where a mutation rarely makes a number of sixteen digits. Here each byte chooses one.
//!
//! What must hold: as for `rank`, `compare` and `report`; coordinates are numbers, pages stay small.

use std::fmt::Write as _;

use judge_core::compare::Source;
use judge_core::results::Results;

use crate::common::check_reports;
use crate::page::check_page;

/// The ends of ranges, and what is near them.
const NUMBERS: [u64; 32] = [
    0,
    1,
    2,
    3,
    25,
    94,
    100,
    999,
    1_000,
    65_535,
    1_000_000,
    4_294_967_295,
    4_294_967_296,
    9_007_199_254,
    1_000_000_000_000,
    9_007_199_254_739,
    9_007_199_254_740,
    9_007_199_254_741,
    999_999_999_999_999,
    1_000_000_000_000_000,
    1_000_000_000_000_001,
    4_503_599_627_370_496,
    9_007_199_254_740_989,
    9_007_199_254_740_990,
    9_007_199_254_740_991,
    9_007_199_254_740_992,
    9_007_199_254_740_993,
    9_223_372_036_854_775_807,
    9_223_372_036_854_775_808,
    18_446_744_073_709_551_614,
    18_446_744_073_709_551_615,
    12,
];
/// Points at the edges of what can be read, as texts.
const POINTS: [&str; 16] = [
    "",
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "0.000000001",
    "-0.000000001",
    "1e-9",
    "100",
    "9007199254740991",
    "-9007199254740991",
    "9007199254740992",
    "9007199.254740991",
    "1e15",
    "1e400",
];
const VERDICTS: [&str; 8] = ["solved", "solved", "unsolved", "valid", "timed_out", "illegal_move", "wrong", "crashed"];
const SCORINGS: [&str; 4] = [
    "",
    r#"{"figures":[{"name":"score","better":"more","decimals":0}]}"#,
    r#"{"figures":[{"name":"score","better":"less","decimals":9,"full":"1"}]}"#,
    r#"{"figures":[{"name":"score","better":"more","decimals":3}],"groups":[{"name":"g","aggregate":"average"}]}"#,
];
/// The largest page of so few runs, in bytes.
const LARGEST_PAGE: usize = 4 << 20;

/// Makes one or two tables and draws them. Work and memory do not depend on the numbers.
pub fn check(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let mut next = || bytes.next().unwrap_or_default();
    let sources = 1 + usize::from(next() % 2);
    let mut made = Vec::new();
    for source in 0..sources {
        let (entries, boards, scoring) = (1 + next() % 6, 1 + next() % 12, SCORINGS[usize::from(next() % 4)]);
        let mut csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms,score,scoring,exit_code,failed_at,repeat\n"
            .to_owned();
        for (entry, board) in (0..entries).flat_map(|entry| (0..boards).map(move |board| (entry, board))) {
            let verdict = VERDICTS[usize::from(next() % 8)];
            let repeats = if next() % 16 == 0 { 2 } else { 1 };
            for repeat in 1..=repeats {
                let [progress, of, moves, tie_break, wall, limit] = [(); 6].map(|()| NUMBERS[usize::from(next() % 32)]);
                // Of those that are too large, most become the largest, or no file would be read.
                let [progress, of, moves, tie_break, wall] = [progress, of, moves, tie_break, wall]
                    .map(|number| if next() % 64 == 0 { number } else { number.min(9_007_199_254_740_991) });
                let limit = limit.min(9_007_199_254_740);
                let points = POINTS[usize::from(next() % 16)];
                let quoted = scoring.replace('"', "\"\"");
                writeln!(csv, "e{entry},b{board},{verdict},{progress},{of},{moves},{tie_break},{wall},{limit},{points},\"{quoted}\",1,{moves},{repeat}")
                    .expect("a text can be written");
            }
        }
        match Results::read_csv("figures.csv", csv.as_bytes()) {
            Ok(results) => made.push(Source { name: format!("s{source}"), results }),
            Err(refusal) => assert!(refusal.to_string().starts_with("figures.csv: "), "{refusal}"),
        }
    }
    if made.is_empty() {
        return;
    }
    made.iter().for_each(|source| check_reports(&source.results));
    crate::compare::check_sources(&made);
    let pages: Vec<judge_page::PageSource> = made.into_iter().map(Into::into).collect();
    let mut page = Vec::new();
    judge_page::write(&pages, &mut page).expect("memory can be written");
    assert!(page.len() < LARGEST_PAGE, "a page of {} bytes", page.len());
    check_page(&String::from_utf8(page).expect("a page is UTF-8"));
}
