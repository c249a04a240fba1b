//! The fold: from the events of a journal to the contest at this moment.

mod arrange;
mod index;
mod program;

use std::collections::hash_map::Entry as MapEntry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use judge_job::Isolation;

use self::arrange::{CanonicalOrder, Slot, arrange, sort_by_names};
use self::index::{Index, add_name};
use super::event::{BoardAndReason, BoardEvent, EntryAndReason, EntryEvent, Settings};
use super::{
    Answer, Build, Chain, Contents, FORMAT, Header, HistoryEvent, Line, ManualRuling, REFEREE_PROGRAM, Record,
    RefereeEvent, Rejudged, Rejudgement, Round, RulingUndone, Version, history,
};
use crate::date::Date;
use crate::fingerprint::Hashes;
use crate::key::{Name, RunKey};
use crate::plan::{Plan, REPEATS};

/// Applies events one after the other.
pub struct Fold {
    contents: Contents,
    index: Index,
    /// Every run that is planned, as it came about.
    slots: Vec<Slot>,
    /// True if the plan has changed since the header, so that the order of runs follows from it anew.
    changed: bool,
    /// The order of boards and entries, by name, that the last settings ask for.
    order: Option<(Vec<String>, Vec<String>)>,
    isolations: HashSet<Arc<Isolation>>,
}

impl Fold {
    /// A contest that begins at that date. The error is a fragment, as of [`Self::apply`].
    ///
    /// # Errors
    ///
    /// The header contradicts itself.
    pub fn begin(mut header: Header, at: Option<Date>) -> Result<Self, String> {
        let order = std::mem::take(&mut header.order);
        let plan = &header.plan;
        let begun = history::begun(&plan.name, plan.entries.len(), plan.boards.len());
        let withdrawn = header.withdrawn.iter().map(|(entry, why)| history::withdrawn(entry, why));
        let struck = header.struck.iter().map(|(board, why)| history::struck(board, why));
        let sentences = std::iter::once(begun).chain(withdrawn).chain(struck);
        let history = sentences.map(|text| HistoryEvent { at, text, superseded: Vec::new() }).collect();
        let mut fold = Self {
            index: Index::default(),
            slots: Vec::with_capacity(order.len()),
            changed: false,
            order: None,
            isolations: HashSet::new(),
            contents: Contents {
                format: header.format,
                plan: header.plan.clone(),
                order: Vec::new(),
                records: Vec::new(),
                attempts: Vec::new(),
                machines: header.machine.iter().cloned().collect(),
                builds: Vec::new(),
                programs: header.programs.clone(),
                referee: None,
                versions: first_versions(&header, at),
                withdrawn: header.withdrawn.clone(),
                struck: header.struck.clone(),
                rounds: Vec::new(),
                history,
                chain: Chain::default(),
                torn_bytes: 0,
                begun: at,
                comment: header.comment.clone(),
                header,
            },
        };
        fold.contents.referee = fold.referee_hash();
        for (number, entry) in fold.contents.plan.entries.iter().enumerate() {
            add_name(&mut fold.index.entries, "entry", &entry.name, number)?;
        }
        for (number, board) in fold.contents.plan.boards.iter().enumerate() {
            add_name(&mut fold.index.boards, "board", &board.name, number)?;
        }
        let unknown = |names: &HashMap<Name, u32>, name: &String| !names.contains_key(name.as_str());
        if let Some(name) = fold.contents.withdrawn.keys().find(|name| unknown(&fold.index.entries, name)) {
            return Err(format!("unknown entry `{name}` is withdrawn"));
        }
        if let Some(name) = fold.contents.struck.keys().find(|name| unknown(&fold.index.boards, name)) {
            return Err(format!("unknown board `{name}` is struck"));
        }
        let reasons = fold.contents.withdrawn.values().map(|out| &out.reason).chain(fold.contents.struck.values());
        if reasons.clone().any(String::is_empty) {
            return Err("an entry is withdrawn or a board struck without a reason".into());
        }
        check_repeat(fold.contents.plan.repeat)?;
        order.into_iter().try_for_each(|key| fold.plan_run(1, key))?;
        Ok(fold)
    }

    /// Applies the next event, which happened at that date. The error says as a fragment why it cannot follow on those
    /// before; nothing has changed then.
    ///
    /// # Errors
    ///
    /// The event cannot follow on those before it.
    pub fn apply(&mut self, line: Line, at: Option<Date>) -> Result<(), String> {
        let (text, superseded) = match line {
            Line::Run(record) => return self.run(Record { at, ..*record }),
            Line::Rejudgement(rejudgement) => return self.rejudgement(*rejudgement, at),
            Line::Contest(_) => return Err("a second header".into()),
            Line::Machine(machine) => {
                self.contents.machines.push(*machine);
                return Ok(());
            }
            Line::Format { format } if (self.contents.format + 1..=FORMAT).contains(&format) => {
                self.contents.format = format;
                return Ok(());
            }
            Line::Format { format } => return Err(format!("format {format} cannot follow {}", self.contents.format)),
            Line::Build(build) => match self.build(*build)? {
                Some(text) => (text, Vec::new()),
                None => return Ok(()),
            },
            Line::Entry(event) => self.entry(*event, at)?,
            Line::Program(event) => (self.program(*event, at)?, Vec::new()),
            Line::Board(event) => self.board(*event)?,
            Line::Struck(event) => {
                let runs = self.records(|key| *key.board == *event.board);
                (self.strike(event)?, runs)
            }
            Line::Reinstated(event) => (self.reinstate(event)?, Vec::new()),
            Line::Withdrawn(event) => {
                let runs = self.records(|key| *key.entry == *event.entry);
                (self.withdraw(event)?, runs)
            }
            Line::Restored(event) => (self.restore(event)?, Vec::new()),
            Line::Settings(settings) => (self.settings(*settings)?, Vec::new()),
            Line::Ruling(ruling) => (self.ruling(*ruling)?, Vec::new()),
            Line::RulingUndone(undone) => (self.ruling_undone(&undone)?, Vec::new()),
            Line::Rejudged(rejudged) => (self.rejudged(*rejudged)?, Vec::new()),
            Line::Referee(event) => (self.referee(*event, at)?, Vec::new()),
            Line::Round(round) => (self.round(*round)?, Vec::new()),
        };
        self.contents.history.push(HistoryEvent { at, text, superseded });
        Ok(())
    }

    /// The format of the next line.
    pub fn format(&self) -> u32 {
        self.contents.format
    }

    /// The plan after the events so far.
    pub fn plan(&self) -> &Plan {
        &self.contents.plan
    }

    /// The contest after the events so far. That takes as long as reading all of them.
    pub fn so_far(&self) -> Contents {
        arrange(self.contents.clone(), self.slots.clone(), self.canonical_order())
    }

    /// The contest after all events, with the end of their chain.
    pub fn finish(self, chain: Chain, torn_bytes: u64) -> Contents {
        let order = self.canonical_order();
        Contents { chain, torn_bytes, ..arrange(self.contents, self.slots, order) }
    }

    /// The order of the slots that follows from the plan; `None` for that in which they came about.
    fn canonical_order(&self) -> Option<CanonicalOrder> {
        let (boards, entries) = self.order.clone().unwrap_or_default();
        if !self.changed {
            return None;
        }
        let mut plan = self.contents.plan.clone();
        sort_by_names(&mut plan.boards, &boards, |board| &board.name);
        sort_by_names(&mut plan.entries, &entries, |entry| &entry.name);
        let first = plan.turns();
        let later = self.contents.rounds.iter().flat_map(|round| &round.order);
        let slots = first.iter().chain(later).filter_map(|key| Some(self.index.planned(key)?.0)).collect();
        Some(CanonicalOrder { boards, entries, slots })
    }

    /// Plans a run.
    fn plan_run(&mut self, round: u32, key: RunKey) -> Result<(), String> {
        let RunKey { entry, board, .. } = &key;
        if key.round != round {
            return Err(format!("{entry} on {board} is planned for round {}, not for round {round}", key.round));
        }
        if !(1..=self.contents.plan.repeat).contains(&key.repeat) {
            return Err(format!(
                "repeat {} of {entry} on {board} is planned, of {}",
                key.repeat, self.contents.plan.repeat
            ));
        }
        let Some((short, shared)) = self.index.identify(&key) else {
            return Err(format!("{entry} on {board} is planned, but the contest does not have both"));
        };
        match self.index.places.entry(short) {
            MapEntry::Occupied(_) => return Err(format!("{entry} on {board} is planned twice in round {round}")),
            MapEntry::Vacant(vacant) => vacant.insert(self.slots.len()),
        };
        self.slots.push(Slot::new(shared));
        Ok(())
    }

    /// The records that fit, as they are now.
    fn records(&self, fits: impl Fn(&RunKey) -> bool) -> Vec<Record> {
        self.slots.iter().filter(|slot| fits(&slot.key)).filter_map(|slot| slot.record.clone()).collect()
    }

    /// Takes the records of the open round that fit: they do not count any more.
    fn supersede(&mut self, fits: impl Fn(&RunKey) -> bool) -> Vec<Record> {
        let round = self.contents.round();
        let slots = self.slots.iter_mut().filter(|slot| slot.key.round == round && fits(&slot.key));
        let taken = slots.filter_map(|slot| {
            slot.before_rulings.clear();
            slot.record.take()
        });
        taken.collect()
    }

    fn build(&mut self, build: Build) -> Result<Option<String>, String> {
        if let Some(unknown) = build.entries.iter().find(|entry| !self.index.entries.contains_key(entry.as_str())) {
            return Err(format!("unknown entry `{unknown}` was built"));
        }
        // No run depends on it: if it failed, there would be none.
        if build.entries.is_empty() {
            return Ok(None);
        }
        let builds = &mut self.contents.builds;
        let earlier = builds.iter_mut().find(|earlier| earlier.command == build.command);
        let text = history::built(&build, earlier.as_ref().map(|earlier| &earlier.built));
        match earlier {
            Some(earlier) => *earlier = build,
            None => builds.push(build),
        }
        Ok(text)
    }

    fn entry(&mut self, event: EntryEvent, at: Option<Date>) -> Result<(String, Vec<Record>), String> {
        let EntryEvent { entry, programs, kept, keeps_runs, reason } = event;
        let name: Name = Arc::from(&*entry.name);
        let known = self.index.entries.get(&name).copied();
        let text = history::entry(&name, known.is_none(), keeps_runs, reason.as_deref());
        let version = Version { at, command: entry.command.clone(), programs: programs.clone(), kept };
        if let Some(known) = known {
            let superseded = if keeps_runs { Vec::new() } else { self.supersede(|key| key.entry == name) };
            if !keeps_runs {
                self.contents.versions.entry(entry.name.clone()).or_default().push(version);
            }
            self.contents.programs.insert(entry.name.clone(), programs);
            self.contents.plan.entries[known as usize] = entry;
            return Ok((text, superseded));
        }
        self.refuse_after_round_1("entry", &name)?;
        add_name(&mut self.index.entries, "entry", &name, self.contents.plan.entries.len())?;
        self.changed = true;
        self.contents.versions.entry(entry.name.clone()).or_default().push(version);
        self.contents.programs.insert(entry.name.clone(), programs);
        self.contents.plan.entries.push(entry);
        let turns = self.contents.plan.turns_in(1, std::slice::from_ref(&name));
        turns.into_iter().try_for_each(|key| self.plan_run(1, key))?;
        Ok((text, Vec::new()))
    }

    fn board(&mut self, event: BoardEvent) -> Result<(String, Vec<Record>), String> {
        let BoardEvent { board, reason } = event;
        let name: Name = Arc::from(&*board.name);
        let (open, round) = (self.contents.round(), self.contents.plan.round_of(&name));
        if let Some(&known) = self.index.boards.get(&name) {
            let known = known as usize;
            let same = self.contents.plan.boards[known].is_judged_like(&board);
            if !same && round < open {
                return Err(format!("board {name} was replaced, but its round {round} is over"));
            }
            let superseded = if same { Vec::new() } else { self.supersede(|key| key.board == name) };
            self.contents.plan.boards[known] = board;
            return Ok((history::board(&name, false, same, reason.as_deref()), superseded));
        }
        if round <= open {
            self.refuse_after_round_1("board", &name)?;
        }
        add_name(&mut self.index.boards, "board", &name, self.contents.plan.boards.len())?;
        self.changed = true;
        self.contents.plan.boards.push(board);
        if round == open {
            let entries: Vec<Name> = self.contents.plan.entries.iter().map(|entry| Arc::from(&*entry.name)).collect();
            let repeats = 1..=self.contents.plan.repeat;
            let keys = entries.into_iter().flat_map(|entry| {
                let name = &name;
                repeats.clone().map(move |repeat| RunKey { repeat, ..RunKey::new(round, entry.clone(), name.clone()) })
            });
            keys.collect::<Vec<_>>().into_iter().try_for_each(|key| self.plan_run(round, key))?;
        }
        Ok((history::board(&name, true, false, reason.as_deref()), Vec::new()))
    }

    fn refuse_after_round_1(&self, what: &str, name: &str) -> Result<(), String> {
        match self.contents.round() {
            1 => Ok(()),
            round => Err(format!("{what} {name} was added in round {round}; only round 1 takes new ones")),
        }
    }

    fn strike(&mut self, event: BoardAndReason) -> Result<String, String> {
        let BoardAndReason { board, reason } = event;
        if !self.index.boards.contains_key(board.as_str()) {
            return Err(format!("unknown board `{board}` was struck"));
        }
        if reason.is_empty() {
            return Err(format!("board {board} was struck without a reason"));
        }
        if self.contents.struck.get(&board) == Some(&reason) {
            return Err(format!("board {board} was struck twice"));
        }
        let text = history::struck(&board, &reason);
        self.contents.struck.insert(board, reason);
        Ok(text)
    }

    fn reinstate(&mut self, event: BoardAndReason) -> Result<String, String> {
        let BoardAndReason { board, reason } = event;
        match self.contents.struck.remove(&board) {
            Some(_) => Ok(history::reinstated(&board, &reason)),
            None => Err(format!("board {board} is reinstated, but was not struck")),
        }
    }

    fn withdraw(&mut self, event: EntryAndReason) -> Result<String, String> {
        let EntryAndReason { entry, withdrawal } = event;
        if !self.index.entries.contains_key(entry.as_str()) {
            return Err(format!("unknown entry `{entry}` was {}", withdrawal.word()));
        }
        if withdrawal.reason.is_empty() {
            return Err(format!("{entry} was {} without a reason", withdrawal.word()));
        }
        if self.contents.withdrawn.get(&entry) == Some(&withdrawal) {
            return Err(format!("{entry} was {} twice", withdrawal.word()));
        }
        let text = history::withdrawn(&entry, &withdrawal);
        self.contents.withdrawn.insert(entry, withdrawal);
        Ok(text)
    }

    fn restore(&mut self, event: EntryAndReason) -> Result<String, String> {
        let EntryAndReason { entry, withdrawal } = event;
        match self.contents.withdrawn.remove(&entry) {
            Some(_) => Ok(history::restored(&entry, &withdrawal.reason)),
            None => Err(format!("{entry} is restored, but was not withdrawn")),
        }
    }

    fn settings(&mut self, settings: Settings) -> Result<String, String> {
        let text = history::settings(&settings);
        let Settings { name, limits, isolation, readable, ranking, repeat, rounds, shown, .. } = settings;
        let Settings { boards, entries, comment, .. } = settings;
        check_repeat(repeat)?;
        let plan = &mut self.contents.plan;
        (plan.name, plan.limits, plan.isolation, plan.readable) = (name, limits, isolation, readable);
        (plan.ranking, plan.repeat, plan.rounds, plan.shown) = (ranking, repeat, rounds, shown);
        if comment.is_some() {
            self.contents.comment = comment;
        }
        self.order = Some((boards, entries));
        self.changed = true;
        self.plan_repeats()?;
        Ok(text)
    }

    /// Plans what the open round does not have yet because there were fewer repeats.
    fn plan_repeats(&mut self) -> Result<(), String> {
        let (plan, open) = (&self.contents.plan, self.contents.round());
        let entries: Vec<Name> = match self.contents.rounds.last() {
            Some(round) => round.entrants().into_iter().map(Name::from).collect(),
            None => plan.entries.iter().map(|entry| Name::from(&*entry.name)).collect(),
        };
        let order = plan.turns_in(open, &entries);
        for key in &order {
            if self.index.planned(key).is_none() {
                self.plan_run(open, key.clone())?;
            }
        }
        if let Some(round) = self.contents.rounds.last_mut() {
            round.order = order;
        }
        Ok(())
    }

    fn ruling(&mut self, ruling: ManualRuling) -> Result<String, String> {
        let text = history::ruling(&ruling);
        let ManualRuling { key, verdict, because, by } = ruling;
        let slot = self.index.planned(&key).map(|(place, _)| &mut self.slots[place]);
        let Some((record, before)) = slot.and_then(|slot| Some((slot.record.as_mut()?, &mut slot.before_rulings)))
        else {
            return Err(format!("a ruling on {} on {}, which has no record", key.entry, key.board));
        };
        let said = std::mem::replace(&mut record.verdict, verdict);
        before.push((said, record.ruling.replace(because), std::mem::replace(&mut record.ruled_by, by)));
        Ok(text)
    }

    /// Takes back the last ruling by hand on a run: its record says again what it said before.
    fn ruling_undone(&mut self, undone: &RulingUndone) -> Result<String, String> {
        let RulingUndone { key, .. } = undone;
        let slot = self.index.planned(key).map(|(place, _)| &mut self.slots[place]);
        let last = slot.and_then(|slot| Some((slot.record.as_mut()?, slot.before_rulings.pop()?)));
        let Some((record, (verdict, ruling, by))) = last else {
            return Err(format!("a ruling on {} on {} was taken back, but there is none", key.entry, key.board));
        };
        (record.verdict, record.ruling, record.ruled_by) = (verdict, ruling, by);
        Ok(history::ruling_undone(undone, &record.verdict))
    }

    /// The run whose attempt it is, which was refereed again.
    fn answered(&mut self, key: &RunKey, attempt: u32) -> Result<&mut Slot, String> {
        let slot = self.index.planned(key).map(|(place, _)| &mut self.slots[place]);
        let slot = slot.filter(|slot| slot.record.as_ref().is_some_and(|record| record.attempt == attempt));
        let RunKey { entry, board, .. } = key;
        slot.ok_or_else(|| {
            format!("attempt {attempt} of {entry} on {board} was refereed again, but its record is missing")
        })
    }

    fn rejudged(&mut self, rejudged: Rejudged) -> Result<String, String> {
        let Rejudged { key, attempt, verdict, final_board, notes, output } = rejudged;
        let by = self.contents.referee.clone();
        let Slot { record, before_rulings, .. } = self.answered(&key, attempt)?;
        let record = record.as_mut().expect("a run that was answered has a record");
        let text = history::rejudged(&key, &record.verdict, &verdict);
        (record.verdict, record.final_board, record.notes) = (verdict, final_board, notes);
        (record.ruling, record.ruled_by, record.referee) = (None, None, by);
        before_rulings.clear();
        if output.is_some() {
            record.output = output;
        }
        Ok(text)
    }

    /// Applies everything that was refereed again together, or nothing.
    fn rejudgement(&mut self, rejudgement: Rejudgement, at: Option<Date>) -> Result<(), String> {
        let Rejudgement { referee, by, changed, confirmed } = rejudgement;
        let answers = changed.iter().map(|rejudged| (&rejudged.key, rejudged.attempt));
        for (key, attempt) in answers.chain(confirmed.iter().map(|answer| (&answer.key, answer.attempt))) {
            self.answered(key, attempt)?;
        }
        let mut texts = Vec::new();
        if let Some(event) = referee {
            texts.push(self.referee(*event, at)?);
        }
        if by.is_some() {
            self.contents.referee = by;
        }
        texts.extend(history::confirmed(confirmed.len()));
        for Answer { key, attempt } in confirmed {
            let by = self.contents.referee.clone();
            if let Some(record) = &mut self.answered(&key, attempt)?.record {
                record.referee = by;
            }
        }
        for rejudged in changed {
            texts.push(self.rejudged(rejudged)?);
        }
        let events = texts.into_iter().map(|text| HistoryEvent { at, text, superseded: Vec::new() });
        self.contents.history.extend(events);
        Ok(())
    }

    fn referee(&mut self, event: RefereeEvent, at: Option<Date>) -> Result<String, String> {
        let Some(referee) = &mut self.contents.plan.referee else {
            return Err("a referee was defined for a built-in game".into());
        };
        let same = **referee == event.referee;
        let (command, programs) = (event.referee.command.clone(), event.programs.clone());
        let version = Version { at, command, programs, kept: event.kept };
        self.contents.versions.entry(REFEREE_PROGRAM.into()).or_default().push(version);
        **referee = event.referee;
        self.contents.header.plan.referee.clone_from(&self.contents.plan.referee);
        self.contents.programs.insert(REFEREE_PROGRAM.into(), event.programs);
        self.contents.referee = self.referee_hash();
        let what = if same { "program" } else { "definition" };
        Ok(format!("The {what} of the referee changes."))
    }

    /// The hash of the contest's referee, if it is a program.
    fn referee_hash(&self) -> Option<Name> {
        let Contents { plan, programs, .. } = &self.contents;
        let none = Hashes::new();
        let programs = programs.get(REFEREE_PROGRAM).unwrap_or(&none);
        plan.referee.as_ref().map(|referee| Name::from(referee.hash(programs)))
    }

    /// Opens a round as it is recorded, whatever the rules of today would open.
    fn round(&mut self, round: Round) -> Result<String, String> {
        let next = self.contents.round() + 1;
        if round.number != next {
            return Err(format!("round {} cannot follow round {}", round.number, next - 1));
        }
        let boards = self.contents.plan.round_plan(next).map(|plan| plan.boards.iter().map(String::as_str).collect());
        let boards: HashSet<&str> = boards.unwrap_or_default();
        if let Some(RunKey { board, .. }) = round.order.iter().find(|key| !boards.contains(&*key.board)) {
            return Err(format!("round {next} has runs on {board}, which is not one of its boards"));
        }
        let text = history::round(&round);
        round.order.iter().cloned().try_for_each(|key| self.plan_run(next, key))?;
        self.contents.rounds.push(round);
        Ok(text)
    }

    fn run(&mut self, mut record: Record) -> Result<(), String> {
        let Some((place, key)) = self.index.planned(&record.key) else {
            let RunKey { entry, board, .. } = &record.key;
            return Err(format!("{entry} on {board} was run, but is not planned"));
        };
        let machines = self.contents.machines.len();
        if record.machine != 0 && record.machine as usize >= machines {
            return Err(format!("machine {} is named, but there are {machines}", record.machine));
        }
        record.key = key;
        record.of_format_2 = self.contents.format == 2;
        match self.isolations.get(&record.isolation) {
            Some(shared) => record.isolation = shared.clone(),
            None => drop(self.isolations.insert(record.isolation.clone())),
        }
        let referee = &self.contents.referee;
        if record.referee == *referee || (record.referee.is_none() && record.has_answer()) {
            record.referee.clone_from(referee);
        }
        self.slots[place].set(record);
        Ok(())
    }
}

/// The first versions of all programs.
fn first_versions(header: &Header, at: Option<Date>) -> BTreeMap<String, Vec<Version>> {
    let entries = header.plan.entries.iter().map(|entry| (entry.name.as_str(), &entry.command));
    let referee = header.plan.referee.iter().map(|referee| (REFEREE_PROGRAM, &referee.command));
    let version = |(name, command): (&str, &Vec<String>)| {
        let programs = header.programs.get(name).cloned().unwrap_or_default();
        let kept = header.kept.get(name).cloned().unwrap_or_default();
        (name.to_owned(), vec![Version { at, command: command.clone(), programs, kept }])
    };
    entries.chain(referee).map(version).collect()
}

fn check_repeat(repeat: u32) -> Result<(), String> {
    if REPEATS.contains(&repeat) {
        Ok(())
    } else {
        Err(format!("repeat is {repeat}; it must be 1 to {}", REPEATS.end()))
    }
}
