//! Accepts submissions of teams.

use judge_core::fingerprint::Fingerprint;
use judge_core::journal::ContestState;

use crate::line::{Line, Submission};
use crate::state::State;
use crate::{MAX_FILE_NAME, MAX_UPLOAD_BYTES, Office, OfficeError, Upload, entries, intake, quota, uploads};

/// The confirmation of an accepted submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The submission from the log.
    pub submission: Submission,
    /// The time when it arrived, in seconds since the beginning of 1970 in UTC. It is the time of the submission everywhere.
    pub at: u64,
    /// True if the same upload was accepted before.
    pub repeated: bool,
    /// The files of its archive that were left out, as a fragment; `None` if no file was.
    pub left_out: Option<String>,
}

impl Office {
    /// The name of a language, even if it is not allowed. A language that is no longer known has its code as its name.
    pub fn language_name<'s>(&'s self, code: &'s str) -> &'s str {
        self.known.find(code).map_or(code, |language| &language.name)
    }

    /// Accepts an upload of a team. The bytes and the log line are on disk when this returns. If the upload equals the team's
    /// last submission to its problem, this returns that submission. It does not if that one is cancelled or ignored, or arrived
    /// late and the new one would be in time. If judging has begun, `contents` is the judged contest: submissions that are not
    /// judged yet count for the quotas.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown team or problem, an unusable file name, and an upload that is empty or too large.
    /// Also for an archive that is not acceptable (see [`intake`]), a language that is unknown or not installed, and an entry
    /// point that is not one of its files or classes. [`OfficeError::Quota`] and [`OfficeError::NotOpen`].
    pub fn submit(&self, upload: &Upload<'_>, contents: Option<&ContestState>) -> Result<Receipt, OfficeError> {
        let Upload { team, problem, file, bytes, language, entry_point, arrived } = *upload;
        let refuse = |reason: String| Err(OfficeError::refused(reason));
        if bytes.is_empty() {
            return refuse(format!("`{file}` is empty"));
        }
        if bytes.len() as u64 > MAX_UPLOAD_BYTES {
            return refuse(format!("`{file}` is larger than {} KiB", MAX_UPLOAD_BYTES / 1024));
        }
        if file.contains('/') || file.chars().count() > MAX_FILE_NAME {
            return refuse(format!("unusable file name: use at most {MAX_FILE_NAME} characters without /"));
        }
        if entry_point.is_some_and(|entry_point| !is_entry_point(entry_point)) {
            return refuse("unusable entry point: name a file or a class of yours".into());
        }
        let acceptable = intake::files(file, bytes).and_then(|unpacked| {
            let files = &unpacked.files;
            entries::check(files, language, self)?;
            entry_point.map_or(Ok(()), |entry_point| entries::check_entry_point(files, entry_point))?;
            Ok((language.is_none().then(|| self.recognise(files)), unpacked.left_out_text()))
        });
        let (recognised, left_out) = match acceptable {
            Ok(acceptable) => acceptable,
            Err(unacceptable) => return refuse(unacceptable.to_string()),
        };
        let problem = &*self.check_problem(problem.unwrap_or_default(), contents)?;
        let at = (self.clock)();
        let arrived = arrived.unwrap_or(at).min(at);
        let size = bytes.len() as u64;
        let state = self.tick()?;
        if !state.teams().contains_key(team) {
            return refuse(format!("unknown team `{team}`"));
        }
        let hash = Fingerprint::from_reader(bytes).map_err(|error| OfficeError::io(&self.folder, error))?.sha256;
        let is_late = |state: &State| state.is_late(arrived, at);
        let known = |state: &State| {
            let last = state
                .submissions_of(team, problem)
                .next_back()
                .filter(|(_, last)| last.sha256 == hash && *last.file == *file)
                .filter(|(_, last)| (last.language.as_deref(), last.entry_point.as_deref()) == (language, entry_point))
                .filter(|(_, last)| {
                    // A submission that is out is not judged, so an equal one would be lost.
                    let standing = state.gate(last.number);
                    let is_out = standing.cancelled || standing.ignored.is_some();
                    !is_out && (!last.late || standing.admitted || is_late(state))
                });
            last.map(|(at, last)| Receipt { submission: last.clone(), at, repeated: true, left_out: left_out.clone() })
        };
        let ends = contents.map(|contents| self.ends(&state, contents)).unwrap_or_default();
        let allowed = |state: &State| {
            state.may_submit(arrived, at)?;
            quota::check(state, (contents, ends.clone()), (team, problem), size, (arrived, at))
        };
        // Checked before anything is written, and again under the lock of the log.
        match known(&state) {
            Some(receipt) => return Ok(receipt),
            None => allowed(&state)?,
        }
        let stored = uploads::store(&self.folder, bytes)?;
        self.log.append_together(at, self.by.as_deref(), |state| {
            if let Some(receipt) = known(state) {
                return Ok((Vec::new(), receipt));
            }
            allowed(state)?;
            uploads::keep(&self.folder, &stored.sha256, bytes)?;
            let submission = Submission {
                number: state.next_number(),
                team: team.to_owned(),
                problem: problem.to_owned(),
                file: file.into(),
                sha256: stored.sha256,
                bytes: stored.bytes,
                language: language.map(str::to_owned),
                entry_point: entry_point.map(str::to_owned),
                recognised: recognised.clone(),
                arrived: Some(arrived).filter(|&arrived| arrived != at),
                late: is_late(state),
            };
            let line = Line::Submitted(submission.clone());
            Ok((vec![line], Receipt { submission, at: arrived, repeated: false, left_out: left_out.clone() }))
        })
    }

    /// Tests whether a team may submit to a problem now.
    ///
    /// # Errors
    /// [`OfficeError::Quota`], [`OfficeError::NotOpen`] and [`OfficeError::Refused`] if it may not.
    pub fn allows(&self, team: &str, problem: &str, contents: Option<&ContestState>) -> Result<(), OfficeError> {
        let (state, now) = (self.state()?, (self.clock)());
        state.may_submit(now, now)?;
        let ends = contents.map(|contents| self.ends(&state, contents)).unwrap_or_default();
        quota::check(&state, (contents, ends), (team, problem), 1, (now, now))
    }
}

/// Tests whether a text can be the name of a file or a class. It is an argument of commands.
fn is_entry_point(text: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || "._$/+-".contains(letter);
    text.chars().all(plain) && !text.starts_with('-') && (1..=MAX_FILE_NAME).contains(&text.chars().count())
}
