//! The recipes of `docs/install.md` for a container, where podman and the image are there.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use crate::support::*;

/// The commands of the page that start the container, each on one line and without a terminal.
fn recipes() -> Vec<String> {
    let page = std::fs::read_to_string(project().join("docs/install.md")).unwrap();
    let lines = page.replace("\\\n", " ");
    let commands = lines.lines().map(str::trim).filter(|line| line.starts_with("podman run "));
    commands.map(|line| line.replacen(" -it ", " ", 1)).collect()
}

#[test]
#[ignore = "deep: documents"]
fn the_recipes_run_a_contest_and_a_solver_in_namespaces() {
    let image = Command::new("podman").args(["image", "exists", "judge-image"]).output();
    if !image.is_ok_and(|output| output.status.success()) {
        assert!(std::env::var_os("REQUIRE_CONTAINER").is_none(), "podman or the image judge-image is missing");
        eprintln!("skipped: no podman, or no image judge-image");
        return;
    }
    let folder = Folder::new();
    folder.judge(["init", "club"]).exits(0);
    let club = folder.path().join("club");
    std::fs::copy(club.join("entries/solve.sh"), club.join("solver")).unwrap();
    let [solver, contest] = &recipes()[..] else { panic!("two recipes") };
    for (recipe, says) in [(solver, "boards/harder.txt: solved"), (contest, "isolation: namespaces (")] {
        let run = Command::new("sh").args(["-c", recipe]).current_dir(&club).output().unwrap();
        let [message, errors] = [&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        assert!(run.status.success() && message.contains(says), "{recipe}\n{message}{errors}");
    }
    // The results are whole for the judge outside.
    folder.judge(["verify", "club/runs/1"]).exits(0);
}
