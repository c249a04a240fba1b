//! `judge completions`: completion scripts for shells, and the candidates that they ask for.

use std::io::Write;

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_complete::env::{CompleteEnv, Shells};

use super::{Cli, DONE, Done, Failure};

/// The variable by which a script asks this program for candidates.
const ASKED_BY: &str = "JUDGE_COMPLETE";
const NAME: &str = "judge";

/// Print a completion script for a shell
///
/// The script asks `judge` for what can come next: commands, options, files, and the names of entries, problems and
/// figures. Names are those of the contest file or the results on the command line, else of the contest file in the
/// working directory.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge completions bash > ~/.local/share/bash-completion/completions/judge
  judge completions zsh > ~/.zfunc/_judge
  judge completions fish > ~/.config/fish/completions/judge.fish")]
pub(super) struct Args {
    /// Shell to complete in
    shell: Shell,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let (shells, shell) = (Shells::builtins(), self.shell.to_string());
        let script = shells.completer(&shell).ok_or_else(|| Failure::input(format!("no completions for {shell}")))?;
        script.write_registration(ASKED_BY, NAME, NAME, NAME, out)?;
        if self.shell == Shell::Zsh {
            // A file of `fpath` is the body of a function of its name, which zsh calls for the first completion.
            writeln!(out, "[[ ${{funcstack[1]}} != _judge ]] || _clap_dynamic_completer_judge \"$@\"")?;
        }
        Ok(DONE)
    }
}

/// Answers the request of a completion script and exits; returns if there is no request. Must run before any other
/// output.
pub fn answer_shell() {
    CompleteEnv::with_factory(Cli::command).var(ASKED_BY).bin(NAME).complete();
}
