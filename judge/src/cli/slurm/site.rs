//! The site file: the settings that all contests of a cluster share.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use crate::cli::{Failure, environment};
use judge_contest::parse_duration;

/// The variable that names another site file.
const VARIABLE: &str = "JUDGE_SLURM";
/// The site file of a user, below the folder of configurations, and the site file for all users.
const OF_USER: &str = "judge/slurm.toml";
const OF_ALL: &str = "/etc/judge/slurm.toml";

/// The defaults of a site.
#[derive(Debug, Default)]
pub(in crate::cli) struct SiteDefaults {
    /// Options for `sbatch`, as in a shell; empty for none.
    pub(super) sbatch: String,
    /// Lists of nodes, each of one kind; empty if Slurm's own description decides.
    pub(super) alike: Vec<String>,
    /// The least time of a batch.
    pub(super) batch: Option<Duration>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    sbatch: String,
    #[serde(default)]
    alike: Vec<String>,
    batch: Option<String>,
}

impl SiteDefaults {
    /// Reads the first site file that exists; without one, the defaults of Slurm apply.
    pub(super) fn read() -> Result<Self, Failure> {
        let named = environment(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
        let home = || environment("HOME").map(|home| PathBuf::from(home).join(".config"));
        let of_user = environment("XDG_CONFIG_HOME").filter(|path| !path.is_empty()).map(PathBuf::from).or_else(home);
        let usual = of_user.map(|folder| folder.join(OF_USER)).into_iter().chain([OF_ALL.into()]);
        let path = match named {
            Some(path) => Some(path),
            None => usual.into_iter().find(|path| path.is_file()),
        };
        let Some(path) = path else { return Ok(Self::default()) };
        let refuse = |reason: String| Failure::input(format!("{}: {reason}", path.display()));
        let text = judge_files::regular::read(&path, 1 << 20).map_err(|error| refuse(error.to_string()))?;
        let text = String::from_utf8(text).map_err(|error| refuse(error.to_string()))?;
        let file: File = toml::from_str(&text).map_err(|error| refuse(error.to_string().trim_end().to_owned()))?;
        let batch = file.batch.as_deref().map(parse_duration).transpose().map_err(|error| refuse(error.to_string()))?;
        Ok(Self { sbatch: file.sbatch, alike: file.alike, batch })
    }
}
