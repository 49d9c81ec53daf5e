//! Lists become the influences of each slot (formats/charpipe.md §6, “Viewer method”).

use super::{
    super::{act::Act, codes},
    list::{LINE, MAX_SLOTS, SLOT, WHOLE_WEIGHT},
    read::{Skn, real_numbers},
};
use crate::{
    bytes::numbers,
    formats::findings::Findings,
    scene::{FixedList, FixedSkin, Influence, InfluenceSource, ListKind, Run, Skin},
};
use glam::Vec3;
use std::{ops::Range, sync::Arc};

/// Weights of a slot that may come out, in 256ths: tools round them each for itself.
const SUMS: std::ops::RangeInclusive<u32> = 254..=257;
/// Bytes between the start of a line and the first slot in it.
const SLOT_STARTS: [u64; 3] = [0, 4, 8];

/// A skin on an actor's bones. Points are slots of the array of positions, as many as it has and lists write.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    /// Influences of each point, with their sources.
    pub skin: Skin,
    /// The lists in whole numbers, for the bit-exact method (formats/charpipe.md §6).
    pub fixed: Arc<FixedSkin>,
    /// In bind pose: the sum of weight times source; what the array has for slots that no list writes.
    pub points: Vec<Vec3>,
    /// Likewise, as they come out: not of unit length.
    pub normals: Vec<Vec3>,
}

/// Puts a skin on an actor. `stored`: what the array of positions has in each of its slots, position and normal, which the
/// chip takes over two to the power of `position_shift`.
pub fn bind(skn: &Skn, act: &Act, stored: &[[i16; 6]], position_shift: u8, findings: &mut Findings) -> Bound {
    if position_shift != skn.shift {
        let message = format!(
            "the skin specifies a shift of {} bits, but its mesh specifies {position_shift} bits. The shift of the mesh is used",
            skn.shift
        );
        findings.add(&codes::SHIFT_MISMATCH, Some(skn.at), message);
    }
    let lists = lists(skn, act, findings);
    let written = lists.iter().flat_map(|l| &l.entries).map(|e| e.slot.saturating_add(1)).max().unwrap_or(0) as usize;
    let mut stored: Vec<[i16; 6]> = stored.iter().take(MAX_SLOTS as usize).copied().collect();
    stored.resize(stored.len().max(written), [0; 6]);
    let cleared = skn.cleared();
    let owners = owners(&lists, &cleared, stored.len());
    check(skn, &lists, &owners, findings);

    // The chip takes what was written at one shift as if it were at the other.
    let scale = 2.0_f32.powi(i32::from(skn.shift).saturating_sub(i32::from(position_shift)));
    let skin = influences(&lists, &owners, skn.shift, scale);
    let mut points: Vec<Vec3> = Vec::with_capacity(stored.len());
    let mut normals = Vec::with_capacity(stored.len());
    for (run, stored) in skin.runs.iter().zip(&stored) {
        let [x, y, z, nx, ny, nz] = real_numbers(*stored, position_shift);
        let range = run.first as usize..run.first.saturating_add(run.count) as usize;
        let influences = skin.influences.get(range.clone()).unwrap_or_default();
        let sources = skin.sources.get(range).unwrap_or_default();
        let sum = |of: fn(&InfluenceSource) -> Vec3| -> Vec3 {
            influences.iter().zip(sources).map(|(influence, source)| of(source) * influence.weight).sum()
        };
        let is_written = run.count > 0;
        points.push(if is_written { sum(|s| s.position) } else { Vec3::new(x, y, z) });
        normals.push(if is_written { sum(|s| s.normal) } else { Vec3::new(nx, ny, nz) });
    }
    let fixed = Arc::new(FixedSkin { shift: skn.shift, stored, lists, clear: cleared });
    Bound { skin, fixed, points, normals }
}

/// The lists with their entries, on joints. Those of bones that there are not are left out.
fn lists(skn: &Skn, act: &Act, findings: &mut Findings) -> Vec<FixedList> {
    let mut lists = Vec::new();
    for (index, list) in skn.lists.iter().enumerate() {
        // One without entries was reported when it was read.
        if list.whole == 0 || list.first_slot().is_none() {
            continue;
        }
        let joints = list.bones.map(|bone| act.joint_of_order(u32::from(bone)));
        let [Some(first), Some(second)] = joints else {
            let [a, b] = list.bones;
            let bone = if joints.first() == Some(&None) { a } else { b };
            let message = format!(
                "{} skipped: it uses bone {bone}, but the actor has only {}",
                skn.list_name(index),
                numbers::counted(act.bones.len(), "bone")
            );
            findings.add(&codes::BAD_LIST_BONE, Some(list.at), message);
            continue;
        };
        let entries: Vec<_> = list.entries(&skn.source).collect();
        let lost = usize::from(list.whole).saturating_sub(entries.len());
        if lost > 0 && list.kind == ListKind::Accumulate {
            let lost = numbers::counted(lost, "entry");
            let message = format!("{lost} of {} skipped: the slot number is too large", skn.list_name(index));
            findings.add(&codes::BAD_LIST_SLOTS, Some(list.at), message);
        }
        lists.push(FixedList { kind: list.kind, joints: [first, second], entries });
    }
    lists
}

/// For each slot the list of one or two bones that has the last word on it: they set slots, they add nothing to them.
fn owners(lists: &[FixedList], cleared: &Range<u64>, count: usize) -> Vec<Option<u32>> {
    let mut owners = vec![None; count];
    for (index, list) in (0..).zip(lists).filter(|(_, l)| l.kind != ListKind::Accumulate) {
        for entry in &list.entries {
            if let Some(owner) = owners.get_mut(entry.slot as usize) {
                *owner = Some(index);
            }
        }
    }
    for slot in whole_slots(cleared) {
        if let Some(owner) = owners.get_mut(slot) {
            *owner = None;
        }
    }
    owners
}

/// Slots that lie in a range whole.
fn whole_slots(range: &Range<u64>) -> Range<usize> {
    let first = range.start.div_ceil(SLOT).min(u64::from(MAX_SLOTS)) as usize;
    let end = range.end.checked_div(SLOT).unwrap_or(0).min(u64::from(MAX_SLOTS)) as usize;
    first..end.max(first)
}

/// What moves each slot, in the order in which it is added up.
fn influences(lists: &[FixedList], owners: &[Option<u32>], shift: u8, scale: f32) -> Skin {
    let counts = |list: &FixedList| u32::from(list.kind == ListKind::Two).saturating_add(1);
    let is_live = |index: u32, list: &FixedList, slot: u32| {
        list.kind == ListKind::Accumulate || owners.get(slot as usize).copied().flatten() == Some(index)
    };
    let live = || {
        (0..).zip(lists).flat_map(move |(index, list)| {
            list.entries.iter().filter(move |e| is_live(index, list, e.slot)).map(move |entry| (list, entry))
        })
    };
    let mut runs = vec![Run::default(); owners.len()];
    for (list, entry) in live() {
        if let Some(run) = runs.get_mut(entry.slot as usize) {
            run.count = run.count.saturating_add(counts(list));
        }
    }
    let mut total = 0_u32;
    for run in &mut runs {
        run.first = total;
        total = total.saturating_add(run.count);
    }
    let mut influences = vec![Influence { joint: 0, weight: 0.0 }; total as usize];
    let mut sources = vec![InfluenceSource::default(); total as usize];
    let mut next: Vec<u32> = runs.iter().map(|run| run.first).collect();
    for (list, entry) in live() {
        let Some(next) = next.get_mut(entry.slot as usize) else { continue };
        let [x, y, z, nx, ny, nz] = real_numbers(entry.source, shift);
        let source = InfluenceSource { position: Vec3::new(x, y, z), normal: Vec3::new(nx, ny, nz) };
        for ((joint, weight), _) in list.joints.into_iter().zip(entry.weights).zip(0..counts(list)) {
            let weight = if list.kind == ListKind::One { 1.0 } else { f32::from(weight) / WHOLE_WEIGHT as f32 };
            if let (Some(influence), Some(place)) =
                (influences.get_mut(*next as usize), sources.get_mut(*next as usize))
            {
                (*influence, *place) = (Influence { joint, weight: weight * scale }, source);
            }
            *next = next.saturating_add(1);
        }
    }
    Skin { runs, influences, sources }
}

/// Says what the game would show differently from what was meant.
fn check(skn: &Skn, lists: &[FixedList], owners: &[Option<u32>], findings: &mut Findings) {
    let cleared = whole_slots(&skn.cleared());
    let mut sums = vec![0_u32; owners.len()];
    let (mut overwritten, mut adds_to_old) = (Tally::default(), Tally::default());
    for (index, list) in (0..).zip(lists) {
        for entry in &list.entries {
            let slot = entry.slot as usize;
            let owner = owners.get(slot).copied().flatten();
            if list.kind == ListKind::Accumulate {
                adds_to_old.count_if(owner.is_none() && !cleared.contains(&slot), entry.slot);
            } else if owner != Some(index) {
                overwritten.count_if(true, entry.slot);
                continue;
            }
            let weight: u32 = match list.kind {
                ListKind::One => WHOLE_WEIGHT,
                _ => entry.weights.into_iter().map(u32::from).sum(),
            };
            if let Some(sum) = sums.get_mut(slot) {
                *sum = sum.saturating_add(weight);
            }
        }
    }
    let mut wrong = Tally::default();
    for (slot, sum) in (0..).zip(&sums) {
        wrong.count_if(*sum > 0 && !SUMS.contains(sum), slot);
    }
    let mut say = |tally: &Tally, code, what: &str| {
        if let Some(first) = tally.first {
            findings.add(code, Some(skn.at), format!("{} {what} (the first is slot {first})", counted(tally.count)));
        }
    };
    say(&wrong, &codes::WEIGHT_SUM, "with weights that do not add up to 256");
    say(&overwritten, &codes::OVERWRITTEN_SLOT, "written by a one- or two-bone list, but overwritten or cleared later");
    say(
        &adds_to_old,
        &codes::UNCLEARED_SLOT,
        "with accumulated values that are never cleared and would grow with each frame",
    );
    if skn.adds_up && !skn.clear.is_empty() {
        let start = skn.clear.start.checked_rem(LINE).unwrap_or(0);
        let size = skn.clear.end.saturating_sub(skn.clear.start);
        if !SLOT_STARTS.contains(&start) || !size.is_multiple_of(LINE) {
            let message = format!(
                "the cleared range ({size} bytes at {:#x}) does not start at a slot, or its size is not a multiple of {LINE} bytes",
                skn.clear.start
            );
            findings.add(&codes::ODD_CLEAR, Some(skn.at), message);
        }
    }
}

fn counted(count: usize) -> String {
    numbers::counted(count, "slot")
}

/// How often something is so, and where first.
#[derive(Default)]
struct Tally {
    count: usize,
    first: Option<u32>,
}

impl Tally {
    fn count_if(&mut self, is_so: bool, slot: u32) {
        if is_so {
            self.count = self.count.saturating_add(1);
            self.first.get_or_insert(slot);
        }
    }
}
