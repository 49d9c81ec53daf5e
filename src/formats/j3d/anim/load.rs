//! The clip of a file: its animation, with the sounds that come with it.
//!
//! Sounds of an animation: behind the chunk of a BCK, or in a `.bas` file beside it (formats/j3d.md §3.3). They are
//! shown as markers; what the sounds are is in no file that is known here.

use super::Animation;
use crate::{
    bytes::{Endian, Source, numbers::counted},
    formats::{
        Field, FileRequest, LoadContext,
        field_reader::{Fault, FieldReader},
        j3d::{
            chunk_file::ChunkFile,
            codes,
            file::{Findings, SOUND_OFFSET_AT},
        },
    },
    scene::{Clip, Marker},
};

/// A sound that an animation starts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoundCue {
    /// Number of the sound; the sound itself is in another file.
    pub id: u32,
    /// First frame.
    pub start_frame: f32,
    /// Last frame.
    pub end_frame: f32,
    /// Coarse pitch as stored.
    pub coarse_pitch: f32,
    /// Flags as stored.
    pub flags: u32,
    /// Volume as stored.
    pub volume: u8,
    /// Fine pitch as stored.
    pub fine_pitch: u8,
    /// Loop count as stored.
    pub loop_count: u8,
    /// Pan as stored.
    pub pan: u8,
}

const CUE_SIZE: u64 = 32;

fn read_cue(r: &mut FieldReader<'_>) -> Result<SoundCue, Fault> {
    let cue = SoundCue {
        id: r.u32("SoundId")?,
        start_frame: r.f32("StartFrame")?,
        end_frame: r.f32("EndFrame")?,
        coarse_pitch: r.f32("CoarsePitch")?,
        flags: r.u32("Flags")?,
        volume: r.u8("Volume")?,
        fine_pitch: r.u8("FinePitch")?,
        loop_count: r.u8("LoopCount")?,
        pan: r.u8("Pan")?,
    };
    r.u8("Unknown")?;
    r.pad(7)?;
    Ok(cue)
}

/// Reads sound data from the cursor on: as many cues as there are of those that are counted.
///
/// # Errors
/// When its header does not fit.
pub fn read_sounds(r: &mut FieldReader<'_>) -> Result<Sounds, Fault> {
    r.group("Sounds", "", |r| {
        let count = r.u16("Count")?;
        r.u8("Unknown")?;
        r.pad(5)?;
        let there = r.whole_records(u64::from(count), CUE_SIZE) as u64;
        let cues = r.records("Cues", "Sound", there, CUE_SIZE, |r, _| read_cue(r))?;
        Ok(Sounds { count, cues })
    })
}

/// Sounds as counted, and as they are there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sounds {
    /// Number of cues that the file states.
    pub count: u16,
    /// Cues that are complete in the file.
    pub cues: Vec<SoundCue>,
}

impl Sounds {
    /// Where they start, ascending.
    pub fn markers(&self) -> Vec<Marker> {
        let finite = |v: f32| if v.is_finite() { v } else { 0.0 };
        let marker = |cue: &SoundCue| Marker { frame: finite(cue.start_frame), name: format!("sound {:08X}", cue.id) };
        let mut markers: Vec<Marker> = self.cues.iter().map(marker).collect();
        markers.sort_by(|a, b| a.frame.total_cmp(&b.frame));
        markers
    }

    /// Whether these could be sound data at all: what a `.bas` file, which has no magic, is told by.
    pub fn plausible(&self) -> bool {
        let frame = |v: f32| v.is_finite() && (-1.0..1e6).contains(&v);
        !self.cues.is_empty()
            && self.cues.len() == usize::from(self.count)
            && self.cues.iter().all(|c| frame(c.start_frame) && frame(c.end_frame) && c.coarse_pitch.is_finite())
    }
}

/// Where sound data lies beside a skeletal animation: in its folder, or in the folder of its own that archives have.
const SOUND_FOLDERS: &[&str] = &["bas"];

/// The clip of a file's animation, named as the file.
pub fn load(document: &ChunkFile, animation: &Animation, cx: &mut LoadContext<'_>, findings: &mut Findings) -> Clip {
    let stem = cx.stem();
    let mut clip = animation.clip(stem, findings);
    if let Animation::Joints(_) = animation {
        let inside = sounds(document, findings);
        clip.markers = match inside {
            Some(sounds) => sounds.markers(),
            None => beside(stem, cx).map(|s| s.markers()).unwrap_or_default(),
        };
    }
    clip
}

/// The sound data that the file's header points to.
pub fn sounds(document: &ChunkFile, findings: &mut Findings) -> Option<Sounds> {
    let offset = document.header.sounds()?;
    let mut r = reader_at(&document.source, offset);
    let sounds = read_sounds(&mut r);
    let there = sounds.as_ref().map_or(0, |s| s.cues.len());
    if sounds.as_ref().map_or(1, |s| usize::from(s.count)) != there {
        let kept = counted(there, "sound");
        let message = format!("the sound data at offset {offset} goes past the end of the file; {kept} found");
        findings.add(&codes::SOUNDS, Some(SOUND_OFFSET_AT), message);
    }
    sounds.ok()
}

/// The fields of that sound data; none where there is none.
pub fn sound_fields(document: &ChunkFile) -> Vec<Field> {
    let Some(offset) = document.header.sounds() else { return Vec::new() };
    let mut r = reader_at(&document.source, offset).recording();
    // What is wrong with it is reported when the clip is loaded.
    let _ = read_sounds(&mut r);
    r.into_fields()
}

fn reader_at(source: &Source, offset: u32) -> FieldReader<'_> {
    FieldReader::new(source, u64::from(offset)..source.len() as u64, Endian::Big)
}

/// The sounds of a `.bas` file of the same name.
fn beside(stem: &str, cx: &LoadContext<'_>) -> Option<Sounds> {
    let request = FileRequest { stem, extensions: &["bas"], subfolders: false, siblings: SOUND_FOLDERS };
    let found = cx.resolver.find(&request)?;
    let mut r = FieldReader::new(&found.source, 0..found.source.len() as u64, Endian::Big);
    read_sounds(&mut r).ok().filter(Sounds::plausible)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Endian, Source},
        formats::coverage::gaps,
    };

    fn made(frames: &[f32]) -> Vec<u8> {
        let mut bytes = (frames.len() as u16).to_be_bytes().to_vec();
        bytes.extend([0x0C, 0, 0, 0, 0, 0]);
        for frame in frames {
            bytes.extend(0x1234_u32.to_be_bytes());
            for number in [*frame, frame + 2.0, 1.0] {
                bytes.extend(number.to_be_bytes());
            }
            bytes.extend([0, 0, 0, 1, 127, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0]);
        }
        bytes
    }

    #[test]
    fn cues_become_markers_in_order_and_every_byte_is_read() {
        let source = Source::from(made(&[7.5, 2.0]));
        let range = 0..source.len() as u64;
        let mut r = FieldReader::new(&source, range.clone(), Endian::Big).recording();
        let sounds = read_sounds(&mut r).unwrap();
        assert!(sounds.plausible() && gaps(&r.into_fields(), range).is_empty());
        let markers: Vec<_> = sounds.markers().into_iter().map(|m| (m.frame, m.name)).collect();
        assert_eq!(markers, [(2.0, "sound 00001234".to_owned()), (7.5, "sound 00001234".to_owned())]);
    }

    #[test]
    fn cues_that_are_cut_off_are_left_out() {
        let mut bytes = made(&[1.0, 2.0]);
        bytes.pop();
        let source = Source::from(bytes);
        let sounds = read_sounds(&mut FieldReader::new(&source, 0..100, Endian::Big)).unwrap();
        assert_eq!((sounds.cues.len(), sounds.count, sounds.plausible()), (1, 2, false));
    }
}
