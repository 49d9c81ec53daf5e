//! What the ground on show comes to in numbers, counted once for each.

use crate::{
    scene::TerrainStatistics,
    ui::state::{
        core::Core,
        message::Message,
        stage::{Stage, landscape::ShownStatistics},
    },
};
use std::sync::Arc;

/// Up to so many samples and things are counted at once, in less than a frame; more of them in the background.
const AT_ONCE: usize = 1 << 16;

impl Stage {
    /// The numbers of the ground on show, once they are there.
    pub fn terrain_statistics(&self) -> Option<&Arc<TerrainStatistics>> {
        let shown = self.landscape()?;
        self.statistics.as_ref().filter(|s| s.generation == shown.generation)?.numbers.as_ref()
    }

    pub(in crate::ui) fn terrain_counted(&mut self, generation: u64, numbers: Arc<TerrainStatistics>) {
        if let Some(statistics) = self.statistics.as_mut().filter(|s| s.generation == generation) {
            statistics.numbers = Some(numbers);
        }
    }
}

impl Stage {
    pub(crate) fn want_statistics(&mut self, core: &mut Core) {
        let Some(shown) = self.landscape() else { return };
        let (generation, terrain) = (shown.generation, shown.terrain.clone());
        if self.statistics.as_ref().is_some_and(|s| s.generation == generation) {
            return;
        }
        let small = terrain.grid.len().saturating_add(terrain.props.len()) <= AT_ONCE;
        let numbers = small.then(|| Arc::new(TerrainStatistics::of(&terrain)));
        self.statistics = Some(ShownStatistics { generation, numbers });
        if small {
            return;
        }
        let sender = self.stage_sender(core);
        core.works.run(format!("Computing statistics for {}", terrain.name), move |_| {
            let numbers = Arc::new(TerrainStatistics::of(&terrain));
            sender.send(Message::TerrainCounted { generation, numbers });
        });
    }
}
