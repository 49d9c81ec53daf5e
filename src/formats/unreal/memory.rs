//! What was worked out of a package and is kept for the next question. Each part of the reader keeps its own: the package knows
//! none of them.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// One value of each type that is asked for.
#[derive(Default)]
pub struct Memory(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Memory {
    /// The value of type `T`; at first its default.
    pub fn of<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = kept.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default())).clone();
        // It has the type that it lies under.
        value.downcast().unwrap_or_default()
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memory")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

    #[test]
    fn a_value_of_each_type_is_kept() {
        let memory = Memory::default();
        memory.of::<AtomicU8>().store(3, Ordering::Relaxed);
        memory.of::<AtomicU16>().store(4, Ordering::Relaxed);
        assert_eq!(memory.of::<AtomicU8>().load(Ordering::Relaxed), 3);
        assert_eq!(memory.of::<AtomicU16>().load(Ordering::Relaxed), 4);
    }
}
