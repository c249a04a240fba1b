//! Documents against the project: commands, links and files in them exist, and the gate runs the README's commands.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use clap::Parser as _;
use clap::error::ErrorKind;
use judge::cli::Cli;
use judge_contest::{Contest, Overrides};
use judge_core::games::GAMES;

use crate::support::*;

fn text(name: &str) -> String {
    fs::read_to_string(project().join(name)).unwrap()
}

/// Lines of a document's code blocks. A line that ends with a backslash is joined with the next one.
fn code(document: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut fenced, mut joined) = (false, String::new());
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        let Some(line) = line.strip_prefix("    ").or(fenced.then_some(line)) else { continue };
        match line.strip_suffix('\\') {
            Some(begin) => joined += begin,
            None => lines.push(std::mem::take(&mut joined) + line.trim()),
        }
    }
    lines
}

/// The words of a command line up to its first pipe, redirection, comment or `&&`.
fn words(command: &str) -> Vec<String> {
    let end = [" | ", " > ", " # ", " && ", " 2>"].iter().filter_map(|end| command.find(end)).min();
    shell_words::split(&command[..end.unwrap_or(command.len())]).unwrap()
}

/// All Markdown files of the project.
fn documents() -> Vec<PathBuf> {
    let files = files_below(&["."]).into_iter();
    let files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "md")).collect();
    assert!(files.len() > 10, "{files:?}");
    files
}

#[test]
fn the_gate_runs_the_two_commands_of_the_readme() {
    let readme = text("README.md");
    let commands: Vec<String> = code(&readme)[..2].iter().map(|line| words(line).join(" ")).collect();
    assert_eq!(commands, ["cargo run -- run --limit 10s", "cargo test --workspace"]);
    let gate = text(".ci/run");
    let runs = |command: &str| gate.lines().any(|line| line.starts_with("step ") && line.contains(command));
    assert!(runs(&format!(" timed {} --locked", commands[1])));
    assert!(runs(" cargo run --locked -- run --limit "));
}

#[test]
fn the_readme_is_short_behind_its_animation() {
    let readme = text("README.md");
    let words = readme.split_whitespace().count();
    assert!(words <= 700, "{words} words");
    let begin = readme.split("](").nth(1).and_then(|rest| rest.split(')').next()).unwrap();
    assert!(readme.find("![").unwrap() < readme.find("`judge`").unwrap());
    let picture = fs::read_to_string(project().join(begin)).unwrap();
    assert!(picture.len() < 500_000, "{} bytes", picture.len());
    assert!(picture.contains("@keyframes") && picture.contains("prefers-reduced-motion"), "{begin}");
    assert!(!picture.contains("<script"), "{begin}");
}

#[test]
fn each_page_begins_with_what_its_reader_can_do() {
    let (summary, overview) = (text("docs/SUMMARY.md"), text("docs/README.md"));
    let names = files("docs").into_iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned());
    let pages: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    assert!(pages.len() > 20, "{pages:?}");
    for page in pages.iter().filter(|page| *page != "SUMMARY.md") {
        assert_eq!(summary.matches(&format!("]({page})")).count(), 1, "{page} in SUMMARY.md");
        let begin = text(&format!("docs/{page}"));
        let first = begin.split("\n\n").nth(1).unwrap();
        assert!(first.starts_with("After this page you "), "{page} begins with: {first}");
        assert!(page == "README.md" || overview.contains(&format!("]({page})")), "{page} is not in docs/README.md");
    }
}

#[test]
fn the_changelog_begins_with_what_is_unreleased() {
    let changelog = text("CHANGELOG.md");
    let sections: Vec<&str> = changelog.split("\n## ").skip(1).collect();
    let titles: Vec<&str> = sections.iter().map(|section| section.lines().next().unwrap()).collect();
    assert_eq!(titles[..2], ["Unreleased", env!("CARGO_PKG_VERSION")]);
    for (section, title) in sections.iter().zip(&titles).skip(1) {
        let words = section.split_whitespace().count();
        assert!(words <= 600, "{title} has {words} words");
    }
    assert!(sections[1].contains("\nBy hand, "), "{}", sections[1]);
    assert!(text("docs/install.md").contains(&format!("judge_{}_", env!("CARGO_PKG_VERSION"))));
}

/// The items of the section "Unreleased", each as one line.
fn unreleased(changelog: &str) -> Vec<String> {
    let section = changelog.split("\n## ").find(|section| section.starts_with("Unreleased")).unwrap();
    let items = section.split("\n- ").skip(1).map(|item| item.split("\n\n").next().unwrap());
    items.map(|item| item.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn what_is_unreleased_has_nothing_that_a_release_sums_up() {
    let changelog = text("CHANGELOG.md");
    let now = unreleased(&changelog);
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).current_dir(project()).output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    };
    for version in changelog.lines().filter_map(|line| line.strip_prefix("## ")).skip(1) {
        // A merge by union brings back what was unreleased when the version was cut, and its own words.
        let title = format!("## {version}");
        let cut = git(&["log", "--reverse", "--format=%H", "-S", &title, "--", "CHANGELOG.md"]);
        let cut = cut.and_then(|commits| commits.lines().next().map(str::to_owned));
        let Some(before) = cut.and_then(|cut| git(&["show", &format!("{cut}^:CHANGELOG.md")])) else {
            eprintln!("skipped for {version}: there is no history here");
            continue;
        };
        let mut released = unreleased(&before);
        assert!(!released.is_empty(), "{version}");
        let section = changelog.split("\n## ").find(|section| section.starts_with(version)).unwrap();
        released.extend(unreleased(&format!("\n## Unreleased\n{section}")));
        let back: Vec<&String> = now.iter().filter(|item| released.contains(item)).collect();
        assert!(back.is_empty(), "{version} has these already: {back:#?}");
    }
}

#[test]
fn every_command_in_the_documents_can_be_given() {
    let mut number = 0;
    for document in documents() {
        for line in code(&fs::read_to_string(&document).unwrap()) {
            // Behind a pipe, and with cargo in front, it is the same command.
            let command = line.replace("cargo run --release -- ", "judge ");
            let Some(begin) =
                command.rfind("| judge ").map(|pipe| pipe + 2).or(command.starts_with("judge ").then_some(0))
            else {
                continue;
            };
            // An ellipsis stands for what is given elsewhere.
            let words = words(&command[begin..]);
            if words.iter().any(|word| word.contains('…')) {
                continue;
            }
            number += 1;
            if let Err(error) = Cli::try_parse_from(&words) {
                let asks = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
                assert!(asks, "{}: {line}\n{error}", document.display());
            }
        }
    }
    assert!(number > 40, "{number} commands");
}

#[test]
fn every_benchmark_in_the_documents_is_one_of_its_package() {
    let mut number = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for command in text.split("cargo bench ").skip(1) {
            let command = command.split(['`', '\n', '#']).next().unwrap();
            let words: Vec<&str> = command.split_whitespace().collect();
            let of = |option: &str| words.iter().position(|word| *word == option).map(|at| words[at + 1]);
            let package = of("-p").unwrap_or_else(|| panic!("{}: cargo bench {command}", document.display()));
            let folder = package.strip_prefix("judge-").map_or("judge".into(), |name| format!("judge/{name}"));
            let benches = files_below(&[&format!("{folder}/benches")]);
            let named = |bench: &str| benches.iter().any(|file| file.file_stem().is_some_and(|stem| stem == bench));
            let there = of("--bench").map_or(!benches.is_empty(), named);
            assert!(there, "{}: cargo bench {command}", document.display());
            number += 1;
        }
    }
    assert!(number > 5, "{number} benchmarks");
}

#[test]
fn every_link_between_the_documents_leads_to_a_file() {
    let mut number = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            if link.contains("://") {
                continue;
            }
            number += 1;
            // A heading without a file is one of the same document.
            let target = if file.is_empty() { document.clone() } else { document.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link} leads nowhere", document.display());
            if let Some((_, heading)) =
                link.split_once('#').filter(|_| target.extension().is_some_and(|end| end == "md"))
            {
                let text = fs::read_to_string(&target).unwrap();
                let found = text.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
                assert!(found, "{}: {link} leads to no heading", document.display());
            }
        }
    }
    assert!(number > 40, "{number} links");
}

/// The anchor of a heading, as the sites that host repositories make it.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    heading.trim_start_matches('#').trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}

#[test]
fn the_architecture_names_every_crate_and_module() {
    let architecture = text("ARCHITECTURE.md");
    let words = architecture.split_whitespace().count();
    assert!(words <= 1500, "{words} words");
    let packages =
        ["job", "files", "core", "contest", "slurm", "office", "package", "sandbox", "page", "report", "show"];
    for package in packages {
        assert!(architecture.contains(&format!("`judge-{package}`")), "judge-{package} is not in ARCHITECTURE.md");
    }
    for folder in ["judge/src", "judge/job/src", "judge/core/src", "judge/sandbox/src"] {
        for file in files(folder) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let named = architecture.contains(&name) || name == "lib.rs";
            // A folder need not be named if its module is.
            assert!(named || file.with_extension("rs").exists(), "{folder}/{name} is not in ARCHITECTURE.md");
        }
    }
}

#[test]
fn every_program_of_the_entries_is_in_a_contest_or_is_a_tool_of_its_crate() {
    let contests: String = contests().map(|file| fs::read_to_string(file).unwrap()).collect();
    let crates: Vec<_> = files("entries").into_iter().filter(|folder| folder.join("src/bin").exists()).collect();
    assert!(crates.len() >= 3);
    for folder in crates {
        let readme = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        for file in fs::read_dir(folder.join("src/bin")).unwrap() {
            let name = file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
            let entered =
                ["\"", " "].iter().any(|end| contests.contains(&format!("entries/target/release/{name}{end}")));
            assert!(entered || readme.contains(&format!("| `{name}` | tool")), "{name} is in no contest file");
        }
    }
}

#[test]
fn every_contest_file_is_valid() {
    for file in contests() {
        Contest::load(&file, &Overrides::default()).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn every_game_has_all_that_belongs_to_a_game() {
    let (readme, fuzzed) = (text("README.md"), files("fuzz/seeds/game"));
    for kind in GAMES {
        let name = kind.name;
        assert!(project().join("tests-boards").join(name).join("README.md").exists(), "{name} has no boards");
        assert!(readme.contains(&format!("`{name}`")), "{name} is not in README.md");
        let seeds = fuzzed.iter().filter(|file| fs::read(file).unwrap().starts_with(format!("{name}\n").as_bytes()));
        assert!(seeds.count() > 0, "{name} is not fuzzed");
        let message =
            contests().filter(|file| fs::read_to_string(file).unwrap().contains(&format!("game = \"{name}\"")));
        assert!(message.count() > 0, "{name} has no contest");
    }
}

#[test]
fn only_the_list_of_games_asks_for_a_game_by_name() {
    let crates =
        ["judge/src", "judge/core/src", "judge/contest/src", "judge/slurm/src", "judge/page/src", "judge/report/src"];
    for path in files_below(&crates) {
        let is_game = path.components().any(|part| part.as_os_str() == "games") || path.ends_with("games.rs");
        if is_game || path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let code = fs::read_to_string(&path).unwrap();
        for name in GAMES.iter().map(|kind| kind.name) {
            let asks = ["== \"NAME\"", "!= \"NAME\"", "\"NAME\" =>", "\"NAME\" |", "find(\"NAME\")"];
            let asks = asks.map(|form| form.replace("NAME", name)).into_iter().find(|form| code.contains(form));
            // Documentation shows how a program asks.
            let asks = asks.filter(|form| code.lines().any(|line| line.contains(form) && !line.starts_with("//!")));
            assert_eq!(asks, None, "{}", path.display());
        }
    }
}

/// The contest files of the project; those in folders of their own have their programs beside them.
fn contests() -> impl Iterator<Item = PathBuf> {
    let files = files_below(&["contests"]).into_iter().filter(|path| path.extension().is_some_and(|end| end == "toml"));
    files.chain([project().join("contest.toml")])
}

/// Files and folders in a folder of the project.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(project().join(folder)).unwrap().map(|item| item.unwrap().path()).collect();
    files.sort();
    files
}
