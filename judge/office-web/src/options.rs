//! The options of a server, and the reasons why it could not start.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use judge_contest::office::Feedback;
use judge_contest::open_contest::OpenContest;
use judge_office::judging::Handle;
use judge_office::{Office, OfficeError};

/// The options of a server.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address to listen on; port 0 means any free port.
    pub listen: SocketAddr,
    /// The address of the site for browsers, such as `https://contest.example.org`; `None` for the address of `listen`.
    pub public_url: Option<String>,
    /// Addresses of reverse proxies. They state on whose behalf they send requests, and may have any number of connections.
    pub proxies: Vec<IpAddr>,
    /// The details that teams see of their submissions; `None` for the setting of the contest.
    pub feedback: Option<Feedback>,
    /// The processor to which the server's threads are pinned; `None` for any.
    pub processor: Option<usize>,
}

impl Options {
    /// Checks that the options are safe and usable, as [`Server::bind`](crate::Server::bind) does.
    ///
    /// # Errors
    /// [`ServeError::NotEncrypted`] and [`ServeError::PublicUrl`].
    pub fn check(&self) -> Result<(), ServeError> {
        self.origin().map(drop)
    }

    /// The public address without a slash at its end; `None` for the address of `listen`.
    pub(crate) fn origin(&self) -> Result<Option<&str>, ServeError> {
        let is_open = !self.listen.ip().is_loopback();
        let Some(url) = self.public_url.as_deref() else {
            return if is_open { Err(ServeError::NotEncrypted(self.listen)) } else { Ok(None) };
        };
        let origin = url.strip_suffix('/').unwrap_or(url);
        let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
        if host.is_none_or(|host| host.is_empty() || host.contains(['/', '?', '#', '@', ' '])) {
            return Err(ServeError::PublicUrl(url.to_owned()));
        }
        if is_open && !origin.starts_with("https://") {
            return Err(ServeError::NotEncrypted(self.listen));
        }
        Ok(Some(origin))
    }
}

/// The served contest.
pub struct Contest {
    /// The submissions of its teams, and the decisions on them.
    pub office: Arc<Office>,
    /// The runs of its submissions, and the standings.
    pub open_contest: Arc<OpenContest>,
    /// A handle to observe its judging.
    pub judging: Handle,
}

/// The reason why a server could not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Other machines could read the traffic.
    #[error(
        "{0} can be reached from other machines, and what is sent there is not encrypted; listen on 127.0.0.1, with a reverse \
         proxy before it that has https"
    )]
    NotEncrypted(SocketAddr),
    /// The public address is unusable.
    #[error("unusable public address `{0}`; expected one such as https://contest.example.org")]
    PublicUrl(String),
    /// The server cannot listen on this address.
    #[error("{0}: {1}")]
    Listen(SocketAddr, #[source] std::io::Error),
    /// The key of the sessions could not be read or created.
    #[error("{}: {error}", path.display())]
    Key {
        /// The file of the key.
        path: PathBuf,
        /// The system's reason.
        #[source]
        error: std::io::Error,
    },
    /// A file of the office could not be read.
    #[error(transparent)]
    Office(#[from] OfficeError),
    /// The threads could not be started.
    #[error("threads: {0}")]
    Threads(#[source] std::io::Error),
}
