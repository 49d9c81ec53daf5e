//! Which of the two files of a pair one is. Neither says so: sizes and contents tell, and names.

use super::layout::{FRAMES_AT, HEADER, POLYGON};
use crate::formats::unreal::mesh::is_known_type;

/// A file of the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// `NAME_d.3d`.
    Polygons,
    /// `NAME_a.3d`.
    Frames,
}

/// Polygons that are looked at where their number is wrong.
const LOOKED_AT: usize = 13;
/// The most vertices that a frame has room for: its size is a number of 16 bits, and each takes four bytes.
const MAX_VERTICES: u64 = 16_383;

impl Half {
    /// Which of the two a file is.
    ///
    /// # Errors
    /// One sentence, when it is neither or has nothing whole in it.
    pub fn of(bytes: &[u8], stem: &str) -> Result<Self, String> {
        let size = bytes.len() as u64;
        let (is_polygons, is_frames) = (counted_polygons(bytes) == Some(size), counted_frames(bytes) == Some(size));
        match Self::of_name(stem) {
            _ if bytes.is_empty() => Err("the file is empty (0 bytes)".to_owned()),
            Some(Self::Polygons) if is_polygons || has_polygons(bytes) => Ok(Self::Polygons),
            // Misnamed; what ends inside the header of the other kind may have the size by chance.
            Some(Self::Polygons) if is_frames && size >= HEADER.saturating_add(POLYGON) => Ok(Self::Frames),
            Some(Self::Polygons) => {
                Err(format!("the file ({size} bytes) has no vertex mesh polygons after its {HEADER}-byte header"))
            }
            Some(Self::Frames) if is_frames => Ok(Self::Frames),
            Some(Self::Frames) if is_polygons && has_polygons(bytes) => Ok(Self::Polygons),
            Some(Self::Frames) if has_frame(bytes) => Ok(Self::Frames),
            Some(Self::Frames) => {
                Err(format!("the file ({size} bytes) has no vertex mesh frames after its {FRAMES_AT}-byte header"))
            }
            None if is_polygons => Ok(Self::Polygons),
            None if is_frames => Ok(Self::Frames),
            None if has_polygons(bytes) => Ok(Self::Polygons),
            None => Err(format!("the file ({size} bytes) contains neither polygons nor frames of a vertex mesh")),
        }
    }

    /// Whether the start of a file looks like one of the two; of frames little can be seen there.
    pub fn is_likely(head: &[u8], stem: &str) -> bool {
        has_polygons(head) || Self::of_name(stem) == Some(Self::Frames) && has_frame_header(head)
    }

    /// What the last letters of a name say.
    fn of_name(stem: &str) -> Option<Self> {
        let (_, letter) = stem.rsplit_once('_')?;
        [Self::Polygons, Self::Frames].into_iter().find(|half| letter.eq_ignore_ascii_case(half.letter()))
    }

    /// What follows the underscore in the names of such files.
    fn letter(self) -> &'static str {
        match self {
            Self::Polygons => "d",
            Self::Frames => "a",
        }
    }

    /// The stem of such a file of the mesh `common`.
    pub fn stem(self, common: &str) -> String {
        format!("{common}_{}", self.letter())
    }

    pub fn other(self) -> Self {
        match self {
            Self::Polygons => Self::Frames,
            Self::Frames => Self::Polygons,
        }
    }

    /// What is in it, in words.
    pub fn holds(self) -> &'static str {
        match self {
            Self::Polygons => "polygons",
            Self::Frames => "frames",
        }
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u64> {
    let [low, high] = bytes.get(at..)?.first_chunk::<2>()?;
    Some(u16::from_le_bytes([*low, *high]).into())
}

/// The size of a file with as many polygons as the first number says.
fn counted_polygons(bytes: &[u8]) -> Option<u64> {
    Some(number(bytes, 0)?.saturating_mul(POLYGON).saturating_add(HEADER))
}

/// The size of a file with as many frames, of as many bytes, as the first numbers say.
fn counted_frames(bytes: &[u8]) -> Option<u64> {
    let (frames, size) = (number(bytes, 0)?, number(bytes, 2)?);
    (size % 4 == 0).then(|| frames.saturating_mul(size).saturating_add(FRAMES_AT))
}

/// Whether polygons stand where they have to: of known types, and with vertices that the header counts.
fn has_polygons(bytes: &[u8]) -> bool {
    let Some(vertices) = number(bytes, 2).filter(|count| *count <= MAX_VERTICES) else { return false };
    let is_polygon = |record: &[u8; POLYGON as usize]| {
        let exists = |at| number(record, at).is_some_and(|vertex| vertex < vertices);
        [0, 2, 4].into_iter().all(exists) && record.get(6).is_some_and(|surface| is_known_type(*surface))
    };
    let records = bytes.get(HEADER as usize..).unwrap_or_default().as_chunks::<{ POLYGON as usize }>().0;
    // Of those that the header counts, where it counts any: others may follow.
    let counted = number(bytes, 0).and_then(|count| usize::try_from(count).ok()).filter(|count| *count > 0);
    let looked_at = records.iter().take(counted.unwrap_or(LOOKED_AT).min(LOOKED_AT));
    !records.is_empty() && looked_at.clone().all(is_polygon)
}

fn has_frame_header(bytes: &[u8]) -> bool {
    let whole = |at| number(bytes, at).filter(|number| *number > 0);
    whole(0).is_some() && whole(2).is_some_and(|size| size % 4 == 0)
}

/// Whether there is a frame that is whole.
fn has_frame(bytes: &[u8]) -> bool {
    let first = number(bytes, 2).map(|size| size.saturating_add(FRAMES_AT));
    has_frame_header(bytes) && first.is_some_and(|end| end <= bytes.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::unreal::encode::{FilePolygon, Vertices, encode_mesh_data, encode_mesh_frames};

    fn polygons(count: usize, vertices: u16) -> Vec<u8> {
        encode_mesh_data(&vec![FilePolygon { vertices: [0, 1, 2], ..FilePolygon::default() }; count], vertices)
    }

    #[test]
    fn sizes_tell_and_names_where_both_fit() {
        let frames = encode_mesh_frames(&Vertices::Packed(vec![0x1234_5678; 15]), 3);
        for stem in ["Flag_a", "Flag_d", "Flag", "a_b_c"] {
            assert_eq!(Half::of(&polygons(2, 3), stem), Ok(Half::Polygons), "{stem}");
            assert_eq!(Half::of(&frames, stem), Ok(Half::Frames), "{stem}");
        }
        // 48 + 11 · 16 = 4 + 11 · 20.
        let both = polygons(11, 20);
        assert_eq!(counted_polygons(&both), counted_frames(&both));
        assert_eq!(Half::of(&both, "Flag_A"), Ok(Half::Frames));
        assert_eq!(Half::of(&both, "Flag_D"), Ok(Half::Polygons));
        assert_eq!(Half::of(&both, "Flag"), Ok(Half::Polygons));
        // Nothing in them, but whole.
        assert_eq!(Half::of(&polygons(0, 5), "x"), Ok(Half::Polygons));
        assert_eq!(Half::of(&[0; 4], "x"), Ok(Half::Frames));
        // The start of a header of polygons has the size of two frames of four bytes.
        assert!(Half::of(&polygons(2, 4)[..12], "Flag_d").is_err());
    }

    #[test]
    fn what_is_cut_needs_something_whole() {
        let (whole, frames) = (polygons(3, 3), encode_mesh_frames(&Vertices::Packed(vec![0; 9]), 3));
        for cut in 0..whole.len() {
            let found = Half::of(&whole[..cut], "Flag_d");
            assert_eq!(found.is_ok(), cut >= 48 + 16, "{cut}: {found:?}");
        }
        for cut in 0..frames.len() {
            let found = Half::of(&frames[..cut], "Flag_a");
            assert_eq!(found.is_ok(), cut >= 4 + 12, "{cut}: {found:?}");
        }
        assert_eq!(Half::of(&[], "Flag_d").unwrap_err(), "the file is empty (0 bytes)");
        assert!(Half::of(&frames[..20], "Flag").unwrap_err().contains("neither"));
        assert!(Half::of(&[&whole[..], &[1, 2]].concat(), "Flag").is_ok());
    }

    #[test]
    fn other_files_do_not_look_like_either() {
        let text = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n";
        for stem in ["Flag_a", "Flag_d", "Flag"] {
            assert!(!Half::is_likely(text, stem) && Half::of(text, stem).is_err(), "{stem}");
            assert!(Half::is_likely(&polygons(9, 3), stem));
        }
        assert!(Half::is_likely(&[1, 0, 12, 0], "Flag_a") && !Half::is_likely(&[1, 0, 12, 0], "Flag"));
        assert!(!Half::is_likely(&[1, 0, 13, 0], "Flag_a"));
    }
}
