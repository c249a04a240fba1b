//! Processes of the judge that something outside kills, as the kernel does when memory runs out: supervisors and zygotes.

use crate::support::*;

/// Number, name, state and parent of each process.
fn processes() -> Vec<(u32, String, String, u32)> {
    let numbers = fs::read_dir("/proc").unwrap().flatten().filter_map(|item| item.file_name().to_str()?.parse().ok());
    let process = |number: u32| {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        let (head, rest) = stat.rsplit_once(") ")?;
        let mut words = rest.split(' ');
        Some((number, head.split_once('(')?.1.to_owned(), words.next()?.to_owned(), words.next()?.parse().ok()?))
    };
    numbers.filter_map(process).collect()
}

fn kill(number: u32) {
    let pid = rustix::process::Pid::from_raw(number.try_into().unwrap()).unwrap();
    // It may have ended by itself.
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).ok();
}

#[test]
#[ignore = "deep: kills"]
fn a_killed_supervisor_costs_only_its_run() {
    // In a process group alone an entry can kill its supervisor itself, so it has crashed, and a tree would live on.
    let tiers = [
        ("auto", "tree-of-seven", 4, "-/JUD"),
        ("landlock", "tree-of-seven", 4, "-/JUD"),
        ("off", "sleep", 1, "0/CRA"),
    ];
    at_once(&tiers, |&(isolation, misdeed, processes_of_victim, verdict)| {
        let folder = Folder::new();
        std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
        let mut text = contest(&[("NEAR", &board("near-end-1"))]).replace("\"10s\"", "\"1m\"");
        text += &entry("victim", &["./rogue", misdeed]);
        for name in ["first", "second", "third", "fourth"] {
            text += &entry(name, &["./rogue", "answer", "lluu"]);
        }
        folder.file("contest.toml", text);
        let judge = folder
            .command(["run", "--jobs", "1", "--isolation", isolation, "--out", "out", "--format", "json"])
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let children = || {
            let all = processes();
            let is_parent = |number| all.iter().any(|(_, _, state, parent)| *parent == number && state != "Z");
            let own = all.iter().filter(|(.., state, parent)| *parent == judge.id() && state != "Z");
            let (supervisors, zygotes): (Vec<_>, Vec<_>) = own.map(|(number, ..)| *number).partition(|&n| is_parent(n));
            (supervisors, zygotes)
        };
        // The tree stands, and with it its supervisor.
        let stands = || processes_naming(folder.path()).len() >= processes_of_victim;
        wait_for(|| format!("{isolation}: no tree stands"), || stands().then_some(()));
        let (supervisors, zygotes) = children();
        assert!(supervisors.len() == 1 && !zygotes.is_empty(), "{isolation}: {supervisors:?}, {zygotes:?}");
        zygotes.into_iter().chain(supervisors).for_each(kill);
        let output = judge.wait_with_output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        let document: serde_json::Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {printed}"));
        for row in document["entries"].as_array().unwrap() {
            let (name, run) = (row["entry"].as_str().unwrap(), &row["runs"][0]);
            let expected = if name == "victim" { verdict } else { "25/4" };
            assert_eq!(run["cell"], expected, "{isolation}, {name}: {run}\n{printed}");
        }
        assert_eq!(processes_naming(folder.path()), Vec::<String>::new(), "{isolation}");
    });
}
