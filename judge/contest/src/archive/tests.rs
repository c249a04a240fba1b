//! Tests of accepted and refused archives.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

const MAX_FILES: usize = 200;
const MAX_BYTES: u64 = 4 << 20;
const BOUNDS: Bounds = Bounds { files: MAX_FILES, bytes: MAX_BYTES };

/// A zip archive of these names and contents, written by the library.
fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn zip_of_link() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("a.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    writer.finish().unwrap().into_inner()
}

/// A tar archive whose header is written byte by byte, so that any name and type is possible.
fn tar(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    for (name, kind, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        if kind.is_symlink() || kind.is_hard_link() {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        encoder.write_all(header.as_bytes()).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.write_all(&vec![0; bytes.len().next_multiple_of(512) - bytes.len()]).unwrap();
    }
    encoder.write_all(&[0; 1024]).unwrap();
    encoder.finish().unwrap()
}

fn paths(name: &str, bytes: &[u8]) -> Result<Vec<String>, String> {
    let unpacked = files(name, bytes, BOUNDS).map_err(|error| error.to_string())?;
    Ok(unpacked.files.into_iter().map(|file| file.path).collect())
}

fn reason(name: &str, bytes: &[u8]) -> String {
    paths(name, bytes).expect_err("refused")
}

#[test]
fn an_upload_is_one_file_or_those_of_an_archive() {
    assert_eq!(paths("a.py", b"1").unwrap(), ["a.py"]);
    let both = [("b.h", &b"2"[..]), ("a.c", b"1")];
    assert_eq!(paths("x.zip", &zip(&both)).unwrap(), ["a.c", "b.h"]);
    let both = [("./b.h", EntryType::Regular, &b"2"[..]), ("./a.c", EntryType::Regular, b"1")];
    assert_eq!(paths("x.tgz", &tar(&both)).unwrap(), ["a.c", "b.h"]);
}

#[test]
fn the_folder_that_everything_is_in_is_left_out() {
    let inner = [
        ("p/", EntryType::Directory, &b""[..]),
        ("p/a.c", EntryType::Regular, b"1"),
        ("p/q/b.h", EntryType::Regular, b"2"),
    ];
    assert_eq!(paths("p.tar.gz", &tar(&inner)).unwrap(), ["a.c", "q/b.h"]);
    assert_eq!(paths("p.zip", &zip(&[("p/a.c", b"1"), ("b.h", b"2")])).unwrap(), ["b.h", "p/a.c"]);
}

#[test]
fn a_name_that_leads_elsewhere_is_refused() {
    let names = "../a.py a/../../b.py /etc/passwd a//b.py ./a.py C:\\a.py a\\..\\..\\b.py -o.py a/../.git/x";
    for name in names.split(' ') {
        assert!(reason("x.zip", &zip(&[(name, b"1")])).contains("unusable file name"), "{name} in a zip archive");
        if name != "./a.py" {
            assert!(reason("x.tgz", &tar(&[(name, EntryType::Regular, b"1")])).contains("unusable"), "{name} in tar");
        }
    }
}

#[test]
fn what_systems_and_editors_add_is_left_out_and_named() {
    let entries = [
        "p/main.py",
        "p/lib/x.py",
        "p/.DS_Store",
        "p/Thumbs.db",
        "p/.vscode/settings.json",
        "p/.git/../../x",
        "__MACOSX/p/._main.py",
        "__MACOSX/._p",
    ];
    let of_zip = zip(&entries.map(|name| (name, &b"1"[..])));
    let of_tar = tar(&entries.map(|name| (name, EntryType::Regular, &b"1"[..])));
    // A link in a folder that is left out changes nothing.
    let with_link = tar(&[("a.py", EntryType::Regular, b"1"), (".venv/bin/python", EntryType::Symlink, b"")]);
    for (name, bytes) in [("x.zip", &of_zip), ("x.tgz", &of_tar)] {
        let unpacked = files(name, bytes, BOUNDS).unwrap();
        let paths: Vec<&str> = unpacked.files.iter().map(|file| &*file.path).collect();
        assert_eq!(paths, ["lib/x.py", "main.py"], "{name}");
        let named = "__MACOSX, p/.DS_Store, p/.git, p/.vscode, p/Thumbs.db";
        assert_eq!(unpacked.left_out_text().as_deref(), Some(named), "{name}");
    }
    assert_eq!(files("x.tgz", &with_link, BOUNDS).unwrap().left_out, [".venv"]);
    assert_eq!(reason("x.zip", &zip(&[(".bashrc", b"1")])), "the archive has no file besides .bashrc");
    let many: Vec<(String, &[u8])> = (1..=7).map(|number| (format!(".{number}"), &b"1"[..])).collect();
    let many: Vec<(&str, &[u8])> =
        many.iter().map(|(name, bytes)| (&**name, *bytes)).chain([("a.c", &b"1"[..])]).collect();
    let many = files("x.zip", &zip(&many), BOUNDS).unwrap();
    assert_eq!(many.left_out_text().as_deref(), Some(".1, .2, .3, .4, .5 and 2 more"));
}

#[test]
fn a_zip_of_windows_has_folders_behind_backslashes() {
    assert_eq!(
        paths("x.zip", &zip(&[("p\\a.py", b"1"), ("p\\q\\b.py", b"2"), ("p\\q\\", b"")])).unwrap(),
        ["a.py", "q/b.py"]
    );
    assert!(reason("x.zip", &zip(&[("a\\b.py", b"1"), ("a/b.py", b"2")])).contains("twice"));
    assert!(reason("x.tgz", &tar(&[("a\\b.py", EntryType::Regular, b"1")])).contains("unusable file name"));
}

#[test]
fn a_name_with_hidden_characters_is_refused() {
    for name in ["a\u{202e}yp.exe", "a\nb.py", "a\u{7f}.py", "a\u{200b}.py"] {
        assert!(reason("x.zip", &zip(&[(name, b"1")])).contains("hidden"), "{name:?}");
    }
    // A tar header cannot contain a NUL.
    assert!(reason("x.zip", &zip(&[("a\0.py", b"1")])).contains("hidden"));
    assert!(reason("a\u{202e}.py", b"1").contains("hidden"));
}

#[test]
fn links_and_special_files_are_refused() {
    assert!(reason("x.zip", &zip_of_link()).contains("link or a special file"));
    for kind in
        [EntryType::Symlink, EntryType::Link, EntryType::Char, EntryType::Block, EntryType::Fifo, EntryType::GNUSparse]
    {
        let refused = reason("x.tgz", &tar(&[("a.py", kind, b"")]));
        assert!(
            refused.contains("link or a special file") || refused.contains("cannot be read"),
            "{kind:?}: {refused}"
        );
    }
}

#[test]
fn names_that_some_system_takes_for_one_are_refused() {
    for (one, two) in [("a.py", "A.py"), ("\u{e9}.py", "e\u{301}.py"), ("a", "a/b.py"), ("a/b.py", "A")] {
        let twins = tar(&[(one, EntryType::Regular, b"1"), (two, EntryType::Regular, b"2")]);
        let refused = reason("x.tgz", &twins);
        assert!(refused.contains("twice") || refused.contains("a file and a folder"), "{one} {two}: {refused}");
    }
    let twice = tar(&[("a.py", EntryType::Regular, b"1"), ("a.py", EntryType::Regular, b"2")]);
    assert!(reason("x.tgz", &twice).contains("twice"));
    // The library refuses to write a name twice.
    let mut twice = zip(&[("a.py", b"1"), ("b.py", b"2")]);
    for at in 0..twice.len() {
        if twice[at..].starts_with(b"b.py") {
            twice[at] = b'a';
        }
    }
    assert_eq!(reason("x.zip", &twice), "a file name is there twice");
}

#[test]
fn a_bomb_is_refused_when_it_has_grown_enough() {
    let zeros = vec![0; usize::try_from(MAX_BYTES).unwrap() + 1];
    let bomb = zip(&[("a.txt", &zeros)]);
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    assert!(reason("x.zip", &bomb).contains("MiB of files"));
    assert!(reason("x.tgz", &tar(&[("a.txt", EntryType::Regular, &zeros)])).contains("MiB of files"));
    let half = vec![0; zeros.len() / 2 + 1];
    assert!(reason("x.zip", &zip(&[("a.txt", &half), ("b.txt", &half)])).contains("MiB of files"), "together");
}

#[test]
fn a_long_name_of_tar_takes_no_memory_without_limit() {
    let name = vec![b'a'; usize::try_from(most_of_tar(BOUNDS)).unwrap() + 1];
    let long = [("././@LongLink", EntryType::GNULongName, &name[..]), ("a.py", EntryType::Regular, b"1")];
    assert!(reason("x.tgz", &tar(&long)).contains("cannot be read"));
}

#[test]
fn more_files_than_allowed_are_refused() {
    let names: Vec<String> = (0..=MAX_FILES).map(|number| format!("f{number}")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    assert_eq!(paths("x.zip", &zip(&entries[1..])).unwrap().len(), MAX_FILES);
    assert!(reason("x.zip", &zip(&entries)).contains("more than 200 files"));
    let many: Vec<(&str, EntryType, &[u8])> = vec![("d/", EntryType::Directory, b""); MAX_FILES * MAX_DEPTH + 2];
    assert!(reason("x.tgz", &tar(&many)).contains("more than 200 files"), "folders count in the end");
}

#[test]
fn the_largest_upload_that_is_allowed_is_taken() {
    let (full, most) = (vec![b'x'; usize::try_from(MAX_BYTES).unwrap()], Bounds { files: MAX_FILES, bytes: 1 });
    assert_eq!(paths("x.zip", &zip(&[("a.txt", &full)])).unwrap(), ["a.txt"]);
    assert_eq!(paths("x.tgz", &tar(&[("a.txt", EntryType::Regular, &full)])).unwrap(), ["a.txt"]);
    // The tar headers are larger than the contents of these files may be.
    let names: Vec<String> = (0..MAX_FILES).map(|number| format!("f{number}")).collect();
    let empty: Vec<_> = names.iter().map(|name| (name.as_str(), EntryType::Regular, &b""[..])).collect();
    assert_eq!(files("x.tgz", &tar(&empty), most).unwrap().files.len(), MAX_FILES);
    // The most entries that an archive can have: folders are some of them.
    let names: Vec<String> = (1..2 * MAX_DEPTH).map(|number| format!("d{number}/")).collect();
    let folders: Vec<_> = names.iter().map(|name| (name.as_str(), EntryType::Directory, &b""[..])).collect();
    let two = Bounds { files: 2, bytes: 1 };
    let file = ("a.c", EntryType::Regular, &b"1"[..]);
    let entries = [&folders[..], &[file]].concat();
    let as_zip = |entries: &[(&str, EntryType, &[u8])]| {
        zip(&entries.iter().map(|(name, _, bytes)| (*name, *bytes)).collect::<Vec<_>>())
    };
    assert_eq!(files("x.tgz", &tar(&entries), two).unwrap().files.len(), 1);
    assert_eq!(files("x.zip", &as_zip(&entries), two).unwrap().files.len(), 1);
    let more = [&folders[..], &[("d/", EntryType::Directory, b""), file]].concat();
    assert_eq!(files("x.tgz", &tar(&more), two).unwrap_err().to_string(), "more than 2 files");
    assert_eq!(files("x.zip", &as_zip(&more), two).unwrap_err().to_string(), "more than 2 files");
}

#[test]
fn the_folder_that_an_archive_was_made_in_is_none_of_its_folders() {
    for folder in ["./", ".", "././/"] {
        let made = [(folder, EntryType::Directory, &b""[..]), ("./a.c", EntryType::Regular, b"1")];
        assert_eq!(paths("x.tgz", &tar(&made)).unwrap_or_default(), ["a.c"], "{folder}");
    }
    let outside = tar(&[("../x/", EntryType::Directory, b""), ("a.c", EntryType::Regular, b"1")]);
    assert!(reason("x.tgz", &outside).contains("it leads out of its folder"));
    assert!(reason("x.zip", &zip(&[("../x/", b""), ("a.c", b"1")])).contains("it leads out of its folder"));
}

#[test]
fn sizes_that_lie_are_not_believed() {
    let honest = zip(&[("a.txt", &[b'x'; 1000])]);
    let mut lies = honest.clone();
    // The uncompressed size in the local header and in the directory.
    for (at, window) in honest.windows(4).enumerate().filter(|(_, window)| *window == 1000_u32.to_le_bytes()) {
        lies[at..at + window.len()].copy_from_slice(&7_u32.to_le_bytes());
    }
    assert_ne!(lies, honest);
    // Either the library detects it, or the bytes are counted as they arrive.
    if let Ok(read) = files("x.zip", &lies, BOUNDS) {
        assert!(read.files[0].bytes.len() <= 1000);
    }
    let mut grows = honest.clone();
    for (at, window) in honest.windows(4).enumerate().filter(|(_, window)| *window == 1000_u32.to_le_bytes()) {
        grows[at..at + window.len()].copy_from_slice(&u32::MAX.to_le_bytes());
    }
    if let Ok(read) = files("x.zip", &grows, BOUNDS) {
        assert!(read.files[0].bytes.len() <= 1000, "no more than there is");
    }
}

#[test]
fn what_is_no_archive_is_refused() {
    for name in ["x.zip", "x.tar.gz", "X.TGZ"] {
        assert!(reason(name, b"not an archive").contains("cannot be read"), "{name}");
    }
    assert!(reason("x.zip", &zip(&[])).contains("no file"));
    assert!(reason("x.tgz", &tar(&[])).contains("no file"));
}

#[test]
fn damaged_archives_never_cause_a_panic() {
    let archives = [
        ("x.zip", zip(&[("a.py", b"print(1)"), ("b/c.py", b"2")])),
        ("x.tgz", tar(&[("a.py", EntryType::Regular, b"1")])),
    ];
    for (name, whole) in archives {
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x55;
            drop(files(name, &changed, BOUNDS));
            drop(files(name, &whole[..at], BOUNDS));
        }
    }
}

#[test]
fn an_archive_in_an_archive_is_a_file() {
    let inner = zip(&[("../a.py", b"1")]);
    assert_eq!(paths("x.zip", &zip(&[("inner.zip", &inner), ("a.py", b"1")])).unwrap(), ["a.py", "inner.zip"]);
}

#[test]
fn a_long_or_deep_path_is_refused() {
    let (long, deep) = ("a".repeat(MAX_PATH + 1), "a/".repeat(MAX_DEPTH) + "b");
    for path in [long, deep] {
        assert!(reason("x.zip", &zip(&[(&path, b"1")])).contains("too long or too deep"));
    }
    let long = format!("{}/{}", "a".repeat(MAX_NAME.min(MAX_PATH / 2)), "b".repeat(MAX_PATH - MAX_PATH / 2 - 1));
    let name = "n".repeat(MAX_NAME.min(MAX_PATH));
    let bytes = "\u{e9}".repeat(126) + "a.c";
    assert_eq!(bytes.len(), MAX_NAME);
    for path in [&long, &name, &bytes, &("a/".repeat(MAX_DEPTH - 1) + "b")] {
        assert_eq!(files(path, b"1", BOUNDS).map_or(0, |read| read.files.len()), 1, "{path}");
    }
    // File systems count bytes.
    let (fits, long) = ("\u{e9}".repeat(126) + ".c", "\u{e9}".repeat(127) + ".c");
    for path in [&*long, &format!("a/{long}/b"), &"\u{1f600}".repeat(90)] {
        assert!(reason("x.zip", &zip(&[(path, b"1")])).contains("too long or too deep"), "{path}");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(&fits), "").unwrap();
    assert_eq!(paths(&fits, b"1").unwrap(), [fits]);
}

#[test]
fn a_reason_that_quotes_bytes_of_the_archive_is_printable() {
    // A header whose checksum is no number, which the library quotes.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&[b'\x1b'; 512]).unwrap();
    let refused = reason("x.tgz", &encoder.finish().unwrap());
    assert!(refused.contains("cannot be read") && !refused.chars().any(char::is_control), "{refused:?}");
}
