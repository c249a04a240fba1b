//! Tests of folders that their authors made hard to remove.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use judge_files::remove_all;
use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};

fn closed(path: &std::path::Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
}

#[test]
fn removal_leaves_alone_what_links_lead_to() {
    let base = tempfile::tempdir().unwrap();
    let (top, outside) = (base.path().join("top"), base.path().join("outside"));
    for folder in [top.join("a/b"), top.join("1/2"), outside.clone()] {
        fs::create_dir_all(folder).unwrap();
    }
    for file in [top.join("a/b/file"), top.join("1/2/3"), outside.join("file")] {
        fs::write(file, "x").unwrap();
    }
    symlink(&outside, top.join("a/link")).unwrap();
    symlink(outside.join("file"), top.join("link")).unwrap();
    for folder in [top.join("a/b"), top.join("a"), top.clone()] {
        closed(&folder);
    }
    let mode = || fs::metadata(&outside).unwrap().permissions().mode();
    let before = mode();
    remove_all(&top).unwrap();
    assert!(!top.exists() && outside.join("file").exists() && mode() == before);
    // Links to folders, and files, are not folders.
    symlink(&outside, &top).unwrap();
    assert!(remove_all(&top).is_err() && remove_all(&outside.join("file")).is_err() && outside.join("file").exists());
    fs::remove_file(&top).unwrap();
    assert_eq!(remove_all(&top).unwrap_err().kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn folders_deeper_than_any_stack_are_removed() {
    let base = tempfile::tempdir().unwrap();
    let top = base.path().join("top");
    fs::create_dir(&top).unwrap();
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut folder = openat(CWD, &top, flags, Mode::empty()).unwrap();
    for _ in 0..20_000 {
        mkdirat(&folder, "deeper", Mode::RWXU).unwrap();
        folder = openat(&folder, "deeper", flags, Mode::empty()).unwrap();
    }
    remove_all(&top).unwrap();
    assert!(!top.exists());
}
