//! JSON of glTF: without `null`, since nothing in it is, and that is what numbers become that are not finite.

use serde_json::ser::Formatter;
use std::io;

/// Without blanks.
pub struct Compact;

impl Formatter for Compact {
    fn write_null<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        Err(io::ErrorKind::InvalidData.into())
    }
}

/// A property a line; arrays of numbers on one.
#[derive(Default)]
pub struct Readable {
    depth: usize,
    /// Whether what comes is an element of an array.
    is_element: bool,
    /// Whether the object that was opened last has properties.
    has_properties: bool,
    /// Whether the element before was an object.
    after_object: bool,
}

impl Readable {
    fn line(&self, out: &mut (impl ?Sized + io::Write)) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Readable {
    fn write_null<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        Err(io::ErrorKind::InvalidData.into())
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.after_object = false;
        out.write_all(b"[")
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.is_element = true;
        if first { Ok(()) } else { out.write_all(b",") }
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if std::mem::take(&mut self.after_object) {
            self.line(out)?;
        }
        out.write_all(b"]")
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.is_element {
            self.line(out)?;
        }
        self.depth += 1;
        self.has_properties = false;
        out.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        self.line(out)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.is_element = false;
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_properties = true;
        Ok(())
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if self.has_properties {
            self.line(out)?;
        }
        self.after_object = true;
        out.write_all(b"}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize as _;
    use serde_json::{Serializer, json};

    fn text(value: &serde_json::Value) -> Option<String> {
        let mut text = Vec::new();
        value.serialize(&mut Serializer::with_formatter(&mut text, Readable::default())).ok()?;
        Some(String::from_utf8(text).unwrap())
    }

    #[test]
    fn objects_have_lines_and_numbers_share_them() {
        let value = json!({ "a": [1, 2.5], "b": [{ "c": {} }, {}], "d": [[{ "e": "x" }], []], "f": [] });
        let expected = r#"{
  "a": [1,2.5],
  "b": [
    {
      "c": {}
    },
    {}
  ],
  "d": [[
      {
        "e": "x"
      }
    ],[]],
  "f": []
}"#;
        assert_eq!(text(&value).unwrap(), expected);
        assert_eq!(serde_json::from_str::<serde_json::Value>(expected).unwrap(), value);
        assert_eq!(text(&json!({ "a": [null] })), None);
    }
}
