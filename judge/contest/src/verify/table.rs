//! The check that `results.csv` follows from the journal.

use std::io::{self, Read};
use std::path::Path;

use csv::{ReaderBuilder, StringRecord};
use judge_core::journal::{Contents, WHOLE_RANKINGS};
use judge_core::plan::RankKey;
use judge_core::results_csv::{MISSING, write_runs};
use judge_core::way_out::WayOut;
use judge_files::regular;
use judge_job::count_text;

use super::files::unreadable;
use super::{Check, Finding};

/// The name of the table in a results directory.
const TABLE: &str = "results.csv";
/// The largest table, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Checks that `results.csv` is the table of the journal. A table that an older judge wrote may have fewer columns.
pub(super) fn follows(results: &Path, contents: &Contents) -> Check {
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
        Ok((now, found)) => {
            let found = without_points(found);
            compare(&found, &as_then(now, &found, contents), &mut check);
        }
        Err(error) => check.problem(format!("{TABLE}: {error}")),
    }
    check
}

/// The records of a table without the column of points, which tables had before figures had names. With a point in it, the
/// journal cannot be read.
fn without_points(mut found: Vec<StringRecord>) -> Vec<StringRecord> {
    let Some(gone) = found.first().and_then(|heads| heads.iter().position(|head| head == POINTS)) else { return found };
    if found.iter().skip(1).any(|record| record.get(gone).is_some_and(|field| !field.is_empty())) {
        return found;
    }
    for record in &mut found {
        let left = record.iter().enumerate().filter(|(column, _)| *column != gone);
        *record = left.map(|(_, field)| field).collect();
    }
    found
}

/// The column of points in tables of earlier versions.
const POINTS: &str = "score";

fn records(reader: impl Read) -> csv::Result<Vec<StringRecord>> {
    ReaderBuilder::new().has_headers(false).flexible(true).from_reader(reader).records().collect()
}

/// The records that the judge of that time would have written. Before tables had rankings, planned runs that were not
/// executed had no row. Before journals had whole lists, tables left out the counts that decide.
fn as_then(mut now: Vec<StringRecord>, found: &[StringRecord], contents: &Contents) -> Vec<StringRecord> {
    let has = |records: &[StringRecord], name: &str| records.first()?.iter().position(|head| head == name);
    if has(found, "ranking").is_none()
        && let Some(verdict) = has(&now, "verdict")
    {
        now.retain(|record| record.get(verdict) != Some(MISSING));
    }
    if let (true, Some(before), Some(today)) =
        (contents.header.format < WHOLE_RANKINGS, has(found, "ranking"), has(&now, "ranking"))
        && let Some(named) = found.get(1).and_then(|record| record.get(before))
        && let figures = contents.plan.figures()
        && let Ok(keys) = RankKey::read_list(named, &figures)
        && RankKey::whole(&keys, &figures) == contents.plan.ranking
    {
        for record in now.iter_mut().skip(1) {
            let fields = record.iter().enumerate().map(|(column, field)| if column == today { named } else { field });
            *record = fields.collect();
        }
    }
    now
}

/// Compares the columns that both tables have; the first record has their names.
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
        check.unproved.push(Finding { text: text.into(), way_out: Some(WayOut::RewriteTable) });
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
