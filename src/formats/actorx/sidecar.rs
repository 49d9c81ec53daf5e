//! Text files beside PSK and PSA (formats/actorx.md §3).

use crate::{
    bytes::text,
    formats::{FileRequest, file_name},
    scene::Blend,
};

/// The text file beside an animation file that says which of its keys count (formats/actorx.md §3).
pub fn config_request(file: &str) -> FileRequest<'_> {
    FileRequest { stem: file_name::stem(file), extensions: &["config"], subfolders: false, siblings: &[] }
}

/// The `.config` beside a PSA: which bones take their position from the mesh, and which tracks hold only placeholders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Only the first bone moves, unless it is named in `use_translation`.
    pub rotation_only: bool,
    /// Folded bone names.
    pub use_translation: Vec<String>,
    /// Folded bone names.
    pub force_mesh: Vec<String>,
    pub removed: Vec<RemovedTrack>,
}

/// A line of `[RemoveTracks]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedTrack {
    /// Lower case.
    pub sequence: String,
    /// Bone of the PSA.
    pub bone: usize,
    pub translation: bool,
    pub rotation: bool,
}

impl Config {
    /// Unknown sections and lines mean nothing.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut config = Self::default();
        let mut section = String::new();
        for line in decode(bytes).lines().map(str::trim) {
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                section = name.trim().to_lowercase();
                continue;
            }
            if line.is_empty() || line.starts_with(';') {
                continue;
            }
            let (key, value) = line.split_once('=').map_or((line, ""), |(k, v)| (k.trim(), v.trim()));
            match section.as_str() {
                "animset" if key.eq_ignore_ascii_case("bAnimRotationOnly") => {
                    config.rotation_only = matches!(value.to_lowercase().as_str(), "1" | "true");
                }
                "usetranslationbonenames" => config.use_translation.push(text::fold(key)),
                "forcemeshtranslationbonenames" => config.force_mesh.push(text::fold(key)),
                "removetracks" => config.removed.extend(removed_track(key, value)),
                _ => {}
            }
        }
        config
    }

    /// Whether a bone's position comes from the keys. `index` counts the PSA's bones.
    pub fn moves(&self, index: usize, name: &str) -> bool {
        let name = text::fold(name);
        let allowed = !self.rotation_only || index == 0 || self.use_translation.contains(&name);
        allowed && !self.force_mesh.contains(&name)
    }

    /// Whether a sequence's translation and rotation tracks of a bone are to be left out.
    pub fn removes(&self, sequence: &str, bone: usize) -> (bool, bool) {
        let sequence = sequence.to_lowercase();
        let own = self.removed.iter().filter(|r| r.bone == bone && r.sequence == sequence);
        own.fold((false, false), |(t, r), track| (t || track.translation, r || track.rotation))
    }
}

/// `Sequence.Name.12=rot`: the last dot parts.
fn removed_track(key: &str, value: &str) -> Option<RemovedTrack> {
    let (sequence, bone) = key.rsplit_once('.')?;
    let (translation, rotation) = match value.to_lowercase().as_str() {
        "trans" => (true, false),
        "rot" => (false, true),
        "all" => (true, true),
        _ => return None,
    };
    Some(RemovedTrack {
        sequence: sequence.trim().to_lowercase(),
        bone: bone.trim().parse().ok()?,
        translation,
        rotation,
    })
}

/// The `.mat` beside a texture: the name of the diffuse texture.
pub fn diffuse_of_mat(bytes: &[u8]) -> Option<String> {
    let text = decode(bytes);
    let mut lines = text.lines().filter_map(|line| line.split_once('='));
    let (_, name) = lines.find(|(key, _)| key.trim().eq_ignore_ascii_case("Diffuse"))?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The `.props.txt` beside a mesh: the names of its materials, slot by slot (empty for `None`).
pub fn materials_of_props(bytes: &[u8]) -> Vec<String> {
    let text = decode(bytes);
    let lines = text.lines().filter_map(|line| line.split_once('='));
    let values = lines.filter(|(key, _)| key.trim().eq_ignore_ascii_case("Material")).map(|(_, value)| value.trim());
    values
        .map(|value| {
            // Class'Package.Group.Name'
            let path = value.split('\'').nth(1).unwrap_or_default();
            path.rsplit('.').next().unwrap_or_default().to_owned()
        })
        .collect()
}

/// What the `.props.txt` beside a material says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaterialProps {
    pub blend: Option<Blend>,
    pub two_sided: Option<bool>,
}

/// The `.props.txt` beside a material: `BlendMode` and `TwoSided`.
pub fn props_of_material(bytes: &[u8]) -> MaterialProps {
    let text = decode(bytes);
    let mut props = MaterialProps::default();
    for (key, value) in text.lines().filter_map(|line| line.split_once('=')) {
        let (key, value) = (key.trim().to_lowercase(), value.trim().to_lowercase());
        // The number of the value may follow.
        let word = value.split_whitespace().next().unwrap_or_default();
        match key.as_str() {
            "twosided" => {
                props.two_sided = [("true", true), ("false", false)].iter().find(|w| w.0 == word).map(|w| w.1)
            }
            "blendmode" => {
                props.blend = match word {
                    "blend_opaque" => Some(Blend::Opaque),
                    "blend_masked" => Some(Blend::Masked),
                    "blend_translucent" => Some(Blend::Alpha),
                    "blend_additive" => Some(Blend::Translucent),
                    "blend_modulate" => Some(Blend::Modulated),
                    _ => None,
                };
            }
            _ => {}
        }
    }
    props
}

/// A text file, with a byte order mark or without.
fn decode(bytes: &[u8]) -> String {
    text::decode(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_of_a_config_is_read() {
        let config = Config::parse(
            b"[AnimSet]\r\nbAnimRotationOnly=1\r\n; note\r\n[Other]\nx=1\n[UseTranslationBoneNames]\nHips \nB=C\n\
              [ForceMeshTranslationBoneNames]\nROOT\n[RemoveTracks]\nWalk v1.2.3=trans\nrun.0=ALL\nrun.x=all\nrun.1=what\n",
        );
        assert!(config.rotation_only);
        assert_eq!(config.use_translation, ["hips", "b"]);
        assert!(!config.moves(0, "Root"));
        assert!(config.moves(0, "First"));
        assert!(config.moves(4, "HIPS"));
        assert!(!config.moves(4, "Knee"));
        assert_eq!(config.removes("WALK V1.2", 3), (true, false));
        assert_eq!(config.removes("Run", 0), (true, true));
        assert_eq!(config.removes("Run", 1), (false, false));
        assert_eq!(config.removed.len(), 2);
    }

    #[test]
    fn without_a_config_every_bone_moves() {
        assert!(Config::default().moves(7, "any"));
    }

    #[test]
    fn material_files_name_textures_and_materials() {
        assert_eq!(diffuse_of_mat(b"Normal=N\nDiffuse = Skin_D\r\n").as_deref(), Some("Skin_D"));
        assert_eq!(diffuse_of_mat(b"Diffuse=\n"), None);
        let props = b"Materials[2] =\n{\n Material = Material3'Pack.Grp.Body'\n Material = None\n}\n";
        assert_eq!(materials_of_props(props), ["Body", ""]);
        let props = props_of_material(b"TwoSided = true\r\nBlendMode=BLEND_Translucent (2)\nOther = BLEND_Masked\n");
        assert_eq!(props, MaterialProps { blend: Some(Blend::Alpha), two_sided: Some(true) });
        assert_eq!(props_of_material(b"BlendMode = BLEND_Odd\nTwoSided = 1\n"), MaterialProps::default());
    }
}
