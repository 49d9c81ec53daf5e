use crate::export::ExportError;

/// How many bytes a file may have.
#[derive(Clone, Debug)]
pub struct Room {
    name: String,
    most: u64,
}

impl Room {
    /// Room for `most` bytes of what is called `name`.
    pub fn new(name: &str, most: u64) -> Self {
        Self { name: name.to_owned(), most }
    }

    /// As much as the format has.
    pub fn all() -> Self {
        Self::new("", u64::MAX)
    }

    /// Makes sure that the file may have so many bytes.
    ///
    /// # Errors
    /// [`ExportError::OverBudget`] when that is more than there is room for.
    pub fn check(&self, bytes: u64) -> Result<(), ExportError> {
        if bytes > self.most {
            return Err(ExportError::OverBudget { name: self.name.clone(), size: bytes, most: self.most });
        }
        Ok(())
    }
}
