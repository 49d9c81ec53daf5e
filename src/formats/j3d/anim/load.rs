//! The clip of a file: its animation, with the sounds that come with it.

use super::{Animation, Sounds, read_sounds};
use crate::{
    bytes::{Endian, Source, numbers::counted},
    formats::{
        Field, FileRequest, LoadContext,
        field_reader::FieldReader,
        j3d::{chunk::Findings, chunk_file::ChunkFile, codes, file::SOUND_OFFSET_AT},
    },
    scene::Clip,
};

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
