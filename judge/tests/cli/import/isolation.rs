//! `judge import --isolation`: it is that of submissions and validators, and of their builds. And what is said if the sandbox
//! does not start a program.

use crate::support::*;

/// A package of shell scripts. The input validator, the output validator and the static validator have a build; each build and
/// each program notes in its own folder or exit code whether it reads a file of the organiser.
fn package(folder: &Folder) {
    let secret = folder.file("organiser/secret", "of the organiser\n");
    let looks = format!("if cat '{}' > /dev/null 2>&1; then sees=1; else sees=0; fi\n", secret.display());
    for (file, text) in [
        ("problem.yaml", "problem_format_version: 2025-09\nname: Copy\ntype: pass-fail\n"),
        ("data/secret/1.in", "3\n"),
        ("data/secret/1.ans", "3\n"),
    ] {
        folder.file(&format!("copy/{file}"), text);
    }
    for (validator, run) in [
        ("input_validators/input", "echo \"input: run $sees, build $built\"; exit 43"),
        ("output_validator", "echo \"output: run $sees, build $built\" > \"$3/judgemessage.txt\"; exit 43"),
    ] {
        let build = format!("#!/bin/sh\n{looks}cp run.in run\nsed -i \"s/BUILT/$sees/\" run\n");
        folder.file(&format!("copy/{validator}/build"), build);
        folder.file(&format!("copy/{validator}/run.in"), format!("#!/bin/sh\n{looks}built=BUILT\n{run}\n"));
    }
    folder.file("copy/submissions/wrong_answer/copy.sh", format!("{looks}test $sees = 0 || exit 9\ncat\n"));
}

#[test]
fn the_isolation_that_is_asked_for_holds_for_programs_and_their_builds() {
    let folder = Folder::new();
    package(&folder);
    let tiers = folder.judge(["doctor"]).exits(0).stdout;
    for (isolation, sees) in [("auto", 0), ("require", 0), ("landlock", 0), ("off", 1)] {
        let mut command = folder.command(["import", "--verify", "copy", "--limit", "5s", "--isolation", isolation]);
        let output = command.output().unwrap();
        let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        if isolation == "require" && stderr.contains("is not available on this machine") {
            assert_eq!(output.status.code(), Some(2), "{stderr}");
            continue;
        }
        if isolation != "off" && stderr.contains("programs run in the tier process_group") {
            continue;
        }
        let expected = format!("run {sees}, build {sees}");
        assert!(
            stderr.contains(&format!("rejects it: exit code 43: input: {expected}")),
            "{isolation}: {stderr}\n{tiers}"
        );
        assert!(stdout.contains(&format!("output: {expected}")) || sees == 1, "{isolation}: {stdout}\n{stderr}");
        // In a process group the submission sees the file, too, and says so with its exit code.
        let line =
            if sees == 1 { "differs  wrong_answer/copy.sh: run-time error" } else { "ok       wrong_answer/copy.sh: " };
        assert!(stdout.contains(line), "{isolation}: {stdout}\n{stderr}");
    }
}

#[test]
fn a_program_that_the_sandbox_does_not_start_is_named_with_the_reason() {
    let folder = Folder::new();
    for (file, text) in [
        ("problem.yaml", "problem_format_version: 2025-09\nname: Copy\n"),
        ("data/secret/1.in", "3\n"),
        ("data/secret/1.ans", "3\n"),
        ("submissions/accepted/copy.py", "print(input())\n"),
    ] {
        folder.file(&format!("copy/{file}"), text);
    }
    // What a version manager or a tool in a home folder leaves on the PATH.
    let program = folder.file("bin/python3", "#!/home/organiser/no/such/interpreter\n");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = folder.command(["import", "--verify", "copy", "--limit", "5s"]);
    command.env("PATH", format!("{}:/no/such/folder", folder.path().join("bin").display()));
    let output = command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    let message =
        stderr.lines().find(|line| line.contains("python3 is on the PATH, but could not be started in the sandbox"));
    assert!(
        message.is_some_and(|line| line.contains("the interpreter of ") && line.contains("is missing")),
        "{stderr}"
    );
}
