//! Models made byte by byte, as the editors of both generations store them.

/// A level to be written.
#[derive(Clone)]
pub struct MadeLevel {
    /// The older kind.
    pub sp3x: bool,
    /// East, up, north.
    pub points: Vec<[f32; 3]>,
    /// As stored: inwards.
    pub normals: Vec<[f32; 3]>,
    pub faces: Vec<MadeFace>,
    pub tags: Vec<(String, Vec<u8>)>,
    pub resolution: f32,
}

#[derive(Clone)]
pub struct MadeFace {
    /// Point and normal of each of three or four corners.
    pub corners: Vec<(u32, u32)>,
    pub texture: String,
    pub material: String,
}

/// A box of 2 × 3 × 4 m (east, up, north) that stands on the ground, six quadrangles, counter-clockwise from outside.
pub fn made_box(resolution: f32, sp3x: bool) -> MadeLevel {
    let corner = |i: usize| {
        [if i & 1 == 0 { -1.0 } else { 1.0 }, if i & 2 == 0 { 0.0 } else { 3.0 }, if i & 4 == 0 { -2.0 } else { 2.0 }]
    };
    // Seen from outside, north to the far side for the top.
    let sides: [([u32; 4], [f32; 3]); 6] = [
        ([2, 3, 7, 6], [0.0, 1.0, 0.0]),
        ([0, 4, 5, 1], [0.0, -1.0, 0.0]),
        ([0, 1, 3, 2], [0.0, 0.0, -1.0]),
        ([5, 4, 6, 7], [0.0, 0.0, 1.0]),
        ([1, 5, 7, 3], [1.0, 0.0, 0.0]),
        ([4, 0, 2, 6], [-1.0, 0.0, 0.0]),
    ];
    let faces = sides.iter().enumerate().map(|(side, (corners, _))| MadeFace {
        corners: corners.iter().map(|c| (*c, side as u32)).collect(),
        texture: if side == 0 { "ca\\roof.paa".to_owned() } else { "ca\\wall.paa".to_owned() },
        material: String::new(),
    });
    MadeLevel {
        sp3x,
        points: (0..8).map(corner).collect(),
        normals: if sp3x { Vec::new() } else { sides.iter().map(|(_, [x, y, z])| [-x, -y, -z]).collect() },
        faces: faces.collect(),
        tags: Vec::new(),
        resolution,
    }
}

/// A level of three points and no faces, with one of them selected.
pub fn made_memory() -> MadeLevel {
    let points = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let tags = vec![("axis".to_owned(), vec![0, 1, 0])];
    MadeLevel { sp3x: false, points, normals: Vec::new(), faces: Vec::new(), tags, resolution: 1e15 }
}

pub fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

pub fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn field(text: &str, size: usize) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(size, 0);
    bytes
}

/// One of every kind of tag that has a layout, for a level with these counts.
pub fn every_tag(level: &MadeLevel) -> Vec<(String, Vec<u8>)> {
    let (points, faces) = (level.points.len(), level.faces.len());
    let mut selection = vec![0; points + faces];
    selection[0] = 1;
    selection[points] = 1;
    let tag = |name: &str, data: Vec<u8>| (name.to_owned(), data);
    vec![
        tag("#SharpEdges#", words(&[0, 1, 1, 3])),
        tag("#Property#", [field("class", 64), field("house", 64)].concat()),
        tag("#Mass#", floats(&vec![2.5; points])),
        tag("#UVSet#", [words(&[0]), floats(&vec![0.25; faces * 8])].concat()),
        tag("#Animation#", [floats(&[0.5]), floats(&vec![1.0; points * 3])].concat()),
        tag("component01", selection.clone()),
        tag("#Selected#", selection),
        tag("#Strange#", vec![1, 2, 3]),
    ]
}

pub fn level_bytes(level: &MadeLevel) -> Vec<u8> {
    let mut out = if level.sp3x { b"SP3X".to_vec() } else { b"P3DM".to_vec() };
    let version = if level.sp3x { 0x99 } else { 0x100 };
    let counts = [level.points.len(), level.normals.len(), level.faces.len()].map(|n| n as u32);
    out.extend(words(&[28, version, counts[0], counts[1], counts[2], 0]));
    for point in &level.points {
        out.extend(floats(point));
        out.extend(words(&[0]));
    }
    out.extend(level.normals.iter().flat_map(|n| floats(n)));
    for face in &level.faces {
        if level.sp3x {
            out.extend(field(&face.texture, 32));
        }
        out.extend(words(&[face.corners.len() as u32]));
        for index in 0..4 {
            // The fourth corner of a triangle is garbage.
            let (point, normal) = face.corners.get(index).copied().unwrap_or((0xFFFF_FFFF, 77));
            out.extend(words(&[point, normal]));
            out.extend(floats(&[0.25, 0.75]));
        }
        out.extend(words(&[0]));
        if !level.sp3x {
            out.extend([face.texture.as_bytes(), &[0], face.material.as_bytes(), &[0]].concat());
        }
    }
    out.extend(b"TAGG");
    for (name, data) in level.tags.iter().chain([&("#EndOfFile#".to_owned(), Vec::new())]) {
        match level.sp3x {
            true => out.extend(field(name, 64)),
            false => out.extend([&[1], name.as_bytes(), &[0]].concat()),
        }
        out.extend(words(&[data.len() as u32]));
        out.extend(data);
    }
    out.extend(floats(&[level.resolution]));
    out
}

pub fn model_bytes(levels: &[MadeLevel]) -> Vec<u8> {
    let mut out = b"MLOD".to_vec();
    out.extend(words(&[0x101, levels.len() as u32]));
    out.extend(levels.iter().flat_map(level_bytes));
    out
}

/// Both kinds of levels, one of every tag, a collision model and a level of points alone.
pub fn rich_model() -> Vec<u8> {
    model_bytes(&rich_levels())
}

pub fn rich_levels() -> Vec<MadeLevel> {
    let mut fine = made_box(1.0, false);
    fine.tags = every_tag(&fine);
    let mut old = made_box(2.5, true);
    old.tags = every_tag(&old);
    old.faces[3].corners.pop();
    vec![old, fine, made_box(1e13, false), made_memory()]
}
