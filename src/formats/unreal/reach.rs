//! How far the objects of a package can be read where their classes are not known: those of other engines, and the few of this
//! one without a published layout (formats/unreal.md §8.7, §13). Such a class is one finding, however many objects it has.

use super::{
    class::read_tail,
    class_fields::{behind_header, read_struct_start},
    codes,
    info::{UNREAD, is_known, is_newer},
    kind::Kind,
    object::{Fault, ObjectReader},
    package::Package,
    properties::PropertyList,
    script,
    tables::ObjectRef,
};
use crate::{
    bytes::{
        Limits,
        budget::{is_spent, within},
        numbers::grouped,
    },
    formats::{Diagnostics, Field, Value, coverage},
};
use std::{collections::HashMap, ops::Range, sync::Arc};

/// Objects of a class that most engines have alike, of which one must be read for the others to be thought readable too.
const SAMPLES: usize = 16;

/// Bytes that an object without data of its own may have: more are more than properties.
const MAX_PROPERTIES: u64 = 64 << 10;

/// How far an object is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// As objects of known classes are.
    Whole,
    /// Its properties, or the source of a class; the rest is bytes.
    Part,
    /// Its properties, as far as they go; nothing is decoded, and the rest is bytes.
    Properties,
}

/// How far each export of a package is read.
pub struct Reaches {
    /// By export; those past the end are read whole.
    list: Vec<Reach>,
    version: u16,
}

impl Reaches {
    /// Tries the objects of a package; `kinds` says what its exports are.
    pub fn of(package: &Arc<Package>, kinds: &[Kind], limits: &Limits) -> Self {
        let version = package.version();
        let by_kind = |kind: &Kind| if *kind == Kind::Unread { Reach::Part } else { Reach::Whole };
        let mut list: Vec<Reach> = kinds.iter().map(by_kind).collect();
        if !is_known(version) {
            // What is not tried, since that would be too much work, counts as readable: it is said when it is not.
            within(limits.budget(package.source.len() as u64), || try_all(package, kinds, &mut list));
        }
        for (export, reach) in list.iter_mut().enumerate() {
            if package.export_size(export) == 0 {
                *reach = Reach::Whole;
            }
        }
        Self { list, version }
    }

    fn get(&self, export: usize) -> Reach {
        self.list.get(export).copied().unwrap_or(Reach::Whole)
    }

    /// Whether an object is decoded at all.
    pub fn is_shown(&self, export: usize) -> bool {
        self.get(export) != Reach::Properties
    }

    /// Reads what follows an object's properties as far as it is as here.
    ///
    /// # Errors
    /// Where it cannot be read on.
    pub fn read_tail(&self, kind: Kind, reader: &mut ObjectReader<'_>, properties: &PropertyList) -> Result<(), Fault> {
        match self.get(reader.export()) {
            Reach::Whole => read_tail(kind, reader, properties),
            Reach::Part if kind == Kind::Class => read_struct_start(reader).map(drop),
            Reach::Part | Reach::Properties => Ok(()),
        }
    }

    /// Whether an object is read to its end, or is damaged.
    pub fn is_whole(&self, export: usize) -> bool {
        self.get(export) == Reach::Whole
    }

    /// Says once for each class how many of its objects are not read to their ends.
    pub fn report(&self, package: &Package, diagnostics: &mut Diagnostics) {
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut classes: Vec<(&str, usize)> = Vec::new();
        for export in (0..self.list.len()).filter(|export| !self.is_whole(*export)) {
            let class = package.class_name(ObjectRef::export(export));
            let place = *places.entry(class).or_insert(classes.len());
            match classes.get_mut(place) {
                Some((_, count)) => *count = count.saturating_add(1),
                None => classes.push((class, 1)),
            }
        }
        let why = match self.version {
            version if is_newer(version) => "class from a newer engine",
            version if is_known(version) => "unknown layout",
            _ => "class from a different package version",
        };
        for (class, count) in classes {
            let objects = if count == 1 { "1 object is" } else { &format!("{} objects are", grouped(count)) };
            let message = format!("{class}: {objects} not read completely ({why})");
            diagnostics.report(&codes::UNREAD_CLASS, None, None, message);
        }
    }

    /// Makes fields of the bytes of an object that none of its own fields has, where that is no damage and no hole in what is read:
    /// all of one that is not read whole, and what is `left` behind one of another version that is.
    pub fn claim(&self, export: usize, left: Result<u64, ()>, range: Range<u64>, fields: &mut Vec<Field>) {
        let range = match (self.is_whole(export), left) {
            (false, _) => range,
            (true, Ok(left)) if !is_known(self.version) => range.end.saturating_sub(left)..range.end,
            (true, _) => return,
        };
        for gap in coverage::gaps(fields, range) {
            let size = gap.end.saturating_sub(gap.start);
            fields.push(Field::new("Unread data", format!("u8[{size}]"), Value::Opaque(UNREAD), gap.start, size));
        }
        fields.sort_by_key(|field| field.offset);
    }
}

fn try_all(package: &Arc<Package>, kinds: &[Kind], list: &mut [Reach]) {
    let unreadable = unreadable_kinds(package, kinds);
    for (export, (kind, reach)) in kinds.iter().zip(list).enumerate() {
        if is_alike(*kind) {
            if unreadable.contains(kind) {
                *reach = Reach::Properties;
            }
        } else if *kind != Kind::Unread && package.export_size(export) > 0 {
            let found = try_object(package, export, *kind);
            if is_spent() {
                return;
            }
            *reach = found;
        }
    }
}

/// Kinds whose objects most engines have alike: where one is not read, it is as a rule damaged.
fn is_alike(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Texture
            | Kind::FireTexture
            | Kind::Wave
            | Kind::Wet
            | Kind::Ice
            | Kind::OtherProcedural
            | Kind::Palette
            | Kind::Sound
            | Kind::Music
            | Kind::TextBuffer
            | Kind::Font
    )
}

/// Kinds whose objects every version of the second engine has in another layout (§13).
fn is_remade(kind: Kind) -> bool {
    matches!(kind, Kind::Mesh | Kind::LodMesh | Kind::SkeletalMesh | Kind::Animation | Kind::Model | Kind::Level)
}

/// Those of them of which this package has several objects that none can be read of.
fn unreadable_kinds(package: &Arc<Package>, kinds: &[Kind]) -> Vec<Kind> {
    // How many were tried, and whether one was read.
    let mut tried: HashMap<Kind, (usize, bool)> = HashMap::new();
    for (export, kind) in kinds.iter().enumerate().filter(|(_, kind)| is_alike(**kind)) {
        let (count, is_read) = tried.entry(*kind).or_default();
        if *count < SAMPLES && !*is_read && package.export_size(export) > 0 {
            *count = count.saturating_add(1);
            *is_read = is_readable(package, export, *kind);
        }
    }
    tried.into_iter().filter(|(_, (count, is_read))| *count > 1 && !is_read).map(|(kind, _)| kind).collect()
}

fn is_readable(package: &Arc<Package>, export: usize, kind: Kind) -> bool {
    let read =
        behind_header(package, export).and_then(|mut reader| read_tail(kind, &mut reader, &PropertyList::default()));
    read.is_ok() || is_spent()
}

/// Reads an object as one of a known class, and says how far that goes.
fn try_object(package: &Arc<Package>, export: usize, kind: Kind) -> Reach {
    let is_newer = is_newer(package.version());
    // What is known to be otherwise need not be read from the disk.
    if is_newer && is_remade(kind) {
        return Reach::Properties;
    }
    let is_plain = matches!(kind, Kind::Plain | Kind::Package);
    if is_plain && package.export_size(export) > MAX_PROPERTIES {
        return Reach::Part;
    }
    let Ok(mut reader) = behind_header(package, export) else { return Reach::Properties };
    if kind == Kind::Class && is_newer {
        // Its classes have more in them than those of the first engine; the source is where it was.
        return if script::has_source(&mut reader) { Reach::Part } else { Reach::Properties };
    }
    match read_tail(kind, &mut reader, &PropertyList::default()) {
        Ok(()) if reader.left() == 0 => Reach::Whole,
        Ok(()) if is_plain => Reach::Part,
        // What is not as here is seldom all wrong: nothing of it is to be relied on.
        _ => Reach::Properties,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_read_has_a_name_but_a_hole_has_none() {
        let read = |offset, size| Field::new("Read", "u8", Value::Raw, offset, size);
        // Ten bytes from 100 on: a hole at 104, and two bytes behind.
        let claimed = |reach, version, left| {
            let mut fields = vec![read(100, 4), read(106, 2)];
            Reaches { list: vec![reach], version }.claim(0, left, 100..110, &mut fields);
            let named = fields.iter().filter(|field| field.value == Value::Opaque(UNREAD));
            named.map(|field| (field.offset, field.size)).collect::<Vec<_>>()
        };
        assert_eq!(claimed(Reach::Part, 69, Ok(2)), [(104, 2), (108, 2)]);
        assert_eq!(claimed(Reach::Properties, 110, Err(())), [(104, 2), (108, 2)]);
        assert_eq!(claimed(Reach::Whole, 110, Ok(2)), [(108, 2)]);
        assert_eq!(claimed(Reach::Whole, 110, Ok(0)), []);
        assert_eq!(claimed(Reach::Whole, 110, Err(())), []);
        assert_eq!(claimed(Reach::Whole, 69, Ok(2)), []);
    }
}
