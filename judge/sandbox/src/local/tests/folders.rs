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
        // It may be another user that is mapped to the owner: see the next test.
        let user: u32 = printed.split_whitespace().next().unwrap().parse().unwrap();
        assert!(user == as_owner || owns_alone(executor, user), "{printed}");
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

/// Tests whether a user is one of the separate users for jobs of root, in a tier with mounts.
fn owns_alone(executor: &LocalExecutor<'_>, user: u32) -> bool {
    executor.isolation().tier == Tier::Namespaces && geteuid().is_root() && (60_706..61_184).contains(&user)
}

#[test]
fn each_of_several_jobs_of_root_at_a_time_has_a_user_of_its_own() {
    if !geteuid().is_root() {
        return eprintln!("skipped: only root has other users to give");
    }
    in_every_tier(|executor| {
        let tier = executor.isolation().tier;
        for own_user in [false, true] {
            let folder = Folder::new();
            let table = folder.file("table", "of the contest\n");
            fs::set_permissions(&table, fs::Permissions::from_mode(if own_user { 0o644 } else { 0o600 })).unwrap();
            let names = ["a", "b"];
            // Each waits for the others, so that all live together.
            let script = "set -e; id -u; cat ../table; echo x > new; mkdir inner; echo y >> old; cat old; : > here-$1
                while ! [ -e ready ]; do sleep 0.01; done; stat -c %u:%g new inner old .";
            let printed: Vec<Vec<String>> = std::thread::scope(|scope| {
                let jobs = names.map(|name| {
                    let own = folder.folder(name);
                    folder.file(&format!("{name}/old"), "kept\n");
                    let [out, err] = ["out", "err"].map(|end| folder.path(&format!("{name}.{end}")));
                    let mut job = Job::new(["sh", "-c", script, "sh", name], out, err)
                        .with_directory(own.clone())
                        .with_readable(table.clone())
                        .with_writable(own);
                    (job.limits.wall_ms, job.own_user) = (60_000, own_user);
                    job
                });
                let running = jobs.map(|job| {
                    scope.spawn(move || {
                        let outcome = executor.execute(&job).unwrap();
                        let error = fs::read_to_string(&job.stderr).unwrap();
                        assert_eq!(outcome.end, End::Exited { code: 0 }, "{tier:?} {own_user}: {error}\n{outcome:?}");
                    })
                });
                while !names.iter().all(|name| folder.path(name).join(format!("here-{name}")).exists()) {
                    assert!(!running.iter().any(std::thread::ScopedJoinHandle::is_finished), "{tier:?} {own_user}");
                    std::thread::sleep(Duration::from_millis(10));
                }
                for name in names {
                    folder.file(&format!("{name}/ready"), "");
                }
                running.into_iter().for_each(|job| job.join().unwrap());
                names.map(|name| folder.read(&format!("{name}.out")).lines().map(str::to_owned).collect()).into()
            });
            let mut users: Vec<u32> = printed.iter().map(|lines| lines[0].parse().unwrap()).collect();
            let owner = |file: &str| fs::metadata(folder.path(file)).unwrap().uid();
            let on_disk = names.map(|name| [owner(name), owner(&format!("{name}/old")), owner(&format!("{name}/new"))]);
            for (lines, user) in printed.iter().zip(&users) {
                assert_eq!(lines[1..4], ["of the contest", "kept", "y"], "{tier:?} {own_user}");
                // To the job, everything in its folder is its own.
                assert_eq!(lines[4..], vec![format!("{user}:{user}"); 4], "{tier:?} {own_user}");
            }
            let alone = match tier {
                Tier::Namespaces => true,
                // There it is given the folder, if it may be.
                Tier::Landlock => own_user,
                Tier::ProcessGroup => false,
            };
            if alone {
                // The folder is mounted for its user, so nothing on the disk changes its owner.
                let kept = [u32::from(tier == Tier::Landlock); 3];
                for (files, user) in on_disk.iter().zip(&users) {
                    assert_eq!(*files, kept.map(|of_user| of_user * user), "{tier:?} {own_user}");
                }
                assert!(users.iter().all(|user| (60_706..61_184).contains(user)), "{tier:?} {own_user}: {users:?}");
                users.sort_unstable();
                users.dedup();
                assert_eq!(users.len(), names.len(), "{tier:?} {own_user}");
            } else {
                assert_eq!((users, on_disk), (vec![0; names.len()], [[0; 3]; 2]), "{tier:?} {own_user}");
            }
        }
    });
}

#[test]
fn a_job_gets_no_folder_that_its_user_could_not_reach() {
    if !geteuid().is_root() {
        return eprintln!("skipped: only root has other users to give");
    }
    in_every_tier(|executor| {
        let folder = Folder::new();
        let (closed, own) = (folder.folder("closed"), folder.folder("closed/own"));
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        let mut job = folder.shell("id -u; echo x > new").with_directory(own.clone()).with_writable(own.clone());
        job.own_user = true;
        let (_, user) = folder.succeeds(executor, &job);
        let user: u32 = user.trim().parse().unwrap();
        // If the folder is mounted, the path to it does not matter.
        assert_eq!(owns_alone(executor, user), user != 0, "{}: {user}", executor.isolation());
        assert_eq!(user != 0, executor.isolation().tier == Tier::Namespaces, "{}: {user}", executor.isolation());
        assert_eq!(fs::metadata(own).unwrap().uid(), 0);
    });
}

#[test]
fn a_job_writes_into_its_folder_as_much_as_it_may() {
    const MAX: u64 = 4 << 20;
    in_every_tier(|executor| {
        let folder = Folder::new();
        let own = folder.folder("own");
        let end = |script: &str| {
            let mut job = folder.shell(script).with_directory(own.clone()).with_writable(own.clone());
            job.folder_bytes = Some(MAX);
            // If both are on one device, removed files count towards the scratch directory.
            job.limits.scratch_bytes = Some(MAX);
            executor.execute(&job).unwrap().end
        };
        let many = "for number in 1 2 3 4 5 6; do head -c 1000000 /dev/zero > $number; done";
        assert_eq!(end("head -c 1000000 /dev/zero > file"), End::Exited { code: 0 });
        assert_eq!(end(&format!("{many}; sleep 1000")), End::ScratchFull);
        // Written before the job ended, after the last check; then before the next job's first check.
        assert_eq!(end(many), End::ScratchFull);
        assert_eq!(end("sleep 1000"), End::ScratchFull);
        // Files without a name.
        let removed =
            "exec 3> a 4> b 5> c 6> d 7> e; rm *; for file in 3 4 5 6 7; do head -c 1000000 /dev/zero >&$file; done";
        assert_eq!(end(&format!("{removed}; sleep 1000")), End::ScratchFull, "{}", executor.isolation());
        assert_ne!(end("exec head -c 100000000 /dev/zero > large"), End::Exited { code: 0 });
        // Without a supervisor, which sets it, nothing limits a single file.
        let large = fs::metadata(own.join("large")).unwrap().len();
        assert!(large <= MAX || executor.isolation().layers.is_empty(), "{large}: {}", executor.isolation());
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
fn a_job_of_an_untrusted_author_reserves_no_room_on_the_disk_of_its_folder() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let own = folder.folder("own");
        let mut job = folder.shell(": > file; fallocate --keep-size --length 1MiB file; stat -c %b file");
        (job.directory, job.writable) = (Some(own.clone()), vec![own.clone().into()]);
        let blocks = |job: &Job| folder.succeeds(executor, job).1.trim().parse::<u64>().unwrap() * 512;
        // A build of the organiser may.
        assert!(blocks(&job) >= 1 << 20, "{}", executor.isolation());
        fs::remove_file(own.join("file")).unwrap();
        job.keeps_modes = true;
        let most = if executor.isolation().tier == Tier::ProcessGroup { u64::MAX } else { 0 };
        assert!(blocks(&job) <= most, "{}", executor.isolation());
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
