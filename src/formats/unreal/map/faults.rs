//! What could not be read of the objects that something is built from.

use crate::formats::{
    Diagnostics, LoadContext,
    unreal::{
        codes,
        object::{Fault, entry_of},
        package::Package,
    },
};
use std::sync::Arc;

/// Reports what could not be read of the objects that something was built from.
pub fn report_faults(package: &Arc<Package>, export: usize, faults: Vec<Fault>, cx: &mut LoadContext<'_>) {
    let entry = entry_of(package, export);
    for fault in faults {
        cx.diagnostics.report(&codes::BAD_OBJECT, entry, Some(fault.offset), fault.message);
    }
}

/// Reads something whose faults are told where it is shown itself.
pub fn quietly<T>(cx: &LoadContext<'_>, read: impl FnOnce(&mut LoadContext<'_>) -> T) -> T {
    let mut diagnostics = Diagnostics::new(0);
    read(&mut LoadContext {
        file: cx.file,
        resolver: cx.resolver,
        diagnostics: &mut diagnostics,
        limits: cx.limits,
        options: cx.options,
        cancel: cx.cancel,
    })
}
