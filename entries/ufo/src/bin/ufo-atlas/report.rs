//! `ufo-atlas report`: the article's tables and counts beside ours, and witnesses of each difference.

mod differences;
mod published;

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ufo_kit::atlas::Atlas;
use ufo_kit::atlas::configurations::{Configuration, configurations};
use ufo_kit::atlas::solve::Means;
use ufo_kit::atlas::table::Row;

use crate::Resources;
use crate::output::{cell, grouped, markdown, unprintable};
use crate::table::rows;
use differences::Difference;
use published::{List, PublishedConfigurations, PublishedRow};

/// Solve the article's groups again and set the results beside what it printed
///
/// Reads published.csv and published-configurations.csv in the folder, writes tables.md there, and into its subfolder
/// witnesses the boards and answers that differences are shown by. A cell that is empty in what was published is a figure
/// that is not known.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder, such as results/ufo-atlas
    folder: PathBuf,
    #[command(flatten)]
    resources: Resources,
}

/// What the tables begin with.
const HEAD: &str = "\
# The tables of the article, and ours

Made by `ufo-atlas report`; [README.md](README.md) says what the columns count. \"Paper\" is what the article of 1999
prints, empty where our copy lacks it; a figure of ours that differs from it is in bold.
";

const HEADING: [&str; 12] = [
    "group",
    "possible",
    "problems",
    "movable",
    "analyzed, paper",
    "solvable",
    "solutions",
    "paper",
    "max moves",
    "paper",
    "max steps",
    "paper",
];

impl Arguments {
    pub(crate) fn execute(self, out: &mut dyn Write) -> Result<(), String> {
        let published = published::read_rows(&self.folder.join("published.csv"))?;
        let lists = published::read_configurations(&self.folder.join("published-configurations.csv"))?;
        let mut atlas = self.resources.atlas(Means::ANY_STEPS);
        let groups: Vec<_> = published.iter().map(|row| row.group).collect();
        let ours = rows(&mut atlas, &groups)?;
        let path = self.folder.join("tables.md");
        let mut text = HEAD.as_bytes().to_vec();
        write_tables(&mut text, &published, &ours).map_err(unprintable)?;
        writeln!(text, "\n## Differences\n").map_err(unprintable)?;
        for (row, ours) in published.iter().zip(&ours).filter(|(row, ours)| row.differs(ours)) {
            let difference = Difference::find(&mut atlas, row, ours)?;
            difference.tell(&mut text, &self.folder.join("witnesses"))?;
        }
        self.write_configurations(&mut atlas, &lists, &mut text)?;
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        writeln!(out, "{}", path.display()).map_err(unprintable)
    }

    fn write_configurations(
        &self,
        atlas: &mut Atlas,
        lists: &[PublishedConfigurations],
        text: &mut Vec<u8>,
    ) -> Result<(), String> {
        let heading = ["list", "configurations", "symmetric ones left out", "paper", "solutions of each", "paper"];
        let mut cells = Vec::new();
        for published in lists {
            let table = atlas.table(published.group)?;
            let all = configurations(table, self.resources.threads());
            let listed = listed(published.list, &all);
            let asymmetric = listed.iter().filter(|configuration| !configuration.symmetric).count();
            let most = listed.first().filter(|_| published.list == List::Most).map(|first| first.solutions);
            cells.push(vec![
                format!("{}, {}", published.group, published.list.name()),
                grouped(listed.len() as u64),
                grouped(asymmetric as u64),
                cell(published.configurations.map(grouped)),
                cell(most),
                cell(published.solutions),
            ]);
        }
        writeln!(text, "\n## Configurations\n").map_err(unprintable)?;
        markdown(text, &heading, &cells).map_err(unprintable)
    }
}

/// The configurations of a list of the article.
fn listed(list: List, all: &[Configuration]) -> Vec<&Configuration> {
    let most = all.iter().map(|configuration| configuration.solutions).max();
    let wanted = |configuration: &&Configuration| match list {
        List::Most => Some(configuration.solutions) == most,
        List::One => configuration.has_one(),
        List::All => configuration.has_all(),
    };
    all.iter().filter(wanted).collect()
}

fn write_tables(out: &mut dyn Write, published: &[PublishedRow], ours: &[Row]) -> std::io::Result<()> {
    for table in 1..=2 {
        writeln!(out, "\n## Table {table}\n")?;
        let rows = published.iter().zip(ours).filter(|(row, _)| row.table == table);
        let cells: Vec<Vec<String>> = rows.map(|(published, ours)| cells(published, ours)).collect();
        markdown(out, &HEADING, &cells)?;
    }
    Ok(())
}

fn cells(published: &PublishedRow, ours: &Row) -> Vec<String> {
    let beside = |ours: u64, theirs: Option<u64>| {
        let differs = theirs.is_some_and(|theirs| theirs != ours);
        let text = grouped(ours);
        [if differs { format!("**{text}**") } else { text }, cell(theirs.map(grouped))]
    };
    // Where no problem has a solution the article prints 0.
    let most = |most: Option<u32>| u64::from(most.unwrap_or(0));
    let counts = [published.group.possible(), ours.problems, ours.movable].map(grouped);
    let figures = [
        beside(ours.solutions, published.solutions),
        beside(most(ours.max_moves), published.max_moves),
        beside(most(ours.max_steps), published.max_steps),
    ];
    let head = [published.group.to_string()].into_iter().chain(counts);
    let analyzed = [cell(published.analyzed.map(grouped)), grouped(ours.solvable)];
    head.chain(analyzed).chain(figures.into_iter().flatten()).collect()
}
