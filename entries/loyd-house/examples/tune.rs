use loyd_house::{
    geometry::Geometry,
    guide::Guide,
    table::{ENDING, Table},
};
use std::collections::HashMap;
fn main() {
    let g = Geometry::new(5);
    let parts: Vec<Vec<&str>> =
        std::env::args().nth(1).unwrap().leak().split(';').map(|p| p.split(',').collect()).collect();
    let _m: HashMap<&str, f64> = HashMap::new();
    for p in parts {
        let tables: Vec<Table> = p
            .iter()
            .map(|h| Table::build(&g, &h.bytes().map(|b| b - b'A').collect::<Vec<_>>(), ENDING, 1).unwrap())
            .collect();
        let Some(guide) = Guide::new(tables) else {
            println!("{p:?} bad");
            continue;
        };
        let mut x = 0x1234_5678_9abc_def1u64;
        let (mut own, mut max, mut n) = (0u64, 0u64, 0u64);
        for _ in 0..300_000 {
            let mut o = [0u8; 25];
            for i in 0..25 {
                o[i] = i as u8;
            }
            for i in (1..25).rev() {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                o.swap(i, (x % (i as u64 + 1)) as usize);
            }
            let v = guide.values(&o);
            own += v.sum[0] as u64;
            max += v.bound() as u64;
            n += 1;
        }
        println!("{p:?} own {:.3} max {:.3}", own as f64 / n as f64, max as f64 / n as f64);
    }
}
