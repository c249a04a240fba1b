//! Files that a submission to a task of CMS reads and writes instead of its standard streams.

/// The files that a submission reads and writes in its working directory; each is empty for a standard stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Streams {
    pub(crate) input: String,
    pub(crate) output: String,
    /// True if it generates an output instead of being judged. As in the tools of CMS, its standard output then also
    /// becomes that file.
    pub(crate) makes: bool,
}

/// Runs a program that reads and writes files, given their names and its command. Without its output the run fails.
const WITH_FILES: &str = r#"in=$1 out=$2; shift 2; [ -z "$in" ] || { cat >"$in"; exec </dev/null; }; [ -n "$out" ] || exec "$@"; "$@" >/dev/null || exit; exec cat "$out""#;

/// Lets a program generate an output: it can read and write files and standard streams.
const GENERATES: &str = r#"in=$1 out=$2; shift 2; cat >"$in"; "$@" <"$in" >"$out" || exit; exec cat "$out""#;

impl Streams {
    /// The command of a program with these files.
    pub(crate) fn around(&self, command: Vec<String>) -> Vec<String> {
        if *self == Self::default() {
            return command;
        }
        let script = if self.makes { GENERATES } else { WITH_FILES };
        let before = ["sh", "-c", script, "files", &self.input, &self.output].map(str::to_owned);
        before.into_iter().chain(command).collect()
    }
}
