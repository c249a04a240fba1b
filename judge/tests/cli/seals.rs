//! Sealed boards with salts: published as hashes that confirm no guess.

use sha2::{Digest as _, Sha256};

use crate::support::*;

/// What a shell command prints in the folder.
fn shell(folder: &Folder, command: &str) -> String {
    let output = Command::new("sh").args(["-c", command]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{command}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_seal_can_be_checked_only_with_its_salt() {
    let folder = Folder::new();
    let text = fs::read(board("near-end-1")).unwrap();
    folder.file("ring.txt", &text);
    folder.file("trap.txt", &text);
    let sealed = folder.judge(["seal", "ring.txt"]).exits(0);
    let seal = sealed.stdout.trim_end().strip_prefix("sealed = \"salted-sha256:").unwrap().trim_end_matches('"');
    assert_eq!(
        sealed.stderr,
        "new salt in ring.txt.salt\nkeep salts as secret as the boards; when the round opens, publish both\n"
    );
    let plain: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_ne!(seal, plain, "a guess of the board could be confirmed");
    assert_eq!(shell(&folder, "cat ring.txt.salt ring.txt | sha256sum").split_whitespace().next(), Some(seal));
    let mode = fs::metadata(folder.path().join("ring.txt.salt")).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "no other user reads a salt");
    // The same board again has the same seal; the same text under another name has another one.
    let both = folder.judge(["seal", "ring.txt", "trap.txt"]).exits(0);
    let lines: Vec<&str> = both.stdout.lines().collect();
    assert_eq!((lines[0], lines[3]), ("sealed = [", "]"));
    assert_eq!(lines[1], format!("    \"salted-sha256:{seal}\", # ring.txt"));
    assert!(lines[2].ends_with(", # trap.txt") && !lines[2].contains(seal), "{}", both.stdout);
    assert!(both.stderr.starts_with("salt in ring.txt.salt\nnew salt in trap.txt.salt\n"), "{}", both.stderr);

    let none = folder.judge(["seal", "none.txt"]).exits(2).message();
    assert_eq!(none, "judge: none.txt: no such file\n");
    assert!(!folder.path().join("none.txt.salt").exists());
    folder.file("ring.txt.salt", "");
    let empty = folder.judge(["seal", "ring.txt"]).exits(2).message();
    assert!(empty.contains("ring.txt.salt: is not a salt") && empty.contains("remove it if its seal is not published"));
}

#[test]
fn a_salted_round_opens_with_board_and_salt() {
    let folder = Folder::new();
    folder.script("good/solve", "echo lluu");
    folder.file("last.txt", fs::read(board("near-end-2")).unwrap());
    let sealed = folder.judge(["seal", "last.txt"]).exits(0).stdout;
    let seal = sealed.split('"').nth(1).unwrap();
    fs::create_dir(folder.path().join("secret")).unwrap();
    for name in ["last.txt", "last.txt.salt"] {
        fs::rename(folder.path().join(name), folder.path().join("secret").join(name)).unwrap();
    }
    let text = contest(&[("N1", &board("near-end-1")), ("LAST", "last.txt")])
        + "[[round]]\nname = \"Heats\"\nboards = [\"N1\"]\n[[round]]\nname = \"Finale\"\nboards = [\"LAST\"]\n";
    folder.file("contest.toml", text + &sealed + &entry("good", &["good/solve"]));
    let page = || {
        folder.judge(["report", "out"]).exits(0);
        folder.read("out/report.html")
    };
    folder.judge(["run", "--out", "out"]).exits(0);
    let before = page();
    assert!(before.contains(&format!(": <code>{seal}</code>, still sealed")), "the seal before");

    // The board alone, with another salt, and another board.
    let salt = folder.read("secret/last.txt.salt");
    let board_text = folder.read("secret/last.txt");
    folder.file("last.txt", &board_text);
    folder.judge(["resume", "out"]).exits(2).says(["board LAST: its seal needs the salt in ", "last.txt.salt"]);
    folder.file("last.txt.salt", format!("{}\n", "0".repeat(64)));
    let refused = folder.judge(["resume", "out"]).exits(2).message();
    assert!(refused.contains(&format!("board LAST does not match its seal {seal}: its file has salted-sha256:")));
    assert!(refused.contains("restore the file and the salt that were sealed"), "{refused}");
    folder.file("last.txt.salt", &salt);
    folder.file("last.txt", fs::read(board("near-end-3")).unwrap());
    folder.judge(["resume", "out"]).exits(2);
    assert!(!folder.read("out/journal.jsonl").contains(salt.trim_end()), "a salt is secret until its round opens");

    folder.file("last.txt", &board_text);
    folder.judge(["resume", "out"]).exits(0);
    let after = page();
    let open = format!(": <code>{seal}</code>, open; its salt: <code>{}</code>", salt.trim_end());
    assert!(after.contains(&open), "the seal after");
    let check = format!("(echo {}; cat last.txt) | sha256sum", salt.trim_end());
    assert_eq!(format!("salted-sha256:{}", shell(&folder, &check).split_whitespace().next().unwrap()), seal);
    // The board is the same whenever its salt became known.
    assert_eq!(folder.judge(["update", "out", "--dry-run"]).exits(0).stdout, "no run to execute\n");
}
