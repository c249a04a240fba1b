#![doc = include_str!("../README.md")]

pub mod backup;
mod counting;
mod entries;
pub mod intake;
pub mod judging;
pub mod line;
pub mod log;
mod orders;
pub mod outbox;
pub mod people;
pub mod queue;
mod quota;
pub mod state;
pub mod status;
pub mod token;
mod uploads;
pub mod verify;
pub mod view;

pub use log::FILE_NAME as LOG_NAME;

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use judge_contest::office::{Counts, LanguageRule, OfficeRules, OfficeSetup, Times};
use judge_core::date::Date;
use judge_core::fingerprint::{Fingerprint, Hash};
use judge_core::journal::Contents;
use judge_files::{Folder, regular};
use judge_package::{Language, Languages, Tool};

pub use entries::EXECUTABLE;
use line::{Decision, Line, Message, Order, Submission};
use log::Log;
use people::{People, Person};
use state::{Holder, State};
use token::Token;

/// The name of the office's folder, beside the contest file.
pub const FOLDER: &str = "office";
/// The largest upload, in bytes.
pub const MAX_UPLOAD_BYTES: u64 = 1 << 20;
/// The most characters of the name of an uploaded file.
const MAX_FILE_NAME: usize = 100;

/// The caller's clock: seconds since the beginning of 1970 in UTC.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// Tests whether this machine has a program.
pub type Tools = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// The reason why the office did not do something. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OfficeError {
    /// The folder has no office.
    #[error("{} has no office; begin one with `judge team add`", .0.display())]
    Missing(PathBuf),
    /// A file of the office is not as it was written.
    #[error("{}: line {line}: {reason}; restore a copy of the folder", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong, as a fragment.
        reason: String,
    },
    /// A file or folder could not be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The change cannot follow on those before; the reason as a fragment.
    #[error("{0}")]
    Refused(String),
    /// The team has used what it may submit.
    #[error("too many submissions: at most {reason}")]
    Quota {
        /// The quota and the next time, as a fragment.
        reason: String,
        /// The moment from which it may submit again, in seconds since the beginning of 1970 in UTC; `None` if that depends on
        /// something else.
        next: Option<u64>,
    },
    /// The contest has not begun.
    #[error("submissions are accepted from {} on", Date::from_unix(*.0))]
    NotOpen(u64),
    /// An earlier change could not be put on disk.
    #[error("{}: an earlier line could not be written, so nothing is accepted; free space on the disk and start again", .0.display())]
    Closed(PathBuf),
    /// The system has no random numbers.
    #[error("random numbers: {0}")]
    Random(String),
}

impl OfficeError {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }
}

/// The answer to an accepted submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The submission as it is in the log.
    pub submission: Submission,
    /// When it was accepted, in seconds since the beginning of 1970 in UTC.
    pub at: u64,
    /// True if it was accepted before and the same upload came again.
    pub repeated: bool,
}

/// What a team hands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Upload<'a> {
    /// The team.
    pub team: &'a str,
    /// The name of the file.
    pub file: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Code of its language; `None` if the files decide.
    pub language: Option<&'a str>,
    /// The file or class that starts it; `None` if the files decide.
    pub entry_point: Option<&'a str>,
    /// When its head arrived, in seconds since the beginning of 1970 in UTC; `None` for now.
    pub arrived: Option<u64>,
}

impl<'a> Upload<'a> {
    /// An upload that arrives now, in the language of its files.
    pub fn new(team: &'a str, file: &'a str, bytes: &'a [u8]) -> Self {
        Self { team, file, bytes, language: None, entry_point: None, arrived: None }
    }
}

/// The office of a contest. Its methods can be called by several threads, and by several processes on one folder.
pub struct Office {
    folder: PathBuf,
    log: Mutex<Log>,
    clock: Clock,
    tools: Tools,
    languages: Languages,
}

impl Office {
    /// Begins an office in this folder, which is made, or opens the one that is there.
    ///
    /// # Errors
    /// [`OfficeError::Io`], and [`OfficeError::Damaged`] for a log that is not as it was written.
    pub fn create(folder: &Path, clock: Clock) -> Result<Self, OfficeError> {
        for inner in ["", uploads::STORED, uploads::INCOMING, entries::FOLDER] {
            let path = folder.join(inner);
            // What teams hand in is for the organiser alone.
            let made = DirBuilder::new().recursive(true).mode(0o700).create(&path);
            made.map_err(|error| OfficeError::io(&path, error))?;
        }
        if let Some(above) = folder.parent().filter(|above| !above.as_os_str().is_empty()) {
            log::sync_folder(above).map_err(|error| OfficeError::io(above, error))?;
        }
        let log = match Log::open(folder) {
            Err(OfficeError::Missing(_)) => match Log::create(folder, clock()) {
                // Another process was quicker.
                Err(OfficeError::Io { error, .. }) if error.kind() == io::ErrorKind::AlreadyExists => Log::open(folder),
                made => made,
            },
            opened => opened,
        };
        Ok(Self {
            folder: folder.to_owned(),
            log: Mutex::new(log?),
            clock,
            tools: all_tools(),
            languages: Languages::default(),
        })
    }

    /// Opens the office in this folder.
    ///
    /// # Errors
    /// As [`Self::create`], and [`OfficeError::Missing`].
    pub fn open(folder: &Path, clock: Clock) -> Result<Self, OfficeError> {
        Ok(Self {
            folder: folder.to_owned(),
            log: Mutex::new(Log::open(folder)?),
            clock,
            tools: all_tools(),
            languages: Languages::default(),
        })
    }

    /// The same on a machine that has the programs for which this is true: submissions in a language that needs others are
    /// refused. Without it, it has all.
    #[must_use]
    pub fn with_tools(self, tools: Tools) -> Self {
        Self { tools, ..self }
    }

    /// The same with the languages of a contest file.
    #[must_use]
    pub fn with_languages(self, setup: &OfficeSetup) -> Self {
        let language = |rule: &LanguageRule| {
            let LanguageRule { code, name, endings, needs, build, run, memory } = rule.clone();
            Language::new(code, name, endings, Tool::new(needs, build, run)).with_memory(memory)
        };
        let languages = Languages::default().with(setup.languages.iter().map(language));
        let languages = match &setup.allowed {
            Some(allowed) => languages.only(allowed),
            None => languages,
        };
        Self { languages, ..self }
    }

    /// The time of its clock, in seconds since the beginning of 1970 in UTC.
    pub fn now(&self) -> u64 {
        (self.clock)()
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes what uploads that were cut off have left. Only for a caller who knows that no other process accepts any.
    ///
    /// # Errors
    /// [`OfficeError::Io`].
    pub fn sweep(&self) -> Result<(), OfficeError> {
        uploads::sweep(&self.folder).map_err(|error| OfficeError::io(&self.folder.join(uploads::INCOMING), error))
    }

    /// The state after all lines of the log, those of other processes included. A clone is cheap.
    ///
    /// # Errors
    /// [`OfficeError::Io`] and [`OfficeError::Damaged`].
    pub fn state(&self) -> Result<Arc<State>, OfficeError> {
        let mut log = self.log();
        log.refresh()?;
        Ok(log.state())
    }

    /// Adds a team and returns its token, which is not stored.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for a name that is unusable or taken.
    pub fn add_team(&self, team: &str, person: Option<Person>) -> Result<Token, OfficeError> {
        let added = self.add_teams(vec![(team.to_owned(), person)])?;
        added.into_iter().next().map(|(_, token)| token).ok_or_else(|| OfficeError::Refused("no team".into()))
    }

    /// Adds teams, all of them or none, and returns each with its token.
    ///
    /// # Errors
    /// As [`Self::add_team`].
    pub fn add_teams(&self, teams: Vec<(String, Option<Person>)>) -> Result<Vec<(String, Token)>, OfficeError> {
        let (mut lines, mut tokens, mut persons) = (Vec::new(), Vec::new(), People::new());
        for (team, person) in teams {
            let token = Token::random()?;
            lines.push(Line::Team { team: team.clone(), registered: false });
            lines.push(Line::Token { team: Some(team.clone()), hash: token.hash() });
            persons.extend(person.map(|person| (team.clone(), person)));
            tokens.push((team, token));
        }
        self.log().append((self.clock)(), |_| Ok((lines, ())))?;
        if !persons.is_empty() {
            self.change_people(|people| people.extend(persons))?;
        }
        Ok(tokens)
    }

    /// Gives a team a new token; those before are void.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown team.
    pub fn renew_token(&self, team: &str) -> Result<Token, OfficeError> {
        let token = Token::random()?;
        let (team, hash) = (team.to_owned(), token.hash());
        let lines = vec![Line::Revoked { team: team.clone() }, Line::Token { team: Some(team), hash }];
        self.log().append((self.clock)(), |_| Ok((lines, ())))?;
        Ok(token)
    }

    /// Makes all tokens of a team void. Its submissions stay.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown team.
    pub fn revoke(&self, team: &str) -> Result<(), OfficeError> {
        let line = Line::Revoked { team: team.to_owned() };
        self.log().append((self.clock)(), |_| Ok((vec![line], ())))
    }

    /// Erases the people of a team. Its name and its submissions stay.
    ///
    /// # Errors
    /// [`OfficeError::Io`] and [`OfficeError::Damaged`].
    pub fn forget(&self, team: &str) -> Result<(), OfficeError> {
        self.change_people(|people| drop(people.remove(team)))
    }

    /// The people of all teams.
    ///
    /// # Errors
    /// [`OfficeError::Io`] and [`OfficeError::Damaged`].
    pub fn people(&self) -> Result<People, OfficeError> {
        people::read(&self.opened()?)
    }

    /// Gives the organiser a token if none has been given yet.
    ///
    /// # Errors
    /// [`OfficeError::Io`] and [`OfficeError::Damaged`].
    pub fn first_organiser(&self) -> Result<Option<Token>, OfficeError> {
        let token = Token::random()?;
        let line = Line::Token { team: None, hash: token.hash() };
        let first = self.log().append((self.clock)(), |state| {
            let first = !state.has_organiser();
            Ok((first.then_some(line).into_iter().collect(), first))
        })?;
        Ok(first.then_some(token))
    }

    /// Gives the organiser a new token; those before are void.
    ///
    /// # Errors
    /// [`OfficeError::Io`] and [`OfficeError::Damaged`].
    pub fn renew_organiser(&self) -> Result<Token, OfficeError> {
        let token = Token::random()?;
        let lines = vec![Line::OrganiserRevoked, Line::Token { team: None, hash: token.hash() }];
        self.log().append((self.clock)(), |_| Ok((lines, ())))?;
        Ok(token)
    }

    /// The one who has this token.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn holder(&self, shown: &str) -> Result<Option<Holder>, OfficeError> {
        Ok(self.state()?.holder(&Token::hash_of(shown)))
    }

    /// Accepts an upload of a team. The bytes and the line of the log are on disk when this returns. If it is the same as the
    /// team's last submission, that is the answer. `contents` is the contest as it is judged, if that has begun: what is not
    /// judged yet counts for the quotas.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown team, an unusable file name, an upload that is empty or too large, an archive that
    /// is not acceptable (see [`intake`]), and a language that is unknown or not installed. [`OfficeError::Quota`] and
    /// [`OfficeError::NotOpen`].
    pub fn submit(&self, upload: &Upload<'_>, contents: Option<&Contents>) -> Result<Receipt, OfficeError> {
        let Upload { team, file, bytes, language, entry_point, arrived } = *upload;
        let refuse = |reason: String| Err(OfficeError::Refused(reason));
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
        let acceptable = intake::files(file, bytes).and_then(|files| entries::check(&files, language, self));
        if let Err(unacceptable) = acceptable {
            return refuse(unacceptable.to_string());
        }
        let at = (self.clock)();
        let arrived = arrived.unwrap_or(at).min(at);
        let size = bytes.len() as u64;
        let state = self.tick()?;
        if !state.teams().contains_key(team) {
            return refuse(format!("unknown team `{team}`"));
        }
        let hash = Fingerprint::from_reader(bytes).map_err(|error| OfficeError::io(&self.folder, error))?.sha256;
        let known = |state: &State| {
            let last = state
                .last_of(team)
                .filter(|(_, last)| last.sha256 == hash && last.file == file)
                .filter(|(_, last)| (last.language.as_deref(), last.entry_point.as_deref()) == (language, entry_point));
            last.map(|(at, last)| Receipt { submission: last.clone(), at, repeated: true })
        };
        let allowed = |state: &State| {
            if let Some(opens) = state.rules().times.opens.filter(|&opens| arrived < opens) {
                return Err(OfficeError::NotOpen(opens));
            }
            quota::check(state, contents, team, size, arrived)
        };
        // Before anything is written, and again when no other writer can come in between.
        match known(&state) {
            Some(receipt) => return Ok(receipt),
            None => allowed(&state)?,
        }
        let stored = uploads::store(&self.folder, bytes)?;
        self.log().append(at, |state| {
            if let Some(receipt) = known(state) {
                return Ok((Vec::new(), receipt));
            }
            allowed(state)?;
            let closed = state.rules().times.closes.is_some_and(|closes| arrived >= closes);
            let submission = Submission {
                number: state.next_number(),
                team: team.to_owned(),
                file: file.to_owned(),
                sha256: stored.sha256,
                bytes: stored.bytes,
                language: language.map(str::to_owned),
                entry_point: entry_point.map(str::to_owned),
                arrived: Some(arrived).filter(|&arrived| arrived != at),
                late: closed || state.finals(),
            };
            let line = Line::Submitted(submission.clone());
            Ok((vec![line], Receipt { submission, at, repeated: false }))
        })
    }

    /// Tests whether a team may submit something now.
    ///
    /// # Errors
    /// [`OfficeError::Quota`] and [`OfficeError::NotOpen`] if it may not.
    pub fn allows(&self, team: &str, contents: Option<&Contents>) -> Result<(), OfficeError> {
        let (state, now) = (self.state()?, (self.clock)());
        match state.rules().times.opens.filter(|&opens| now < opens) {
            Some(opens) => Err(OfficeError::NotOpen(opens)),
            None => quota::check(&state, contents, team, 1, now),
        }
    }

    /// Does what the clock asks for, such as the freeze of the board at its time, and returns the state.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn tick(&self) -> Result<Arc<State>, OfficeError> {
        let state = self.state()?;
        let now = (self.clock)();
        if state.due(now).is_empty() {
            return Ok(state);
        }
        self.log().append(now, |state| Ok((state.due(now), ())))?;
        self.state()
    }

    /// Records the rules of the contest file, if they are others than those that were recorded last.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn set_rules(&self, rules: &OfficeRules) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |state| {
            let new = !state.has_rules(rules);
            Ok((new.then(|| Line::Rules { rules: rules.clone() }).into_iter().collect(), ()))
        })
    }

    /// Changes times, for a reason that everybody reads. What is `None` stays.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if the times are not in their order, or the reason is missing.
    pub fn extend(&self, times: &Times, because: &str) -> Result<Times, OfficeError> {
        if because.trim().is_empty() {
            return Err(OfficeError::Refused("give the reason, for everybody to read".into()));
        }
        self.log().append((self.clock)(), |state| {
            let now = state.rules().times;
            let times = Times {
                opens: times.opens.or(now.opens),
                freezes: times.freezes.or(now.freezes),
                closes: times.closes.or(now.closes),
            };
            Ok((vec![Line::Extended { times, because: because.trim().to_owned() }], times))
        })
    }

    /// Records a decision on a submission, with a reason that its team reads.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown submission, and a decision that changes nothing.
    pub fn decide(&self, number: u32, decision: Decision, because: Option<&str>) -> Result<(), OfficeError> {
        let because = because.map(|because| because.trim().to_owned()).filter(|because| !because.is_empty());
        self.log().append((self.clock)(), |_| Ok((vec![Line::Decided { number, decision, because }], ())))
    }

    /// Changes something of the contest, as soon as it is judged.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown team or board, a missing reason, and a run that has no verdict.
    pub fn order(&self, mut order: Order, contents: &Contents) -> Result<(), OfficeError> {
        if let Some(reason) = orders::problem(&order, contents) {
            return Err(OfficeError::Refused(reason));
        }
        self.log().append((self.clock)(), |state| {
            orders::sign(&mut order, state);
            Ok((vec![Line::Ordered(Box::new(order))], ()))
        })
    }

    /// Takes a submission back for its team, as long as it waits to be judged.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if it is another team's or is being judged.
    pub fn cancel(&self, team: &str, number: u32, contents: Option<&Contents>) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |state| {
            let own = state.submission(number).filter(|(_, submission)| submission.team == team);
            let Some((_, submission)) = own else {
                return Err(OfficeError::Refused(format!("{team} has no submission {number}")));
            };
            let waits = contents.is_none_or(|contents| {
                let status = status::of(submission, state, contents);
                matches!(status, status::Status::Queued | status::Status::Late | status::Status::Waits(_))
            });
            if !waits {
                return Err(OfficeError::Refused(format!("{} is judged already", submission.entry())));
            }
            Ok((vec![Line::Decided { number, decision: Decision::Cancelled, because: None }], ()))
        })
    }

    /// Chooses the submission that counts for its team.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if it is another team's, another one counts by the rules, or the final rounds have begun.
    pub fn choose(&self, team: &str, number: u32) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |state| {
            let refuse = |reason: String| Err(OfficeError::Refused(reason));
            if state.rules().counts != Counts::Chosen {
                return refuse("teams do not choose in this contest".into());
            }
            if state.finals() {
                return refuse("the final rounds have begun".into());
            }
            if state.submission(number).is_none_or(|(_, submission)| submission.team != team) {
                return refuse(format!("{team} has no submission {number}"));
            }
            Ok((vec![Line::Chosen { number }], ()))
        })
    }

    /// Freezes the public board: of the submissions from now on, it shows only that they came.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if it is frozen already.
    pub fn freeze(&self) -> Result<u32, OfficeError> {
        self.log().append((self.clock)(), |state| {
            let last = state.next_number() - 1;
            Ok((vec![Line::Frozen { last, from: None }], last))
        })
    }

    /// Shows everything again.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if the board is not frozen.
    pub fn thaw(&self) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |_| Ok((vec![Line::Thawed], ())))
    }

    /// Begins the final rounds: their sealed boards are judged, and nothing else is from now on.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if they have begun.
    pub fn begin_finals(&self) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |_| Ok((vec![Line::Finals], ())))
    }

    /// Declares the results final.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if they are.
    pub fn finalise(&self) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |_| Ok((vec![Line::Final], ())))
    }

    /// Opens the link by which so many teams can add themselves, and returns its token. One that was open before is closed.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn open_registration(&self, most: u32) -> Result<Token, OfficeError> {
        let token = Token::random()?;
        let line = Line::Registration { hash: Some(token.hash()), most };
        self.log().append((self.clock)(), |_| Ok((vec![line], ())))?;
        Ok(token)
    }

    /// Closes the link.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn close_registration(&self) -> Result<(), OfficeError> {
        let line = Line::Registration { hash: None, most: 0 };
        self.log().append((self.clock)(), |_| Ok((vec![line], ())))
    }

    /// Adds a team for somebody who has the link's token, and returns the token of the team.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for another token, if as many teams have come as can, and as [`Self::add_team`].
    pub fn register(&self, shown: &str, team: &str) -> Result<Token, OfficeError> {
        let (token, shown) = (Token::random()?, Token::hash_of(shown));
        self.log().append((self.clock)(), |state| {
            if state.registration().is_none_or(|link| !state::same(&link.hash, &shown)) {
                return Err(OfficeError::Refused("this link is not valid any more".into()));
            }
            let line = Line::Token { team: Some(team.to_owned()), hash: token.hash() };
            Ok((vec![Line::Team { team: team.to_owned(), registered: true }, line], ()))
        })?;
        Ok(token)
    }

    /// Sends a question of a team, or a text of the organiser. Returns its number.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an empty or a long text, and for what it answers if that is no question.
    pub fn send(&self, message: &Message) -> Result<u32, OfficeError> {
        self.log().append((self.clock)(), |state| {
            let message = Message { number: state.next_message(), ..message.clone() };
            let number = message.number;
            Ok((vec![Line::Message(message)], number))
        })
    }

    /// Sends a question of a team.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub fn ask(&self, team: &str, text: &str) -> Result<u32, OfficeError> {
        self.send(&Message { from: Some(team.to_owned()), ..Message::new(text) })
    }

    /// Publishes a text for everybody.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub fn notice(&self, text: &str) -> Result<u32, OfficeError> {
        self.send(&Message::new(text))
    }

    /// Answers a question: its team alone, or everybody. Nobody else sees the question, so a text for everybody says what it was.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub fn answer(&self, question: u32, text: &str, everybody: bool) -> Result<u32, OfficeError> {
        let team = self.state()?.message(question).and_then(|(_, asked)| asked.from.clone());
        let to = team.filter(|_| !everybody);
        self.send(&Message { to, answers: Some(question), ..Message::new(text) })
    }

    /// Says who is about to answer a question. Returns who was before.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown question.
    pub fn claim(&self, question: u32, by: &str) -> Result<Option<String>, OfficeError> {
        self.log().append((self.clock)(), |state| {
            let before = state.claim(question).map(str::to_owned);
            Ok((vec![Line::Claimed { question, by: by.to_owned() }], before))
        })
    }

    /// Notes that the command for news is about to be executed for an event. `false` if it may not be executed: it was already,
    /// or nobody can say whether it was.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn begin_notifying(&self, event: &str) -> Result<bool, OfficeError> {
        self.log().append((self.clock)(), |state| {
            let notified = state.notified(event);
            let may = notified.times == 0 || notified.failed;
            Ok((may.then(|| Line::Notifying { event: event.to_owned() }).into_iter().collect(), may))
        })
    }

    /// Notes that the command failed, so that it may be executed again.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn notifying_failed(&self, event: &str) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |_| Ok((vec![Line::NotifyFailed { event: event.to_owned() }], ())))
    }

    /// The bytes of an upload.
    ///
    /// # Errors
    /// [`OfficeError::Io`].
    pub fn upload(&self, hash: &Hash) -> Result<Vec<u8>, OfficeError> {
        let path = uploads::path(&self.folder, hash);
        regular::read(&path, MAX_UPLOAD_BYTES).map_err(|error| OfficeError::io(&path, error))
    }

    /// The code of a submission's language; `executable` for a program that needs none.
    ///
    /// # Errors
    /// [`OfficeError::Io`].
    pub fn language_of(&self, submission: &Submission) -> Result<String, OfficeError> {
        if let Some(language) = &submission.language {
            return Ok(language.clone());
        }
        let bytes = self.upload(&submission.sha256)?;
        let files = intake::files(&submission.file, &bytes).unwrap_or_default();
        Ok(entries::recognised(&files, &self.languages).unwrap_or_else(|| EXECUTABLE.to_owned()))
    }

    /// The languages that are allowed and that this machine can build and run.
    pub fn languages(&self) -> Vec<Language> {
        let usable = |language: &&Language| language.check_installed(&|program| self.has(program)).is_ok();
        self.languages.all().iter().filter(usable).cloned().collect()
    }

    /// Tests whether this machine has a program.
    pub(crate) fn has(&self, program: &str) -> bool {
        (self.tools)(program)
    }

    fn change_people(&self, change: impl FnOnce(&mut People)) -> Result<(), OfficeError> {
        // Under the lock of the log, so that two processes do not lose a change of each other.
        self.log().append((self.clock)(), |_| {
            let folder = self.opened()?;
            let mut people = people::read(&folder)?;
            change(&mut people);
            people::write(&folder, &people)?;
            Ok((Vec::new(), ()))
        })
    }

    fn opened(&self) -> Result<Folder, OfficeError> {
        Folder::open(&self.folder).map_err(|error| OfficeError::io(&self.folder, error))
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        // Lines are applied to a copy, which replaces the state as a whole.
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tests whether a text can be the name of a file or a class. It is an argument of commands.
fn is_entry_point(text: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() || "._$/+-".contains(letter);
    text.chars().all(plain) && !text.starts_with('-') && (1..=MAX_FILE_NAME).contains(&text.chars().count())
}

fn all_tools() -> Tools {
    Arc::new(|_| true)
}

#[cfg(test)]
mod tests;
