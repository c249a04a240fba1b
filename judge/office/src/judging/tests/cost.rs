//! What judging costs, as allocations of one thread: they are the same on a busy machine and on an idle one.

use super::*;

const TEAMS: usize = 8;
/// The submissions whose costs are measured, one of each team.
const MEASURED: usize = TEAMS;

/// The allocations and their bytes for one more submission and its runs, after each of these numbers of others.
fn costs<const N: usize>(sizes: [usize; N]) -> [(u64, u64); N] {
    let none = Quotas { waiting: None, bytes: None, ..Quotas::default() };
    let club = Club::ruled(&OfficeRules { limit: none, ..OfficeRules::default() });
    (0..TEAMS).for_each(|team| drop(club.office.add_team(&format!("t{team}"), None).unwrap()));
    let judging = Judging::new(&club.office, &club.open_contest);
    let mut submitted = 0;
    let mut judge = |until: usize| {
        while submitted < until {
            club.submit(&format!("t{}", submitted % TEAMS), format!("{submitted:04}").as_bytes());
            submitted += 1;
            club.with_resources(|resources| {
                judging.enter_next(resources).unwrap();
                while let Some(run) = judging.run_next(resources, &[], &StopFlag::default()).unwrap() {
                    judging.settle_after(&run).unwrap();
                }
            });
        }
    };
    sizes.map(|before| {
        judge(before);
        let measured = allocation_counter::measure(|| judge(before + MEASURED));
        (measured.count_total / MEASURED as u64, measured.bytes_total / MEASURED as u64)
    })
}

#[test]
fn a_submission_costs_what_it_changes() {
    // With pieces of 256 runs that are as full.
    let [few, many] = costs([100, 356]);
    assert!(few.0 > 100, "nothing was counted: {few:?}");
    // Pieces of what is shared are copied, of which the larger contest has more.
    assert!(many.0 * 100 <= few.0 * 105 && many.1 * 100 <= few.1 * 105, "{few:?}, {many:?}");
}

/// A change copies a reference to each piece, so that the bytes grow, by far less than the contest.
#[test]
#[ignore = "deep: large"]
fn after_ten_thousand_runs_a_submission_makes_no_more_allocations() {
    let sizes = [250, 5_200];
    let [few, many] = costs(sizes);
    assert!(many.0 * 10 <= few.0 * 11 && many.1 * 10 <= few.1 * 13, "after {sizes:?} others: {few:?}, {many:?}");
}
