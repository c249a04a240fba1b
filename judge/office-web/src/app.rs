//! The state of the pages, shared by all their requests, and the queries on it.

use std::collections::{HashMap, HashSet};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::{HeaderMap, header};
use judge_contest::office::Feedback;
use judge_contest::open_contest::OpenContest;
use judge_office::judging::Handle;
use judge_office::state::{State, Submission};
use judge_office::{Office, OfficeError, disk_space};
use tokio::sync::watch;

use crate::board::{BoardInput, Boards};
use crate::icpc::feed::SharedParts;
use crate::metrics::Metrics;
use crate::options::{Contest, Options, ServeError};
use crate::permits::Permits;
use crate::session::{Key, Session};
use crate::unfinished::Unfinished;

/// The most wrong tokens that an address may send per minute.
const MAX_FAILURES: u32 = 10;

/// The most characters of an identifier.
const MAX_ID: usize = 36;

/// The access log: one line per request. Writing to it never blocks.
#[derive(Clone)]
pub(crate) struct AccessLog {
    pub(crate) line: Arc<dyn Fn(&str) + Send + Sync>,
    pub(crate) dropped: Arc<dyn Fn() -> u64 + Send + Sync>,
}

impl AccessLog {
    /// Adds a line.
    pub(crate) fn line(&self, line: &str) {
        (self.line)(line);
    }
}

/// The office, the contest and everything else that requests need, shared by all of them.
pub(crate) struct App {
    /// The identifier of the contest.
    pub(crate) id: String,
    pub(crate) office: Arc<Office>,
    pub(crate) open_contest: Arc<OpenContest>,
    /// A handle to observe the judging.
    pub(crate) judging: Handle,
    pub(crate) options: Options,
    /// The addresses of the site, in the form in which browsers send them in `Origin`.
    pub(crate) origins: Vec<String>,
    pub(crate) boards: Boards,
    pub(crate) alike: SharedParts,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) unfinished: Unfinished,
    /// Current requests and streams of proxies, counted separately, by the client's address.
    pub(crate) behind_proxies: Permits<(IpAddr, bool)>,
    /// True once the server is stopping.
    pub(crate) stopping: watch::Sender<bool>,
    pub(crate) viewers: Arc<AtomicUsize>,
    pub(crate) log: AccessLog,
    /// Measures the free space of the disk with a folder, in bytes.
    pub(crate) space: fn(&Path) -> io::Result<u64>,
    key: Key,
    failures: Arc<Mutex<Failures>>,
}

/// Wrong tokens by address, in the current minute.
#[derive(Default)]
struct Failures {
    minute: u64,
    counts: HashMap<IpAddr, u32>,
}

impl App {
    pub(crate) fn new(
        Contest { office, open_contest, judging }: Contest,
        options: Options,
        log: AccessLog,
    ) -> Result<Self, ServeError> {
        let key = Key::of(office.folder())?;
        let address = options.listen;
        let mut origins = vec![format!("http://{address}")];
        if address.ip().is_loopback() {
            origins.push(format!("http://localhost:{}", address.port()));
        }
        if let Some(origin) = options.origin()? {
            origins.insert(0, origin.to_owned());
        }
        let boards = Boards::new(options.feedback, office.clone());
        let (stopping, _) = watch::channel(false);
        let (alike, metrics, unfinished, behind_proxies, failures, viewers) = Default::default();
        Ok(Self {
            id: id_of(&open_contest.contest().path),
            office,
            open_contest,
            judging,
            options,
            origins,
            boards,
            alike,
            metrics,
            unfinished,
            behind_proxies,
            stopping,
            viewers,
            log,
            space: disk_space::free_bytes,
            key,
            failures,
        })
    }

    /// The state of the office.
    pub(crate) fn state(&self) -> Result<Arc<State>, OfficeError> {
        self.office.state()
    }

    /// The free space on the disk of the office or of the results, whichever is less, in bytes.
    pub(crate) fn free_bytes(&self) -> io::Result<u64> {
        let [office, results] = [self.office.folder(), self.open_contest.results()].map(self.space);
        match (office, results) {
            (Ok(office), Ok(results)) => Ok(office.min(results)),
            (office, results) => office.or(results),
        }
    }

    /// Tests whether so little space is free that nothing is accepted, because judging needs the rest.
    pub(crate) fn is_full(&self) -> bool {
        self.free_bytes().is_ok_and(|free| free < disk_space::MIN_BYTES_FOR_INTAKE)
    }

    /// Executes what is due by the clock, and returns the state of the office.
    pub(crate) fn tick(&self) -> Result<Arc<State>, OfficeError> {
        self.office.tick()
    }

    /// The present data for boards; `None` if the log cannot be read.
    pub(crate) fn now(&self) -> Option<BoardInput> {
        let state = self.tick().ok()?;
        Some((state, self.open_contest.contents()))
    }

    /// Sets the address with the port that the system has chosen.
    pub(crate) fn at(mut self, address: SocketAddr) -> Self {
        let own = self.origins.len() - if address.ip().is_loopback() { 2 } else { 1 };
        self.origins.truncate(own);
        self.origins.push(format!("http://{address}"));
        if address.ip().is_loopback() {
            self.origins.push(format!("http://localhost:{}", address.port()));
        }
        self
    }

    /// The details that teams see of their submissions.
    pub(crate) fn feedback(&self, state: &State) -> Feedback {
        self.options.feedback.unwrap_or(state.rules().feedback)
    }

    /// The address of the site, without a slash at its end.
    pub(crate) fn url(&self) -> &str {
        &self.origins[0]
    }

    /// Tests whether the site is reached through TLS.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.url().starts_with("https://")
    }

    /// The hosts that requests may name.
    pub(crate) fn hosts(&self) -> HashSet<&str> {
        self.origins.iter().filter_map(|origin| origin.split_once("://")).map(|(_, host)| host).collect()
    }

    /// The session of a request.
    pub(crate) fn session(&self, headers: &HeaderMap, state: &State) -> Option<Session> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let named = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
        let own = named.filter(|(name, _)| *name == self.cookie_name()).map(|(_, value)| value);
        own.filter_map(|value| self.key.open(value, self.office.now(), state)).next()
    }

    /// The session and the value of `Set-Cookie` for a client that sent a token; `None` if the token is not valid.
    pub(crate) fn log_in(&self, token: &str, state: &State) -> Option<(Session, String)> {
        let session = Session::of(token, self.office.now(), state)?;
        let cookie = format!("{}={}{}", self.cookie_name(), self.key.seal(&session), self.cookie_end());
        Some((session, cookie))
    }

    /// The value of a session's cookie, which resumes the session without its token.
    pub(crate) fn sealed(&self, session: &Session) -> String {
        self.key.seal(session)
    }

    /// The session and the value of `Set-Cookie` for a client that sent a result of [`Self::sealed`].
    pub(crate) fn resume(&self, sealed: &str, state: &State) -> Option<(Session, String)> {
        let session = self.key.open(sealed, self.office.now(), state)?;
        let cookie = format!("{}={sealed}{}", self.cookie_name(), self.cookie_end());
        Some((session, cookie))
    }

    /// The value of `Set-Cookie` that ends a session.
    pub(crate) fn logout_cookie(&self) -> String {
        format!("{}=; Max-Age=0{}", self.cookie_name(), self.cookie_end())
    }

    // Clients other than browsers do not send a `Secure` cookie back over http.
    fn cookie_name(&self) -> &'static str {
        if self.is_encrypted() { "__Host-judge" } else { "judge" }
    }

    fn cookie_end(&self) -> &'static str {
        if self.is_encrypted() {
            "; Path=/; HttpOnly; SameSite=Lax; Secure"
        } else {
            "; Path=/; HttpOnly; SameSite=Lax"
        }
    }

    /// The code of the language of a submission; `None` if its upload cannot be read now.
    pub(crate) fn language(&self, submission: &Submission) -> Option<Arc<str>> {
        self.alike.language(submission.number, || self.office.language_of(submission).ok())
    }

    /// Notes that an address showed a wrong token. True if it had already shown the maximum number in this minute. Valid
    /// tokens are checked before, as many visitors can have the same address.
    pub(crate) fn is_guessing(&self, address: IpAddr) -> bool {
        let minute = self.office.now() / 60;
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.minute != minute {
            *failures = Failures { minute, counts: HashMap::new() };
        }
        let count = failures.counts.entry(address).or_default();
        *count = count.saturating_add(1);
        *count > MAX_FAILURES
    }
}

/// The identifier of a contest, which is the name of its folder.
fn id_of(contest_file: &Path) -> String {
    let folder = std::fs::canonicalize(contest_file).ok().and_then(|file| file.parent().map(Path::to_owned));
    folder.as_deref().map_or_else(fallback, identifier)
}

fn fallback() -> String {
    "contest".to_owned()
}

fn identifier(folder: &Path) -> String {
    let folder = folder.file_name().unwrap_or_default().to_string_lossy();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "_.-".contains(letter) { letter } else { '-' };
    let name: String = folder.chars().map(plain).take(MAX_ID).collect();
    let name = name.trim_start_matches(['.', '-']).trim_end_matches('.');
    if name.is_empty() { fallback() } else { name.to_owned() }
}

#[cfg(test)]
mod tests;
