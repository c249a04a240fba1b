//! Names and paths that were probably meant, for the end of an error.

use std::path::{Path, PathBuf};

/// The name that was probably meant: the one with the smallest edit distance from the given name, if that is at most a
/// third of the given name's length. Case is ignored.
pub fn nearest<'a>(name: &str, available: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let most = (wanted.chars().count() / 3).max(1);
    let distance = |other: &str| strsim::damerau_levenshtein(&wanted, &other.to_lowercase());
    let near = available.into_iter().map(|other| (distance(other), other));
    let near = near.filter(|(distance, other)| *distance <= most && *distance < other.chars().count());
    near.min_by_key(|(distance, _)| *distance).map(|(_, other)| other)
}

/// The existing file or folder that was probably meant by a path that leads nowhere.
pub fn similar(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.exists() {
        let meant = similar(folder)?.join(path.file_name()?);
        return meant.exists().then_some(meant);
    }
    let there = std::fs::read_dir(folder).ok()?.flatten();
    let there: Vec<String> = there.map(|item| item.file_name().to_string_lossy().into_owned()).collect();
    let name = path.file_name()?.to_string_lossy();
    let near = nearest(&name, there.iter().map(String::as_str).filter(|other| *other != name))?;
    Some(path.with_file_name(near))
}

/// The path that was probably meant, as the end of an error: `; did you mean runs/1?`; empty if there is none.
pub fn did_you_mean(path: &Path) -> String {
    similar(path).map_or(String::new(), |near| format!("; did you mean {}?", near.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_takes_few_changes_of_letters() {
        assert_eq!(nearest("limt", ["name", "limit", "cores"]), Some("limit"));
        assert_eq!(nearest("foxy", ["AID", "FOXY"]), Some("FOXY"));
        assert_eq!(nearest("ocmmand", ["command"]), Some("command"), "two letters that changed places are one change");
        assert_eq!((nearest("chess", ["loyd", "swap"]), nearest("B", ["A"]), nearest("x", [])), (None, None, None));
    }

    #[test]
    fn a_path_is_near_in_each_of_its_folders() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = |path: &str| folder.path().join(path);
        std::fs::create_dir_all(inside("results/first")).expect("folders");
        assert_eq!(similar(&inside("resluts")), Some(inside("results")));
        assert_eq!(similar(&inside("resluts/first")), Some(inside("results/first")));
        assert_eq!(similar(&inside("resluts/second")), None);
        assert_eq!(did_you_mean(&inside("other")), "");
        assert_eq!(did_you_mean(&inside("result")), format!("; did you mean {}?", inside("results").display()));
    }
}
