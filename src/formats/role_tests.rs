//! What the entries of each family's sample are.

use super::{Diagnostics, NO_OVERRIDES, NoFiles, OpenContext, Role, open};
use crate::bytes::{Limits, Source};
use std::{path::Path, sync::Arc};

/// The roles in a file, each with the classes that have it.
fn roles_of(path: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let mut diagnostics = Diagnostics::new(50);
    let mut cx = OpenContext {
        file: path.file_name().unwrap().to_str().unwrap(),
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits: Limits::default(),
        overrides: &NO_OVERRIDES,
    };
    let document = open(Source::from(std::fs::read(&path).unwrap()), &mut cx).unwrap();
    let mut found: Vec<(Role, &str)> =
        document.outline().entries().iter().map(|entry| (entry.role, &*entry.class)).collect();
    found.sort_by_key(|(role, class)| (format!("{role:?}"), *class));
    found.dedup();
    let mut lines: Vec<String> = Vec::new();
    let mut last = None;
    for (role, class) in found {
        match lines.last_mut().filter(|_| last == Some(role)) {
            Some(line) => line.push_str(&format!(" {class}")),
            None => lines.push(format!("{role:?}: {class}")),
        }
        last = Some(role);
    }
    lines
}

fn assert_roles(path: &str, expected: &[&str]) {
    let found = roles_of(path);
    assert_eq!(found, expected, "{path}: {found:#?}");
}

#[test]
fn of_actorx() {
    let mesh = ["Bone: Bone", "File: Psk", "Group: Chunk", "Material: Material", "Model: Mesh"];
    let rest = ["Morph: Morph", "Socket: Socket"];
    assert_roles("assets/samples/Ossie.psk", &[&mesh[..], &rest].concat());
    assert_roles("tests/data/actorx/syn_arm.psk", &mesh);
    // What an animation file has of bones stands in for a model.
    let clips = ["Bone: Bone", "Clip: AnimInfo", "File: Psa", "Group: Chunk", "Skeleton: Skeleton"];
    assert_roles("assets/samples/Ossie.psa", &clips);
}

#[test]
fn of_unreal() {
    assert_roles(
        "assets/samples/BoneRoom.unr",
        &[
            "Actor: AmbientSound BoneFlag Brush LevelInfo Light Mover OssieBox PathNode PlayerStart ZoneInfo",
            "Brush: Model Polys",
            "Data: LevelSummary",
            "File: Package",
            "Level: Level",
            "Palette: Palette",
            "Texture: Texture",
        ],
    );
    assert_roles(
        "assets/samples/Bonebox.u",
        &[
            "Class: Class",
            "ClassMember: BoolProperty ByteProperty Const Enum FloatProperty Function IntProperty NameProperty \
             ObjectProperty State Struct StructProperty",
            "Clip: MotionChunk",
            "File: Package",
            "Folder: Package",
            "Group: Animation",
            "Model: LodMesh SkeletalMesh",
            "Script: TextBuffer",
            "Sound: Sound",
            "Text: TextBuffer",
            "VertexSequence: MeshAnimSeq",
        ],
    );
    assert_roles(
        "assets/samples/BoneboxFX.utx",
        &[
            "File: Package",
            "Folder: Package",
            "Font: Font",
            "Palette: Palette",
            "Texture: FireTexture IceTexture Texture WaveTexture WetTexture",
        ],
    );
    assert_roles("assets/samples/BoneTune.umx", &["File: Package", "Music: Music"]);
    // Without the other file of the pair.
    assert_roles("assets/samples/Pennant_d.3d", &["Data: Polygons", "Model: PolygonFile"]);
    assert_roles("assets/samples/Pennant_a.3d", &["Data: Frames", "Model: FrameFile"]);
}

#[test]
fn of_j3d() {
    assert_roles(
        "tests/data/j3d/arm_maya.bmd",
        &[
            "Bone: Joint",
            "Group: DRW1 EVP1 INF1 JNT1 MAT3 SHP1 TEX1 VTX1",
            "Material: Material",
            "Model: Bmd",
            "Part: Shape",
            "Texture: Texture",
        ],
    );
    // What an animation drives is no joint of its own.
    assert_roles("tests/data/j3d/arm_wave.bck", &["Clip: Bck", "Data: Joint", "Group: ANK1"]);
    let materials = ["Group: MAT3 TEX1", "Material: Material", "SurfaceClip: Bmt", "Texture: Texture"];
    assert_roles("tests/data/j3d/arm.bmt", &materials);
    assert_roles("tests/data/j3d/tex_cmpr.bti", &["Texture: Bti"]);
}

#[test]
fn of_archives() {
    assert_roles(
        "assets/samples/ScalingRules.arc",
        &[
            "Archive: RARC",
            "Bone: Joint",
            "Clip: Bck",
            "Data: Joint",
            "Folder: Folder",
            "Group: ANK1 DRW1 EVP1 INF1 JNT1 MAT3 SHP1 TEX1 VTX1",
            "Material: Material",
            "Model: Bmd",
            "Part: Shape",
            "Texture: Texture",
        ],
    );
    assert_roles(
        "tests/data/archive/menu.u8",
        &["Archive: U8", "Clip: Bck", "Data: Joint", "Folder: Folder", "Group: ANK1", "Member: File"],
    );
    assert!(roles_of("assets/samples/Bonebox.szs").contains(&"Archive: RARC Yaz0".to_owned()));
}

#[test]
fn of_the_character_pipeline() {
    assert_roles(
        "assets/samples/Helix.model",
        &[
            "Bone: Bone",
            "Data: List",
            "Group: ACT Faces GPL SKN TEX",
            "Material: Material",
            "Model: Model",
            "Morph: Pose",
            "Part: Mesh",
            "Texture: Texture",
        ],
    );
    assert_roles("assets/samples/Helix.anm", &["Clip: Sequence", "Group: ANM"]);
    assert_roles("tests/data/charpipe/arm_sdk.act", &["Bone: Bone", "Model: ACT"]);
    // Without a palette of meshes beside it.
    assert_roles("tests/data/charpipe/arm_sdk.tpl", &["Group: TPL", "Texture: Texture"]);
}

#[test]
fn of_visitor() {
    assert_roles(
        "assets/samples/MarrowIsle.pew",
        &[
            "Data: Background Layer NamedZone ObjectType RoadCurve RoadSpecial RoadStraight RoadTerminator",
            "File: POSEW60",
            "Folder: Folder",
            "Group: Backgrounds Class Header Layers RoadNet Roads Types Zones",
            "Landscape: Terrain",
            "ObjectList: Objects",
        ],
    );
    assert_roles("assets/samples/marrow/oak.p3d", &["Data: Tags", "Model: MLOD", "Part: Level"]);
}
