//! The chess clock of a program that talks.

/// Time in which a program was to move: from what it heard to what it said next. All times are by the monotonic clock, in
/// microseconds.
///
/// If it heard nothing since it last spoke or began, it was to move all that time: what it said before was not its whole
/// move. So a program that sends half a line and thinks gains nothing.
pub(super) struct Turn {
    total_us: u64,
    /// When it last spoke, or began.
    spoke_us: u64,
    /// The first message that reached it since.
    heard_us: Option<u64>,
}

impl Turn {
    /// The clock of a program that began then.
    pub(super) fn begun(at_us: u64) -> Self {
        Self { total_us: 0, spoke_us: at_us, heard_us: None }
    }

    /// A message reached it: its own time runs until it answers.
    pub(super) fn heard(&mut self, at_us: u64) {
        self.heard_us.get_or_insert(at_us);
    }

    /// Others wait for more from it: what it said was not its whole move.
    pub(super) fn awaited(&mut self) {
        self.heard(self.spoke_us);
    }

    /// Time so far if others wait for more from it.
    pub(super) fn if_awaited_us(&self, now_us: u64) -> u64 {
        self.total_us + now_us.saturating_sub(self.heard_us.unwrap_or(self.spoke_us))
    }

    /// A message came from it.
    pub(super) fn spoke(&mut self, at_us: u64) {
        self.total_us = self.if_awaited_us(at_us);
        (self.spoke_us, self.heard_us) = (at_us, None);
    }

    /// It ended, which is its last move if it was to move.
    pub(super) fn ended(&mut self, at_us: u64) {
        self.total_us = self.so_far_us(at_us);
        self.heard_us = None;
    }

    /// Time so far. Before it has heard something, whose move it is shows only when somebody speaks.
    pub(super) fn so_far_us(&self, now_us: u64) -> u64 {
        self.total_us + self.heard_us.map_or(0, |heard| now_us.saturating_sub(heard))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_in_which_it_is_to_move_counts() {
        let mut turn = Turn::begun(100);
        turn.heard(500);
        turn.heard(520);
        assert_eq!(turn.so_far_us(530), 30, "from the first message");
        turn.spoke(550);
        assert_eq!(turn.so_far_us(9000), 50, "the other one thinks");
        turn.heard(9000);
        turn.spoke(9007);
        assert_eq!(turn.so_far_us(9010), 57);
        turn.ended(9100);
        assert_eq!(turn.so_far_us(9200), 57, "it was not to move");
        turn.heard(9200);
        turn.ended(9203);
        assert_eq!(turn.so_far_us(9900), 60);
    }

    #[test]
    fn half_a_move_does_not_stop_the_clock() {
        let mut turn = Turn::begun(100);
        turn.spoke(110);
        turn.spoke(5110);
        assert_eq!(turn.so_far_us(6000), 5010, "it spoke first, so it was to move from its begin");
        assert_eq!(turn.if_awaited_us(6000), 5900);
        turn.awaited();
        assert_eq!(turn.so_far_us(6000), 5900, "the others wait for the rest");
        turn.awaited();
        turn.ended(6110);
        assert_eq!(turn.so_far_us(9000), 6010);
        let mut silent = Turn::begun(100);
        silent.awaited();
        assert_eq!(silent.so_far_us(300), 200, "it was to begin");
    }
}
