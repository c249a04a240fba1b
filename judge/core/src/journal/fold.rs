//! The fold: from the events of a journal to the contest at this moment.

mod arrange;
mod checks;
mod index;
mod members;
mod order;
mod players;
mod program;
mod ranked;
mod rulings;

use std::collections::HashSet;
use std::sync::Arc;

use judge_job::Isolation;

use super::compact::CompactRecords;
use super::event::Settings;
use super::records::{Slot, Slots};
use super::{
    Build, Chain, ContestMetadata, ContestState, EventError, Header, HistoryEvent, Line, OFFICE_LINE, Record, Records,
    Round, RunReader, decode, history,
};
use crate::chunks::Chunks;
use crate::date::Date;
use crate::key::{Name, RunKey};
use crate::map::Map;
use crate::plan::Plan;
use crate::withdrawal::Withdrawal;

use checks::{check_board, check_problems, check_ranking, check_repeat};
pub(super) use index::Index;
use index::Planned;
pub(super) use order::Order;
use order::Places;
use program::{first_versions, referee_hashes};

/// Applies events one after the other. An event costs what it changes, however large the contest is, and a clone is cheap.
#[derive(Clone)]
pub struct Fold {
    facts: Arc<ContestMetadata>,
    history: Chunks<Arc<HistoryEvent>>,
    index: Arc<Index>,
    /// Every run that is planned, as it came about.
    keys: Chunks<Planned>,
    /// The state of each of them.
    slots: Chunks<Slot>,
    /// True if the plan has changed since the header, so that the order of runs follows from it anew.
    changed: bool,
    /// The order of boards and entries, by name, that the last settings ask for.
    names: Option<Arc<(Vec<String>, Vec<String>)>>,
    /// The places of boards and entries in the plan.
    places: Arc<Places>,
    /// The number of lines that the office has written.
    pub(super) office_lines: usize,
    /// The order of runs, if it was asked for since the last of them was planned.
    order: Option<Arc<Order>>,
    isolations: Arc<HashSet<Arc<Isolation>>>,
    /// That of the last run, mostly also that of the next.
    isolation: Option<Arc<Isolation>>,
    /// The slot after that of the last run, mostly that of the next.
    next: usize,
    /// The rest of the records, if they are kept in few bytes.
    compact: Option<CompactRecords>,
}

impl Fold {
    /// A contest that begins at that date.
    ///
    /// # Errors
    ///
    /// The header contradicts itself.
    pub fn begin(header: Header, at: Option<Date>) -> Result<Self, EventError> {
        Self::from_header(header, at).map_err(EventError::new)
    }

    fn from_header(mut header: Header, at: Option<Date>) -> Result<Self, String> {
        let order = std::mem::take(&mut header.order);
        let plan = &header.plan;
        let begun = history::begun(&plan.name, plan.entries.len(), plan.boards.len());
        let withdrawn = header.withdrawn.iter().map(|(entry, why)| history::withdrawn(entry, why));
        let struck = header.struck.iter().map(|(board, why)| history::struck(board, why));
        let sentences = std::iter::once(begun).chain(withdrawn).chain(struck);
        let event = |text| Arc::new(HistoryEvent { at, text, superseded: Vec::new() });
        let mut history = Chunks::default();
        sentences.map(event).for_each(|event| history.push(event));
        let facts = ContestMetadata {
            plan: header.plan.clone(),
            machines: Vec::new(),
            builds: Chunks::default(),
            commands: Map::default(),
            built: Map::default(),
            programs: header.programs.iter().map(|(name, files)| (name.clone(), files.clone().into())).collect(),
            referees: referee_hashes(&header),
            versions: first_versions(&header, at),
            withdrawn: header.withdrawn.clone().into_iter().collect(),
            rejudged: 0,
            struck: header.struck.clone(),
            rounds: Vec::new().into(),
            players: Vec::new().into(),
            begun: at,
            comment: header.comment.clone(),
            header: header.into(),
        };
        let mut index = Index::default();
        facts.plan.entries.iter().try_for_each(|entry| index.add_entry(&entry.name))?;
        facts.plan.boards.iter().try_for_each(|board| index.add_board(&board.name))?;
        if let Some(name) = facts.withdrawn.keys().find(|name| !index.has_entry(name)) {
            return Err(format!("unknown entry `{name}` is withdrawn"));
        }
        if let Some(name) = facts.struck.keys().find(|name| !index.has_board(name)) {
            return Err(format!("unknown board `{name}` is struck"));
        }
        if facts.withdrawn.values().map(|out| &out.reason).chain(facts.struck.values()).any(String::is_empty) {
            return Err("an entry is withdrawn or a board struck without a reason".into());
        }
        check_repeat(facts.plan.repeat)?;
        facts.plan.entries.iter().try_for_each(|entry| check_problems(&facts.plan, entry))?;
        facts.plan.boards.iter().try_for_each(|board| check_board(&facts.plan, &board.name))?;
        check_ranking(&facts.plan, &facts.plan.ranking, &facts.plan.rounds)?;
        let places = Arc::new(Places::of(&facts.plan, &index));
        let mut fold = Self {
            facts: Arc::new(facts),
            history,
            index: Arc::new(index),
            keys: Chunks::default(),
            slots: Chunks::default(),
            changed: false,
            names: None,
            places,
            office_lines: 0,
            order: None,
            isolations: Arc::default(),
            isolation: None,
            next: 0,
            compact: None,
        };
        order.into_iter().try_for_each(|key| fold.plan_run(1, key))?;
        Ok(fold)
    }

    /// Applies the next event, which happened at that date.
    ///
    /// # Errors
    ///
    /// The event cannot follow on those before it; nothing has changed then.
    pub fn apply(&mut self, line: Line, at: Option<Date>) -> Result<(), EventError> {
        self.follow(line, at).map_err(EventError::new)
    }

    /// Applies a line that another writer has added to the journal, without its hash, and returns its event. `None` for a line of the
    /// office.
    ///
    /// # Errors
    ///
    /// The line cannot be read, or cannot follow on those before it.
    pub fn read(&mut self, line: &[u8]) -> Result<Option<Line>, EventError> {
        if line.starts_with(OFFICE_LINE) {
            self.office_lines += 1;
            return Ok(None);
        }
        let (line, at) = decode(line, &mut RunReader::default()).map_err(|error| EventError::new(error.to_string()))?;
        self.apply(line.clone(), at)?;
        Ok(Some(line))
    }

    fn follow(&mut self, line: Line, at: Option<Date>) -> Result<(), String> {
        let (text, superseded) = match line {
            Line::Run(record) => return self.run(Record { at, ..*record }),
            Line::Rejudgement(rejudgement) => return self.rejudgement(*rejudgement, at),
            Line::Contest(_) => return Err("a second header".into()),
            Line::Machine(machine) => {
                self.facts_mut().machines.push(*machine);
                return Ok(());
            }
            Line::Build(build) => match self.build(*build)? {
                Some(text) => (text, Vec::new()),
                None => return Ok(()),
            },
            Line::Entry(event) => self.entry(*event, at)?,
            Line::Program(event) => (self.program(*event, at)?, Vec::new()),
            Line::Board(event) => self.board(*event)?,
            Line::Struck(event) => {
                let runs = self.records(&self.index.on_board(&event.board));
                (self.strike(event)?, runs)
            }
            Line::Reinstated(event) => (self.reinstate_board(event)?, Vec::new()),
            Line::Withdrawn(event) => {
                let runs = self.records(&self.index.of_entry(&event.entry));
                (self.withdraw(event)?, runs)
            }
            Line::Restored(event) => (self.restore_entry(event)?, Vec::new()),
            Line::Settings(settings) => (self.settings(*settings)?, Vec::new()),
            Line::Ruling(ruling) => (self.ruling(*ruling)?, Vec::new()),
            Line::RulingUndone(undone) => (self.ruling_undone(&undone)?, Vec::new()),
            Line::Referee(event) => (self.referee(*event, at)?, Vec::new()),
            Line::Round(round) => self.round(*round)?,
            Line::Players(players) => (self.players(players)?, Vec::new()),
        };
        self.history.push(Arc::new(HistoryEvent { at, text, superseded }));
        Ok(())
    }

    /// The plan after the events so far.
    pub fn plan(&self) -> &Plan {
        &self.facts.plan
    }

    /// The number of attempts at a run that were recorded so far; `None` if it is not planned, so that no record of it can follow.
    pub fn attempts_at(&self, key: &RunKey) -> Option<u32> {
        Some(self.slots.get(self.index.planned(key)?)?.recorded)
    }

    /// The contest after the events so far, except for the end of their chain. It is cheap.
    pub fn so_far(&mut self) -> ContestState {
        let slots = Slots { slots: self.slots.clone(), order: self.order() };
        ContestState {
            facts: self.facts.clone(),
            index: self.index.clone(),
            records: Records(slots),
            history: self.history.clone(),
            office_lines: self.office_lines,
            chain: Chain::default(),
            torn_bytes: 0,
        }
    }

    /// The contest after all events, with the end of their chain.
    pub fn finish(mut self, chain: Chain, torn_bytes: u64) -> ContestState {
        ContestState { chain, torn_bytes, ..self.so_far() }
    }

    /// Sets entries aside, or takes them back in, without a line. Returns those that went out or came in.
    pub fn set_aside(&mut self, changes: impl IntoIterator<Item = (String, Option<Withdrawal>)>) -> Vec<String> {
        let mut facts = ContestMetadata::clone(&self.facts);
        let (changed, moved) = facts.set_aside(changes);
        if changed {
            self.facts = Arc::new(facts);
        }
        moved
    }

    fn facts_mut(&mut self) -> &mut ContestMetadata {
        Arc::make_mut(&mut self.facts)
    }

    /// Adds a run to those that the contest needs. The error names what the plan does not have.
    fn plan_run(&mut self, round: u32, key: RunKey) -> Result<(), String> {
        let RunKey { entry, board, .. } = &key;
        if key.round != round {
            return Err(format!("{entry} on {board} is planned for round {}, not for round {round}", key.round));
        }
        if !(1..=self.facts.plan.repeat).contains(&key.repeat) {
            return Err(format!(
                "repeat {} of {entry} on {board} is planned, of {}",
                key.repeat, self.facts.plan.repeat
            ));
        }
        match Arc::make_mut(&mut self.index).plan(&key, self.keys.len()) {
            None => Err(format!("{entry} on {board} is planned, but the contest does not have both")),
            Some(Err(())) => Err(format!("{entry} on {board} is planned twice in round {round}")),
            Some(Ok(planned)) => {
                self.keys.push(planned);
                self.slots.push(Slot::default());
                self.order = None;
                Ok(())
            }
        }
    }

    /// The records of these slots, as they are now.
    fn records(&mut self, slots: &[usize]) -> Vec<Arc<Record>> {
        slots.iter().for_each(|&slot| self.restore_record(slot));
        slots.iter().filter_map(|&slot| self.slots.get(slot)?.record.clone()).collect()
    }

    /// Takes the records of these slots that are of the open round: they do not count any more.
    fn supersede(&mut self, slots: &[usize]) -> Vec<Arc<Record>> {
        let round = self.facts.round();
        let mut taken = Vec::new();
        slots.iter().for_each(|&slot| self.restore_record(slot));
        for &slot in slots.iter().filter(|&&slot| self.keys.get(slot).is_some_and(|key| key.round == round)) {
            if let Some(slot) = self.slots.get_mut(slot) {
                slot.before_rulings = None;
                taken.extend(slot.record.take());
            }
        }
        taken
    }

    /// The slot of the run with that key, to be changed.
    fn planned_mut(&mut self, key: &RunKey) -> Option<&mut Slot> {
        let slot = self.index.planned(key)?;
        self.restore_record(slot);
        self.slots.get_mut(slot)
    }

    fn build(&mut self, build: Build) -> Result<Option<String>, String> {
        if let Some(unknown) = build.entries.iter().find(|entry| !self.index.has_entry(entry)) {
            return Err(format!("unknown entry `{unknown}` was built"));
        }
        // No run depends on it: if it failed, there would be none.
        if build.entries.is_empty() {
            return Ok(None);
        }
        let facts = self.facts_mut();
        let place = facts.commands.get(&build.command).copied().unwrap_or(facts.builds.len());
        let text = history::built(&build, facts.builds.get(place).map(|earlier| &earlier.built));
        for entry in &build.entries {
            facts.built.insert(entry.clone(), place);
        }
        facts.commands.insert(build.command.clone(), place);
        match facts.builds.get_mut(place) {
            Some(earlier) => *earlier = build.into(),
            None => facts.builds.push(build.into()),
        }
        Ok(text)
    }

    fn settings(&mut self, settings: Settings) -> Result<String, String> {
        let text = history::settings(&settings);
        let Settings { name, limits, isolation, readable, ranking, repeat, rounds, shown, .. } = settings;
        let Settings { boards, entries, comment, problems, .. } = settings;
        check_repeat(repeat)?;
        let plan = &self.facts.plan;
        if limits.is_none() != plan.problems.are_named()
            || !plan.problems.iter().filter(|_| limits.is_none()).all(|problem| problems.contains_key(&problem.id))
        {
            return Err("the settings lack the limits of a problem".into());
        }
        check_ranking(&self.facts.plan, &ranking, &rounds)?;
        let facts = self.facts_mut();
        let plan = &mut facts.plan;
        (plan.name, plan.isolation, plan.readable) = (name, isolation, readable);
        for problem in plan.problems.iter_mut() {
            match (problems.get(&problem.id), limits) {
                (Some(own), _) => (problem.name, problem.limits) = (own.name.clone(), own.limits),
                (None, Some(limits)) => problem.limits = limits,
                (None, None) => {}
            }
        }
        (plan.ranking, plan.repeat, plan.rounds, plan.shown) = (ranking, repeat, rounds, shown);
        if comment.is_some() {
            facts.comment = comment;
        }
        self.names = Some(Arc::new((boards, entries)));
        self.plan_repeats()?;
        self.arrange();
        Ok(text)
    }

    /// Plans what the open round does not have yet: there were fewer repeats, or fewer entries and boards for games.
    fn plan_repeats(&mut self) -> Result<(), String> {
        let (plan, open) = (&self.facts.plan, self.facts.round());
        if let Some(rules) = &plan.match_rules {
            if open > 1 {
                // Its games follow from results.
                return Ok(());
            }
            if rules.called {
                return self.plan_called();
            }
        }
        let entries: Vec<Name> = match self.facts.rounds.last().filter(|_| open > 1) {
            Some(round) => round.entrants().into_iter().map(Name::from).collect(),
            None => plan.entries.iter().map(|entry| Name::from(&*entry.name)).collect(),
        };
        let order = plan.start_order_in(open, &entries);
        for key in &order {
            if self.index.planned(key).is_none() {
                self.plan_run(open, key.clone())?;
            }
        }
        if let Some(round) = self.facts_mut().rounds.last_mut() {
            round.order = order;
        }
        Ok(())
    }

    /// Opens a round as it is recorded, whatever the rules of today would open. Returns the records of games that count no more.
    fn round(&mut self, mut round: Round) -> Result<(String, Vec<Arc<Record>>), String> {
        let (plan, number, next) = (&self.facts.plan, round.number, self.facts.round() + 1);
        let again = plan.match_rules.is_some() && (1..next).contains(&number);
        if number != next && !again {
            return Err(format!("round {number} cannot follow round {}", next - 1));
        }
        let boards: HashSet<&str> = match plan.round_plan(number) {
            Some(round) => round.boards.iter().map(String::as_str).collect(),
            None if number == 1 => plan.boards.iter().map(|board| board.name.as_str()).collect(),
            None => HashSet::new(),
        };
        if let Some(RunKey { board, .. }) = round.order.iter().find(|key| !boards.contains(&*key.board)) {
            return Err(format!("round {number} has runs on {board}, which is not one of its boards"));
        }
        if let Some(unknown) = round.seeds.iter().find(|seed| !self.index.has_entry(seed)) {
            return Err(format!("unknown entry `{unknown}` has a seed in round {number}"));
        }
        if let Some(unknown) = round.aside.iter().find(|entry| !self.index.has_entry(entry)) {
            return Err(format!("unknown entry `{unknown}` does not count in round {number}"));
        }
        let mut once = HashSet::new();
        if plan.match_rules.is_some()
            && let Some(RunKey { entry, board, .. }) = round.order.iter().find(|key| !once.insert(*key))
        {
            return Err(format!("{entry} on {board} is planned twice in round {number}"));
        }
        // Games that fell with their round may follow again in a new one.
        let mut follows_again = again;
        for key in &round.order {
            if self.facts.plan.match_rules.is_some() && self.index.planned(key).is_some() {
                follows_again = true;
            } else {
                self.plan_run(number, key.clone())?;
            }
        }
        let unplanned = if again { self.unplanned(&round) } else { Vec::new() };
        let text = history::round(&round, again, unplanned.len());
        round.out = self.facts.out_of(&round);
        let facts = self.facts_mut();
        facts.rounds.retain(|known| known.number < number);
        facts.rounds.push(round);
        if follows_again {
            (self.changed, self.order) = (true, None);
        }
        Ok((text, unplanned))
    }

    /// The records that count now and are of this round without being in its order, or of a later one.
    fn unplanned(&mut self, round: &Round) -> Vec<Arc<Record>> {
        let (order, kept) = (self.order(), round.order.iter().collect::<HashSet<_>>());
        let falls = |slot: usize| {
            let key = self.key_of(slot);
            order.rank(slot).is_some()
                && (key.round > round.number || key.round == round.number && !kept.contains(&key))
        };
        let slots: Vec<usize> = (0..self.slots.len()).filter(|&slot| falls(slot)).collect();
        self.records(&slots)
    }

    fn run(&mut self, mut record: Record) -> Result<(), String> {
        let is_next = self.keys.get(self.next).is_some_and(|run| self.index.is(self.next, *run, &record.key));
        let Some(slot) = is_next.then_some(self.next).or_else(|| self.index.planned(&record.key)) else {
            let RunKey { entry, board, .. } = &record.key;
            return Err(format!("{entry} on {board} was run, but is not planned"));
        };
        self.next = slot + 1;
        let machines = self.facts.machines.len();
        if record.machine != 0 && record.machine as usize >= machines {
            return Err(format!("machine {} is named, but there are {machines}", record.machine));
        }
        record.key = self.key_of(slot);
        match self.isolation.as_ref().filter(|last| **last == record.isolation) {
            Some(last) => record.isolation = last.clone(),
            None => {
                match self.isolations.get(&record.isolation) {
                    Some(shared) => record.isolation = shared.clone(),
                    None => drop(Arc::make_mut(&mut self.isolations).insert(record.isolation.clone())),
                }
                self.isolation = Some(record.isolation.clone());
            }
        }
        let referee = self.facts.referee_of(&record.key.board);
        if record.referee.as_ref() == referee || (record.referee.is_none() && record.has_answer()) {
            record.referee = referee.cloned();
        }
        // Not its position: that changes for all runs when an entry is added.
        record.seq = slot + 1;
        let entry = self.keys.get(slot).map_or(0, |run| run.entry as usize);
        let compact = &mut self.compact;
        if let Some(kept) = self.slots.get_mut(slot) {
            kept.set(record, |record| match compact {
                None => Arc::new(record),
                Some(compact) => compact.keep((entry, slot), record),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod cost_tests;
