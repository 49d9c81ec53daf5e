//! Models of the island's objects: a few dozen faces each, coarser levels of detail, and a collision box.

use bonebox::formats::visitor::encode::{ModelFace, ModelLevel, encode_p3d};

use super::super::SampleFile;

/// A shape under construction. Lengths are metres; east, up and north.
#[derive(Default)]
struct Shape {
    faces: Vec<ModelFace>,
}

impl Shape {
    fn face(&mut self, texture: &str, corners: &[[f32; 3]]) {
        let [r, g, b] = color_of(texture);
        let texture = format!("#(argb,8,8,3)color({r},{g},{b},1,co)");
        self.faces.push(ModelFace { corners: corners.to_vec(), texture });
    }

    /// A box from its lowest south-western corner to its highest north-eastern one, with or without its lid; it has no floor.
    fn walls(&mut self, texture: &str, [x0, y0, z0]: [f32; 3], [x1, y1, z1]: [f32; 3], lid: Option<&str>) {
        self.face(texture, &[[x0, y0, z0], [x1, y0, z0], [x1, y1, z0], [x0, y1, z0]]);
        self.face(texture, &[[x1, y0, z1], [x0, y0, z1], [x0, y1, z1], [x1, y1, z1]]);
        self.face(texture, &[[x1, y0, z0], [x1, y0, z1], [x1, y1, z1], [x1, y1, z0]]);
        self.face(texture, &[[x0, y0, z1], [x0, y0, z0], [x0, y1, z0], [x0, y1, z1]]);
        if let Some(lid) = lid {
            self.face(lid, &[[x0, y1, z0], [x1, y1, z0], [x1, y1, z1], [x0, y1, z1]]);
        }
    }

    /// A roof whose ridge runs from south to north, with its gables.
    fn roof(&mut self, [x0, y0, z0]: [f32; 3], [x1, y1, z1]: [f32; 3], gable: &str, tiles: &str) {
        let x = (x0 + x1) / 2.0;
        self.face(gable, &[[x0, y0, z0], [x1, y0, z0], [x, y1, z0]]);
        self.face(gable, &[[x1, y0, z1], [x0, y0, z1], [x, y1, z1]]);
        let eave = 0.4;
        let low = y0 - eave * (y1 - y0) / (x1 - x0) * 2.0;
        let (west, east, south, north) = (x0 - eave, x1 + eave, z0 - eave, z1 + eave);
        self.face(tiles, &[[east, low, south], [east, low, north], [x, y1, north], [x, y1, south]]);
        self.face(tiles, &[[west, low, north], [west, low, south], [x, y1, south], [x, y1, north]]);
    }

    /// A cone, or what is left of one when its top is cut off, around the origin.
    fn cone(&mut self, texture: &str, sides: usize, [low, high]: [f32; 2], [bottom, top]: [f32; 2]) {
        let at = |side: usize, y: f32, radius: f32| {
            let (sin, cos) = (side as f32 / sides as f32 * std::f32::consts::TAU).sin_cos();
            [radius * cos, y, radius * sin]
        };
        for side in 0..sides {
            let next = (side + 1) % sides;
            let [a, b] = [side, next].map(|s| at(s, low, bottom));
            if top > 0.0 {
                self.face(texture, &[a, b, at(next, high, top), at(side, high, top)]);
                if side + 2 < sides {
                    self.face(texture, &[at(0, high, top), at(side + 1, high, top), at(side + 2, high, top)]);
                }
            } else {
                self.face(texture, &[a, b, [0.0, high, 0.0]]);
            }
        }
    }
}

/// What things are made of, as parts of red, green and blue.
fn color_of(stuff: &str) -> [f32; 3] {
    match stuff {
        "plaster" => [0.86, 0.81, 0.72],
        "tiles" => [0.66, 0.29, 0.2],
        "brick" => [0.56, 0.34, 0.27],
        "wood" => [0.4, 0.28, 0.18],
        "glass" => [0.3, 0.38, 0.44],
        "bark" => [0.36, 0.28, 0.21],
        "spruce_needles" => [0.16, 0.33, 0.2],
        "oak_leaves" => [0.34, 0.49, 0.2],
        "asphalt" => [0.37, 0.37, 0.39],
        "line" => [0.88, 0.88, 0.84],
        "planks" => [0.54, 0.43, 0.3],
        "pile" => [0.33, 0.26, 0.2],
        "limestone" => [0.8, 0.78, 0.72],
        "slate" => [0.35, 0.38, 0.43],
        _ => [0.6, 0.6, 0.6],
    }
}

/// A file of two visual levels and a box.
fn model(name: &'static str, fine: Shape, coarse: Shape) -> SampleFile {
    let corners = || fine.faces.iter().flat_map(|face| &face.corners);
    let bound = |pick: fn(f32, f32) -> f32, start: f32| {
        corners().fold([start; 3], |bound, corner| [0, 1, 2].map(|axis| pick(bound[axis], corner[axis])))
    };
    let mut solid = Shape::default();
    solid.walls("solid", bound(f32::min, f32::MAX), bound(f32::max, f32::MIN), Some("solid"));
    let level = |shape: Shape, resolution| ModelLevel { faces: shape.faces, resolution };
    let levels = [level(coarse, 4.0), level(solid, 1e13)];
    SampleFile { name, bytes: encode_p3d(&[vec![level(fine, 1.0)], levels.to_vec()].concat()) }
}

fn shape(build: impl FnOnce(&mut Shape)) -> Shape {
    let mut shape = Shape::default();
    build(&mut shape);
    shape
}

fn house(name: &'static str, [width, eaves, depth]: [f32; 3]) -> SampleFile {
    let (x, z) = (width / 2.0, depth / 2.0);
    let plain = |shape: &mut Shape| {
        shape.walls("plaster", [-x, -0.5, -z], [x, eaves, z], None);
        shape.roof([-x, eaves, -z], [x, eaves + x * 0.8, z], "plaster", "tiles");
    };
    let fine = shape(|shape| {
        plain(shape);
        shape.walls("brick", [x * 0.4, eaves, z * 0.3], [x * 0.4 + 0.8, eaves + x * 0.9, z * 0.3 + 0.8], Some("brick"));
        // The door is to the north, where things are headed.
        shape.walls("wood", [-0.6, -0.5, z], [0.6, 2.1, z + 0.08], Some("wood"));
        for side in [-0.66, 0.66] {
            shape.walls("glass", [x * side - 0.6, 1.0, z], [x * side + 0.6, 2.2, z + 0.05], Some("glass"));
        }
    });
    model(name, fine, shape(plain))
}

fn spruce() -> SampleFile {
    let fine = shape(|shape| {
        shape.cone("bark", 5, [-0.5, 2.2], [0.28, 0.22]);
        for (low, high, radius) in [(1.6, 6.0, 2.5), (4.2, 9.0, 1.9), (7.2, 12.5, 1.25)] {
            shape.cone("spruce_needles", 7, [low, high], [radius, 0.0]);
        }
    });
    model("marrow/spruce.p3d", fine, shape(|shape| shape.cone("spruce_needles", 4, [0.8, 12.5], [2.3, 0.0])))
}

fn oak() -> SampleFile {
    let fine = shape(|shape| {
        shape.cone("bark", 6, [-0.5, 3.4], [0.5, 0.35]);
        shape.cone("oak_leaves", 8, [2.6, 4.2], [1.6, 3.9]);
        shape.cone("oak_leaves", 8, [4.2, 7.0], [3.9, 3.4]);
        shape.cone("oak_leaves", 8, [7.0, 9.0], [3.4, 1.2]);
    });
    let coarse = shape(|shape| {
        shape.cone("bark", 3, [-0.5, 3.0], [0.5, 0.5]);
        shape.cone("oak_leaves", 5, [2.6, 9.0], [3.6, 2.0]);
    });
    model("marrow/oak.p3d", fine, coarse)
}

fn road(name: &'static str, length: f32) -> SampleFile {
    let (x, z) = (3.5, length / 2.0);
    let fine = shape(|shape| {
        shape.walls("asphalt", [-x, -0.4, -z], [x, 0.0, z], Some("asphalt"));
        shape.face(
            "line",
            &[[-0.08, 0.01, -z * 0.6], [0.08, 0.01, -z * 0.6], [0.08, 0.01, z * 0.6], [-0.08, 0.01, z * 0.6]],
        );
    });
    let coarse = shape(|shape| shape.face("asphalt", &[[-x, 0.0, -z], [x, 0.0, -z], [x, 0.0, z], [-x, 0.0, z]]));
    model(name, fine, coarse)
}

fn pier() -> SampleFile {
    let deck = |shape: &mut Shape| shape.walls("planks", [-2.5, -0.4, -5.0], [2.5, 0.0, 5.0], Some("planks"));
    let fine = shape(|shape| {
        deck(shape);
        for (x, z) in [(-2.2, -4.0), (2.2, -4.0), (-2.2, 4.0), (2.2, 4.0)] {
            shape.walls("pile", [x - 0.2, -6.0, z - 0.2], [x + 0.2, 0.7, z + 0.2], Some("pile"));
        }
    });
    model("marrow/pier.p3d", fine, shape(deck))
}

fn church() -> SampleFile {
    let plain = |shape: &mut Shape| {
        shape.walls("limestone", [-4.5, -0.5, -11.0], [4.5, 6.0, 6.0], None);
        shape.roof([-4.5, 6.0, -11.0], [4.5, 11.0, 6.0], "limestone", "slate");
        shape.walls("limestone", [-2.5, -0.5, 6.0], [2.5, 15.0, 11.0], None);
        let top = [0.0, 23.0, 8.5];
        let rim = [[-2.8, 15.0, 5.7], [2.8, 15.0, 5.7], [2.8, 15.0, 11.3], [-2.8, 15.0, 11.3]];
        for side in 0..4 {
            shape.face("slate", &[rim[side], rim[(side + 1) % 4], top]);
        }
    };
    let fine = shape(|shape| {
        plain(shape);
        shape.walls("wood", [-1.0, -0.5, 11.0], [1.0, 3.0, 11.1], Some("wood"));
        for z in [-8.0, -4.0, 0.0, 3.0] {
            for x in [-4.56, 4.5] {
                shape.walls("glass", [x, 2.0, z], [x + 0.06, 4.8, z + 1.2], Some("glass"));
            }
        }
    });
    model("marrow/church.p3d", fine, shape(plain))
}

pub fn files() -> Vec<SampleFile> {
    vec![
        house("marrow/cottage.p3d", [8.0, 2.8, 7.0]),
        house("marrow/house.p3d", [10.0, 3.2, 8.0]),
        house("marrow/longhouse.p3d", [16.0, 2.9, 7.5]),
        church(),
        spruce(),
        oak(),
        road("marrow/road25.p3d", 25.0),
        road("marrow/road12.p3d", 12.5),
        road("marrow/road6.p3d", 6.25),
        pier(),
    ]
}
