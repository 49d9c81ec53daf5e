use super::sheet::{Layer, Sheet, material, noise, passing};
use crate::kit::Noise;
use bonebox::scene::gx::{Fog, TevMaterial};

/// Every type with and without adjusting for the picture's sides, on squares that lean away from the viewer.
fn sheet(perspective: bool) -> Sheet {
    let mut random = Noise::new(5);
    let colors = noise(&mut random);
    let mut cases = Vec::new();
    for kind in 0..16 {
        for adjusts_range in [false, true] {
            for (start, end, far) in [(0.0, 200.0, 1e4), (60.0, 300.0, 1e4), (100.0, 100.0, 1e4), (0.0, 200.0, 0.1)] {
                let fog = Fog { kind, adjusts_range, start, end, far, color: [200, 20, 90, 0], ..Fog::default() };
                let mut layer = Layer::new(TevMaterial { fog, ..material(vec![passing(8, 4)]) }).texture(0, &colors);
                for (corner, height) in layer.corners.iter_mut().zip([10.0, -40.0, -150.0, -90.0]) {
                    corner.height = height;
                }
                cases.push(layer.case(format!("fog {kind} range {adjusts_range} from {start} to {end}, far {far}")));
            }
        }
    }
    Sheet { perspective, ..Sheet::new(cases) }
}

#[test]
fn every_type() {
    if let Some(outcome) = sheet(false).compare(2) {
        assert_eq!(outcome.cases, 128);
    }
}

#[test]
fn in_perspective() {
    sheet(true).compare(2);
}
