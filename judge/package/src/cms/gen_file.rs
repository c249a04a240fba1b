//! `gen/GEN`: the origin of each input, and the subtasks with their points.

use std::path::PathBuf;

use super::MAX_INPUTS;
use crate::MAX_YAML_BYTES;
use crate::error::PackageError;
use crate::files::Files;

pub(super) const FILE: &str = "gen/GEN";

/// The origin of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Make {
    /// The generator prints it, called with these arguments.
    Call(Vec<String>),
    /// It is a copy of a file of the task.
    Copy(PathBuf),
}

/// The contents of `gen/GEN`.
#[derive(Debug, Default)]
pub(crate) struct Gen {
    pub(crate) inputs: Vec<Make>,
    /// Points of each subtask, and the number of its inputs. Empty if all inputs count alike.
    pub(super) subtasks: Vec<(u32, usize)>,
    /// The number of the subtask of each input, from 1; 0 outside of subtasks.
    pub(super) numbers: Vec<usize>,
}

impl Gen {
    /// Reads the file; `None` if it is missing. Everything after `#` is a comment, except `#ST: points` and `#COPY: file`.
    pub(crate) fn read(files: &Files) -> Result<Option<Self>, PackageError> {
        let file = files.root().join(FILE);
        if !file.is_file() {
            return Ok(None);
        }
        let mut read = Self::default();
        for (number, line) in files.text(&file, MAX_YAML_BYTES)?.lines().enumerate() {
            let refuse = |reason: &str| PackageError::at(&file, number + 1, reason);
            let (call, comment) = line.trim().split_once('#').unwrap_or((line, ""));
            let (call, comment) = (call.trim(), comment.trim());
            let (copy, points) = (comment.strip_prefix("COPY:"), comment.strip_prefix("ST:"));
            if !call.is_empty() && (copy.is_some() || points.is_some()) {
                return Err(refuse("a call of the generator and #COPY: or #ST: are in one line"));
            }
            if let Some(points) = points {
                if read.subtasks.is_empty() && !read.inputs.is_empty() {
                    return Err(refuse("the first #ST: is behind an input, which is then in no subtask"));
                }
                let points = points.trim().parse().map_err(|_| refuse("#ST: needs the points, a whole number"))?;
                read.subtasks.push((points, 0));
            } else if copy.is_some() || !call.is_empty() {
                let call = || Make::Call(call.split_whitespace().map(str::to_owned).collect());
                read.inputs.push(copy.map_or_else(call, |copy| Make::Copy(files.root().join(copy.trim()))));
                read.numbers.push(read.subtasks.len());
                if let Some((_, inputs)) = read.subtasks.last_mut() {
                    *inputs += 1;
                }
            }
            if read.inputs.len() > MAX_INPUTS {
                return Err(refuse(&format!("more than {MAX_INPUTS} inputs")));
            }
        }
        Ok(Some(read))
    }
}
