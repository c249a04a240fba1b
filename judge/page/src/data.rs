//! The data behind the cells. For each board, its runs are embedded as deflated JSON, which the page's script unpacks
//! when a cell is opened. Identical answers on a board compress to almost nothing.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use super::embedded::{Budget, EmbeddedRun, ReplaySource};
use super::excerpt::Excerpt;
use super::facts::Index;
use super::games::{EmbeddedGame, Pair, pairs};
use super::plot::{Curve, Improvements};
use super::source::PageSource;
use super::text::shortened;
use judge_core::game::{GameInfo, Puzzle};
use judge_core::games;
use judge_core::journal::STORED;
use judge_core::legend;
use judge_core::plan::{FileContents, StoredFile};
use judge_core::scoring::Scoring;
use judge_files::regular;

/// The embedded data, and the curves from its replays.
pub(super) struct Data {
    /// The text of the data element: JSON without a `<`.
    pub(super) json: String,
    /// The progress of each film, for the figures that draw it.
    pub(super) curves: Vec<Curve>,
    /// The streams of answers, in contests with streams.
    pub(super) improvements: Vec<Improvements>,
}

#[derive(Serialize)]
struct Document {
    sources: Vec<Header>,
    /// For each group, its deflated JSON of [`Packed`], in base 64; then for each pair, that of its games.
    groups: Vec<String>,
}

/// A source's names and labels.
#[derive(Serialize)]
struct Header {
    name: String,
    entries: Vec<String>,
    boards: Vec<Column>,
    /// The labels of a film's numbers.
    progress: String,
    distance: String,
    /// The label of men, see [`judge_core::game::GameInfo::man`].
    man: Option<char>,
    /// The pairs of entries whose games are here: both rows, the upper one first, and the group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<[usize; 3]>,
}

#[derive(Serialize)]
struct Column {
    name: String,
    /// The name without marks, for links, if the name has marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    plain: Option<String>,
    /// The group with its runs, and the index of the first entry's run in it.
    group: usize,
    first: usize,
}

/// The data of a group.
#[derive(Serialize)]
struct Packed {
    /// The input of entries, if a referee program judges their answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Excerpt>,
    /// The judge's answer, if the board has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<Excerpt>,
    runs: Vec<EmbeddedRun>,
}

/// Runs that are unpacked together.
enum Unit<'a> {
    Board(Group),
    /// The games of two entries of a source.
    Pair(usize, Pair<'a>),
}

/// One board, with the columns that show it: source and board, from 0.
struct Group {
    columns: Vec<(usize, usize)>,
}

impl Data {
    /// Replays and packs all runs, one thread per processor.
    pub(super) fn from_sources(sources: &[PageSource]) -> io::Result<Self> {
        let groups = groups(sources);
        let mut heads = heads(sources, &groups);
        let mut units: Vec<Unit<'_>> = groups.into_iter().map(Unit::Board).collect();
        for (k, source) in sources.iter().enumerate() {
            for pair in pairs(source) {
                heads[k].pairs.push([pair.rows[0], pair.rows[1], units.len()]);
                units.push(Unit::Pair(k, pair));
            }
        }
        let indices: Vec<Index<'_>> = sources.iter().map(Index::from_source).collect();
        let cells: usize = sources.iter().flat_map(|source| &source.results().rows).map(|row| row.cells.len()).sum();
        let games = |unit: &Unit<'_>| if let Unit::Pair(_, pair) = unit { pair.games.len() } else { 0 };
        let runs = cells + units.iter().map(games).sum::<usize>();
        let packer = Packer { sources, indices: &indices, budget: Budget::among(runs) };
        let next = AtomicUsize::new(0);
        let work = || {
            let mut made = Vec::new();
            while let Some((index, unit)) = next_of(&units, &next) {
                made.push((index, packer.pack(unit)));
            }
            made
        };
        let workers = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(units.len());
        let mut packed: Vec<(usize, io::Result<_>)> = thread::scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic")).collect()
        });
        packed.sort_by_key(|(index, _)| *index);
        let mut curves = Vec::new();
        let mut blobs = Vec::new();
        for (_, made) in packed {
            let (blob, seen) = made?;
            blobs.push(blob);
            curves.extend(seen);
        }
        let document = Document { sources: heads, groups: blobs };
        // A `<` could end the script element. JSON has it only in strings, where it can be escaped.
        let json = serde_json::to_string(&document)?.replace('<', "\\u003c");
        Ok(Self { json, curves, improvements: sources.iter().flat_map(improvements).collect() })
    }
}

/// Returns the streams of answers of a source, of the runs in the table.
fn improvements(source: &PageSource) -> Vec<Improvements> {
    let Some(directory) = &source.directory else { return Vec::new() };
    let journal = &directory.journal;
    let records = journal.records.iter().filter(|record| record.key.repeat == 1);
    let rows = source.results().rows.iter();
    let rows: HashMap<&str, &str> =
        rows.flat_map(|row| row.entry.entries().map(|entry| (entry, row.entry.name.as_str()))).collect();
    let streams = records.filter_map(|record| {
        let entry = (*rows.get(&*record.key.entry)?).to_owned();
        let stream = record.extras.stream.as_ref().filter(|stream| !stream.steps.is_empty())?;
        let group = journal.plan.group_of(&record.key.board).map(Arc::<str>::from);
        Some(Improvements {
            source: source.name().to_owned(),
            entry,
            board: record.key.board.to_string(),
            steps: stream
                .steps
                .iter()
                .map(|step| {
                    let mut cell = step.cell(record.limit_ms, &source.results().scoring);
                    cell.group.clone_from(&group);
                    (step.at_us, cell)
                })
                .collect(),
        })
    });
    streams.collect()
}

fn next_of<'g, 'a>(units: &'g [Unit<'a>], next: &AtomicUsize) -> Option<(usize, &'g Unit<'a>)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, units.get(index)?))
}

/// Groups boards with the same game, rules and text, in the order of first appearance. A board without a text is a
/// separate group.
fn groups(sources: &[PageSource]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: BTreeMap<(&str, String, &str), usize> = BTreeMap::new();
    for (k, source) in sources.iter().enumerate() {
        for (b, board) in source.results().boards.iter().enumerate() {
            let problem = source.problem(&board.name);
            let key = problem.zip(board.text.as_deref());
            let key = key.map(|(problem, text)| (&*problem.game, problem.rules.to_string(), text));
            let index = key.map_or(groups.len(), |key| *known.entry(key).or_insert(groups.len()));
            if index == groups.len() {
                groups.push(Group { columns: Vec::new() });
            }
            groups[index].columns.push((k, b));
        }
    }
    groups
}

/// Turns the runs of a group into JSON, within its share of the page's size.
struct Packer<'a> {
    sources: &'a [PageSource],
    indices: &'a [Index<'a>],
    budget: Budget,
}

impl Packer<'_> {
    fn pack(&self, unit: &Unit<'_>) -> io::Result<(String, Vec<Curve>)> {
        match unit {
            Unit::Board(group) => self.runs(group),
            Unit::Pair(k, pair) => Ok((packed(&self.games(*k, pair))?, Vec::new())),
        }
    }

    fn games(&self, k: usize, pair: &Pair<'_>) -> Vec<EmbeddedGame> {
        let source = &self.sources[k];
        let Some(directory) = &source.directory else { return Vec::new() };
        let names = pair.rows.map(|row| source.results().rows[row].entry.name.as_str());
        pair.games.iter().map(|game| EmbeddedGame::new(game, pair.rows, names, directory, self.budget)).collect()
    }

    fn runs(&self, group: &Group) -> io::Result<(String, Vec<Curve>)> {
        let [input, expected] = self.texts(group);
        let (mut runs, mut curves) = (Vec::new(), Vec::new());
        for &(k, b) in &group.columns {
            let (source, index) = (&self.sources[k], &self.indices[k]);
            let results = source.results();
            let puzzle = puzzle(source, b);
            let replay = source.directory.as_ref().map(|directory| ReplaySource {
                source: source.name(),
                results: &directory.path,
                external: source.problem(&results.boards[b].name).is_some_and(|problem| problem.referee.is_some()),
                puzzle: &puzzle,
                budget: self.budget,
            });
            for row in &results.rows {
                let facts = index.find(&row.entry, &results.boards[b].name, &row.cells[b]);
                let (run, curve) = EmbeddedRun::new(legend::cell(&row.cells[b]), &facts, replay.as_ref());
                runs.push(run);
                // Figures know rows.
                curves.extend(curve.map(|curve| Curve { entry: row.entry.name.clone(), ..curve }));
            }
        }
        Ok((packed(&Packed { input, expected, runs })?, curves))
    }

    /// Returns the input and the expected output of a board that a referee program judges.
    fn texts(&self, group: &Group) -> [Option<Excerpt>; 2] {
        let &(k, b) = &group.columns[0];
        let head = &self.sources[k].results().boards[b];
        let by_program = self.sources[k].problem(&head.name).is_some_and(|problem| problem.referee.is_some());
        let directory = self.sources[k].directory.as_ref().filter(|_| by_program);
        let planned = directory.and_then(|directory| {
            let board = directory.journal.plan.boards.iter().find(|board| board.name == head.name)?;
            Some((directory, board))
        });
        let Some((directory, board)) = planned else { return [None, None] };
        [Some(board.contents()), board.answer.clone()].map(|contents| match contents? {
            FileContents::Text(text) => Some(Excerpt::from_text(&text, self.budget.board)),
            FileContents::Stored(StoredFile { sha256, .. }) => {
                let file = regular::open_beneath(&directory.path, &directory.path.join(STORED).join(sha256)).ok()?;
                Excerpt::from_file(file, self.budget.board).ok()
            }
        })
    }
}

/// Deflates JSON of this, in base 64.
fn packed(data: &impl Serialize) -> io::Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    // Written in one call, as the encoder clears its whole buffer for each call.
    encoder.write_all(&serde_json::to_vec(data)?)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

/// Parses a board of a built-in game; the error is a fragment.
fn puzzle(source: &PageSource, board: usize) -> Result<(&'static GameInfo, Box<dyn Puzzle>), String> {
    let head = &source.results().boards[board];
    let problem = source.problem(&head.name).ok_or("its text is not known")?;
    let text = head.text.as_ref().ok_or("its text is not known")?;
    let game = problem.game().map_err(|error| error.to_string())?;
    let info = games::find(&problem.game).ok_or("its game is not known")?;
    game.parse(text.as_bytes()).map(|puzzle| (info, puzzle)).map_err(|error| error.to_string())
}

fn heads(sources: &[PageSource], groups: &[Group]) -> Vec<Header> {
    let columns = groups.iter().enumerate().flat_map(|(index, group)| group.columns.iter().map(move |at| (*at, index)));
    let places: BTreeMap<(usize, usize), usize> = columns.collect();
    let heads = sources.iter().enumerate().map(|(k, source)| {
        let results = source.results();
        let column = |b: usize| {
            let group = places[&(k, b)];
            let before = groups[group].columns.iter().take_while(|column| **column != (k, b));
            let first = before.map(|&(k, _)| sources[k].results().rows.len()).sum();
            let head = &results.boards[b];
            let plain = head.reconstruction.then(|| shortened(&head.name));
            Column { name: shortened(&head.marked()), plain, group, first }
        };
        let game = results.game.as_deref().and_then(games::find);
        Header {
            name: shortened(source.name()),
            entries: results.rows.iter().map(|row| shortened(&row.entry.name)).collect(),
            boards: (0..results.boards.len()).map(column).collect(),
            progress: shortened(progress(&results.scoring)),
            distance: game.map_or("distance", |game| game.distance).into(),
            man: game.and_then(|game| game.man),
            pairs: Vec::new(),
        }
    });
    heads.collect()
}

/// The title of the progress of a frame.
fn progress(scoring: &Scoring) -> &str {
    scoring.main().title.as_deref().unwrap_or("progress")
}
