//! The quality of partitions of the tiles.
//!
//! The arguments are partitions, written as groups of letters such as `ABFGKL,CDEHIJ,MPQRUV,NOSTWX`. For each it prints
//! the mean bound over 300,000 random positions, as they are and as the greater of both views.

use loyd_house::geometry::{Geometry, SIDE, SPOTS};
use loyd_house::heuristic::Heuristic;
use loyd_house::position::byte;
use loyd_house::table::{ENDING, Table};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

const SAMPLES: u32 = 300_000;

pub(crate) fn run(partitions: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let board = Geometry::new(SIDE);
    for partition in partitions {
        let homes = |group: &str| -> Vec<u8> { group.bytes().map(|letter| letter.wrapping_sub(b'A')).collect() };
        let tables = partition.split(',').map(|group| Table::build(&board, &homes(group), ENDING, 2));
        let heuristic =
            Heuristic::new(board.clone(), tables.collect::<Result<_, _>>()?).ok_or("give every tile once")?;
        let mut random = ChaCha8Rng::seed_from_u64(1995);
        let (mut plain, mut greater) = (0.0, 0.0);
        let mut occupants: [u8; SPOTS] = std::array::from_fn(byte);
        for _ in 0..SAMPLES {
            occupants.shuffle(&mut random);
            let values = heuristic.values(&occupants);
            plain += f64::from(values.sum[0]);
            greater += f64::from(values.bound());
        }
        println!("{partition}: {:.3} {:.3}", plain / f64::from(SAMPLES), greater / f64::from(SAMPLES));
    }
    Ok(())
}
