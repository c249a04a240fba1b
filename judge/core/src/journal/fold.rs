//! The fold: from the events of a journal to the contest at this moment.

use std::collections::hash_map::Entry as Slot;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use judge_job::{Isolation, Machine};

use super::event::{EntryAndReason, Hashes};
use super::{Build, Chain, FORMAT, Header, Line, ManualRuling, Name, Record, Round, RunKey};
use crate::date::Date;
use crate::plan::{Board, Entry, Plan};

/// A contest at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    /// The header, as the contest began; its order has moved to `order`.
    pub header: Header,
    /// The date when it began; `None` in older journals.
    pub begun: Option<Date>,
    /// Format of the lines that are written from now on.
    pub format: u32,
    /// The plan, with what was added and replaced.
    pub plan: Plan,
    /// All runs of all rounds in the order in which they are started.
    pub order: Vec<RunKey>,
    /// The record that counts of each run that has one, in the same order.
    pub records: Vec<Record>,
    /// The number of the last attempt at each run, in the same order; 0 if there was none.
    pub attempts: Vec<u32>,
    /// The machines that records refer to by index.
    pub machines: Vec<Machine>,
    /// The latest build of each command.
    pub builds: Vec<Build>,
    /// Hashes of the files that are executed for an entry, by entry.
    pub programs: BTreeMap<String, Hashes>,
    /// The entries that are withdrawn, with the reason.
    pub withdrawn: BTreeMap<String, String>,
    /// The rounds after the first, in their order.
    pub rounds: Vec<Round>,
    /// The hash chain of the journal's lines. That of an older format ends with the SHA-256 of all lines.
    pub chain: Chain,
    /// Bytes of an incomplete last line, which do not count; 0 if there is none.
    pub torn_bytes: u64,
}

impl Contents {
    /// The open round, from 1.
    pub fn round(&self) -> u32 {
        self.rounds.last().map_or(1, |round| round.number)
    }

    /// The runs that have no verdict of an entry and are still to be made, as indices into `order`. Runs of withdrawn
    /// entries and of rounds that are over are not among them.
    pub fn missing(&self) -> Vec<usize> {
        self.select(|record| record.is_none_or(Record::is_judge_error))
    }

    /// The runs of the open round whose record fits, as indices into `order`, without those of withdrawn entries.
    pub fn select(&self, fits: impl Fn(Option<&Record>) -> bool) -> Vec<usize> {
        let round = self.round();
        let mut records = self.records.iter().peekable();
        let mut selected = Vec::new();
        for (index, key) in self.order.iter().enumerate() {
            let record = records.next_if(|record| record.key == *key);
            if key.round == round && !self.withdrawn.contains_key(&*key.entry) && fits(record) {
                selected.push(index);
            }
        }
        selected
    }
}

/// A run by its round, the indices of its entry and board, and its repeat.
type ShortKey = (u32, u32, u32, u32);

/// Applies events one after the other.
pub struct Fold {
    contents: Contents,
    /// Index in the plan by name.
    entries: HashMap<Name, u32>,
    boards: HashMap<Name, u32>,
    /// Index in the order.
    runs: HashMap<ShortKey, usize>,
    /// The record that counts, by index in the order.
    records: Vec<Option<Record>>,
    isolations: HashSet<Arc<Isolation>>,
}

impl Fold {
    /// A contest that begins at that date. The error is a fragment, as of [`Self::apply`].
    pub fn begin(mut header: Header, at: Option<Date>) -> Result<Self, String> {
        let order = std::mem::take(&mut header.order);
        let mut fold = Self {
            entries: HashMap::new(),
            boards: HashMap::new(),
            runs: HashMap::with_capacity(order.len()),
            records: Vec::with_capacity(order.len()),
            isolations: HashSet::new(),
            contents: Contents {
                format: header.format,
                plan: header.plan.clone(),
                order: Vec::with_capacity(order.len()),
                records: Vec::new(),
                attempts: Vec::with_capacity(order.len()),
                machines: header.machine.iter().cloned().collect(),
                builds: Vec::new(),
                programs: header.programs.clone(),
                withdrawn: BTreeMap::new(),
                rounds: Vec::new(),
                chain: Chain::default(),
                torn_bytes: 0,
                begun: at,
                header,
            },
        };
        for (number, entry) in fold.contents.plan.entries.iter().enumerate() {
            add_name(&mut fold.entries, "entry", &entry.name, number)?;
        }
        for (number, board) in fold.contents.plan.boards.iter().enumerate() {
            add_name(&mut fold.boards, "board", &board.name, number)?;
        }
        order.into_iter().try_for_each(|key| fold.plan_run(1, key))?;
        Ok(fold)
    }

    /// Applies the next event, which happened at that date. The error says as a fragment why it cannot follow on those before; nothing has changed
    /// then.
    pub fn apply(&mut self, line: Line, at: Option<Date>) -> Result<(), String> {
        match line {
            Line::Contest(_) => Err("a second header".into()),
            Line::Machine(machine) => {
                self.contents.machines.push(*machine);
                Ok(())
            }
            Line::Build(build) => self.build(*build),
            Line::Entry(event) => self.entry(event.entry, event.programs),
            Line::Board(board) => self.board(*board),
            Line::Withdrawn(EntryAndReason { entry, reason }) => self.withdraw(entry, reason),
            Line::Restored(EntryAndReason { entry, .. }) => match self.contents.withdrawn.remove(&entry) {
                Some(_) => Ok(()),
                None => Err(format!("{entry} is restored, but was not withdrawn")),
            },
            Line::Ruling(ruling) => self.ruling(*ruling),
            Line::Round(round) => self.round(*round),
            Line::Run(record) => self.run(Record { at, ..*record }),
            Line::Format { format } if (self.contents.format + 1..=FORMAT).contains(&format) => {
                self.contents.format = format;
                Ok(())
            }
            Line::Format { format } => Err(format!("format {format} cannot follow {}", self.contents.format)),
        }
    }

    /// The contest after all events, with the end of their chain.
    pub fn finish(self, chain: Chain, torn_bytes: u64) -> Contents {
        let records = self.records.into_iter().flatten().collect();
        Contents { records, chain, torn_bytes, ..self.contents }
    }

    /// The key that identifies a run cheaply, and the run's names as all runs share them.
    fn identify(&self, key: &RunKey) -> Option<(ShortKey, RunKey)> {
        let (entry, &e) = self.entries.get_key_value(&*key.entry)?;
        let (board, &b) = self.boards.get_key_value(&*key.board)?;
        Some(((key.round, e, b, key.repeat), RunKey { entry: entry.clone(), board: board.clone(), ..*key }))
    }

    /// The run with that key, by its index in the order.
    fn planned(&self, key: &RunKey) -> Option<(usize, RunKey)> {
        let (short, key) = self.identify(key)?;
        Some((*self.runs.get(&short)?, key))
    }

    /// Puts a run behind all that are planned already.
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
        let Some((short, shared)) = self.identify(&key) else {
            return Err(format!("{entry} on {board} is planned, but the contest does not have both"));
        };
        match self.runs.entry(short) {
            Slot::Occupied(_) => return Err(format!("{entry} on {board} is planned twice in round {round}")),
            Slot::Vacant(slot) => slot.insert(self.contents.order.len()),
        };
        self.contents.order.push(shared);
        self.contents.attempts.push(0);
        self.records.push(None);
        Ok(())
    }

    fn build(&mut self, build: Build) -> Result<(), String> {
        if let Some(unknown) = build.entries.iter().find(|entry| !self.entries.contains_key(entry.as_str())) {
            return Err(format!("unknown entry `{unknown}` was built"));
        }
        let builds = &mut self.contents.builds;
        match builds.iter_mut().find(|earlier| earlier.command == build.command) {
            Some(earlier) => *earlier = build,
            None => builds.push(build),
        }
        Ok(())
    }

    fn entry(&mut self, entry: Entry, programs: Hashes) -> Result<(), String> {
        let name: Name = Arc::from(&*entry.name);
        if let Some(&known) = self.entries.get(&name) {
            let round = self.contents.round();
            for (key, record) in self.contents.order.iter().zip(&mut self.records) {
                if key.round == round && key.entry == name {
                    *record = None;
                }
            }
            self.contents.programs.insert(entry.name.clone(), programs);
            self.contents.plan.entries[known as usize] = entry;
            return Ok(());
        }
        self.refuse_after_round_1("entry", &name)?;
        add_name(&mut self.entries, "entry", &name, self.contents.plan.entries.len())?;
        self.contents.programs.insert(entry.name.clone(), programs);
        self.contents.plan.entries.push(entry);
        self.contents.plan.turns_of(&name).into_iter().try_for_each(|key| self.plan_run(1, key))
    }

    fn board(&mut self, board: Board) -> Result<(), String> {
        let name: Name = Arc::from(&*board.name);
        self.refuse_after_round_1("board", &name)?;
        let number = self.contents.plan.boards.len();
        add_name(&mut self.boards, "board", &name, number)?;
        self.contents.plan.boards.push(board);
        self.contents.plan.turns_on(number).into_iter().try_for_each(|key| self.plan_run(1, key))
    }

    fn refuse_after_round_1(&self, what: &str, name: &str) -> Result<(), String> {
        match self.contents.round() {
            1 => Ok(()),
            round => Err(format!("{what} {name} was added in round {round}; only round 1 takes new ones")),
        }
    }

    fn withdraw(&mut self, entry: String, reason: String) -> Result<(), String> {
        if !self.entries.contains_key(entry.as_str()) {
            return Err(format!("unknown entry `{entry}` was withdrawn"));
        }
        if self.contents.withdrawn.contains_key(&entry) {
            return Err(format!("{entry} was withdrawn twice"));
        }
        self.contents.withdrawn.insert(entry, reason);
        Ok(())
    }

    fn ruling(&mut self, ruling: ManualRuling) -> Result<(), String> {
        let ManualRuling { key, verdict, because } = ruling;
        let record = self.planned(&key).and_then(|(index, _)| self.records[index].as_mut());
        let Some(record) = record else {
            return Err(format!("a ruling on {} on {}, which has no record", key.entry, key.board));
        };
        record.verdict = verdict;
        record.ruling = Some(because);
        Ok(())
    }

    fn round(&mut self, round: Round) -> Result<(), String> {
        let next = self.contents.round() + 1;
        if round.number != next {
            return Err(format!("round {} cannot follow round {}", round.number, next - 1));
        }
        let mut seen = HashSet::new();
        for key in &round.order {
            let short = self.identify(key).map(|(short, _)| short);
            if key.round != next || short.is_none_or(|short| !seen.insert(short)) {
                let RunKey { round, entry, board, .. } = key;
                return Err(format!(
                    "{entry} on {board} cannot be planned for round {round} in the line of round {next}"
                ));
            }
        }
        round.order.iter().cloned().try_for_each(|key| self.plan_run(next, key))?;
        self.contents.rounds.push(round);
        Ok(())
    }

    fn run(&mut self, mut record: Record) -> Result<(), String> {
        let Some((index, key)) = self.planned(&record.key) else {
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
        let last = &mut self.contents.attempts[index];
        *last = record.attempt.max(*last);
        self.records[index] = Some(record);
        Ok(())
    }
}

/// Adds a name with its index. Names are parts of paths, so those that lead elsewhere are refused.
fn add_name(names: &mut HashMap<Name, u32>, what: &str, name: &str, index: usize) -> Result<(), String> {
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\0']) {
        return Err(format!("{what} name {name:?} is not usable"));
    }
    let index = u32::try_from(index).map_err(|_| format!("too many names of kind {what}"))?;
    match names.insert(Arc::from(name), index) {
        None => Ok(()),
        Some(_) => Err(format!("duplicate {what} name `{name}`")),
    }
}
