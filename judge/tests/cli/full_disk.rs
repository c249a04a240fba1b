//! A site on a disk that is full while a run is judged.

use std::fs::{self, File};
use std::io::Write as _;

use crate::serve::form_of;
use crate::site::{Site, TIMEOUT, club};

use crate::support::*;

/// The folder of a small file system, for the test that is started for it.
const SMALL: &str = "JUDGE_TEST_FULL_DISK";
/// A program that solves its board after a while.
const SLOW: &str = "#include <stdio.h>\n#include <unistd.h>\nint main() { sleep(5); puts(\"lluu\"); return 0; }";

#[test]
#[ignore = "deep: power"]
fn a_disk_that_is_full_while_a_run_is_judged_stops_nothing_else() {
    if let Some(disk) = std::env::var_os(SMALL) {
        return judge_on_a_small_disk(Path::new(&disk));
    }
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=160m,mode=777 none \"$0\" && exec \"$@\"";
    let mut command = Command::new("unshare");
    command.args(["--mount", "--propagation", "private", "sh", "-c", script]).arg(folder.path());
    command.arg(std::env::current_exe().unwrap()).args([
        "--ignored",
        "--exact",
        "--nocapture",
        "full_disk::a_disk_that_is_full_while_a_run_is_judged_stops_nothing_else",
    ]);
    // The folders of the test and of its judge are there.
    let output = command.env(SMALL, folder.path()).env("TMPDIR", folder.path()).output().unwrap();
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}

/// Takes all that the disk has left.
fn fill(disk: &Path) -> PathBuf {
    let path = disk.join("filler");
    let mut file = File::options().create(true).append(true).open(&path).unwrap();
    for part in [1 << 20, 4096, 1] {
        while file.write_all(&vec![0; part]).is_ok() {}
    }
    path
}

/// What the test above does in a process that sees a small file system there.
fn judge_on_a_small_disk(disk: &Path) {
    let (folder, tokens) = club(&["ada", "bob"]);
    let mut site = Site::start(&folder, &[]);
    let organiser = site.organiser.clone().unwrap();
    let page = site.with(&tokens[0]).submit("main.c", SLOW);
    // What a run prints has its file from the beginning of the run on.
    let output = folder.path().join("club/results/output/1/ada.1");
    let begun = Instant::now();
    while fs::read_dir(&output).map_or(0, Iterator::count) == 0 {
        assert!(begun.elapsed() < TIMEOUT, "no run begins");
        std::thread::sleep(Duration::from_millis(10));
    }
    let filler = fill(disk);
    let submitted = |site: &Site| {
        let form = form_of(&[], "files", &[("main.c", SLOW.as_bytes())]);
        let headers = "Content-Type: multipart/form-data; boundary=b\r\n";
        let answer = site.with(&tokens[1]).request("POST", "/submit", headers, &form);
        (answer.code, answer.body)
    };
    let all_is_well_but_the_disk = |site: &Site| {
        site.with(&organiser).until("/office", "Judging has stopped and is tried again: <bdi>the disk with ");
        let ready = site.visitor().request("GET", "/readyz", "", b"");
        let reasons: Vec<&str> = ready.body.lines().collect();
        let expected = ["the disk is full", "judging has stopped and is tried again; the organiser's page says why"];
        assert_eq!((ready.code, &reasons[..]), (503, &expected[..]));
        assert_eq!(site.visitor().page("/healthz"), "ok\n");
        let (code, body) = submitted(site);
        assert!(code == 503 && body.contains("the disk of the contest is full; nothing was accepted"), "{body}");
        for path in ["/", "/board", "/board.csv", "/api/contests"] {
            site.visitor().page(path);
        }
        site.with(&tokens[0]).page(&page);
    };
    all_is_well_but_the_disk(&site);
    // Stopped, and killed, and started again on the full disk.
    for kills in [false, true] {
        if kills {
            drop(site);
        } else {
            site.stop();
        }
        site = Site::start(&folder, &[]);
        all_is_well_but_the_disk(&site);
    }
    fs::remove_file(filler).unwrap();
    site.with(&tokens[0]).until(&page, "counts");
    let csv = site.visitor().until("/board.csv", ",ada,1,1,0,");
    assert!(csv.contains(",house,"), "{csv}");
    let (code, body) = submitted(&site);
    assert_eq!(code, 303, "{body}");
    site.visitor().until("/board.csv", ",bob,2,1,0,");
    assert_eq!(site.visitor().page("/readyz"), "ready\n");
    site.stop();
    folder.judge(["verify", "club/results"]).exits(0);
}
