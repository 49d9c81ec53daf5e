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
    /// Index into [`Psk::points`].
    pub point: u32,
    /// Texture coordinates; V = 0 is the top row of the image.
    pub uv: [f32; 2],
    /// The face's one wins.
    pub material: u8,
}

/// FACE0000 and FACE3200: a triangle, clockwise seen from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Face {
    /// Indices into [`Psk::wedges`].
    pub wedges: [u32; 3],
    /// Index into [`Psk::materials`].
    pub material: u8,
    /// AuxMatIndex, as stored.
    pub aux_material: u8,
    /// SmoothingGroups: one bit per group, 0 for a flat face (formats/actorx.md §4).
    pub smoothing_groups: u32,
}

/// MATT0000.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matt {
    /// Name of the material.
    pub name: String,
    /// TextureIndex, as stored; ignored.
    pub texture_index: i32,
    /// PolyFlags: blending, sides and lighting (formats/actorx.md §2.3).
    pub poly_flags: u32,
    /// AuxMaterial, as stored.
    pub aux_material: i32,
    /// AuxFlags, as stored.
    pub aux_flags: u32,
    /// LodBias, as stored.
    pub lod_bias: i32,
    /// LodStyle, as stored.
    pub lod_style: i32,
}

/// REFSKELT and BONENAMES.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// Name, as stored; names may repeat.
    pub name: String,
    /// Flags, as stored; not reliable.
    pub flags: u32,
    /// NumChildren, as stored; not reliable.
    pub child_count: i32,
    /// 0 or −1 on the root.
    pub parent: i32,
    /// x, y, z, w as stored: the conjugate of the rotation, except on bone 0.
    pub rotation: [f32; 4],
    /// Position relative to the parent, in Unreal units.
    pub position: [f32; 3],
    /// Length, as stored; not reliable.
    pub length: f32,
    /// Size, as stored; not reliable. CUE4Parse stores the reference scale here in PSA files.
    pub size: [f32; 3],
}

/// RAWWEIGHTS.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RawWeight {
    /// Weight as stored; the weights of a point need not add up to 1 (formats/actorx.md §6).
    pub weight: f32,
    /// Index into [`Psk::points`].
    pub point: i32,
    /// Index into [`Psk::bones`].
    pub bone: i32,
}

/// MRPHINFO and the records of MRPHDATA that follow for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphInfo {
    /// Name of the morph.
    pub name: String,
    /// Records that the header promises.
    pub count: i32,
    /// Records of the morph; may be fewer than `count`.
    pub data: Vec<MorphData>,
}

/// MRPHDATA: in Unreal space (Y not mirrored).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MorphData {
    /// Difference from the point's position, in Unreal units.
    pub position: [f32; 3],
    /// Difference from the point's normal.
    pub normal: [f32; 3],
    /// Index into [`Psk::points`].
    pub point: i32,
}

/// SKELSOCK: in Unreal space, relative to the bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkelSock {
    /// Name of the socket.
    pub name: String,
    /// Name of the bone; empty in static meshes.
    pub bone: String,
    /// Location relative to the bone, in Unreal units.
    pub location: [f32; 3],
    /// Pitch, yaw, roll in degrees.
    pub rotation_degrees: [f32; 3],
    /// Scale along X, Y and Z.
    pub scale: [f32; 3],
}

/// An animation file: every chunk, decoded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Psa {
    /// TypeFlag of the first chunk.
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
    /// Name of the sequence; names may repeat.
    pub name: String,
    /// Group; “None” for no group.
    pub group: String,
    /// TotalBones, as stored; may differ from the number of bones (formats/actorx.md §3.1).
    pub total_bones: i32,
    /// Whether the sequence has packed scale keys (1), in files since version 2.
    pub scale_include: i32,
    /// KeyCompressionStyle, as stored.
    pub key_compression_style: i32,
    /// Frames × bones.
    pub key_quotum: i32,
    /// KeyReduction, as stored.
    pub key_reduction: f32,
    /// Frames.
    pub track_time: f32,
    /// Frames a second.
    pub rate_hz: f32,
    /// StartBone, as stored.
    pub start_bone: i32,
    /// In frames.
    pub first_raw_frame: i32,
    /// In frames.
    pub raw_frames: i32,
}

/// ANIMKEYS.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnimKey {
    /// Position relative to the parent, in Unreal units.
    pub position: [f32; 3],
    /// x, y, z, w as stored.
    pub rotation: [f32; 4],
    /// Time, as stored: 1.0 in every file seen; ignored.
    pub time: f32,
}

/// SCALEKEYS.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScaleKey {
    /// Absolute local scale along X, Y and Z.
    pub scale: [f32; 3],
    /// Time, as stored; ignored.
    pub time: f32,
}

/// A `<name>:CUR` chunk: weights of blend shapes over one sequence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveChunk {
    /// The part before `:CUR`: the first characters of the sequence's name.
    pub sequence: String,
    /// Curves of the sequence; may be empty.
    pub curves: Vec<Curve>,
}

/// One blend shape's weight, one value a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Name of the morph that the curve drives.
    pub name: String,
    /// Weights, one per frame.
    pub values: Vec<f32>,
}
