//! The format's own structures, in file space and in the file's own conventions: what the parser yields and the encoder takes.

/// A mesh file: every chunk, decoded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Psk {
    /// TypeFlag of the first chunk.
    pub type_flag: i32,
    /// PNTS0000: bind-pose positions.
    pub points: Vec<[f32; 3]>,
    /// VTXW0000.
    pub wedges: Vec<Wedge>,
    /// FACE0000 or FACE3200.
    pub faces: Vec<Face>,
    /// MATT0000.
    pub materials: Vec<Matt>,
    /// REFSKELT.
    pub bones: Vec<Bone>,
    /// RAWWEIGHTS, as stored.
    pub weights: Vec<RawWeight>,
    /// VERTEXCOLOR: one a wedge, bytes as stored; or none.
    pub colors: Vec<[u8; 4]>,
    /// EXTRAUVS0 and up: each one UV a wedge.
    pub extra_uvs: Vec<Vec<[f32; 2]>>,
    /// VTXNORMS: one a point; or none.
    pub normals: Vec<[f32; 3]>,
    /// MRPHINFO with its part of MRPHDATA.
    pub morphs: Vec<MorphInfo>,
    /// SKELSOCK.
    pub sockets: Vec<SkelSock>,
}

/// VTXW0000: a corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wedge {
    pub point: u32,
    pub uv: [f32; 2],
    /// The face's one wins.
    pub material: u8,
}

/// FACE0000 and FACE3200: a triangle, clockwise seen from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Face {
    pub wedges: [u32; 3],
    pub material: u8,
    pub aux_material: u8,
    pub smoothing_groups: u32,
}

/// MATT0000.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matt {
    pub name: String,
    pub texture_index: i32,
    pub poly_flags: u32,
    pub aux_material: i32,
    pub aux_flags: u32,
    pub lod_bias: i32,
    pub lod_style: i32,
}

/// REFSKELT and BONENAMES.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    pub name: String,
    pub flags: u32,
    pub child_count: i32,
    /// 0 or −1 on the root.
    pub parent: i32,
    /// x, y, z, w as stored: the conjugate of the rotation, except on bone 0.
    pub rotation: [f32; 4],
    pub position: [f32; 3],
    pub length: f32,
    pub size: [f32; 3],
}

/// RAWWEIGHTS.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RawWeight {
    pub weight: f32,
    pub point: i32,
    pub bone: i32,
}

/// MRPHINFO and the records of MRPHDATA that follow for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphInfo {
    pub name: String,
    /// Records that the header promises.
    pub count: i32,
    pub data: Vec<MorphData>,
}

/// MRPHDATA: in Unreal space (Y not mirrored).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MorphData {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub point: i32,
}

/// SKELSOCK: in Unreal space, relative to the bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkelSock {
    pub name: String,
    pub bone: String,
    pub location: [f32; 3],
    /// Pitch, yaw, roll in degrees.
    pub rotation_degrees: [f32; 3],
    pub scale: [f32; 3],
}

/// An animation file: every chunk, decoded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Psa {
    pub type_flag: i32,
    /// BONENAMES.
    pub bones: Vec<Bone>,
    /// ANIMINFO.
    pub sequences: Vec<AnimInfo>,
    /// ANIMKEYS: frame by frame, in each the bones in order.
    pub keys: Vec<AnimKey>,
    /// SCALEKEYS.
    pub scale_keys: Vec<ScaleKey>,
    /// ANIMFLAGS: one byte a sequence and bone.
    pub flags: Vec<u8>,
    /// `<name>:CUR` chunks.
    pub curves: Vec<CurveChunk>,
}

/// ANIMINFO.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimInfo {
    pub name: String,
    pub group: String,
    pub total_bones: i32,
    /// Whether the sequence has packed scale keys (1), in files since version 2.
    pub scale_include: i32,
    pub key_compression_style: i32,
    /// Frames × bones.
    pub key_quotum: i32,
    pub key_reduction: f32,
    /// Frames.
    pub track_time: f32,
    /// Frames a second.
    pub rate_hz: f32,
    pub start_bone: i32,
    /// In frames.
    pub first_raw_frame: i32,
    /// In frames.
    pub raw_frames: i32,
}

/// ANIMKEYS.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnimKey {
    pub position: [f32; 3],
    /// x, y, z, w as stored.
    pub rotation: [f32; 4],
    pub time: f32,
}

/// SCALEKEYS.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScaleKey {
    pub scale: [f32; 3],
    pub time: f32,
}

/// A `<name>:CUR` chunk: weights of blend shapes over one sequence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveChunk {
    /// The part before `:CUR`: the first characters of the sequence's name.
    pub sequence: String,
    pub curves: Vec<Curve>,
}

/// One blend shape's weight, one value a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    pub name: String,
    pub values: Vec<f32>,
}
