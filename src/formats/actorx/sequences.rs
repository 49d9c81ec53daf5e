//! Where the keys of each sequence are, once wrong numbers are repaired (formats/actorx.md §3).

use super::{
    Psa, codes,
    container::{ChunkKind, Findings, Place},
};
use crate::{
    bytes::numbers::{counted, grouped},
    formats::read_budget::ReadBudget,
    scene::Clip,
};

/// Keys of a sequence that exist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sequence {
    /// Into the keys.
    pub first_key: usize,
    pub frames: usize,
    /// Into the scale keys; `None` where the sequence has none.
    pub first_scale_key: Option<usize>,
    pub rate_hz: f32,
}

/// How a file's keys are laid out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequences {
    /// Keys of one frame: the number of bones.
    pub stride: usize,
    /// One for each of ANIMINFO.
    pub list: Vec<Sequence>,
}

/// Works the layout out, reporting what does not add up.
pub fn sequences(psa: &Psa, findings: &mut Findings) -> Sequences {
    let frames: Vec<u64> = psa.sequences.iter().map(|s| u64::try_from(s.raw_frames).unwrap_or(0)).collect();
    let all_frames: u64 = frames.iter().fold(0, |sum, f| sum.saturating_add(*f));
    let stride = keys_per_frame(psa, all_frames, findings);
    let keys = psa.keys.len() as u64;
    let present = keys.checked_div(stride as u64).unwrap_or(0);
    let firsts = first_frames(psa, &frames, all_frames, present, findings);
    let mut list = Vec::with_capacity(frames.len());
    for (index, ((info, frames), first)) in psa.sequences.iter().zip(&frames).zip(&firsts).enumerate() {
        let place = Place::Sequence(index);
        let mut kept = (*frames).min(present.saturating_sub(*first));
        if kept != *frames {
            // KeyQuotum counts the keys once more.
            let quotum = u64::try_from(info.key_quotum).unwrap_or(0).checked_div(stride as u64).unwrap_or(0);
            kept = if quotum > 0 { kept.min(quotum) } else { kept };
        }
        if kept != *frames || info.raw_frames < 0 {
            let message = format!("“{}” has keys for only {kept} of {} frames", info.name, info.raw_frames);
            findings.add(&codes::FRAMES_CUT, place, None, message);
        }
        let good = Clip::is_rate(info.rate_hz, *frames as f32);
        if !good {
            let message = format!("“{}” has an invalid frame rate of {}; 30 is used", info.name, info.rate_hz);
            findings.add(&codes::BAD_RATE, place, None, message);
        }
        list.push(Sequence {
            first_key: usize::try_from(first.saturating_mul(stride as u64)).unwrap_or(usize::MAX),
            frames: usize::try_from(kept).unwrap_or(0),
            first_scale_key: None,
            rate_hz: if good { info.rate_hz } else { Clip::DEFAULT_RATE_HZ },
        });
    }
    scale_keys(psa, stride, &frames, &mut list, findings);
    report_flags(psa, stride, findings);
    Sequences { stride, list }
}

/// The number of BONENAMES, unless only TotalBones makes the keys come out even.
fn keys_per_frame(psa: &Psa, all_frames: u64, findings: &mut Findings) -> usize {
    let named = psa.bones.len();
    let even = |bones: usize| all_frames > 0 && all_frames.saturating_mul(bones as u64) == psa.keys.len() as u64;
    let totals: Vec<usize> = psa.sequences.iter().map(|s| usize::try_from(s.total_bones).unwrap_or(0)).collect();
    let Some((index, total)) = totals.iter().enumerate().find(|(_, total)| **total != named) else { return named };
    let alike = totals.iter().all(|t| t == total);
    let taken = if alike && !even(named) && even(*total) { *total } else { named };
    let message = format!(
        "BONENAMES has {}, but a sequence specifies {total}; each frame is read as {}",
        counted(named, "bone"),
        counted(taken, "key")
    );
    findings.add(&codes::BONE_COUNT, Place::Sequence(index), None, message);
    taken
}

/// First frames as stored, or the running sum of the lengths where they cannot be right.
fn first_frames(psa: &Psa, frames: &[u64], all: u64, present: u64, findings: &mut Findings) -> Vec<u64> {
    let stored: Vec<u64> = psa.sequences.iter().map(|s| u64::try_from(s.first_raw_frame).unwrap_or(0)).collect();
    // CUE4Parse wrote the length in its place.
    let length_instead = frames.first().is_some_and(|f| *f > 0 && stored.first() == Some(f));
    let beyond = stored.iter().zip(frames).any(|(first, frames)| first.saturating_add(*frames) > present);
    if !(length_instead || beyond && all <= present) {
        return stored;
    }
    let mut sum = 0_u64;
    let firsts = frames.iter().map(|frames| {
        let first = sum;
        sum = sum.saturating_add(*frames);
        first
    });
    let message = "FirstRawFrame of the sequences is invalid; the sequences are read one after another".to_owned();
    findings.add(&codes::FIRST_FRAME, Place::Sequence(0), None, message);
    firsts.collect()
}

/// Scale keys lie parallel to the keys, or packed for the sequences that claim some.
fn scale_keys(psa: &Psa, stride: usize, frames: &[u64], list: &mut [Sequence], findings: &mut Findings) {
    let count = psa.scale_keys.len();
    if count == 0 {
        return;
    }
    if count == psa.keys.len() {
        for sequence in list {
            sequence.first_scale_key = Some(sequence.first_key);
        }
        return;
    }
    let mut sum = 0_u64;
    let firsts: Vec<Option<u64>> = psa
        .sequences
        .iter()
        .zip(frames)
        .map(|(info, frames)| {
            (info.scale_include == 1).then(|| {
                let first = sum;
                sum = sum.saturating_add(frames.saturating_mul(stride as u64));
                first
            })
        })
        .collect();
    if sum != count as u64 {
        let message = format!(
            "SCALEKEYS has {} for {}; the sequences with scales need {}",
            counted(count, "scale key"),
            counted(psa.keys.len(), "key"),
            grouped(sum)
        );
        findings.add(&codes::SCALE_KEYS, Place::Of(ChunkKind::ScaleKeys), None, message);
        return;
    }
    for (sequence, first) in list.iter_mut().zip(firsts) {
        sequence.first_scale_key = first.and_then(|f| usize::try_from(f).ok());
    }
}

/// How often each key may be part of a sequence on average, and how many may be besides.
const SHARED_TIMES: u64 = 4;
const SHARED: u64 = 1 << 16;

/// Which sequences may be read: all, unless so many share keys that a short file would take minutes. One for each sequence.
pub fn affordable(psa: &Psa, sequences: &Sequences, findings: &mut Findings) -> Vec<bool> {
    let room = (psa.keys.len() as u64).saturating_mul(SHARED_TIMES).saturating_add(SHARED);
    let mut budget = ReadBudget::new(room);
    let keys = |sequence: &Sequence| (sequence.frames.max(1) as u64).saturating_mul(sequences.stride as u64);
    let affordable: Vec<bool> = sequences.list.iter().map(|sequence| budget.take(keys(sequence))).collect();
    let left_out = affordable.iter().filter(|fits| !**fits).count();
    if let Some(first) = affordable.iter().position(|fits| !fits) {
        let message = format!("{} skipped: too many sequences share the same keys", counted(left_out, "sequence"));
        findings.add(&codes::SHARED_KEYS, Place::Sequence(first), None, message);
    }
    affordable
}

fn report_flags(psa: &Psa, stride: usize, findings: &mut Findings) {
    let wanted = psa.sequences.len().saturating_mul(stride);
    if !psa.flags.is_empty() && psa.flags.len() != wanted {
        let message = format!("ANIMFLAGS has {} bytes, expected {wanted} (sequences × bones)", psa.flags.len());
        findings.add(&codes::FLAG_COUNT, Place::Of(ChunkKind::AnimFlags), None, message);
    }
}

/// The sequence that each curve chunk belongs to. Its id holds the first characters of the name; of several sequences that
/// start alike, the n-th chunk has the n-th.
pub fn curve_sequences(psa: &Psa, findings: &mut Findings) -> Vec<Option<usize>> {
    /// Characters of the name that fit before `:CUR`.
    const PREFIX: usize = 15;
    let starts = |name: &str| -> String { name.chars().take(PREFIX).collect::<String>().to_lowercase() };
    let mut by_start: std::collections::HashMap<String, std::collections::VecDeque<usize>> = Default::default();
    for (index, info) in psa.sequences.iter().enumerate() {
        by_start.entry(starts(&info.name)).or_default().push_back(index);
    }
    psa.curves
        .iter()
        .map(|chunk| {
            let found = by_start.get_mut(&starts(&chunk.sequence)).and_then(|list| list.pop_front());
            let length = chunk.curves.first().map(|c| c.values.len());
            match (found.and_then(|f| psa.sequences.get(f).map(|s| (f, s))), length) {
                (Some((index, info)), Some(length)) if usize::try_from(info.raw_frames) != Ok(length) => {
                    let message = format!(
                        "each curve of “{}” has {}, but the number of frames is {}",
                        info.name,
                        counted(length, "value"),
                        info.raw_frames
                    );
                    findings.add(&codes::CURVE_LENGTH, Place::Sequence(index), None, message);
                }
                (None, _) => {
                    let message = format!("no sequence name begins with “{}”", chunk.sequence);
                    findings.add(&codes::NO_SEQUENCE, Place::File, None, message);
                }
                _ => {}
            }
            found
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_that_share_keys_are_read_as_often_as_the_file_justifies() {
        let psa = Psa { keys: vec![Default::default(); 10], ..Psa::default() };
        let of = |frames| Sequence { first_key: 0, frames, first_scale_key: None, rate_hz: 30.0 };
        let sequences = Sequences { stride: 1, list: vec![of(60_000), of(60_000), of(5_000), of(0)] };
        let mut findings = Findings::default();
        assert_eq!(affordable(&psa, &sequences, &mut findings), [true, false, true, true]);
        let whole = Sequences { stride: 1, list: vec![of(10); 4] };
        assert_eq!(affordable(&psa, &whole, &mut findings), [true; 4]);
    }
}
