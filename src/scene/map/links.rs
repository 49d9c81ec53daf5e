//! Which actors of a level work on which: events and tags, and movers that are set off.

use super::{Map, MapActor};
use std::collections::{HashMap, HashSet};

impl Map {
    /// Links that are looked for at most: a level whose every actor sets off every other has millions.
    pub const MAX_LINKS: usize = 20_000;

    /// The actors that have an event, each with an actor that it sets off: into [`Map::actors`], in the order of the first. Tags
    /// count without regard to case. And whether there are more than [`Map::MAX_LINKS`].
    pub fn event_links(&self) -> (Vec<[u32; 2]>, bool) {
        let mut tagged: HashMap<String, Vec<u32>> = HashMap::new();
        for (index, actor) in (0_u32..).zip(&self.actors).filter(|(_, actor)| has_name(&actor.tag)) {
            tagged.entry(actor.tag.to_lowercase()).or_default().push(index);
        }
        let from = (0_u32..).zip(&self.actors).filter(|(_, actor)| has_name(&actor.event));
        let links = from.flat_map(|(index, actor)| {
            let found = tagged.get(&actor.event.to_lowercase()).map_or(&[] as &[u32], Vec::as_slice);
            found.iter().map(move |to| [index, *to])
        });
        let mut links: Vec<[u32; 2]> = links.take(Self::MAX_LINKS.saturating_add(1)).collect();
        let is_cut = links.len() > Self::MAX_LINKS;
        links.truncate(Self::MAX_LINKS);
        (links, is_cut)
    }

    /// Those of one actor: to what it sets off, and from what sets it off.
    pub fn event_links_of(&self, actor: u32) -> Vec<[u32; 2]> {
        let to = self.set_off_by(actor).into_iter().map(|to| [actor, to]);
        let tag = self.actors.get(actor as usize).map(|of| &of.tag).filter(|tag| has_name(tag));
        let sets_off = |(_, from): &(u32, &MapActor)| tag.is_some_and(|tag| from.event.eq_ignore_ascii_case(tag));
        let from = (0_u32..).zip(&self.actors).filter(sets_off).map(|(from, _)| [from, actor]);
        to.chain(from.filter(|[from, _]| *from != actor)).take(Self::MAX_LINKS).collect()
    }

    /// Actors that an actor's event sets off.
    pub fn set_off_by(&self, actor: u32) -> Vec<u32> {
        let Some(of) = self.actors.get(actor as usize).filter(|of| has_name(&of.event)) else { return Vec::new() };
        let found = (0_u32..).zip(&self.actors).filter(|(_, to)| to.tag.eq_ignore_ascii_case(&of.event));
        found.map(|(index, _)| index).take(Self::MAX_LINKS).collect()
    }

    /// Into [`Map::movers`]: the one that an actor is, and those that its event sets off.
    pub fn movers_of(&self, actor: u32) -> Vec<u32> {
        let actors: HashSet<u32> = self.set_off_by(actor).into_iter().chain([actor]).collect();
        let movers = (0_u32..).zip(&self.movers).filter(|(_, mover)| actors.contains(&mover.actor));
        movers.map(|(index, _)| index).collect()
    }
}

/// Whether a tag or an event names something.
fn has_name(name: &str) -> bool {
    !name.is_empty() && !name.eq_ignore_ascii_case("None")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{MapMover, MoverKey};

    fn map() -> Map {
        let actor = |tag: &str, event: &str| MapActor { tag: tag.into(), event: event.into(), ..MapActor::default() };
        let mover = |actor| MapMover { actor, keys: vec![MoverKey::default()], seconds: 1.0, ..MapMover::default() };
        Map {
            actors: vec![
                actor("Trigger", "Door"),
                actor("door", ""),
                actor("DOOR", "Alarm"),
                actor("None", "none"),
                actor("", ""),
            ],
            movers: vec![mover(1), mover(2), mover(4)],
            ..Map::default()
        }
    }

    #[test]
    fn events_find_all_actors_of_their_tag_whatever_the_case() {
        let map = map();
        assert_eq!(map.event_links(), (vec![[0, 1], [0, 2]], false));
        assert_eq!((map.event_links_of(0), map.event_links_of(2)), (vec![[0, 1], [0, 2]], vec![[0, 2]]));
        assert!(map.event_links_of(3).is_empty() && map.event_links_of(4).is_empty());
        assert_eq!(map.set_off_by(0), [1, 2]);
        assert!(map.set_off_by(2).is_empty() && map.set_off_by(3).is_empty() && map.set_off_by(99).is_empty());
        assert_eq!((map.movers_of(0), map.movers_of(2), map.movers_of(3)), (vec![0, 1], vec![1], vec![]));
    }

    #[test]
    fn links_are_bounded() {
        let actor = MapActor { tag: "all".into(), event: "all".into(), ..MapActor::default() };
        let map = Map { actors: vec![actor; 300], ..Map::default() };
        let (links, is_cut) = map.event_links();
        assert_eq!((links.len(), is_cut), (Map::MAX_LINKS, true));
        // Of one actor, however far back it is: 300 each way, the one to itself once.
        assert_eq!(map.event_links_of(299).len(), 599);
    }
}
