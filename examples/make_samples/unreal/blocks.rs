//! Geometry of the room map: subtracted and added boxes, and their visible faces.

use glam::Vec3;

/// The level's directions: X onward, Y to the right, Z up.
pub const AXES: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

/// What a face is covered with: a texture of the package of pictures, how many texels a unit, and surface flags.
#[derive(Clone, Copy, PartialEq)]
pub struct Skin {
    pub texture: [&'static str; 2],
    pub scale: [f32; 2],
    pub flags: u32,
}

pub const fn plain(name: &'static str) -> Skin {
    Skin { texture: ["Rooms", name], scale: [1.0, 1.0], flags: 0 }
}

pub const UNLIT: u32 = 0x40_0000;
pub const MASKED: u32 = 2;
pub const NOT_SOLID: u32 = 8;
pub const TWO_SIDED: u32 = 0x100;
/// Invisible, and where zones meet.
pub const PORTAL: u32 = 0x0400_0001;

/// A box that is cut out or put in, and what its faces bear: towards −X, +X, −Y, +Y, −Z, +Z.
pub struct Block {
    pub name: &'static str,
    pub cut: bool,
    pub low: Vec3,
    pub high: Vec3,
    pub skins: [Skin; 6],
}

/// A face seen from one side: flat in `axis`, its normal along it or against it.
#[derive(Clone, Copy)]
pub struct Face {
    pub surface: usize,
    pub axis: usize,
    pub positive: bool,
    pub low: Vec3,
    pub high: Vec3,
}

impl Face {
    pub fn normal(&self) -> Vec3 {
        if self.positive { AXES[self.axis] } else { -AXES[self.axis] }
    }

    pub fn middle(&self) -> Vec3 {
        (self.low + self.high) * 0.5
    }
}

/// To the right and down on a face as one who looks at it sees it; their product is the normal.
pub fn across(axis: usize, positive: bool) -> [Vec3; 2] {
    let normal = if positive { AXES[axis] } else { -AXES[axis] };
    if axis == 2 {
        // Onward is up on floors and ceilings.
        [Vec3::X.cross(-normal), Vec3::NEG_X]
    } else {
        [normal.cross(Vec3::Z), Vec3::NEG_Z]
    }
}

/// What the faces of one side of one block share.
#[derive(Clone, Copy)]
pub struct Surface {
    /// `None` for a sheet.
    pub block: Option<usize>,
    pub skin: Skin,
    pub axis: usize,
    pub positive: bool,
}

pub fn block(name: &'static str, cut: bool, low: [f32; 3], high: [f32; 3], skins: [Skin; 6]) -> Block {
    Block { name, cut, low: low.into(), high: high.into(), skins }
}

fn room(name: &'static str, low: [f32; 3], high: [f32; 3]) -> Block {
    let (wall, floor, ceiling) = (plain("Bricks"), plain("Planks"), plain("Ceiling"));
    block(name, true, low, high, [wall, wall, wall, wall, floor, ceiling])
}

pub fn solid(name: &'static str, texture: &'static str, low: [f32; 3], high: [f32; 3]) -> Block {
    block(name, false, low, high, [plain(texture); 6])
}

/// All boxes, in the order in which they are cut and put in.
pub fn blocks() -> Vec<Block> {
    let mut list = vec![
        room("Hall", [-448.0, -320.0, 0.0], [256.0, 320.0, 288.0]),
        room("Passage", [256.0, -64.0, 0.0], [320.0, 64.0, 160.0]),
        room("Nook", [320.0, -224.0, 0.0], [768.0, 224.0, 224.0]),
    ];
    let fire = Skin { texture: ["Effects", "Campfire"], scale: [0.5, 0.5], flags: UNLIT };
    let mut hearth = room("Hearth", [768.0, -64.0, 0.0], [800.0, 64.0, 96.0]);
    hearth.skins[1] = Skin { scale: [0.5, 64.0 / 96.0], ..fire };
    list.push(hearth);
    let mut basin = room("Basin", [-192.0, 192.0, -24.0], [64.0, 288.0, 0.0]);
    basin.skins = [plain("Trim"); 6];
    basin.skins[4] = Skin { texture: ["Effects", "Pond"], scale: [0.5, 0.5], flags: 0 };
    list.push(basin);
    let mut pedestal = solid("Pedestal", "Trim", [-128.0, -64.0, 0.0], [0.0, 64.0, 32.0]);
    pedestal.skins[5] = plain("Planks");
    list.push(pedestal);
    for y in [-176.0, 176.0] {
        list.push(solid("Pillar", "Bricks", [-288.0, y - 32.0, 0.0], [-224.0, y + 32.0, 288.0]));
    }
    for x in [-336.0, -112.0, 112.0] {
        list.push(solid("Beam", "Planks", [x, -320.0, 256.0], [x + 24.0, 320.0, 288.0]));
    }
    let mut picture = |low: [f32; 3], high: [f32; 3], side: usize| {
        let mut frame = solid("Picture", "Planks", low, high);
        frame.skins[side] = Skin { texture: ["Rooms", "Sign"], scale: [128.0 / 96.0; 2], flags: 0 };
        list.push(frame);
    };
    picture([-112.0, -320.0, 112.0], [-16.0, -314.0, 208.0], 3);
    picture([-112.0, 314.0, 112.0], [-16.0, 320.0, 208.0], 2);
    // Skirting along the walls.
    for (low, high) in [
        ([-448.0, -320.0], [256.0, -316.0]),
        ([-448.0, 316.0], [256.0, 320.0]),
        ([-448.0, -320.0], [-444.0, 320.0]),
        ([252.0, -320.0], [256.0, -64.0]),
        ([252.0, 64.0], [256.0, 320.0]),
        ([320.0, -224.0], [768.0, -220.0]),
        ([320.0, 220.0], [768.0, 224.0]),
        ([764.0, -224.0], [768.0, -64.0]),
        ([764.0, 64.0], [768.0, 224.0]),
    ] {
        list.push(solid("Skirting", "Trim", [low[0], low[1], 0.0], [high[0], high[1], 32.0]));
    }
    list
}

/// The panel that slides, around its own middle.
pub fn door() -> Block {
    let mut door = solid("Door", "Trim", [-8.0, -64.0, -80.0], [8.0, 64.0, 80.0]);
    let panel = Skin { texture: ["Rooms", "Door"], scale: [1.0, 0.8], flags: 0 };
    door.skins[0] = panel;
    door.skins[1] = panel;
    door
}

/// Where the zones meet.
const PORTAL_AT: f32 = 264.0;

/// A face that stands free.
pub struct Sheet {
    pub skin: Skin,
    pub axis: usize,
    pub positive: bool,
    pub low: Vec3,
    pub high: Vec3,
}

/// The place in cells between all planes of all boxes.
pub struct Place {
    pub blocks: Vec<Block>,
    sheets: Vec<Sheet>,
    /// The zone of a point that is not in rock.
    zones: fn(Vec3) -> usize,
    cuts: [Vec<f32>; 3],
}

impl Place {
    /// The room map's.
    pub fn room() -> Self {
        let sheet = |skin: Skin, low: [f32; 3], high: [f32; 3]| Sheet {
            skin,
            axis: 0,
            positive: false,
            low: low.into(),
            high: high.into(),
        };
        let grate = Skin { flags: MASKED | NOT_SOLID | TWO_SIDED, ..plain("Grate") };
        let sheets = vec![
            sheet(Skin { flags: PORTAL, ..plain("Door") }, [PORTAL_AT, -64.0, 0.0], [PORTAL_AT, 64.0, 160.0]),
            sheet(grate, [770.0, -64.0, 0.0], [770.0, 64.0, 96.0]),
        ];
        Self::new(blocks(), sheets, |at| if at.x < PORTAL_AT { 1 } else { 2 })
    }

    pub fn new(blocks: Vec<Block>, sheets: Vec<Sheet>, zones: fn(Vec3) -> usize) -> Self {
        let cuts = [0, 1, 2].map(|axis| {
            let mut cuts: Vec<f32> = blocks.iter().flat_map(|b| [b.low[axis], b.high[axis]]).collect();
            cuts.sort_by(f32::total_cmp);
            cuts.dedup();
            cuts
        });
        Self { blocks, sheets, zones, cuts }
    }

    /// The last box that a point is in.
    fn block_at(&self, at: Vec3) -> Option<usize> {
        self.blocks.iter().rposition(|b| at.cmpge(b.low).all() && at.cmple(b.high).all())
    }

    pub fn is_empty(&self, at: Vec3) -> bool {
        self.block_at(at).is_some_and(|index| self.blocks[index].cut)
    }

    /// The zone of a point: 0 in rock.
    pub fn zone(&self, at: Vec3) -> usize {
        if self.is_empty(at) { (self.zones)(at) } else { 0 }
    }

    /// Every face between rock and room, as few and as large as they easily can be, and the sheets; with their surfaces.
    pub fn faces(&self) -> (Vec<Surface>, Vec<Face>) {
        let mut surfaces: Vec<Surface> = Vec::new();
        let mut faces = Vec::new();
        for axis in 0..3 {
            for plane in self.cuts[axis].clone() {
                for positive in [false, true] {
                    self.plane(axis, plane, positive, &mut surfaces, &mut faces);
                }
            }
        }
        for Sheet { skin, axis, positive, low, high } in &self.sheets {
            let (axis, positive) = (*axis, *positive);
            faces.push(Face { surface: surfaces.len(), axis, positive, low: *low, high: *high });
            surfaces.push(Surface { block: None, skin: *skin, axis, positive });
        }
        (surfaces, faces)
    }

    /// The faces in one plane that look one way.
    fn plane(&self, axis: usize, plane: f32, positive: bool, surfaces: &mut Vec<Surface>, faces: &mut Vec<Face>) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let normal = if positive { AXES[axis] } else { -AXES[axis] };
        let (columns, rows) = (self.cuts[u].len() - 1, self.cuts[v].len() - 1);
        let mut owners: Vec<Option<usize>> = vec![None; columns * rows];
        for row in 0..rows {
            for column in 0..columns {
                let middle = |cuts: &[f32], i: usize| (cuts[i] + cuts[i + 1]) * 0.5;
                let at =
                    AXES[axis] * plane + AXES[u] * middle(&self.cuts[u], column) + AXES[v] * middle(&self.cuts[v], row);
                let (before, behind) = (at + normal * 0.25, at - normal * 0.25);
                if !self.is_empty(before) || self.is_empty(behind) {
                    continue;
                }
                // The face is that of what was put in behind it, or of the room before it.
                let inner = self.block_at(behind).filter(|b| !self.blocks[*b].cut);
                owners[row * columns + column] = inner.or_else(|| self.block_at(before));
            }
        }
        // Grow each face to the right, then down.
        for first in 0..owners.len() {
            let Some(owner) = owners[first] else { continue };
            let (column, row) = (first % columns, first / columns);
            let same = |owners: &[Option<usize>], c: usize, r: usize| owners[r * columns + c] == Some(owner);
            let mut right = column + 1;
            while right < columns && same(&owners, right, row) {
                right += 1;
            }
            let mut down = row + 1;
            while down < rows && (column..right).all(|c| same(&owners, c, down)) {
                down += 1;
            }
            for r in row..down {
                for c in column..right {
                    owners[r * columns + c] = None;
                }
            }
            let surface = self.surface(owner, axis, positive, surfaces);
            let corner =
                |c: usize, r: usize| AXES[axis] * plane + AXES[u] * self.cuts[u][c] + AXES[v] * self.cuts[v][r];
            faces.push(Face { surface, axis, positive, low: corner(column, row), high: corner(right, down) });
        }
    }

    fn surface(&self, owner: usize, axis: usize, positive: bool, surfaces: &mut Vec<Surface>) -> usize {
        let known = |s: &Surface| s.block == Some(owner) && s.axis == axis && s.positive == positive;
        if let Some(index) = surfaces.iter().position(known) {
            return index;
        }
        // A room's walls look inwards: its face towards −X looks to +X.
        let outwards = if self.blocks[owner].cut { !positive } else { positive };
        let skin = self.blocks[owner].skins[axis * 2 + usize::from(outwards)];
        surfaces.push(Surface { block: Some(owner), skin, axis, positive });
        surfaces.len() - 1
    }
}

/// Whether nothing of `faces` lies between two points. Sheets let light through.
pub fn sees(faces: &[Face], surfaces: &[Surface], from: Vec3, to: Vec3) -> bool {
    let way = to - from;
    !faces.iter().any(|face| {
        let along = way[face.axis];
        if surfaces[face.surface].block.is_none() || along.abs() < 1e-6 {
            return false;
        }
        let t = (face.low[face.axis] - from[face.axis]) / along;
        let hit = from + way * t;
        let (u, v) = ((face.axis + 1) % 3, (face.axis + 2) % 3);
        (1e-4..1.0 - 1e-4).contains(&t)
            && (face.low[u]..=face.high[u]).contains(&hit[u])
            && (face.low[v]..=face.high[v]).contains(&hit[v])
    })
}
