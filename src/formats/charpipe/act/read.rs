//! Reads an actor (formats/charpipe.md §5).

use super::{
    super::{codes, container::ACT_VERSION},
    actor::{Act, Bone, name},
    control, links,
    user_data::{self, BONE_SIZE, HEADER_SIZE},
};
use crate::formats::{
    Value,
    claims::Claims,
    field_reader::{Fault, FieldReader},
    findings::Findings,
    structure::Structure,
};
use std::sync::Arc;

/// Bones of one actor at most.
const MAX_BONES: u64 = 4096;
/// Characters of a name at most, for one that has no end.
const LONGEST_NAME: usize = 256;

/// Reads the section.
///
/// # Errors
/// When its header does not fit.
pub fn read(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Box<dyn Structure>, Fault> {
    read_act(r, findings).map(|act| Box::new(act) as Box<dyn Structure>)
}

pub(super) fn read_act(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Act, Fault> {
    let actor = r.range();
    let version = r.u32("Version")?;
    if version != ACT_VERSION {
        let message = format!("unknown actor version {version}, expected {ACT_VERSION}");
        findings.add(&codes::OTHER_VERSION, Some(actor.start), message);
    }
    let actor_id = r.u16("ActorId")?;
    let count_at = r.offset();
    let count = u64::from(r.u16("BoneCount")?);
    r.u32("TreeWord")?;
    let root_at = r.offset();
    let root = r.u32("RootBoneOffset")?;
    let name_at = r.offset();
    let name_offset = r.u32("GeometryNameOffset")?;
    let skin_mesh = r.named_u16("SkinMesh", |mesh| (mesh == u16::MAX).then_some("none"))?;
    r.u16("Unknown")?;
    let user_size = r.u32("UserDataSize")?;
    let user_at = r.offset();
    let user_offset = r.u32("UserDataOffset")?;

    let there = r.whole_records(count, BONE_SIZE) as u64;
    if there < count || there > MAX_BONES {
        let message = format!("only {} of {count} bones can be read", there.min(MAX_BONES));
        findings.add(&codes::SHORT_TABLE, Some(count_at), message);
    }
    let there = there.min(MAX_BONES);
    let ids = read_ids(r, there)?;
    let of_row = ids.clone();
    let mut bones = r.records("Bones", "Bone", there, BONE_SIZE, move |r, _| read_bone(r, &of_row))?;

    let mut claims = Claims::default();
    claims.take(actor.start..r.offset());
    read_controls(r, &mut bones, &mut claims, findings);
    let walk = links::walk(root, root_at, &bones, findings);
    let parents = links::parents(&bones, &walk.parents, findings);
    for (bone, parent) in bones.iter_mut().zip(parents) {
        bone.parent_bone = parent;
    }
    let geometry_name = read_name(r, name_offset, name_at, &mut claims, findings)?;
    let user_data = match user_data::range(user_offset, user_size, &actor, user_at, findings) {
        Some(range) => claims.read(r, range.clone(), |r| user_data::read_user_data(r, range, bones.len(), findings))?,
        None => user_data::UserData::default(),
    };
    let skin_mesh = Some(skin_mesh).filter(|mesh| *mesh != u16::MAX);
    Ok(Act { actor_id, geometry_name, skin_mesh, bones, order: walk.order, user_data, ids })
}

/// The ids of all bones of the table at the cursor, to name links by.
fn read_ids(r: &FieldReader<'_>, count: u64) -> Result<Arc<[u16]>, Fault> {
    const ID: usize = 0x16;
    let mut ahead = r.fork();
    let mut ids = Vec::new();
    for _ in 0..count {
        let bone = ahead.raw().array::<{ BONE_SIZE as usize }>()?;
        let id: Option<[u8; 2]> = bone.get(ID..).and_then(|b| b.first_chunk().copied());
        ids.push(u16::from_be_bytes(id.unwrap_or_default()));
    }
    Ok(ids.into())
}

/// One bone of the table; `ids` are those of all of them.
pub fn read_bone(r: &mut FieldReader<'_>, ids: &[u16]) -> Result<Bone, Fault> {
    let at = r.offset();
    let link = |r: &mut FieldReader<'_>, field: &'static str| {
        let at = r.offset();
        let link = r.raw().u32()?;
        let named = || match links::target(link, ids.len()) {
            Ok(None) => "none".into(),
            Ok(Some(bone)) => ids.get(bone as usize).map_or_else(String::new, |id| name(*id)).into(),
            Err(()) => "invalid".into(),
        };
        r.record(field, "u32", at, || Value::Enum { value: i64::from(link), name: named() });
        Ok::<_, Fault>(link)
    };
    let control_offset = r.named_u32("ControlOffset", |o| (o == 0).then_some("identity"))?;
    link(r, "PreviousSibling")?;
    let next_sibling = link(r, "NextSibling")?;
    let parent = link(r, "Parent")?;
    let first_child = link(r, "FirstChild")?;
    let mesh = r.named_u16("Mesh", |mesh| (mesh == u16::MAX).then_some("none"))?;
    let id = r.u16("Id")?;
    let inherits = r.named_u8("Inherits", |inherits| match inherits {
        0 => Some("no"),
        1 => Some("yes"),
        _ => None,
    })?;
    let draw_priority = r.u8("DrawPriority")?;
    r.pad(2)?;
    Ok(Bone {
        at,
        control_offset,
        next_sibling,
        parent,
        first_child,
        mesh: Some(mesh).filter(|mesh| *mesh != u16::MAX),
        id,
        inherits: inherits == 1,
        draw_priority,
        ..Bone::default()
    })
}

fn read_controls(r: &mut FieldReader<'_>, bones: &mut [Bone], claims: &mut Claims, findings: &mut Findings) {
    let start = r.range().start;
    for bone in bones.iter_mut().filter(|bone| bone.control_offset != 0) {
        let at = start.saturating_add(u64::from(bone.control_offset));
        let flags = r.seek(at).ok().and_then(|()| r.fork().raw().u8().ok());
        let end = at.saturating_add(control::size(flags.unwrap_or(0)));
        let group = format!("Control of {}", name(bone.id));
        if end > r.range().end || u64::from(bone.control_offset) < HEADER_SIZE {
            let message = format!("the control of bone {} has the invalid offset {:#x}", bone.id, bone.control_offset);
            findings.add(&codes::BAD_CONTROL, Some(bone.at), message);
        } else if let Ok(control) = claims.read(r, at..end, |r| r.group(group, "Control", control::read)) {
            bone.control = control;
        }
    }
}

/// The name may lack its end: then it ends with its extension.
fn read_name(
    r: &mut FieldReader<'_>,
    offset: u32,
    field_at: u64,
    claims: &mut Claims,
    findings: &mut Findings,
) -> Result<String, Fault> {
    if offset == 0 {
        return Ok(String::new());
    }
    let at = r.range().start.saturating_add(u64::from(offset));
    if r.seek(at).is_err() {
        findings.add(&codes::BAD_NAME, Some(field_at), format!("the geometry name has the invalid offset {offset:#x}"));
        return Ok(String::new());
    }
    let longest = r.left().min(LONGEST_NAME);
    let (text, size) = name_in(r.fork().raw().bytes(longest)?);
    let end = at.saturating_add(size as u64);
    claims.read(r, at..end, |r| r.text("GeometryName", size, |_| text.clone()))
}

/// The name that bytes begin with, and how many of them it takes.
fn name_in(bytes: &[u8]) -> (String, usize) {
    let nul = bytes.iter().position(|b| *b == 0);
    let text = bytes.get(..nul.unwrap_or(bytes.len())).unwrap_or_default();
    let is_extension = |four: &[u8]| four.eq_ignore_ascii_case(b".gpl") || four.eq_ignore_ascii_case(b".tpl");
    let cut = text.windows(4).position(is_extension).map(|at| at.saturating_add(4));
    let text = text.get(..cut.unwrap_or(text.len())).unwrap_or_default();
    // The NUL is the name's, where it follows.
    let size = text.len().saturating_add(usize::from(nul == Some(text.len())));
    (String::from_utf8_lossy(text).into_owned(), size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_at_their_nul_or_their_extension() {
        assert_eq!(name_in(b"a.gpl\0xyz"), ("a.gpl".to_owned(), 6));
        assert_eq!(name_in(b"a.gpl\x01\x02"), ("a.gpl".to_owned(), 5));
        assert_eq!(name_in(b"A.TPLmore\0"), ("A.TPL".to_owned(), 5));
        assert_eq!(name_in(b"plain\0"), ("plain".to_owned(), 6));
        assert_eq!(name_in(b""), (String::new(), 0));
    }
}
