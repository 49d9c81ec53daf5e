//! What the ground on show comes to in numbers, counted once for each.

use crate::{
    scene::TerrainStatistics,
    ui::state::{core::Core, message::Message, stage::Stage},
};
use std::sync::Arc;

/// Up to so many samples and things are counted at once, in less than a frame; more of them in the background.
const AT_ONCE: usize = 1 << 16;

impl Stage {
    /// The numbers of the ground on show, once they are there.
    pub fn terrain_statistics(&self) -> Option<&Arc<TerrainStatistics>> {
        self.landscape()?.statistics.as_ref()?.as_ref()
    }

    pub(in crate::ui) fn terrain_counted(&mut self, generation: u64, numbers: Arc<TerrainStatistics>) {
        if let Some(shown) = self.content.landscape_mut().filter(|shown| shown.generation == generation) {
            shown.statistics = Some(Some(numbers));
        }
    }
}

impl Stage {
    pub(crate) fn want_statistics(&mut self, core: &mut Core) {
        let Some(shown) = self.content.landscape_mut().filter(|shown| shown.statistics.is_none()) else { return };
        let (generation, terrain) = (shown.generation, shown.terrain.clone());
        let small = terrain.grid.len().saturating_add(terrain.props.len()) <= AT_ONCE;
        let numbers = small.then(|| Arc::new(TerrainStatistics::of(&terrain)));
        shown.statistics = Some(numbers);
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
