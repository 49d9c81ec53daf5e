//! Which meshes of a palette are drawn, in which order, and what carries each (formats/charpipe.md §5).

use super::{act::Act, codes, gpl::Gpl};
use crate::formats::findings::Findings;

/// What carries a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// It stands where it is stored.
    Nothing,
    /// A bone, by its place in the actor's table: the mesh is in its space.
    Bone(u32),
    /// The skin, or matrices that its lists load: the mesh is in the model's space.
    Skin,
}

/// A mesh in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Into [`Gpl::objects`].
    pub object: usize,
    pub carrier: Carrier,
}

/// The meshes of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placing {
    /// In the order in which they are drawn.
    pub drawn: Vec<Placed>,
    /// Meshes that nothing draws.
    pub undrawn: Vec<usize>,
}

/// Which object the skin moves: the last that has normals between its positions, unless the actor names another one of those. Of
/// a palette without any it is the one that the actor names, whose lists load matrices then.
pub fn skinned_object(gpl: &Gpl, act: Option<&Act>) -> Option<usize> {
    let named = act.and_then(|act| act.skin_mesh).map(usize::from);
    let is_skinned = |index: &usize| gpl.objects.get(*index).and_then(Option::as_ref).is_some_and(|o| o.is_skinned());
    let exists = |index: &usize| gpl.objects.get(*index).is_some_and(Option::is_some);
    named.filter(is_skinned).or_else(|| gpl.skinned()).or(named.filter(exists))
}

/// Places the meshes. Without an actor, or with one that draws none, every mesh stands where it is stored.
pub fn place(gpl: &Gpl, act: Option<&Act>, findings: &mut Findings) -> Placing {
    let all = || 0..gpl.objects.len();
    let skinned = skinned_object(gpl, act);
    let unplaced = |object| {
        let carrier = if skinned == Some(object) { Carrier::Skin } else { Carrier::Nothing };
        Placed { object, carrier }
    };
    let Some(act) = act else {
        return Placing { drawn: all().map(unplaced).collect(), undrawn: Vec::new() };
    };
    let mut hung: Vec<(u8, Placed)> = Vec::new();
    for bone in &act.order {
        let Some(record) = act.bones.get(*bone as usize) else { continue };
        let Some(object) = record.mesh.map(usize::from) else { continue };
        if object >= gpl.objects.len() {
            let message = format!("bone {} refers to mesh {object}, which does not exist", record.id);
            findings.add(&codes::BAD_INDEX, Some(record.at), message);
            continue;
        }
        let is_skin = skinned == Some(object);
        // The skin is drawn once, wherever it hangs.
        if is_skin && hung.iter().any(|(_, placed)| placed.carrier == Carrier::Skin) {
            continue;
        }
        let carrier = if is_skin { Carrier::Skin } else { Carrier::Bone(*bone) };
        hung.push((record.draw_priority, Placed { object, carrier }));
    }
    hung.sort_by_key(|(priority, _)| *priority);
    let mut drawn: Vec<Placed> = hung.into_iter().map(|(_, placed)| placed).collect();
    if let Some(object) = skinned.filter(|_| drawn.iter().all(|placed| placed.carrier != Carrier::Skin)) {
        drawn.insert(0, Placed { object, carrier: Carrier::Skin });
    }
    if drawn.is_empty() {
        if !gpl.objects.is_empty() {
            let message = "no mesh is attached to a bone: all meshes are shown at their stored positions";
            findings.add(&codes::UNDRAWN_MESH, None, message);
        }
        return Placing { drawn: all().map(unplaced).collect(), undrawn: Vec::new() };
    }
    let mut is_drawn = vec![false; gpl.objects.len()];
    for placed in &drawn {
        if let Some(flag) = is_drawn.get_mut(placed.object) {
            *flag = true;
        }
    }
    let undrawn: Vec<usize> = all().filter(|object| is_drawn.get(*object) == Some(&false)).collect();
    if let [first, rest @ ..] = undrawn.as_slice() {
        let others = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let at = gpl.objects.get(*first).and_then(Option::as_ref).map(|object| object.at);
        let message = format!("not attached to any bone: {}{others}", gpl.name(*first));
        findings.add(&codes::UNDRAWN_MESH, at, message);
    }
    Placing { drawn, undrawn }
}
