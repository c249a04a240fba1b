//! The contents of an upload: one file, or the files of a zip or tar.gz archive.

use std::io::{self, Cursor, Write as _};

use judge_contest::archive::{self, Bounds, Files};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

pub use judge_contest::archive::{SourceFile, Unacceptable, Unpacked};

/// The most files of one upload.
pub const MAX_FILES: usize = 200;
/// The most bytes of all its files together.
pub const MAX_BYTES: u64 = 4 << 20;
const BOUNDS: Bounds = Bounds { files: MAX_FILES, bytes: MAX_BYTES };
/// The name of the archive that stores several files.
const BUNDLE: &str = "files.zip";

/// The files of an upload, by path. The name of the upload decides whether it is an archive.
///
/// # Errors
/// The first problem with the upload.
pub fn files(name: &str, bytes: &[u8]) -> Result<Unpacked, Unacceptable> {
    archive::files(name, bytes, BOUNDS)
}

/// Combines several files into one upload. Returns its name and its bytes, which are equal for equal files.
///
/// # Errors
/// As [`files`].
pub fn bundle(several: &[(String, Vec<u8>)]) -> Result<(String, Vec<u8>), Unacceptable> {
    let mut sorted: Vec<&(String, Vec<u8>)> = several.iter().collect();
    sorted.sort();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    let options = options.compression_method(CompressionMethod::Deflated).last_modified_time(DateTime::default());
    let mut names = Files::new(BOUNDS);
    for (name, bytes) in sorted {
        names.add(name, &**bytes)?;
        let written = writer.start_file(name.as_str(), options).map_err(io::Error::from);
        written.and_then(|()| writer.write_all(bytes)).map_err(|error| Unacceptable(error.to_string()))?;
    }
    let bytes = writer.finish().map_err(|error| Unacceptable(error.to_string()))?.into_inner();
    Ok((BUNDLE.to_owned(), bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_files_are_one_upload_whatever_their_order() {
        let (one, two) = (("a.c".to_owned(), b"1".to_vec()), ("b.h".to_owned(), b"2".to_vec()));
        let (name, bytes) = bundle(&[one.clone(), two.clone()]).unwrap();
        assert_eq!(bundle(&[two, one]).unwrap().1, bytes);
        let paths: Vec<String> = files(&name, &bytes).unwrap().files.into_iter().map(|file| file.path).collect();
        assert_eq!(paths, ["a.c", "b.h"]);
        for path in ["../a", &"a".repeat(300), &("a/".repeat(20) + "b")] {
            assert!(bundle(&[(path.to_owned(), Vec::new())]).is_err(), "{path}");
        }
    }

    #[test]
    fn an_upload_has_so_many_files_and_bytes() {
        let many: Vec<(String, Vec<u8>)> = (0..=MAX_FILES).map(|number| (format!("{number}.c"), vec![])).collect();
        assert!(bundle(&many).is_err() && bundle(&many[1..]).is_ok());
        let large = vec![0; usize::try_from(MAX_BYTES).unwrap() + 1];
        assert!(files("a.c", &large).is_err() && files("a.c", &large[1..]).is_ok());
    }
}
