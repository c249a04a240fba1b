//! The reader for the line of a finished run, in one pass. A contest has millions of such lines.
//!
//! A [`Record`] has parts, such as its key and its verdict, whose members stand side by side in a file. Serde would first store
//! every member and its value, and then search those of each part. [`RunLine`] has all members side by side, as the file has.

use std::borrow::Cow;
use std::sync::Arc;

use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use judge_job::{Bytes, Contention, Count, Isolation, MeasuredBy, Micros, Millis, Usage};

use super::extras::{ExtraFields, Pass};
use super::record::{Output, Record};
use crate::date::Date;
use crate::figure::{EARLIER, Figures, RefereeFigures};
use crate::key::{Name, RunKey, first, shared_name};
use crate::matches::Played;
use crate::points::Points;
use crate::stream::Stream;
use crate::verdict::{Exit, Parts, Verdict};

/// The beginning of the line of a finished run.
pub(super) const RUN_LINE: &[u8] = b"{\"line\":\"run\",";

/// Every member that the line of a run can have. `I` is the isolation, or its text.
#[derive(Deserialize)]
#[serde(bound(deserialize = "I: Deserialize<'de>"))]
struct RunLine<'a, I> {
    seq: usize,
    round: u32,
    #[serde(borrow)]
    entry: Cow<'a, str>,
    #[serde(borrow)]
    board: Cow<'a, str>,
    #[serde(default = "first")]
    repeat: u32,
    against: Option<Arc<[Name]>>,
    #[serde(default = "first")]
    attempt: u32,
    #[serde(default)]
    in_vain: bool,
    #[serde(borrow)]
    verdict: Cow<'a, str>,
    #[serde(default)]
    figures: Figures,
    full: Option<Points>,
    /// A member of an earlier version.
    progress: Option<IgnoredAny>,
    failed_at: Option<Count>,
    #[serde(borrow)]
    token: Option<Cow<'a, str>>,
    #[serde(borrow)]
    reason: Option<Cow<'a, str>>,
    exit: Option<Exit>,
    #[serde(default, deserialize_with = "Micros::optional")]
    wall_us: Option<u64>,
    #[serde(deserialize_with = "Millis::number")]
    limit_ms: u64,
    #[serde(default, deserialize_with = "Micros::optional")]
    cpu_us: Option<u64>,
    cpu_by: Option<MeasuredBy>,
    #[serde(default, deserialize_with = "Bytes::optional")]
    memory_bytes: Option<u64>,
    memory_by: Option<MeasuredBy>,
    contention: Option<Contention>,
    #[serde(deserialize_with = "Bytes::number")]
    stdout_bytes: u64,
    #[serde(deserialize_with = "Bytes::number")]
    stderr_bytes: u64,
    output: Option<Box<Output>>,
    #[serde(default, deserialize_with = "Micros::optional")]
    own_us: Option<u64>,
    #[serde(default)]
    passes: Vec<Pass>,
    suspect: Option<Box<str>>,
    stream: Option<Box<Stream>>,
    played: Option<Box<Played>>,
    #[serde(default)]
    notes: Vec<String>,
    isolation: I,
    #[serde(default)]
    machine: u32,
    #[serde(borrow)]
    final_board: Option<Cow<'a, str>>,
    referee: Option<Name>,
    at: Option<Date>,
}

/// A reader for the lines of runs. Successive runs share equal parts.
#[derive(Default)]
pub(super) struct RunReader {
    /// The last isolation, with its text in the line.
    isolation: Option<(Box<str>, Arc<Isolation>)>,
    /// The last board: all entries run on it one after the other.
    board: Option<Name>,
    /// The last position in which a replay ended: all entries that solve a board leave the same one.
    final_board: Option<Name>,
}

impl RunReader {
    /// Reads a line that begins with [`RUN_LINE`]: its record, and its date.
    pub(super) fn read(&mut self, line: &[u8]) -> serde_json::Result<(Record, Option<Date>)> {
        // The line is converted to text first; else serde would check every string in it separately.
        let mut run: RunLine<'_, &RawValue> = match std::str::from_utf8(line) {
            Ok(line) => serde_json::from_str(line)?,
            Err(_) => serde_json::from_slice(line)?,
        };
        let isolation = self.isolation(run.isolation.get())?;
        let at = run.at.take();
        self.record(run, isolation).map(|record| (record, at)).map_err(serde_json::Error::custom)
    }

    fn isolation(&mut self, text: &str) -> serde_json::Result<Arc<Isolation>> {
        if let Some((_, isolation)) = self.isolation.as_ref().filter(|(last, _)| **last == *text) {
            return Ok(isolation.clone());
        }
        let isolation: Arc<Isolation> = Arc::new(serde_json::from_str(text)?);
        self.isolation = Some((text.into(), isolation.clone()));
        Ok(isolation)
    }

    /// The record of a line. The error is a fragment.
    fn record<I>(&mut self, run: RunLine<'_, I>, isolation: Arc<Isolation>) -> Result<Record, String> {
        let RunLine { figures, full, token, reason, exit, .. } = run;
        let given = match run.progress {
            None => RefereeFigures { figures, full },
            Some(_) => return Err(EARLIER.to_owned()),
        };
        let parts = Parts { failed_at: run.failed_at.map(Count::get), token, reason, exit };
        let verdict = Verdict::from_parts(&run.verdict, || Ok(given), parts)?;
        let key = RunKey {
            round: run.round,
            entry: Name::from(&*run.entry),
            board: shared_name(&mut self.board, &run.board),
            repeat: run.repeat,
            against: run.against,
        };
        let mut record = Record::without_run(run.seq, key, run.attempt, verdict, run.limit_ms, isolation);
        record.in_vain = run.in_vain;
        record.wall_us = run.wall_us;
        let mut usage = Usage::default();
        (usage.cpu_us, usage.cpu_by) = (run.cpu_us, run.cpu_by);
        (usage.memory_bytes, usage.memory_by) = (run.memory_bytes, run.memory_by);
        record.usage = usage;
        record.contention = run.contention;
        (record.stdout_bytes, record.stderr_bytes) = (run.stdout_bytes, run.stderr_bytes);
        record.output = run.output;
        record.machine = run.machine;
        record.final_board = run.final_board.map(|board| shared_name(&mut self.final_board, &board));
        let RunLine { own_us, passes, suspect, stream, played, notes, .. } = run;
        let (ruling, ruled_by) = (None, None);
        record.extras = ExtraFields { own_us, passes, suspect, stream, played, notes, ruling, ruled_by }.into();
        record.referee = run.referee;
        Ok(record)
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut run: RunLine<'_, Option<Arc<Isolation>>> = RunLine::deserialize(deserializer)?;
        let isolation = run.isolation.take().ok_or_else(|| D::Error::missing_field("isolation"))?;
        RunReader::default().record(run, isolation).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A line with every member that runs can have, and a verdict.
    fn line(verdict: &Value) -> Value {
        let mut line = json!({
            "line": "run", "seq": 7, "round": 2, "entry": "a \"quoted\" name", "board": "Ä", "repeat": 3, "attempt": 4,
            "in_vain": true, "wall_us": 5, "limit_ms": 6, "cpu_us": 8, "cpu_by": "cgroup", "memory_bytes": 9,
            "memory_by": "sampled", "contention": {"cpu_pressure_us": 1, "taken_us": 2}, "suspect": "others",
            "stdout_bytes": 10, "stderr_bytes": 11, "against": ["b"], "own_us": 3, "passes": [{"wall_us": 1, "cpu_us": 2}],
            "stream": {"lines": 2, "judged": 1}, "played": {"seats": [{"points": "1", "asks": 1, "used_us": 2, "longest_us": 3}]},
            "output": {"stdout": {"bytes": 10, "sha256": "0".repeat(64)}},
            "isolation": {"tier": "landlock", "layers": ["one", "two"]}, "machine": 1, "final_board": "X\\Y",
            "notes": ["a", "b"], "referee": "r", "at": "1995-04-30T11:59:59Z"
        });
        let members = line.as_object_mut().unwrap();
        members.extend(verdict.as_object().unwrap().clone());
        line
    }

    fn verdicts() -> Vec<Value> {
        let given = json!({"figures": {"ups": "2.50", "downs": "-3"}, "full": "25"});
        let with = |verdict: &str, more: Value| {
            let mut all = given.clone();
            all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            all["verdict"] = verdict.into();
            all
        };
        let mut all: Vec<Value> = ["solved", "unsolved", "valid"].map(|name| with(name, json!({}))).into();
        all.push(with("illegal_move", json!({"failed_at": 4, "token": "\u{1b}", "reason": "why"})));
        all.push(with("wrong", json!({"reason": "why"})));
        for name in
            ["timed_out", "out_of_cpu", "out_of_memory", "too_many_processes", "scratch_full", "too_much_output"]
        {
            all.push(json!({"verdict": name}));
        }
        all.push(json!({"verdict": "crashed", "exit": {"code": 3}}));
        all.push(json!({"verdict": "crashed", "exit": {"signal": 11}}));
        for name in ["could_not_start", "build_failed", "judge_error"] {
            all.push(json!({"verdict": name, "reason": "referee: why"}));
        }
        all
    }

    /// A line as in a journal, with the member `line` first.
    fn text(line: &Value) -> String {
        let rest = line.as_object().unwrap().iter().filter(|(name, _)| *name != "line");
        let rest: Vec<String> = rest.map(|(name, value)| format!("\"{name}\":{value}")).collect();
        format!("{}{}}}", std::str::from_utf8(RUN_LINE).unwrap(), rest.join(","))
    }

    #[test]
    fn every_verdict_is_written_and_read_with_all_its_members() {
        let mut reader = RunReader::default();
        for verdict in verdicts() {
            let line = line(&verdict);
            let (record, at) = reader.read(text(&line).as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(at.unwrap().to_string(), "1995-04-30T11:59:59Z");
            let mut written = serde_json::to_value(&record).unwrap();
            (written["line"], written["at"]) = ("run".into(), line["at"].clone());
            assert_eq!(written, line);
            assert_eq!(serde_json::from_value::<Record>(line).unwrap(), record, "from a value, too");
        }
    }

    #[test]
    fn a_line_without_a_member_that_its_verdict_needs_is_refused_and_an_unknown_word_with_the_known_ones() {
        let refused = |verdict: &Value| {
            RunReader::default().read(text(&line(verdict)).as_bytes()).expect_err("a fault").to_string()
        };
        for verdict in verdicts() {
            let word = verdict["verdict"].as_str().unwrap();
            for member in ["failed_at", "token", "reason", "exit"].iter().filter(|member| verdict.get(member).is_some())
            {
                let mut without = verdict.clone();
                without.as_object_mut().unwrap().remove(*member);
                let error = refused(&without);
                assert!(error.starts_with(&format!("the verdict {word} needs ")), "{error}");
            }
        }
        let error = refused(&json!({"verdict": "solvd"}));
        let known = "unknown verdict `solvd`; did you mean `solved`? available: solved, unsolved, valid, timed_out, ";
        assert!(error.starts_with(known), "{error}");
        assert!(refused(&json!({"verdict": "solved", "progress": 3})).contains(EARLIER));
    }

    #[test]
    fn a_member_twice_is_an_error_and_an_unknown_one_is_left_out() {
        let known = text(&line(&verdicts()[0]));
        for (more, is_read) in [(r#","unknown":1}"#, true), (r#","seq":7}"#, false), (r#","verdict":"solved"}"#, false)]
        {
            let text = known.strip_suffix('}').unwrap().to_owned() + more;
            assert_eq!(RunReader::default().read(text.as_bytes()).is_ok(), is_read, "{text}");
        }
    }

    #[test]
    fn runs_share_what_they_have_in_common() {
        let mut reader = RunReader::default();
        let one = text(&line(&verdicts()[0]));
        let other = one.replace("landlock", "namespaces").replace("X\\\\Y", "Z");
        let mut read = |text: &str| reader.read(text.as_bytes()).unwrap().0;
        let (first, second, third) = (read(&one), read(&one), read(&other));
        assert!(Arc::ptr_eq(&first.isolation, &second.isolation));
        assert!(Arc::ptr_eq(first.final_board.as_ref().unwrap(), second.final_board.as_ref().unwrap()));
        assert_eq!((third.isolation.tier.name(), third.final_board.as_deref()), ("namespaces", Some("Z")));
        assert_eq!(first.isolation.tier.name(), "landlock");
    }
}
