//! Tests of names in a folder that are already taken, and of changes by other processes.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use judge_files::regular::open;
use judge_files::{Folder, Item, Links};

fn reason<T>(result: std::io::Result<T>) -> String {
    result.err().map_or_else(String::new, |error| error.to_string())
}

#[test]
fn a_path_that_leads_elsewhere_is_refused_with_the_reason() {
    let base = tempfile::tempdir().unwrap();
    fs::create_dir_all(base.path().join("inside/inner")).unwrap();
    fs::write(base.path().join("secret"), "secret").unwrap();
    fs::write(base.path().join("inside/file"), "file").unwrap();
    for (link, target) in [("up", ".."), ("out", "../secret"), ("all", "/"), ("own", "file"), ("loop", "loop")] {
        symlink(target, base.path().join("inside").join(link)).unwrap();
    }
    let folder = Folder::open(&base.path().join("inside")).unwrap();
    for (path, refused, followed) in [
        ("../secret", "has a `..`; expected a path inside", "has a `..`"),
        ("inner/../file", "has a `..`", "has a `..`"),
        ("/etc/passwd", "is absolute; expected a path inside", "is absolute"),
        (
            "up/secret",
            "is a symbolic link, or passes one, that is not followed here",
            "leads out of its folder by a link",
        ),
        ("out", "is a symbolic link", "leads out of its folder"),
        ("all/etc/passwd", "is a symbolic link", "leads out of its folder"),
        ("own", "is a symbolic link", ""),
        ("loop", "is a symbolic link", "is a symbolic link"),
        ("inner", "is a directory; expected a regular file", "is a directory"),
        ("", "is a directory", "is a directory"),
        ("none", "No such file", "No such file"),
    ] {
        let (strict, lenient) = (reason(folder.read(path)), reason(folder.read_by_links(path)));
        assert!(strict.starts_with(refused), "{path}: {strict}");
        assert!(lenient.starts_with(followed) && lenient.is_empty() == followed.is_empty(), "{path}: {lenient}");
    }
    let item = folder.item("own", Links::Inside).unwrap();
    assert_eq!(item.real_path().unwrap(), base.path().canonicalize().unwrap().join("inside/file"));
    assert_eq!(item.path(), base.path().join("inside/own"));
    assert!(folder.metadata("loop").unwrap().is_symlink() && folder.has("loop") && !folder.has("none"));
    assert!(reason(Folder::from_item(item)).contains("Not a directory"));
    assert!(Folder::from_item(Item::from(folder.folder("inner").unwrap())).unwrap().names().unwrap().next().is_none());
}

#[test]
fn who_may_read_a_file_may_execute_it_when_its_item_says_so() {
    use std::os::unix::fs::PermissionsExt as _;
    let base = tempfile::tempdir().unwrap();
    let folder = Folder::open(base.path()).unwrap();
    let path = base.path().join("program");
    for (before, after) in [(0o644, 0o755), (0o600, 0o700), (0o4640, 0o750), (0o755, 0o755)] {
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(before)).unwrap();
        folder.item("program", Links::Inside).unwrap().let_execute().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, after);
    }
    assert!(folder.item(".", Links::Inside).unwrap().let_execute().is_err());
}

#[test]
fn neither_a_pipe_nor_a_device_is_opened_or_waited_for() {
    let base = tempfile::tempdir().unwrap();
    let pipe = base.path().join("pipe");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RWXU,
        rustix::fs::makedev(0, 0),
    )
    .unwrap();
    let folder = Folder::open(base.path()).unwrap();
    assert_eq!(reason(folder.read("pipe")), "is a pipe; expected a regular file");
    assert_eq!(reason(folder.append("pipe")), "is a pipe; expected a regular file");
    assert_eq!(reason(open(&pipe)), "is a pipe; expected a regular file");
    let devices = Folder::open(Path::new("/dev")).unwrap();
    assert_eq!(reason(devices.read("zero")), "is a device; expected a regular file");
    folder.replace("pipe", |file| file.write_all(b"whole")).unwrap();
    assert_eq!(fs::read(&pipe).unwrap(), b"whole");
}

#[test]
fn a_failed_write_leaves_what_was_there() {
    let base = tempfile::tempdir().unwrap();
    let folder = Folder::open(base.path()).unwrap();
    folder.create_folders("output/1/mine").unwrap();
    folder.create_folders("output/1").unwrap();
    folder.create_new("output/1/mine/B.1.out").unwrap().write_all(b"first").unwrap();
    symlink("../secret", base.path().join("output/link")).unwrap();
    assert_eq!(reason(folder.create_new("output/1/mine/B.1.out")), "File exists (os error 17)");
    assert_eq!(reason(folder.create_new("output/link")), "File exists (os error 17)");
    assert!(reason(folder.create_folders("output/link/deeper")).contains("is a symbolic link"));
    folder.create_folders("output/2").unwrap();

    let failed = folder.replace("output/1/mine/B.1.out", |file| {
        file.write_all(b"half")?;
        Err(std::io::Error::other("the disk is full"))
    });
    assert_eq!(reason(failed), "the disk is full");
    assert_eq!(fs::read(base.path().join("output/1/mine/B.1.out")).unwrap(), b"first");
    folder.replace("output/link", |file| file.write_all(b"whole")).unwrap();
    assert!(
        base.path().join("output/link").symlink_metadata().unwrap().is_file() && !base.path().join("secret").exists()
    );
    assert!(reason(folder.replace("output/1", |_| Ok(()))).contains("directory"));
    folder.append("output/link").unwrap().write_all(b" and more").unwrap();
    let mut text = String::new();
    folder.read("output/link").unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "whole and more");

    folder.rename("output/link", "output/2/moved").unwrap();
    folder.remove_file("output/2/moved").unwrap();
    assert!(reason(folder.remove_folder("output")).contains("not empty"));
    folder.remove_folder("output/2").unwrap();
    let mut names: Vec<_> = folder.folder("output/1/mine").unwrap().names().unwrap().map(Result::unwrap).collect();
    names.sort();
    assert_eq!(names, ["B.1.out"], "no file of a failed attempt is left");
}

#[test]
fn a_folder_stays_the_same_one_when_its_name_becomes_a_link() {
    let base = tempfile::tempdir().unwrap();
    fs::create_dir_all(base.path().join("mine")).unwrap();
    fs::create_dir_all(base.path().join("rival")).unwrap();
    let folder = Folder::open(&base.path().join("mine")).unwrap();
    fs::rename(base.path().join("mine"), base.path().join("moved")).unwrap();
    symlink("rival", base.path().join("mine")).unwrap();
    folder.create_new("file").unwrap();
    assert!(base.path().join("moved/file").exists() && !base.path().join("rival/file").exists());
    assert_eq!(folder.real_path().unwrap(), base.path().canonicalize().unwrap().join("moved"));
}

#[test]
fn a_folder_that_becomes_a_link_never_leads_out() {
    let base = tempfile::tempdir().unwrap();
    let at = |name: &str| base.path().join(name);
    for (folder, text) in [("inside/real", "own"), ("outside", "secret")] {
        fs::create_dir_all(at(folder)).unwrap();
        fs::write(at(folder).join("file"), text).unwrap();
    }
    symlink("../outside", at("inside/link")).unwrap();
    let folder = Folder::open(&at("inside")).unwrap();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                for name in ["real", "link"] {
                    fs::rename(at("inside").join(name), at("inside/x")).unwrap();
                    fs::rename(at("inside/x"), at("inside").join(name)).unwrap();
                    // `x` is the folder and the link alternately.
                    symlink("../outside", at("inside/y")).unwrap();
                    fs::rename(at("inside/y"), at("inside/x")).unwrap();
                    fs::remove_file(at("inside/x")).unwrap();
                }
            }
        });
        let mut read = Vec::new();
        for turn in 0..1000 {
            let name = ["real/file", "x/file"][turn % 2];
            for file in [folder.read(name), folder.read_by_links(name)].into_iter().flatten() {
                read.push(std::io::read_to_string(file).unwrap());
            }
        }
        // Stop the other thread before the checks, so that it ends even if a check fails.
        over.store(true, Ordering::Relaxed);
        assert!(!read.is_empty() && read.iter().all(|text| text == "own"), "{read:?}");
    });
}
