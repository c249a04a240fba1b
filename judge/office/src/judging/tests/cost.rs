//! What judging costs, as allocations of one thread: they are the same on a busy machine and on an idle one.

use super::*;

/// Teams, and the submissions that are judged before the costs of the next ones are compared: with pieces of 256 runs that are as full.
const TEAMS: usize = 8;
const SIZES: [usize; 2] = [100, 356];
/// The submissions whose costs are measured, one of each team.
const MEASURED: usize = TEAMS;

/// The allocations and their bytes for one more submission and its runs, after each of these numbers of others.
fn costs() -> [(u64, u64); 2] {
    let none = Quotas { waiting: None, bytes: None, ..Quotas::default() };
    let club = Club::ruled(&OfficeRules { limit: none, ..OfficeRules::default() });
    (0..TEAMS).for_each(|team| drop(club.office.add_team(&format!("t{team}"), None).unwrap()));
    let judging = Judging::new(&club.office, &club.conduct);
    let mut submitted = 0;
    let mut judge = |until: usize| {
        while submitted < until {
            club.submit(&format!("t{}", submitted % TEAMS), format!("{submitted:04}").as_bytes());
            submitted += 1;
            club.with_site(|site| {
                judging.enter_next(site).unwrap();
                while let Some(run) = judging.run_next(site, &[], &StopFlag::default()).unwrap() {
                    judging.settle_after(&run).unwrap();
                }
            });
        }
    };
    SIZES.map(|before| {
        judge(before);
        let measured = allocation_counter::measure(|| judge(before + MEASURED));
        (measured.count_total / MEASURED as u64, measured.bytes_total / MEASURED as u64)
    })
}

#[test]
fn a_submission_costs_what_it_changes() {
    let [few, many] = costs();
    assert!(few.0 > 100, "nothing was counted: {few:?}");
    // Pieces of what is shared are copied, of which the larger contest has more.
    assert!(many.0 * 100 <= few.0 * 105 && many.1 * 100 <= few.1 * 105, "after {SIZES:?} others: {few:?}, {many:?}");
}
