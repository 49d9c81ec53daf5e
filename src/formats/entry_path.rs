use super::SharedText;
use std::{borrow::Cow, sync::Arc};

/// Where an entry lies, without its own name where that is the last part. It is put together when it is asked for: entries of
/// one folder share what is above them.
#[derive(Clone, Debug)]
pub enum EntryPath {
    /// The entry's name is its path.
    Name,
    /// The name, below something else, or a whole path.
    In(Arc<PathPart>),
}

/// A part of paths: a name, below another one as a rule. Formats bound how deep they nest.
#[derive(Debug)]
pub struct PathPart {
    /// Enclosing part, written before this one; `None` for the outermost part.
    pub above: Option<Arc<PathPart>>,
    /// Text of this part: one name, or a whole path if `separator` is [`PathPart::WHOLE`].
    pub name: SharedText,
    /// The character between this name and the next one; [`PathPart::WHOLE`] if the name is a whole path.
    pub separator: char,
}

impl PathPart {
    /// The separator of a part that is a whole path: the entry's name is not added to it.
    pub const WHOLE: char = '\0';

    /// Returns true if this part is a whole path, to which the entry's name is not added.
    pub fn is_whole(&self) -> bool {
        self.separator == Self::WHOLE
    }
}

impl EntryPath {
    /// A path that is not made of the entry's name.
    pub fn whole(path: impl Into<SharedText>) -> Self {
        Self::In(Arc::new(PathPart { above: None, name: path.into(), separator: PathPart::WHOLE }))
    }

    /// Adds the path of an entry of this name to a text.
    pub fn write(&self, name: &str, to: &mut String) {
        match self {
            Self::Name => to.push_str(name),
            Self::In(part) if part.is_whole() => to.push_str(&part.name),
            Self::In(part) => {
                // From the outermost: there are few of them, and nothing is to be allocated for each entry.
                let parts = || std::iter::successors(Some(&**part), |part| part.above.as_deref());
                for depth in (0..parts().count()).rev() {
                    if let Some(part) = parts().nth(depth) {
                        to.push_str(&part.name);
                        to.push(part.separator);
                    }
                }
                to.push_str(name);
            }
        }
    }

    /// The path of an entry of this name.
    pub fn with<'a>(&'a self, name: &'a str) -> Cow<'a, str> {
        match self {
            Self::Name => Cow::Borrowed(name),
            Self::In(part) if part.is_whole() => Cow::Borrowed(&part.name),
            Self::In(_) => {
                let mut path = String::new();
                self.write(name, &mut path);
                Cow::Owned(path)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_put_together_from_the_outermost_part() {
        let group = Arc::new(PathPart { above: None, name: "Group".into(), separator: '.' });
        let mesh = Arc::new(PathPart { above: Some(group.clone()), name: "Mesh".into(), separator: '/' });
        assert_eq!(EntryPath::In(mesh).with("Walk"), "Group.Mesh/Walk");
        assert_eq!(EntryPath::In(group.clone()).with("Skin"), "Group.Skin");
        let mut written = "before ".to_owned();
        EntryPath::In(group).write("Skin", &mut written);
        assert_eq!(written, "before Group.Skin");
        assert_eq!((EntryPath::Name.with("a"), EntryPath::whole("b/c").with("a")), ("a".into(), "b/c".into()));
    }
}
