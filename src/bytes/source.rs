use std::{
    io,
    ops::Range,
    sync::{Arc, OnceLock, Weak},
};

/// Bytes compared at once where two sources are compared.
const COMPARED: u64 = 1 << 16;

/// Bytes that are not in memory, and are read where they are asked for: those of a file.
pub trait ReadAt: Send + Sync {
    /// How many there are.
    fn size(&self) -> u64;

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// When they cannot be read, or are no longer what they were when this was made.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

/// A range of bytes that are shared, so that documents, entries and workers hold them without copying.
///
/// They are in memory, or in a file that is read where it is asked for. Of a file, [`Source::slice`] reads nothing, and
/// [`Source::as_slice`] reads the range whole at the first call and holds it as long as the source lives.
#[derive(Clone)]
pub struct Source {
    bytes: Arc<Bytes>,
    /// In `bytes`.
    range: Range<u64>,
}

enum Bytes {
    Memory(Vec<u8>),
    Stored(Stored),
}

/// A range of a medium, read whole when it is first needed.
struct Stored {
    medium: Arc<Medium>,
    /// Where the range begins in the medium, and its length.
    start: u64,
    size: u64,
    read: OnceLock<Vec<u8>>,
    pieces: OnceLock<Vec<Piece>>,
}

/// Bytes that a piece has as a rule: smaller neighbours are one piece. An object of a few bytes costs more to note than to read.
const MIN_PIECE: u64 = 4 << 10;

/// What lies between two places where a range was divided.
struct Piece {
    /// Where it begins in the range, and where it ends.
    start: u64,
    end: u64,
    read: OnceLock<Vec<u8>>,
}

/// What several sources read from.
struct Medium {
    reader: Arc<dyn ReadAt>,
    /// Why it could not be read, the first time that it could not.
    failure: OnceLock<String>,
}

impl Medium {
    fn read(&self, start: u64, size: u64) -> io::Result<Vec<u8>> {
        let read = || {
            let length = usize::try_from(size).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(length).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
            bytes.resize(length, 0);
            self.reader.read_at(start, &mut bytes)?;
            Ok(bytes)
        };
        read().inspect_err(|error: &io::Error| {
            self.failure.get_or_init(|| error.to_string());
        })
    }
}

impl Stored {
    fn bytes(&self) -> &[u8] {
        self.read.get_or_init(|| self.medium.read(self.start, self.size).unwrap_or_default())
    }

    /// The bytes of a range in it, and where the first of them lies: of the piece around the range, or of all that is there.
    fn around(&self, range: &Range<u64>) -> (&[u8], u64) {
        if let (None, Some(pieces)) = (self.read.get(), self.pieces.get())
            && let Some(last) = pieces.partition_point(|piece| piece.start <= range.start).checked_sub(1)
            && let Some(piece) = pieces.get(last).filter(|piece| range.end <= piece.end)
        {
            let size = piece.end.saturating_sub(piece.start);
            let read = || self.medium.read(self.start.saturating_add(piece.start), size).unwrap_or_default();
            return (piece.read.get_or_init(read), piece.start);
        }
        (self.bytes(), 0)
    }
}

impl Source {
    /// Takes the bytes over as they are; what is reserved beyond them is given back where it is much.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let mut bytes = bytes.into();
        if bytes.capacity().saturating_sub(bytes.len()) > bytes.len() / 4 {
            bytes.shrink_to_fit();
        }
        let range = 0..bytes.len() as u64;
        Self { bytes: Arc::new(Bytes::Memory(bytes)), range }
    }

    /// Bytes that are read where they are asked for.
    pub fn stored(reader: impl ReadAt + 'static) -> Self {
        let medium = Arc::new(Medium { reader: Arc::new(reader), failure: OnceLock::new() });
        let size = medium.reader.size();
        Self::of_medium(medium, 0, size)
    }

    fn of_medium(medium: Arc<Medium>, start: u64, size: u64) -> Self {
        let stored = Stored { medium, start, size, read: OnceLock::new(), pieces: OnceLock::new() };
        Self { bytes: Arc::new(Bytes::Stored(stored)), range: 0..size }
    }

    /// Says at which offsets the bytes fall into pieces that are used apart from each other, so that [`Source::part`] reads one
    /// at a time. What is in memory, and what was divided before, stays as it is.
    pub fn divide(&self, offsets: impl IntoIterator<Item = u64>) {
        let Bytes::Stored(stored) = &*self.bytes else { return };
        let inside = offsets.into_iter().filter_map(|offset| self.range.start.checked_add(offset));
        let mut cuts = vec![0, stored.size];
        let mut room = 1 << 12;
        for cut in inside.filter(|cut| *cut < stored.size) {
            cuts.push(cut);
            // There may be millions, nearly all of them between small neighbours.
            if cuts.len() >= room {
                cuts = thinned(cuts);
                room = room.max(cuts.len().saturating_mul(2));
            }
        }
        let cuts = thinned(cuts);
        let pieces = cuts.array_windows().map(|[start, end]| Piece { start: *start, end: *end, read: OnceLock::new() });
        let _ = stored.pieces.set(pieces.collect());
    }

    /// All of the bytes. What cannot be read of a file is missing, and [`Source::failure`] says why.
    pub fn as_slice(&self) -> &[u8] {
        let bytes = match &*self.bytes {
            Bytes::Memory(bytes) => bytes,
            Bytes::Stored(stored) => stored.bytes(),
        };
        range_of(bytes, self.range.start, self.range.end)
    }

    /// The bytes of a range, offsets counted from the start; those that lie in the source. Of a source that was divided
    /// ([`Source::divide`]), only the piece around them is read and held.
    pub fn part(&self, range: Range<u64>) -> &[u8] {
        let end = self.range.start.saturating_add(range.end).min(self.range.end);
        let start = self.range.start.saturating_add(range.start).min(end);
        match &*self.bytes {
            Bytes::Memory(bytes) => range_of(bytes, start, end),
            Bytes::Stored(stored) => {
                let (bytes, first) = stored.around(&(start..end));
                range_of(bytes, start.saturating_sub(first), end.saturating_sub(first))
            }
        }
    }

    /// Returns the number of bytes; `usize::MAX` if there are more.
    pub fn len(&self) -> usize {
        usize::try_from(self.range.end.saturating_sub(self.range.start)).unwrap_or(usize::MAX)
    }

    /// Returns `true` if the source has no bytes.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// Whether they are read where they are asked for.
    pub fn is_stored(&self) -> bool {
        matches!(&*self.bytes, Bytes::Stored(_))
    }

    /// The same bytes in memory.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn in_memory(&self) -> io::Result<Self> {
        match &*self.bytes {
            Bytes::Memory(_) => Ok(self.clone()),
            Bytes::Stored(stored) => {
                let (start, size) = (stored.start.saturating_add(self.range.start), self.len() as u64);
                stored.medium.read(start, size).map(Self::new)
            }
        }
    }

    /// Why some of the bytes could not be read, once that has happened.
    pub fn failure(&self) -> Option<&str> {
        match &*self.bytes {
            Bytes::Memory(_) => None,
            Bytes::Stored(stored) => stored.medium.failure.get().map(String::as_str),
        }
    }

    /// The same bytes, at the same place: what cannot be read through one of the two is no failure of the other. For parts of a
    /// medium that may be damaged in one place and sound in another.
    pub fn apart(&self) -> Self {
        match &*self.bytes {
            Bytes::Memory(_) => self.clone(),
            Bytes::Stored(stored) => {
                let medium = Medium { reader: stored.medium.reader.clone(), failure: OnceLock::new() };
                let start = stored.start.saturating_add(self.range.start);
                Self::of_medium(Arc::new(medium), start, self.len() as u64)
            }
        }
    }

    /// What is said where bytes cannot be read: `why` is an error's text, or [`Source::failure`].
    pub fn read_failed(why: impl std::fmt::Display) -> String {
        format!("the file cannot be read: {why}")
    }

    /// Where the bytes are: the same for the same range of the same memory or medium, and for no other that is held at that time.
    pub fn place(&self) -> (usize, Range<u64>) {
        match &*self.bytes {
            Bytes::Memory(_) => (Arc::as_ptr(&self.bytes).addr(), self.range.clone()),
            Bytes::Stored(stored) => {
                let range = self.range.start.saturating_add(stored.start)..self.range.end.saturating_add(stored.start);
                (Arc::as_ptr(&stored.medium.reader).addr(), range)
            }
        }
    }

    /// Whether both are the same bytes at the same place.
    pub fn is_same(&self, other: &Self) -> bool {
        self.place() == other.place()
    }

    /// Whether both hold the same bytes, wherever they are; not where some cannot be read. Reads files piece by piece.
    pub fn is_equal(&self, other: &Self) -> bool {
        if self.len() != other.len() {
            return false;
        }
        if self.is_same(other) {
            return true;
        }
        let size = self.len() as u64;
        let piece = |source: &Self, at: u64| {
            source.slice(at, COMPARED.min(size.saturating_sub(at))).and_then(|piece| piece.in_memory().ok())
        };
        (0..size).step_by(usize::try_from(COMPARED).unwrap_or(1)).all(|at| {
            let (own, others) = (piece(self, at), piece(other, at));
            own.zip(others).is_some_and(|(own, others)| own.as_slice() == others.as_slice())
        })
    }

    /// The same bytes, without holding them.
    pub fn downgrade(&self) -> WeakSource {
        WeakSource { bytes: Arc::downgrade(&self.bytes), range: self.range.clone() }
    }

    /// A part of this source, offsets counted from its start; `None` when it does not lie inside. Nothing is read for it: a part of
    /// what was read shares it, another one is read for itself.
    pub fn slice(&self, offset: u64, size: u64) -> Option<Self> {
        let first = self.range.start.checked_add(offset)?;
        let last = first.checked_add(size).filter(|last| *last <= self.range.end)?;
        match &*self.bytes {
            Bytes::Stored(stored) if stored.read.get().is_none() => {
                Some(Self::of_medium(stored.medium.clone(), stored.start.checked_add(first)?, size))
            }
            _ => Some(Self { bytes: self.bytes.clone(), range: first..last }),
        }
    }
}

/// Sorted offsets without those between two small pieces.
fn thinned(mut cuts: Vec<u64>) -> Vec<u64> {
    cuts.sort_unstable();
    cuts.dedup();
    let mut thinned: Vec<u64> = Vec::new();
    let is_small = |start: u64, end: u64| end.saturating_sub(start) < MIN_PIECE;
    for cut in cuts {
        if let [.., start, last] = *thinned.as_slice()
            && is_small(start, last)
            && is_small(last, cut)
        {
            thinned.pop();
        }
        thinned.push(cut);
    }
    thinned
}

fn range_of(bytes: &[u8], start: u64, end: u64) -> &[u8] {
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    range.and_then(|(start, end)| bytes.get(start..end)).unwrap_or_default()
}

/// Bytes that others hold, and that are there as long as they do.
#[derive(Clone)]
pub struct WeakSource {
    bytes: Weak<Bytes>,
    range: Range<u64>,
}

impl WeakSource {
    /// The bytes, while somebody holds them.
    pub fn upgrade(&self) -> Option<Source> {
        Some(Source { bytes: self.bytes.upgrade()?, range: self.range.clone() })
    }
}

impl std::fmt::Debug for WeakSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WeakSource({:?})", self.range)
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({} bytes)", self.len())
    }
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// 1,000 bytes or more that count up, and what was read of them.
    #[derive(Clone, Default)]
    struct Counting {
        reads: Arc<Mutex<Vec<Range<u64>>>>,
        fails: bool,
        /// Bytes besides the 1,000.
        more: u64,
    }

    impl ReadAt for Counting {
        fn size(&self) -> u64 {
            1000 + self.more
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
            if self.fails {
                return Err(io::Error::other("the disk is gone"));
            }
            self.reads.lock().unwrap().push(offset..offset + buffer.len() as u64);
            for (at, byte) in (offset..).zip(buffer) {
                *byte = at as u8;
            }
            Ok(())
        }
    }

    #[test]
    fn the_bytes_of_a_vector_are_not_copied() {
        let bytes = vec![7_u8; 100_000];
        let at = bytes.as_ptr();
        let source = Source::from(bytes);
        assert_eq!(source.as_slice().as_ptr(), at);
        assert_eq!(source.slice(10, 20).unwrap().as_slice().as_ptr(), at.wrapping_add(10));
    }

    #[test]
    fn what_was_reserved_in_vain_is_given_back() {
        let mut bytes = Vec::with_capacity(1000);
        bytes.extend([1, 2, 3]);
        let source = Source::from(bytes);
        let Bytes::Memory(bytes) = &*source.bytes else { panic!() };
        assert!(bytes.capacity() < 100);
    }

    #[test]
    fn of_a_file_the_parts_that_are_looked_at_are_read_and_no_others() {
        let file = Counting::default();
        let whole = Source::stored(file.clone());
        let part = whole.slice(100, 50).unwrap();
        let inner = part.slice(10, 4).unwrap();
        assert!(file.reads.lock().unwrap().is_empty(), "nothing is read for a part");
        assert_eq!(inner.as_slice(), [110, 111, 112, 113]);
        assert_eq!((part.as_slice().len(), part.as_slice()[0]), (50, 100));
        // Of what was read, parts share the bytes.
        assert_eq!(part.slice(1, 2).unwrap().as_slice(), [101, 102]);
        assert_eq!(part.clone().as_slice().as_ptr(), part.as_slice().as_ptr());
        assert_eq!(*file.reads.lock().unwrap(), [110..114, 100..150]);
        assert!(whole.slice(999, 2).is_none() && part.slice(0, 51).is_none());
        assert!(whole.slice(1000, 0).unwrap().as_slice().is_empty());
    }

    #[test]
    fn what_is_divided_is_read_piece_by_piece() {
        let file = Counting { more: 99_000, ..Counting::default() };
        let source = Source::stored(file.clone());
        source.divide([50_000, 10_000, 10_000, 70_000, 500_000]);
        assert_eq!(source.part(10_000..10_003), [16, 17, 18]);
        assert_eq!(source.part(49_000..50_000).len(), 1000);
        assert_eq!(source.clone().part(99_998..200_000), [158, 159]);
        assert_eq!((source.part(100_000..200_000).len(), source.part(7..7).len()), (0, 0));
        assert_eq!(*file.reads.lock().unwrap(), [10_000..50_000, 70_000..100_000, 0..10_000]);
        // What lies in two pieces is read with all others, which then serves for them too.
        assert_eq!(source.part(49_999..50_001), [79, 80]);
        assert_eq!((source.part(60_000..60_002), source.as_slice().len()), (&[96, 97][..], 100_000));
        assert_eq!(file.reads.lock().unwrap().last(), Some(&(0..100_000)));
        let memory = Source::from(vec![1, 2, 3]);
        memory.divide([1]);
        assert_eq!((memory.part(1..9), memory.part(5..9)), (&[2, 3][..], &[][..]));
    }

    #[test]
    fn small_neighbours_are_one_piece() {
        let file = Counting { more: 99_000, ..Counting::default() };
        let source = Source::stored(file.clone());
        source.divide((0..20_000).chain([90_000]));
        assert_eq!(source.part(10_000..10_001), [16]);
        assert_eq!((source.part(19_999..20_001).len(), source.part(90_000..90_001).len()), (2, 1));
        let first = 10_000 / MIN_PIECE * MIN_PIECE;
        assert_eq!(*file.reads.lock().unwrap(), [first..first + MIN_PIECE, 19_999..90_000, 90_000..100_000]);
    }

    #[test]
    fn places_tell_the_same_bytes_from_others() {
        let (file, other) = (Source::stored(Counting::default()), Source::stored(Counting::default()));
        let part = file.slice(100, 50).unwrap();
        assert!(part.is_same(&file.slice(0, 200).unwrap().slice(100, 50).unwrap()));
        assert!(!part.is_same(&file.slice(100, 51).unwrap()) && !part.is_same(&other.slice(100, 50).unwrap()));
        assert!(file.is_equal(&other));
        assert!(part.is_equal(&Source::new(part.as_slice().to_vec())));
        assert!(!part.is_equal(&file.slice(101, 50).unwrap()));
        assert!(part.downgrade().upgrade().unwrap().is_same(&part));
    }

    #[test]
    fn what_is_apart_fails_alone() {
        let whole = Source::stored(Counting { fails: true, ..Counting::default() });
        let part = whole.slice(10, 5).unwrap();
        let apart = part.apart();
        assert!(apart.is_same(&part) && apart.as_slice().is_empty());
        assert!(apart.failure().is_some() && part.failure().is_none() && whole.failure().is_none());
        let sound = Source::stored(Counting::default()).slice(10, 5).unwrap();
        assert_eq!((sound.apart().as_slice(), sound.apart().len()), (&[10, 11, 12, 13, 14][..], 5));
    }

    #[test]
    fn what_cannot_be_read_is_missing_and_says_why() {
        let whole = Source::stored(Counting { fails: true, ..Counting::default() });
        assert_eq!((whole.len(), whole.failure()), (1000, None));
        let part = whole.slice(10, 20).unwrap();
        assert!(part.as_slice().is_empty());
        assert_eq!((part.failure(), whole.failure()), (Some("the disk is gone"), Some("the disk is gone")));
        assert!(whole.in_memory().is_err() && !whole.is_equal(&Source::stored(Counting::default())));
    }
}
