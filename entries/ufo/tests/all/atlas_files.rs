//! The files of solved groups: reading returns what was written, and damaged files are refused.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest as _, Sha256};
use ufo_kit::atlas::Atlas;
use ufo_kit::atlas::solve::Options;
use ufo_kit::atlas::store::{Reader, write};
use ufo_kit::atlas::table::Table;
use ufo_kit::position::Position;

const CHECKSUM: usize = 32;

fn file(group: &str, threads: usize) -> Vec<u8> {
    let mut atlas = Atlas::new(None, 1 << 30, Options { threads, most_steps: Options::ANY_STEPS }, |_| ());
    bytes(atlas.table(group.parse().unwrap()).unwrap())
}

fn bytes(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(table, &mut bytes).unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Result<Table, String> {
    Reader::open(bytes)?.into_table()
}

/// Appends the checksum that makes a damaged file look whole.
fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

#[test]
fn reading_returns_what_was_written() {
    for group in ["1-1", "1-4", "2-3", "3-1", "3-3", "cross:1-3", "cross:2-3", "cross:3-2"] {
        let first = file(group, 2);
        let again = read(&first).unwrap();
        assert!(bytes(&again) == first, "{group}");
        assert_eq!(again.row(), Reader::open(&first[..]).unwrap().into_row().unwrap());
        let listed: Vec<_> = Reader::open(&first[..]).unwrap().map(Result::unwrap).collect();
        assert_eq!(listed, again.problems().collect::<Vec<_>>(), "{group}");
        assert_eq!(listed.len() as u64, again.row().solvable);
    }
}

#[test]
fn a_table_read_from_a_file_solves_every_orientation() {
    let mut atlas = Atlas::new(None, 1 << 30, Options { threads: 2, most_steps: Options::ANY_STEPS }, |_| ());
    let table = atlas.table("2-3".parse().unwrap()).unwrap();
    let again = read(&bytes(table)).unwrap();
    let geometry = table.group().shape.geometry();
    for (Position { letters, numbers }, _) in table.problems() {
        for (letters, numbers) in geometry.images(letters).into_iter().zip(geometry.images(numbers)) {
            let turned = Position { letters, numbers };
            assert_eq!(again.solution(turned), table.solution(turned));
        }
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_file() {
    for group in ["2-4", "cross:1-4"] {
        assert!(file(group, 1) == file(group, 3), "{group}");
    }
}

#[test]
#[ignore = "deep: proofs: reads a file with each of its places damaged"]
fn every_damage_of_one_place_is_detected() {
    let whole = file("cross:1-2", 1);
    for place in 0..whole.len() {
        for bit in 0..8 {
            let mut damaged = whole.clone();
            damaged[place] ^= 1 << bit;
            assert!(read(&damaged).is_err(), "bit {bit} of byte {place}");
        }
        assert!(read(&whole[..place]).is_err(), "{place} bytes");
    }
    assert_eq!(read(&[&whole[..], b"\n"].concat()).err().unwrap(), "unexpected bytes after the checksum");
}

#[test]
fn each_kind_of_damage_has_its_message() {
    let whole = file("1-2", 1);
    let body = &whole[..whole.len() - CHECKSUM];
    let changed = |place: usize, byte: u8| {
        let mut bytes = body.to_vec();
        bytes[place] = byte;
        signed(bytes)
    };
    // The five varints of the first record have one byte each.
    let first = 36;
    let mut wrong_checksum = whole.clone();
    *wrong_checksum.last_mut().unwrap() ^= 1;
    let mut endless = body.to_vec();
    endless.splice(first..=first, [0xff; 11]);
    let mut padded = body.to_vec();
    padded.splice(first + 1..first + 2, [0x81, 0x00]);
    for (bytes, message) in [
        (b"ufo".to_vec(), "cannot read the first 36 bytes: failed to fill whole buffer"),
        (changed(0, b'U'), "not a file of ufo-atlas: it does not begin with `ufoatlas`"),
        (changed(8, 2), "unsupported format version 2, expected 1; solve the group again"),
        (changed(9, 6), "a board with 6 squares per side; expected 5, or 7 for the cross"),
        (changed(10, 0), "0 letter and 2 number pieces; expected 1 to 3 and 1 to 9"),
        (changed(11, 10), "1 letter and 10 number pieces; expected 1 to 3 and 1 to 9"),
        (
            changed(29, 2),
            "546 solvable problems, 423 with a move, 860 in total, 1380 states; expected ascending numbers",
        ),
        (changed(first + 1, 0), "record 1 of 34: 0 moves; expected 1 to 253"),
        (changed(first + 2, 99), "record 1 of 34: 99 turns in 1 moves; a move has at most 33 steps"),
        (changed(first + 3, 0), "record 1 of 34: 0 best answers; expected 1 to 4398046511103"),
        (changed(first + 4, 4), "record 1 of 34: insignificant pieces 0b100; the group has 2 number pieces"),
        (signed(endless), "record 1 of 34: a number has too many bytes, or more than 64 bits"),
        (signed(padded), "record 1 of 34: a number has too many bytes, or more than 64 bits"),
        (wrong_checksum, "the checksum does not match the records: the file is damaged"),
        (body.to_vec(), "the checksum is incomplete: failed to fill whole buffer"),
        (body[..body.len() - 1].to_vec(), "record 34 of 34: the file is incomplete: failed to fill whole buffer"),
    ] {
        assert_eq!(read(&bytes).err().unwrap(), message);
    }
    let gap = read(&changed(first, 0x7f)).err().unwrap();
    assert!(gap.starts_with("record "), "{gap}");
}

#[test]
#[ignore = "deep: proofs: reads thousands of damaged files"]
fn damaged_files_never_cause_a_panic() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let wholes: Vec<Vec<u8>> = ["1-2", "2-2", "cross:1-2", "cross:3-1"].map(|group| file(group, 1)).to_vec();
    let (mut read_well, mut refused) = (0, 0);
    for _ in 0..4_000 {
        let whole = wholes.choose(&mut random).unwrap();
        let mut body = whole[..whole.len() - CHECKSUM].to_vec();
        for _ in 0..random.random_range(1..4) {
            mutate(&mut random, &mut body);
        }
        // A correct checksum forces the reader to check the records.
        let bytes = signed(body);
        match catch_unwind(AssertUnwindSafe(|| read(&bytes))) {
            Ok(Ok(_)) => read_well += 1,
            Ok(Err(_)) => refused += 1,
            Err(_) => panic!("panicked on {bytes:?}"),
        }
    }
    assert!(read_well > 100 && refused > 1_000, "{read_well} read, {refused} refused");
}

fn mutate(random: &mut impl Rng, body: &mut Vec<u8>) {
    // The board and the pieces stay unchanged, since the index of a large group takes long to build.
    let place = random.random_range(12..body.len());
    match random.random_range(0..4) {
        0 => body[place] = random.random(),
        1 => body[place] ^= 1 << random.random_range(0..8),
        2 => body.insert(place, random.random()),
        _ => drop(body.remove(place)),
    }
}
