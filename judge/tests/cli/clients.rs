//! Clients of other judges, as they are on PyPI, submit to `judge serve`. Python with them is named by `CLIENTS_PYTHON`, and the
//! gate makes one; without it these tests are skipped, unless `REQUIRE_CLIENTS` is set.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use std::ffi::OsString;
use std::process::Output;

use crate::site::{SOLVES, Site, club, several};
use crate::support::*;

/// Python with the packages `domjudge-cli` and `kattis-cli`.
fn python() -> Option<OsString> {
    let named = std::env::var_os("CLIENTS_PYTHON").unwrap_or_else(|| "python3".into());
    let has = |python: &OsString| {
        let test = Command::new(python).args(["-c", "import dom, kattis_cli"]).stderr(Stdio::null()).status();
        test.is_ok_and(|status| status.success())
    };
    let found = Some(named).filter(has);
    assert!(
        found.is_some() || std::env::var_os("REQUIRE_CLIENTS").is_none(),
        "no Python with domjudge-cli and kattis-cli; try CLIENTS_PYTHON=…"
    );
    if found.is_none() {
        eprintln!("skipped: no Python with domjudge-cli and kattis-cli");
    }
    found
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&[&*output.stdout, &*output.stderr].concat()).into_owned()
}

#[test]
#[ignore = "deep: clients"]
fn the_client_domjudge_cli_reads_the_judgement() {
    let Some(python) = python() else { return };
    let (folder, tokens) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    folder.file("main.c", SOLVES);
    let mut client = Command::new(python);
    client.arg(project().join("judge/tests/cli/domjudge_client.py"));
    client.args([&*format!("http://{}", site.address), "club", "club", "ada", &*tokens[0], "main.c"]);
    let output = client.current_dir(folder.path()).env("HOME", folder.path()).stdin(Stdio::null()).output().unwrap();
    let printed = printed(&output);
    assert!(output.status.success() && printed.contains("submission 1: AC"), "{printed}");
}

/// Submits a file by the command of kattis-cli, from a folder as that of a problem, and returns what it printed.
fn kattis(python: &OsString, folder: &Folder, site: &Site, token: &str, file: &str) -> String {
    kattis_for(python, folder, site, token, ("club", file))
}

/// Submits a file to a problem by the command of kattis-cli, from a folder named after the problem, and returns what it
/// printed.
fn kattis_for(python: &OsString, folder: &Folder, site: &Site, token: &str, (problem, file): (&str, &str)) -> String {
    let settings = site.with(token).page("/kattisrc");
    folder.file("home/.kattisrc", settings);
    // Languages have settings of their own for tries at home, which are not used here; a file must be there.
    folder.file("home/.kattis-cli.toml", "[default]\ncompile = \"\"\nexecute = \"\"\nmainfile = \"\"\n");
    folder.file(&format!("club-problem/club/{problem}.yaml"), format!("problemid: {problem}\ntitle: Club\ncpu_limit: 10 seconds\nmem_limit: 1 GB\ndifficulty: '1'\nsubmissions: 0\naccepted: 0\n"));
    let mut client = Command::new(python);
    client.args(["-c", "from kattis_cli.main import main; main()", "submit", "-f", "-p", problem, file]);
    client.current_dir(folder.path().join("club-problem/club")).env("HOME", folder.path().join("home"));
    let output = client.env("TERM", "dumb").env("COLUMNS", "200").stdin(Stdio::null()).output().unwrap();
    let printed = printed(&output);
    assert!(output.status.success(), "{printed}");
    printed
}

#[test]
#[ignore = "deep: clients"]
fn the_client_kattis_cli_follows_the_judging() {
    let Some(python) = python() else { return };
    let (folder, tokens) = club(&["ada"]);
    let site = Site::start(&folder, &[]);
    folder.file("club-problem/club/main.c", SOLVES);
    folder.file("club-problem/club/broken.c", "int main( {");
    let accepted = kattis(&python, &folder, &site, &tokens[0], "main.c");
    contains(&accepted, ["Accepted (25)", "1/1", "1✅", "YAY"]);
    let refused = kattis(&python, &folder, &site, &tokens[0], "broken.c");
    assert!(refused.contains("Compile error") && refused.contains("SORRY"), "{refused}");
}

#[test]
#[ignore = "deep: clients"]
fn the_clients_submit_to_a_contest_of_several_problems() {
    let Some(python) = python() else { return };
    let (folder, tokens) = club(&["ada"]);
    several(&folder, "Two problems", &[("club", "Club"), ("other", "Other")]);
    let site = Site::start(&folder, &[]);
    folder.file("main.c", SOLVES);
    let contest = site.contest_id();
    let mut client = Command::new(&python);
    client.arg(project().join("judge/tests/cli/domjudge_client.py"));
    client.args([&*format!("http://{}", site.address), &*contest, "other", "ada", &*tokens[0], "main.c"]);
    let output = client.current_dir(folder.path()).env("HOME", folder.path()).stdin(Stdio::null()).output().unwrap();
    let printed = printed(&output);
    assert!(output.status.success() && printed.contains("submission 1: AC"), "{printed}");
    folder.file("club-problem/club/main.c", SOLVES);
    let accepted = kattis_for(&python, &folder, &site, &tokens[0], ("club", "main.c"));
    assert!(accepted.contains("Accepted (25)") && accepted.contains("1/1"), "{accepted}");
}
