//! Who takes what from whom around one file, laid out for drawing.

use super::{Catalog, FileIndex, Links, Target, Way};
use crate::files::text_of;
use std::collections::HashMap;

/// Maximum distance of shown files from the file.
const MAX_STEPS: u32 = 3;
/// Files that are shown each way, and what is missing.
const MAX_FILES: usize = 60;

/// Files and what they take from each other, around one of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The first is the file in the middle.
    pub nodes: Vec<GraphNode>,
    /// The edges between the nodes.
    pub edges: Vec<GraphEdge>,
    /// There are more files, which are not shown.
    pub is_cut: bool,
}

/// A file of a [`Graph`].
#[derive(Clone, Debug, PartialEq)]
pub struct GraphNode {
    /// The file that the node represents.
    pub what: GraphFile,
    /// How many steps away: what is needed lies above 0, what uses it below.
    pub column: i32,
    /// Within the column, from 0.
    pub row: usize,
}

/// The file of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphFile {
    /// A file of the collection.
    File(FileIndex),
    /// No file of the collection: what the file in the middle calls it by.
    Missing(String),
}

/// One node takes things from another one. Both are numbers of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// Index of the node that takes things.
    pub from: usize,
    /// Index of the node that has the things.
    pub to: usize,
    /// Things that are taken.
    pub count: u32,
}

impl Graph {
    /// Returns the files around a file.
    pub fn around(catalog: &Catalog, links: &Links, file: FileIndex) -> Self {
        let mut graph = Self::default();
        let mut node_of: HashMap<FileIndex, usize> = HashMap::new();
        for (way, sign) in [(Way::Needs, 1), (Way::Users, -1)] {
            let reached = links.reach(file, way, MAX_STEPS, MAX_FILES);
            graph.is_cut |= reached.is_cut;
            for (file, steps) in reached.files {
                let column = i32::try_from(steps).unwrap_or(i32::MAX).saturating_mul(sign);
                node_of.entry(file).or_insert_with(|| graph.add(GraphFile::File(file), column));
            }
        }
        let files: Vec<(FileIndex, usize)> = node_of.iter().map(|(file, node)| (*file, *node)).collect();
        for (file, from) in files {
            for edge in links.needed_files(file) {
                if let Some(to) = node_of.get(&edge.to).copied().filter(|to| *to != from) {
                    graph.edges.push(GraphEdge { from, to, count: edge.count });
                }
            }
        }
        for need in links.needs(catalog, file).iter().filter(|need| need.target == Target::Missing).take(MAX_FILES) {
            let to = graph.add(GraphFile::Missing(need.name.to_owned()), 1);
            graph.edges.push(GraphEdge { from: 0, to, count: u32::try_from(need.entries.len()).unwrap_or(u32::MAX) });
        }
        graph.edges.sort_unstable_by_key(|edge| (edge.from, edge.to));
        graph.order(catalog);
        graph
    }

    fn add(&mut self, what: GraphFile, column: i32) -> usize {
        self.nodes.push(GraphNode { what, column, row: 0 });
        self.nodes.len().saturating_sub(1)
    }

    /// Puts the nodes of each column in the order of those that they hang on, so that few lines cross; then by path.
    fn order(&mut self, catalog: &Catalog) {
        let mut columns: Vec<i32> = self.nodes.iter().map(|node| node.column).collect();
        columns.sort_unstable_by_key(|column| (column.unsigned_abs(), *column));
        columns.dedup();
        for column in columns {
            let mut own: Vec<usize> = (0..self.nodes.len()).filter(|at| self.column(*at) == Some(column)).collect();
            own.sort_by_cached_key(|at| (self.middle_of_inner(*at, column), self.name(*at, catalog)));
            for (row, at) in own.into_iter().enumerate() {
                if let Some(node) = self.nodes.get_mut(at) {
                    node.row = row;
                }
            }
        }
    }

    fn column(&self, node: usize) -> Option<i32> {
        self.nodes.get(node).map(|node| node.column)
    }

    /// The mean row, in hundredths, of the neighbours that are nearer to the middle.
    fn middle_of_inner(&self, node: usize, column: i32) -> usize {
        let neighbours = self.edges.iter().filter_map(|edge| match (edge.from == node, edge.to == node) {
            (true, false) => Some(edge.to),
            (false, true) => Some(edge.from),
            _ => None,
        });
        let inner = neighbours.filter_map(|at| self.nodes.get(at));
        let rows: Vec<usize> =
            inner.filter(|node| node.column.unsigned_abs() < column.unsigned_abs()).map(|node| node.row).collect();
        let sum = rows.iter().fold(0_usize, |sum, row| sum.saturating_add(*row));
        sum.saturating_mul(100).checked_div(rows.len()).unwrap_or(usize::MAX)
    }

    fn name(&self, node: usize, catalog: &Catalog) -> String {
        match self.nodes.get(node).map(|node| &node.what) {
            Some(GraphFile::File(file)) => catalog.file(*file).map(|file| text_of(&file.path).into_owned()),
            Some(GraphFile::Missing(name)) => Some(name.clone()),
            None => None,
        }
        .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::collection::{CatalogBuilder, ImportRecord, Record};
    use std::path::PathBuf;

    /// Files by name, each with the packages that it takes something from.
    fn catalog(files: &[(&str, &[&str])]) -> Catalog {
        let mut builder = CatalogBuilder::default();
        for (name, needs) in files {
            let import = |package: &&str| ImportRecord {
                file: (*package).to_owned().into(),
                path: "Thing".into(),
                class: "Texture".into(),
                is_built_in: *package == "Core",
            };
            let imports = needs.iter().map(import).collect();
            let record = Record { format: "unreal".into(), imports, ..Record::default() };
            builder.add(PathBuf::from(format!("/game/{name}")), 1, None, 1, record);
        }
        builder.finish()
    }

    #[test]
    fn what_is_needed_lies_to_one_side_and_what_uses_it_to_the_other() {
        let files: &[(&str, &[&str])] = &[
            ("Map.unr", &["Walls", "Code"]),
            ("Walls.utx", &[]),
            ("Code.u", &["Walls", "Core", "Gone"]),
            ("Other.unr", &["Code"]),
            ("Alone.utx", &[]),
        ];
        let catalog = catalog(files);
        let links = Links::of(&catalog);
        let of = |file: u32| {
            let graph = Graph::around(&catalog, &links, FileIndex(file));
            let mut nodes: Vec<(i32, usize, String)> = (0..graph.nodes.len())
                .map(|at| (graph.nodes[at].column, graph.nodes[at].row, graph.name(at, &catalog).replace("/game/", "")))
                .collect();
            nodes.sort();
            (nodes, graph)
        };
        let (nodes, graph) = of(2);
        let node = |column, row, name: &str| (column, row, name.to_owned());
        // What is built into the executable is no file.
        let expected = [
            node(-1, 0, "Map.unr"),
            node(-1, 1, "Other.unr"),
            node(0, 0, "Code.u"),
            node(1, 0, "Walls.utx"),
            node(1, 1, "Gone"),
        ];
        // Both hang on the same file, and then come by path: a missing one has none.
        let by_name = |nodes: &[(i32, usize, String)]| {
            let mut names: Vec<(i32, String)> = nodes.iter().map(|(column, _, name)| (*column, name.clone())).collect();
            names.sort();
            names
        };
        assert_eq!(by_name(&nodes), by_name(&expected));
        assert!(!graph.is_cut && graph.nodes[0].what == GraphFile::File(FileIndex(2)));
        // Code to walls, code to what is missing, both maps to code, a map to walls.
        assert_eq!(graph.edges.len(), 5);
        assert!(graph.edges.iter().all(|edge| edge.count == 1));
        let (alone, graph) = of(4);
        assert_eq!((alone.len(), graph.edges.len()), (1, 0));
    }

    #[test]
    fn circles_end_and_many_files_are_cut() {
        let names: Vec<String> = (0..200).map(|n| format!("P{n}.u")).collect();
        let stems: Vec<String> = (0..200).map(|n| format!("P{n}")).collect();
        let all: Vec<&str> = stems.iter().map(String::as_str).collect();
        let files: Vec<(&str, &[&str])> = names.iter().map(|name| (name.as_str(), &all[..])).collect();
        let catalog = catalog(&files);
        let links = Links::of(&catalog);
        let graph = Graph::around(&catalog, &links, FileIndex(0));
        assert!(graph.is_cut && graph.nodes.len() <= 2 * MAX_FILES, "{}", graph.nodes.len());
        let rows: std::collections::BTreeSet<(i32, usize)> = graph.nodes.iter().map(|n| (n.column, n.row)).collect();
        assert_eq!(rows.len(), graph.nodes.len(), "no two lie in one place");
    }
}
