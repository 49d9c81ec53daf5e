//! The lines of a script that import a mesh (formats/unreal.md §8.8): `#exec MESH SEQUENCE MESH=Flag SEQ=Wave …`.

use crate::{
    formats::{
        SharedText,
        unreal::mesh::{AnimSeq, Notify},
    },
    scene::Clip,
};
use std::collections::{BTreeMap, HashMap};

/// PolyFlags of a texture whose first colour is transparent.
const MASKED: u32 = 2;

/// What a script says of one mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportLines {
    pub mesh: String,
    pub origin: [f32; 3],
    /// Pitch, yaw, roll; 65536 is a full turn.
    pub rot_origin: [i32; 3],
    /// `None` where the script does not say it.
    pub scale: Option<[f32; 3]>,
    pub sequences: Vec<AnimSeq>,
    /// By slot: polygons have a byte for it.
    pub textures: BTreeMap<u8, SlotTexture>,
}

/// The texture of a slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotTexture {
    pub name: String,
    /// The path of the picture that it is imported from; `None` for one that lies elsewhere.
    pub file: Option<String>,
    /// Its first colour is transparent.
    pub is_masked: bool,
}

/// A line behind `#exec`: two words that say what it does, then keys with values.
struct Line<'a> {
    words: Vec<&'a str>,
}

impl<'a> Line<'a> {
    /// `None` for lines of another kind.
    fn of(line: &'a str) -> Option<Self> {
        let line = line.trim();
        let start = line.get(..5).filter(|start| start.eq_ignore_ascii_case("#exec"))?;
        let rest = line.get(start.len()..).filter(|rest| rest.starts_with(char::is_whitespace))?;
        // Blanks in quotes divide nothing.
        let mut is_quoted = false;
        let is_gap = |c: char| {
            is_quoted ^= c == '"';
            c.is_whitespace() && !is_quoted
        };
        Some(Self { words: rest.split(is_gap).filter(|word| !word.is_empty()).collect() })
    }

    fn is(&self, first: &str, second: &str) -> bool {
        matches!(self.words[..], [a, b, ..] if a.eq_ignore_ascii_case(first) && b.eq_ignore_ascii_case(second))
    }

    fn value(&self, key: &str) -> Option<&'a str> {
        let pairs = self.words.iter().filter_map(|word| word.split_once('='));
        let mut found = pairs.filter(|(own, _)| own.eq_ignore_ascii_case(key));
        found.next().map(|(_, value)| value.trim_matches('"'))
    }

    /// Whether the value of a key is this name, in any case.
    fn has(&self, key: &str, name: &str) -> bool {
        self.value(key).is_some_and(|value| value.eq_ignore_ascii_case(name))
    }

    /// A number that is finite; what is none is `otherwise`.
    fn float(&self, key: &str, otherwise: f32) -> f32 {
        self.value(key)
            .and_then(|value| value.parse().ok())
            .filter(|value: &f32| value.is_finite())
            .unwrap_or(otherwise)
    }

    fn whole(&self, key: &str) -> i32 {
        self.value(key).and_then(|value| value.parse().ok()).unwrap_or(0)
    }

    /// 256 steps are a full turn; 65536 units in a rotator.
    fn angle(&self, key: &str) -> i32 {
        (self.value(key).and_then(|value| value.parse().ok()).unwrap_or(0.0_f64) * 256.0).round() as i32
    }

    fn vector(&self, otherwise: f32) -> [f32; 3] {
        ["X", "Y", "Z"].map(|key| self.float(key, otherwise))
    }
}

impl ImportLines {
    /// What a script says of the mesh that is imported from files of which `is_ours` knows the paths; `None` where it imports none.
    pub fn read(script: &str, is_ours: impl Fn(&str) -> bool) -> Option<Self> {
        let lines: Vec<Line<'_>> = script.lines().filter_map(Line::of).collect();
        let imports = |line: &&Line<'_>| {
            let files = ["ANIVFILE", "DATAFILE"].into_iter().filter_map(|key| line.value(key));
            line.is("MESH", "IMPORT") && { files }.any(&is_ours)
        };
        let mesh = lines.iter().find(imports)?.value("MESH")?;
        let mut made = Self { mesh: mesh.to_owned(), ..Self::default() };
        // A mesh is placed and dressed under another name, which is its own as a rule.
        let new = |line: &&Line<'_>| line.is("MESHMAP", "NEW") && line.has("MESH", mesh);
        let map = lines.iter().find(new).and_then(|line| line.value("MESHMAP")).unwrap_or(mesh);
        // The first sequence of a name has the notifications.
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for line in &lines {
            if line.has("MESH", mesh) && line.is("MESH", "ORIGIN") {
                made.origin = line.vector(0.0);
                made.rot_origin = ["PITCH", "YAW", "ROLL"].map(|key| line.angle(key));
            } else if line.has("MESH", mesh) && line.is("MESH", "SEQUENCE") {
                let sequence = sequence(line);
                numbers.entry(sequence.name.to_lowercase()).or_insert(made.sequences.len());
                made.sequences.push(sequence);
            } else if line.has("MESH", mesh) && line.is("MESH", "NOTIFY") {
                let number = line.value("SEQ").and_then(|name| numbers.get(&name.to_lowercase()));
                if let Some(sequence) = number.and_then(|number| made.sequences.get_mut(*number)) {
                    let function = shared(line.value("FUNCTION"));
                    sequence.notifies.push(Notify { time: line.float("TIME", 0.0), function });
                }
            } else if line.has("MESHMAP", map) && line.is("MESHMAP", "SCALE") {
                made.scale = Some(line.vector(1.0));
            } else if line.has("MESHMAP", map) && line.is("MESHMAP", "SETTEXTURE") {
                let slot = line.value("NUM").and_then(|number| number.parse().ok());
                if let (Some(slot), Some(name)) = (slot, line.value("TEXTURE")) {
                    made.textures.insert(slot, SlotTexture { name: name.to_owned(), ..SlotTexture::default() });
                }
            }
        }
        made.add_files(&lines);
        Some(made)
    }

    /// The pictures that the textures of slots are imported from.
    fn add_files(&mut self, lines: &[Line<'_>]) {
        for texture in self.textures.values_mut() {
            // A texture that is named with its package may be imported here all the same.
            let own = texture.name.rsplit('.').next().unwrap_or_default();
            let import = lines.iter().find(|line| line.is("TEXTURE", "IMPORT") && line.has("NAME", own));
            let Some(import) = import else { continue };
            texture.file = import.value("FILE").map(str::to_owned);
            texture.is_masked = import.whole("FLAGS").cast_unsigned() & MASKED != 0;
        }
    }
}

fn shared(text: Option<&str>) -> SharedText {
    SharedText::from(text.unwrap_or_default().to_owned())
}

fn sequence(line: &Line<'_>) -> AnimSeq {
    AnimSeq {
        name: shared(line.value("SEQ")),
        group: shared(line.value("GROUP")),
        start_frame: line.whole("STARTFRAME"),
        frames: line.whole("NUMFRAMES"),
        rate: line.float("RATE", Clip::DEFAULT_RATE_HZ),
        ..AnimSeq::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "\
        // #exec MESH IMPORT MESH=No ANIVFILE=MODELS\\Flag_a.3d\r\n\
        #exec MESH IMPORT MESH=Pole ANIVFILE=MODELS\\Pole_a.3d DATAFILE=MODELS\\Pole_d.3d\r\n\
        #EXEC mesh  import mesh=Flag anivfile=\"..\\My models\\FLAG_a.3D\" DATAFILE=x/Flag_d.3d X=0\r\n\
        \t#exec MESH ORIGIN MESH=flag X=1 Y=-2.5 Z=nan YAW=-64 PITCH=0.5 ROLL=64\r\n\
        #exec MESH SEQUENCE MESH=Flag SEQ=Wave STARTFRAME=4 NUMFRAMES=8 RATE=12.5 GROUP=Idle\r\n\
        #exec MESH SEQUENCE MESH=Flag SEQ=Still STARTFRAME=x\r\n\
        #exec MESH SEQUENCE MESH=Pole SEQ=Other STARTFRAME=0 NUMFRAMES=1\r\n\
        #exec MESH NOTIFY MESH=Flag SEQ=wave TIME=0.25 FUNCTION=Flap\r\n\
        #exec MESH NOTIFY MESH=Flag SEQ=None TIME=0.25 FUNCTION=Lost\r\n\
        #exec TEXTURE IMPORT NAME=Cloth FILE=\"MODELS\\my cloth.pcx\" GROUP=Skins FLAGS=2\r\n\
        #exec TEXTURE IMPORT NAME=Other FILE=MODELS\\other.pcx\r\n\
        #exec MESHMAP NEW MESHMAP=FlagMap MESH=Flag\r\n\
        #exec MESHMAP SCALE MESHMAP=FlagMap X=0.125 Y=0.125 Z=0.25\r\n\
        #exec MESHMAP SCALE MESHMAP=Flag X=9 Y=9 Z=9\r\n\
        #exec MESHMAP SETTEXTURE MESHMAP=FlagMap NUM=2 TEXTURE=cloth\r\n\
        #exec MESHMAP SETTEXTURE MESHMAP=flagmap NUM=0 TEXTURE=Pack.Group.Bricks TLOD=5\r\n\
        #exec MESHMAP SETTEXTURE MESHMAP=FlagMap NUM=256 TEXTURE=TooFar\r\n\
        #executable MESHMAP SETTEXTURE MESHMAP=FlagMap NUM=3 TEXTURE=No\r\n";

    fn is_ours(path: &str) -> bool {
        path.to_lowercase().ends_with("flag_a.3d")
    }

    #[test]
    fn the_lines_of_one_mesh_are_read_whatever_their_case() {
        let lines = ImportLines::read(SCRIPT, is_ours).unwrap();
        assert_eq!(
            (lines.mesh.as_str(), lines.origin, lines.rot_origin),
            ("Flag", [1.0, -2.5, 0.0], [128, -16384, 16384])
        );
        assert_eq!(lines.scale, Some([0.125, 0.125, 0.25]));
        let [wave, still] = &lines.sequences[..] else { panic!("{:?}", lines.sequences) };
        assert_eq!((&*wave.name, &*wave.group, wave.start_frame, wave.frames, wave.rate), ("Wave", "Idle", 4, 8, 12.5));
        assert_eq!(wave.notifies, [Notify { time: 0.25, function: "Flap".into() }]);
        assert_eq!((&*still.name, still.start_frame, still.frames, still.rate), ("Still", 0, 0, 30.0));
        let cloth = SlotTexture { name: "cloth".into(), file: Some("MODELS\\my cloth.pcx".into()), is_masked: true };
        let bricks = SlotTexture { name: "Pack.Group.Bricks".into(), ..SlotTexture::default() };
        assert_eq!(lines.textures, BTreeMap::from([(0, bricks), (2, cloth)]));
    }

    #[test]
    fn a_script_that_imports_something_else_says_nothing() {
        assert_eq!(ImportLines::read(SCRIPT, |path| path.contains("Tree_d")), None);
        assert_eq!(ImportLines::read("", is_ours), None);
        assert_eq!(ImportLines::read("#exec", is_ours), None);
        assert_eq!(ImportLines::read("#exec MESH IMPORT ANIVFILE=Flag_a.3d", is_ours), None, "it has no name");
        // A quote that is not closed takes the rest of the line.
        let open = ImportLines::read("#exec MESH IMPORT MESH=\"a ANIVFILE=Flag_a.3d", is_ours);
        assert_eq!(open, None);
    }
}
