//! A level: its actors, and which Model is its BSP (formats/unreal.md §9.3).

use crate::formats::unreal::{
    object::{Fault, ObjectReader},
    properties::PropertyList,
    tables::ObjectRef,
};

/// Text blocks of a level.
const TEXT_BLOCKS: usize = 16;

/// What a level keeps besides the actors themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Null where an actor was deleted.
    pub actors: Vec<ObjectRef>,
    pub model: ObjectRef,
    pub reach_specs: Vec<ReachSpec>,
    pub text_blocks: Vec<ObjectRef>,
}

/// A way between two navigation points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReachSpec {
    pub distance: i32,
    pub start: ObjectRef,
    pub end: ObjectRef,
    pub radius: i32,
    pub height: i32,
    pub flags: i32,
    pub pruned: bool,
}

/// Reads a level.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_level(r: &mut ObjectReader<'_>, _properties: &PropertyList) -> Result<Level, Fault> {
    let count = super::database::counts(r)?;
    let actors = r.elements("Actors", "object", count, 1, |r| r.object("Actor"))?;
    r.group("URL", "FURL", |r| {
        for name in ["Protocol", "Host", "Map", "Portal"] {
            r.string(name)?;
        }
        r.array("Options", "string", 1, |r| r.string("Option"))?;
        r.i32("Port")?;
        r.u32("Valid")
    })?;
    let model = r.object("Model")?;
    let reach_specs = r.array("ReachSpecs", "FReachSpec", 19, reach_spec)?;
    r.f32("TimeSeconds")?;
    r.object("FirstDeleted")?;
    let mut text_blocks = Vec::with_capacity(TEXT_BLOCKS);
    for number in 0..TEXT_BLOCKS {
        text_blocks.push(r.object(format!("TextBlock{number}"))?);
    }
    if r.version() > 62 {
        r.array("TravelInfo", "key and value", 2, |r| {
            r.string("Key")?;
            r.string("Value")
        })?;
    }
    Ok(Level { actors, model, reach_specs, text_blocks })
}

fn reach_spec(r: &mut ObjectReader<'_>) -> Result<ReachSpec, Fault> {
    Ok(ReachSpec {
        distance: r.i32("Distance")?,
        start: r.object("Start")?,
        end: r.object("End")?,
        radius: r.i32("CollisionRadius")?,
        height: r.i32("CollisionHeight")?,
        flags: r.i32("ReachFlags")?,
        pruned: r.u8("bPruned")? != 0,
    })
}
