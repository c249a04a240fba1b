//! How a server is reached, and why it could not start.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use judge_contest::conduct::Conduct;
use judge_contest::office::Feedback;
use judge_office::judging::Handle;
use judge_office::{Office, OfficeError};

/// How a server is reached.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address to listen on; port 0 is any free one.
    pub listen: SocketAddr,
    /// The address of the site as browsers have it, such as `https://contest.example.org`; `None` if it is that of `listen`.
    pub public_url: Option<String>,
    /// Addresses of reverse proxies: they say on whose behalf they ask, and may have any number of connections.
    pub proxies: Vec<IpAddr>,
    /// What teams see of their submissions; `None` for what the contest says.
    pub feedback: Option<Feedback>,
    /// The name of a contest of several problems; `None` for that of the folder that has them.
    pub name: Option<String>,
    /// The processor that the server's threads keep to; `None` for any.
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

    /// The public address without a slash at its end; `None` if it is that of `listen`.
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

/// A contest that is served: alone, or as a problem of one with several.
pub struct Problem {
    /// What its teams hand in, and what is decided on that.
    pub office: Arc<Office>,
    /// The runs of its submissions, and the standings.
    pub conduct: Arc<Conduct>,
    /// A look at its judging.
    pub judging: Handle,
}

/// The reason why a server could not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Other machines could read what is sent.
    #[error(
        "{0} can be reached from other machines, and what is sent there is not encrypted; listen on 127.0.0.1, with a reverse \
         proxy before it that has https"
    )]
    NotEncrypted(SocketAddr),
    /// The public address is unusable.
    #[error("unusable public address `{0}`; expected one such as https://contest.example.org")]
    PublicUrl(String),
    /// The address cannot be listened on.
    #[error("{0}: {1}")]
    Listen(SocketAddr, #[source] std::io::Error),
    /// These contests cannot be the problems of one contest.
    #[error("these cannot be problems of one contest: {0}")]
    Together(String),
    /// The key of the sessions could not be read or made.
    #[error("{}: {error}", path.display())]
    Key {
        /// The file of the key.
        path: PathBuf,
        /// The reason that the system gave.
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
