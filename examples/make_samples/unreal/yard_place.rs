//! Geometry of the yard: walls under an open sky, a pond, and the sky room.

use glam::Vec3;

use super::blocks::{Block, MASKED, NOT_SOLID, Place, Sheet, Skin, TWO_SIDED, UNLIT, block, plain, solid};
use super::level::{LOST, OWN};

const TRANSLUCENT: u32 = 0x4;
const MODULATED: u32 = 0x40;
const BACKDROP: u32 = 0x80;
const PAN_U: u32 = 0x200;
const PAN_V: u32 = 0x400;
const WAVY: u32 = 0x2000;
/// Where zones meet, and to be seen.
const FACE_OF_WATER: u32 = 0x400_0000;
const MIRRORED: u32 = 0x800_0000;

/// Numbers of the zones.
pub const YARD: usize = 1;
pub const POND: usize = 2;
pub const SKY: usize = 3;

const WATER_LEVEL: f32 = -8.0;
/// Where the sky's room begins.
const SKY_FROM: f32 = 1_500.0;

const fn skin(texture: [&'static str; 2], scale: [f32; 2], flags: u32) -> Skin {
    Skin { texture, scale, flags }
}

pub fn place() -> Place {
    Place::new(blocks(), sheets(), |at| {
        if at.x > SKY_FROM {
            SKY
        } else if at.z < WATER_LEVEL {
            POND
        } else {
            YARD
        }
    })
}

fn blocks() -> Vec<Block> {
    let wall = plain("Bricks");
    let mut list = vec![block(
        "Yard",
        true,
        [-480.0, -384.0, 0.0],
        [480.0, 384.0, 192.0],
        [wall, wall, wall, wall, plain("Planks"), wall],
    )];
    // Above the walls there is nothing but sky.
    let open = skin([OWN, "Clouds"], [0.5; 2], BACKDROP | UNLIT);
    list.push(block("Air", true, [-480.0, -384.0, 192.0], [480.0, 384.0, 352.0], [open; 6]));
    list.extend(pond());
    list.extend(walls());
    list.push(sky());
    list
}

fn pond() -> Vec<Block> {
    let trim = plain("Trim");
    let mut basin = block("Pond", true, [-416.0, -160.0, -88.0], [-224.0, 160.0, WATER_LEVEL], [trim; 6]);
    basin.skins[4] = skin(["Rooms", "Planks"], [1.0; 2], WAVY);
    let shore = block("Shore", true, [-416.0, -160.0, WATER_LEVEL], [-224.0, 160.0, 0.0], [trim; 6]);
    let mut list = vec![basin, shore];
    for (low, high) in [
        ([-432.0, -176.0], [-416.0, 176.0]),
        ([-224.0, -176.0], [-208.0, 176.0]),
        ([-416.0, -176.0], [-224.0, -160.0]),
        ([-416.0, 160.0], [-224.0, 176.0]),
    ] {
        list.push(solid("Rim", "Trim", [low[0], low[1], 0.0], [high[0], high[1], 14.0]));
    }
    list
}

fn walls() -> Vec<Block> {
    let mut list = vec![solid("Hearth", "Trim", [-28.0, -28.0, 0.0], [28.0, 28.0, 40.0])];
    // A sign that runs along.
    let mut board = solid("Board", "Planks", [-72.0, -384.0, 24.0], [72.0, -364.0, 136.0]);
    board.skins[3] = skin(["Rooms", "Sign"], [1.0; 2], PAN_U | UNLIT);
    list.push(board);
    // A mirror in a frame.
    list.push(solid("Frame", "Planks", [-110.0, 374.0, 2.0], [110.0, 384.0, 182.0]));
    let mut mirror = solid("Mirror", "Trim", [-96.0, 368.0, 14.0], [96.0, 384.0, 170.0]);
    mirror.skins[2] = skin([OWN, "Silver"], [64.0 / 192.0, 64.0 / 156.0], MIRRORED | TRANSLUCENT | UNLIT);
    list.push(mirror);
    // What was built with textures that nobody has.
    let mut shed = solid("Shed", "Planks", [304.0, 208.0, 0.0], [448.0, 352.0, 112.0]);
    shed.skins = [skin([LOST, "Gone"], [1.0; 2], 0); 6];
    shed.skins[5] = plain("Planks");
    list.push(shed);
    // The ledge that the lift goes to.
    let mut ledge = solid("Ledge", "Bricks", [-480.0, -384.0, 0.0], [-336.0, -256.0, 104.0]);
    ledge.skins[5] = plain("Planks");
    list.push(ledge);
    // Posts of the fence, of the pane and of the lamp.
    for (x, y, height) in [
        (184.0, -104.0, 112.0),
        (184.0, -384.0, 112.0),
        (464.0, -104.0, 112.0),
        (-168.0, 248.0, 140.0),
        (-312.0, 248.0, 140.0),
        (152.0, 96.0, 150.0),
    ] {
        list.push(solid("Post", "Trim", [x, y, 0.0], [x + 16.0, y + 16.0, height]));
    }
    list
}

/// The room that is seen as the sky.
fn sky() -> Block {
    let side = skin([OWN, "Dusk"], [0.5; 2], UNLIT);
    let mut room = block("Sky", true, [1_600.0, -256.0, 0.0], [2_112.0, 256.0, 256.0], [side; 6]);
    room.skins[4] = skin(["Rooms", "Bricks"], [0.25; 2], 0);
    room.skins[5] = skin([OWN, "Clouds"], [0.25; 2], PAN_U | PAN_V | UNLIT);
    room
}

fn sheets() -> Vec<Sheet> {
    let sheet = |skin: Skin, axis: usize, positive: bool, low: [f32; 3], high: [f32; 3]| {
        let (low, high) = (Vec3::from(low), Vec3::from(high));
        Sheet { skin, axis, positive, low, high }
    };
    let water = skin(["Effects", "Pond"], [0.5; 2], FACE_OF_WATER | TRANSLUCENT | NOT_SOLID | TWO_SIDED | UNLIT);
    let grate = skin(["Rooms", "Grate"], [1.0; 2], MASKED | NOT_SOLID | TWO_SIDED);
    let pane = skin([OWN, "Pane"], [64.0 / 128.0, 64.0 / 128.0], TRANSLUCENT | NOT_SOLID | TWO_SIDED);
    let stain = skin([OWN, "Stain"], [64.0 / 128.0; 2], MODULATED | NOT_SOLID);
    let fire = skin(["Effects", "Campfire"], [64.0 / 56.0; 2], TRANSLUCENT | NOT_SOLID | TWO_SIDED | UNLIT);
    vec![
        sheet(water, 2, true, [-416.0, -160.0, WATER_LEVEL], [-224.0, 160.0, WATER_LEVEL]),
        sheet(grate, 0, false, [192.0, -368.0, 0.0], [192.0, -104.0, 96.0]),
        sheet(grate, 1, false, [200.0, -96.0, 0.0], [464.0, -96.0, 96.0]),
        sheet(pane, 1, false, [-296.0, 256.0, 0.0], [-168.0, 256.0, 128.0]),
        sheet(stain, 0, false, [479.5, -32.0, 40.0], [479.5, 96.0, 168.0]),
        sheet(fire, 0, true, [0.0, -28.0, 40.0], [0.0, 28.0, 96.0]),
        sheet(fire, 1, true, [-28.0, 0.0, 40.0], [28.0, 0.0, 96.0]),
    ]
}

/// The lift's plate, around its own middle.
pub fn lift() -> Block {
    let mut plate = solid("Lift", "Trim", [-40.0, -48.0, -4.0], [40.0, 48.0, 4.0]);
    plate.skins[5] = plain("Planks");
    plate
}
