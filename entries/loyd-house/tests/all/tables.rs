//! The tables compared with searches that do not use sweeps: every value on small problems, admissibility on all of 3 ×
//! 3, consistency on random moves.

use std::collections::{HashMap, VecDeque};

use loyd_house::geometry::Geometry;
use loyd_house::table::{ENDING, Table};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Distances to the goal of a group on its own, by breadth-first search backwards.
fn distances(board: &Geometry, homes: &[u8]) -> HashMap<Vec<u8>, u8> {
    let mut distances = HashMap::from([(homes.to_vec(), 0)]);
    let mut queue = VecDeque::from([homes.to_vec()]);
    while let Some(tiles) = queue.pop_front() {
        let next = distances[&tiles] + 1;
        for tile in 0..tiles.len() {
            // Before its last move the tile was on a neighbouring spot or in the centre.
            let now = usize::from(tiles[tile]);
            for from in (0..board.spots()).filter(|&from| board.targets(from).contains(&now)) {
                let mut before = tiles.clone();
                before[tile] = u8::try_from(from).unwrap();
                if !tiles.contains(&before[tile]) && !distances.contains_key(&before) {
                    distances.insert(before.clone(), next);
                    queue.push_back(before);
                }
            }
        }
    }
    distances
}

/// The least number of a group's own moves to the goal, for the best empty spot, by a search that includes the empty
/// spot: moves of other tiles are free.
fn with_empty_spot(board: &Geometry, homes: &[u8]) -> HashMap<Vec<u8>, u8> {
    let goal = (homes.to_vec(), board.end());
    let mut costs = HashMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some(((tiles, empty), cost)) = queue.pop_front() {
        if costs[&(tiles.clone(), empty)] < cost {
            continue;
        }
        for before in (0..board.spots()).filter(|&before| board.empty_after(before).contains(&empty)) {
            let mut earlier = tiles.clone();
            let mut cost = cost;
            if let Some(tile) = earlier.iter_mut().find(|spot| usize::from(**spot) == before) {
                *tile = u8::try_from(empty).unwrap();
                cost += 1;
            }
            let state = (earlier, before);
            if costs.get(&state).is_none_or(|&known| cost < known) {
                costs.insert(state.clone(), cost);
                queue.push_back((state, cost));
            }
        }
    }
    let mut best = HashMap::new();
    for ((tiles, _), cost) in costs {
        best.entry(tiles).and_modify(|least: &mut u8| *least = cost.min(*least)).or_insert(cost);
    }
    best
}

/// All positions of this many tiles, in the order of a table's index; `None` if two tiles share a spot.
fn positions(board: &Geometry, tiles: usize) -> impl Iterator<Item = Option<Vec<u8>>> {
    let spots = board.spots();
    (0..spots.pow(u32::try_from(tiles).unwrap())).map(move |index| {
        let mut rest = index;
        let mut position = vec![0; tiles];
        for spot in position.iter_mut().rev() {
            *spot = u8::try_from(rest % spots).unwrap();
            rest /= spots;
        }
        let apart = (0..tiles).all(|tile| !position[..tile].contains(&position[tile]));
        apart.then_some(position)
    })
}

#[test]
fn every_value_of_a_table_is_the_distance() {
    let (small, large) = (Geometry::new(3), Geometry::new(5));
    let groups: [(&Geometry, &[u8]); 6] = [
        (&small, &[0, 1, 3]),
        (&small, &[0, 1, 3, 4]),
        (&small, &[2, 5, 6, 7, 4]),
        (&large, &[0, 6, 12]),
        (&large, &[18, 19, 23]),
        (&large, &[12, 4, 20]),
    ];
    for (board, homes) in groups {
        let expected = distances(board, homes);
        for threads in [1, 2, 3] {
            let table = Table::build(board, homes, 0, threads).unwrap();
            for (position, &value) in positions(board, homes.len()).zip(table.values()) {
                assert_eq!(value, position.map_or(255, |position| expected[&position]), "{homes:?}");
            }
        }
    }
}

#[test]
fn a_table_with_the_ending_lies_between_the_two_searches() {
    for (board, homes) in [(Geometry::new(3), vec![4, 5, 7]), (Geometry::new(5), vec![18, 19, 23])] {
        let (least, most) = (distances(&board, &homes), with_empty_spot(&board, &homes));
        let table = Table::build(&board, &homes, ENDING, 2).unwrap();
        let mut above = 0;
        for (tiles, &least) in &least {
            let (value, most) = (table.value(&board, tiles), most[tiles]);
            assert!(least <= value && value <= most, "{tiles:?}: {least} <= {value} <= {most}");
            assert!(most > ENDING || value == most, "{tiles:?}: {value}, not {most}");
            above += usize::from(value > least);
        }
        assert!(above > least.len() / 4, "only {above} of {} positions gain", least.len());
    }
}

#[test]
fn sums_of_tables_never_exceed_the_length_of_the_shortest_answer_on_3_x_3() {
    let board = Geometry::new(3);
    let groups: [&[u8]; 2] = [&[4, 5, 7], &[0, 1, 2, 3, 6]];
    let tables = groups.map(|homes| Table::build(&board, homes, ENDING, 2).unwrap());
    // The occupant of each spot; 8 is the empty spot.
    let goal: Vec<u8> = (0..9).collect();
    let mut lengths = HashMap::from([(goal.clone(), 0_u8)]);
    let mut queue = VecDeque::from([goal]);
    let mut exact = 0;
    while let Some(position) = queue.pop_front() {
        let length = lengths[&position];
        let spot_of = |tile: &u8| u8::try_from(position.iter().position(|who| who == tile).unwrap()).unwrap();
        let bound: u8 = groups
            .iter()
            .zip(&tables)
            .map(|(homes, table)| table.value(&board, &homes.iter().map(spot_of).collect::<Vec<_>>()))
            .sum();
        assert!(bound <= length, "{position:?}: {bound} > {length}");
        exact += usize::from(bound == length);
        let empty = usize::from(spot_of(&8));
        for before in (0..9).filter(|&before| board.empty_after(before).contains(&empty)) {
            let mut earlier = position.clone();
            earlier.swap(empty, before);
            if !lengths.contains_key(&earlier) {
                lengths.insert(earlier.clone(), length + 1);
                queue.push_back(earlier);
            }
        }
    }
    assert_eq!(lengths.len(), 362_880, "transports reach every arrangement of 3 x 3");
    assert!(exact > 0);
}

#[test]
fn a_move_of_the_group_changes_a_value_by_at_most_one() {
    let board = Geometry::new(5);
    let homes = [0, 1, 5, 6];
    let table = Table::build(&board, &homes, 0, 2).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(1995);
    for _ in 0..20_000 {
        let mut tiles = homes;
        for tile in 0..tiles.len() {
            tiles[tile] = loop {
                let spot = random.random_range(0..25);
                if !tiles[..tile].contains(&spot) {
                    break spot;
                }
            };
        }
        let value = table.value(&board, &tiles);
        let after: Vec<u8> = (0..tiles.len())
            .flat_map(|tile| board.targets(usize::from(tiles[tile])).iter().map(move |&to| (tile, to)))
            .map(|(tile, to)| (tile, u8::try_from(to).unwrap()))
            .filter(|(_, to)| !tiles.contains(to))
            .map(|(tile, to)| {
                let mut after = tiles;
                after[tile] = to;
                table.value(&board, &after)
            })
            .collect();
        assert!(after.iter().all(|&next| value <= next + 1), "{tiles:?}");
        assert!(value == 0 || after.contains(&(value - 1)), "{tiles:?}");
    }
}
