//! The outlines of a level's brushes.

use crate::gpu::Line;
use crate::scene::{Map, MapItemKind};
use std::{collections::BTreeSet, sync::Arc};

/// Width of the outlines of brushes.
const BRUSH_LINE_PX: f32 = 1.0;

/// Lines in the world, and whose they are.
pub(super) struct Brushes {
    pub lines: Arc<[Line]>,
    /// Of each line its actor.
    actors: Vec<Option<u32>>,
    /// Those that are left when some actors are hidden.
    left: Option<Left>,
}

/// What is left of the lines when some actors are hidden.
struct Left {
    hidden: BTreeSet<Option<u32>>,
    lines: Arc<[Line]>,
}

impl Brushes {
    pub fn of(map: &Map) -> Self {
        let (actors, lines): (Vec<_>, Vec<Line>) = brush_lines(map).into_iter().unzip();
        Self { lines: lines.into(), actors, left: None }
    }

    /// Those that are not some hidden actor's.
    pub fn without<'a>(&'a self, hidden: &'a BTreeSet<Option<u32>>) -> impl Iterator<Item = &'a Line> {
        let lines = self.lines.iter().zip(&self.actors);
        lines.filter(|(_, actor)| !hidden.contains(actor)).map(|(line, _)| line)
    }

    /// The same, found out once for what is hidden.
    pub fn kept_without(&mut self, hidden: &BTreeSet<Option<u32>>) -> Arc<[Line]> {
        if hidden.is_empty() {
            return self.lines.clone();
        }
        match &self.left {
            Some(left) if left.hidden == *hidden => left.lines.clone(),
            _ => {
                let lines: Arc<[Line]> = self.without(hidden).copied().collect();
                self.left = Some(Left { hidden: hidden.clone(), lines: lines.clone() });
                lines
            }
        }
    }
}

/// The lines of brushes, each with its actor.
fn brush_lines(map: &Map) -> Vec<(Option<u32>, Line)> {
    let mut lines = Vec::new();
    for item in map.items.iter().filter(|item| item.kind == MapItemKind::Brush) {
        let Some(model) = map.models.get(item.model as usize) else { continue };
        for mesh in &model.meshes {
            for [from, to] in &mesh.lines {
                let ends = [from, to].map(|v| item.world_from_model.transform_point3(mesh.position(*v as usize)));
                let color = mesh.colors.get(*from as usize).copied().unwrap_or([120, 160, 255, 255]);
                lines.push((item.actor, Line { ends, color, width_px: BRUSH_LINE_PX, over: false }));
            }
        }
    }
    lines
}
