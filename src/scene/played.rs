//! A model as a clip shows it.

use super::{Binding, BindingOptions, Clip, LoopMode, Model, Player};
use std::sync::Arc;

/// What plays a clip once, at its start, and the model with the materials that the clip brings along. `None` where the clip moves
/// nothing of it.
pub fn played_once(clip: &Arc<Clip>, model: &Arc<Model>) -> Option<(Arc<Model>, Player)> {
    let binding = Binding::new(clip, model, BindingOptions::default());
    if !binding.fit.any() {
        return None;
    }
    let mut player = Player::default();
    let layer = player.set_clip(clip.clone(), Arc::new(binding));
    player.set_layer_loop(layer, LoopMode::Once);
    let shown = player.material_set().map_or_else(|| model.clone(), |set| Arc::new(set.applied_to(model)));
    Some((shown, player))
}
