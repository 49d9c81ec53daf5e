//! Ossie, the bone box: a chest on four legs that keeps a bone. Its skeleton, surface and skin weights.
//!
//! Ossie faces −Y; its left is +X. One unit is about a centimetre.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Quat, Vec3};

use super::actorx::Socket;
use super::mesh::{Grid, Mesh, Rect, Tube, Vertex, curve, smoothstep};
use super::rig::{Rig, chain_weights};

/// What a triangle belongs to. `usize` is the side (0 left, 1 right) or the leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Dome,
    LidLip,
    LidInside,
    Tub,
    TubLip,
    TubInside,
    Leg(usize),
    Foot(usize),
    Ear(usize),
    EarBall(usize),
    UpperLid(usize),
    LowerLid(usize),
    Eye(usize),
    Latch,
    Tooth,
    Tongue,
    Tail,
    TailTip,
    Treasure,
}

pub const MATERIALS: [&str; 3] = ["Ossie_Body", "Ossie_Eyes", "Ossie_Bone"];
pub const BODY: u8 = 0;
pub const EYES: u8 = 1;
pub const BONE: u8 = 2;

/// Half width and half depth of the chest.
pub const HALF: Vec3 = Vec3::new(26.0, 23.5, 0.0);
pub const HINGE: Vec3 = Vec3::new(0.0, 22.0, 48.0);
/// Middle of the latch on the lid's front.
pub const LATCH: Vec3 = Vec3::new(0.0, -25.6, 45.6);
pub const EYE_RADIUS: f32 = 12.4;
/// Where the treasure lies.
pub const TREASURE: Vec3 = Vec3::new(0.0, 3.0, 42.5);

/// +1 on the left side, −1 on the right.
fn sign(side: usize) -> f32 {
    if side == 0 { 1.0 } else { -1.0 }
}

pub fn eye_center(side: usize) -> Vec3 {
    Vec3::new(13.2 * sign(side), -15.0, 69.0)
}

/// Hip, knee and ankle of a leg: front left, front right, rear left, rear right.
pub fn leg_path(leg: usize) -> [Vec3; 3] {
    let (side, front) = (sign(leg % 2), leg < 2);
    let y = if front { -12.5 } else { 12.0 };
    let knee = if front { 5.0 } else { -5.0 };
    [Vec3::new(14.0 * side, y, 26.0), Vec3::new(16.5 * side, y + knee, 16.0), Vec3::new(17.5 * side, y - 1.0, 6.5)]
}

/// Towards where a knee bends.
pub fn knee_direction(leg: usize) -> Vec3 {
    Vec3::new(0.15 * sign(leg % 2), if leg < 2 { 1.0 } else { -1.0 }, 0.0)
}

fn ear_path(side: usize) -> Vec<Vec3> {
    let s = sign(side);
    vec![
        Vec3::new(15.0 * s, 4.0, 68.0),
        Vec3::new(19.5 * s, 6.0, 79.0),
        Vec3::new(25.0 * s, 6.0, 88.0),
        Vec3::new(32.0 * s, 4.0, 94.0),
    ]
}

fn tail_path() -> Vec<Vec3> {
    [[20.0, 31.0], [30.0, 32.0], [38.5, 37.0], [43.0, 45.0], [44.0, 54.0], [41.5, 62.5]]
        .map(|[y, z]| Vec3::new(0.0, y, z))
        .to_vec()
}

fn tongue_path() -> Vec<Vec3> {
    vec![Vec3::new(0.0, 9.0, 37.5), Vec3::new(0.0, -6.0, 41.0), Vec3::new(0.0, -17.5, 43.0)]
}

/// The skeleton and where its bones are in it.
pub struct Skeleton {
    pub rig: Rig,
    pub pelvis: usize,
    pub body: usize,
    pub belly: usize,
    pub chest: usize,
    pub rump: usize,
    pub lid: usize,
    pub eyes: [usize; 2],
    pub ears: [Vec<usize>; 2],
    pub tongue: Vec<usize>,
    pub treasure: usize,
    pub tail: Vec<usize>,
    /// Upper, lower, foot of: front left, front right, rear left, rear right.
    pub legs: [[usize; 3]; 4],
}

pub fn skeleton() -> Skeleton {
    let mut rig = Rig::default();
    let root = rig.upright("Root", None, Vec3::ZERO);
    let pelvis = rig.upright("Pelvis", Some(root), Vec3::new(0.0, 0.0, 26.0));
    let body = rig.upright("Body", Some(pelvis), Vec3::new(0.0, 0.0, 22.0));
    let belly = rig.upright("Belly", Some(body), Vec3::new(0.0, -2.0, 22.0));
    let chest = rig.upright("Chest", Some(body), Vec3::new(0.0, -13.0, 33.0));
    let rump = rig.upright("Rump", Some(body), Vec3::new(0.0, 13.0, 33.0));
    let lid = rig.upright("Lid", Some(body), HINGE);
    let eyes = [0, 1].map(|side| rig.upright(["Eye.L", "Eye.R"][side], Some(lid), eye_center(side)));
    let ears = [0, 1].map(|side| rig.chain(["Ear.L", "Ear.R"][side], lid, &ear_path(side)));
    let tongue = rig.chain("Tongue", body, &tongue_path());
    let treasure = rig.upright("Treasure", Some(body), TREASURE);
    let tail = rig.chain("Tail", rump, &tail_path());
    let legs = [0, 1, 2, 3].map(|leg| {
        let name = ["Leg.FL", "Leg.FR", "Leg.RL", "Leg.RR"][leg];
        let [hip, knee, ankle] = leg_path(leg);
        let chain = rig.chain(name, pelvis, &[hip, knee, ankle]);
        let foot = rig.upright(&name.replace("Leg", "Foot"), Some(chain[1]), ankle);
        [chain[0], chain[1], foot]
    });
    Skeleton { rig, pelvis, body, belly, chest, rump, lid, eyes, ears, tongue, treasure, tail, legs }
}

pub fn sockets() -> Vec<Socket> {
    vec![
        Socket { name: "Hat", bone: "Lid", location: Vec3::new(0.0, -18.0, 26.0), rotation_degrees: [0.0; 3] },
        Socket {
            name: "Treasure",
            bone: "Body",
            location: Vec3::new(0.0, 0.0, 16.0),
            rotation_degrees: [0.0, 90.0, 0.0],
        },
        Socket { name: "Tail_Tip", bone: "Tail.5", location: Vec3::new(8.0, 0.0, 0.0), rotation_degrees: [0.0; 3] },
    ]
}

/// The chest's outline at an angle, as a factor on a unit circle: a rounded square.
fn outline(angle: f32) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    let power = 3.4;
    let radius = (sin.abs().powf(power) + cos.abs().powf(power)).powf(-1.0 / power);
    Vec3::new(cos * radius, sin * radius, 0.0) * HALF
}

/// How far the rim is lifted: the mouth smiles a little even at rest.
pub fn rim_lift(at: Vec3) -> f32 {
    let front = smoothstep(14.0, -18.0, at.y);
    front * (6.6 * (at.x / HALF.x).powi(2).min(1.2) - 3.0)
}

/// What the smile adds near the mouth: corners up and out, middle down.
fn smile(at: Vec3) -> Vec3 {
    let front = smoothstep(0.0, -17.0, at.y) * smoothstep(32.0, 44.0, at.z) * smoothstep(62.0, 52.0, at.z);
    let corner = (at.x.abs() / 22.0).powi(2).min(1.2);
    Vec3::new(at.x.signum() * corner * 0.9, -0.5 * corner, 4.2 * corner - 1.4) * front
}

/// A ring of the chest: factor on its outline, height, and how far it follows the rim's lift (0 to 1).
type Ring = (f32, f32, f32);

/// A point of a ring.
fn ring(column: usize, (scale, z, lift): Ring) -> Vertex {
    let angle = FRAC_PI_2 + column as f32 / CHEST_COLUMNS as f32 * TAU;
    let flat = outline(angle) * scale;
    let position = flat + Vec3::Z * (z + rim_lift(outline(angle)) * lift);
    let smile = smile(position) * lift;
    Vertex { position, morphs: [Vec3::ZERO, smile] }
}

const CHEST_COLUMNS: usize = 32;

/// Height of the tub's and the lid's own rims, where hard edges run; each (scale, z, lift).
const TUB_EDGE: Ring = (0.985, 43.2, 1.0);
const TUB_MOUTH: Ring = (0.90, 46.6, 1.0);
const LID_MOUTH: Ring = (0.90, 48.6, 1.0);
const LID_EDGE: Ring = (1.0, 53.4, 0.85);

const TUB: [Ring; 9] = [
    (0.0, 17.0, 0.0),
    (0.40, 17.3, 0.0),
    (0.70, 18.8, 0.0),
    (0.87, 22.0, 0.0),
    (0.955, 26.4, 0.1),
    (0.995, 31.5, 0.3),
    (1.01, 36.5, 0.6),
    (1.004, 40.5, 0.9),
    TUB_EDGE,
];
const TUB_LIP: [Ring; 5] = [TUB_EDGE, (1.05, 43.5, 1.0), (1.06, 45.4, 1.0), (0.98, 47.1, 1.0), TUB_MOUTH];
const TUB_INSIDE: [Ring; 4] = [TUB_MOUTH, (0.86, 40.0, 0.6), (0.74, 35.0, 0.2), (0.0, 34.0, 0.0)];
const LID_INSIDE: [Ring; 5] = [(0.0, 54.6, 0.0), (0.62, 54.2, 0.0), (0.82, 52.9, 0.5), (0.885, 50.8, 0.9), LID_MOUTH];
const LID_LIP: [Ring; 6] =
    [LID_MOUTH, (0.99, 47.5, 1.0), (1.08, 48.1, 1.0), (1.105, 50.4, 0.97), (1.08, 52.8, 0.9), LID_EDGE];
const DOME: [Ring; 9] = [
    LID_EDGE,
    (1.014, 57.0, 0.6),
    (1.0, 61.0, 0.25),
    (0.95, 65.2, 0.05),
    (0.86, 68.8, 0.0),
    (0.72, 71.6, 0.0),
    (0.53, 73.6, 0.0),
    (0.29, 74.7, 0.0),
    (0.0, 75.0, 0.0),
];

struct Builder {
    mesh: Mesh<Part>,
}

impl Builder {
    fn chest(&mut self) {
        let sheets: [(Part, u32, &[Ring], Rect); 6] = [
            (Part::Dome, 1, &DOME, Rect(0.0, 0.0, 720.0, 280.0)),
            (Part::LidLip, 2, &LID_LIP, Rect(0.0, 280.0, 720.0, 356.0)),
            (Part::LidInside, 4, &LID_INSIDE, Rect(0.0, 700.0, 360.0, 830.0)),
            (Part::Tub, 8, &TUB, Rect(0.0, 356.0, 720.0, 640.0)),
            (Part::TubLip, 16, &TUB_LIP, Rect(0.0, 640.0, 720.0, 700.0)),
            (Part::TubInside, 32, &TUB_INSIDE, Rect(360.0, 700.0, 720.0, 830.0)),
        ];
        for (index, (part, groups, profile, rect)) in sheets.into_iter().enumerate() {
            if index == 0 || index == 3 {
                self.mesh.begin_piece();
            }
            let grid = Grid { closed: true, ..sheet(part, CHEST_COLUMNS, profile.len() - 1, rect) };
            self.mesh.grid(&Grid { groups, ..grid }, |column, row| ring(column, profile[row]));
        }
    }

    /// A ball-like sheet around `center`, its pole towards `axis`, columns from `side`; `shape(column angle, row 0..1)`
    /// says distance from the axis and height along it.
    fn lathe(
        &mut self,
        grid: &Grid<Part>,
        center: Vec3,
        axis: Vec3,
        side: Vec3,
        shape: impl Fn(f32, f32) -> (f32, f32),
    ) {
        let other = axis.cross(side);
        self.mesh.begin_piece();
        self.mesh.grid(grid, |column, row| {
            let angle = column as f32 / grid.columns as f32 * TAU;
            let (radius, height) = shape(angle, row as f32 / grid.rows as f32);
            let (sin, cos) = angle.sin_cos();
            let pole = radius.abs() < 1e-4;
            center + axis * height + if pole { Vec3::ZERO } else { (side * cos + other * sin) * radius }
        });
    }

    fn eye(&mut self, side: usize) {
        let center = eye_center(side);
        let grid =
            Grid { material: EYES, closed: true, ..sheet(Part::Eye(side), 16, 8, Rect(0.0, 0.0, 1024.0, 1024.0)) };
        let first = self.mesh.corners.len();
        self.lathe(&grid, center, Vec3::NEG_Y, Vec3::X, |_, row| {
            let angle = PI * (1.0 - row);
            let radius = if row == 0.0 || row == 1.0 { 0.0 } else { EYE_RADIUS * angle.sin() };
            (radius, EYE_RADIUS * angle.cos())
        });
        // The picture of an eye is the eye seen from the front, its back at the picture's border.
        for corner in &mut self.mesh.corners[first..] {
            let out = (self.mesh.points[corner.point].vertex.position - center) / EYE_RADIUS;
            let from_front = (-out.y).clamp(-1.0, 1.0).acos() / PI;
            let flat = glam::Vec2::new(out.x, -out.z).normalize_or_zero();
            corner.uv = glam::Vec2::splat(0.5) + flat * from_front * 0.5;
        }
        // Lids: together a shell with a round opening towards the front. Places on it are flat coordinates in degrees
        // away from the front, as on the eye's picture; the shell leans outwards a little, which looks friendly.
        let lean = Quat::from_rotation_y((9.0 * sign(side)).to_radians());
        let shell = |radius: f32, flat: glam::Vec2| {
            let (sin, cos) = flat.length().to_radians().sin_cos();
            let across = flat.normalize_or_zero() * sin;
            center + lean * Vec3::new(across.x, -cos, across.y) * radius
        };
        let columns = 14;
        let mut lid = |part, rect, rows: usize, radii: [f32; 2], upper: f32, [open, closed, smiling]: [f32; 3]| {
            self.mesh.begin_piece();
            let grid = Grid { painted: side == 0, ..sheet(part, columns, rows, rect) };
            self.mesh.grid(&grid, |column, row| {
                // Rows go from the edge, with its thickness, to the back; the lower lid's the other way round.
                let row = if upper > 0.0 { row } else { rows - row };
                let t = row.saturating_sub(1) as f32 / (rows - 1) as f32;
                let (sin, cos) = (PI * (1.0 - column as f32 / columns as f32)).sin_cos();
                let back = glam::Vec2::new(cos, sin * upper) * 172.0;
                let place = |radius: f32, edge: f32| {
                    let radius = EYE_RADIUS * if row == 0 { 0.97 } else { radius + (radii[0] - radius) * t };
                    let edge = glam::Vec2::new(cos * 66.0, edge * sin);
                    shell(radius, edge.lerp(back, t))
                };
                let rest = place(radii[0], open);
                // Half way between two places is nearer to the eye than both: closed lids bulge to stay off it.
                Vertex { position: rest, morphs: [place(radii[1], closed) - rest, place(radii[0], smiling) - rest] }
            });
        };
        lid(Part::UpperLid(side), Rect(720.0, 340.0, 1024.0, 480.0), 6, [1.12, 1.17], 1.0, [50.0, -4.0, 48.0]);
        lid(Part::LowerLid(side), Rect(720.0, 480.0, 1024.0, 560.0), 5, [1.12, 1.21], -1.0, [-49.0, 0.0, -29.0]);
    }

    fn leg(&mut self, leg: usize) {
        let [hip, knee, ankle] = leg_path(leg);
        let s = sign(leg % 2);
        let knots = [hip + Vec3::new(-2.0 * s, 0.0, 4.0), hip, knee, ankle, ankle - Vec3::Z * 1.5];
        let centers: Vec<Vec3> = (0..=7).map(|ring| curve(&knots, ring as f32 / 7.0)).collect();
        let radii: Vec<f32> = (0..=7).map(|ring| 6.8 - 1.9 * smoothstep(0.0, 1.0, ring as f32 / 7.0)).collect();
        let tube = Tube::new(&centers, &radii, Vec3::Y);
        let rect = Rect(720.0, 0.0, 880.0, 160.0);
        self.mesh.begin_piece();
        let grid = Grid { closed: true, painted: leg == 0, ..sheet(Part::Leg(leg), 10, 7, rect) };
        self.mesh.grid(&grid, |column, row| tube.at(column, 10, row));
        // A boot: sole, sides, instep.
        let rows =
            [(0.0, 0.0), (0.9, 0.0), (1.02, 1.6), (1.0, 4.2), (0.84, 6.8), (0.86, 9.6), (0.76, 10.6), (0.56, 10.0)];
        let rect = Rect(720.0, 160.0, 1024.0, 340.0);
        let grid =
            Grid { closed: true, groups: 1, painted: leg == 0, ..sheet(Part::Foot(leg), 16, rows.len() - 1, rect) };
        self.mesh.begin_piece();
        self.mesh.grid(&grid, |column, row| {
            let angle = FRAC_PI_2 + column as f32 / 16.0 * TAU;
            let (sin, cos) = angle.sin_cos();
            let (scale, height) = rows[row];
            if scale == 0.0 {
                return Vec3::new(ankle.x, ankle.y, 0.0);
            }
            let radius = (sin.abs().powf(2.4) + cos.abs().powf(2.4)).powf(-1.0 / 2.4) * scale;
            let front = smoothstep(0.2, -1.0, sin);
            // Toes reach out low; the shaft stays around the ankle.
            let low = smoothstep(8.0, 2.0, height);
            let toes = 1.0 + 0.10 * front * low * (angle * 7.0 + PI * 0.5).cos().abs();
            Vec3::new(
                ankle.x + cos * radius * 8.0 * (1.0 + 0.12 * front * low),
                ankle.y + sin * radius * (7.2 + 3.6 * front * low) * toes,
                height * (1.0 - 0.06 * front),
            )
        });
    }

    fn ear(&mut self, side: usize) {
        let path = ear_path(side);
        let rings = 14;
        let centers: Vec<Vec3> = (0..=rings).map(|ring| curve(&path, ring as f32 / rings as f32)).collect();
        // Bellows: every other ring is thick.
        let radii: Vec<f32> = (0..=rings).map(|ring| if ring % 2 == 0 { 1.7 } else { 2.3 }).collect();
        let tube = Tube::new(&centers, &radii, Vec3::Y);
        self.mesh.begin_piece();
        let rect = Rect(880.0, 0.0, 960.0, 160.0);
        let grid = Grid { closed: true, painted: side == 0, ..sheet(Part::Ear(side), 8, rings, rect) };
        self.mesh.grid(&grid, |column, row| tube.at(column, 8, row));
        let rect = Rect(960.0, 0.0, 1024.0, 80.0);
        let grid = Grid { closed: true, painted: side == 0, ..sheet(Part::EarBall(side), 12, 7, rect) };
        let axis = (path[3] - path[2]).normalize_or(Vec3::Z);
        let across = axis.any_orthonormal_vector();
        self.lathe(&grid, path[3] + axis * 3.0, axis, across, |_, row| ball(5.2, row));
    }

    fn latch(&mut self) {
        // A plate with a keyhole, its face towards the front.
        let rows: [(f32, f32); 6] = [(1.0, -1.0), (1.0, 1.9), (0.93, 2.7), (0.80, 3.0), (0.45, 3.3), (0.0, 3.4)];
        let grid = Grid { closed: true, groups: 1, ..sheet(Part::Latch, 16, 5, Rect(720.0, 560.0, 872.0, 712.0)) };
        let center = LATCH;
        self.lathe(&grid, center, Vec3::NEG_Y, Vec3::X, |angle, row| {
            let (scale, height) = rows[(row * 5.0).round() as usize];
            let (sin, cos) = angle.sin_cos();
            let radius = ((sin / 6.0).abs().powf(3.0) + (cos / 5.4).abs().powf(3.0)).powf(-1.0 / 3.0);
            (radius * scale, height)
        });
        for side in 0..2 {
            let grid =
                Grid { closed: true, painted: side == 0, ..sheet(Part::Tooth, 9, 5, Rect(872.0, 560.0, 936.0, 624.0)) };
            let x = 11.0 * sign(side);
            let lift = rim_lift(Vec3::new(x, -HALF.y, 0.0));
            let center = Vec3::new(x, -HALF.y * 1.075, 48.6 + lift);
            self.lathe(&grid, center, Vec3::NEG_Z, Vec3::X, |_, row| {
                let angle = row * FRAC_PI_2;
                (if row == 1.0 { 0.0 } else { 2.5 * angle.cos().powf(0.7) }, 5.6 * angle.sin())
            });
        }
    }

    fn tongue(&mut self) {
        let path = tongue_path();
        self.mesh.begin_piece();
        let grid = Grid { closed: true, ..sheet(Part::Tongue, 10, 8, Rect(720.0, 712.0, 872.0, 830.0)) };
        self.mesh.grid(&grid, |column, row| {
            let t = row as f32 / 8.0;
            let center = curve(&path, t);
            let round = (1.0 - (2.0 * t - 1.0).abs().powi(5)).max(0.0).sqrt();
            // Seen from its tip, columns go counter-clockwise.
            let (sin, cos) = (column as f32 / 10.0 * TAU).sin_cos();
            if row == 0 || row == 8 { center } else { center + Vec3::new(cos * 8.0, 0.0, sin * 1.7) * round }
        });
    }

    /// A bone's shape along its axis from `from` (−1 whole, 0 half) to 1, placed by `place`.
    fn bone(&mut self, part: Part, from: f32, painted: bool, place: impl Fn(Vec3) -> Vec3) {
        // Along, lobe radius, how far the two lobes lie apart.
        let half: [(f32, f32, f32); 7] = [
            (3.0, 2.9, 0.0),
            (8.6, 3.0, 0.4),
            (10.4, 3.6, 2.0),
            (12.6, 4.5, 3.2),
            (15.0, 4.4, 3.4),
            (17.0, 3.3, 3.3),
            (17.4, 1.6, 2.6),
        ];
        let mut rows: Vec<(f32, f32, f32)> = Vec::new();
        if from < 0.0 {
            rows.push((-16.2, 0.0, 0.0));
            rows.extend(half.iter().rev().map(|(x, q, d)| (-x, *q, *d)));
        } else {
            rows.push((0.0, 3.5, 0.0));
        }
        rows.extend(half);
        rows.push((16.2, 0.0, 0.0));
        let columns = 12;
        let middle = if from < 0.0 { 1024.0 } else { 927.0 };
        let rect = Rect(0.0, 830.0, 400.0, middle);
        self.mesh.begin_piece();
        let grid = Grid { material: BONE, closed: true, painted, ..sheet(part, columns, rows.len() - 1, rect) };
        self.mesh.grid(&grid, |column, row| {
            let (x, q, d) = rows[row];
            let (sin, cos) = (column as f32 / columns as f32 * TAU).sin_cos();
            let radius = d * sin.abs() + (q * q - d * d * cos * cos).max(0.0).sqrt();
            let radius = if q == 0.0 { 0.0 } else { radius.max(0.5) };
            place(Vec3::new(x, cos * radius, sin * radius))
        });
    }

    fn tail(&mut self) {
        let path = tail_path();
        let rings = 12;
        let centers: Vec<Vec3> = (0..=rings).map(|ring| curve(&path, ring as f32 / rings as f32)).collect();
        let radii: Vec<f32> = (0..=rings).map(|ring| 4.4 - 2.2 * ring as f32 / rings as f32).collect();
        let tube = Tube::new(&centers, &radii, Vec3::X);
        self.mesh.begin_piece();
        let grid = Grid { closed: true, ..sheet(Part::Tail, 9, rings, Rect(872.0, 624.0, 1024.0, 784.0)) };
        self.mesh.grid(&grid, |column, row| tube.at(column, 9, row));
        let tip = path[5];
        let turn = Quat::from_rotation_arc(Vec3::X, (path[5] - path[4]).normalize_or(Vec3::Z));
        self.bone(Part::TailTip, 0.0, false, |at| tip + turn * (at - Vec3::X * 3.5) * 1.05);
    }
}

/// Distance from the axis and height of a ball's row, 0 at its lower pole.
fn ball(radius: f32, row: f32) -> (f32, f32) {
    let angle = PI * (1.0 - row);
    (if row == 0.0 || row == 1.0 { 0.0 } else { radius * angle.sin() }, radius * angle.cos())
}

fn sheet(part: Part, columns: usize, rows: usize, rect: Rect) -> Grid<Part> {
    Grid { part, material: BODY, groups: 1, columns, rows, closed: false, rect, painted: true }
}

pub fn mesh() -> Mesh<Part> {
    let mut builder = Builder { mesh: Mesh::new() };
    builder.chest();
    for side in 0..2 {
        builder.eye(side);
        builder.ear(side);
    }
    builder.latch();
    builder.tongue();
    builder.tail();
    for leg in 0..4 {
        builder.leg(leg);
    }
    // It lies flat.
    let flat = Quat::from_rotation_x(FRAC_PI_2);
    builder.bone(Part::Treasure, -1.0, true, |at| TREASURE + flat * at);
    builder.mesh.compact();
    builder.mesh
}

/// Where along a chain a point lies, 0 to 1.
fn place_on(path: &[Vec3], at: Vec3) -> f32 {
    let segments = path.len() - 1;
    let nearest = path.windows(2).enumerate().map(|(segment, ends)| {
        let along = ends[1] - ends[0];
        let t = ((at - ends[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        (at.distance_squared(ends[0] + along * t), (segment as f32 + t) / segments as f32)
    });
    nearest.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, t)| t)
}

/// Which bones move a point, and how much (to be normalised).
pub fn weights(skeleton: &Skeleton, part: Part, at: Vec3) -> Vec<(usize, f32)> {
    match part {
        Part::Dome
        | Part::LidLip
        | Part::LidInside
        | Part::UpperLid(_)
        | Part::LowerLid(_)
        | Part::Latch
        | Part::Tooth => {
            vec![(skeleton.lid, 1.0)]
        }
        Part::Tub | Part::TubLip | Part::TubInside => {
            // The rim stays with the body, so that the lid closes on it; what lies below is soft.
            let soft = smoothstep(44.0, 33.0, at.z);
            let mut shares = vec![
                (skeleton.body, 0.6 + 0.4 * (1.0 - soft)),
                (skeleton.chest, soft * 0.8 * smoothstep(2.0, -20.0, at.y)),
                (skeleton.rump, soft * 0.8 * smoothstep(-2.0, 20.0, at.y)),
                (
                    skeleton.belly,
                    soft * 1.2 * smoothstep(38.0, 20.0, at.z) * (1.0 - 0.6 * smoothstep(10.0, 25.0, at.x.hypot(at.y))),
                ),
            ];
            for (leg, bones) in skeleton.legs.iter().enumerate() {
                let distance = at.distance_squared(leg_path(leg)[0] - Vec3::Z * 4.0);
                shares.push((bones[0], soft * 0.55 * (-distance / 110.0).exp()));
            }
            shares
        }
        Part::Leg(leg) => {
            let [hip, knee, ankle] = leg_path(leg);
            let [upper, lower, foot] = skeleton.legs[leg];
            let below = Vec3::new(ankle.x, ankle.y, -3.0);
            chain_weights(&[upper, lower, foot], place_on(&[hip, knee, ankle, below], at), 0.7)
        }
        Part::Foot(leg) => vec![(skeleton.legs[leg][2], 1.0)],
        Part::Eye(side) => vec![(skeleton.eyes[side], 1.0)],
        Part::Ear(side) => chain_weights(&skeleton.ears[side], place_on(&ear_path(side), at), 1.0),
        Part::EarBall(side) => vec![(skeleton.ears[side][2], 1.0)],
        Part::Tongue => chain_weights(&skeleton.tongue, place_on(&tongue_path(), at), 0.8),
        Part::Tail => chain_weights(&skeleton.tail, place_on(&tail_path(), at), 1.0),
        Part::TailTip => vec![(skeleton.tail[4], 1.0)],
        Part::Treasure => vec![(skeleton.treasure, 1.0)],
    }
}
