//! The classes of a level's actors, as they derive from each other.

use crate::scene::MapActor;
use std::{collections::HashMap, sync::Arc};

/// Classes above each other that are followed.
const MAX_DEPTH: usize = 64;

/// A class, with all that derive from it behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassRow {
    pub name: String,
    pub depth: usize,
    /// Of it and of what derives from it, into the level's actors.
    pub actors: Arc<[u32]>,
    /// Of it alone.
    pub own: usize,
    /// Into the rows: past all that derive from it.
    pub end: usize,
}

#[derive(Default)]
struct Node {
    name: String,
    children: Vec<usize>,
    own: Vec<u32>,
}

/// The classes of actors, each before those that derive from it, by name.
pub fn rows(actors: &[MapActor]) -> Vec<ClassRow> {
    let mut nodes = vec![Node::default()];
    let mut known: HashMap<(usize, String), usize> = HashMap::new();
    for (index, actor) in (0_u32..).zip(actors) {
        let mut at = 0;
        let above = actor.bases.iter().take(MAX_DEPTH);
        for name in above.chain([&actor.class]) {
            at = *known.entry((at, name.to_lowercase())).or_insert_with(|| {
                let node = nodes.len();
                nodes.push(Node { name: name.clone(), ..Node::default() });
                nodes[at].children.push(node);
                node
            });
        }
        nodes[at].own.push(index);
    }
    let mut rows = Vec::new();
    for root in sorted(&nodes, 0) {
        add(&nodes, root, 0, &mut rows);
    }
    rows
}

fn sorted(nodes: &[Node], of: usize) -> Vec<usize> {
    let mut children = nodes[of].children.clone();
    children.sort_by_cached_key(|child| nodes[*child].name.to_lowercase());
    children
}

/// Adds a class and what derives from it; gives all of their actors. No deeper than [`MAX_DEPTH`].
fn add(nodes: &[Node], at: usize, depth: usize, rows: &mut Vec<ClassRow>) -> Vec<u32> {
    let node = &nodes[at];
    let row = rows.len();
    rows.push(ClassRow { name: node.name.clone(), depth, actors: Arc::new([]), own: node.own.len(), end: 0 });
    let mut actors = node.own.clone();
    for child in sorted(nodes, at) {
        actors.extend(add(nodes, child, depth + 1, rows));
    }
    actors.sort_unstable();
    rows[row].end = rows.len();
    rows[row].actors = actors.as_slice().into();
    actors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_stand_below_what_they_derive_from_with_their_actors() {
        let actor = |bases: &[&str], class: &str| MapActor {
            class: class.into(),
            bases: bases.iter().map(|base| (*base).to_owned()).collect(),
            ..MapActor::default()
        };
        let actors = [
            actor(&["Actor", "Light"], "TorchLight"),
            actor(&["Actor", "Brush"], "Mover"),
            actor(&["Actor"], "Light"),
            actor(&["actor"], "light"),
            actor(&["Actor"], "Brush"),
            actor(&[], "Unknown"),
        ];
        let rows = rows(&actors);
        let told: Vec<(&str, usize, usize, usize, usize)> =
            rows.iter().map(|row| (row.name.as_str(), row.depth, row.actors.len(), row.own, row.end)).collect();
        assert_eq!(
            told,
            [
                ("Actor", 0, 5, 0, 5),
                ("Brush", 1, 2, 1, 3),
                ("Mover", 2, 1, 1, 3),
                ("Light", 1, 3, 2, 5),
                ("TorchLight", 2, 1, 1, 5),
                ("Unknown", 0, 1, 1, 6),
            ]
        );
        assert_eq!(*rows[3].actors, [0, 2, 3]);
        assert!(super::rows(&[]).is_empty());
    }

    #[test]
    fn a_chain_of_classes_has_an_end() {
        let bases: Arc<[String]> = (0..100_000).map(|number| number.to_string()).collect();
        let rows = rows(&[MapActor { class: "Last".into(), bases, ..MapActor::default() }]);
        assert_eq!((rows.len(), rows.last().map(|row| row.name.as_str())), (MAX_DEPTH + 1, Some("Last")));
    }
}
