use super::GpuContext;
use crate::scene::Model;
use std::sync::Arc;

/// A model on the device.
pub struct GpuModel {
    context: Arc<GpuContext>,
    model: Arc<Model>,
}

impl GpuModel {
    pub(super) fn new(context: &Arc<GpuContext>, model: &Arc<Model>) -> Self {
        Self { context: context.clone(), model: model.clone() }
    }

    /// What was uploaded.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    pub(super) fn context(&self) -> &Arc<GpuContext> {
        &self.context
    }
}
