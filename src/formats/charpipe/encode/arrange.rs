//! Puts vertices into the lists of a skin, as games do (formats/charpipe.md §11).

use super::{
    bytes::{align32, count16, count32},
    numbers::s16,
    skin::{AddList, OneList, Skin, TwoList},
};
use std::collections::BTreeMap;

const VERTEX: usize = 12;
const LINE: usize = 32;
/// Bytes that a block copy has room for.
const ROOM: usize = 4096;
/// What a whole vertex weighs.
const WHOLE: u16 = 256;
/// A list's loop runs over at least so many.
const FEWEST: usize = 3;

/// A vertex in model space in the bind pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinVertex {
    /// Position in model space.
    pub position: [f32; 3],
    /// Normal in model space.
    pub normal: [f32; 3],
    /// Bones by their number in depth-first order, and weights in 256ths that add up to 256.
    pub weights: Vec<(u16, u16)>,
    /// Put together of additions alone, whatever its weights.
    pub accumulated: bool,
}

/// A skin of vertices, and the position array that it writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Arranged {
    /// Lists of the skin, ready to encode.
    pub skin: Skin,
    /// For each vertex, its slot of the position array.
    pub slots: Vec<u16>,
    /// The position array: the bind pose, and zeros where slots are put together of additions alone or belong to no vertex.
    pub stored: Vec<[i16; 6]>,
}

/// Weights that add up to 256 and are nearest to these; those that would be 0 are left out.
pub fn whole_weights(weights: &[(u16, f32)]) -> Vec<(u16, u16)> {
    let sum: f32 = weights.iter().map(|(_, weight)| weight.max(0.0)).sum();
    let shares: Vec<(u16, f32)> = weights.iter().map(|(bone, weight)| (*bone, weight.max(0.0) / sum * 256.0)).collect();
    let mut whole: Vec<(u16, u16)> = shares.iter().map(|(bone, share)| (*bone, share.floor() as u16)).collect();
    let given: u16 = whole.iter().map(|(_, weight)| *weight).fold(0, u16::saturating_add);
    let mut order: Vec<usize> = (0..shares.len()).collect();
    let rest = |place: &usize| shares.get(*place).map_or(0.0, |(_, share)| share.fract());
    order.sort_by(|a, b| rest(b).total_cmp(&rest(a)));
    for place in order.into_iter().take(usize::from(WHOLE.saturating_sub(given))) {
        if let Some((_, weight)) = whole.get_mut(place) {
            *weight = weight.saturating_add(1);
        }
    }
    whole.retain(|(_, weight)| *weight > 0);
    whole
}

/// How vertices are put into lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// Positions and normals are kept times `2^shift`.
    pub shift: u8,
    /// The longest list of one or two bones; what fits into a block copy at most.
    pub longest: usize,
    /// One line of the position array stays empty between lists.
    pub spread: bool,
}

impl Default for Arrangement {
    fn default() -> Self {
        Self { shift: 11, longest: usize::MAX, spread: false }
    }
}

/// Places lists at lines of the position array.
struct Placing {
    arrangement: Arrangement,
    line: usize,
}

impl Placing {
    fn offset(&self) -> usize {
        let over = self.line % VERTEX;
        if over == 0 { 0 } else { VERTEX.saturating_sub(over) }
    }

    /// How many of so many vertices the next list takes: as many as fit, and no rest that is too short for one of its own.
    fn take(&self, left: usize) -> usize {
        let fits = ROOM.saturating_sub(self.offset()) / VERTEX;
        let most = fits.min(self.arrangement.longest).max(FEWEST);
        match left.checked_sub(most) {
            Some(rest) if (1..FEWEST).contains(&rest) => most.saturating_sub(FEWEST),
            Some(_) => most,
            None => left,
        }
    }

    /// Line start, offset and first slot of a list of so many vertices.
    fn place(&mut self, count: usize) -> (u32, u8, usize) {
        let (line, offset) = (self.line, self.offset());
        let first = line.saturating_add(offset);
        self.line = align32(first.saturating_add(count.saturating_mul(VERTEX)));
        if self.arrangement.spread {
            self.line = self.line.saturating_add(LINE);
        }
        (count32(line), offset as u8, first / VERTEX)
    }
}

/// Lists by the recipe: one bone; two bones, with additions by others; additions alone for groups that are too small.
pub fn arrange(vertices: &[SkinVertex], arrangement: Arrangement) -> Arranged {
    let source = |vertex: &SkinVertex| {
        let [[x, y, z], [nx, ny, nz]] = [vertex.position, vertex.normal];
        [x, y, z, nx, ny, nz].map(|v| s16(v, arrangement.shift))
    };
    let mut ones: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    let mut twos: BTreeMap<[u16; 2], Vec<usize>> = BTreeMap::new();
    let mut alone = Vec::new();
    for (index, vertex) in vertices.iter().enumerate() {
        match heaviest(vertex).as_slice() {
            _ if vertex.accumulated => alone.push(index),
            [(bone, WHOLE)] => ones.entry(*bone).or_default().push(index),
            [(a, _), (b, _), ..] => twos.entry([*a, *b]).or_default().push(index),
            _ => alone.push(index),
        }
    }
    alone.extend(ones.extract_if(.., |_, group| group.len() < FEWEST).flat_map(|(_, group)| group));
    alone.extend(twos.extract_if(.., |_, group| group.len() < FEWEST).flat_map(|(_, group)| group));
    alone.sort_unstable();

    let mut skin = Skin { shift: arrangement.shift, ..Skin::default() };
    let mut slots = vec![0_u16; vertices.len()];
    let mut placing = Placing { arrangement, line: 0 };
    let mut settle = |group: &[usize], first: usize| {
        for (index, slot) in group.iter().zip(first..) {
            if let Some(own) = slots.get_mut(*index) {
                *own = count16(slot);
            }
        }
    };
    let sources = |group: &[usize]| group.iter().filter_map(|index| vertices.get(*index)).map(source).collect();
    let mut supplements: BTreeMap<u16, Vec<(usize, u16)>> = BTreeMap::new();
    for (bone, group) in &ones {
        let mut rest = group.as_slice();
        while !rest.is_empty() {
            let (group, others) = rest.split_at(placing.take(rest.len()).clamp(1, rest.len()));
            let (dst, offset, first) = placing.place(group.len());
            settle(group, first);
            skin.ones.push(OneList { bone: *bone, dst, offset, sources: sources(group) });
            rest = others;
        }
    }
    for (bones, group) in &twos {
        let mut rest = group.as_slice();
        while !rest.is_empty() {
            let (group, others) = rest.split_at(placing.take(rest.len()).clamp(1, rest.len()));
            let (dst, offset, first) = placing.place(group.len());
            settle(group, first);
            let mut weights = Vec::new();
            for index in group {
                let heaviest = vertices.get(*index).map(heaviest).unwrap_or_default();
                let of = |bone: u16| heaviest.iter().find(|(b, _)| *b == bone).map_or(0, |(_, w)| *w as u8);
                weights.push(bones.map(of));
                for (bone, weight) in heaviest.iter().skip(2) {
                    supplements.entry(*bone).or_default().push((*index, *weight));
                }
            }
            skin.twos.push(TwoList { bones: *bones, dst, offset, sources: sources(group), weights });
            rest = others;
        }
    }
    let first_alone = placing.line.div_ceil(VERTEX);
    settle(&alone, first_alone);
    let mut additions: BTreeMap<u16, Vec<(usize, u16)>> = BTreeMap::new();
    for index in &alone {
        for (bone, weight) in vertices.get(*index).map(heaviest).unwrap_or_default() {
            // A byte holds 255 at most: two entries of the same list make a whole.
            let halves = if weight >= WHOLE { [255, 1] } else { [weight, 0] };
            let entries = halves.into_iter().filter(|weight| *weight > 0).map(|weight| (*index, weight));
            additions.entry(bone).or_default().extend(entries);
        }
    }
    let slot = |index: usize| slots.get(index).copied().unwrap_or(0);
    // The first slot of every line that a supplement touches.
    let mut flushed: BTreeMap<usize, u16> = BTreeMap::new();
    for own in supplements.values().flatten().map(|(index, _)| slot(*index)) {
        let first = flushed.entry(usize::from(own).saturating_mul(VERTEX) / LINE).or_insert(own);
        *first = own.min(*first);
    }
    skin.flush = flushed.into_values().collect();
    for (bone, entries) in supplements.into_iter().chain(additions) {
        for entries in entries.chunks(ROOM / VERTEX) {
            skin.adds.push(AddList {
                bone,
                dst: 0,
                indices: entries.iter().map(|(index, _)| slot(*index)).collect(),
                sources: sources(&entries.iter().map(|(index, _)| *index).collect::<Vec<_>>()),
                weights: entries.iter().map(|(_, weight)| *weight as u8).collect(),
            });
        }
    }
    if !alone.is_empty() {
        let start = first_alone.saturating_mul(VERTEX);
        let end = first_alone.saturating_add(alone.len()).saturating_mul(VERTEX);
        skin.clear = [count32(start), count32(align32(end.saturating_sub(start)))];
    }

    let highest = slots.iter().copied().max().map_or(0, |slot| usize::from(slot).saturating_add(1));
    let mut stored = vec![[0; 6]; highest];
    for (index, vertex) in vertices.iter().enumerate() {
        if let Some(own) = stored.get_mut(usize::from(slot(index)))
            && alone.binary_search(&index).is_err()
        {
            *own = source(vertex);
        }
    }
    Arranged { skin, slots, stored }
}

/// A vertex's weights, the two heaviest first and these in the order of their bones.
fn heaviest(vertex: &SkinVertex) -> Vec<(u16, u16)> {
    let mut weights: Vec<(u16, u16)> = vertex.weights.iter().copied().filter(|(_, weight)| *weight > 0).collect();
    weights.sort_by_key(|(bone, weight)| (std::cmp::Reverse(*weight), *bone));
    if let Some(first) = weights.get_mut(..2) {
        first.sort_by_key(|(bone, _)| *bone);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(weights: &[(u16, u16)]) -> SkinVertex {
        SkinVertex { position: [1.0, 0.0, 0.0], normal: [0.0, 1.0, 0.0], weights: weights.to_vec(), accumulated: false }
    }

    #[test]
    fn weights_add_up_to_a_whole() {
        assert_eq!(whole_weights(&[(3, 1.0)]), [(3, 256)]);
        assert_eq!(whole_weights(&[(0, 1.0), (1, 1.0), (2, 1.0)]), [(0, 86), (1, 85), (2, 85)]);
        assert_eq!(whole_weights(&[(0, 0.999), (1, 0.001)]), [(0, 256)]);
    }

    #[test]
    fn lists_stand_where_those_of_the_games_do() {
        let mut vertices: Vec<SkinVertex> = Vec::new();
        vertices.extend((0..95).map(|_| vertex(&[(0, 256)])));
        vertices.extend((0..4).map(|_| vertex(&[(1, 77), (2, 179)])));
        vertices.extend((0..3).map(|_| vertex(&[(2, 100), (0, 40), (1, 116)])));
        vertices.push(vertex(&[(3, 256)]));
        let Arranged { skin, slots, stored } = arrange(&vertices, Arrangement::default());
        // 95 × 12 = 1140 bytes, so the next line is at 1152 = 0 mod 12.
        assert_eq!((skin.ones[0].dst, skin.ones[0].offset, slots[94]), (0, 0, 94));
        assert_eq!((skin.twos[0].dst, skin.twos[0].offset, slots[95]), (1152, 0, 96));
        assert_eq!(skin.twos[0].weights[..5], [[77, 179], [77, 179], [77, 179], [77, 179], [116, 100]]);
        // 1152 + 7 × 12 = 1236, the next line is at 1248 = 104 × 12.
        assert_eq!((slots[102], skin.clear), (104, [1248, 32]));
        assert_eq!(
            skin.adds[0],
            AddList {
                bone: 0,
                dst: 0,
                indices: vec![100, 101, 102],
                sources: vec![[2048, 0, 0, 0, 2048, 0]; 3],
                weights: vec![40; 3]
            }
        );
        assert_eq!((&skin.adds[1].indices, &skin.adds[1].weights), (&vec![104, 104], &vec![255, 1]));
        assert_eq!(skin.flush, [100, 102]);
        assert_eq!((stored.len(), stored[95], stored[104]), (105, [0; 6], [0; 6]));
    }
}
