//! The surroundings of a solver that its author's machine has and a contest does not: the folder of its modules, the
//! environment of its interpreter, and the variables that its author set.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use judge_contest::{Surroundings, resolve};
use judge_files::regular;
use judge_job::{canonical_parent, is_of_system};

/// Variables that name folders from which interpreters load modules.
const FOLDER_VARIABLES: [&str; 12] = [
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PYTHONPATH",
    "NODE_PATH",
    "GEM_HOME",
    "GEM_PATH",
    "PERL5LIB",
    "RUBYLIB",
    "CLASSPATH",
    "JULIA_DEPOT_PATH",
    "LUA_PATH",
    "LD_LIBRARY_PATH",
];
/// Variables that only concern the shell.
const OF_THE_SHELL: [&str; 4] = ["PWD", "OLDPWD", "SHLVL", "_"];
/// The folder of Python's modules of a user, which is in the home directory unless this variable names another.
const PYTHON_USER: &str = "PYTHONUSERBASE";
/// The file that marks a virtual environment of Python.
const VIRTUAL_ENVIRONMENT: &str = "pyvenv.cfg";
/// The most bytes that are read of that file.
const MAX_SETTINGS: u64 = 64 << 10;
/// Folders in which all users and programs have files.
const COMMON: [&str; 4] = ["/", "/tmp", "/var/tmp", "/dev/shm"];
/// Folders below the solver's that contain none of its source.
const NOT_SOURCES: [&str; 4] = ["judge-try", "target", "node_modules", "__pycache__"];
/// The most files that are taken for parts of a solver.
const MAX_SOURCES: usize = 1000;

/// The surroundings of the solver with this command, started in the folder `here` with these variables.
///
/// They have the folder of each file that the command names. From a home directory, a folder that all users share, or a
/// folder that runs of root cannot read, only the files with the ending of that file are taken.
pub fn around(command: &[String], here: &Path, variables: Vec<(String, String)>) -> Surroundings {
    let value = |name: &str| variables.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
    let home = value("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let mut around = Surroundings::default();
    let words = resolve(command, here);
    let named = words.iter().map(PathBuf::from).filter(|path| path.is_absolute() && path.is_file());
    for (index, file) in named.filter(|path| !is_of_system(path)).enumerate() {
        let Some(folder) = file.parent() else { continue };
        let whole = !is_common(folder, home.as_deref()) && is_open(folder);
        let ending = file.extension().and_then(|ending| ending.to_str());
        let mut sources = Vec::new();
        if let Some(ending) = ending.filter(|_| index == 0 || !whole) {
            add_sources(folder, ending, whole, &mut sources);
        }
        if whole {
            around.readable.push(folder.to_owned());
        } else {
            around.readable.extend(sources.iter().cloned());
        }
        if index == 0 {
            around.sources = sources;
        }
        if let Some(environment) = folder.parent().filter(|above| above.join(VIRTUAL_ENVIRONMENT).is_file()) {
            add_environment(environment, &mut around.readable);
        }
    }
    for folders in FOLDER_VARIABLES.iter().filter_map(|name| value(name)) {
        for folder in std::env::split_paths(&folders).filter(|folder| folder.is_absolute() && folder.exists()) {
            add_environment(&folder, &mut around.readable);
        }
    }
    let user = value(PYTHON_USER).map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(".local")));
    let user = user.filter(|user| user.join("lib").is_dir());
    around.variables = variables;
    around.variables.retain(|(name, _)| !OF_THE_SHELL.contains(&name.as_str()));
    if let Some(user) = user {
        around.readable.push(user.join("lib"));
        // Python finds it by HOME, which differs in a run.
        around.variables.retain(|(name, _)| name != PYTHON_USER);
        around.variables.extend(user.to_str().map(|user| (PYTHON_USER.to_owned(), user.to_owned())));
    }
    around.readable.retain(|path| !is_of_system(path));
    around.readable.sort();
    around.readable.dedup();
    around
}

/// Tests whether a folder also has unrelated files: a home directory, a folder around it, or one for temporary files.
fn is_common(folder: &Path, home: Option<&Path>) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    COMMON.iter().any(|common| folder == Path::new(common)) || home.is_some_and(|home| real(home).starts_with(folder))
}

/// Tests whether runs can read a folder. Runs of root have other users, which read only what every user may.
fn is_open(folder: &Path) -> bool {
    const ALL_READ: u32 = 0o005;
    let by_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    !by_root || fs::metadata(folder).is_ok_and(|metadata| metadata.mode() & ALL_READ == ALL_READ)
}

/// Adds the files of a folder with that ending; with `deep`, also those of the folders in it.
fn add_sources(folder: &Path, ending: &str, deep: bool, sources: &mut Vec<PathBuf>) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut items: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|item| item.path()).collect();
        items.sort();
        for path in items {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or(".");
            if name.starts_with('.') || sources.len() >= MAX_SOURCES {
                continue;
            }
            // A link could lead to a folder that contains this one.
            if path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
                let own = !NOT_SOURCES.contains(&name) && !path.join(VIRTUAL_ENVIRONMENT).exists();
                folders.extend(Some(path).filter(|_| deep && own));
            } else if path.extension().is_some_and(|other| other == ending) && path.is_file() {
                sources.push(path);
            }
        }
    }
}

/// Adds a folder of modules. A virtual environment has the programs of another installation, which is added with it.
fn add_environment(folder: &Path, readable: &mut Vec<PathBuf>) {
    readable.push(folder.to_owned());
    let settings = regular::read(&folder.join(VIRTUAL_ENVIRONMENT), MAX_SETTINGS).unwrap_or_default();
    let settings = String::from_utf8_lossy(&settings).into_owned();
    let settings = settings.lines().filter_map(|line| line.split_once('='));
    let home = settings.map(|(key, value)| (key.trim(), value.trim())).find(|(key, _)| *key == "home");
    readable.extend(home.and_then(|(_, programs)| Path::new(programs).parent()).map(Path::to_owned));
}

/// A module of the surroundings that a program did not find.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HiddenModule {
    /// Its name, as the program has it.
    pub name: String,
    /// Its file or folder.
    pub path: PathBuf,
}

/// The module that a program missed according to its standard error, if the surroundings have it.
pub fn hidden_module(stderr: &str, around: &Surroundings) -> Option<HiddenModule> {
    /// The text that interpreters print before the name: Python, Node.js, Ruby and Perl.
    const MISSING: [(&str, char); 4] = [
        ("No module named '", '\''),
        ("Cannot find module '", '\''),
        ("cannot load such file -- ", '\n'),
        ("Can't locate ", ' '),
    ];
    const ENDINGS: [&str; 7] = ["", ".py", ".js", ".mjs", ".cjs", ".rb", ".so"];
    let name = MISSING.iter().find_map(|(before, end)| {
        let (_, after) = stderr.split_once(before)?;
        Some(after.split([*end, '\n']).next()?.trim_end_matches(" (LoadError)").trim())
    })?;
    // Of a path, use the last part; of a module in a package, the package.
    let last = name.rsplit('/').next().filter(|_| name.starts_with(['.', '/'])).unwrap_or(name);
    let first = if name.contains('/') { last } else { last.split('.').next().unwrap_or(last) };
    if first.is_empty() {
        return None;
    }
    let folders = around.readable.iter().filter(|folder| folder.is_dir()).flat_map(|folder| module_folders(folder));
    let files = folders.flat_map(|folder| ENDINGS.map(|ending| folder.join(format!("{first}{ending}"))));
    let alone = around.readable.iter().filter(|path| path.is_file()).cloned();
    let alone = alone.filter(|path| path.file_stem().is_some_and(|stem| stem == first));
    let path = files.chain(alone).find(|path| path.exists())?;
    Some(HiddenModule { name: name.to_owned(), path: canonical_parent(&path) })
}

/// A folder and those in it where interpreters look for modules.
fn module_folders(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned(), folder.join("node_modules")];
    for lib in [folder.to_owned(), folder.join("lib"), folder.join("lib64")] {
        let versions = fs::read_dir(lib).into_iter().flatten().flatten().map(|item| item.path());
        folders.extend(versions.map(|version| version.join("site-packages")).filter(|packages| packages.is_dir()));
    }
    folders
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    /// A folder with these files, each of which is in the folders that its path has.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    fn seen(around: &Surroundings, here: &Path) -> Vec<String> {
        let below = |path: &PathBuf| path.strip_prefix(here).unwrap_or(path).display().to_string();
        around.readable.iter().map(below).collect()
    }

    #[test]
    fn a_solver_has_its_folder_and_what_its_interpreter_names() {
        let files = ["mine/main.py", "mine/helper.py", "mine/deep/more.py", "mine/judge-try/old.py", "mine/data.txt"];
        let folder =
            folder(&[&files[..], &["env/pyvenv.cfg", "env/bin/python3", "home/.local/lib/x", "x.py"]].concat());
        let here = folder.path().canonicalize().unwrap();
        fs::write(here.join("env/pyvenv.cfg"), format!("home = {}/base/bin\n", here.display())).unwrap();
        let text = |path: &str| here.join(path).display().to_string();
        let command = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let variables = |more: &[(&str, String)]| {
            let all = more.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
            [("HOME".to_owned(), text("home")), ("PWD".into(), text("")), ("W".into(), "2".into())]
                .into_iter()
                .chain(all)
                .collect::<Vec<_>>()
        };
        let of = |words: &[&str], more: &[(&str, String)]| around(&command(words), &here, variables(more));

        let plain = of(&["python3", "mine/main.py"], &[]);
        assert_eq!(seen(&plain, &here), ["home/.local/lib", "mine"]);
        let sources: Vec<_> = plain.sources.iter().map(|path| path.strip_prefix(&here).unwrap().to_owned()).collect();
        assert_eq!(sources, ["mine/helper.py", "mine/main.py", "mine/deep/more.py"].map(PathBuf::from));
        let names: Vec<&str> = plain.variables.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["HOME", "W", "PYTHONUSERBASE"]);

        let environment = of(&["env/bin/python3", "mine/main.py"], &[]);
        assert_eq!(seen(&environment, &here), ["base", "env", "env/bin", "home/.local/lib", "mine"]);
        let active = of(&["python3", "mine/main.py"], &[("VIRTUAL_ENV", text("env"))]);
        assert_eq!(seen(&active, &here), ["base", "env", "home/.local/lib", "mine"]);
        // A home directory has unrelated files.
        let at_home = around(&command(&["./x.py"]), &here, vec![("HOME".into(), text(""))]);
        assert_eq!(seen(&at_home, &here), ["x.py"]);
        assert!(of(&["sh", "-c", "x"], &[]).sources.is_empty());
    }

    #[test]
    fn a_module_that_was_hidden_is_found() {
        let folder =
            folder(&["main.py", "helper.py", "pack/__init__.py", "lib/python3.13/site-packages/numpy/x", "a.js"]);
        let mut around = Surroundings::default();
        around.readable = vec![folder.path().to_owned()];
        for (stderr, expected) in [
            ("ModuleNotFoundError: No module named 'helper'\n", Some("helper.py")),
            ("No module named 'pack.sub'", Some("pack")),
            ("No module named 'numpy'", Some("lib/python3.13/site-packages/numpy")),
            ("Error: Cannot find module './a'\n", Some("a.js")),
            ("cannot load such file -- /x/main.py (LoadError)\n", Some("main.py")),
            ("No module named 'scipy'", None),
            ("No module named ''", None),
            ("a crash", None),
        ] {
            let found = hidden_module(stderr, &around).map(|module| module.path);
            let expected = expected.map(|path| folder.path().canonicalize().unwrap().join(path));
            assert_eq!(found.map(|path| path.canonicalize().unwrap()), expected, "{stderr}");
        }
    }
}
