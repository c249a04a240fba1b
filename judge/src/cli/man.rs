//! `judge man`: the manual pages.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::CommandFactory as _;

use super::{Cli, DONE, Done, Failure};

/// Print the manual page, or write one for every subcommand
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge man | man -l -
  judge man --out ~/.local/share/man/man1")]
pub(super) struct Args {
    /// Write judge.1, judge-run.1 and so on into this directory, created if missing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        match self.out {
            None => clap_mangen::Man::new(Cli::command()).render(out)?,
            Some(directory) => fs::create_dir_all(&directory)
                .and_then(|()| clap_mangen::generate_to(Cli::command(), &directory))
                .map_err(|error| Failure::judge(format!("{}: {error}", directory.display())))?,
        }
        Ok(DONE)
    }
}
