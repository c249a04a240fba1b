//! Tests of the output validator: outputs that it must accept, and outputs that it must reject.

use std::path::PathBuf;

use crate::Package;
use crate::data::{Case, Reader};
use crate::error::PackageError;

/// Folders of `data` with such outputs; `true` if the validator must accept them.
const FOLDERS: [(&str, bool); 2] = [("valid_output", true), ("invalid_output", false)];

/// An output with its test case.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OutputTest {
    /// The test case, such as `invalid_output/1`. Submissions are not run on it.
    pub case: Case,
    /// The file with the output, which ends in `.out`.
    pub output: PathBuf,
    /// True if the validator must accept it, false if it must reject it.
    pub accepts: bool,
}

/// Reads the folders with outputs. Also returns notices about what was ignored.
pub(crate) fn read(mut reader: Reader<'_>) -> Result<(Vec<OutputTest>, Vec<String>), PackageError> {
    let data = reader.files.root().join("data");
    let usual = reader.usual();
    let mut tests = Vec::new();
    for (name, accepts) in FOLDERS {
        let folder = data.join(name);
        if !folder.is_dir() {
            continue;
        }
        reader.group(&folder, name, &usual, 0)?;
        for case in std::mem::take(&mut reader.cases) {
            let output = case.input.with_extension("out");
            if output.is_file() {
                tests.push(OutputTest { case, output, accepts });
            } else {
                let input = case.input.display();
                reader
                    .notices
                    .push(format!("{input}: ignored, because it has no .out file that the validator could check"));
            }
        }
    }
    Ok((tests, reader.notices))
}

impl Package {
    /// Adds the cases of [`Self::outputs`] after the cases on which submissions are run, in no group. Written as a contest, the
    /// package then also has a board for each of them.
    #[must_use]
    pub fn with_output_tests(&self) -> Self {
        let mut package = self.clone();
        package.data.cases.extend(self.outputs.iter().map(|test| test.case.clone()));
        package
    }
}
