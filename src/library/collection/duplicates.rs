//! What lies in a collection more than once.

use super::{Catalog, FileIndex, RowIndex};
use crate::formats::EntryId;
use rayon::prelude::*;
use std::collections::HashMap;

/// Things of equal content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Same<T> {
    /// In the catalog's order; two or more.
    pub members: Vec<T>,
    /// Bytes of one of them.
    pub size: u64,
}

impl<T> Same<T> {
    /// Bytes that all but one of them take.
    pub fn waste(&self) -> u64 {
        let others = self.members.len().saturating_sub(1);
        self.size.saturating_mul(others as u64)
    }
}

/// The duplicates in a collection, by digest and size. The largest waste comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// Groups of equal files.
    pub files: Vec<Same<FileIndex>>,
    /// Entries of files, each file of a group of equal ones counted once: what is in equal files is no news.
    pub entries: Vec<Same<RowIndex>>,
}

impl Duplicates {
    /// Finds them. Blocks: call it on a worker.
    pub fn of(catalog: &Catalog) -> Self {
        let files = (0..).map(FileIndex).zip(catalog.files());
        let files = groups(files.map(|(index, file)| (file.digest, file.size, index)).collect());
        // The first of equal files stands for them.
        let mut stands_for: HashMap<FileIndex, FileIndex> = HashMap::new();
        for group in &files {
            let Some((first, others)) = group.members.split_first() else { continue };
            stands_for.extend(others.iter().map(|other| (*other, *first)));
        }
        let rows = catalog.rows().filter(|(_, row)| row.entry != EntryId::FILE && !stands_for.contains_key(&row.file));
        let entries = groups(rows.map(|(index, row)| (row.digest, row.size, index)).collect());
        Self { files, entries }
    }

    /// Returns the total size of duplicate files, in bytes.
    pub fn waste_of_files(&self) -> u64 {
        self.files.iter().fold(0, |sum, group| sum.saturating_add(group.waste()))
    }
}

/// What has one digest and size.
fn groups<T: Copy + Ord + Send>(mut things: Vec<(u64, u64, T)>) -> Vec<Same<T>> {
    // Nothing has no digest, and what is empty wastes nothing.
    things.retain(|(digest, size, _)| *digest != 0 && *size != 0);
    things.par_sort_unstable();
    let same = things.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
    let mut groups: Vec<Same<T>> = same
        .filter(|group| group.len() > 1)
        .filter_map(|group| {
            let size = group.first()?.1;
            Some(Same { members: group.iter().map(|(_, _, thing)| *thing).collect(), size })
        })
        .collect();
    groups.sort_by(|a, b| b.waste().cmp(&a.waste()).then_with(|| a.members.cmp(&b.members)));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::{Content, Role},
        library::collection::made::{catalog, file},
    };

    #[test]
    fn equal_content_is_found_the_largest_waste_first() {
        let member = |made: crate::library::collection::made::Made, path: &str, size, digest| {
            made.entry(path, "Texture", Role::Texture, Content::Image).bytes(size, digest)
        };
        let a = member(member(file("/a.utx", "u").bytes(1_000, 7), "Wall", 100, 5), "Wall2", 100, 5);
        let copy_of_a = member(member(file("/copy/a.utx", "u").bytes(1_000, 7), "Wall", 100, 5), "Wall2", 100, 5);
        let other = member(member(file("/b.utx", "u").bytes(900, 8), "Door", 150, 6), "Wall", 100, 5);
        let third = member(member(file("/c.utx", "u").bytes(900, 7), "Door", 150, 6), "Nothing", 0, 9);
        // What is empty or not compared is equal to nothing.
        let empty = member(member(file("/d.utx", "u").bytes(0, 3), "x", 50, 0), "y", 50, 0);
        let also_empty = file("/e.utx", "u").bytes(0, 3);
        let found = catalog([a, copy_of_a, other, third, empty, also_empty]);
        let same = Duplicates::of(&found);
        assert_eq!(same.files, [Same { members: vec![FileIndex(0), FileIndex(1)], size: 1_000 }]);
        assert_eq!(same.waste_of_files(), 1_000);
        let rows = |group: &Same<RowIndex>| {
            let name = |row| {
                let row = found.row(row).unwrap();
                format!("{} {}", found.file(row.file).unwrap().path.display(), row.name)
            };
            (group.waste(), group.members.iter().map(|row| name(*row)).collect::<Vec<_>>())
        };
        let entries: Vec<_> = same.entries.iter().map(rows).collect();
        assert_eq!(
            entries,
            [
                (200, vec!["/a.utx Wall".to_owned(), "/a.utx Wall2".to_owned(), "/b.utx Wall".to_owned()]),
                (150, vec!["/b.utx Door".to_owned(), "/c.utx Door".to_owned()]),
            ]
        );
        assert_eq!(Duplicates::of(&Catalog::default()), Duplicates::default());
        let huge = Same { members: vec![0; 3], size: u64::MAX };
        assert_eq!(huge.waste(), u64::MAX);
    }
}
