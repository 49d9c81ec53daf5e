//! The script that imports a mesh: `#exec` lines, and a class that shows it.

use super::bmp::{Texture, identifier};
use crate::formats::unreal::VertexMesh;
use std::fmt::Write as _;

/// The folder of a package's source that models lie in, with the separator that the compiler takes.
const MODELS: &str = "MODELS\\";

/// The text of the script of the files that begin with `stem`.
pub fn text(mesh: &VertexMesh, stem: &str, textures: &[Texture<'_>]) -> String {
    let class = identifier(stem);
    let name = identifier(if mesh.name.is_empty() { stem } else { &mesh.name });
    let mut out = format!(
        "// Imports {name}. Written by Bonebox {}.\n\
         // The files that are named lie in the folder Models of the package, this one in Classes.\n\
         class {class} extends Actor;\n\n",
        env!("CARGO_PKG_VERSION")
    );
    let (frames, data) = (file(&format!("{stem}_a.3d")), file(&format!("{stem}_d.3d")));
    line(&mut out, format_args!("MESH IMPORT MESH={name} ANIVFILE={frames} DATAFILE={data} X=0 Y=0 Z=0"));
    let [x, y, z] = mesh.origin.map(number);
    // 256 units of a rotator are one here.
    let [pitch, yaw, roll] = mesh.rot_origin.map(|angle| f64::from(angle) / 256.0);
    line(&mut out, format_args!("MESH ORIGIN MESH={name} X={x} Y={y} Z={z} YAW={yaw} PITCH={pitch} ROLL={roll}"));
    out.push('\n');
    for sequence in &mesh.sequences {
        let (own, start, count) = (identifier(&sequence.name), sequence.start_frame, sequence.frame_count);
        let rate = number(sequence.rate_hz);
        let group = match sequence.group.as_str() {
            "" => String::new(),
            group if group.eq_ignore_ascii_case("None") => String::new(),
            group => format!(" GROUP={}", identifier(group)),
        };
        line(
            &mut out,
            format_args!("MESH SEQUENCE MESH={name} SEQ={own} STARTFRAME={start} NUMFRAMES={count} RATE={rate}{group}"),
        );
    }
    for sequence in &mesh.sequences {
        for (time, function) in &sequence.notifications {
            let (own, time, function) = (identifier(&sequence.name), number(*time), identifier(function));
            line(&mut out, format_args!("MESH NOTIFY MESH={name} SEQ={own} TIME={time} FUNCTION={function}"));
        }
    }
    out.push('\n');
    let mut imported: Vec<&str> = Vec::new();
    for texture in textures {
        let Some((picture, _)) = texture.picture.as_ref().filter(|_| !imported.contains(&texture.name.as_str())) else {
            continue;
        };
        imported.push(&texture.name);
        let flags = if texture.is_masked { " FLAGS=2" } else { "" };
        let (own, picture) = (&texture.name, file(picture));
        line(&mut out, format_args!("TEXTURE IMPORT NAME={own} FILE={picture} GROUP=Skins{flags}"));
    }
    line(&mut out, format_args!("MESHMAP NEW MESHMAP={name} MESH={name}"));
    let [x, y, z] = mesh.scale.map(number);
    line(&mut out, format_args!("MESHMAP SCALE MESHMAP={name} X={x} Y={y} Z={z}"));
    for Texture { slot, name: own, .. } in textures {
        line(&mut out, format_args!("MESHMAP SETTEXTURE MESHMAP={name} NUM={slot} TEXTURE={own}"));
    }
    let _ = write!(out, "\ndefaultproperties\n{{\n     DrawType=DT_Mesh\n     Mesh={name}\n}}\n");
    out
}

fn line(out: &mut String, command: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "#exec {command}");
}

/// A file of the folder of models; in quotes where its name has blanks.
fn file(name: &str) -> String {
    if name.contains(char::is_whitespace) { format!("\"{MODELS}{name}\"") } else { format!("{MODELS}{name}") }
}

/// What is no number counts as 0.
fn number(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::unreal::encode::Sequence;

    #[test]
    fn the_lines_say_how_the_mesh_is_placed_and_moves() {
        let sequence = Sequence {
            name: "Wave".into(),
            group: "Idle".into(),
            start_frame: 4,
            frame_count: 8,
            notifications: vec![(0.25, "Flap".into())],
            rate_hz: 12.5,
        };
        let still =
            Sequence { name: "Still\n#exec".into(), group: "None".into(), frame_count: 1, ..Sequence::default() };
        let mesh = VertexMesh {
            name: "Flag".into(),
            sequences: vec![sequence, still],
            scale: [0.125, 0.125, 0.25],
            origin: [1.0, -2.5, f32::NAN],
            rot_origin: [128, -16384, 16384],
            ..VertexMesh::default()
        };
        let texture = |slot, name: &str| Texture { slot, name: name.into(), picture: None, is_masked: true };
        let text = text(&mesh, "My flag", &[texture(2, "Cloth")]);
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("#exec")).collect();
        assert_eq!(
            lines,
            [
                "#exec MESH IMPORT MESH=Flag ANIVFILE=\"MODELS\\My flag_a.3d\" DATAFILE=\"MODELS\\My flag_d.3d\" X=0 Y=0 Z=0",
                "#exec MESH ORIGIN MESH=Flag X=1 Y=-2.5 Z=0 YAW=-64 PITCH=0.5 ROLL=64",
                "#exec MESH SEQUENCE MESH=Flag SEQ=Wave STARTFRAME=4 NUMFRAMES=8 RATE=12.5 GROUP=Idle",
                "#exec MESH SEQUENCE MESH=Flag SEQ=Still__exec STARTFRAME=0 NUMFRAMES=1 RATE=0",
                "#exec MESH NOTIFY MESH=Flag SEQ=Wave TIME=0.25 FUNCTION=Flap",
                "#exec MESHMAP NEW MESHMAP=Flag MESH=Flag",
                "#exec MESHMAP SCALE MESHMAP=Flag X=0.125 Y=0.125 Z=0.25",
                "#exec MESHMAP SETTEXTURE MESHMAP=Flag NUM=2 TEXTURE=Cloth",
            ]
        );
        assert!(text.contains("\nclass My_flag extends Actor;\n") && text.contains("\n     Mesh=Flag\n"));
    }
}
