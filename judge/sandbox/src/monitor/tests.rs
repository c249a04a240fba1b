//! Tests of who used the processors, and of late events.

use super::*;

#[test]
fn the_work_of_judge_and_supervisor_for_a_run_is_not_taken_by_others() {
    let reaped = FinalReport {
        status: 0,
        by_itself: true,
        ended_us: 0,
        left: 0,
        cpu_us: 0,
        largest_bytes: 0,
        involuntary_switches: 7,
        warned_us: 0,
        supervisor_cpu_us: 40,
    };
    let busy = |all_us| Busy { all_us: Some(all_us), used_us: Some(600), own_us: 300 };
    let pressure = Pressure { cpu_us: 1, memory_us: 2 };
    let found = contention(Some(pressure), busy(1000), Some(reaped));
    assert_eq!((found.cpu_pressure_us, found.memory_pressure_us), (Some(1), Some(2)));
    assert_eq!((found.involuntary_switches, found.taken_us), (Some(7), Some(60)));
    assert_eq!(contention(None, busy(1000), None).taken_us, Some(100), "without a supervisor");
    // Busy time is counted in steps, so it can be less than what is known to have been used.
    assert_eq!(contention(None, busy(900), Some(reaped)).taken_us, Some(0));
    assert_eq!(contention(None, Busy { used_us: None, ..busy(1000) }, Some(reaped)).taken_us, None);
    assert_eq!(contention(None, Busy { all_us: None, ..busy(1000) }, Some(reaped)).taken_us, None);
}
