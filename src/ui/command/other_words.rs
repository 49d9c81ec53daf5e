//! What people call an action beside its name: other programs have other words for it.

/// Actions by their names, and the words.
static OTHER_WORDS: &[(&str, &str)] = &[
    ("Open files…", "load import browse"),
    ("Open folder…", "load import browse directory game"),
    ("Add a folder to look in…", "search path dependencies missing textures packages"),
    ("Read again", "reload refresh revert anew disk"),
    ("Save the view…", "camera bookmark state favourite"),
    ("Watch open files", "reload refresh changes disk automatically"),
    ("Open the samples", "examples demo first steps"),
    ("Export model…", "save as convert gltf glb obj psk png wav dds"),
    ("Export all open files…", "save convert batch unpack extract"),
    ("Screenshot", "picture photo capture image"),
    ("Screenshot without background", "picture photo capture transparent alpha"),
    ("Close all files", "unload remove clear"),
    ("Quit", "exit close leave"),
    ("Filter the library", "search find"),
    ("Play or pause", "stop animation start"),
    ("Next frame", "step forward"),
    ("Previous frame", "step back"),
    ("First frame", "start rewind begin"),
    ("Last frame", "end"),
    ("Next clip", "animation sequence"),
    ("Previous clip", "animation sequence"),
    ("Next loop mode", "repeat once ping-pong"),
    ("Faster", "speed rate playback"),
    ("Slower", "speed rate playback"),
    ("Play backwards or forwards", "reverse rewind speed direction"),
    ("Next key", "keyframe jump forward"),
    ("Previous key", "keyframe jump back"),
    ("Range starts here", "in point loop part trim mark"),
    ("Range ends here", "out point loop part trim mark"),
    ("Clear the range", "in out points whole loop reset"),
    ("Bind pose (no clip)", "rest t-pose reference stop animation"),
    ("Blend between clips: off", "crossfade transition exact"),
    ("Blend between clips: 0.1 s", "crossfade transition"),
    ("Blend between clips: 0.25 s", "crossfade transition"),
    ("Blend between clips: 0.5 s", "crossfade transition"),
    ("Reset morphs", "blend shapes shape keys targets poses faces"),
    ("Curves of the clip", "graph editor tracks"),
    ("Clips of the model", "animations sequences list"),
    ("Keys of the clip", "dope sheet tracks keyframes"),
    ("Notifications of the clip", "notify events sounds markers flags"),
    ("Louder", "volume"),
    ("Quieter", "volume mute"),
    ("Focus the model", "camera frame fit"),
    ("Reset the view", "home zoom out"),
    ("Right", "side"),
    ("Left", "side"),
    ("Top", "above plan"),
    ("Bottom", "below"),
    ("Orthographic", "camera perspective projection"),
    ("Textures", "images diffuse skin"),
    ("The model's own textures", "undo original"),
    ("Wireframe", "edges polygons lines"),
    ("Bones", "skeleton joints armature rig"),
    ("Bone names", "skeleton joints labels"),
    ("Sockets", "attachment points tags mounts crosses"),
    ("Bounds", "box extent size dimensions measure"),
    ("Texture coordinates", "uv checker"),
    ("Materials by colour", "id identifiers"),
    ("Weights of the bone", "skinning influence heat"),
    ("Without light", "unlit fullbright shading flat"),
    ("Hide what is selected", "invisible remove parts bones"),
    ("Show what is selected alone", "isolate solo parts bones"),
    ("Show everything again", "unhide parts bones types"),
    ("Flat faces", "faceted shading triangles"),
    ("Vertex colours alone", "rgb paint"),
    ("Parts by colour", "id identifiers meshes"),
    ("Overdraw", "layers cost"),
    ("Normals as lines", "hair vectors"),
    ("UV layout", "unwrap texture coordinates map"),
    ("Shadow", "contact ground"),
    ("Ring light", "lamp round"),
    ("Headlight", "lamp front"),
    ("Studio light", "lamps default"),
    ("Grid", "floor ground"),
    ("Hide back faces", "backface culling two-sided"),
    ("Unfiltered textures", "nearest point pixels sharp"),
    ("Hidden surfaces", "invisible portals"),
    ("Fly through", "camera walk first person noclip"),
    ("Key lamp on or out", "light lighting"),
    ("The theme's background", "colour backdrop"),
    ("Dark or light", "theme colours mode night day"),
    ("Interface at 100 %", "zoom scale size font"),
    ("Interface at 125 %", "zoom scale size font"),
    ("Interface at 150 %", "zoom scale size font"),
    ("Interface at 200 %", "zoom scale size font"),
    ("Reset the layout", "panels windows dock default"),
    ("Log", "messages errors warnings console"),
    ("Show the entry", "open view"),
    ("Open the entry beside", "split compare second stage"),
    ("All pictures of the file", "gallery thumbnails textures"),
    ("All entries of the file", "list table"),
    ("Add to the scene", "several models together second beside weapon load merge"),
    ("Attach to the selected bone", "socket hand weapon joint parent link hang"),
    ("Make it the main model", "active current swap inspector"),
    ("Models side by side", "compare next apart"),
    ("Ghost of the model", "transparent x-ray see-through onion overlay compare"),
    ("Models of the scene", "list several outliner"),
    ("Only the main model", "remove others clear alone"),
    ("Move stages together", "link cameras clocks sync"),
    ("Find what uses the entry", "references usages"),
    ("Measure", "distance area length ruler profile heights survey"),
    ("Go to coordinates…", "east north position jump place"),
    ("Flip north and south", "mirror upside down"),
    ("Jump to an offset or entry…", "goto address number name find"),
    ("Keys", "shortcuts keyboard hotkeys help"),
    ("About Bonebox", "version licence"),
];

/// Words beside the name of an action; none for most.
pub fn other_words(name: &str) -> &'static str {
    OTHER_WORDS.iter().find(|(of, _)| *of == name).map_or("", |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::command::ACTIONS;

    #[test]
    fn words_are_of_actions_and_no_parts_of_their_names() {
        for (name, words) in OTHER_WORDS {
            assert!(ACTIONS.iter().any(|action| action.name == *name), "“{name}” is no action");
            let own = name.to_lowercase();
            assert!(words.split(' ').all(|word| !word.is_empty() && !own.contains(word)), "“{name}”: {words}");
        }
        let names: std::collections::BTreeSet<&str> = OTHER_WORDS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), OTHER_WORDS.len(), "one row for each");
    }
}
