//! What speaks for a clip besides its tracks.

use super::*;

const WHOLE: Found = Found::Parts { plays: true, whole: true, tells: true };
const HALF: Found = Found::Parts { plays: true, whole: false, tells: true };
/// One joint, or two.
const FEW: Found = Found::Parts { plays: true, whole: true, tells: false };

fn home(file: &str, path: &str) -> Home {
    let parts: Vec<String> = path.split('/').filter(|p| !p.is_empty()).map(str::to_owned).collect();
    Home::at(file, &parts)
}

/// A model among others.
fn model(file: &str, path: &str, among: &[&str]) -> Home {
    home(file, path).among(Among::of_names(among.iter().map(|name| (*name).to_owned())))
}

/// A fit by so many joints, in place.
fn joints(clip: usize, model: usize) -> Fit {
    let parts = crate::scene::PartsFit { what: Parts::Joints, matched: clip.min(model), clip, model };
    Fit { parts: Some(parts), ..Fit::default() }
}

#[test]
fn the_beast_does_not_play_the_clips_of_the_saucer() {
    // Both have 24 joints.
    let fit = joints(24, 24);
    let beast = model("/game/beast/beast.bmd", "", &["beast.bmd"]);
    let saucer = home("/game/saucer/saucer_fly.bck", "");
    let far = beast.kinship(&saucer);
    assert!(!far.belongs(WHOLE) && !far.nearness.is_near());
    assert_eq!(far.reason(&fit), "only the number of joints matches");
    // In an archive of its own neither.
    let packed = beast.kinship(&home("/game/saucer.arc", "bck/fly.bck"));
    assert!(!packed.belongs(WHOLE));
    // The same in the beast's archive belongs, whatever it is called.
    let archive = ["beast.bmd", "tail.bmd"];
    let beast = model("/game/beast.arc", "bmd/beast.bmd", &archive);
    let own = beast.kinship(&home("/game/beast.arc", "bck/fly.bck"));
    assert!(own.belongs(WHOLE) && !own.belongs(HALF));
    assert_eq!(own.reason(&fit), "same archive, 24 of 24 joints match");
    let named = beast.kinship(&home("/game/beast.arc", "bck/beast_walk.bck"));
    assert!(named.belongs(WHOLE));
    assert_eq!(named.reason(&fit), "same archive, 24 of 24 joints match, name begins with “beast”");
    // But not where it is called after the other model there.
    let both = model("/game/all.arc", "bmd/beast.bmd", &["beast.bmd", "saucer.bmd"]);
    let clip = home("/game/all.arc", "bck/saucer_fly.bck");
    assert!(!both.kinship(&clip).belongs(WHOLE));
    assert_eq!(both.kinship(&clip).reason(&fit), "same archive, 24 of 24 joints match, named after the model “saucer”");
    assert!(model("/game/all.arc", "bmd/saucer.bmd", &["beast.bmd", "saucer.bmd"]).kinship(&clip).belongs(WHOLE));
    // A related name brings a clip home from a folder of animations, and from another folder it is a reason alone.
    let beast = model("/game/beast/beast.bmd", "", &["beast.bmd", "tail.bmd"]);
    assert!(beast.kinship(&home("/game/anm/beast_walk.bck", "")).belongs(WHOLE));
    assert!(!beast.kinship(&home("/game/anm/beach_walk.bck", "")).belongs(WHOLE));
    let elsewhere = beast.kinship(&home("/game/moves/beast_walk.bck", ""));
    assert!(!elsewhere.belongs(WHOLE));
    assert_eq!(elsewhere.reason(&fit), "24 of 24 joints match, name begins with “beast”");
}

#[test]
fn a_folder_with_one_model_has_no_clips_of_others() {
    let alone = model("/a/model/arm.bmd", "", &["arm.bdl", "arm.bmd"]);
    let among = model("/a/model/arm.bmd", "", &["arm.bmd", "boss.bmd"]);
    let belongs = |model: &Home, clip: &str| model.kinship(&home(clip, "")).belongs(WHOLE);
    for clip in ["/a/model/walk.bck", "/a/anm/walk.bck", "/a/model/motion/walk.bck"] {
        assert!(belongs(&alone, clip) && !belongs(&among, clip), "{clip}");
    }
    for clip in ["/a/model/arm_walk.bck", "/a/anm/arm_walk.bck", "/a/arm_walk.bck"] {
        assert!(belongs(&alone, clip) && belongs(&among, clip), "{clip}");
    }
    // One folder above, and elsewhere, a name must say so.
    assert!(!belongs(&alone, "/a/walk.bck") && !belongs(&alone, "/a/other/walk.bck"));
    assert!(!belongs(&among, "/a/model/boss_walk.bck"));
    // Where clips are called after the model, those that are not are others'.
    let naming = home("/a/model/arm.bmd", "")
        .among(Among::of_names(["arm.bmd".to_owned()].into_iter()).with_clips(["arm_run", "walk"].into_iter()));
    assert!(!belongs(&naming, "/a/model/walk.bck") && belongs(&naming, "/a/anm/walk.bck"));
    assert_eq!(
        naming.kinship(&home("/a/model/walk.bck", "")).reason(&joints(3, 3)),
        "same folder, 3 of 3 joints match, other clips at this location are named after their models"
    );
    assert_eq!(
        alone.kinship(&home("/a/anm/walk.bck", "")).reason(&joints(3, 3)),
        "animation folder “anm”, 3 of 3 joints match, only model at this location"
    );
    let short = alone.kinship(&home("/a/arm_walk.bck", "")).reason(&joints(2, 3));
    assert_eq!(short, "parent folder, 2 of 3 joints match, name begins with “arm”; the others keep their bind pose");
}

#[test]
fn models_of_an_archive_have_no_clips_of_each_other() {
    let among = ["barrel.bmd", "fish_a.bmd", "fish_b.bmd", "kuribo.bmd"];
    let clip = |path: &str| home("/game/scene.arc", path);
    let barrel = model("/game/scene.arc", "barrel/barrel.bmd", &among);
    let of = |model: &Home, path: &str| model.kinship(&clip(path));
    // The camera's clip has one joint, as the barrel has.
    assert!(!of(&barrel, "camera/start.bck").belongs(WHOLE), "another folder");
    assert_eq!(
        of(&barrel, "camera/start.bck").reason(&joints(1, 1)),
        "different folder in the archive, 1 of 1 joints match"
    );
    assert!(!of(&barrel, "barrel/start.bck").belongs(FEW), "so few joints are chance");
    assert!(of(&barrel, "barrel/bck/barrel_roll.bck").belongs(FEW) && of(&barrel, "anm/barrel_roll.bck").belongs(FEW));
    // As many joints as no other model has are no chance, and as many as another has are.
    let kuribo = model("/game/scene.arc", "enemy/bmd/kuribo.bmd", &among);
    assert!(of(&kuribo, "enemy/bck/walk.bck").belongs(WHOLE) && !of(&kuribo, "fish/bck/swim.bck").belongs(WHOLE));
    let fish = model("/game/scene.arc", "fish/bmd/fish_a.bmd", &among).with_twin(true);
    assert!(!of(&fish, "fish/bck/swim.bck").belongs(WHOLE) && !of(&fish, "fish/bck/fish_b_swim.bck").belongs(WHOLE));
    assert!(of(&fish, "fish/bck/fish_a_swim.bck").belongs(WHOLE));
    // Materials speak by their names, where the clip lies near.
    let eyes = Found::Parts { plays: true, whole: true, tells: true };
    assert!(of(&kuribo, "enemy/btp/eyes.btp").belongs(eyes) && !of(&kuribo, "fish/btp/eyes.btp").belongs(eyes));
}

#[test]
fn a_clip_of_the_models_name_belongs_though_it_moves_fewer_joints() {
    let saucer = model("/a/ufo.bmd", "", &["ufo.bmd", "cow.bmd"]);
    let of = |clip: &str| saucer.kinship(&home(clip, ""));
    assert!(of("/a/ufo.bck").belongs(HALF) && !of("/a/ufo_land.bck").belongs(HALF));
    assert!(!of("/a/ufo.bck").belongs(Found::Parts { plays: false, whole: false, tells: false }));
}

#[test]
fn bones_of_the_same_names_are_no_evidence() {
    let some = Found::Names { plays: true, same_skeleton: false };
    let same = Found::Names { plays: true, same_skeleton: true };
    let few = Found::Names { plays: false, same_skeleton: false };
    let arm = model("/a/arm.psk", "", &["arm.psk", "leg.psk"]);
    let of = |model: &Home, clip: &str, path: &str| model.kinship(&home(clip, path));
    assert!(!of(&arm, "/a/moves.psa", "").belongs(some), "most bones, and two models that it can be of");
    assert!(of(&arm, "/a/moves.psa", "").belongs(same) && of(&arm, "/a/arm_moves.psa", "").belongs(some));
    assert!(!of(&arm, "/a/arm_moves.psa", "").belongs(few));
    assert!(!of(&arm, "/a/leg_moves.psa", "").belongs(same), "it is called after another model");
    let alone = model("/a/arm.psk", "", &["arm.psk"]);
    assert!(of(&alone, "/a/moves.psa", "").belongs(some));
    assert!(!of(&arm, "/b/moves.psa", "").belongs(same), "many skeletons have the same names");
    assert!(!of(&arm, "/b/arm_moves.psa", "").belongs(same), "it may be another game's");
    assert!(
        of(&arm, "/a/Moves.ukx", "Anims/Moves").belongs(same) && !of(&arm, "/a/Moves.ukx", "Anims/Moves").belongs(some)
    );
}

/// Thirty clips lie beside two models of a school, all on bones of the same names: one is the first model's, none the second's.
#[test]
fn the_clips_of_others_in_one_folder_are_not_a_models_own() {
    let models = ["skbasilisk_fawkesmesh.psk", "skdracomesh.psk", "skmoaningmyrtlemesh.psk"];
    let clips = ["skbasilisk_fawkesanims.psa", "skmoaningmyrtleanims.psa", "skmrsnorrisanims.psa", "skcatanims.psa"];
    let same = Found::Names { plays: true, same_skeleton: true };
    let some = Found::Names { plays: true, same_skeleton: false };
    let of = |model_name: &str, found: Found| -> Vec<&str> {
        let stems = clips.iter().map(|clip| clip.strip_suffix(".psa").unwrap());
        let among = Among::of_names(models.iter().map(|name| (*name).to_owned()));
        let model = home(&format!("/game/{model_name}"), "").among(among.with_clips(stems));
        let belongs = |clip: &&&str| model.kinship(&home(&format!("/game/{clip}"), "")).belongs(found);
        clips.iter().filter(belongs).copied().collect()
    };
    assert_eq!(of("skbasilisk_fawkesmesh.psk", same), ["skbasilisk_fawkesanims.psa"]);
    assert_eq!(of("skbasilisk_fawkesmesh.psk", some), ["skbasilisk_fawkesanims.psa"]);
    assert_eq!(of("skdracomesh.psk", same), [""; 0]);
}

#[test]
fn tracks_by_number_need_a_name_or_the_same_file() {
    let tracks = Found::Tracks { plays: true, tells: true };
    let few = Found::Tracks { plays: true, tells: false };
    let hero = model("/a/hero.model", "", &["hero.model"]);
    assert!(hero.kinship(&home("/a/hero.anm", "")).belongs(few));
    assert!(!hero.kinship(&home("/a/wolf.anm", "")).belongs(tracks));
    let packed = model("/a/all.models", "hero", &["hero", "wolf"]);
    assert!(packed.kinship(&home("/a/all.models", "bank 1")).belongs(tracks));
    assert!(!packed.kinship(&home("/a/all.models", "bank 1")).belongs(few), "three tracks fit any model");
    assert!(!packed.kinship(&home("/a/all.models", "wolf")).belongs(tracks));
}

#[test]
fn what_is_not_known_needs_a_name_or_the_only_model() {
    let belongs = |among: &[&str], clip: &str| {
        model("/a/x.arc", "bmd/arm.bmd", among).kinship(&home("/a/x.arc", clip)).belongs(Found::Unknown)
    };
    assert!(belongs(&["arm.bmd"], "btk/eyes.btk") && belongs(&["arm.bmd", "leg.bmd"], "btk/arm.btk"));
    assert!(!belongs(&["arm.bmd", "leg.bmd"], "btk/eyes.btk"));
}

#[test]
fn folders_of_animations_beside_or_above_a_model_are_near() {
    let model = home("/games/isle/model/body/arm.bmd", "");
    let near = |model: &Home, clip: &Home| model.kinship(clip).nearness;
    let folder = |name: &str| Nearness::AnimationFolder(name.to_owned());
    for (clip, expected) in [
        ("/games/isle/model/body/x.bck", Nearness::Folder),
        ("/games/isle/model/body/motion/x.bck", folder("motion")),
        ("/games/isle/model/anm/x.bck", folder("anm")),
        ("/games/isle/Anims/x.bck", folder("anims")),
        ("/games/isle/model/x.bck", Nearness::Above),
        ("/games/anm/x.bck", Nearness::Elsewhere),
        ("/games/isle/x.bck", Nearness::Elsewhere),
        ("/games/isle/other/x.bck", Nearness::Elsewhere),
        ("/games/isle/model/body/anm/deep/x.bck", Nearness::Elsewhere),
    ] {
        assert_eq!(near(&model, &home(clip, "")), expected, "{clip}");
    }
    let of_other_family = Home { family: "other", ..home("/games/isle/model/body/x.bck", "") };
    assert_eq!(near(&model, &of_other_family), Nearness::Elsewhere);
    let with_companions = Home { companions: &["bck"], ..model.clone() };
    let beside = home("/games/isle/model/bck/x.bck", "");
    assert_eq!((near(&with_companions, &beside), near(&model, &beside)), (folder("bck"), Nearness::Elsewhere));
    // Archives beside each other are of one model where they have one name.
    let packed = home("/a/Link.arc", "bmd/link.bmd");
    for (clip, expected) in [
        (home("/a/Link.arc", "bck/x.bck"), Nearness::SameFile),
        (home("/a/Link.arc", "other/x.bck"), Nearness::OtherFolder),
        (home("/a/link.szs", "x.bck"), Nearness::NamedArchive),
        (home("/a/Zora.arc", "bck/x.bck"), Nearness::OtherArchive),
        (home("/a/x.bck", ""), Nearness::OtherArchive),
        (home("/b/link.szs", "x.bck"), Nearness::Elsewhere),
    ] {
        assert_eq!(near(&packed, &clip), expected, "{clip:?}");
    }
    assert_eq!(near(&home("/a/boss.bmd", ""), &home("/a/boss.arc", "walk.bck")), Nearness::NamedArchive);
}

#[test]
fn files_with_companions_are_no_archives_and_are_called_as_on_the_disk() {
    let format = |id: &str| FORMATS.iter().map(|format| format.info()).find(|info| info.id == id);
    let psk = Home::of_path("/a/Ossie.psk", "Skin", format("psk"));
    let psa = Home::of_path("/a/Ossie_moves.psa", "ANIMINFO/Walk", format("psa"));
    assert!(!psk.is_in_archive() && !psa.is_in_archive());
    let kinship = psk.kinship(&psa);
    assert_eq!((kinship.nearness.clone(), &*kinship.common_start), (Nearness::Folder, "ossie"));
    assert!(Home::of_path("/a/Link.arc", "bmd/link.bmd", format("rarc")).is_in_archive());
    assert_eq!(model_extensions(format("bmd").unwrap()), ["bdl", "bmd"]);
    assert_eq!(model_extensions(format("psk").unwrap()), ["psk", "pskx"]);
}

#[test]
fn models_beside_one_are_found_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["Arm.bmd", "arm.bdl", "boss.BMD", "walk.bck", "x.psk"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let bmd = FORMATS.iter().map(|format| format.info()).find(|info| info.id == "bmd").unwrap();
    let among = models_in_folder(&folder.path().join("Arm.bmd"), bmd);
    assert_eq!((&*among.stems, among.count), (&["arm", "arm", "boss"].map(str::to_owned)[..], 3));
    // They are found once for a listing and a format.
    let again = models_in_folder(&folder.path().join("boss.BMD"), bmd);
    assert!(Arc::ptr_eq(&among.stems, &again.stems));
    let psk = FORMATS.iter().map(|format| format.info()).find(|info| info.id == "psk").unwrap();
    assert_eq!(&*models_in_folder(&folder.path().join("x.psk"), psk).stems, &["x".to_owned()][..]);
}
