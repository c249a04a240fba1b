//! A fast reader for the line of a finished run, in one pass. A contest has millions of such lines.
//!
//! [`Record`] describes its members by flattened parts. For these, serde first stores every member and its value, and then
//! searches those of each part. [`RunLine`] has all members side by side instead. It leaves everything unknown to [`Record`]. So
//! both read the same lines in the same way, and every error is that of [`Record`].

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use judge_job::{Bytes, Contention, Count, Isolation, MeasuredBy, Micros, Millis, Usage};

use super::extras::ExtraFields;
use super::record::{Output, Record};
use crate::date::Date;
use crate::figure::{Figures, Given};
use crate::game::IllegalMove;
use crate::key::{Name, RunKey, first, shared_name};
use crate::points::Points;
use crate::verdict::{Exit, Verdict};

/// The beginning of the line of a finished run.
pub(super) const RUN_LINE: &[u8] = b"{\"line\":\"run\",";

/// Every member that the line of a run can have. A line with another member, or without one that its verdict needs, is left to
/// [`Record`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunLine<'a> {
    #[serde(rename = "line")]
    _line: IgnoredAny,
    seq: usize,
    round: u32,
    #[serde(borrow)]
    entry: Cow<'a, str>,
    #[serde(borrow)]
    board: Cow<'a, str>,
    #[serde(default = "first")]
    repeat: u32,
    #[serde(default = "first")]
    attempt: u32,
    #[serde(default)]
    in_vain: bool,
    #[serde(borrow)]
    verdict: Cow<'a, str>,
    #[serde(default)]
    figures: Figures,
    full: Option<Points>,
    failed_at: Option<Count>,
    token: Option<String>,
    reason: Option<String>,
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
    suspect: Option<Box<str>>,
    #[serde(deserialize_with = "Bytes::number")]
    stdout_bytes: u64,
    #[serde(deserialize_with = "Bytes::number")]
    stderr_bytes: u64,
    output: Option<Box<Output>>,
    #[serde(borrow)]
    isolation: &'a RawValue,
    #[serde(default)]
    machine: u32,
    #[serde(borrow)]
    final_board: Option<Cow<'a, str>>,
    #[serde(default)]
    notes: Vec<String>,
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
    /// Reads the record of a line and its date; `None` for a line that [`Record`] has to read.
    pub(super) fn read(&mut self, line: &[u8]) -> Option<(Record, Option<Date>)> {
        if !line.starts_with(RUN_LINE) {
            return None;
        }
        // The line is converted to text first; else serde would check every string in it separately.
        let mut run: RunLine<'_> = serde_json::from_str(std::str::from_utf8(line).ok()?).ok()?;
        let verdict = run.verdict()?;
        let key = RunKey {
            round: run.round,
            entry: Name::from(&*run.entry),
            board: shared_name(&mut self.board, &run.board),
            repeat: run.repeat,
            // [`Record`] reads the line of a game.
            against: None,
        };
        let isolation = self.isolation(run.isolation.get())?;
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
        record.extras = ExtraFields { suspect: run.suspect, notes: run.notes, ..ExtraFields::default() }.into();
        record.referee = run.referee;
        Some((record, run.at))
    }

    fn isolation(&mut self, text: &str) -> Option<Arc<Isolation>> {
        if let Some((_, isolation)) = self.isolation.as_ref().filter(|(last, _)| **last == *text) {
            return Some(isolation.clone());
        }
        let isolation: Arc<Isolation> = Arc::new(serde_json::from_str(text).ok()?);
        self.isolation = Some((text.into(), isolation.clone()));
        Some(isolation)
    }
}

impl RunLine<'_> {
    /// The verdict; `None` if it is unknown or a member of it is missing.
    fn verdict(&mut self) -> Option<Verdict> {
        Some(match &*self.verdict {
            "solved" => Verdict::Solved(self.given()),
            "unsolved" => Verdict::Unsolved(self.given()),
            "valid" => Verdict::Valid(self.given()),
            "illegal_move" => Verdict::IllegalMove {
                given: self.given(),
                illegal: Box::new(IllegalMove {
                    index: self.failed_at?.get(),
                    token: self.token.take()?,
                    reason: self.reason.take()?,
                }),
            },
            "wrong" => Verdict::Wrong { given: self.given(), reason: self.reason.take()? },
            "timed_out" => Verdict::TimedOut,
            "out_of_cpu" => Verdict::OutOfCpu,
            "out_of_memory" => Verdict::OutOfMemory,
            "too_many_processes" => Verdict::TooManyProcesses,
            "scratch_full" => Verdict::ScratchFull,
            "too_much_output" => Verdict::TooMuchOutput,
            "crashed" => Verdict::Crashed { exit: self.exit? },
            "could_not_start" => Verdict::CouldNotStart { reason: self.reason.take()? },
            "build_failed" => Verdict::BuildFailed { reason: self.reason.take()? },
            "judge_error" => Verdict::JudgeError { reason: self.reason.take()?.into() },
            _ => return None,
        })
    }

    fn given(&mut self) -> Given {
        Given { figures: std::mem::take(&mut self.figures), full: self.full }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A line with every member that a verdict does not need.
    fn line(verdict: &Value) -> Value {
        let mut line = json!({
            "line": "run", "seq": 7, "round": 2, "entry": "a \"quoted\" name", "board": "Ä", "repeat": 3, "attempt": 4,
            "in_vain": true, "wall_us": 5, "limit_ms": 6, "cpu_us": 8, "cpu_by": "cgroup", "memory_bytes": 9,
            "memory_by": "sampled", "contention": {"cpu_pressure_us": 1, "taken_us": 2}, "suspect": "others",
            "stdout_bytes": 10, "stderr_bytes": 11,
            "output": {"stdout": {"bytes": 10, "sha256": "0".repeat(64)}, "stderr": null},
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
    fn every_verdict_is_read_as_the_record_reads_it() {
        let mut reader = RunReader::default();
        for verdict in verdicts() {
            let text = text(&line(&verdict));
            let (record, at) = reader.read(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(record, serde_json::from_str::<Record>(&text).unwrap(), "{text}");
            assert_eq!(at.unwrap().to_string(), "1995-04-30T11:59:59Z");
        }
    }

    #[test]
    fn lines_without_a_member_or_with_another_value_are_read_as_the_record_reads_them_or_by_that() {
        let mut reader = RunReader::default();
        let (mut read, mut left) = (0, 0);
        for verdict in verdicts() {
            let whole = line(&verdict);
            for name in whole.as_object().unwrap().keys().filter(|name| *name != "line" && *name != "at") {
                let values = [
                    json!(null),
                    json!(-1),
                    json!(1.5),
                    json!(true),
                    json!("x"),
                    json!([]),
                    json!({}),
                    json!(u64::MAX),
                ];
                let mut lines: Vec<Value> = vec![whole.clone()];
                lines[0].as_object_mut().unwrap().remove(name);
                lines.extend(values.map(|value| {
                    let mut line = whole.clone();
                    line[name] = value;
                    line
                }));
                for line in lines {
                    let text = text(&line);
                    match reader.read(text.as_bytes()) {
                        Some((record, _)) => {
                            assert_eq!(record, serde_json::from_str::<Record>(&text).unwrap(), "{text}");
                            read += 1;
                        }
                        None => left += 1,
                    }
                }
            }
        }
        assert!(read > 500 && left > 500, "{read} lines read in one pass, {left} not");
    }

    #[test]
    fn lines_with_an_unknown_member_or_one_twice_are_left_to_the_record() {
        let known = text(&line(&verdicts()[0]));
        for more in [r#","unknown":1}"#, r#","seq":7}"#, r#","verdict":"solved"}"#] {
            let text = known.strip_suffix('}').unwrap().to_owned() + more;
            assert!(RunReader::default().read(text.as_bytes()).is_none(), "{text}");
        }
        assert!(RunReader::default().read(known.replacen("run", "runs", 1).as_bytes()).is_none());
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
