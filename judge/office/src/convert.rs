//! Converts a contest of version 0.2, whose office had a log of its own, to one log.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use judge_contest::journal::Journal;
use judge_core::date::Date;
use judge_core::fingerprint::Hash;
use judge_core::journal::{Chain, FILE_NAME, JournalError, OFFICE_LINE};
use judge_files::{Folder, regular};
use serde::Deserialize;
use serde_json::Value;

use crate::access::AccessFile;
use crate::judging::{number_of, results_of};
use crate::line::Line;
use crate::log::encode;
use crate::private::{self, Private};
use crate::state::{Access, Dated, FORMAT, State};
use crate::{FOLDER, OfficeError};

/// The log of the office in version 0.2, and its name once it is converted.
const OLD: &str = "office.jsonl";
const CONVERTED: &str = "office.jsonl.converted";
/// The largest such log, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Puts the lines of an office's log into the log of the contest in this folder: each before the first line of the judge that is
/// later by its date, and each submission before its entry. Returns their number; `None` if there is nothing to convert. The caller
/// makes sure that nobody uses the contest.
///
/// # Errors
/// [`OfficeError::Damaged`] if one of the logs cannot be read, [`OfficeError::Refused`] while a judge works, and
/// [`OfficeError::Io`].
pub fn convert(contest: &Path) -> Result<Option<usize>, OfficeError> {
    let (office, results) = (contest.join(FOLDER), results_of(contest));
    let old = office.join(OLD);
    if !old.exists() {
        return Ok(None);
    }
    fs::create_dir_all(&results).map_err(|error| OfficeError::io(&results, error))?;
    // It checks the lines, and keeps others from judging.
    let judging = match Journal::resume(&results, || None) {
        Err(JournalError::Missing(_)) => None,
        resumed => Some(resumed?),
    };
    let path = results.join(FILE_NAME);
    let of_judge = if path.exists() { lines(&path)? } else { Vec::new() };
    let of_office = lines(&old)?;
    // A conversion that was killed at its end has left the old log.
    if !of_judge.iter().any(|line| line.starts_with(OFFICE_LINE)) {
        let mut merged = Merged::default();
        merged.all(&old, &of_office, &of_judge)?;
        Private::of(&office).keep(&merged.texts)?;
        AccessFile::of(&office).write(&merged.access)?;
        let written =
            Folder::open(&results).and_then(|folder| folder.replace(FILE_NAME, |file| file.write_all(&merged.log)));
        written.map_err(|error| OfficeError::io(&path, error))?;
    }
    let renamed = Folder::open(&office).and_then(|folder| folder.rename(OLD, CONVERTED));
    renamed.map_err(|error| OfficeError::io(&old, error))?;
    drop(judging);
    Ok(Some(of_office.len()))
}

/// The complete lines of a log, whose chain is checked, without hashes and newlines.
fn lines(path: &Path) -> Result<Vec<Vec<u8>>, OfficeError> {
    let bytes = regular::read(path, MAX_BYTES).map_err(|error| OfficeError::io(path, error))?;
    let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let mut chain = Chain::default();
    let opened = bytes[..complete].split_inclusive(|&byte| byte == b'\n').zip(1..).map(|(line, number)| {
        let mut line = line.to_vec();
        chain.open(&mut line).map_err(|error| damaged(path, number, error.to_string()))?;
        Ok(line)
    });
    opened.collect()
}

fn damaged(path: &Path, line: usize, reason: String) -> OfficeError {
    OfficeError::Damaged { path: path.to_owned(), line, reason }
}

/// A line of the judge, as far as its place follows from it.
#[derive(Deserialize)]
struct OfJudge {
    line: String,
    at: Option<Date>,
    entry: Option<Value>,
}

impl OfJudge {
    /// The submission that has to come before it.
    fn submission(&self) -> Option<u32> {
        let name = self.entry.as_ref().filter(|_| self.line == "entry")?.get("name")?;
        number_of(name.as_str()?)
    }
}

/// The lines of both logs.
#[derive(Default)]
struct Merged {
    log: Vec<u8>,
    chain: Chain,
    /// The lines that open private texts.
    texts: Vec<u8>,
    state: State,
    /// The tokens that are valid at the end.
    access: Access,
}

impl Merged {
    fn all(&mut self, old: &Path, of_office: &[Vec<u8>], of_judge: &[Vec<u8>]) -> Result<(), OfficeError> {
        let of_office = of_office.iter().zip(1..).map(|(line, number)| {
            let mut fields: Fields =
                serde_json::from_slice(line).map_err(|error| damaged(old, number, error.to_string()))?;
            self.take_access(&mut fields)
                .and_then(|is_event| is_event.then(|| dated(fields)).transpose())
                .map(|dated| Some((dated?, number)))
                .map_err(|error| damaged(old, number, error.to_string()))
        });
        let of_office = of_office.filter_map(Result::transpose).collect::<Result<Vec<_>, OfficeError>>()?;
        let mut of_office = of_office.into_iter().peekable();
        let add = |merged: &mut Self, (dated, number): (Dated, usize)| {
            merged.of_office(dated).map_err(|reason| damaged(old, number, reason))
        };
        for line in of_judge {
            let parsed: OfJudge = serde_json::from_slice(line)
                .map_err(|error| OfficeError::refused(format!("a line of the journal: {error}")))?;
            let (at, needed) = (parsed.at.map(Date::unix), parsed.submission());
            while let Some(next) = of_office.next_if(|(next, _)| {
                at.is_some_and(|at| next.at <= at)
                    || needed.is_some_and(|number| self.state.submission(number).is_none())
            }) {
                add(self, next)?;
            }
            let mut line = [line, &b"\n"[..]].concat();
            self.chain.seal(&mut line);
            self.log.extend(line);
        }
        of_office.try_for_each(|next| add(self, next))
    }

    /// Follows a line about tokens. Returns false if it is no event of today.
    fn take_access(&mut self, fields: &mut Fields) -> serde_json::Result<bool> {
        let hash = fields.get("hash").cloned().map(serde_json::from_value::<Hash>).transpose()?;
        let team = fields.get("team").and_then(Value::as_str).map(str::to_owned);
        let access = &mut self.access;
        match (fields.get("line").and_then(Value::as_str), team) {
            (Some("token"), None) => access.organiser.extend(hash),
            (Some("token"), Some(team)) => access.teams.entry(team).or_default().extend(hash),
            (Some("organiser_revoked"), _) => access.organiser.clear(),
            (Some("revoked"), Some(team)) => drop(access.teams.remove(&team)),
            // What a judge has carried out, it has written itself.
            (Some("ordered"), team) => {
                let event = match (fields.get("order").and_then(Value::as_str), team) {
                    (Some("disqualify"), Some(_)) => "disqualified",
                    (Some("reinstate"), Some(_)) => "reinstated",
                    _ => return Ok(false),
                };
                fields.insert("line".into(), event.into());
                return Ok(true);
            }
            (Some("registration"), _) => {
                access.registration = hash;
                if hash.is_none() {
                    fields.insert("most".into(), 0.into());
                }
                return Ok(true);
            }
            _ => return Ok(true),
        }
        Ok(false)
    }

    /// Adds a line of the office. The error is a fragment.
    fn of_office(&mut self, mut dated: Dated) -> Result<(), String> {
        if let Line::Office { format } = &mut dated.line {
            *format = FORMAT;
        }
        if let Some(text) = dated.line.private() {
            self.texts.extend(private::seal(text).map_err(|error| error.to_string())?);
        }
        self.log.extend(encode(&dated, &mut self.chain));
        self.state.apply(dated).map_err(|refusal| refusal.to_string())
    }
}

/// The members of a line.
type Fields = serde_json::Map<String, Value>;

/// A line as version 0.2 wrote it.
fn dated(mut fields: Fields) -> serde_json::Result<Dated> {
    let at = fields.remove("at").unwrap_or_default();
    let event = fields.remove("line").unwrap_or_default();
    fields.insert("event".into(), event);
    Ok(Dated { at: serde_json::from_value(at)?, line: serde_json::from_value(Value::Object(fields))? })
}

#[cfg(test)]
mod tests {
    use judge_core::results::Results;

    use super::*;
    use crate::shown::{Look, Shown};
    use crate::view::Viewer;
    use crate::{Office, results, verify};

    /// A contest that version 0.2 has judged, in a new folder.
    fn two_logs() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/two-logs");
        let mut folders = vec![std::path::PathBuf::new()];
        while let Some(inner) = folders.pop() {
            fs::create_dir_all(folder.path().join(&inner)).unwrap();
            for item in fs::read_dir(recorded.join(&inner)).unwrap() {
                let path = inner.join(item.unwrap().file_name());
                match recorded.join(&path).is_dir() {
                    true => folders.push(path),
                    false => drop(fs::copy(recorded.join(&path), folder.path().join(&path)).unwrap()),
                }
            }
        }
        folder
    }

    #[test]
    fn a_contest_of_version_0_2_has_one_log_with_all_that_happened_in_order() {
        let folder = two_logs();
        let (contest, journal) = (folder.path(), folder.path().join("results/journal.jsonl"));
        let before = judge_core::journal::read(&contest.join("results")).unwrap();
        let old = fs::read_to_string(contest.join("office/office.jsonl")).unwrap();
        assert_eq!(convert(contest).unwrap(), Some(old.lines().count()));
        let log = fs::read_to_string(&journal).unwrap();
        let after = judge_core::journal::read(&contest.join("results")).unwrap();
        assert_eq!(
            (after.plan.clone(), &after.records, &after.history),
            (before.plan.clone(), &before.records, &before.history)
        );
        // What was decided is there, and the texts for teams are not in the log.
        let office = Office::open(&contest.join(FOLDER), std::sync::Arc::new(|| 1_795_950_000)).unwrap();
        let state = office.state().unwrap();
        let counted = results::read(&contest.join("results")).unwrap();
        let shown: Vec<String> =
            Look::new(&Viewer::Organiser, &state, &counted).all().map(|(_, _, shown)| shown.to_string()).collect();
        assert_eq!(
            shown,
            [Shown::Counts.to_string(), "counts".into(), "ignored: as asked".into(), "out: copied".into()]
        );
        assert!(!log.contains("three.sh") && log.contains("Lunch is ready."));
        assert_eq!(&*state.submission(2).unwrap().1.file, "two.sh");
        let table = Results::from_journal(&counted);
        let places: Vec<_> = table.rows.iter().map(|row| (&*row.entry.name, row.place)).collect();
        assert_eq!(places, [("ada.1", Some(1)), ("house", Some(2)), ("bob.2", Some(3)), ("ada.3", None)]);
        let report = verify::verify(&contest.join(FOLDER)).unwrap();
        assert!(report.problems.is_empty() && report.unproved.is_empty(), "{report:?}");
        // Causes come before effects, and dates in the order of the log.
        let place = |what: &str| log.lines().position(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}"));
        assert!(place("\"event\":\"submitted\",\"number\":3") < place("{\"name\":\"ada.3\""));
        assert!(place("\"event\":\"disqualified\"") < place("{\"line\":\"struck\""));
        let dates: Vec<&str> =
            log.lines().map(|line| line.rsplit_once("\"at\":\"").unwrap().1.split('"').next().unwrap()).collect();
        assert!(dates.is_sorted(), "{dates:?}");
        assert!(!log.contains("\"hash\"") && state.has_token("ada"));
        // It goes on, and a second conversion does nothing.
        office.add_team("dora", None).unwrap();
        let log = fs::read(&journal).unwrap();
        assert_eq!(convert(contest).unwrap(), None);
        // Also one that was killed before the old log got its other name.
        fs::rename(contest.join("office/office.jsonl.converted"), contest.join("office/office.jsonl")).unwrap();
        assert_eq!(convert(contest).unwrap(), Some(old.lines().count()));
        assert_eq!(fs::read(&journal).unwrap(), log);
    }

    #[test]
    fn what_is_damaged_or_judged_is_not_converted() {
        let folder = two_logs();
        let contest = folder.path();
        let names = ["results/journal.jsonl", "office/office.jsonl"];
        let whole = names.map(|name| fs::read_to_string(contest.join(name)).unwrap());
        for (name, whole) in names.into_iter().zip(&whole) {
            fs::write(contest.join(name), whole.replacen("\"ada", "\"eve", 1)).unwrap();
            let refused = convert(contest).unwrap_err();
            assert!(matches!(&refused, OfficeError::Damaged { path, .. } if path.ends_with(name)), "{refused}");
            fs::write(contest.join(name), whole).unwrap();
        }
        let judging = Journal::resume(&contest.join("results"), || None).unwrap();
        assert!(convert(contest).unwrap_err().to_string().contains("in use by another judge"));
        drop(judging);
        assert_eq!(names.map(|name| fs::read_to_string(contest.join(name)).unwrap()), whole);
        // An office without a contest that has begun.
        fs::remove_dir_all(contest.join("results")).unwrap();
        convert(contest).unwrap().unwrap();
        assert_eq!(
            Office::open(&contest.join(FOLDER), std::sync::Arc::new(|| 0)).unwrap().state().unwrap().teams().len(),
            3
        );
    }

    /// Contests without an office have one log: there is nothing to convert.
    #[test]
    fn recorded_results_without_an_office_are_left_as_they_are() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut contests: Vec<_> =
            fs::read_dir(root.join("judge/core/tests/recorded")).unwrap().map(|item| item.unwrap().path()).collect();
        contests.extend(fs::read_dir(root.join("results")).unwrap().map(|item| item.unwrap().path()));
        contests.retain(|path| path.is_dir());
        assert!(contests.len() >= 9, "{contests:?}");
        for contest in contests {
            assert_eq!(convert(&contest).unwrap(), None, "{}", contest.display());
        }
    }
}
