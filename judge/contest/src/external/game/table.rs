//! The director of a game: it reads the referee's commands, asks the seats, and keeps their clocks.

use std::io;
use std::path::Path;

use judge_core::external::Malformed;
use judge_core::external::seats::{
    Ask, AskOutcome, Command, MAX_ANSWER_BYTES, NoAnswer, RefereeLines, Reply, SeatLines, fault_of, reply_lines,
};
use judge_core::figure::{Figures, RefereeFigures};
use judge_core::matches::{Clock, Fault, MatchRules, MoveTime, Played, SeatClock, SeatResult};
use judge_core::points::Points;
use judge_core::verdict::Verdict;
use judge_job::{Cut, Director, End, Interrupted, Order, Outcome, SideOutcome, TalkEvent, Usage};

use super::moves::{ExecutedAsk, MovePrograms, together};
use super::record::GameRecord;
use crate::external::call::cut_off;

/// The side that is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Referee,
    Seats,
    /// The game is over, or the referee has failed.
    Over,
}

/// The limits of a referee.
#[derive(Debug, Clone, Copy)]
pub(super) struct RefereeLimits {
    /// Its own time in the whole game, in milliseconds.
    pub(super) own_ms: u64,
    /// Bytes from one reply to the next.
    pub(super) turn_bytes: u64,
}

/// A game under way. With `life = "game"`, the programs of the seats precede the referee's; with `life = "move"`, the referee is
/// the only program.
pub(super) struct Table<'a> {
    lines: RefereeLines,
    seats: Vec<Seat>,
    moves: Option<MovePrograms<'a>>,
    at_once: bool,
    /// The index of the referee's program.
    referee: usize,
    /// The referee's remaining own time, in microseconds.
    referee_left_us: u64,
    /// The most bytes that the referee may write from one reply to the next, and those that it has written.
    turn_bytes: u64,
    said_bytes: u64,
    phase: Phase,
    /// The points and the other figures of each seat.
    results: Option<(Vec<Points>, Vec<Figures>)>,
    /// The first reason why the game does not count, as a fragment.
    failed: Option<String>,
    record: GameRecord,
    notes: Vec<String>,
    suspect: Option<String>,
}

/// The most remarks on the seats of a game.
const MAX_NOTES: usize = 20;

struct Seat {
    clock: SeatClock,
    lines: SeatLines,
    asks: u64,
    /// The ask of the current or next wait.
    open: Option<Ask>,
    reply: Option<Reply>,
    /// True from its ask until its answer or fault.
    to_move: bool,
    fault: Option<Fault>,
    /// The reply to all further asks of the referee.
    silence: Option<NoAnswer>,
    end: Option<End>,
    usage: Option<Usage>,
}

impl<'a> Table<'a> {
    /// A game of seats with these clocks.
    pub(super) fn new(
        clocks: &[Clock],
        rules: &MatchRules,
        may: RefereeLimits,
        moves: Option<MovePrograms<'a>>,
        at_once: bool,
    ) -> Self {
        let seats = clocks.iter().map(|&clock| Seat::new(clock)).collect();
        Self {
            lines: RefereeLines::new(clocks.len(), rules.decimals, &rules.figures),
            seats,
            referee: if moves.is_some() { 0 } else { clocks.len() },
            moves,
            at_once,
            referee_left_us: may.own_ms.saturating_mul(1000),
            turn_bytes: may.turn_bytes,
            said_bytes: 0,
            phase: Phase::Referee,
            results: None,
            failed: None,
            record: GameRecord::new(),
            notes: Vec::new(),
            suspect: None,
        }
    }

    /// Writes the transcript and returns the result. The inner error is the reason why the result is missing. `outcomes` belong
    /// to the seats whose programs lived as long as the game.
    pub(super) fn finish(mut self, transcript: &Path, outcomes: &[SideOutcome]) -> io::Result<Result<Played, String>> {
        outcomes.iter().enumerate().for_each(|(seat, side)| self.remark(seat, &side.outcome));
        self.record.write(transcript)?;
        if let Some(reason) = self.failed {
            return Ok(Err(reason));
        }
        // An executor without support for games sends no events.
        let Some((points, figures)) = self.results else { return Ok(Err("the executor played no game".into())) };
        let seats = self.seats.into_iter().zip(points.into_iter().zip(figures));
        let seats = seats.map(|(seat, (points, figures))| seat.result(points, figures));
        let mut played = Played::new(seats.collect());
        (played.notes, played.suspect) = (self.notes, self.suspect);
        Ok(Ok(played))
    }

    /// Ends the game without a result.
    fn fail(&mut self, reason: String, orders: &mut Vec<Order>) {
        self.failed.get_or_insert(reason);
        self.phase = Phase::Over;
        self.end_all(self.referee + 1, orders);
    }

    /// Ends the programs with an index below `until`.
    fn end_all(&self, until: usize, orders: &mut Vec<Order>) {
        orders.extend((0..until).map(|side| Order::End { side, cut: Cut::TalkOver }));
    }

    /// Carries out the referee's commands until another side is to move. `ran_us` is the time that the referee ran.
    fn read_commands(&mut self, at_us: u64, ran_us: u64, orders: &mut Vec<Order>) -> Result<(), Interrupted> {
        let mut ran_us = ran_us;
        loop {
            match self.lines.next_command() {
                Err(Malformed(reason)) => {
                    self.fail(reason, orders);
                    return Ok(());
                }
                Ok(None) => return Ok(()),
                Ok(Some(Command::Ask(ask))) => {
                    let seat = ask.seat;
                    self.seats[seat].open = Some(ask);
                }
                Ok(Some(Command::Out { seat, reason })) => {
                    self.record.eliminate(at_us, seat, &reason);
                    self.seats[seat].eliminate(reason);
                    self.end_seat(seat, Cut::TalkOver, orders);
                }
                Ok(Some(Command::End { points, figures })) => {
                    self.record.ended(at_us, &points);
                    self.results = Some((points, figures));
                    self.phase = Phase::Over;
                    self.end_all(self.referee, orders);
                }
                Ok(Some(Command::Wait)) => {
                    self.referee_left_us = self.referee_left_us.saturating_sub(std::mem::take(&mut ran_us));
                    self.phase = Phase::Seats;
                    orders.push(Order::Hold { side: self.referee });
                    match &self.moves {
                        None => self.next_moves(at_us, orders),
                        Some(_) => self.all_moves(at_us, orders)?,
                    }
                    if self.phase != Phase::Referee {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Asks the seats that are to move next, or replies to the referee if all have moved.
    fn next_moves(&mut self, at_us: u64, orders: &mut Vec<Order>) {
        for seat in 0..self.seats.len() {
            let state = &mut self.seats[seat];
            if state.open.is_none() || state.reply.is_some() || state.to_move {
                continue;
            }
            if !self.at_once && self.seats.iter().any(|seat| seat.to_move) {
                return;
            }
            self.ask(seat, at_us, orders);
            if self.phase == Phase::Over {
                return;
            }
        }
        if !self.seats.iter().any(|seat| seat.to_move) {
            self.reply(orders);
        }
    }

    /// Asks a living seat.
    fn ask(&mut self, seat: usize, at_us: u64, orders: &mut Vec<Order>) {
        let state = &mut self.seats[seat];
        let Some((text, wanted)) = state.begin(at_us, seat, &mut self.record) else { return };
        let allowed_us = state.clock.allowed_us();
        if state.end.is_some() || allowed_us == Some(0) {
            let end = state.end.clone().unwrap_or(End::TimedOut);
            self.conclude(seat, at_us, 0, Some(&end), orders);
            return;
        }
        orders.push(Order::Write { side: seat, bytes: text });
        // The seat may already have written more lines than it was asked for.
        match state.lines.answer(wanted) {
            Some(answer) => self.answered(seat, at_us, 0, answer, orders),
            None => orders.push(Order::Run { side: seat, for_us: allowed_us }),
        }
    }

    /// Executes the programs of all open asks, and replies.
    fn all_moves(&mut self, mut at_us: u64, orders: &mut Vec<Order>) -> Result<(), Interrupted> {
        let Some(mut moves) = self.moves.take() else { return Ok(()) };
        let open: Vec<usize> = (0..self.seats.len()).filter(|&seat| self.seats[seat].open.is_some()).collect();
        let size = if self.at_once { open.len() } else { 1 };
        for seats in open.chunks(size.max(1)) {
            let mut living = Vec::new();
            for &seat in seats {
                let state = &mut self.seats[seat];
                match state.begin(at_us, seat, &mut self.record).and_then(|_| state.clock.allowed_us()) {
                    Some(0) => self.conclude(seat, at_us, 0, Some(&End::TimedOut), orders),
                    _ if state.to_move => living.push(seat),
                    _ => {}
                }
            }
            let asks: Vec<_> = living.iter().filter_map(|&seat| self.seats[seat].ask_to_execute(seat)).collect();
            let executed = match moves.execute(&asks)? {
                Ok(executed) => executed,
                Err(reason) => {
                    self.fail(reason, orders);
                    break;
                }
            };
            let longest_us = executed.iter().filter_map(|one| one.outcome.wall_us).max().unwrap_or_default();
            at_us = at_us.saturating_add(longest_us);
            for (seat, ExecutedAsk { outcome, answer }) in living.into_iter().zip(executed) {
                let took_us = outcome.wall_us.unwrap_or_default();
                self.remark(seat, &outcome);
                let state = &mut self.seats[seat];
                state.usage = Some(together(state.usage, outcome.usage));
                match outcome.end {
                    End::Exited { code: 0 } => self.answered(seat, at_us, took_us, answer, orders),
                    end => self.conclude(seat, at_us, took_us, Some(&end), orders),
                }
            }
            if self.phase == Phase::Over {
                break;
            }
        }
        self.moves = Some(moves);
        if self.phase == Phase::Seats {
            self.reply(orders);
        }
        Ok(())
    }

    /// Keeps the executor's remarks on a seat, and signs that other processes disturbed it.
    fn remark(&mut self, seat: usize, outcome: &Outcome) {
        for note in &outcome.notes {
            let note = format!("seat {}: {note}", seat + 1);
            if self.notes.len() < MAX_NOTES && !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        let suspicion = outcome.wall_us.zip(outcome.contention).and_then(|(wall, signs)| signs.suspicion(wall));
        if let Some(suspicion) = suspicion {
            self.suspect.get_or_insert(format!("seat {}: {suspicion}", seat + 1));
        }
    }

    /// Replies to all open asks, in the order of seats. The referee is to move then.
    fn reply(&mut self, orders: &mut Vec<Order>) {
        let mut bytes = Vec::new();
        for (seat, state) in self.seats.iter_mut().enumerate() {
            state.open = None;
            if let Some(reply) = state.reply.take() {
                bytes.extend(reply_lines(seat, &reply));
            }
        }
        (self.phase, self.said_bytes) = (Phase::Referee, 0);
        orders.push(Order::Write { side: self.referee, bytes });
        orders.push(Order::Run { side: self.referee, for_us: Some(self.referee_left_us) });
    }

    /// Handles a complete answer that took `took_us`.
    fn answered(&mut self, seat: usize, at_us: u64, took_us: u64, answer: Vec<u8>, orders: &mut Vec<Order>) {
        let state = &mut self.seats[seat];
        let too_long = answer.len() > MAX_ANSWER_BYTES;
        let moved = AskOutcome { took_us, allowed_us: state.clock.allowed_us(), answered: !too_long, end: None };
        if too_long {
            self.conclude(seat, at_us, took_us, Some(&End::TooMuchOutput), orders);
        } else if fault_of(&moved) == Ok(None) {
            state.clock.count(took_us, true);
            state.to_move = false;
            self.record.answered(at_us, seat, &answer, state.time(took_us));
            state.reply = Some(Reply::Answer(answer));
        } else {
            self.conclude(seat, at_us, took_us, None, orders);
        }
    }

    /// Handles the end of an ask without a valid answer.
    fn conclude(&mut self, seat: usize, at_us: u64, took_us: u64, end: Option<&End>, orders: &mut Vec<Order>) {
        let state = &mut self.seats[seat];
        let moved = AskOutcome { took_us, allowed_us: state.clock.allowed_us(), answered: false, end };
        let fault = match fault_of(&moved) {
            Ok(fault) => fault.unwrap_or(Verdict::TimedOut),
            Err(failure) => {
                let reason = format!("seat {}: {failure}", seat + 1);
                return self.fail(reason, orders);
            }
        };
        state.clock.count(took_us, false);
        state.to_move = false;
        let silence = NoAnswer::of(&fault);
        self.record.failed(at_us, seat, silence.word(), &fault, state.time(took_us));
        (state.reply, state.silence) = (Some(Reply::Silent(silence)), Some(silence));
        state.fault.get_or_insert(Fault { ask: state.asks, verdict: fault });
        self.end_seat(seat, Cut::OwnClock, orders);
    }

    /// Ends the program of a seat, if it lives as long as the game.
    fn end_seat(&self, seat: usize, cut: Cut, orders: &mut Vec<Order>) {
        if self.moves.is_none() && seat < self.referee && self.seats[seat].end.is_none() {
            orders.push(Order::End { side: seat, cut });
        }
    }

    /// Handles output of a seat.
    fn heard(
        &mut self,
        seat: usize,
        at_us: u64,
        ran_us: u64,
        bytes: &[u8],
        orders: &mut Vec<Order>,
    ) -> Result<(), Interrupted> {
        let state = &mut self.seats[seat];
        state.lines.push(bytes);
        let Some(wanted) = state.open.as_ref().filter(|_| state.to_move).map(|ask| ask.wanted) else { return Ok(()) };
        match state.lines.answer(wanted) {
            Some(answer) => self.answered(seat, at_us, ran_us, answer, orders),
            None if state.lines.is_too_long() => {
                self.conclude(seat, at_us, ran_us, Some(&End::TooMuchOutput), orders);
            }
            None => return Ok(()),
        }
        if self.phase == Phase::Seats {
            let before = orders.len();
            self.next_moves(at_us, orders);
            // The seat is stopped before another seat runs; the referee need not wait for that.
            let place = if self.phase == Phase::Referee { orders.len() } else { before };
            orders.insert(place, Order::Hold { side: seat });
        }
        self.read_referee(at_us, orders)
    }

    /// Reads what the referee wrote while the seats were to move, if it is to move now.
    fn read_referee(&mut self, at_us: u64, orders: &mut Vec<Order>) -> Result<(), Interrupted> {
        if self.phase == Phase::Referee { self.read_commands(at_us, 0, orders) } else { Ok(()) }
    }

    /// Handles the end of a seat's program.
    fn seat_ended(
        &mut self,
        seat: usize,
        at_us: u64,
        ran_us: u64,
        end: &End,
        orders: &mut Vec<Order>,
    ) -> Result<(), Interrupted> {
        self.seats[seat].end = Some(end.clone());
        if self.seats[seat].to_move && self.phase == Phase::Seats {
            self.conclude(seat, at_us, ran_us, Some(end), orders);
            if self.phase == Phase::Seats {
                self.next_moves(at_us, orders);
            }
            return self.read_referee(at_us, orders);
        }
        Ok(())
    }

    /// Handles the end of the referee.
    fn referee_ended(&mut self, end: &End, orders: &mut Vec<Order>) {
        if self.failed.is_some() || self.phase == Phase::Over {
            return;
        }
        let reason = match (end, self.lines.finish()) {
            (End::Exited { code: 0 }, _) if self.phase == Phase::Seats => "it ended while it waited for answers".into(),
            (End::Exited { code: 0 }, Err(Malformed(reason))) => reason,
            (end, _) => cut_off(end),
        };
        self.fail(reason, orders);
    }
}

impl Director for Table<'_> {
    fn direct(&mut self, event: TalkEvent<'_>, orders: &mut Vec<Order>) -> Result<(), Interrupted> {
        match event {
            TalkEvent::Begun => {
                orders.push(Order::Run { side: self.referee, for_us: Some(self.referee_left_us) });
            }
            TalkEvent::Output { side, at_us, ran_us, bytes } if side == self.referee => {
                self.lines.push(bytes);
                self.said_bytes = self.said_bytes.saturating_add(bytes.len() as u64);
                if self.said_bytes > self.turn_bytes {
                    self.fail(cut_off(&End::TooMuchOutput), orders);
                }
                // Output of the referee while seats are to move is read after its reply.
                if self.phase != Phase::Seats && self.failed.is_none() {
                    self.read_commands(at_us, ran_us.unwrap_or_default(), orders)?;
                }
            }
            TalkEvent::Output { side, at_us, ran_us, bytes } => {
                self.heard(side, at_us, ran_us.unwrap_or_default(), bytes, orders)?;
            }
            TalkEvent::Due { side, .. } if side == self.referee => {
                self.fail("it took more time of its own than its `limit` allows".into(), orders);
            }
            // The reply follows the end of the seat, so that this seat does not run beside the others.
            TalkEvent::Due { side, .. } => orders.push(Order::End { side, cut: Cut::OwnClock }),
            TalkEvent::Ended { side, outcome, .. } if side == self.referee => {
                self.referee_ended(&outcome.outcome.end, orders);
            }
            TalkEvent::Ended { side, at_us, ran_us, outcome } => {
                self.seats[side].usage = Some(outcome.outcome.usage);
                self.seat_ended(side, at_us, ran_us.unwrap_or_default(), &outcome.outcome.end, orders)?;
            }
        }
        Ok(())
    }
}

impl Seat {
    fn new(clock: Clock) -> Self {
        Self {
            clock: SeatClock::new(clock),
            lines: SeatLines::default(),
            asks: 0,
            open: None,
            reply: None,
            to_move: false,
            fault: None,
            silence: None,
            end: None,
            usage: None,
        }
    }

    /// Begins the open ask of the seat, and returns the text for it and the number of wanted lines. `None` if the seat is out of
    /// the game: its reply is known then.
    fn begin(&mut self, at_us: u64, seat: usize, record: &mut GameRecord) -> Option<(Vec<u8>, usize)> {
        if let Some(silence) = self.silence {
            self.reply = Some(Reply::Silent(silence));
            return None;
        }
        let ask = self.open.as_ref()?;
        self.asks += 1;
        self.to_move = true;
        record.asked(at_us, seat, &ask.text);
        Some((ask.text.clone(), ask.wanted))
    }

    fn ask_to_execute(&self, seat: usize) -> Option<(usize, &Ask, Option<u64>)> {
        Some((seat, self.open.as_ref()?, self.clock.allowed_us()))
    }

    fn eliminate(&mut self, reason: String) {
        let given = RefereeFigures::default();
        self.fault.get_or_insert(Fault { ask: self.asks, verdict: Verdict::Wrong { given, reason } });
    }

    fn time(&self, took_us: u64) -> MoveTime {
        MoveTime { took_us, left_us: self.clock.left_us() }
    }

    fn result(self, points: Points, figures: Figures) -> SeatResult {
        let mut result = SeatResult::new(points);
        (result.figures, result.fault, result.asks) = (figures, self.fault, self.asks);
        (result.used_us, result.longest_us) = (self.clock.used_us(), self.clock.longest_us());
        let usage = self.usage.unwrap_or_default();
        (result.cpu_us, result.memory_bytes) = (usage.cpu_us, usage.memory_bytes);
        result
    }
}
