//! INF1: what of the model belongs to what, and in which order it is drawn (formats/j3d.md §6.1).

use super::super::{codes, file::Findings};
use crate::formats::{
    Field, Value,
    field_reader::{Fault, FieldReader, enumerated},
};

const END: u16 = 0;
const OPEN: u16 = 1;
const CLOSE: u16 = 2;
const JOINT: u16 = 0x10;
const MATERIAL: u16 = 0x11;
const SHAPE: u16 = 0x12;

/// Levels that the hierarchy is shown in; what lies deeper stands in the last of them.
const MAX_LEVELS: usize = 64;
/// Nodes that are shown inside each other; more of them are shown as a list.
const MAX_IN_TREE: usize = 16_384;
/// Levels that the hierarchy is followed through; real ones have a few dozen.
const DEEPEST: usize = 4096;

/// The chunk.
#[derive(Clone, Debug, Default)]
pub struct Inf1 {
    /// The low four bits are the scaling rule; 0x100: not to be animated.
    pub flags: u16,
    /// Kind and value.
    pub nodes: Vec<(u16, u16)>,
}

/// What a node that is not mere structure names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    Joint,
    Material,
    Shape,
}

/// A shape's place in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedShape {
    pub shape: u16,
    pub material: Option<u16>,
    /// The joint that it hangs on.
    pub joint: Option<u16>,
}

/// What the nodes say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchy {
    /// Joints in the order they are met, each with its parent; a joint that is met again counts the first time.
    pub joints: Vec<(u16, Option<u16>)>,
    /// In drawing order; a shape may be drawn more than once.
    pub shapes: Vec<PlacedShape>,
}

fn kind_name(kind: u16) -> Option<&'static str> {
    Some(match kind {
        END => "end",
        OPEN => "open",
        CLOSE => "close",
        JOINT => "joint",
        MATERIAL => "material",
        SHAPE => "shape",
        _ => return None,
    })
}

fn scaling_name(rule: u16) -> Option<&'static str> {
    ["basic", "SoftImage", "Maya"].get(usize::from(rule)).copied()
}

/// Reads the chunk; the cursor stands behind its header.
pub fn read(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Inf1, Fault> {
    let at = r.offset();
    let flags = r.raw().u16()?;
    r.record("Flags", "u16", at, || {
        let name = scaling_name(flags & 15).map(|name| match flags & 0x100 {
            0 => format!("{name} scaling").into(),
            _ => format!("{name} scaling, not animated").into(),
        });
        match name {
            Some(name) => Value::Enum { value: i64::from(flags), name },
            None => Value::UInt(u64::from(flags)),
        }
    });
    if scaling_name(flags & 15).is_none() {
        let message = format!("unknown scaling rule {}; basic scaling is used", flags & 15);
        findings.add(&codes::BAD_VALUE, Some(at), message);
    }
    r.pad(2)?;
    r.u32("PacketCount")?;
    r.u32("VertexCount")?;
    let hierarchy = r.u32("HierarchyOffset")?;
    r.seek_in_range(hierarchy)?;
    let start = r.offset();
    let mut nodes = Vec::new();
    let raw = r.raw();
    loop {
        let (Ok(kind), Ok(value)) = (raw.u16(), raw.u16()) else {
            findings.add(&codes::BAD_HIERARCHY, Some(start), "the hierarchy has no end node; the nodes found are used");
            break;
        };
        nodes.push((kind, value));
        if kind == END {
            break;
        }
        if kind_name(kind).is_none() {
            let at = start.saturating_add((nodes.len() as u64).saturating_sub(1).saturating_mul(4));
            findings.add(&codes::BAD_HIERARCHY, Some(at), format!("unknown node type {kind}; the node is skipped"));
        }
    }
    if r.is_recording() && nodes.len() > MAX_IN_TREE {
        r.seek(start)?;
        r.records("Hierarchy", "Node", nodes.len() as u64, 4, |r, _| {
            r.named_u16("Type", kind_name)?;
            r.u16("Value")
        })?;
    } else if r.is_recording() {
        let fields = tree(&nodes, start);
        let size = (nodes.len() as u64).saturating_mul(4);
        r.push(Field::group("Hierarchy", "Node[]", start, size, fields));
    }
    Ok(Inf1 { flags, nodes })
}

/// The nodes as fields inside each other, as they are opened.
fn tree(nodes: &[(u16, u16)], start: u64) -> Vec<Field> {
    let mut levels: Vec<Vec<Field>> = vec![Vec::new()];
    for (index, (kind, value)) in nodes.iter().enumerate() {
        let at = start.saturating_add((index as u64).saturating_mul(4));
        let end = at.saturating_add(4);
        let kind_field = Field::new("Type", "u16", enumerated(i64::from(*kind), kind_name(*kind)), at, 2);
        let value_field = Field::new("Value", "u16", Value::UInt(u64::from(*value)), at.saturating_add(2), 2);
        let name = match *kind {
            END => "End",
            OPEN => "Open",
            CLOSE => "Close",
            JOINT => "Joint",
            MATERIAL => "Material",
            SHAPE => "Shape",
            _ => "Node",
        };
        let mut node = Field::group(name, "Node", at, 4, vec![kind_field, value_field]);
        if *kind >= JOINT {
            node.value = Value::UInt(u64::from(*value));
        }
        if *kind == OPEN && levels.len() < MAX_LEVELS {
            levels.push(Vec::new());
        }
        if let Some(level) = levels.last_mut() {
            level.push(node);
        }
        if *kind == CLOSE && levels.len() > 1 {
            fold(&mut levels, end);
        }
    }
    let end = start.saturating_add((nodes.len() as u64).saturating_mul(4));
    while levels.len() > 1 {
        fold(&mut levels, end);
    }
    levels.pop().unwrap_or_default()
}

/// Puts the deepest level into the last node of the one above.
fn fold(levels: &mut Vec<Vec<Field>>, end: u64) {
    let (Some(inside), Some(above)) = (levels.pop(), levels.last_mut()) else { return };
    let start = inside.first().map_or(end, |f| f.offset);
    match above.last_mut().map(|node| (&mut node.children, &mut node.size, node.offset)) {
        Some((crate::formats::Children::Fields(fields), size, offset)) => {
            fields.extend(inside);
            *size = end.saturating_sub(offset);
        }
        _ => above.push(Field::group("Inside", "", start, end.saturating_sub(start), inside)),
    }
}

/// What an open list of children belongs to.
#[derive(Clone, Copy, Default)]
struct Level {
    /// The joint around it.
    joint: Option<u16>,
    /// The last joint in it, or the one around it.
    last: Option<u16>,
}

impl Inf1 {
    /// The low bits of the flags.
    pub fn scaling_rule(&self) -> u16 {
        self.flags & 15
    }

    /// The scaling rule in words, and whether the model is not to be animated.
    pub fn scaling_text(&self) -> String {
        let name = scaling_name(self.scaling_rule()).unwrap_or("unknown");
        if self.flags & 0x100 == 0 { name.to_owned() } else { format!("{name}, not animated") }
    }

    /// The nodes that name something, each with how many of them it lies in, and its number.
    pub fn nodes_by_depth(&self) -> impl Iterator<Item = (usize, NodeKind, u16)> {
        // For each open list: the depth of what is in it, and whether its last node names something.
        let mut levels = vec![(0_usize, false)];
        self.nodes.iter().filter_map(move |(kind, value)| {
            let (depth, last_names) = levels.last().copied()?;
            let kind = match *kind {
                OPEN if levels.len() < DEEPEST => {
                    levels.push((depth.saturating_add(usize::from(last_names)), false));
                    return None;
                }
                CLOSE if levels.len() > 1 => {
                    levels.pop();
                    return None;
                }
                JOINT => Some(NodeKind::Joint),
                MATERIAL => Some(NodeKind::Material),
                SHAPE => Some(NodeKind::Shape),
                _ => None,
            };
            if let Some((_, names)) = levels.last_mut() {
                *names = kind.is_some();
            }
            kind.map(|kind| (depth, kind, *value))
        })
    }

    /// Follows the nodes to their end.
    pub fn hierarchy(&self) -> Hierarchy {
        let mut hierarchy = Hierarchy::default();
        let mut met = std::collections::HashSet::new();
        let mut levels = vec![Level::default()];
        let mut too_deep = 0_usize;
        let mut material = None;
        for (kind, value) in &self.nodes {
            let depth = levels.len();
            let Some(level) = levels.last_mut() else { break };
            match *kind {
                END => break,
                OPEN if depth >= DEEPEST => too_deep = too_deep.saturating_add(1),
                OPEN => {
                    let joint = level.last;
                    levels.push(Level { joint, last: joint });
                }
                CLOSE if too_deep > 0 => too_deep = too_deep.saturating_sub(1),
                CLOSE if depth > 1 => drop(levels.pop()),
                JOINT => {
                    if met.insert(*value) {
                        hierarchy.joints.push((*value, level.joint));
                    }
                    level.last = Some(*value);
                }
                MATERIAL => material = Some(*value),
                SHAPE => hierarchy.shapes.push(PlacedShape { shape: *value, material, joint: level.joint }),
                _ => {}
            }
        }
        hierarchy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Endian, Source},
        formats::coverage::gaps,
    };

    fn chunk(nodes: &[(u16, u16)]) -> Vec<u8> {
        let mut bytes = b"INF1\0\0\0\0\0\x02\xFF\xFF\0\0\0\x01\0\0\0\x09\0\0\0\x18".to_vec();
        for (kind, value) in nodes {
            bytes.extend(kind.to_be_bytes());
            bytes.extend(value.to_be_bytes());
        }
        bytes
    }

    fn read_bytes(bytes: Vec<u8>) -> (Inf1, Vec<&'static str>) {
        let source = Source::from(bytes);
        let mut findings = Findings::default();
        let range = 0..source.len() as u64;
        let mut r = FieldReader::new(&source, range.clone(), Endian::Big).recording();
        r.tag::<4>("Tag").unwrap();
        r.u32("Size").unwrap();
        let inf1 = read(&mut r, &mut findings).unwrap();
        assert!(gaps(&r.into_fields(), range.start..range.end / 4 * 4).is_empty());
        (inf1, findings.codes())
    }

    #[test]
    fn parents_materials_and_order_come_from_the_nodes() {
        let nodes = [
            (JOINT, 0),
            (OPEN, 0),
            (MATERIAL, 5),
            (OPEN, 0),
            (SHAPE, 1),
            (JOINT, 1),
            (OPEN, 0),
            (SHAPE, 2),
            (CLOSE, 0),
            (JOINT, 2),
            (CLOSE, 0),
            (JOINT, 3),
            (MATERIAL, 6),
            (SHAPE, 0),
            (CLOSE, 0),
            (END, 0),
        ];
        let (inf1, codes) = read_bytes(chunk(&nodes));
        assert!(codes.is_empty());
        assert_eq!(inf1.scaling_rule(), 2);
        let hierarchy = inf1.hierarchy();
        assert_eq!(hierarchy.joints, [(0, None), (1, Some(0)), (2, Some(0)), (3, Some(0))]);
        let placed = |shape, material, joint| PlacedShape { shape, material: Some(material), joint: Some(joint) };
        assert_eq!(hierarchy.shapes, [placed(1, 5, 0), placed(2, 5, 1), placed(0, 6, 0)]);
    }

    #[test]
    fn lists_without_an_end_and_joints_met_again_are_taken_as_they_are() {
        let nodes =
            [(JOINT, 0), (OPEN, 0), (JOINT, 1), (OPEN, 0), (JOINT, 0), (0x77, 1), (CLOSE, 0), (CLOSE, 0), (CLOSE, 0)];
        let (inf1, codes) = read_bytes(chunk(&nodes));
        assert_eq!(codes, ["j3d.bad-hierarchy"; 2]);
        assert_eq!(inf1.hierarchy().joints, [(0, None), (1, Some(0))]);
    }

    #[test]
    fn depth_is_bounded() {
        let nodes: Vec<(u16, u16)> = (0..60_000_u16).flat_map(|i| [(JOINT, i), (OPEN, 0)]).collect();
        let run = move || read_bytes(chunk(&nodes)).0.hierarchy().joints.len();
        let worker = std::thread::Builder::new().stack_size(512 << 10).name("deep".into());
        assert_eq!(worker.spawn(run).unwrap().join().unwrap(), 60_000);
    }
}
