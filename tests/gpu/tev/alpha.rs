use super::sheet::{CELL, Layer, Sheet, material, passing, texture};
use bonebox::scene::gx::{AlphaCompare, Filter, TevMaterial, Wrap};

/// Every pair of comparisons under every operator, over 64 alphas with both references and their neighbours among them.
#[test]
fn every_alpha_compare() {
    let mut alphas: Vec<u8> = (0..58).map(|i| i * 4 + 3).collect();
    alphas.extend([0, 99, 100, 101, 150, 255]);
    let alphas =
        texture(CELL, CELL, Filter::Near, Wrap::Clamp, |x, y| [200, 150, 100, alphas[(y * CELL + x) as usize]]);
    let mut cases = Vec::new();
    for op in 0..4_u8 {
        for compare0 in 0..8_u8 {
            for compare1 in 0..8_u8 {
                let alpha_compare = AlphaCompare {
                    compare0: compare0.into(),
                    reference0: 100,
                    op: op.into(),
                    compare1: compare1.into(),
                    reference1: 151,
                };
                let material = TevMaterial { alpha_compare, ..material(vec![passing(8, 4)]) };
                cases.push(Layer::new(material).texture(0, &alphas).case(format!("{compare0} {op} {compare1}")));
            }
        }
    }
    if let Some(outcome) = Sheet::new(cases).compare(0) {
        assert_eq!(outcome.cases, 256);
    }
}
