//! Folders that are prepared once for several tests.

use std::fs;
use std::path::PathBuf;

use super::{Folder, write};

/// A folder that several tests start from and the first one creates: its folders and files, with their permissions. It
/// is in memory, as it would stay on the disk.
pub(crate) struct Made(Vec<(PathBuf, fs::Permissions, Option<Vec<u8>>)>);

impl Made {
    pub(crate) fn of(folder: &Folder) -> Self {
        let (mut items, mut folders) = (Vec::new(), vec![PathBuf::new()]);
        while let Some(below) = folders.pop() {
            for item in fs::read_dir(folder.path().join(&below)).unwrap().map(Result::unwrap) {
                let (name, metadata) = (below.join(item.file_name()), item.metadata().unwrap());
                let content = metadata.is_file().then(|| fs::read(item.path()).unwrap());
                if content.is_none() {
                    folders.push(name.clone());
                }
                items.push((name, metadata.permissions(), content));
            }
        }
        Self(items)
    }

    /// A new folder with these contents.
    pub(crate) fn folder(&self) -> Folder {
        let folder = Folder::new();
        self.put_into(&folder);
        folder
    }

    pub(crate) fn put_into(&self, folder: &Folder) {
        for (name, permissions, content) in &self.0 {
            let path = folder.path().join(name);
            match content {
                None => fs::create_dir(&path).unwrap(),
                Some(content) => write(&path, content),
            }
            fs::set_permissions(&path, permissions.clone()).unwrap();
        }
    }
}
