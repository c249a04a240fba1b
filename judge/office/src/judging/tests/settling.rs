//! What is settled team after team, as the office and the contest change.

use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::judging::settle::Settling;

const TEAMS: [&str; 3] = ["ada", "bob", "cleo"];

/// Something that a team or the organiser does; most of it is refused at times.
fn act(club: &Club, dice: &mut ChaCha8Rng, number: u32) {
    let (team, one) = (TEAMS[dice.random_range(0..3)], dice.random_range(1..=number.max(1)));
    let decisions = [Decision::Held, Decision::Released, Decision::Ignored, Decision::Considered, Decision::Cancelled];
    match dice.random_range(0..24) {
        0..8 => {
            let own = format!("{number}");
            let source =
                *[own.as_bytes(), own.as_bytes(), own.as_bytes(), BAD, STARTS_NOT, SHORT].choose(dice).unwrap();
            club.office.submit(&Upload::new(team, "a.c", source), None).unwrap();
        }
        8..16 => drop(club.office.decide(one, *decisions.choose(dice).unwrap(), Some("look"))),
        16..19 => drop(club.office.choose(team, one)),
        19 => drop(club.office.freeze()),
        20 => drop(club.office.thaw()),
        21 => {
            let order = Order::Disqualify { team: team.into(), because: "copied".into() };
            drop(club.office.order(order, &club.conduct.contents()));
        }
        _ => {
            let order = Order::Reinstate { team: team.into(), because: "a mistake".into() };
            drop(club.office.order(order, &club.conduct.contents()));
        }
    }
}

#[test]
fn what_is_settled_by_team_is_what_is_settled_for_all() {
    let mut settled = 0;
    for (seed, rule) in (0..18).zip([Counts::Latest, Counts::Chosen, Counts::Best].into_iter().cycle()) {
        let club = Club::ruled(&counts(rule));
        let judging = Judging::new(&club.office, &club.conduct);
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        for step in 0..60 {
            for _ in 0..dice.random_range(0..3) {
                let last = club.office.state().unwrap().submissions().len();
                act(&club, &mut dice, u32::try_from(last).unwrap());
            }
            let looks = || club.conduct.contents().history.len();
            let before = looks();
            match dice.random_range(0..3) {
                0 => drop(club.with_site(|site| judging.enter_next(site)).unwrap()),
                1 => {
                    let made = club.with_site(|site| judging.run_next(site, &[], &StopFlag::default())).unwrap();
                    made.iter().for_each(|run| judging.settle_after(run).unwrap());
                }
                _ => {}
            }
            judging.settle().unwrap();
            settled += usize::from(looks() > before);
            let (state, contents) = (club.office.state().unwrap(), club.conduct.contents());
            let left = Settling::new(&state, &contents, None, None).lines;
            assert!(left.is_empty(), "step {step} of seed {seed}: {left:?}");
            same_as_before(&state, &contents, &format!("step {step} of seed {seed}"));
        }
    }
    assert!(settled > 100, "{settled}");
}

/// Checks that what is shown equals what the statuses were, which followed from the withdrawals in the journal.
#[track_caller]
fn same_as_before(state: &crate::state::State, contents: &Contents, at: &str) {
    use crate::shown::{Look, Shown};
    let look = Look::new(&crate::view::Viewer::Organiser, state, contents);
    for ((submission, status), (_, _, shown)) in status::all(state, contents).into_iter().zip(look.all()) {
        let before = match status.clone() {
            Status::Queued => Shown::Queued,
            Status::DoesNotBuild(reason) => Shown::Unbuildable(reason),
            Status::Running { made, of } => Shown::Running { made, of },
            Status::Counts => Shown::Counts,
            Status::Superseded { by } => Shown::Superseded { by },
            Status::Held => Shown::Stuck,
            Status::Late => Shown::Late,
            Status::Waits(because) => Shown::Held(because),
            Status::Cancelled => Shown::Cancelled,
            Status::Ignored(because) => Shown::Ignored(because),
            Status::Out(reason) => Shown::Out(reason),
        };
        // A team that is out is out with all that it handed in. The name of what counts instead was the first one.
        let is_out = matches!(shown, Shown::Out(_)) && state.out(&submission.team).is_some();
        let same_kind = matches!((&shown, &before), (Shown::Superseded { .. }, Shown::Superseded { .. }));
        // Without dates of runs, all that is public at the freeze is judged to its end.
        let in_freeze =
            state.frozen().is_some() && matches!((&shown, &before), (Shown::Running { .. }, Shown::Superseded { .. }));
        assert!(
            shown == before || is_out || same_kind || in_freeze,
            "{at}: {} {status:?} {shown:?}",
            submission.entry()
        );
    }
}
