//! The nodes of a partition, grouped by kind.

use std::collections::{BTreeMap, BTreeSet};

use crate::commands::{Slurm, SlurmError, call};
use crate::{ClusterError, Group};

/// A node as Slurm describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node {
    /// Its name in Slurm.
    pub name: String,
    /// Its kind: features, sockets, cores and memory.
    kind: String,
    cores: usize,
    /// The state in Slurm's words.
    pub state: String,
    /// True if it can take jobs.
    pub usable: bool,
}

impl Slurm<'_> {
    /// The nodes of the partition that the options name, or of the default one.
    ///
    /// # Errors
    /// [`SlurmError::NoNode`] and [`SlurmError::Refused`].
    pub fn nodes(&self) -> Result<Vec<Node>, SlurmError> {
        let format =
            "--Format=NodeList:|,Partition:|,StateLong:|,Sockets:|,Cores:|,Memory:|,Features:|,PartitionName:|";
        let options = ["--noheader", "--Node", format].map(str::to_owned);
        let partition = self.partition().map(|partition| format!("--partition={partition}"));
        let options: Vec<String> = options.into_iter().chain(partition.clone()).collect();
        let printed = call("sinfo", &options, "")?;
        let lines: Vec<(Node, bool)> = printed.lines().filter_map(parse_node).collect();
        let usual = partition.is_none() && lines.iter().any(|(_, usual)| *usual);
        let mut nodes: Vec<Node> = Vec::new();
        for (node, of_usual) in lines {
            if (!usual || of_usual) && nodes.iter().all(|known| known.name != node.name) {
                nodes.push(node);
            }
        }
        if nodes.is_empty() {
            return Err(SlurmError::NoNode);
        }
        Ok(nodes)
    }

    /// The nodes by their kinds: as the site file lists them, or as Slurm describes them. Nodes that the options for
    /// `sbatch` do not select count with no cores.
    ///
    /// # Errors
    /// Those of [`Self::nodes`].
    pub fn groups(&self, alike: &[String]) -> Result<Vec<Group>, SlurmError> {
        let nodes = self.nodes()?;
        let mut kinds: BTreeMap<String, String> = BTreeMap::new();
        for list in alike {
            let names = call("scontrol", &["show".into(), "hostnames".into(), list.clone()], "")?;
            kinds.extend(names.lines().map(|name| (name.trim().to_owned(), list.clone())));
        }
        let mut groups: Vec<Group> = Vec::new();
        for node in nodes {
            let kind = kinds.get(&node.name).cloned().unwrap_or(node.kind);
            let at = groups.iter().position(|group| group.name == kind).unwrap_or_else(|| {
                groups.push(Group { name: kind, nodes: Vec::new(), cores: 0 });
                groups.len() - 1
            });
            groups[at].nodes.push(node.name);
            groups[at].cores += if node.usable { node.cores } else { 0 };
        }
        if groups.len() > 1 {
            let names: BTreeSet<String> = groups.iter().flat_map(|group| group.nodes.clone()).collect();
            for group in &mut groups {
                let others: Vec<&str> =
                    names.iter().filter(|name| !group.nodes.contains(name)).map(String::as_str).collect();
                if group.cores > 0 && !self.leads_to(&others)? {
                    group.cores = 0;
                }
            }
        }
        if groups.iter().all(|group| group.cores == 0) {
            // The nodes may come back while the arrays wait.
            groups.iter_mut().for_each(|group| group.cores = group.nodes.len());
        }
        Ok(groups)
    }

    /// Tests whether a job with the options could run on any node except these.
    fn leads_to(&self, excluded: &[&str]) -> Result<bool, SlurmError> {
        let mut options = self.options().to_vec();
        options.extend(["--test-only".into(), "--ntasks=1".into(), format!("--exclude={}", excluded.join(","))]);
        match call("sbatch", &options, "#!/bin/sh\n") {
            Ok(_) => Ok(true),
            Err(ClusterError::Permanent(reason)) if reason.contains("node configuration") => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The partition that the options name.
    fn partition(&self) -> Option<String> {
        let mut options = self.options().iter();
        let mut found = None;
        while let Some(option) = options.next() {
            if matches!(&**option, "-p" | "--partition") {
                found = options.next().cloned();
            } else if let Some(name) = option.strip_prefix("--partition=") {
                found = Some(name.to_owned());
            } else if let Some(name) = option.strip_prefix("-p").filter(|_| !option.starts_with("--")) {
                found = Some(name.trim_start_matches('=').to_owned());
            }
        }
        found
    }
}

/// The node of a line of `sinfo`, and whether the line belongs to the default partition, whose name has a star.
fn parse_node(line: &str) -> Option<(Node, bool)> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, partition, state, sockets, cores, memory, features, ..] = fields[..] else { return None };
    let of_node = sockets.parse::<usize>().ok()? * cores.parse::<usize>().ok()?;
    let broken = ["down", "drain", "fail", "unk", "maint", "power", "inval", "reboot"];
    let usable = !state.contains('*') && !broken.iter().any(|word| state.contains(word));
    let features = if matches!(features, "(null)" | "") { String::new() } else { format!("{features}, ") };
    let kind = format!("{features}{sockets} sockets of {cores} cores, {memory} MB");
    let node = Node { name: name.into(), kind, cores: of_node, state: state.into(), usable };
    Some((node, partition.ends_with('*')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_sinfo() {
        let (node, usual) = parse_node("n1|main*|idle|2|1|4000|fast,new|main|").unwrap_or_else(|| panic!("a node"));
        assert!(usual && node.usable && (&*node.name, node.cores) == ("n1", 2));
        assert_eq!(node.kind, "fast,new, 2 sockets of 1 cores, 4000 MB");
        let (node, usual) = parse_node("n2|long|down*|1|8|4000|(null)|long|").unwrap_or_else(|| panic!("a node"));
        assert!(!usual && !node.usable && node.cores == 8);
        assert_eq!(parse_node("garbage"), None);
    }
}
