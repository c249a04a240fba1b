//! A test is in the quick tier, which the README's command runs, or in the deep one, `.ci/deep`. CONTRIBUTING.md has a table
//! of the groups of the deep tier, with what each needs and why it is not in the quick one.

use crate::support::*;

/// The groups that are test programs of their own. Their tests carry no mark.
const PROGRAMS: [&str; 2] = ["browser", "slurm"];

/// The groups of the table in CONTRIBUTING.md.
fn groups() -> BTreeSet<String> {
    let text = fs::read_to_string(project().join("CONTRIBUTING.md")).unwrap();
    let table = text.split_once("\n| group |").expect("a table of groups").1;
    let rows = table.lines().skip(2).take_while(|line| line.starts_with("| `"));
    rows.map(|row| row.split('`').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn every_test_that_the_quick_tier_leaves_out_is_in_a_group_of_the_deep_tier() {
    let groups = groups();
    let mut used: BTreeSet<String> = PROGRAMS.map(str::to_owned).into();
    // Not as it is written at a test, or this file had one without a group.
    let mark = ["#[", "ignore"].concat();
    for file in
        files_below(&["judge", "entries", "fuzz"]).iter().filter(|file| file.extension().is_some_and(|end| end == "rs"))
    {
        let text = fs::read_to_string(file).unwrap();
        for line in text.lines().filter(|line| line.trim_start().starts_with(&mark)) {
            let reason = line.split('"').nth(1).unwrap_or_default();
            let group = reason.strip_prefix("deep: ").map(|group| group.split(':').next().unwrap_or(group));
            let group = group.filter(|group| groups.contains(*group));
            let group =
                group.unwrap_or_else(|| panic!("{}: `{line}` names no group of CONTRIBUTING.md", file.display()));
            used.insert(group.to_owned());
        }
    }
    assert_eq!(used, groups, "the groups that have tests, and those of CONTRIBUTING.md");
}
