//! What entries and the judge have in common: an entry that uses it up costs no other run its verdict.

use crate::support::*;

const NOBODY: u32 = 64_131;

/// A folder in which an ordinary user may run a judge.
fn site() -> Folder {
    let folder = Folder::new();
    folder.open_to_all(&["rogue"]);
    fs::copy(board("near-end-1"), folder.path().join("board.txt")).unwrap();
    folder
}

/// The cells of the entries, in the order of the table, as this shell command prints them in JSON.
fn cells(folder: &Folder, shell: &str, user: Option<u32>) -> Vec<(String, String)> {
    let mut command = Command::new("sh");
    command.args(["-c", shell]).current_dir(folder.path()).stdin(Stdio::null());
    command.env("TMPDIR", folder.path().join("tmp")).env("HOME", folder.path());
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    let table = json_of(&mut command).0;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let rows = table["entries"].as_array().unwrap().iter();
    rows.map(|row| (text(&row["entry"]), text(&row["runs"][0]["cell"]))).collect()
}

#[test]
#[ignore = "deep: siege"]
fn descriptors_that_an_entry_has_in_flight_cost_no_other_run_its_ruling() {
    let folder = site();
    folder.script(
        "referee",
        "echo '{\"format\":1,\"verdict\":\"solved\",\"figures\":{\"progress\":3,\"moves\":7},\"full\":3}' >\"$3/ruling.json\"",
    );
    folder.script("honest", "echo 42");
    let mut text = "name = \"x\"\ngame = \"external\"\nlimit = \"2s\"\n[referee]\ncommand = \"./referee\"\n\
        protocol = \"native\"\n[[board]]\nname = \"A\"\nfile = \"board.txt\"\n"
        .to_owned();
    text += &entry("flood", &["./rogue", "descriptors-in-flight"]);
    (0..8).for_each(|number| text += &entry(&format!("honest-{number}"), &["./honest"]));
    folder.file("contest.toml", text);
    let user = rustix::process::geteuid().is_root().then_some(NOBODY);
    // The judge's own limit is then as small as that of an entry.
    let shell = "ulimit -n 512; exec ./judge run --jobs 2 --format json --out out/1";
    for (entry, cell) in cells(&folder, shell, user) {
        assert_eq!(cell, if entry == "flood" { "0/TIM" } else { "3/7" }, "{entry}");
    }
    let printed = folder.read("out/1/output/1/flood/A.1.err");
    assert!(
        ["TOOMANYREFS", "EPERM", "Os { code: 109", "Os { code: 1,"].iter().any(|word| printed.contains(word)),
        "{printed}"
    );
}

#[test]
#[ignore = "deep: siege"]
fn an_entry_that_fills_the_disk_has_exceeded_its_own_limit() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    for user in [None, Some(NOBODY)] {
        let folder = site();
        let limits = "limit = \"30s\"\noutput = \"1MiB\"\nscratch = \"16MiB\"";
        let mut text = contest(&[("NEAR", "board.txt")]).replace("limit = \"10s\"", limits);
        text += &entry("fill-disk", &["./rogue", "fill-disk"]);
        folder.file("contest.toml", text);
        // Its own disk, in a mount namespace that ends with the judge.
        let who = user.map_or(String::new(), |user| format!("setpriv --reuid {user} --regid {user} --clear-groups "));
        let inside = format!(
            "mount -t tmpfs -o size=24m,mode=777 disk tmp && export TMPDIR=$PWD/tmp && \
             exec {who}./judge run --format json --isolation landlock --out tmp/out"
        );
        let cells = cells(&folder, &format!("exec unshare -m sh -c '{inside}'"), None);
        assert_eq!(cells, [("fill-disk".to_owned(), "0/SCR".to_owned())], "{user:?}");
    }
}

#[test]
#[ignore = "deep: siege"]
fn processes_of_an_entry_keep_no_other_run_from_starting() {
    // Its own user: the limit counts all processes that he has.
    const ALONE: u32 = 64_132;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = site();
    let limits = "limit = \"2s\"\nmemory = \"256MiB\"\nprocesses = 64";
    let mut text = contest(&[("NEAR", "board.txt")]).replace("limit = \"10s\"", limits);
    text += &entry("bomb", &["./rogue", "fork-bomb"]);
    for number in 0..6 {
        text += &entry(&format!("honest-{number}"), &["./rogue", "answer-after", "100", "lluu"]);
        text += "limits = { limit = \"1m\" }\n";
    }
    folder.file("contest.toml", text);
    for isolation in ["auto", "landlock", "off"] {
        // Fewer than the bomb's own limit, so that nothing ends it before its time is over.
        let shell = format!(
            "exec prlimit --nproc=60 ./judge run --jobs 2 --format json --isolation {isolation} --out out/{isolation}"
        );
        for (entry, cell) in cells(&folder, &shell, Some(ALONE)) {
            // Where it counts and how far the others are decides how many the bomb gets, never what they get.
            let expected: &[&str] = if entry == "bomb" { &["0/TIM", "0/MEM", "0/PRO"] } else { &["25/4"] };
            assert!(expected.contains(&cell.as_str()), "{isolation}, {entry}: {cell}");
        }
    }
}

#[test]
#[ignore = "deep: siege"]
fn the_mask_of_the_shells_new_files_keeps_no_entry_from_starting() {
    let folder = site();
    folder.script("masked", "umask >&2; echo lluu");
    folder.script("referee", "umask >&2; echo '{\"format\":1,\"verdict\":\"solved\",\"figures\":{\"progress\":3,\"moves\":7},\"full\":3}' >\"$3/ruling.json\"");
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::set_permissions(folder.path().join("mine"), fs::Permissions::from_mode(0o777)).unwrap();
    let build = "printf '#!/bin/sh\\numask >&2; echo lluu\\n' > mine/program && chmod +x mine/program";
    let built = entry("built", &["mine/program"]) + &format!("build = {build:?}\n");
    let games = [
        ("loyd", contest(&[("NEAR", "board.txt")]) + &entry("masked", &["./masked"]) + &built, "25/4"),
        (
            "external",
            "name = \"x\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\ncommand = \"./referee\"\n\
             protocol = \"native\"\n[[board]]\nname = \"NEAR\"\nfile = \"board.txt\"\n"
                .to_owned()
                + &entry("masked", &["./masked"]),
            "3/7",
        ),
    ];
    let users = if rustix::process::geteuid().is_root() { vec![None, Some(NOBODY)] } else { vec![None] };
    for (user, (game, text, cell)) in users.iter().flat_map(|user| games.iter().map(move |game| (*user, game))) {
        folder.file(&format!("{game}.toml"), text);
        for (isolation, mask) in [("auto", "077"), ("auto", "000"), ("landlock", "077"), ("off", "027")] {
            let out = format!("out/{game}-{isolation}-{mask}-{}", user.is_some());
            let shell =
                format!("umask {mask}; exec ./judge run {game}.toml --format json --isolation {isolation} --out {out}");
            for (entry, found) in cells(&folder, &shell, user) {
                assert_eq!(&found, cell, "{entry} of {out}");
                assert_eq!(folder.read(&format!("{out}/output/1/{entry}/NEAR.1.err")), "0022\n", "{entry} of {out}");
            }
            fs::remove_file(folder.path().join("mine/program")).ok();
        }
    }
}
