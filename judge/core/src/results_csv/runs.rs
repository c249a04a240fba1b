//! The CSV file with one row per run: `results.csv` of `judge run`, with everything needed to rank it again.

mod row;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{self, Read, Write};
use std::sync::Arc;

use csv::StringRecord;

use self::row::{RunRow, Shared, bad_field};
use super::lines::Lines;
use super::spreadsheet::Text;
use super::table::SEPARATOR;
use super::{check_size, next_record, parse_yes_or_no, yes_or_no};
use crate::figure::{Better, Figure, FigureName, Figures, MAX_FIGURES};
use crate::journal::{CompactRecords, ContestMetadata, ContestState, Record};
use crate::key::{Name, RunKey};
use crate::plan::{MAX_ROUNDS, RankKey};
use crate::points::Points;
use crate::results::{
    BoardHead, Cells, MixedHardware, Results, RoundHead, RowRuns, TableRun, machine_of, model_of, run_name,
};
use crate::score::{EntryHead, Participants};
use crate::scoring::Scoring;
use crate::withdrawal::Withdrawal;

/// The verdict of a planned run without a record.
pub const MISSING: &str = "missing";
/// The declaration of a contest in which answers are accepted or not.
pub const NO_FIGURES: &str = r#"{"figures":[]}"#;

/// Writes a row for every planned run, by entry in the order of the contest file. A run without a record is [`MISSING`], so that
/// a table made from the rows has all entries, boards and rounds of the contest.
///
/// # Errors
///
/// The error of `out`.
#[allow(clippy::missing_panics_doc, reason = "plain data has a JSON form")]
pub fn write(contents: &ContestState, out: impl Write) -> io::Result<()> {
    let ContestMetadata { plan, withdrawn, struck, machines, .. } = &**contents;
    let mut writer = csv::Writer::from_writer(out);
    let entries: HashMap<&str, usize> = plan.entries.iter().map(|entry| &*entry.name).zip(0..).collect();
    let boards: HashMap<&str, usize> = plan.boards.iter().map(|board| &*board.name).zip(0..).collect();
    let games = games(contents);
    let of_teams = plan.entries.iter().any(|entry| entry.team.is_some());
    let planned = contents.order().iter().enumerate().map(|(index, key)| (key, index, contents.records.by_run(index)));
    let runs: Vec<(&RunKey, usize, Option<&Record>)> = match &games {
        None => planned.collect(),
        Some(cells) => cells.iter().zip(0..).map(|((key, record), index)| (key, index, record.as_ref())).collect(),
    };
    let mut runs: Vec<_> = runs.into_iter().map(|run| (entries[&*run.0.entry], boards[&*run.0.board], run)).collect();
    let ranking = RankKey::listed(&plan.ranking);
    let declared =
        plan.scoring.as_ref().map(|scoring| serde_json::to_string(scoring).expect("plain data has a JSON form"));
    let scoring = declared.or_else(|| plan.figures().accepts().then(|| NO_FIGURES.into()));
    runs.sort_by_key(|&(entry, board, (key, ..))| (entry, board, key.round, key.repeat));
    let out = |entry: &String, disqualified: bool| {
        let withdrawal = withdrawn.get(entry).filter(|withdrawal| withdrawal.disqualified == disqualified);
        withdrawal.map(|withdrawal| Text::from(withdrawal.reason.as_str()))
    };
    for (entry, board, (key, index, run)) in runs {
        let (entry, board) = (&plan.entries[entry], &plan.boards[board]);
        let machine = run.filter(|run| run.wall_us.is_some()).and_then(|run| machines.get(machine_of(run)));
        let row = RunRow {
            node: machine.and_then(|machine| machine.node.as_deref()).map(Text::from),
            model: machine.and_then(model_of).map(Text::from),
            contest: Some(plan.name.as_str().into()),
            game: Some(plan.problem_of(&board.name).game.as_str().into()),
            author: entry.author.as_deref().map(Text::from),
            competing: Some(yes_or_no(entry.competing).into()),
            reconstruction: Some(yes_or_no(board.reconstruction).into()),
            withdrawn: out(&entry.name, false),
            disqualified: out(&entry.name, true),
            struck: struck.get(&board.name).map(|why| why.as_str().into()),
            round_name: plan.round_plan(key.round).map(|round| round.name.as_str().into()),
            date: run.and_then(|run| run.at).map(|at| at.to_string().into()),
            ranking: Some(ranking.as_str().into()),
            group: board.group.as_deref().map(Text::from),
            // Only a contest of several problems has this column.
            problems: plan.problems.are_named().then(|| entry.problems.join(SEPARATOR).into()),
            // All rows have the same columns.
            team: of_teams.then(|| entry.team.as_deref().unwrap_or_default().into()),
            scoring: scoring.as_deref().map(Text::from),
            seq: run.map(|_| index + 1),
            size: run.and(entry.size),
            ..run.map_or_else(|| RunRow::missing(key), RunRow::from_run)
        };
        writer.serialize(row)?;
    }
    writer.flush()?;
    Ok(())
}

/// The games of each entry on each board of the opened rounds, as the record of one run; `None` as the record while a game is
/// missing. The result is `None` for a contest without matches.
fn games(contents: &ContestState) -> Option<Vec<(RunKey, Option<Record>)>> {
    let ContestMetadata { plan, .. } = &**contents;
    // A contest of matches has one problem.
    let limit_ms = plan.match_rules.as_ref()?.seat_ms(&plan.problems.only().limits);
    let cells = Cells::of_contest(contents)?;
    let isolation = contents.records.first().map(|record| record.isolation.clone());
    let boards = plan.boards.iter().zip(plan.rounds_of_boards()).filter(|(_, round)| *round <= contents.round());
    let boards: Vec<_> = boards.map(|(board, round)| (Name::from(&*board.name), round)).collect();
    let entries = plan.entries.iter().map(|entry| Name::from(&*entry.name));
    let rows = entries.flat_map(|entry| {
        let cells = &cells;
        let isolation = &isolation;
        boards.iter().filter_map(move |(board, round)| {
            let key = RunKey::new(*round, entry.clone(), board.clone());
            let took_part =
                *round == 1 || contents.rounds.iter().any(|of| of.number == *round && of.entrants().contains(&&*entry));
            let verdict = cells.verdict(&entry, board).cloned();
            let record = |(verdict, isolation)| Record::without_run(1, key.clone(), 1, verdict, limit_ms, isolation);
            took_part.then(|| (key.clone(), verdict.zip(isolation.clone()).map(record)))
        })
    });
    Some(rows.collect())
}

/// The columns of a foreign file that can be figures: those with only numbers. Their better direction is unknown, unless they are
/// the figures of moves.
struct FigureColumns(Vec<FigureColumn>);

struct FigureColumn {
    at: usize,
    name: FigureName,
    /// The most decimals in the column; `None` before the first number.
    decimals: Option<u8>,
}

impl FigureColumns {
    /// The columns of a file; empty if one column contains all figures.
    fn of(headers: &StringRecord) -> Result<Self, String> {
        let known = RunRow::columns();
        let has = |name: &str| headers.iter().any(|header| header == name);
        if has(&FigureName::PROGRESS) && has("of") {
            return Err("line 1: the column of is called full now: what the first figure must reach".into());
        }
        if has("judged_by") {
            return Err(format!(
                "line 1: the column judged_by is gone: acceptance is {NO_FIGURES} in the column scoring"
            ));
        }
        let column = |(at, header): (usize, &str)| {
            let name = FigureName::parse(header).ok().filter(|_| Figure::reserved(header).is_none())?;
            (!known.iter().any(|known| known == header)).then_some(FigureColumn { at, name, decimals: None })
        };
        Ok(Self(headers.iter().enumerate().filter(|_| !has("figures")).filter_map(column).collect()))
    }

    /// The figures of a record. A column with another text is not a figure, unless the contest has a figure of that name.
    fn figures(&mut self, record: &StringRecord, scoring: &Scoring) -> Result<Figures, String> {
        let mut given: Vec<(FigureName, Points)> = Vec::new();
        let mut fault: Option<String> = None;
        self.0.retain_mut(|FigureColumn { at, name, decimals }| {
            let text = record.get(*at).unwrap_or_default();
            match text.parse::<Points>() {
                Ok(value) => {
                    *decimals = Some(decimals.unwrap_or(0).max(value.decimals()));
                    given.push((*name, value));
                }
                Err(_) if text.is_empty() => {}
                Err(_) if scoring.figure(name).is_none() => return false,
                Err(error) => drop(fault.get_or_insert_with(|| format!("column {name}: {error}"))),
            }
            true
        });
        fault.map_or_else(|| Ok(given.into_iter().collect()), Err)
    }

    /// The declaration that follows from the columns; `None` if they are the figures of moves. Two columns of the same name are
    /// an error.
    fn scoring(self) -> Result<Option<Scoring>, String> {
        let mut figures: Vec<Figure> = Vec::new();
        for FigureColumn { name, decimals, .. } in self.0 {
            let Some(decimals) = decimals.filter(|_| figures.len() < MAX_FIGURES) else { continue };
            if figures.iter().any(|figure| figure.name == name) {
                return Err(format!("line 1: the column {name} is there twice"));
            }
            figures.push(Figure::new(name, Better::Neither, decimals));
        }
        let of_moves = figures.iter().any(|figure| figure.name == FigureName::PROGRESS);
        Ok((!figures.is_empty() && !of_moves).then(|| Scoring::from_figures(figures)))
    }
}

/// A run from the file.
struct ReadRun {
    number: usize,
    repeat: u32,
    /// Size of its entry in bytes.
    size: Option<u64>,
    /// The members that runs have in common.
    kind: Arc<Record>,
}

/// Reads rows. Entries and boards are in the order in which they first appear. The error contains the line.
pub(super) fn read(reader: &mut csv::Reader<Lines<impl Read>>, headers: &StringRecord) -> Result<Results, String> {
    let mut results = Results::of_file(Arc::new(Scoring::of_game("")));
    let mut declared: Option<Arc<Scoring>> = None;
    let mut entries: Vec<EntryHead> = Vec::new();
    let (mut entry_names, mut board_names): (HashMap<String, usize>, HashMap<String, usize>) = Default::default();
    let mut isolation: BTreeSet<String> = BTreeSet::new();
    let mut rows: Vec<RowRuns<ReadRun>> = Vec::new();
    // Any row may contain the declaration of the contest, so millions of runs wait for the end of the file.
    let (mut compact, mut read) = (CompactRecords::default(), 0);
    // Runs without a result, by entry, board and repeat.
    let mut missing: HashSet<(usize, usize, u32)> = HashSet::new();
    // Runs on each board by the model of their machine.
    let mut models: Vec<BTreeMap<String, usize>> = Vec::new();
    let mut shared = Shared::default();
    let mut took_part = Participants::new();
    let mut round_names: BTreeMap<u32, String> = BTreeMap::new();
    let mut ranking: Option<String> = None;
    // The games, one per problem.
    let mut games: Vec<String> = Vec::new();
    let mut columns = FigureColumns::of(headers)?;
    let mut record = StringRecord::new();
    while let Some(line) = next_record(reader, &mut record)? {
        let at_line = |reason: String| format!("line {line}: {reason}");
        let row: RunRow<'_> =
            record.deserialize(Some(headers)).map_err(|error| at_line(bad_field(&error, headers, &record)))?;
        let (entry, new) = number(&mut entry_names, &row.entry);
        if new {
            let competing = parse_yes_or_no(row.competing.as_deref().unwrap_or("yes"))
                .map_err(|reason| at_line(format!("competing: {reason}")))?;
            let author = row.author.as_deref().map(str::to_owned);
            let problems = row.problems.as_deref().into_iter().flat_map(|ids| ids.split(SEPARATOR));
            let problems = problems.filter(|id| !id.is_empty()).map(str::to_owned).collect();
            let withdrawn = Withdrawal::from_keys(row.withdrawn.as_deref(), row.disqualified.as_deref());
            let team = row.team.as_deref().filter(|team| !team.is_empty()).map(str::to_owned);
            entries.push(EntryHead { author, competing, withdrawn, problems, team, ..EntryHead::new(&*row.entry) });
            rows.push(RowRuns::default());
        }
        let round = row.round.unwrap_or(1);
        if !(1..=MAX_ROUNDS).contains(&round) {
            return Err(at_line(format!("round {round} is not one of 1 to {MAX_ROUNDS}")));
        }
        // Each row names its contest, even a row that does not count.
        let changed = |old: &Option<String>, new: &Option<Text<'_>>| new.is_some() && old.as_deref() != new.as_deref();
        if let Some(game) = row.game.as_deref().filter(|game| !games.iter().any(|known| known == game)) {
            if declared.is_none() {
                results.scoring = Arc::new(Scoring::of_game(game));
            }
            games.push(game.to_owned());
        }
        if let Some(json) = row.scoring.as_deref().filter(|_| declared.is_none()) {
            let scoring = serde_json::from_str(json).map_err(|error| at_line(format!("scoring: {error}")))?;
            declared = Some(Arc::new(scoring));
            results.scoring = declared.clone().unwrap_or(results.scoring);
        }
        let run = row.run(columns.figures(&record, &results.scoring), &mut shared).map_err(at_line)?;
        if changed(&results.contest, &row.contest) {
            results.contest = row.contest.as_deref().map(str::to_owned);
        }
        results.limit_ms = row.limit_ms.or(results.limit_ms);
        if ranking.is_none()
            && let Some(list) = row.ranking.as_deref()
        {
            RankKey::read_list(list, &results.scoring)
                .map_err(|reason| at_line(format!("column ranking: {reason}")))?;
            ranking = Some(list.to_owned());
        }
        if let Some(why) = row.struck.as_deref() {
            // The runs of a struck board do not count. The results contain the reason.
            let sentence = format!("board {} is struck and does not count: {why}", row.board);
            if !results.absent.contains(&sentence) {
                results.absent.push(sentence);
            }
            continue;
        }
        let (board, new) = number(&mut board_names, &row.board);
        if new {
            let reconstruction = parse_yes_or_no(row.reconstruction.as_deref().unwrap_or("no"))
                .map_err(|reason| at_line(format!("reconstruction: {reason}")))?;
            let group = row.group.as_deref().map(Name::from);
            let head = BoardHead { reconstruction, round, group, ..BoardHead::named(&*row.board) };
            head.check_column().map_err(at_line)?;
            results.boards.push(head);
            models.push(BTreeMap::new());
        }
        if results.boards[board].round != round {
            let first = results.boards[board].round;
            return Err(at_line(format!("board {} is in round {round}, but was in round {first} before", row.board)));
        }
        let in_round = took_part.entry(round).or_default();
        if !in_round.contains(&*row.entry) {
            in_round.insert(Name::from(&*row.entry));
        }
        if let Some(name) = row.round_name.as_deref() {
            round_names.insert(round, name.to_owned());
        }
        let repeat = row.repeat.unwrap_or(1);
        // Every planned run has a row.
        results.repeat = results.repeat.max(repeat);
        // A file whose runs share no entry and no board would need a table far larger than the file.
        check_size(entries.len(), results.boards.len())?;
        if missing.contains(&(entry, board, repeat)) || rows[entry].has(board, repeat) {
            let name = run_name(&row.entry, &row.board, repeat);
            return Err(at_line(format!("duplicate run of {name}")));
        }
        if let Some(kind) = row.isolation.as_deref().filter(|kind| !isolation.contains(*kind)) {
            isolation.insert(kind.to_owned());
        }
        if let Some(model) = row.model.as_deref().filter(|_| run.as_ref().is_some_and(|run| run.wall_us.is_some())) {
            match models[board].get_mut(model) {
                Some(runs) => *runs += 1,
                None => drop(models[board].insert(model.to_owned(), 1)),
            }
        }
        match run {
            Some(run) => {
                rows[entry].put(
                    board,
                    repeat,
                    ReadRun { number: read, repeat, size: row.size, kind: compact.keep((entry, read), run) },
                );
                read += 1;
            }
            None => drop(missing.insert((entry, board, repeat))),
        }
    }
    let undeclared = columns.scoring()?.filter(|_| declared.is_none());
    // Without a list, the usual one decides, unless the better direction of figures is unknown.
    let usual = || if undeclared.is_some() { Vec::new() } else { RankKey::usual(&results.scoring) };
    let listed = ranking.and_then(|list| RankKey::read_list(&list, &results.scoring).ok());
    results.ranking = listed.filter(|order| !order.is_empty()).unwrap_or_else(usual);
    results.scoring = undeclared.map_or(results.scoring, Arc::new);
    results.isolation = isolation.into_iter().collect();
    results.game = (!games.is_empty()).then(|| games.join(", "));
    let of_boards = results.boards.iter().zip(&models);
    results.unlike = MixedHardware::from_runs(
        of_boards.flat_map(|(board, models)| models.iter().map(|(model, runs)| (&*board.name, &**model, *runs))),
    );
    if !results.boards.is_sorted_by_key(|board| board.round) {
        let mut order: Vec<usize> = (0..results.boards.len()).collect();
        order.sort_by_key(|&board| results.boards[board].round);
        let mut to = vec![0; order.len()];
        order.into_iter().zip(0..).for_each(|(board, column)| to[board] = column);
        rows = rows.into_iter().map(|row| row.arranged(&to)).collect();
        results.boards.sort_by_key(|board| board.round);
    }
    results.rounds = RoundHead::numbered(took_part.keys().copied().max().unwrap_or(1));
    for round in &mut results.rounds {
        round.name = round_names.remove(&round.number);
    }
    let rows = entries.into_iter().zip(rows).enumerate().map(|(number, (entry, runs))| {
        let mut kept = compact.of_entry(number);
        (entry, runs.map(|run| (kept.take(run.number), run)))
    });
    Ok(results.with_rows(rows, &took_part, |(kept, run), scoring, names| {
        let record = kept.whole(&run.kind, || RunKey { repeat: run.repeat, ..shared.key.clone() });
        let node = shared.nodes[machine_of(&record)].as_ref();
        TableRun::new(&record, (node, record.referee.as_ref(), run.size), scoring, names)
    }))
}

/// The number of a name, in the order of first appearance, and true for a new name.
fn number(numbers: &mut HashMap<String, usize>, name: &str) -> (usize, bool) {
    if let Some(&number) = numbers.get(name) {
        return (number, false);
    }
    let next = numbers.len();
    numbers.insert(name.to_owned(), next);
    (next, true)
}
