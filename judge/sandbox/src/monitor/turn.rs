//! The chess clock of a program that talks.

/// Time in which it was a program's turn: from the message that it received to the message that it sent next. All times
/// are by the monotonic clock, in microseconds.
///
/// If it received nothing since its last message or its start, it was its turn all that time: its last message was not
/// its whole move. So a program gains nothing by sending half a line and then thinking.
pub(super) struct Turn {
    total_us: u64,
    /// When it last spoke, or began.
    spoke_us: u64,
    /// The first message that reached it since.
    heard_us: Option<u64>,
}

impl Turn {
    /// The clock of a program that began at this time.
    pub(super) fn begun(at_us: u64) -> Self {
        Self { total_us: 0, spoke_us: at_us, heard_us: None }
    }

    /// Notes that a message reached the program: its own time runs until it answers.
    pub(super) fn message_received(&mut self, at_us: u64) {
        self.heard_us.get_or_insert(at_us);
    }

    /// True from a message that reached it until it answers.
    pub(super) fn is_to_move(&self) -> bool {
        self.heard_us.is_some()
    }

    /// Subtracts a period from its own time, in which the judge read nothing from it because of another program.
    pub(super) fn exclude_time(&mut self, from_us: u64, until_us: u64) {
        let later = |since: u64| since + until_us.saturating_sub(since.max(from_us));
        (self.spoke_us, self.heard_us) = (later(self.spoke_us), self.heard_us.map(later));
    }

    /// Notes that others wait for more from the program: its last message was not its whole move.
    pub(super) fn awaited(&mut self) {
        self.message_received(self.spoke_us);
    }

    /// Time so far if others wait for more from it.
    pub(super) fn if_awaited_us(&self, now_us: u64) -> u64 {
        self.total_us + now_us.saturating_sub(self.heard_us.unwrap_or(self.spoke_us))
    }

    /// Notes that the program sent a message.
    pub(super) fn message_sent(&mut self, at_us: u64) {
        self.total_us = self.if_awaited_us(at_us);
        (self.spoke_us, self.heard_us) = (at_us, None);
    }

    /// Notes that the program ended, which is its last move if it was its turn.
    pub(super) fn ended(&mut self, at_us: u64) {
        self.total_us = self.so_far_us(at_us);
        self.heard_us = None;
    }

    /// Time so far. Until the program receives something, it is known only at the next message whose turn it was.
    pub(super) fn so_far_us(&self, now_us: u64) -> u64 {
        self.total_us + self.heard_us.map_or(0, |heard| now_us.saturating_sub(heard))
    }
}

/// CPU time that a program took from the others during their turns. All times are in microseconds.
///
/// The programs of a talk share processors. So a program that computes out of turn delays the others; with many processes it
/// can delay them beyond their limits. If there are several processors, the others need only one. The time that it took between
/// two samples is the CPU time that it cannot have used in its own turn, or on other processors.
pub(super) struct OutOfTurn {
    cores: u64,
    us: u64,
    last: At,
    next_at_us: u64,
}

/// The time of a sample, with the CPU time and the own time until then.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) now_us: u64,
    pub(super) cpu_us: u64,
    pub(super) own_us: u64,
}

impl OutOfTurn {
    /// Time between two samples, each of which costs microseconds; longer if every process has to be sampled.
    const INTERVAL_US: u64 = 1_000;
    const FULL_INTERVAL_US: u64 = 20_000;

    /// The state for a program that begins at this time, on `cores` processors.
    pub(super) fn begun(cores: usize, at_us: u64) -> Self {
        let last = At { now_us: at_us, cpu_us: 0, own_us: 0 };
        Self { cores: u64::try_from(cores).unwrap_or(u64::MAX).max(1), us: 0, last, next_at_us: 0 }
    }

    pub(super) fn is_due(&self, now_us: u64) -> bool {
        now_us >= self.next_at_us
    }

    /// Delays the next sample. `looks` is true if it samples all processes.
    pub(super) fn pause(&mut self, now_us: u64, looks: bool) {
        self.next_at_us = now_us + if looks { Self::FULL_INTERVAL_US } else { Self::INTERVAL_US };
    }

    /// Takes a sample.
    pub(super) fn sample(&mut self, at: At) {
        let last = self.last;
        let cpu_us = at.cpu_us.saturating_sub(last.cpu_us);
        let own_us = at.own_us.saturating_sub(last.own_us);
        let others_us = at.now_us.saturating_sub(last.now_us).saturating_sub(own_us);
        let fair_us = own_us.saturating_mul(self.cores).saturating_add(others_us.saturating_mul(self.cores - 1));
        self.us += cpu_us.saturating_sub(fair_us);
        self.last = at;
    }

    /// Adds other time that it took from the others.
    pub(super) fn add(&mut self, us: u64) {
        self.us += us;
    }

    pub(super) fn us(&self) -> u64 {
        self.us
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_computes_beyond_its_own_time_is_out_of_turn() {
        let mut out = OutOfTurn::begun(1, 1000);
        let at = |now_us, cpu_us, own_us| At { now_us, cpu_us, own_us };
        out.sample(at(1050, 40, 50));
        assert_eq!(out.us(), 0, "it computed in its own time");
        out.sample(at(1100, 90, 50));
        out.sample(at(1200, 190, 50));
        assert_eq!(out.us(), 150, "the others were to move");
        // A long move without computing does not make up for it.
        out.sample(at(2200, 190, 1050));
        out.sample(at(2300, 290, 1050));
        assert_eq!(out.us(), 250);
    }

    #[test]
    fn on_several_processors_a_program_may_compute_beside_the_others() {
        let mut out = OutOfTurn::begun(2, 0);
        out.sample(At { now_us: 100, cpu_us: 150, own_us: 50 });
        assert_eq!(out.us(), 0, "on two in its own time, on one in that of the others");
        out.sample(At { now_us: 200, cpu_us: 350, own_us: 50 });
        assert_eq!(out.us(), 100, "it left them none");
    }

    #[test]
    fn samples_that_cost_more_are_fewer() {
        let mut out = OutOfTurn::begun(1, 0);
        assert!(out.is_due(5_000));
        out.pause(5_000, false);
        assert!(!out.is_due(5_999) && out.is_due(6_000));
        out.pause(6_000, true);
        assert!(!out.is_due(25_999) && out.is_due(26_000));
    }

    #[test]
    fn only_the_time_in_which_it_is_to_move_counts() {
        let mut turn = Turn::begun(100);
        turn.message_received(500);
        turn.message_received(520);
        assert_eq!(turn.so_far_us(530), 30, "from the first message");
        turn.message_sent(550);
        assert_eq!(turn.so_far_us(9000), 50, "the other one thinks");
        turn.message_received(9000);
        turn.message_sent(9007);
        assert_eq!(turn.so_far_us(9010), 57);
        turn.ended(9100);
        assert_eq!(turn.so_far_us(9200), 57, "it was not to move");
        turn.message_received(9200);
        turn.ended(9203);
        assert_eq!(turn.so_far_us(9900), 60);
    }

    #[test]
    fn a_moment_in_which_the_judge_did_not_read_is_no_time_of_a_program() {
        let mut turn = Turn::begun(100);
        turn.message_received(500);
        turn.exclude_time(200, 300);
        assert_eq!(turn.so_far_us(510), 10, "before its turn");
        turn.exclude_time(510, 610);
        turn.exclude_time(400, 620);
        assert_eq!(turn.so_far_us(625), 5, "a part of it before its turn");
        turn.message_sent(630);
        turn.exclude_time(650, 700);
        assert_eq!((turn.so_far_us(700), turn.if_awaited_us(700)), (10, 30), "while others wait for more");
    }

    #[test]
    fn half_a_move_does_not_stop_the_clock() {
        let mut turn = Turn::begun(100);
        turn.message_sent(110);
        turn.message_sent(5110);
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
