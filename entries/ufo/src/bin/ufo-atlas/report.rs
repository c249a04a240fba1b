//! tmp
use clap::Args;
use std::io::Write;
/// tmp
#[derive(Debug, Args)]
pub(crate) struct Arguments {}
impl Arguments {
    pub(crate) fn execute(self, _out: &mut dyn Write) -> Result<(), String> {
        Ok(())
    }
}
