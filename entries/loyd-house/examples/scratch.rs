use loyd_house::{
    automaton::Automaton,
    beam,
    clock::Deadline,
    geometry::Geometry,
    groups::*,
    guide::Guide,
    ida,
    position::*,
    table::{ENDING, Table},
};
use std::time::{Duration, Instant};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let g = Geometry::new(5);
    for e in [1, 2, 4, 6, 8] {
        let t = Instant::now();
        let tb = Table::build(&g, &[13, 14, 18, 19, 23], e, 2).unwrap();
        let v: Vec<_> = tb.cells().iter().filter(|&&c| c != 255).collect();
        println!("ending {e}: mean {} {:?}", v.iter().map(|&&c| c as f64).sum::<f64>() / v.len() as f64, t.elapsed());
    }
    let p = match a[1].as_str() {
        "3" => THREES,
        "4" => FOURS,
        "5" => FIVES,
        _ => SIXES,
    };
    let t = Instant::now();
    let mut mean = 0.0;
    let tables: Vec<Table> = p.homes().map(|h| Table::build(&g, &h, ENDING, 2).unwrap()).collect();
    println!("tables {:?}", t.elapsed());
    for tb in &tables {
        let v: Vec<_> = tb.cells().iter().filter(|&&c| c != 255).collect();
        mean += v.iter().map(|&&c| c as f64).sum::<f64>() / v.len() as f64;
    }
    println!("mean {mean}");
    let guide = Guide::new(tables).unwrap();
    for l in [4, 6, 7, 8, 9] {
        let t = Instant::now();
        let auto = Automaton::new(&g, l);
        println!("automaton {l}: {} states {:?}", auto.states(), t.elapsed());
        let s: loyd_kit::Board = "BFECK RXUGT VPD+J HAQIW OSNML".parse().unwrap();
        let s = Packed::from(&s);
        for th in (60..=(if a[1] == "6" { 72 } else { 68 })).step_by(2) {
            let t = Instant::now();
            let r = ida::search(&guide, &auto, s, th, 2, Deadline::after(Duration::from_secs(60)));
            println!("  threshold {th}: {:?} {} nodes {:?}", r.outcome, r.nodes, t.elapsed());
        }
    }
    let width: usize = a[2].parse().unwrap();
    let mut total = 0;
    let t = Instant::now();
    for b in [
        "THEQUICKBROWNFXJMPSVLADG+",
        "NOWISTHEMFRALGDCUBJKPQVX+",
        "QWERTUIOPASDFGHJKLXCVBNM+",
        "WBD+EHSGMJVONPRXAUKCTLIFQ",
        "JTSNBUQMDXRVIFOALGHWEK+PC",
        "BFECKRXUGTVPD+JHAQIWOSNML",
        "CV+BNPTWLEHSQRAIGUFXJKODM",
        "NSCWFOKIAMJUEGBLDTHP+RXVQ",
        "FQKHSGOVDNRLEAMCWIBUJT+XP",
    ] {
        let b: loyd_kit::Board = b.parse().unwrap();
        let s = Packed::from(&b);
        let w =
            beam::search(&guide, s, beam::Order { width, most_moves: 250, threads: 2, deadline: Deadline::never() })
                .unwrap();
        let m = moves(&w).unwrap();
        let mut q = b;
        for x in &m {
            q = q.after(*x).unwrap();
        }
        assert_eq!(q, loyd_kit::Board::perfection());
        print!("{}({}) ", m.len(), guide.values(&s.occupants()).bound());
        total += m.len();
    }
    println!("total {total} {:?}", t.elapsed());
}
