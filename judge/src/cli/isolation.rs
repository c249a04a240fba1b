//! The values of `--isolation`, each with its help.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use judge_job::IsolationMode;

/// Parses an isolation mode. The crate that defines the modes does not depend on a command line.
pub(super) fn mode() -> impl TypedValueParser<Value = IsolationMode> {
    let help = |mode: IsolationMode| match mode {
        IsolationMode::Auto => "The strongest tier that works on this machine",
        IsolationMode::Require => "Run only with the strongest tier and every limit enforced by the kernel",
        IsolationMode::Landlock => "No namespaces, as on a machine without them",
        IsolationMode::Off => "No file, network or process isolation; for debugging. Limits still apply",
    };
    let values = IsolationMode::ALL.map(|mode| PossibleValue::new(mode.name()).help(help(mode)));
    PossibleValuesParser::new(values)
        .map(|name| IsolationMode::named(&name).expect("only the names of modes are possible values"))
}
