//! Messages of failures: the text of an error, and its remedy as a command.

use std::fmt::Arguments;
use std::io;

use judge_contest::ContestError;
use judge_contest::seal::SealError;
use judge_core::changes::ChangeError;
use judge_core::compare::CompareError;
use judge_core::game::RuleError;
use judge_core::journal::JournalError;
use judge_core::plan::UnknownName;
use judge_core::referee::RefereeError;
use judge_core::results::ResultsError;

use judge_report::with_hint;

/// A text for people. Each error type is listed below, with or without a remedy, so that no message omits a remedy by
/// accident.
pub(super) trait Message {
    /// The text, without a full stop.
    fn message(&self) -> String;
}

impl<T: Message + ?Sized> Message for &T {
    fn message(&self) -> String {
        (**self).message()
    }
}

macro_rules! without_hint {
    ($($type:ty),* $(,)?) => {
        $(impl Message for $type {
            fn message(&self) -> String {
                self.to_string()
            }
        })*
    };
}

macro_rules! with_a_hint {
    ($($type:ty),* $(,)?) => {
        $(impl Message for $type {
            fn message(&self) -> String {
                with_hint(self, self.hint().as_ref())
            }
        })*
    };
}

without_hint!(
    str,
    String,
    Arguments<'_>,
    io::Error,
    CompareError,
    RuleError,
    RefereeError,
    SealError,
    UnknownName,
    toml::ser::Error
);
#[cfg(feature = "sandbox")]
without_hint!(
    judge_contest::schedule::Stopped,
    judge_contest::external::FilesError,
    judge_contest::external::ToolError,
    judge_sandbox::SetupError,
    judge_show::replay::PlayerError,
    judge_slurm::SlurmError,
    judge_slurm::SpoolError
);
with_a_hint!(ChangeError, JournalError, ResultsError);
#[cfg(feature = "sandbox")]
with_a_hint!(judge_office::OfficeError);

impl Message for ContestError {
    fn message(&self) -> String {
        with_hint(self, self.hint.as_ref())
    }
}

#[cfg(feature = "sandbox")]
impl Message for judge_package::PackageError {
    fn message(&self) -> String {
        with_hint(self, self.hint.as_ref())
    }
}

#[cfg(feature = "sandbox")]
impl Message for crate::import::ImportError {
    fn message(&self) -> String {
        match self {
            Self::Package(error) => error.message(),
            Self::Contest(error) => error.message(),
            Self::Command(error) => error.message(),
            Self::NoSubmission => {
                format!("{self}; --verify needs one, and a package without a time limit needs --limit TIME")
            }
            Self::NoAccepted => format!("{self}; set one with --limit TIME"),
            Self::LinksElsewhere { links } => {
                format!("{}: with --generate, --links must name a folder around the package", links.display())
            }
            _ => self.to_string(),
        }
    }
}

#[cfg(feature = "sandbox")]
impl Message for judge_show::versions::TryError {
    fn message(&self) -> String {
        match self {
            Self::NameTaken { name, number } => {
                format!("--keep {name}: version {number} has this name; choose another one")
            }
            _ => with_hint(self, self.hint().as_ref()),
        }
    }
}

#[cfg(feature = "sandbox")]
impl Message for judge_contest::open_contest::CommandError {
    fn message(&self) -> String {
        match self {
            Self::Journal(error) => error.message(),
            Self::Contest(error) => error.message(),
            Self::Round(error) => error.message(),
            _ => self.to_string(),
        }
    }
}
