//! A stand-in for the execution of games, without a sandbox.
#![allow(clippy::all, clippy::pedantic, clippy::disallowed_methods, clippy::disallowed_types, clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use judge_core::matches::{Fault, MatchRules, Played};
use judge_core::plan::Board;
use judge_core::points::Points;
use judge_core::verdict::{Exit, Verdict};
use judge_job::{Argument, Interrupted, Job, StopRequest};

use super::External;

fn command(argv: &[Argument]) -> Command {
    let words: Vec<String> = argv
        .iter()
        .map(|argument| match argument {
            Argument::Text(text) => text.clone(),
            Argument::Path(place) => place.path().display().to_string(),
            _ => String::new(),
        })
        .collect();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

struct Alive(Child, ChildStdin, BufReader<ChildStdout>);

fn start(argv: &[Argument], more: &[String]) -> Option<Alive> {
    let mut child = command(argv).args(more).spawn().ok()?;
    let (stdin, stdout) = (child.stdin.take()?, child.stdout.take()?);
    Some(Alive(child, stdin, BufReader::new(stdout)))
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

impl External<'_> {
    pub(crate) fn play(
        &self,
        board: &Board,
        seats: Vec<Job>,
        _rules: &MatchRules,
        _at_once: bool,
        stop: Option<&dyn StopRequest>,
        transcript: &Path,
    ) -> Result<Result<Played, String>, Interrupted> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board.txt");
        std::fs::write(&path, &board.text).unwrap();
        let out = folder.path().join("out");
        std::fs::create_dir(&out).unwrap();
        let more = [path.display().to_string(), seats.len().to_string(), out.display().to_string()];
        let Some(mut referee) = start(&self.command, &more) else { return Ok(Err("it could not be started".into())) };
        let mut alive: Vec<Option<Alive>> = seats.iter().map(|job| start(&job.argv, &[])).collect();
        let mut played = Played::of_seats(seats.len());
        let mut open: Vec<usize> = Vec::new();
        let mut record = std::fs::File::create(transcript).unwrap();
        loop {
            if stop.is_some_and(|stop| stop.requested()) {
                return Err(Interrupted);
            }
            let mut line = String::new();
            if referee.2.read_line(&mut line).unwrap_or(0) == 0 {
                return Ok(Err("it ended without `end`".into()));
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["ask", seat, lines] => {
                    let (seat, lines): (usize, usize) = (seat.parse().unwrap(), lines.parse().unwrap());
                    played.seats[seat - 1].asks += 1;
                    for _ in 0..lines {
                        let mut text = String::new();
                        referee.2.read_line(&mut text).unwrap();
                        writeln!(
                            record,
                            "{}",
                            serde_json::json!({"at_us": 0, "event": "ask", "seat": seat, "text": text})
                        )
                        .unwrap();
                        if let Some(alive) = &mut alive[seat - 1] {
                            alive.1.write_all(text.as_bytes()).ok();
                        }
                    }
                    open.push(seat - 1);
                }
                ["wait"] => {
                    for seat in open.drain(..) {
                        let mut answer = String::new();
                        let read = alive[seat].as_mut().and_then(|alive| alive.2.read_line(&mut answer).ok());
                        let text = if read.unwrap_or(0) > 0 {
                            writeln!(record, "{}", serde_json::json!({"at_us": 0, "event": "answer", "seat": seat + 1, "text": answer, "took_us": 0})).unwrap();
                            format!("{} ok 1\n{}\n", seat + 1, answer.trim_end())
                        } else {
                            let ask = played.seats[seat].asks;
                            played.seats[seat].fault =
                                Some(Fault { ask, verdict: Verdict::Crashed { exit: Exit::Code(1) } });
                            format!("{} crash\n", seat + 1)
                        };
                        referee.1.write_all(text.as_bytes()).unwrap();
                    }
                }
                ["out", seat, ..] => {
                    let seat: usize = seat.parse().unwrap();
                    let reason = words[2..].join(" ");
                    let ask = played.seats[seat - 1].asks;
                    let verdict = Verdict::Wrong { score: Default::default(), reason };
                    played.seats[seat - 1].fault = Some(Fault { ask, verdict });
                }
                ["end", ..] => {
                    for (seat, points) in played.seats.iter_mut().zip(&words[1..]) {
                        seat.points = Points::parse(points, _rules.decimals).unwrap();
                    }
                    return Ok(Ok(played));
                }
                _ => return Ok(Err(format!("it wrote `{}`", line.trim_end()))),
            }
        }
    }
}
