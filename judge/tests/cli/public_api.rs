//! The public interfaces of the libraries: what users can name is kept in files, so that every change of it is seen.
//!
//! The files are made from the sources, so that no other toolchain is needed. They have the items of each module as these are
//! written, and what their names stand for.

mod interface;

use interface::Interface;

use crate::support::*;

/// The libraries that are made to be published. Their folders have the same names without `judge-`.
const LIBRARIES: &str = "contest core files job package page report sandbox show slurm";
/// The variable that has the files renewed.
const RENEW: &str = "RENEW_PUBLIC_API";

fn libraries() -> impl Iterator<Item = String> {
    LIBRARIES.split(' ').map(|folder| format!("judge-{folder}"))
}

fn folder(library: &str) -> PathBuf {
    project().join("judge").join(library.trim_start_matches("judge-"))
}

fn interface(library: &str) -> Interface {
    Interface::of(library, &folder(library).join("src/lib.rs"))
}

#[test]
#[ignore = "deep: interfaces"]
fn public_interfaces_are_those_of_their_files() {
    let renew = std::env::var_os(RENEW).is_some();
    let mut changed = Vec::new();
    for library in libraries() {
        let file = project().join(format!("judge/tests/public-api/{library}.txt"));
        let (now, kept) = (interface(&library).text, fs::read_to_string(&file).unwrap_or_default());
        if renew {
            fs::write(&file, &now).unwrap();
        }
        let gone = kept.lines().filter(|line| !now.lines().any(|other| other == *line)).map(|line| format!("- {line}"));
        let new = now.lines().filter(|line| !kept.lines().any(|other| other == *line)).map(|line| format!("+ {line}"));
        let differs: Vec<String> = gone.chain(new).collect();
        if now != kept && !renew {
            changed.push(format!("{library}:\n{}", differs.join("\n")));
        }
    }
    assert!(
        changed.is_empty(),
        "public interfaces have changed:\n{}\nif that is meant, renew the files with `{RENEW}=1 cargo test -p judge \
         --test cli public_interfaces` and review their diff: what is gone needs a new major version",
        changed.join("\n")
    );
}

/// A type of another library in a signature ties users to its version. serde's traits are an exception: a format that is
/// read and written is part of the interface.
#[test]
#[ignore = "deep: interfaces"]
fn signatures_name_no_types_of_other_libraries() {
    let own = |path: &str| path.starts_with("judge_") || ["std", "core", "alloc", "serde"].contains(&path);
    for library in libraries() {
        let all = interface(&library).foreign;
        let foreign: Vec<_> = all.iter().filter(|path| !own(path.split("::").next().unwrap())).collect();
        assert!(foreign.is_empty(), "{library}: {foreign:?}");
    }
}

/// The types of errors in a line of an interface: the last ones behind each `Result<`.
fn errors(line: &str) -> Vec<&str> {
    let of_result = |(begin, _): (usize, &str)| {
        let inside = &line[begin + "Result<".len()..];
        let (mut depth, mut comma) = (0_usize, None);
        for (at, letter) in inside.char_indices() {
            match letter {
                '<' | '(' | '[' => depth += 1,
                // That of `->` closes nothing.
                '>' if inside[..at].ends_with('-') => {}
                '>' | ')' | ']' if depth == 0 => return comma.map(|comma: usize| inside[comma + 1..at].trim()),
                '>' | ')' | ']' => depth -= 1,
                ',' if depth == 0 => comma = Some(at),
                _ => {}
            }
        }
        None
    };
    line.match_indices("Result<").filter_map(of_result).collect()
}

/// Tests whether an error is a text, which no program can tell from another one.
fn is_text(error: &str) -> bool {
    ["String", "&str", "&'static str", "Box<str>"].contains(&error)
}

#[test]
#[ignore = "deep: interfaces"]
fn the_error_of_a_result_is_found() {
    assert_eq!(errors("pub build: Result<Option<String>, String>"), ["String"]);
    assert_eq!(
        errors("fn a(b: impl Fn(u8) -> Result<Vec<(u8, C)>, &'static str>) -> io::Result<()>"),
        ["&'static str"]
    );
    assert_eq!(errors("fn a() -> std::io::Result<String>"), [""; 0]);
    assert_eq!(errors("-> Result<Result<A, String>, B>"), ["B", "String"]);
}

#[test]
#[ignore = "deep: interfaces"]
fn functions_fail_with_errors_that_have_a_type() {
    let mut untyped = Vec::new();
    for library in libraries() {
        let text = interface(&library).text;
        let failing = text.lines().filter(|line| errors(line).iter().any(|error| is_text(error)));
        untyped.extend(failing.map(|line| format!("{library}: {}", line.trim())));
    }
    assert_eq!(untyped, [""; 0], "an error needs a type");
}

/// What cargo packs of a library is what its users need: no recorded data of tests.
#[test]
#[ignore = "deep: interfaces"]
fn libraries_are_ready_to_be_published() {
    for library in libraries() {
        let manifest = fs::read_to_string(folder(&library).join("Cargo.toml")).unwrap();
        let package = manifest.split("\n[").next().unwrap();
        for key in ["description", "license", "rust-version", "readme", "keywords", "categories"] {
            assert!(package.lines().any(|line| line.starts_with(key)), "{library} has no {key}");
        }
        let readme = fs::read_to_string(folder(&library).join("README.md")).unwrap();
        assert!(readme.starts_with(&format!("# {library}\n")) && readme.contains("## Promises"), "{library}");
        let example = readme.split("--example ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let program = example.map(|name| folder(&library).join(format!("examples/{name}.rs")));
        assert!(program.is_some_and(|program| program.is_file()), "{library} names no example that it has");
    }
    let workspace = fs::read_to_string(project().join("Cargo.toml")).unwrap();
    let paths = workspace.lines().filter(|line| line.starts_with("judge-"));
    let unversioned: Vec<&str> = paths.filter(|line| !line.contains("version = ")).collect();
    assert_eq!(unversioned, [""; 0], "cargo cannot package a crate that depends on a path without a version");
}

/// The files that a source includes, from the folder of its package. What only its tests include does not count.
fn included(source: &str, text: &str) -> Vec<String> {
    let code = text.split("\nmod tests {").next().unwrap_or_default();
    let calls = ["include_str!(\"", "include_bytes!(\""].iter().flat_map(|call| code.split(call).skip(1));
    let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = |call: &str| {
        let mut parts: Vec<&str> = folder.split('/').collect();
        for part in call.split('"').next().unwrap_or_default().split('/') {
            match part {
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.join("/")
    };
    calls.map(path).collect()
}

#[test]
#[ignore = "deep: interfaces"]
fn packages_have_all_that_their_sources_include() {
    let metadata = metadata("Cargo.toml", &["--no-deps"]);
    let packages = metadata["packages"].as_array().unwrap().iter().filter(|package| package["publish"].is_null());
    let (mut missing, mut found) = (Vec::new(), 0);
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["package", "--list", "--offline", "--allow-dirty", "--package", name]).current_dir(project());
        let output = cargo.output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let list = String::from_utf8(output.stdout).unwrap();
        let files: BTreeSet<&str> = list.lines().collect();
        for source in files.iter().filter(|file| file.ends_with(".rs") && !file.contains("tests")) {
            let text = fs::read_to_string(folder.join(source)).unwrap();
            let all = included(source, &text);
            found += all.len();
            missing
                .extend(all.into_iter().filter(|file| !files.contains(&**file)).map(|file| format!("{name}: {file}")));
        }
    }
    assert_eq!(missing, [""; 0], "put them into the folder of the package; a link is packed as its file");
    assert!(found > 30, "{found}");
}

#[test]
#[ignore = "deep: interfaces"]
fn entries_and_fuzz_targets_cannot_be_published() {
    for workspace in ["Cargo.toml", "entries/Cargo.toml"] {
        let metadata = metadata(workspace, &["--no-deps"]);
        for package in metadata["packages"].as_array().unwrap() {
            let name = package["name"].as_str().unwrap();
            let is_ours = workspace == "Cargo.toml" && name != "judge-fuzz";
            // Cargo has a list of registries here, or null for all.
            assert_eq!(package["publish"].is_null(), is_ours, "{name}: {}", package["publish"]);
        }
    }
}

#[test]
#[ignore = "deep: interfaces"]
fn an_interface_is_what_users_can_name() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "lib.rs",
        "mod inner;\npub mod open;\npub use inner::{Kept, Shape as Form};\nuse std::io;\n\
         /// Text.\n#[must_use]\npub fn read<T: Into<String>>(name: T, kept: &mut Kept) -> io::Result<()> { kept.add(name) }\n\
         #[cfg(test)]\nmod tests { pub fn hidden() {} }\npub(crate) fn own() {}\n\
         #[cfg(not(unix))]\npub fn elsewhere() {}\n#[doc(hidden)]\npub fn unnamed() {}\n",
    );
    write(
        "inner.rs",
        "use serde::Serialize;\nuse toml::Table;\n\n#[derive(Debug, Clone, Serialize)]\n#[non_exhaustive]\n\
         pub struct Kept { pub table: Table, own: u8 }\nimpl Kept {\n    pub fn new(table: Table) -> Self { Self { table, own: 0 } }\n\
             fn own(&self) {}\n}\nimpl std::fmt::Display for Kept {}\n\
         pub enum Shape { Round(u8), Square { side: super::open::Side }, None }\npub struct Unreachable;\n",
    );
    write(
        "open.rs",
        "pub type Side = u32;\npub trait Area: Send {\n    fn area(&self) -> f64;\n    fn twice(&self) -> f64 { 2.0 * self.area() }\n}\n",
    );
    let interface = Interface::of("my-crate", &folder.path().join("lib.rs"));
    insta::assert_snapshot!(interface.text, @r"
    mod my_crate
    pub fn read<T: Into<String>>(name: T, kept: &mut Kept) -> io::Result<()> #[must_use]
    pub use inner::{ Kept, Shape as Form }
    names inner::Kept, inner::Shape as Form, std::io
    mod my_crate::inner
    impl Kept
        pub fn new(table: Table) -> Self
    impl std::fmt::Display for Kept
    pub enum Shape
        None
        Round(u8)
        Square { side: super::open::Side }
    pub struct Kept #[non_exhaustive]
        and private fields
        derive(Clone, Debug, Serialize)
        pub table: Table
    pub struct Unreachable
    names toml::Table
    mod my_crate::open
    pub trait Area: Send
        fn area(&self) -> f64
        fn twice(&self) -> f64 {}
    pub type Side = u32
    ");
    assert!(["toml::Table", "std::io"].iter().all(|path| interface.foreign.contains(*path)), "{:?}", interface.foreign);
}
