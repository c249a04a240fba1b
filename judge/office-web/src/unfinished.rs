//! Uploads that are under way: each is in memory until it is whole, so there are so many at a time, of a team and in all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The most uploads of one team at a time, and of all teams together. One takes less than 1.6 MiB.
pub(crate) const MAX_PER_TEAM: usize = 4;
const MAX: usize = 128;

/// The uploads under way by team.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unfinished(Arc<Mutex<HashMap<String, usize>>>);

/// An upload under way, counted while it is.
#[derive(Debug)]
pub(crate) struct Counted {
    all: Arc<Mutex<HashMap<String, usize>>>,
    team: String,
}

impl Unfinished {
    /// Counts an upload of a team.
    ///
    /// # Errors
    /// The reason why it has to wait, as a fragment.
    pub(crate) fn begin(&self, team: &str) -> Result<Counted, String> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = counts.get(team).copied().unwrap_or_default();
        if own >= MAX_PER_TEAM {
            return Err(format!("{MAX_PER_TEAM} uploads of your team are under way; wait until one has ended"));
        }
        if counts.values().sum::<usize>() >= MAX {
            return Err("too many uploads are under way; try again in a minute".into());
        }
        counts.insert(team.to_owned(), own + 1);
        Ok(Counted { all: self.0.clone(), team: team.to_owned() })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = counts.get_mut(&self.team) {
            *own -= 1;
            if *own == 0 {
                counts.remove(&self.team);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_and_all_teams_have_so_many_uploads_under_way() {
        let unfinished = Unfinished::default();
        let mut under_way: Vec<Counted> = (0..MAX_PER_TEAM).map(|_| unfinished.begin("ada").expect("room")).collect();
        assert!(unfinished.begin("ada").expect_err("one too many").contains("of your team"));
        under_way.pop();
        under_way.push(unfinished.begin("ada").expect("one has ended"));
        let of_others = |number: usize| unfinished.begin(&format!("team{number}"));
        under_way.extend((0..MAX - MAX_PER_TEAM).map(|number| of_others(number).expect("room")));
        assert!(of_others(MAX).expect_err("one too many in all").contains("too many uploads"));
        drop(under_way);
        assert!(
            of_others(MAX).is_ok() && unfinished.0.lock().expect("whole").len() <= 1,
            "nothing is kept of those that ended"
        );
    }
}
