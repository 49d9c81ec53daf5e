use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs a reader; its panic becomes an error with the panic's text. The fault of one reader is no end to everything else.
///
/// # Errors
/// When it panicked.
pub fn caught<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|panic| reason(&*panic))
}

fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("unknown error").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_text() {
        assert_eq!(caught(|| 7), Ok(7));
        assert_eq!(caught(|| -> u8 { panic!("a word") }), Err("a word".to_owned()));
        assert_eq!(caught(|| -> u8 { panic!("word {}", 2) }), Err("word 2".to_owned()));
        assert_eq!(caught(|| std::panic::panic_any(7)), Err::<(), _>("unknown error".to_owned()));
    }
}
