//! Converts contests and results of version 0.2 to the present form: figures have names, and the log of the contest contains the
//! events of the office.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use judge_contest::journal;
use judge_core::date::Date;
use judge_core::fingerprint::Hash;
use judge_core::journal::{Chain, FILE_NAME, JournalError, OFFICE_LINE, parse};
use judge_files::{Folder, regular};
use serde::Deserialize;
use serde_json::Value;

use crate::cached_file::{ACCESS, CachedFile};
use crate::line::{Line, number_of};
use crate::log::encode;
use crate::private::{self, Private};
use crate::results::results_of;
use crate::state::{Access, Dated, FORMAT, ORGANISER, State};
use crate::{FOLDER, OfficeError};

/// The log of the office in version 0.2, and its name once it is converted.
const OLD: &str = "office.jsonl";
const CONVERTED: &str = "office.jsonl.converted";
/// The largest such log, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Converts a contest's folder, or only results, to the present form. Returns the number of changed lines of the journal, and of
/// lines of the office that were added. Each of those is inserted before the first later line of the judge by date, and each
/// submission before its entry. `None` if nothing is to be converted. The caller ensures that no other process uses the contest.
///
/// # Errors
/// [`OfficeError::Damaged`] if one of the logs cannot be read, [`OfficeError::Refused`] while a judge works, and
/// [`OfficeError::Io`].
pub fn convert(folder: &Path) -> Result<Option<(usize, usize)>, OfficeError> {
    let (office, old) = (folder.join(FOLDER), folder.join(FOLDER).join(OLD));
    let is_results = folder.join(FILE_NAME).is_file();
    let results = if is_results { folder.to_owned() } else { results_of(folder) };
    let path = results.join(FILE_NAME);
    if !old.exists() && !path.is_file() {
        return Ok(None);
    }
    fs::create_dir_all(&results).map_err(|error| OfficeError::io(&results, error))?;
    let _judging = journal::judging(&results)?;
    let mut of_judge = if path.exists() { lines(&path)? } else { Vec::new() };
    let of_office = if old.exists() { lines(&old)? } else { Vec::new() };
    let changed = named(&mut of_judge) + without_aside(&mut of_judge);
    // A conversion that was killed at its end leaves the old log.
    let is_merged = of_judge.iter().any(|line| line.starts_with(OFFICE_LINE));
    if changed > 0 || !is_merged && !of_office.is_empty() {
        let mut merged = Merged::default();
        merged.all(&old, if is_merged { &[] } else { &of_office }, &of_judge)?;
        match parse(&path, &*merged.log) {
            Ok(_) | Err(JournalError::NotBegun(_)) => {}
            Err(error) => return Err(error.into()),
        }
        if !is_merged && !of_office.is_empty() {
            Private::of(&office).keep(&merged.texts)?;
            CachedFile::of(&office, ACCESS).write(&merged.access)?;
        }
        let written =
            Folder::open(&results).and_then(|folder| folder.replace(FILE_NAME, |file| file.write_all(&merged.log)));
        written.map_err(|error| OfficeError::io(&path, error))?;
    }
    if old.exists() {
        let renamed = Folder::open(&office).and_then(|folder| folder.rename(OLD, CONVERTED));
        renamed.map_err(|error| OfficeError::io(&old, error))?;
    }
    Ok((changed > 0 || !of_office.is_empty()).then_some((changed, of_office.len())))
}

/// Removes the lines that repeat what follows from the decisions of the office. Returns their number.
fn without_aside(lines: &mut Vec<Vec<u8>>) -> usize {
    let before = lines.len();
    lines.retain(|line| !line.starts_with(br#"{"line":"set_aside","#));
    before - lines.len()
}

/// Adds the names of figures to the lines of a journal. Version 0.2 wrote four numbers for every contest, some of which had no
/// meaning. Returns the number of lines that changed.
fn named(lines: &mut [Vec<u8>]) -> usize {
    let plan = lines.iter().find_map(|line| {
        serde_json::from_slice::<Value>(line)
            .ok()
            .filter(|line| line["line"] == "contest")
            .map(|mut line| line["plan"].take())
    });
    let plan = plan.unwrap_or_default();
    let of_game = plan["scoring"].is_null() && matches!(plan["referee"]["protocol"].as_str(), None | Some("native"));
    let mut changed = 0;
    for line in lines {
        if let Some(named) = std::str::from_utf8(line).ok().and_then(|line| name_figures(line, of_game)) {
            *line = named.into();
            changed += 1;
        }
    }
    changed
}

/// A line whose four numbers become named figures, or are removed; `None` if it has no such numbers. In JSON text, no string
/// contains `"progress":`, because its quotes would be escaped.
fn name_figures(line: &str, of_game: bool) -> Option<String> {
    let mut named = String::new();
    let (mut rest, mut done) = (line, 0);
    while let Some(at) = rest[done..].find("\"progress\":") {
        let (before, found) = rest.split_at(done + at);
        let Some(([progress, of, moves, tie_break], after)) = numbers(found) else {
            done += at + 1;
            continue;
        };
        named += before;
        done = 0;
        rest = after;
        if of_game && !after.starts_with(",\"figures\":") {
            named += &format!(
                r#""figures":{{"progress":"{progress}","moves":"{moves}","tie_break":"{tie_break}"}},"full":"{of}""#
            );
        } else if let Some(after) = after.strip_prefix(',') {
            rest = after;
        } else if named.ends_with(',') {
            named.pop();
        }
    }
    (rest.len() < line.len()).then(|| named + rest)
}

/// The four numbers at the beginning of a text, and the text after them.
fn numbers(text: &str) -> Option<([&str; 4], &str)> {
    let mut rest = text;
    let mut found = [""; 4];
    for (number, name) in found.iter_mut().zip(["\"progress\":", ",\"of\":", ",\"moves\":", ",\"tie_break\":"]) {
        rest = rest.strip_prefix(name)?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).filter(|&end| end > 0)?;
        (*number, rest) = rest.split_at(end);
    }
    Some((found, rest))
}

/// The complete lines of a log, without hashes and newlines. Their chain is checked.
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

/// The parts of a line of the judge that determine its place.
#[derive(Deserialize)]
struct JudgeLine {
    line: String,
    at: Option<Date>,
    entry: Option<Value>,
}

impl JudgeLine {
    /// The submission that must come before it.
    fn submission(&self) -> Option<u32> {
        let name = self.entry.as_ref().filter(|_| self.line == "entry")?.get("name")?;
        number_of(name.as_str()?)
    }
}

/// The merged lines of both logs.
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
            let parsed: JudgeLine = serde_json::from_slice(line)
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

    /// Processes a line about tokens. Returns false if the line is not an event of the present form.
    fn take_access(&mut self, fields: &mut Fields) -> serde_json::Result<bool> {
        let hash = fields.get("hash").cloned().map(serde_json::from_value::<Hash>).transpose()?;
        let team = fields.get("team").and_then(Value::as_str).map(str::to_owned);
        let access = &mut self.access;
        match (fields.get("line").and_then(Value::as_str), team) {
            (Some("token"), None) => access.organisers.entry(ORGANISER.to_owned()).or_default().extend(hash),
            (Some("token"), Some(team)) => access.teams.entry(team).or_default().extend(hash),
            (Some("organiser_revoked"), _) => access.organisers.clear(),
            (Some("revoked"), Some(team)) => drop(access.teams.remove(&team)),
            // A judge has already recorded the orders that it executed.
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
        self.log.extend(encode(&dated, None, &mut self.chain));
        self.state.apply(dated).map_err(|refusal| refusal.to_string())
    }
}

/// The fields of a line.
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
    use crate::submission_state::{SubmissionState, SubmissionStates};
    use crate::view::Viewer;
    use crate::{Office, results, verify};

    /// A contest that version 0.2 judged, in a new folder.
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
        assert!(judge_core::journal::read(&contest.join("results")).is_err());
        let before = fs::read_to_string(&journal).unwrap();
        let old = fs::read_to_string(contest.join("office/office.jsonl")).unwrap();
        assert_eq!(convert(contest).unwrap(), Some((9, old.lines().count())));
        let log = fs::read_to_string(&journal).unwrap();
        let after = judge_core::journal::read(&contest.join("results")).unwrap();
        // The lines of the judge are unchanged except for their figures.
        let ours = |log: &str| {
            let named = |line: &str| name_figures(line, true).unwrap_or_else(|| line.to_owned());
            let others = [r#"{"line":"office""#, r#"{"line":"set_aside""#];
            let lines = log.lines().filter(|line| !others.iter().any(|other| line.starts_with(other))).map(named);
            lines.map(|line| line.rsplit_once(",\"chain\"").unwrap().0.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(ours(&log), ours(&before));
        let solved = &after.records[0];
        assert_eq!(solved.verdict.given().unwrap().to_string(), "progress 25 of 25, moves 4, tie_break 0");
        // The decisions are there, and the log does not contain the texts for teams.
        let office = Office::open(&contest.join(FOLDER), std::sync::Arc::new(|| 1_795_950_000)).unwrap();
        let state = office.state().unwrap();
        let counted = results::read(&contest.join("results")).unwrap();
        let shown: Vec<String> = SubmissionStates::new(&Viewer::Organiser, &state, &counted)
            .all()
            .map(|(_, _, shown)| shown.to_string())
            .collect();
        assert_eq!(
            shown,
            [SubmissionState::Counts.to_string(), "counts".into(), "ignored: as asked".into(), "out: copied".into()]
        );
        assert!(!log.contains("three.sh") && log.contains("Lunch is ready."));
        assert_eq!(&*state.submission(2).unwrap().1.file, "two.sh");
        let table = Results::from_journal(&counted);
        let places: Vec<_> = table.rows.iter().map(|row| (&*row.entry.name, row.place)).collect();
        assert_eq!(places, [("ada.1", Some(1)), ("house", Some(2)), ("bob.2", Some(3)), ("ada.3", None)]);
        let report = verify::verify(&contest.join(FOLDER)).unwrap();
        assert!(report.problems.is_empty() && report.unproved.is_empty(), "{report:?}");
        // Causes precede effects, and dates are in the order of the log.
        let place = |what: &str| log.lines().position(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}"));
        assert!(place("\"event\":\"submitted\",\"number\":3") < place("{\"name\":\"ada.3\""));
        assert!(place("\"event\":\"disqualified\"") < place("{\"line\":\"struck\""));
        let dates: Vec<&str> =
            log.lines().map(|line| line.rsplit_once("\"at\":\"").unwrap().1.split('"').next().unwrap()).collect();
        assert!(dates.is_sorted(), "{dates:?}");
        assert!(!log.contains("\"hash\"") && state.has_token("ada"));
        // The contest continues, and a second conversion does nothing.
        office.add_team("dora", None).unwrap();
        let log = fs::read(&journal).unwrap();
        assert_eq!(convert(contest).unwrap(), None);
        // The same holds if the conversion was killed before it renamed the old log.
        fs::rename(contest.join("office/office.jsonl.converted"), contest.join("office/office.jsonl")).unwrap();
        assert_eq!(convert(contest).unwrap(), Some((0, old.lines().count())));
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
        let judging = journal::judging(&contest.join("results")).unwrap();
        assert!(convert(contest).unwrap_err().to_string().contains("in use by another judge"));
        drop(judging);
        assert_eq!(names.map(|name| fs::read_to_string(contest.join(name)).unwrap()), whole);
        // An office whose contest has not begun.
        fs::remove_dir_all(contest.join("results")).unwrap();
        convert(contest).unwrap().unwrap();
        assert_eq!(
            Office::open(&contest.join(FOLDER), std::sync::Arc::new(|| 0)).unwrap().state().unwrap().teams().len(),
            3
        );
    }

    #[test]
    fn numbers_get_their_names_where_they_meant_something() {
        let four = r#"{"line":"run","verdict":"solved","progress":7,"of":9,"moves":0,"tie_break":2"#;
        let named =
            r#"{"line":"run","verdict":"solved","figures":{"progress":"7","moves":"0","tie_break":"2"},"full":"9""#;
        let bare = r#"{"line":"run","verdict":"solved""#;
        for (of_game, rest, expected) in [
            (true, r#","wall_us":1}"#, named),
            (true, "}", named),
            (false, r#","wall_us":1}"#, bare),
            (false, "}", bare),
            (true, r#","figures":{"points":"3"},"wall_us":1}"#, bare),
        ] {
            assert_eq!(name_figures(&(four.to_owned() + rest), of_game).unwrap(), expected.to_owned() + rest);
        }
        for today in [named.to_owned() + "}", bare.to_owned() + r#","reason":"\"progress\":1,\"of\":2"}"#] {
            assert_eq!(name_figures(&today, true), None);
        }
    }

    #[test]
    fn recorded_results_of_today_are_left_as_they_are() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut journals = Vec::new();
        for folder in ["judge/core/tests/recorded", "results", "results/potm"] {
            let items = fs::read_dir(root.join(folder)).unwrap().map(|item| item.unwrap().path());
            journals.extend(items.flat_map(|path| [path.join(FILE_NAME), path.join("out").join(FILE_NAME)]));
        }
        journals.retain(|path| path.is_file());
        assert_eq!(journals.len(), 6 + 3 + 19, "{journals:?}");
        // A copy, because a conversion locks the results.
        for journal in journals {
            let folder = tempfile::tempdir().unwrap();
            fs::copy(&journal, folder.path().join(FILE_NAME)).unwrap();
            assert_eq!(convert(folder.path()).unwrap(), None, "{}", journal.display());
            assert_eq!(fs::read(folder.path().join(FILE_NAME)).unwrap(), fs::read(&journal).unwrap());
        }
    }
}
