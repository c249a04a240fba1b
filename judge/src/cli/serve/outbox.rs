//! The outbox: executes a command of the organiser for each event, at most once unless it fails.

use std::collections::HashMap;
use std::io::{ErrorKind, Seek as _, Write as _};
use std::path::Path;
use std::time::Duration;

use judge_contest::open_contest::OpenContest;
use judge_job::StopRequest as _;
use judge_office::notification_log::NotificationLog;
use judge_office::{Office, OfficeError, outbox};
use judge_sandbox::Interrupt;

use super::say;

/// The time between two checks for events.
const INTERVAL: Duration = Duration::from_secs(1);
/// The time that the command may take for an event. A hanging command must not block later events.
const LIMIT: Duration = Duration::from_secs(60);
/// The most executions of the command for an event. The wait grows by a minute after each failure.
const MAX: u32 = 5;

/// Executes the command for each event until a stop is requested. The command comes from the organiser and is not
/// isolated. It reads the event as JSON on its standard input.
pub(super) fn send(folder: &Path, command: &str, office: &Office, open_contest: &OpenContest, interrupt: &Interrupt) {
    let (mut waits, mut reported, mut sent) = (HashMap::new(), String::new(), None);
    while !interrupt.requested() {
        if let Err(error) = send_new(folder, command, office, open_contest, interrupt, (&mut sent, &mut waits)) {
            let error = error.to_string();
            // An error that repeats is reported once, as a disk can stay full.
            if error != reported {
                say(&format!("[notify]: {error}"));
                reported = error;
            }
        }
        std::thread::sleep(INTERVAL);
    }
}

fn send_new(
    folder: &Path,
    command: &str,
    office: &Office,
    open_contest: &OpenContest,
    interrupt: &Interrupt,
    (sent, waits): (&mut Option<NotificationLog>, &mut HashMap<String, u64>),
) -> Result<(), OfficeError> {
    let sent = match sent {
        Some(sent) => sent,
        None => sent.insert(NotificationLog::open(office.folder())?),
    };
    let state = office.state()?;
    for event in outbox::events(&state, &open_contest.contents()) {
        let notified = sent.notified(&event.name);
        let due = notified.times == 0 || (notified.failed && notified.times < MAX);
        let waits_until = waits.get(&event.name).copied().unwrap_or_default();
        if !due || office.now() < waits_until || interrupt.requested() {
            continue;
        }
        if !sent.begin(&event.name)? {
            continue;
        }
        let executed = execute(LIMIT, folder, command, &event.json, interrupt);
        if let Err(reason) = executed {
            say(&format!("[notify] {}: {reason}", event.name));
            sent.failed(&event.name)?;
            waits.insert(event.name, office.now() + 60 * u64::from(notified.times + 1));
        }
    }
    Ok(())
}

fn execute(limit: Duration, folder: &Path, command: &str, json: &str, interrupt: &Interrupt) -> Result<(), String> {
    let input = || {
        let mut file = tempfile::tempfile()?;
        file.write_all(json.as_bytes())?;
        file.rewind()?;
        judge_sandbox::host::shell_within(limit, folder, command, file, interrupt)
    };
    match input() {
        Ok(Some(status)) if status.success() => Ok(()),
        Ok(Some(status)) => Err(format!("the command ended with {status}")),
        // It was stopped with the site. It is not executed again, as it may have had effects.
        Ok(None) => Ok(()),
        Err(error) if error.kind() == ErrorKind::TimedOut => {
            Err(format!("the command was killed, because it took longer than {} s", limit.as_secs_f64()))
        }
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_command_that_ends_has_taken_its_event() {
        let folder = tempfile::tempdir().unwrap();
        let interrupt = Interrupt::never().unwrap();
        let run = |limit: u64, command: &str| {
            execute(Duration::from_millis(limit), folder.path(), command, "{\"event\":\"final\"}", &interrupt)
        };
        let hangs = run(200, "cat >seen; sleep 600").unwrap_err();
        assert_eq!(hangs, "the command was killed, because it took longer than 0.2 s");
        assert_eq!(run(60_000, "grep -q final"), Ok(()));
        assert!(run(60_000, "exit 3").unwrap_err().contains("exit status: 3"));
    }
}
