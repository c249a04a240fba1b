//! Tests of settling team by team, as the office and the contest change.

use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::aside::Settling;
use crate::judging::settle::EXAMINED;

const TEAMS: [&str; 3] = ["ada", "bob", "cleo"];

/// A random action of a team or the organiser. Many are refused.
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
            drop(club.office.order(order, &club.open_contest.contents()));
        }
        _ => {
            let order = Order::Reinstate { team: team.into(), because: "a mistake".into() };
            drop(club.office.order(order, &club.open_contest.contents()));
        }
    }
}

#[test]
fn what_is_settled_by_team_is_what_is_settled_for_all() {
    let mut settled = 0;
    for (seed, rule) in (0..18).zip([Counts::Latest, Counts::Chosen, Counts::Best].into_iter().cycle()) {
        let club = Club::ruled(&counts(rule));
        let judging = Judging::new(&club.office, &club.open_contest);
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        for step in 0..60 {
            for _ in 0..dice.random_range(0..3) {
                let last = club.office.state().unwrap().submissions().len();
                act(&club, &mut dice, u32::try_from(last).unwrap());
            }
            let aside =
                || club.open_contest.contents().set_aside_entries().map(|(entry, _)| entry.clone()).collect::<Vec<_>>();
            let before = aside();
            match dice.random_range(0..3) {
                0 => drop(club.with_resources(|resources| judging.enter_next(resources)).unwrap()),
                1 => {
                    let made = club
                        .with_resources(|resources| judging.run_next(resources, &[], &StopFlag::default()))
                        .unwrap();
                    made.iter().for_each(|run| judging.settle_after(run).unwrap());
                }
                _ => {}
            }
            judging.settle().unwrap();
            settled += usize::from(aside() != before);
            let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
            // The submission that counts instead is named only at the time of recording.
            let kind = |out: Option<&Withdrawal>| Some(out?.reason.split(" by ").next()?.to_owned());
            for (entry, out) in Settling::new((&state, &contents, &Ends::default()), None, None).aside {
                let now = contents.withdrawn.get(&entry);
                assert_eq!(kind(now), kind(out.as_ref()), "step {step} of seed {seed}: {entry}");
            }
        }
    }
    assert!(settled > 100, "{settled}");
}

#[test]
fn a_submission_costs_no_look_at_those_before() {
    let none = Quotas { waiting: None, bytes: None, ..Quotas::default() };
    let club = Club::ruled(&OfficeRules { limit: none, ..OfficeRules::default() });
    let judging = Judging::new(&club.office, &club.open_contest);
    let mut looks = Vec::new();
    for number in 0..60 {
        club.submit(TEAMS[number % 3], number.to_string().as_bytes());
        let before = EXAMINED.get();
        club.with_resources(|resources| {
            judging.enter_next(resources).unwrap();
            while let Some(run) = judging.run_next(resources, &[], &StopFlag::default()).unwrap() {
                judging.settle_after(&run).unwrap();
            }
        });
        looks.push(EXAMINED.get() - before);
    }
    assert!(looks[6..].iter().all(|now| (1..=8).contains(now) && *now == looks[6]), "{looks:?}");
}
