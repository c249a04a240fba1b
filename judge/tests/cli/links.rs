//! Links that an author or a build puts where the judge looks: nothing that they lead to is shown, published or written.
//! In both tiers, as root and as an ordinary user.

mod builds;
mod entries;
mod names;
mod referee;
mod siege;
mod trees;

use std::os::unix::fs::symlink;

use crate::support::*;

/// What must never be seen.
const SECRET: &str = "SECRET-TOKEN";
const SHOW: &str = "cat \"${1#file:}\" >&2; echo lluu";

/// A judge of a tier and a user, with a contest's folder in which it may write.
struct Site {
    folder: Folder,
    isolation: &'static str,
    user: Option<u32>,
}

/// The result of a command.
struct Ran {
    code: Option<i32>,
    printed: String,
}

impl Site {
    /// Runs a test in both tiers, for this user and, if that is root, for an ordinary one.
    fn each(test: impl Fn(&Self) + Sync) {
        let users: &[Option<u32>] = if rustix::process::geteuid().is_root() { &[None, Some(64_101)] } else { &[None] };
        let cases: Vec<_> = users.iter().flat_map(|user| [(*user, "auto"), (*user, "landlock")]).collect();
        at_once(&cases, |(user, isolation)| {
            let folder = Folder::new();
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
            folder.program("judge", env!("CARGO_BIN_EXE_judge"));
            fs::copy(board("near-end-1"), folder.path().join("board.txt")).unwrap();
            folder.file("home/secret", SECRET);
            folder.file("home/inner/secret", SECRET);
            folder.script("rival/solver", &format!("echo {SECRET} >&2; echo lluu"));
            fs::create_dir(folder.path().join("tmp")).unwrap();
            test(&Self { folder, isolation, user: *user });
        });
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn link(&self, name: &str, target: impl AsRef<Path>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::remove_file(self.path(name)).ok();
        symlink(target, self.path(name)).unwrap();
    }

    /// Closes the organiser's files, and gives everything to the judge's user.
    fn close(&self) {
        for (name, mode) in [("home/secret", 0o600), ("home/inner/secret", 0o600), ("home", 0o700)] {
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        if let Some(user) = self.user {
            let mut waiting = vec![self.folder.path().to_owned()];
            while let Some(path) = waiting.pop() {
                std::os::unix::fs::lchown(&path, Some(user), Some(user)).unwrap();
                if path.symlink_metadata().unwrap().is_dir() {
                    waiting.extend(fs::read_dir(path).unwrap().map(|item| item.unwrap().path()));
                }
            }
        }
    }

    fn judge(&self, args: &[&str]) -> Ran {
        let mut command = Command::new(self.path("judge"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("TMPDIR", self.path("tmp")).env("HOME", self.path("home"));
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        let output = command.output().unwrap();
        let printed = [output.stdout, output.stderr].concat();
        Ran { code: output.status.code(), printed: String::from_utf8_lossy(&printed).into_owned() }
    }

    /// Runs a contest with these lines after its head.
    fn run(&self, out: &str, entries: &str) -> Ran {
        let head = contest(&[("NEAR", "board.txt")]);
        let head = format!("build_isolation = \"{}\"\n{head}", self.isolation);
        self.folder.file("contest.toml", head + entries);
        self.close();
        self.judge(&["run", "--isolation", self.isolation, "--out", out, "--jobs", "2"])
    }

    /// All that a results directory holds.
    fn recorded(&self, out: &str) -> BTreeMap<PathBuf, String> {
        let (mut files, mut folders) = (BTreeMap::new(), vec![self.path(out)]);
        while let Some(items) = folders.pop().map(fs::read_dir) {
            for path in items.into_iter().flatten().map(|item| item.unwrap().path()) {
                match path.is_dir() {
                    true => folders.push(path),
                    false => {
                        drop(files.insert(path.clone(), String::from_utf8_lossy(&fs::read(&path).unwrap()).into()))
                    }
                }
            }
        }
        files
    }

    /// Asserts that no secret was printed or recorded.
    fn is_tight(&self, what: &str, ran: &Ran, out: &str) {
        let whose = (self.isolation, self.user);
        assert!(!ran.printed.contains(SECRET), "{what} {whose:?}: {}", ran.printed);
        for (path, text) in self.recorded(out) {
            let path = path.display();
            // What the rival printed, and its program, which is kept by its hash.
            let of_rival = path.to_string().contains("/rival/") || text == self.folder.read("rival/solver");
            assert!(!text.contains(SECRET) || of_rival, "{what} {whose:?}: {path}: {text}");
        }
    }
}

/// The entry `mine`, whose program prints the file of its first argument.
fn mine(file: &str, keys: &str) -> String {
    entry("mine", &["mine/show", file]) + keys + "\n"
}
