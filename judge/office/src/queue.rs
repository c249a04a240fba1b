//! The order of work: fair between teams by cost, and first in, first out inside a team.

use std::collections::HashMap;

/// Start-time fair queueing. Each team has a virtual time, and the cost of its work is added to it. The team with the smallest
/// time is next. A team that had no work for a while continues from the present time, so that no team can save up time.
#[derive(Debug, Clone, Default)]
pub struct FairQueue {
    times: HashMap<String, u64>,
    now: u64,
}

impl FairQueue {
    /// Adds the cost of a piece of work that begins, in any unit.
    pub fn charge(&mut self, team: &str, cost: u64) {
        self.now = self.time(team);
        self.times.insert(team.to_owned(), self.now.saturating_add(cost));
    }

    /// Refunds the difference if a piece of work cost less than expected.
    pub fn refund(&mut self, team: &str, cost: u64) {
        if let Some(time) = self.times.get_mut(team) {
            *time = time.saturating_sub(cost);
        }
    }

    /// The virtual time of a team. Among teams with work, the one with the smallest time is next.
    pub fn time(&self, team: &str) -> u64 {
        self.times.get(team).copied().unwrap_or_default().max(self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in which a queue takes this work, given as teams and costs. All of it waits at the beginning.
    fn order(queue: &mut FairQueue, work: &[(&'static str, u64)]) -> Vec<&'static str> {
        let (mut left, mut order) = (work.to_vec(), Vec::new());
        while let Some(next) = (0..left.len()).min_by_key(|&piece| queue.time(left[piece].0)) {
            let (team, cost) = left.remove(next);
            queue.charge(team, cost);
            order.push(team);
        }
        order
    }

    #[test]
    fn a_team_that_floods_delays_each_other_by_one_piece() {
        let teams = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        let mut work = vec![("flood", 10); 100];
        work.extend(teams.map(|team| (team, 10)));
        let order = order(&mut FairQueue::default(), &work);
        assert_eq!(order[0], "flood");
        assert_eq!(order[1..10], teams);
    }

    #[test]
    fn cheap_work_comes_more_often() {
        let work: Vec<_> = [("dear", 30); 4].into_iter().chain([("cheap", 10); 12]).collect();
        let order = order(&mut FairQueue::default(), &work);
        let cheap = order[..8].iter().filter(|team| **team == "cheap").count();
        assert!((5..=6).contains(&cheap), "{order:?}");
    }

    #[test]
    fn nobody_saves_up_while_idle() {
        let mut queue = FairQueue::default();
        order(&mut queue, &[("busy", 10); 50]);
        let mut work = vec![("idle", 10); 5];
        work.extend([("busy", 10); 5]);
        let order = order(&mut queue, &work);
        assert!(order[..4].contains(&"busy"), "{order:?}");
    }

    #[test]
    fn a_refund_counts() {
        let mut queue = FairQueue::default();
        queue.charge("a", 100);
        queue.refund("a", 100);
        queue.charge("b", 1);
        assert!(queue.time("a") < queue.time("b"));
    }
}
