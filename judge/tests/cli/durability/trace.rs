//! The file operations of a command, as strace recorded them.

use std::collections::HashMap;
use std::os::unix::ffi::OsStringExt as _;

use crate::support::*;

/// The system calls that can change files, and those that identify threads and descriptors.
const CALLS: &str = "open,openat,openat2,creat,write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,sync,syncfs,\
     sync_file_range,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,\
     truncate,ftruncate,fallocate,lseek,copy_file_range,sendfile,splice,dup,dup2,dup3,fcntl,mmap,clone,clone3,read";

/// A file operation of the judge. Paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// A file was opened for writing. `fresh` if it did not exist or was emptied.
    Create {
        path: PathBuf,
        fresh: bool,
    },
    /// Bytes were written at that place; `None` for the current end.
    Write {
        path: PathBuf,
        at: Option<u64>,
        bytes: Vec<u8>,
    },
    /// A file was cut or extended.
    Length {
        path: PathBuf,
        length: u64,
    },
    /// A sync began. It need not cover later writes.
    SyncBegins {
        number: usize,
        path: PathBuf,
    },
    /// That sync has ended with success.
    SyncEnds {
        number: usize,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
    },
    Link {
        from: PathBuf,
        to: PathBuf,
    },
    Unlink {
        path: PathBuf,
    },
    MakeFolder {
        path: PathBuf,
    },
    RemoveFolder {
        path: PathBuf,
    },
    /// The command announced these bytes to its user.
    Printed {
        bytes: Vec<u8>,
    },
}

/// The file operations of one command, in their order, and its end.
pub(crate) struct Trace {
    pub(crate) steps: Vec<Step>,
    pub(crate) code: Option<i32>,
    pub(crate) printed: String,
}

/// Runs `judge` in a folder and records the operations of its threads on files in that folder. `None` if processes
/// cannot be traced here.
pub(crate) fn record(folder: &Folder, arguments: &[&str]) -> Option<Trace> {
    let outside = tempfile::tempdir().unwrap();
    let file = outside.path().join("trace");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-y", "-xx", "-s", "100000000", "-e", "signal=none", "-e"]);
    strace.arg(format!("trace={CALLS}")).arg("-o").arg(&file);
    strace.arg(env!("CARGO_BIN_EXE_judge")).args(arguments);
    strace.current_dir(folder.path()).stdin(Stdio::null());
    let output = strace.output().ok()?;
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).unwrap();
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    if text.is_empty() && (printed.contains("ptrace") || printed.contains("PTRACE")) {
        return None;
    }
    assert!(!text.is_empty(), "{printed}");
    let root = folder.path().canonicalize().unwrap();
    Some(Trace { steps: steps(&text, &root), code: output.status.code(), printed })
}

/// One call, put together if another thread interrupted its line.
struct Call<'a> {
    thread: u32,
    name: &'a str,
    arguments: String,
    result: i64,
    /// The path of the descriptor that it returned.
    returned: Option<PathBuf>,
    /// The lines of its begin and its end.
    begin: usize,
    end: usize,
}

fn calls(text: &str) -> Vec<Call<'_>> {
    let mut calls = Vec::new();
    let mut waiting: HashMap<u32, (usize, &str, String)> = HashMap::new();
    for (number, line) in text.lines().enumerate() {
        let (thread, line) = line.split_once(' ').unwrap();
        let (thread, line) = (thread.parse().unwrap(), line.trim_start());
        if line.starts_with("---") || line.starts_with("+++") {
            continue;
        }
        let (begin, name, whole) = if let Some(rest) = line.strip_prefix("<... ") {
            let (begin, name, first) = waiting.remove(&thread).unwrap();
            (begin, name, first + rest.split_once(" resumed>").unwrap().1)
        } else {
            let (name, rest) = line.split_once('(').unwrap();
            if let Some(first) = rest.strip_suffix(" <unfinished ...>") {
                waiting.insert(thread, (number, name, first.to_owned()));
                continue;
            }
            (number, name, rest.to_owned())
        };
        // A thread that ended in a call has no result.
        let Some((arguments, result)) = whole.rsplit_once(" = ") else { continue };
        let arguments = arguments.trim_end().trim_end_matches(')').to_owned();
        let digits: String = result.chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
        let Ok(result_number) = digits.parse() else { continue };
        let returned = result.split_once('<').and_then(|(_, path)| Some(path_of(path.rsplit_once('>')?.0)));
        calls.push(Call { thread, name, arguments, result: result_number, returned, begin, end: number });
    }
    calls
}

/// The bytes that strace prints as `\x2f\x74`.
fn decoded(hex: &str) -> Vec<u8> {
    let digit = |byte: u8| u8::try_from((byte as char).to_digit(16).unwrap()).unwrap();
    let pairs = hex.as_bytes().chunks(4);
    pairs
        .map(|four| {
            assert!(four.len() == 4 && four[..2] == *b"\\x", "{hex}");
            digit(four[2]) * 16 + digit(four[3])
        })
        .collect()
}

fn path_of(hex: &str) -> PathBuf {
    // Names of pipes and sockets are not paths, and a remark follows the path of a deleted file.
    let hex = hex.split_once('>').map_or(hex, |(path, _)| path);
    PathBuf::from(std::ffi::OsString::from_vec(decoded(hex)))
}

/// The strings among the arguments, in quotes.
fn strings(arguments: &str) -> Vec<Vec<u8>> {
    let parts: Vec<&str> = arguments.split('"').collect();
    parts.iter().skip(1).step_by(2).map(|hex| decoded(hex)).collect()
}

/// A path among the arguments: the folder in `<…>` before it, and the string.
fn paths(arguments: &str, cwd: &Path) -> Vec<PathBuf> {
    let mut rest = arguments;
    let mut folder = cwd.to_owned();
    let mut found = Vec::new();
    while let Some(at) = rest.find(['<', '"']) {
        let (open, tail) = (&rest[at..=at], &rest[at + 1..]);
        if open == "<" {
            let (path, tail) = tail.split_once('>').unwrap();
            folder = path_of(path);
            rest = tail;
        } else {
            let (path, tail) = tail.split_once('"').unwrap();
            found.push(folder.join(PathBuf::from(std::ffi::OsString::from_vec(decoded(path)))));
            folder = cwd.to_owned();
            rest = tail;
        }
    }
    found
}

/// The number of a descriptor, and its path, at the beginning of an argument.
fn descriptor(argument: &str) -> Option<(i64, PathBuf)> {
    let (number, rest) = argument.trim().split_once('<')?;
    Some((number.parse().ok()?, path_of(rest.split_once('>')?.0)))
}

/// The arguments, split where no brackets, quotes or descriptors are open.
fn split(arguments: &str) -> Vec<&str> {
    // Strings and paths are hexadecimal, so they contain no comma.
    arguments.split(", ").collect()
}

/// The steps of the judge's own threads in that folder.
fn steps(text: &str, root: &Path) -> Vec<Step> {
    let calls = calls(text);
    // Threads of the judge: the first one, and those that they start with shared memory. All others are entries and
    // builds.
    let mut threads: Vec<u32> =
        calls.iter().min_by_key(|call| call.begin).map(|call| call.thread).into_iter().collect();
    loop {
        let known = threads.len();
        for call in
            calls.iter().filter(|call| call.name.starts_with("clone") && call.arguments.contains("CLONE_THREAD"))
        {
            let started = u32::try_from(call.result).unwrap_or(0);
            if threads.contains(&call.thread) && started > 0 && !threads.contains(&started) {
                threads.push(started);
            }
        }
        if threads.len() == known {
            break;
        }
    }
    let mut placed: Vec<(usize, Step)> = Vec::new();
    // Positions and lengths, by description; descriptions by descriptor. `None` appends.
    let (mut open, mut positions): (HashMap<i64, usize>, Vec<Option<u64>>) = (HashMap::new(), Vec::new());
    // Files that the judge wrote elsewhere and copies from there.
    let mut elsewhere: HashMap<PathBuf, Vec<u8>> = HashMap::new();
    let mut own: Vec<&Call<'_>> =
        calls.iter().filter(|call| threads.contains(&call.thread) && call.result >= 0).collect();
    own.sort_by_key(|call| call.end);
    for (number, call) in own.into_iter().enumerate() {
        let inside = |path: &Path| path.starts_with(root);
        let arguments = split(&call.arguments);
        let named = || paths(&call.arguments, root);
        let mut place = |at: usize, step: Step| placed.push((at, step));
        match call.name {
            "open" | "openat" | "openat2" | "creat" => {
                let Some(path) = call.returned.clone() else { continue };
                let flags = &call.arguments;
                positions.push(if flags.contains("O_APPEND") { None } else { Some(0) });
                open.insert(call.result, positions.len() - 1);
                let writes = flags.contains("O_WRONLY") || flags.contains("O_RDWR") || call.name == "creat";
                assert!(!(inside(&path) && flags.contains("O_TMPFILE")), "not modelled: {flags}");
                if !inside(&path) && flags.contains("O_TRUNC") {
                    elsewhere.insert(path.clone(), Vec::new());
                }
                if inside(&path) && writes {
                    let fresh = flags.contains("O_TRUNC") || flags.contains("O_EXCL") || call.name == "creat";
                    let created = flags.contains("O_CREAT");
                    if fresh || created {
                        place(call.begin, Step::Create { path, fresh });
                    }
                }
            }
            "dup" | "dup2" | "dup3" | "fcntl" => {
                let copies = call.name != "fcntl" || call.arguments.contains("F_DUPFD");
                let from = descriptor(arguments[0]).and_then(|(fd, _)| open.get(&fd).copied());
                if let (true, Some(from)) = (copies, from) {
                    open.insert(call.result, from);
                }
            }
            "lseek" => {
                let from = descriptor(arguments[0]).and_then(|(fd, _)| open.get(&fd));
                if let Some(position) = from.and_then(|open| positions[*open].as_mut()) {
                    *position = u64::try_from(call.result).unwrap();
                }
            }
            "read" | "sendfile" | "splice" | "mmap" => {
                let Some((fd, path)) = descriptor(arguments[0]) else { continue };
                assert!(call.name == "read" || !inside(&path), "not modelled: {}({})", call.name, call.arguments);
                let position = open.get(&fd).and_then(|open| positions[*open].as_mut());
                if let (true, Some(position)) = (inside(&path), position) {
                    *position += u64::try_from(call.result).unwrap();
                }
            }
            "write" | "writev" | "pwrite64" | "pwritev" | "pwritev2" => {
                let Some((fd, path)) = descriptor(arguments[0]) else { continue };
                let mut bytes = strings(&call.arguments).concat();
                bytes.truncate(usize::try_from(call.result).unwrap());
                if fd == 1 || fd == 2 {
                    place(call.begin, Step::Printed { bytes });
                    continue;
                }
                if !inside(&path) {
                    if let Some(content) = elsewhere.get_mut(&path) {
                        content.extend(bytes);
                    }
                    continue;
                }
                let at = if call.name.starts_with('p') {
                    Some(arguments[if call.name == "pwrite64" { 3 } else { arguments.len() - 1 }].parse().unwrap())
                } else {
                    let position = &mut positions[open[&fd]];
                    let at = *position;
                    *position = position.map(|position| position + bytes.len() as u64);
                    at
                };
                place(call.begin, Step::Write { path, at, bytes });
            }
            "copy_file_range" => {
                let (Some((_, from)), Some((fd, path))) = (descriptor(arguments[0]), descriptor(arguments[2])) else {
                    continue;
                };
                if !inside(&path) || call.result == 0 {
                    continue;
                }
                // The judge copies whole files that do not change afterwards, from their beginning.
                let position = positions[open[&fd]].as_mut().unwrap();
                let (at, length) = (*position, u64::try_from(call.result).unwrap());
                *position += length;
                let read = || std::fs::read(&from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
                let bytes = elsewhere.get(&from).cloned().unwrap_or_else(read);
                let range = usize::try_from(at).unwrap()..usize::try_from(at + length).unwrap();
                place(call.begin, Step::Write { path, at: Some(at), bytes: bytes[range].to_vec() });
            }
            "ftruncate" | "truncate" => {
                let path = descriptor(arguments[0]).map_or_else(|| named().remove(0), |(_, path)| path);
                if inside(&path) {
                    place(call.begin, Step::Length { path, length: arguments[1].parse().unwrap() });
                }
            }
            "fsync" | "fdatasync" => {
                let Some((_, path)) = descriptor(arguments[0]).filter(|(_, path)| inside(path)) else { continue };
                place(call.begin, Step::SyncBegins { number, path });
                place(call.end, Step::SyncEnds { number });
            }
            "rename" | "renameat" | "renameat2" | "link" | "linkat" => {
                let [from, to] = <[PathBuf; 2]>::try_from(named()).unwrap();
                if inside(&from) || inside(&to) {
                    assert!(inside(&from) && inside(&to), "not modelled: {} to {}", from.display(), to.display());
                    let is_link = call.name.starts_with("link");
                    place(call.begin, if is_link { Step::Link { from, to } } else { Step::Rename { from, to } });
                }
            }
            "unlink" | "unlinkat" | "rmdir" | "mkdir" | "mkdirat" => {
                let path = named().remove(0);
                if inside(&path) {
                    let removes_folder = call.name == "rmdir" || call.arguments.contains("AT_REMOVEDIR");
                    place(
                        call.begin,
                        match (call.name.starts_with("mkdir"), removes_folder) {
                            (true, _) => Step::MakeFolder { path },
                            (false, true) => Step::RemoveFolder { path },
                            (false, false) => Step::Unlink { path },
                        },
                    );
                }
            }
            "symlink" | "symlinkat" | "fallocate" | "sync" | "syncfs" | "sync_file_range" => {
                let in_root = paths(&call.arguments, root).last().is_some_and(|path| inside(path));
                let on_file = descriptor(arguments[0]).is_some_and(|(_, path)| inside(&path));
                assert!(!in_root && !on_file, "not modelled: {}({})", call.name, call.arguments);
            }
            _ => {}
        }
    }
    // A call takes effect between its begin and its end, and a call that depends on it begins after that.
    placed.sort_by_key(|(at, _)| *at);
    placed.into_iter().map(|(_, step)| step).collect()
}
