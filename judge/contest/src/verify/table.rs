//! The check that `results.csv` follows from the journal.

use std::io::{self, Read};
use std::path::Path;

use csv::{ReaderBuilder, StringRecord};
use judge_core::hint::Hint;
use judge_core::journal::ContestState;
use judge_core::results_csv::write_runs;
use judge_files::regular;
use judge_job::count_text;

use super::files::unreadable;
use super::{Check, Finding};

/// The name of the table in a results directory.
const TABLE: &str = "results.csv";
/// The largest table, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Checks that `results.csv` is the table of the journal. A table from an older judge may have fewer columns.
pub(super) fn follows(results: &Path, contents: &ContestState) -> Check {
    let mut check = Check::new("table");
    let path = results.join(TABLE);
    let file = match regular::open_beneath(results, &path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            check.checked = format!("no {TABLE}, so no table can differ from the journal");
            return check;
        }
        Err(error) => {
            check.problem(unreadable(results, &path, &error));
            return check;
        }
    };
    let mut written = Vec::new();
    let now = write_runs(contents, &mut written).and_then(|()| records(&*written).map_err(io::Error::from));
    match now.and_then(|now| Ok((now, records(regular::capped(file, MAX_BYTES))?))) {
        Ok((now, found)) => compare(&found, &now, &mut check),
        Err(error) => check.problem(format!("{TABLE}: {error}")),
    }
    check
}

fn records(reader: impl Read) -> csv::Result<Vec<StringRecord>> {
    ReaderBuilder::new().has_headers(false).flexible(true).from_reader(reader).records().collect()
}

/// Compares the columns that both tables have. The first record contains their names.
fn compare(found: &[StringRecord], now: &[StringRecord], check: &mut Check) {
    let (Some(heads), Some(known)) = (found.first(), now.first()) else {
        return check.problem(format!("{TABLE} is empty"));
    };
    if found.len() != now.len() {
        let [found, now] = [found, now].map(|records| records.len() - 1);
        check.problem(format!("{TABLE} has {}, the journal gives {now}", count_text(found, "run", "runs")));
    }
    let columns: Vec<(&str, usize, usize)> = heads
        .iter()
        .enumerate()
        .filter_map(|(index, head)| Some((head, index, known.iter().position(|known| known == head)?)))
        .collect();
    if let Some(head) = heads.iter().find(|head| !known.iter().any(|known| known == *head)) {
        check.problem(format!("{TABLE} has the column {head}, which no table has"));
    }
    for (line, (found, now)) in found.iter().zip(now).enumerate().skip(1) {
        let differs = columns.iter().find(|(_, here, there)| found.get(*here) != now.get(*there));
        if let Some((head, here, there)) = differs {
            let [found, now] = [found.get(*here), now.get(*there)].map(Option::unwrap_or_default);
            check.problem(format!("{TABLE}:{}: {head} is `{found}`, the journal gives `{now}`", line + 1));
        }
    }
    if !check.problems.is_empty() {
        let text = "that somebody changed it: a judge that was killed leaves the table before";
        check.unproved.push(Finding { text: text.into(), hint: Some(Hint::RewriteTable) });
    }
    check.checked = format!("{TABLE} is that of the journal");
    if columns.len() < known.len() {
        let missing = known.len() - columns.len();
        check.not_proved(format!(
            "{TABLE} has {} fewer than today: an older judge wrote it",
            count_text(missing, "column", "columns")
        ));
    }
}
