//! Distances of a group of tiles to its goal, by sweeps over the whole table.
//!
//! A table of `k` tiles is an array with `k` axes, one per tile, each as long as the number of spots. A move takes one
//! tile from a spot to another, so along that tile's axis whole rows of the array are compared with whole rows:
//! `row[p] = min(row[p], row[q] + 1)` for every spot `q` that a tile on `p` can go to. Such rows are contiguous bytes,
//! which the compiler turns into vector instructions, and a column of 25 rows fits the first-level cache. A sweep
//! relaxes all axes once; sweeps repeat until nothing changes. Every value is then 1 more than the least of its
//! successors, which makes it the distance.
//!
//! A breadth-first search touches each entry once but at random places. The sweeps touch each some ten times, in order,
//! and are an order of magnitude faster.

use crate::geometry::Geometry;
use crate::parallel::{each, queue};

/// The value of entries that are not positions, and of positions that no sweep has reached yet.
pub(crate) const UNREACHED: u8 = u8::MAX;
/// Bytes that are processed together: two vector registers of baseline x86-64.
const LANES: usize = 32;
/// A row of two axes, rounded up to whole lanes.
const WIDE: usize = 640;
/// A row of one axis, rounded up likewise.
const NARROW: usize = 32;
/// Most spots of a board whose rows fit.
const MAX_SPOTS: usize = 25;

/// Lowers every entry of an array with `tiles` axes to its distance from the seeds. At the start, the seeds contain
/// their distances and all other entries 255. Entries in which two tiles share a spot stay at 255. Returns the number
/// of sweeps.
///
/// # Panics
/// If there are fewer than three tiles or more than 25 spots, or if the array has another size.
pub fn relax(values: &mut [u8], geometry: &Geometry, tiles: usize, threads: usize) -> usize {
    let spots = geometry.spots();
    assert!(tiles >= 3 && spots <= MAX_SPOTS, "an axis outside and two within, of at most 25 spots");
    assert_eq!(values.len(), (0..tiles).map(|_| spots).product::<usize>(), "one byte per position");
    let plan = Plan::new(geometry);
    let mut sweeps = 0;
    loop {
        sweeps += 1;
        if !plan.sweep(values, tiles, sweeps % 2 == 0, threads) {
            return sweeps;
        }
    }
}

/// The data about the board that all threads share.
struct Plan<'a> {
    geometry: &'a Geometry,
    /// For every spot of a tile, a mask over the pairs of spots of two further tiles: 255 if one of those is the same
    /// spot, else 0.
    wide_walls: Vec<[u8; WIDE]>,
    /// For every spot of a tile, a mask over the spots of one further tile: 255 if that is the same spot, else 0.
    narrow_walls: Vec<[u8; NARROW]>,
}

impl Plan<'_> {
    fn new(geometry: &Geometry) -> Plan<'_> {
        let spots = geometry.spots();
        let mut wide_walls = vec![[0; WIDE]; spots];
        let mut narrow_walls = vec![[0; NARROW]; spots];
        for spot in 0..spots {
            for other in 0..spots {
                wide_walls[spot][spot * spots + other] = UNREACHED;
                wide_walls[spot][other * spots + spot] = UNREACHED;
            }
            narrow_walls[spot][spot] = UNREACHED;
        }
        Plan { geometry, wide_walls, narrow_walls }
    }

    /// Relaxes all axes once; returns `true` if anything changed.
    fn sweep(&self, values: &mut [u8], tiles: usize, backwards: bool, threads: usize) -> bool {
        let spots = self.geometry.spots();
        let inner = values.len() / spots;
        // The first axis spans the whole array, so threads share it by columns, in units of two axes.
        let units = inner / (spots * spots);
        let share = units.div_ceil(threads) * spots * spots;
        let mut parts: Vec<(usize, Vec<&mut [u8]>)> = (0..threads).map(|part| (part * share, Vec::new())).collect();
        for row in values.chunks_exact_mut(inner) {
            for ((_, rows), part) in parts.iter_mut().zip(row.chunks_mut(share)) {
                rows.push(part);
            }
        }
        let parts: Vec<_> = parts.into_iter().filter(|(_, rows)| !rows.is_empty()).collect();
        let across = each(parts, |(from, mut rows)| self.axis(&mut rows, from, tiles - 3, 0, backwards));
        let chunks = values.chunks_exact_mut(inner).enumerate();
        let within = queue(chunks, threads, |(spot, chunk)| self.chunk(chunk, tiles - 1, 1 << spot, backwards));
        across.into_iter().chain(within).any(|changed| changed)
    }

    /// Relaxes all `axes` axes of a chunk, whose leading tiles stand on the spots in `taken`.
    fn chunk(&self, chunk: &mut [u8], axes: usize, taken: u32, backwards: bool) -> bool {
        let spots = self.geometry.spots();
        if axes == 2 {
            return self.last_two(chunk, taken, backwards);
        }
        let inner = chunk.len() / spots;
        let mut rows: Vec<&mut [u8]> = chunk.chunks_exact_mut(inner).collect();
        let mut changed = self.axis(&mut rows, 0, axes - 3, taken, backwards);
        for (spot, part) in chunk.chunks_exact_mut(inner).enumerate() {
            if taken & 1 << spot == 0 {
                changed |= self.chunk(part, axes - 1, taken | 1 << spot, backwards);
            }
        }
        changed
    }

    /// Relaxes one axis: row `p` contains the positions with its tile on spot `p`. The rows begin at column `from`,
    /// which counts the positions of the tiles of the further axes: `between` of them and the last two.
    fn axis(&self, rows: &mut [&mut [u8]], from: usize, between: usize, taken: u32, backwards: bool) -> bool {
        let spots = self.geometry.spots();
        let width = spots * spots;
        let mut block = [[UNREACHED; WIDE]; MAX_SPOTS];
        let mut changed = false;
        for start in (0..rows[0].len()).step_by(width) {
            let Some(taken) = self.taken_with(taken, (from + start) / width, between) else { continue };
            for (local, row) in block.iter_mut().zip(rows.iter()) {
                local[..width].copy_from_slice(&row[start..start + width]);
            }
            if self.rows(&mut block[..spots], &self.wide_walls, taken, backwards) {
                changed = true;
                for (local, row) in block.iter().zip(rows.iter_mut()) {
                    row[start..start + width].copy_from_slice(&local[..width]);
                }
            }
        }
        changed
    }

    /// The taken spots together with those of the `between` tiles in the number of a column; `None` if two tiles share
    /// a spot.
    fn taken_with(&self, mut taken: u32, mut column: usize, between: usize) -> Option<u32> {
        let spots = self.geometry.spots();
        for _ in 0..between {
            let bit = 1 << (column % spots);
            if taken & bit != 0 {
                return None;
            }
            taken |= bit;
            column /= spots;
        }
        Some(taken)
    }

    /// Relaxes the last two axes of a block of their positions.
    fn last_two(&self, block: &mut [u8], taken: u32, backwards: bool) -> bool {
        let spots = self.geometry.spots();
        let mut rows = [[UNREACHED; NARROW]; MAX_SPOTS];
        let mut columns = [[UNREACHED; NARROW]; MAX_SPOTS];
        for (row, from) in rows.iter_mut().zip(block.chunks_exact(spots)) {
            row[..spots].copy_from_slice(from);
        }
        let mut changed = self.rows(&mut rows[..spots], &self.narrow_walls, taken, backwards);
        transpose(&rows, &mut columns, spots);
        changed |= self.rows(&mut columns[..spots], &self.narrow_walls, taken, backwards);
        if changed {
            transpose(&columns, &mut rows, spots);
            for (row, to) in rows.iter().zip(block.chunks_exact_mut(spots)) {
                to.copy_from_slice(&row[..spots]);
            }
        }
        changed
    }

    /// Relaxes the rows against each other; those of taken spots contain no position.
    fn rows<const W: usize>(&self, rows: &mut [[u8; W]], walls: &[[u8; W]], taken: u32, backwards: bool) -> bool {
        let spots = rows.len();
        let mut changed = 0;
        for step in 0..spots {
            let spot = if backwards { spots - 1 - step } else { step };
            if taken & 1 << spot != 0 {
                continue;
            }
            for start in (0..W).step_by(LANES) {
                let lane =
                    |row: &[u8; W]| -> [u8; LANES] { row[start..start + LANES].try_into().expect("a whole lane") };
                let before = lane(&rows[spot]);
                let mut best = before;
                for &target in self.geometry.targets(spot) {
                    let other = lane(&rows[target]);
                    for (best, other) in best.iter_mut().zip(other) {
                        *best = (*best).min(other.saturating_add(1));
                    }
                }
                let wall = lane(&walls[spot]);
                let mut difference = 0;
                for ((best, wall), before) in best.iter_mut().zip(wall).zip(before) {
                    *best |= wall;
                    difference |= *best ^ before;
                }
                changed |= difference;
                rows[spot][start..start + LANES].copy_from_slice(&best);
            }
        }
        changed != 0
    }
}

fn transpose(from: &[[u8; NARROW]], to: &mut [[u8; NARROW]], spots: usize) {
    for (r, row) in from.iter().enumerate().take(spots) {
        for (c, &value) in row.iter().enumerate().take(spots) {
            to[c][r] = value;
        }
    }
}
