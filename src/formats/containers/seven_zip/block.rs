//! Unpacking members from their blocks, in their order as a rule.

use super::{
    super::{
        codes,
        contents::{Trouble, Unpacked, Unpacking},
        meter::PIECE,
        output::{Cost, Output},
        source_reader::crc32,
    },
    coders::Stack,
    streams::{Member, Streams},
};
use crate::bytes::{Budget, MemberLimits, Source, budget};
use flate2::Crc;
use std::sync::{Mutex, PoisonError};

/// Maximum size of a member that is kept until another one is unpacked.
const MAX_KEPT: u64 = 8 << 20;
/// Maximum size of a block that is kept whole once its members are not requested in their order.
const MAX_WHOLE: u64 = 64 << 20;
/// Work of unpacking a member, however small.
const WORK_OF_MEMBER: u64 = 2000;

/// The block that was read last, up to the place that was reached.
#[derive(Default)]
pub struct Blocks {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    cursor: Option<Cursor>,
    broken: Option<Broken>,
    /// The block that was unpacked to its end last.
    finished: Option<usize>,
    /// A block that is kept whole, and one that could not be.
    whole: Option<(usize, Source)>,
    not_whole: Option<usize>,
    /// The last member, by its index.
    last: Option<(usize, Unpacked)>,
    /// Room for a piece, which all members share.
    piece: Vec<u8>,
}

/// A block that is being unpacked.
struct Cursor {
    stack: Stack,
    block: usize,
    /// Number of bytes that were unpacked.
    at: u64,
}

/// A block that cannot be unpacked to its end.
struct Broken {
    block: usize,
    /// Number of bytes that can be unpacked.
    at: u64,
    trouble: Trouble,
}

/// Reason why a member was not unpacked.
enum Stop {
    /// Its block breaks off.
    Broken(Trouble),
    /// The block can be continued.
    Paused(Trouble),
}

impl Blocks {
    /// Returns the number of bytes that are held between members.
    pub fn held(&self) -> u64 {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = [state.whole.as_ref().map(|(_, source)| source), state.last.as_ref().map(|(_, kept)| &kept.source)];
        let kept = kept.into_iter().flatten().map(|source| source.len() as u64);
        kept.chain(state.cursor.as_ref().map(|cursor| cursor.stack.memory)).fold(0, u64::saturating_add)
    }

    /// Unpacks a member. One that follows the last one, or is behind it in its block, costs what is between them; where members are
    /// requested in another order, their block is unpacked once and kept if it is small.
    ///
    /// # Errors
    /// Returns an error if the block cannot be unpacked up to the member's end, or if limits, budget or caller stop it.
    pub fn unpack(
        &self,
        index: usize,
        source: &Source,
        streams: &Streams,
        cx: &Unpacking<'_>,
    ) -> Result<Unpacked, Trouble> {
        let member = streams.members().get(index);
        let member = member.ok_or_else(|| Trouble::new(&codes::TABLE, 0, "the archive has no data for this entry"))?;
        if !budget::charge_work(WORK_OF_MEMBER) {
            return Err(Trouble::too_much_work());
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *state;
        if let Some((_, kept)) = state.last.as_ref().filter(|(last, _)| *last == index)
            && kept.source.len() as u64 <= cx.limits.bytes
        {
            return Ok(kept.clone());
        }
        let broken = state.broken.as_ref().filter(|broken| broken.block == member.block && broken.at < member.end());
        if let Some(broken) = broken {
            return Err(broken.trouble.clone());
        }
        state.keep_whole(member, source, streams, cx);
        if let Some(kept) = state.kept(member, cx) {
            return kept;
        }
        // A cursor that panics is not put back.
        let usable = |cursor: &Cursor| cursor.block == member.block && cursor.at <= member.offset;
        let mut cursor = match state.cursor.take().filter(usable) {
            Some(cursor) => cursor,
            None => {
                let stack = Stack::open(source, streams, member.block, cx.limits)?;
                Cursor { stack, block: member.block, at: 0 }
            }
        };
        state.piece.resize(PIECE, 0);
        // Decoders and what comes of them are held at once.
        let held = cx.limits.held.of(source.len() as u64).saturating_sub(cursor.stack.memory);
        let limits = MemberLimits { bytes: cx.limits.bytes.min(held), ..*cx.limits };
        let beside = Unpacking { limits: &limits, cancel: cx.cancel };
        let output = Output::new(&beside, streams.stored(member.block), Cost::CHARGED)?;
        let size = streams.size(member.block);
        let mut unpacked = cursor.member(member, output, &mut state.piece, cx);
        if let Ok(last) = &mut unpacked
            && cursor.at == size
        {
            last.troubles.extend(cursor.stack.end());
        }
        let is_paused = matches!(unpacked, Ok(_) | Err(Stop::Paused(_)));
        state.finished = (cursor.at == size).then_some(member.block);
        if is_paused && cursor.at < size {
            state.cursor = Some(cursor);
        } else if let Err(Stop::Broken(trouble)) = &unpacked {
            // What stops the act is no damage of the block.
            let is_damage = trouble.code.id == codes::DECODE.id;
            state.broken = is_damage.then(|| Broken { block: member.block, at: cursor.at, trouble: trouble.clone() });
        }
        let unpacked = unpacked.map_err(Stop::into_trouble)?;
        state.last = Some((index, unpacked.clone())).filter(|(_, kept)| kept.source.len() as u64 <= MAX_KEPT);
        Ok(unpacked)
    }
}

impl State {
    /// Unpacks a member's whole block and keeps it, if the block was read beyond the member already.
    fn keep_whole(&mut self, member: &Member, source: &Source, streams: &Streams, cx: &Unpacking<'_>) {
        let block = member.block;
        let is_behind = self.finished == Some(block)
            || self.cursor.as_ref().is_some_and(|cursor| cursor.block == block && cursor.at > member.offset);
        let is_kept = self.whole.as_ref().is_some_and(|(kept, _)| *kept == block);
        let size = streams.size(block);
        if !is_behind || is_kept || self.not_whole == Some(block) || size > MAX_WHOLE {
            return;
        }
        (self.cursor, self.whole, self.last) = (None, None, None);
        self.piece.resize(PIECE, 0);
        let unpack = || {
            let stack = Stack::open(source, streams, block, cx.limits)?;
            let held = cx.limits.held.of(source.len() as u64).saturating_sub(stack.memory);
            let limits = MemberLimits { bytes: held, ..*cx.limits };
            let cx = Unpacking { limits: &limits, cancel: cx.cancel };
            let output = Output::new(&cx, streams.stored(block), Cost::CHARGED)?;
            let mut cursor = Cursor { stack, block, at: 0 };
            let all = Member { block, offset: 0, size, digest: None };
            cursor.member(&all, output, &mut self.piece, &cx).map_err(Stop::into_trouble)
        };
        // The rest of the work is for the member itself if its block takes too much.
        let half = Budget { steps: u64::MAX, bytes: u64::MAX, depth: u32::MAX, work: budget::work_left() / 2 };
        match budget::within(half, unpack).0 {
            Ok(unpacked) => self.whole = Some((block, unpacked.source)),
            Err(_) => self.not_whole = Some(block),
        }
    }

    /// Returns a member of the block that is kept whole.
    fn kept(&self, member: &Member, cx: &Unpacking<'_>) -> Option<Result<Unpacked, Trouble>> {
        let (_, whole) = self.whole.as_ref().filter(|(block, _)| *block == member.block)?;
        let source = whole.slice(member.offset, member.size).filter(|_| member.size <= cx.limits.bytes)?;
        let summed = cx.work(Cost::STORED.of(0, member.size));
        Some(summed.map(|()| {
            let trouble = member.digest.and_then(|stated| Trouble::of_sum(stated, crc32(&source)?));
            Unpacked { source, troubles: trouble.into_iter().collect() }
        }))
    }
}

impl Stop {
    fn into_trouble(self) -> Trouble {
        let (Self::Broken(trouble) | Self::Paused(trouble)) = self;
        trouble
    }
}

impl Cursor {
    fn member(
        &mut self,
        member: &Member,
        mut output: Output<'_>,
        piece: &mut [u8],
        cx: &Unpacking<'_>,
    ) -> Result<Unpacked, Stop> {
        while self.at < member.offset {
            self.piece(member.offset, piece, cx)?;
        }
        let mut sum = Crc::new();
        while self.at < member.end() {
            let bytes = self.piece(member.end(), piece, cx)?;
            sum.update(bytes);
            output.extend(bytes).map_err(Stop::Paused)?;
        }
        let trouble = member.digest.and_then(|stated| Trouble::of_sum(stated, sum.sum()));
        Ok(output.finish(trouble.into_iter().collect()))
    }

    /// Unpacks what follows, no further than `end`.
    fn piece<'a>(&mut self, end: u64, piece: &'a mut [u8], cx: &Unpacking<'_>) -> Result<&'a [u8], Stop> {
        cx.go_on().map_err(Stop::Paused)?;
        let left = usize::try_from(end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let wanted = left.min(piece.len());
        let piece = piece.get_mut(..wanted).unwrap_or_default();
        let filled = self.stack.fill(piece).map_err(Stop::Broken)?;
        self.at = self.at.saturating_add(filled as u64);
        if filled < wanted {
            let message = format!("the compressed data of the block ends after {} unpacked bytes", self.at);
            return Err(Stop::Broken(Trouble::new(&codes::DECODE, 0, message)));
        }
        Ok(piece)
    }
}
