//! An upload: a byte that chooses the ending, then the file or archive.
//!
//! What must hold: what is accepted is in its folder, within the limits, and the same when packed again.

use judge_office::intake::{MAX_BYTES, MAX_FILES, bundle, files};

/// What is accepted stays in its folder and within the limits, and packed again it is the same.
pub fn check(input: &[u8]) {
    let Some((kind, bytes)) = input.split_first() else { return };
    let name = ["x.zip", "x.tar.gz", "x.tgz", "main.c"][usize::from(*kind) % 4];
    let read = match files(name, bytes) {
        Ok(read) => read.files,
        Err(refusal) => {
            assert!(!refusal.0.is_empty() && !refusal.0.chars().any(|c| c.is_control()), "{refusal:?}");
            return;
        }
    };
    assert!((1..=MAX_FILES).contains(&read.len()));
    assert!(read.iter().map(|file| file.bytes.len() as u64).sum::<u64>() <= MAX_BYTES);
    for file in &read {
        let parts = || file.path.split('/');
        assert!(parts().all(|part| !part.is_empty() && part != "." && part != ".."), "{}", file.path);
    }
    let again: Vec<(String, Vec<u8>)> = read.iter().map(|file| (file.path.clone(), file.bytes.clone())).collect();
    let (name, packed) = bundle(&again).expect("what was accepted can be packed");
    let first = |path: &str| path.split_once('/').map(|(folder, _)| folder.to_owned());
    // A folder that everything is in is left out when it is read.
    if read.iter().any(|file| first(&file.path).is_none() || first(&file.path) != first(&read[0].path)) {
        assert_eq!(files(&name, &packed).expect("what was packed can be read").files, read);
    }
}
