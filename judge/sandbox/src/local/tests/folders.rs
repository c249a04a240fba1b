//! Folders that a job may write.

use super::*;

#[test]
fn a_job_writes_only_its_writable_folders() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let (contest, own) = (folder.folder("contest"), folder.folder("contest/own"));
        let other = folder.folder("contest/other");
        let owner = if geteuid().is_root() { 1234 } else { geteuid().as_raw() };
        if geteuid().is_root() {
            chown(&own, Some(owner), Some(owner)).unwrap();
        }
        let script = "set -e; echo x > new; mkdir sub; echo y > sub/file; mv sub/file moved; rmdir sub; id -u
            grep -E 'NoNewPrivs|CapEff' /proc/self/status; echo t > $TMPDIR/t; cat $TMPDIR/t
            if echo z > ../other/forged; then echo wrote; fi 2>/dev/null";
        let job =
            folder.shell(script).with_directory(own.clone()).with_readable(contest.clone()).with_writable(own.clone());
        let (_, printed) = folder.succeeds(executor, &job);
        let confined = executor.isolation().tier > Tier::ProcessGroup;
        let as_owner = if confined { owner } else { geteuid().as_raw() };
        assert_eq!(fs::metadata(own.join("new")).unwrap().uid(), as_owner);
        assert_eq!(folder.read("contest/own/moved"), "y\n");
        assert!(printed.starts_with(&format!("{as_owner}\n")), "{printed}");
        assert_eq!(other.join("forged").exists(), !confined, "{printed}");
        if confined {
            let status: Vec<&str> = printed.split_whitespace().collect();
            assert_eq!(status[1..5], ["CapEff:", "0000000000000000", "NoNewPrivs:", "1"], "{printed}");
        }
        let missing = folder.shell("true").with_writable(folder.path("missing"));
        let outcome = executor.execute(&missing).unwrap();
        let End::CouldNotStart { reason, by_author: true } = &outcome.end else { panic!("{outcome:?}") };
        assert!(reason.contains("missing"), "{reason}");
    });
}

#[test]
fn a_job_writes_into_its_folder_as_much_as_it_may() {
    const MOST: u64 = 4 << 20;
    in_every_tier(|executor| {
        let folder = Folder::new();
        let own = folder.folder("own");
        let end = |script: &str| {
            let mut job = folder.shell(script).with_directory(own.clone()).with_writable(own.clone());
            job.folder_bytes = Some(MOST);
            executor.execute(&job).unwrap().end
        };
        let many = "for number in 1 2 3 4 5 6; do head -c 1000000 /dev/zero > $number; done";
        assert_eq!(end("head -c 1000000 /dev/zero > file"), End::Exited { code: 0 });
        assert_eq!(end(&format!("{many}; sleep 1000")), End::ScratchFull);
        // Written after the last look, and before the first.
        assert_eq!(end(many), End::ScratchFull);
        assert_eq!(end("sleep 1000"), End::ScratchFull);
        assert_ne!(end("rm [1-6]; exec head -c 100000000 /dev/zero > large"), End::Exited { code: 0 });
        // Without a supervisor, which sets it, nothing limits a single file.
        let large = fs::metadata(own.join("large")).unwrap().len();
        assert!(large <= MOST || executor.isolation().layers.is_empty(), "{large}: {}", executor.isolation());
    });
}

#[test]
fn a_job_that_keeps_modes_changes_none_outside_of_its_folder() {
    in_every_tier(|executor| {
        if executor.isolation().tier == Tier::ProcessGroup {
            return;
        }
        let folder = Folder::new();
        let own = folder.folder("own");
        let other = folder.file("other", "");
        let changes = format!(
            "chmod 777 .. {0}; chmod 4755 {0}; touch -d 2001-01-01 {0}; : > file; mkdir inner; mv file inner; echo done",
            other.display()
        );
        let modes = || [folder.path(""), other.clone()].map(|path| fs::metadata(path).unwrap().permissions().mode());
        let (before, changed) = (modes(), fs::metadata(&other).unwrap().modified().unwrap());
        let mut job =
            folder.shell(&changes).with_directory(own.clone()).with_writable(own.clone()).with_readable(other.clone());
        job.keeps_modes = true;
        assert_eq!(folder.succeeds(executor, &job).1, "done\n");
        assert_eq!(modes(), before, "{}", executor.isolation());
        assert_eq!(fs::metadata(&other).unwrap().modified().unwrap(), changed);
        assert!(own.join("inner/file").exists());
    });
}

#[test]
fn a_folder_of_root_gives_a_job_no_power() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let own = folder.folder("own");
        let job = folder
            .shell("echo x > new; grep CapEff /proc/self/status; mount -t tmpfs x /mnt 2>/dev/null && echo mounted")
            .with_directory(own.clone())
            .with_writable(own.clone());
        let outcome = executor.execute(&job).unwrap();
        if executor.isolation().tier > Tier::ProcessGroup {
            assert_ne!(outcome.end, End::Exited { code: 0 }, "{}", folder.read("out"));
            assert_eq!(folder.read("out"), "CapEff:\t0000000000000000\n");
        }
        assert_eq!(fs::metadata(own.join("new")).unwrap().uid(), geteuid().as_raw());
    });
}
