//! Paths that are valid in every process that sees the same folders, and executable files.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

/// A path without links and `..`, except in its last part. A path whose folder cannot be found is returned unchanged.
pub fn canonical_parent(path: &Path) -> PathBuf {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else { return path.into() };
    folder.canonicalize().map_or_else(|_| path.into(), |folder| folder.join(name))
}

/// Folders of programs and libraries for all users, which every job sees.
pub const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
];

/// Tests whether a path without links is one of the system's programs or libraries.
pub fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// Tests whether a path leads to a regular file that some user may execute.
#[cfg(unix)]
pub fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Tests whether a path leads to a regular file. This system has no permission to execute.
#[cfg(not(unix))]
pub fn is_executable(file: &Path) -> bool {
    file.is_file()
}

/// Tests whether a search path has a program. Relative folders are ignored.
pub fn on_path(path: &OsStr, program: &str) -> bool {
    let mut folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    folders.any(|folder| is_executable(&folder.join(program)))
}

/// Tests whether an absolute path leads through `/proc`, by itself or by a link such as `/dev/fd`. There, a path such as
/// `/proc/self/exe` leads to a different file in each process.
pub fn leads_through_proc(path: &Path) -> bool {
    /// The most links that are followed, as many as the system follows.
    const MAX_LINKS: u32 = 40;
    let parts = |path: &Path| path.components().map(|part| part.as_os_str().to_owned()).collect::<Vec<OsString>>();
    let mut left: VecDeque<OsString> = parts(path).into();
    let (mut at, mut links) = (PathBuf::new(), 0);
    while let Some(part) = left.pop_front() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => drop(at.pop()),
            Some(Component::CurDir) | None => {}
            // `push` of the root replaces the path.
            Some(_) => at.push(&part),
        }
        if at == Path::new("/proc") {
            return true;
        }
        if let Ok(target) = at.read_link() {
            links += 1;
            if links > MAX_LINKS {
                return false;
            }
            at.pop();
            parts(&target).into_iter().rev().for_each(|part| left.push_front(part));
        }
    }
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn paths_of_processes_are_found_behind_links() {
        let folder = std::env::temp_dir().join(format!("judge-job-path-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for (link, target) in
            [("proc", "/proc"), ("root", "/proc/self/root"), ("exe", "proc/self/exe"), ("loop", "loop")]
        {
            std::os::unix::fs::symlink(target, folder.join(link)).expect("a link");
        }
        for (path, expected) in [
            ("/proc/self/exe", true),
            ("/usr/../proc/1/exe", true),
            ("/dev/fd/0", true),
            ("/dev/stdin", true),
            ("proc/cpuinfo", true),
            ("root/bin/sh", true),
            ("exe", true),
            ("loop", false),
            ("none", false),
            ("/bin/sh", false),
            ("/processes", false),
        ] {
            assert_eq!(leads_through_proc(&folder.join(path)), expected, "{path}");
        }
        std::fs::remove_dir_all(&folder).expect("it is there");
    }
}
