//! No files of a crate use each other in a circle, so that each can be read after those that it uses.
//!
//! What a file uses is read from its paths: `use` declarations and names behind `crate::` and `super::`. A name that a file
//! only passes on counts as one of the file that defines it. What only tests use does not count, nor that a module uses what
//! is inside it: its files are parts of it.

use crate::support::*;

/// A module: its path from the root of its crate.
type Module = Vec<String>;

/// The code of a source without comments and tests.
fn code(source: &str) -> String {
    // The module with the tests comes last, and may have more attributes.
    let is_tests = |tests: &str| {
        let mut lines = tests.lines().skip_while(|line| line.is_empty() || line.starts_with("#["));
        lines.next().is_some_and(|line| line.starts_with("mod tests"))
    };
    let mut marks = source.match_indices("#[cfg(test)]");
    let end = marks.find(|(at, mark)| is_tests(&source[at + mark.len()..])).map_or(source.len(), |(at, _)| at);
    let lines = source[..end].lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The paths of a tree such as `a::{b, c::{self, D}}`, each as its names. A name with `as` is that before it.
fn flatten(tree: &str, before: &[String], paths: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let end = tree.find(|letter: char| !is_name(letter)).unwrap_or(tree.len());
    let (name, rest) = tree.split_at(end);
    let mut path = before.to_vec();
    if !name.is_empty() && name != "self" {
        path.push(name.to_owned());
    }
    match rest.trim_start().strip_prefix("::") {
        Some(deeper) => match deeper.trim_start().strip_prefix('{') {
            Some(list) => members(list).into_iter().for_each(|member| flatten(member, &path, paths)),
            None => flatten(deeper, &path, paths),
        },
        None => paths.push(path),
    }
}

/// The members of a list up to its closing brace.
fn members(list: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut found) = (0_u32, 0, Vec::new());
    for (at, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            ',' if depth == 0 => {
                found.push(&list[begin..at]);
                begin = at + 1;
            }
            '}' if depth == 0 => {
                found.push(&list[begin..at]);
                break;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    found.retain(|member| !member.trim().is_empty());
    found
}

/// The declarations `use …;` of a code, each as its tree.
fn declarations(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices("use ").filter_map(|(at, _)| {
        let starts = code[..at].chars().next_back().is_none_or(|letter| !is_name(letter));
        let tree = &code[at + 4..];
        starts.then(|| &tree[..tree.find(';').unwrap_or(tree.len())])
    })
}

/// The paths behind `crate::` and `super::` that are no declarations.
fn inline(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for first in ["crate::", "super::"] {
        for (at, _) in code.match_indices(first) {
            if code[..at].chars().next_back().is_none_or(|letter| !is_name(letter) && letter != ':' && letter != '$') {
                let end = code[at..].find(|letter: char| !is_name(letter) && letter != ':');
                let path = &code[at..at + end.unwrap_or(code.len() - at)];
                paths.push(path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect());
            }
        }
    }
    paths
}

/// A crate: the code of each module that has a file.
struct Crate(BTreeMap<Module, String>);

impl Crate {
    fn read(folder: &Path, files: &[PathBuf]) -> Self {
        let mut modules = BTreeMap::new();
        for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
            let inside = path.strip_prefix(folder).unwrap().with_extension("");
            let mut module: Module = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if module.iter().any(|part| part == "tests" || part.ends_with("_tests") || part == "bin") {
                continue;
            }
            if module == ["lib"] || module == ["main"] {
                module.clear();
            }
            modules.insert(module, code(&fs::read_to_string(path).unwrap()));
        }
        Self(modules)
    }

    /// The path from the root of the crate that a path in a module stands for; `None` for one that leads out of it.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Vec<String>> {
        let mut base = module.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (base, rest) = (Vec::new(), &path[1..]),
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    base.pop()?;
                    rest = &rest[1..];
                }
            }
            first => {
                let child = [&**module, &[first.to_owned()]].concat();
                if !self.0.contains_key(&child) {
                    return None;
                }
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The module that defines what a path from the root names.
    fn home(&self, path: &[String], depth: u32) -> Option<Module> {
        let known = (0..=path.len()).rev().find(|&length| self.0.contains_key(&path[..length]))?;
        let (module, rest) = (path[..known].to_vec(), &path[known..]);
        let Some(name) = rest.first() else { return Some(module) };
        let code = &self.0[&module];
        let kinds = ["fn", "struct", "enum", "const", "type", "trait", "static", "mod", "union", "macro_rules!"];
        let defined = kinds.iter().any(|kind| {
            code.match_indices(&format!("{kind} {name}"))
                .any(|(at, found)| code[at + found.len()..].chars().next().is_none_or(|letter| !is_name(letter)))
        });
        if defined || depth == 0 {
            return Some(module);
        }
        for tree in declarations(code) {
            let mut paths = Vec::new();
            flatten(tree, &[], &mut paths);
            for passed in paths.iter().filter(|passed| passed.last() == Some(name)) {
                if let Some(inside) = self.absolute(&module, passed) {
                    return self.home(&[&inside, &rest[1..]].concat(), depth - 1);
                }
            }
        }
        Some(module)
    }

    /// The modules that a module uses, without those inside it.
    fn used_by(&self, module: &Module) -> BTreeSet<Module> {
        let code = &self.0[module];
        let mut paths = inline(code);
        for tree in declarations(code) {
            flatten(tree, &[], &mut paths);
        }
        let homes = paths.iter().filter_map(|path| self.home(&self.absolute(module, path)?, 8));
        homes.filter(|home| home != module && !home.starts_with(module)).collect()
    }

    /// The circles: groups of modules of which each leads to each.
    fn circles(&self) -> Vec<Vec<String>> {
        let uses: BTreeMap<&Module, BTreeSet<Module>> =
            self.0.keys().map(|module| (module, self.used_by(module))).collect();
        let reached = |from: &Module| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(module) = open.pop() {
                for next in &uses[&module] {
                    if seen.insert(next.clone()) {
                        open.push(next.clone());
                    }
                }
            }
            seen
        };
        let reach: BTreeMap<&Module, BTreeSet<Module>> =
            self.0.keys().map(|module| (module, reached(module))).collect();
        let mut circles = BTreeSet::new();
        for (module, others) in &reach {
            let circle: BTreeSet<String> = others
                .iter()
                .filter(|other| reach[*other].contains(*module))
                .chain([*module])
                .map(|module| if module.is_empty() { "lib".to_owned() } else { module.join("::") })
                .collect();
            if circle.len() > 1 {
                circles.insert(circle.into_iter().collect::<Vec<_>>());
            }
        }
        circles.into_iter().collect()
    }
}
#[test]
fn no_files_of_a_crate_use_each_other_in_a_circle() {
    let crates = files_below(&["judge", "entries", "fuzz"]).into_iter().filter_map(|path| {
        let folder = path.parent()?;
        (path.ends_with("src/lib.rs")).then(|| folder.to_owned())
    });
    let (mut modules, mut uses) = (0, 0);
    for folder in crates {
        let inside = folder.strip_prefix(project()).unwrap().to_string_lossy().into_owned();
        let files = Crate::read(&folder, &files_below(&[&inside]));
        assert_eq!(files.circles(), [[""; 0]; 0], "{inside}: move what the files of a circle share to one of its own");
        modules += files.0.len();
        uses += files.0.keys().map(|module| files.used_by(module).len()).sum::<usize>();
    }
    // It reads what it is meant to read.
    assert!(modules > 460 && uses > 2 * modules, "{modules} modules with {uses} uses");
}

/// A crate of these modules, each with its code.
fn made(modules: &[(&str, &str)]) -> Crate {
    let path = |path: &str| path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    Crate(modules.iter().map(|(module, source)| (path(module), code(source))).collect())
}

#[test]
fn a_circle_through_names_that_are_passed_on_is_found() {
    let circle = made(&[
        ("", "mod a;\nmod b;\nmod c;\npub use b::B;"),
        ("a", "use crate::{B, c::Other as Else};\npub struct A;"),
        ("b", "pub struct B(super::a::A);"),
        ("c", "pub struct Other;"),
    ]);
    assert_eq!(circle.circles(), [["a", "b"]]);
}

#[test]
fn comments_tests_and_the_parts_of_a_module_make_no_circle() {
    let fine = made(&rows! {
        ("", "mod a;\nmod b;"),
        ("a", "mod part;\nuse part::Part;\npub struct A(Part);"),
        ("a::part", "// crate::b::B\npub struct Part(Box<super::A>);\n#[cfg(test)]\n#[allow(dead_code)]\nmod tests { use crate::b::B; }"),
        ("b", "use crate::a::A;\npub struct B(A);\n#[cfg(test)]\nmod tests { use crate::a::A; }"),
    });
    assert_eq!(fine.circles(), [[""; 0]; 0]);
}
