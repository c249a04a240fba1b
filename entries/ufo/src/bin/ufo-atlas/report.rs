//! `ufo-atlas report`: compares the article's tables and counts with ours, and writes witnesses of each difference.

mod differences;
mod published;

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ufo_kit::atlas::Atlas;
use ufo_kit::atlas::configurations::{Configuration, configurations};
use ufo_kit::atlas::solve::Options;
use ufo_kit::atlas::table::Row;

use crate::Resources;
use crate::output::{cell, csv, unprintable};
use crate::table::rows;
use differences::Difference;
use published::{List, PublishedConfigurations, PublishedRow};

/// Solve the article's groups again and compare the results with the printed tables
///
/// Reads published.csv and published-configurations.csv in the folder; an empty cell is a figure that the article does
/// not print. Writes tables.csv, configurations.csv and witnesses.csv there, and boards and answers that prove the
/// differences to its subfolder witnesses.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder, such as results/ufo-atlas
    folder: PathBuf,
    #[command(flatten)]
    resources: Resources,
}

/// The columns of tables.csv. "paper" is the figure that the article prints.
const TABLES: [&str; 13] = [
    "table",
    "group",
    "possible",
    "problems",
    "movable",
    "analyzed_paper",
    "solvable",
    "solutions",
    "solutions_paper",
    "max_moves",
    "max_moves_paper",
    "max_steps",
    "max_steps_paper",
];

/// The columns of configurations.csv.
const CONFIGURATIONS: [&str; 7] = [
    "list",
    "group",
    "configurations",
    "symmetric_ones_left_out",
    "paper",
    "solutions_of_each",
    "solutions_of_each_paper",
];

impl Arguments {
    pub(crate) fn execute(self, out: &mut dyn Write) -> Result<(), String> {
        let published = published::read_rows(&self.folder.join("published.csv"))?;
        let lists = published::read_configurations(&self.folder.join("published-configurations.csv"))?;
        let mut atlas = self.resources.atlas(Options::ANY_STEPS);
        let groups: Vec<_> = published.iter().map(|row| row.group).collect();
        let ours = rows(&mut atlas, &groups)?;
        let tables: Vec<Vec<String>> = published.iter().zip(&ours).map(|(row, ours)| cells(row, ours)).collect();
        self.write("tables.csv", &TABLES, &tables)?;
        let mut witnesses = Vec::new();
        for (row, ours) in published.iter().zip(&ours).filter(|(row, ours)| row.differs(ours)) {
            let difference = Difference::find(&mut atlas, row, ours)?;
            witnesses.extend(difference.write(&self.folder.join("witnesses"))?);
        }
        self.write("witnesses.csv", &Difference::HEADING, &witnesses)?;
        let lists = lists.iter().map(|published| self.configurations(&mut atlas, published));
        let lists = lists.collect::<Result<Vec<_>, _>>()?;
        self.write("configurations.csv", &CONFIGURATIONS, &lists)?;
        writeln!(out, "{}", self.folder.display()).map_err(unprintable)
    }

    /// Writes a file of the folder.
    fn write(&self, name: &str, heading: &[&str], rows: &[Vec<String>]) -> Result<(), String> {
        let path = self.folder.join(name);
        let file = File::create(&path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        csv(file, heading, rows)
    }

    fn configurations(&self, atlas: &mut Atlas, published: &PublishedConfigurations) -> Result<Vec<String>, String> {
        let all = configurations(atlas.table(published.group)?, self.resources.threads());
        let listed = listed(published.list, &all);
        let asymmetric = listed.iter().filter(|configuration| !configuration.symmetric).count();
        let most = listed.first().filter(|_| published.list == List::Most).map(|first| first.solutions);
        Ok(vec![
            published.list.name().to_owned(),
            published.group.to_string(),
            listed.len().to_string(),
            asymmetric.to_string(),
            cell(published.configurations),
            cell(most),
            cell(published.solutions),
        ])
    }
}

/// Selects the configurations of one of the article's lists.
fn listed(list: List, all: &[Configuration]) -> Vec<&Configuration> {
    let most = all.iter().map(|configuration| configuration.solutions).max();
    let wanted = |configuration: &&Configuration| match list {
        List::Most => Some(configuration.solutions) == most,
        List::One => configuration.has_one(),
        List::All => configuration.has_all(),
    };
    all.iter().filter(wanted).collect()
}

/// A row of tables.csv.
fn cells(published: &PublishedRow, ours: &Row) -> Vec<String> {
    // The article prints 0 if no problem has a solution.
    let most = |most: Option<u32>| most.unwrap_or(0).to_string();
    vec![
        published.table.to_string(),
        published.group.to_string(),
        published.group.possible().to_string(),
        ours.problems.to_string(),
        ours.movable.to_string(),
        cell(published.analyzed),
        ours.solvable.to_string(),
        ours.solutions.to_string(),
        cell(published.solutions),
        most(ours.max_moves),
        cell(published.max_moves),
        most(ours.max_steps),
        cell(published.max_steps),
    ]
}
