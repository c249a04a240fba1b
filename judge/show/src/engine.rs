//! Messages and figures of a cluster's engine, in words.

use judge_contest::schedule::EngineData;
use judge_job::count_text;
use judge_slurm::{ClusterState, Notice};

/// A message of an engine.
pub fn notice(data: &EngineData) -> String {
    match data.get::<Notice>() {
        Some(Notice::Cancelled { arrays }) => format!("cancelled: {}", arrays.join(", ")),
        Some(Notice::NotCancelled { reason }) => format!("arrays could not be cancelled: {reason}"),
        Some(Notice::Continued { array }) => format!("continuing array {array}"),
        Some(Notice::Unreadable { reason }) => format!("an outcome that cannot be read does not count: {reason}"),
        Some(Notice::SentAgain { task, end, last_line, runs }) => {
            let last = last_line.as_ref().map_or(String::new(), |line| format!(": {line}"));
            format!("task {task} ended with {end}{last}; {runs} of its runs are sent again")
        }
        Some(Notice::NoAnswer { cluster, reason }) => {
            format!("{cluster} does not answer as expected, trying again: {reason}")
        }
        _ => format!("{data:?}"),
    }
}

/// The state of an engine: its tasks, and the places of unfinished runs.
pub fn state(data: &EngineData) -> [String; 2] {
    let Some(state) = data.get::<ClusterState>() else { return [format!("{data:?}"), String::new()] };
    let ClusterState { cluster, running, nodes, waiting, reasons, arrays, sent, unsent } = state;
    let mut tasks = format!("{cluster}: {} running", count_text(*running, "task", "tasks"));
    if *nodes > 0 {
        tasks += &format!(" on {}", count_text(*nodes, "node", "nodes"));
    }
    if *waiting > 0 {
        tasks += &format!(", {waiting} waiting");
    }
    if !reasons.is_empty() {
        tasks += &format!(" ({})", reasons.join(", "));
    }
    let arrays = match &arrays[..] {
        [] => "no array sent yet".to_owned(),
        [id] => format!("array {id}"),
        [first, .., last] if arrays.len() > 3 => format!("{} arrays, {first} to {last}", arrays.len()),
        _ => format!("arrays {}", arrays.join(", ")),
    };
    let mut runs = format!("{arrays}: {} in tasks", count_text(*sent, "run", "runs"));
    if *unsent > 0 {
        runs += &format!(", {unsent} not sent yet");
    }
    [tasks, runs]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_names_its_tasks_nodes_arrays_and_runs() {
        let arrays = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect();
        let mut now = ClusterState {
            cluster: "Slurm".into(),
            running: 0,
            nodes: 0,
            waiting: 0,
            reasons: Vec::new(),
            arrays: Vec::new(),
            sent: 0,
            unsent: 9,
        };
        let words = |now: &ClusterState| state(&EngineData::new(now.clone())).join(" | ");
        assert_eq!(words(&now), "Slurm: 0 tasks running | no array sent yet: 0 runs in tasks, 9 not sent yet");
        (now.running, now.nodes, now.waiting, now.sent, now.unsent) = (12, 4, 3, 1, 0);
        now.reasons = arrays(&["Priority", "Resources"]);
        now.arrays = arrays(&["7"]);
        assert_eq!(
            words(&now),
            "Slurm: 12 tasks running on 4 nodes, 3 waiting (Priority, Resources) | array 7: 1 run in tasks"
        );
        now.arrays = arrays(&["7", "8", "9"]);
        assert!(words(&now).contains("| arrays 7, 8, 9: "), "{}", words(&now));
        now.arrays = arrays(&["7", "8", "9", "11"]);
        assert!(words(&now).contains("| 4 arrays, 7 to 11: "), "{}", words(&now));
    }

    #[test]
    fn a_task_that_is_sent_again_is_named_with_its_last_line() {
        let words = |last_line: Option<&str>| {
            let last_line = last_line.map(str::to_owned);
            let notice = Notice::SentAgain { task: "7_2".into(), end: "NODE_FAIL".into(), last_line, runs: 3 };
            super::notice(&EngineData::new(notice))
        };
        assert_eq!(words(None), "task 7_2 ended with NODE_FAIL; 3 of its runs are sent again");
        assert_eq!(words(Some("no room")), "task 7_2 ended with NODE_FAIL: no room; 3 of its runs are sent again");
    }

    #[test]
    fn data_of_another_engine_is_shown_as_it_is() {
        let data = EngineData::new(("sent", 2));
        assert_eq!((notice(&data), state(&data)), ("(\"sent\", 2)".into(), ["(\"sent\", 2)".into(), String::new()]));
    }
}
