use super::sheet::{Case, Layer, Sheet, material, noise, passing};
use crate::kit::Noise;
use bonebox::scene::gx::{BlendFactor, BlendKind, BlendMode, LogicOp, TevMaterial};

fn cases(modes: &[BlendMode]) -> Vec<Case> {
    let mut random = Noise::new(4);
    let (behind, before, white) = (noise(&mut random), noise(&mut random), None);
    let layer = |texture: Option<&_>, blend: Option<BlendMode>| {
        let mut material = material(vec![passing(8, 4)]);
        material.blend = blend.unwrap_or(material.blend);
        let layer = Layer::new(TevMaterial { texgens: material.texgens.clone(), ..material });
        texture.map_or_else(|| layer.clone(), |texture| layer.clone().texture(0, texture))
    };
    // What the blending makes of alpha is seen through a third layer: white times it.
    let show_alpha = BlendMode {
        kind: BlendKind::Blend,
        source: BlendFactor::DestinationAlpha,
        destination: BlendFactor::Zero,
        logic: LogicOp::Clear,
    };
    let mut cases = Vec::new();
    for mode in modes {
        let layers = vec![layer(Some(&behind), None), layer(Some(&before), Some(*mode))];
        let mut with_alpha = layers.clone();
        with_alpha.push(layer(white, Some(show_alpha)));
        cases.push(Case { name: format!("{mode:?}"), layers });
        cases.push(Case { name: format!("{mode:?}, alpha"), layers: with_alpha });
    }
    cases
}

#[test]
fn every_pair_of_factors() {
    let pairs = (0..64_u8).map(|pair| BlendMode {
        kind: BlendKind::Blend,
        source: (pair / 8).into(),
        destination: (pair % 8).into(),
        logic: LogicOp::Noop,
    });
    if let Some(outcome) = Sheet::new(cases(&pairs.collect::<Vec<_>>())).compare(2) {
        assert_eq!(outcome.cases, 128);
    }
}

#[test]
fn no_blending_and_subtracting_ignore_the_factors() {
    let modes = [(0_u8, 0_u8, 1_u8), (0, 2, 3), (3, 4, 5), (3, 0, 0), (3, 1, 0)].map(|(kind, source, destination)| {
        BlendMode { kind: kind.into(), source: source.into(), destination: destination.into(), logic: LogicOp::Copy }
    });
    Sheet::new(cases(&modes)).compare(0);
}

/// Those that blending can do exactly.
#[test]
fn logic_operations() {
    let modes = [LogicOp::Clear, LogicOp::Copy, LogicOp::Noop, LogicOp::Inverse, LogicOp::InverseCopy, LogicOp::Set]
        .map(|logic| BlendMode { kind: BlendKind::Logic, logic, ..BlendMode::default() });
    Sheet::new(cases(&modes)).compare(0);
}
