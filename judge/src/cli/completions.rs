//! `judge completions`: completion scripts for shells.

use std::io::Write;

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Cli, DONE, Done};

/// Print a completion script for a shell
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
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "judge", &mut script);
        out.write_all(&script)?;
        Ok(DONE)
    }
}
