//! Everything behind the cells, embedded compactly: for each board all runs on it, as deflated JSON that the page's
//! script takes apart when the first of them is opened. Identical answers on a board so cost next to nothing.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use super::facts::Index;
use super::figure::Curve;
use super::played::{Place, Played, Room};
use super::run::Run;
use super::text::shortened;
use judge_core::game::Puzzle;
use judge_core::games;
use judge_core::legend;

/// What the page embeds, and what was seen in making it.
pub(super) struct Data {
    /// The element's text: JSON without a `<`.
    pub(super) json: String,
    /// One curve for each film.
    pub(super) curves: Vec<Curve>,
}

#[derive(Serialize)]
struct Document {
    runs: Vec<Header>,
    /// For each group of runs on the same board a deflated JSON list of [`Played`], in base 64.
    groups: Vec<String>,
}

/// A run of the contest.
#[derive(Serialize)]
struct Header {
    name: String,
    entries: Vec<String>,
    boards: Vec<Column>,
    /// What the figures of a film are called.
    progress: String,
    distance: String,
}

#[derive(Serialize)]
struct Column {
    name: String,
    /// The group that holds its runs, and the place of the first entry's run in there.
    group: usize,
    first: usize,
}

/// A board of one run or of several, with the columns that show it: run and board, from 0.
struct Group {
    columns: Vec<(usize, usize)>,
}

impl Data {
    /// Replays and packs all runs, as many boards at a time as there are processors.
    pub(super) fn of(runs: &[Run]) -> io::Result<Self> {
        let groups = groups(runs);
        let indices: Vec<Index<'_>> = runs.iter().map(Index::of).collect();
        let cells = runs.iter().flat_map(|run| &run.results().rows).map(|row| row.cells.len()).sum();
        let maker = Maker { runs, indices: &indices, room: Room::among(cells) };
        let next = AtomicUsize::new(0);
        let work = || {
            let mut made = Vec::new();
            while let Some((index, group)) = next_of(&groups, &next) {
                made.push((index, maker.pack(group)));
            }
            made
        };
        let workers = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(groups.len());
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
        let document = Document { runs: heads(runs, &groups), groups: blobs };
        // Inside a script element `<` could begin its end; JSON has it in strings alone, where it can be escaped.
        let json = serde_json::to_string(&document)?.replace('<', "\\u003c");
        Ok(Self { json, curves })
    }
}

fn next_of<'g>(groups: &'g [Group], next: &AtomicUsize) -> Option<(usize, &'g Group)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, groups.get(index)?))
}

/// Boards that are the same in all that a replay depends on, in the order in which they first appear. One whose text
/// nobody knows is like no other.
fn groups(runs: &[Run]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: BTreeMap<(&str, String, &str), usize> = BTreeMap::new();
    for (k, run) in runs.iter().enumerate() {
        for (b, board) in run.results().boards.iter().enumerate() {
            let plan = run.kept.as_ref().map(|kept| &kept.contents.plan);
            let key = plan.zip(board.text.as_deref()).map(|(plan, text)| (&*plan.game, plan.rules.to_string(), text));
            let index = key.map_or(groups.len(), |key| *known.entry(key).or_insert(groups.len()));
            if index == groups.len() {
                groups.push(Group { columns: Vec::new() });
            }
            groups[index].columns.push((k, b));
        }
    }
    groups
}

/// What packs a group.
struct Maker<'a> {
    runs: &'a [Run],
    indices: &'a [Index<'a>],
    room: Room,
}

impl Maker<'_> {
    fn pack(&self, group: &Group) -> io::Result<(String, Vec<Curve>)> {
        let (mut all, mut curves) = (Vec::new(), Vec::new());
        for &(k, b) in &group.columns {
            let (run, index) = (&self.runs[k], &self.indices[k]);
            let results = run.results();
            let puzzle = puzzle(run, b);
            let place = run.kept.as_ref().map(|kept| Place {
                run: &run.source.name,
                results: &kept.directory,
                puzzle: &puzzle,
                room: self.room,
            });
            for row in &results.rows {
                let facts = index.find(&row.entry.name, &results.boards[b].name, &row.cells[b]);
                let (played, curve) = Played::of(legend::cell(&row.cells[b]), &facts, place.as_ref());
                all.push(played);
                curves.extend(curve);
            }
        }
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        // In one piece: for every one that it is given, however small, the encoder clears all of its buffer.
        encoder.write_all(&serde_json::to_vec(&all)?)?;
        Ok((STANDARD.encode(encoder.finish()?), curves))
    }
}

/// The puzzle of a board, or why there is none, as a fragment.
fn puzzle(run: &Run, board: usize) -> Result<Box<dyn Puzzle>, String> {
    let kept = run.kept.as_ref().ok_or("its text is not known")?;
    let text = run.results().boards[board].text.as_ref().ok_or("its text is not known")?;
    kept.contents.plan.game()?.parse(text.as_bytes()).map_err(|error| error.to_string())
}

fn heads(runs: &[Run], groups: &[Group]) -> Vec<Header> {
    let columns = groups.iter().enumerate().flat_map(|(index, group)| group.columns.iter().map(move |at| (*at, index)));
    let places: BTreeMap<(usize, usize), usize> = columns.collect();
    let heads = runs.iter().enumerate().map(|(k, run)| {
        let results = run.results();
        let column = |b: usize| {
            let group = places[&(k, b)];
            let before = groups[group].columns.iter().take_while(|column| **column != (k, b));
            let first = before.map(|&(k, _)| runs[k].results().rows.len()).sum();
            Column { name: shortened(&results.boards[b].marked()), group, first }
        };
        let game = results.game.as_deref().and_then(games::find);
        Header {
            name: shortened(&run.source.name),
            entries: results.rows.iter().map(|row| shortened(&row.entry.name)).collect(),
            boards: (0..results.boards.len()).map(column).collect(),
            progress: shortened(&results.headings.progress),
            distance: game.map_or("distance", |game| game.words.distance).into(),
        }
    });
    heads.collect()
}
