/// What went wrong on the way to a picture, as a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No graphics device can be used.
    #[error("no graphics device: {0}. Install a Vulkan driver (on Linux without a GPU: mesa-vulkan-drivers)")]
    NoDevice(String),
    /// Something is larger than the device can hold.
    #[error("{what} is too large for this graphics device: {size} {unit}, at most {limit}")]
    TooLarge {
        /// The thing that is too large.
        what: String,
        /// Its size, in `unit`.
        size: u64,
        /// Maximum size that the device supports, in `unit`.
        limit: u64,
        /// The unit of both sizes, such as `bytes`.
        unit: &'static str,
    },
    /// The driver refused what it was given.
    #[error("graphics device error ({what}): {message}")]
    Refused {
        /// The thing that was being created or drawn.
        what: String,
        /// The message of the driver.
        message: String,
    },
    /// The device is gone: everything on it has to be built anew.
    #[error("the graphics device was lost")]
    Lost,
    /// The model or target belongs to another device, such as one that was lost.
    #[error("{0} belongs to a different graphics device and must be created again")]
    ForeignDevice(&'static str),
    /// A finished picture could not be fetched.
    #[error("cannot read back from the graphics device: {0}")]
    ReadBack(String),
}

impl GpuError {
    /// Fails when `size` is over `limit`.
    pub(super) fn check(
        what: impl FnOnce() -> String,
        size: u64,
        limit: u64,
        unit: &'static str,
    ) -> Result<(), GpuError> {
        if size <= limit { Ok(()) } else { Err(GpuError::TooLarge { what: what(), size, limit, unit }) }
    }
}
