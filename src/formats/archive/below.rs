//! Where the entries of a member's document lie in the archive.

use crate::formats::{EntryPath, PathPart};
use std::{collections::HashMap, sync::Arc};

/// Places of a member's entries in the archive: what its paths have in common stays in common.
pub struct Below {
    member: Arc<PathPart>,
    /// By the part of the member's own paths.
    parts: HashMap<*const PathPart, Arc<PathPart>>,
}

impl Below {
    pub fn new(path: &str) -> Self {
        let member = PathPart { above: None, name: path.to_owned().into(), separator: '/' };
        Self { member: Arc::new(member), parts: HashMap::new() }
    }

    pub fn place(&mut self, inner: &EntryPath, path: &str) -> EntryPath {
        match inner {
            EntryPath::Name => EntryPath::In(self.member.clone()),
            EntryPath::In(part) if part.is_whole() => EntryPath::whole(format!("{path}/{}", part.name)),
            EntryPath::In(part) => EntryPath::In(self.part(part)),
        }
    }

    fn part(&mut self, inner: &Arc<PathPart>) -> Arc<PathPart> {
        let mut unknown = Vec::new();
        let mut above = self.member.clone();
        for part in std::iter::successors(Some(inner), |part| part.above.as_ref()) {
            if let Some(known) = self.parts.get(&Arc::as_ptr(part)) {
                above = known.clone();
                break;
            }
            unknown.push(part);
        }
        for part in unknown.into_iter().rev() {
            let own = PathPart { above: Some(above), name: part.name.clone(), separator: part.separator };
            above = Arc::new(own);
            self.parts.insert(Arc::as_ptr(part), above.clone());
        }
        above
    }
}
