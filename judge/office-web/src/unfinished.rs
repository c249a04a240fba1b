//! Unfinished uploads. Each is in memory until it is complete, so their number is limited, per team and in total.

use crate::permits::{Permit, Permits};

/// The most uploads of one team at a time, and of all teams together. Each takes less than 1.6 MiB.
pub(crate) const MAX_PER_TEAM: usize = 4;
const MAX: usize = 128;
/// The part of [`MAX`] that is reserved for teams without an unfinished upload.
const FOR_FIRST: usize = 32;

/// The unfinished uploads by team.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unfinished(Permits<String>);

impl Unfinished {
    /// Counts an upload of a team, until the permit is dropped.
    ///
    /// # Errors
    /// The reason why it has to wait, as a fragment.
    pub(crate) fn begin(&self, team: &str) -> Result<Permit<String>, String> {
        self.0.take(team.to_owned(), |own, all| match own {
            MAX_PER_TEAM.. => {
                Err(format!("{MAX_PER_TEAM} uploads of your team are under way; wait until one has ended"))
            }
            0 if all < MAX => Ok(()),
            1.. if all < MAX - FOR_FIRST => Ok(()),
            _ => Err("too many uploads are under way; try again in a minute".into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_and_all_teams_have_so_many_uploads_under_way() {
        let unfinished = Unfinished::default();
        let mut under_way: Vec<_> = (0..MAX_PER_TEAM).map(|_| unfinished.begin("ada").expect("room")).collect();
        assert!(unfinished.begin("ada").expect_err("one too many").contains("of your team"));
        under_way.pop();
        under_way.push(unfinished.begin("ada").expect("one has ended"));
        let of_others = |number: usize| unfinished.begin(&format!("team{number}"));
        under_way.extend((0..MAX - MAX_PER_TEAM).map(|number| of_others(number).expect("room")));
        assert!(of_others(MAX).expect_err("one too many in all").contains("too many uploads"));
        drop(under_way);
        assert!(of_others(MAX).is_ok() && unfinished.0.takers() <= 1, "nothing is kept of those that ended");
    }

    #[test]
    fn teams_that_upload_as_much_as_they_can_leave_places_to_the_others() {
        let unfinished = Unfinished::default();
        let greedy = (0..MAX / MAX_PER_TEAM).map(|number| format!("greedy{number}"));
        let mut under_way = Vec::new();
        for team in greedy {
            under_way.extend((0..MAX_PER_TEAM).filter_map(|_| unfinished.begin(&team).ok()));
        }
        assert!(unfinished.begin("greedy0").is_err(), "it has some");
        let others: Vec<_> = (0..FOR_FIRST / 2).map(|number| unfinished.begin(&format!("ada{number}"))).collect();
        assert!(others.iter().all(Result::is_ok), "{} are under way", under_way.len());
    }
}
