//! Prints the nodes on which jobs with these options could run: `cargo run -p judge-slurm --example nodes -- --partition=long`.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use std::error::Error;
use std::path::Path;

use judge_job::StopFlag;
use judge_slurm::Slurm;

fn main() -> Result<(), Box<dyn Error>> {
    let options: Vec<String> = std::env::args().skip(1).collect();
    let stop = StopFlag::default();
    let slurm = Slurm::new(&options.join(" "), Path::new("."), std::env::current_exe()?, &stop)?;
    for node in slurm.nodes()? {
        println!("{}: {}", node.name, if node.usable { "usable" } else { &node.state });
    }
    for group in slurm.groups(&[])? {
        println!("alike: {}, {} cores", group.nodes.join(","), group.cores);
    }
    Ok(())
}
