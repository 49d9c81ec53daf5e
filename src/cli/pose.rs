//! `pose`: a model at a moment in numbers, in the file's own space; or what a clip alone drives.

use super::{
    ClipName, Failure, RootConjugateSwitch, Switches,
    joints::{self, ClipPose, MaterialPose, MorphWeight, ShapePose, tidy},
    output::{counted, plain, print_json, say, stdout},
    posing::{ClockArgs, MomentArgs, NamedClip, named_clip, open_clip, player_of, seek},
    selection::{fitting_entry, full_name, load_model, open},
};
use crate::{
    formats::{Content, Entry},
    library::OpenFile,
    scene::{
        FileAxes, Frame, JointIndex, Model, PoseOptions, SineTable,
        skinning::{cofactor, rows, skinned_point_normals, skinned_points},
    },
};
use glam::{Affine3A, Vec3, Vec3A};
use serde::{Serialize, Serializer};
use std::{io::Write as _, path::PathBuf, process::ExitCode};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// File with the model to pose, or with the clip whose values are printed
    pub file: PathBuf,
    /// Entry path or #N id, as printed by `list`. Default: the file's main model or clip
    pub entry: Option<String>,
    /// Clip to play. Clips with different targets can be combined
    #[arg(long = "clip", value_name = "FILE[::ENTRY]", value_parser = ClipName::parse)]
    pub clips: Vec<ClipName>,
    #[command(flatten)]
    pub moment: MomentArgs,
    #[command(flatten)]
    pub clock: ClockArgs,
    /// Use the games' rounding: 16-bit angles and integer colours (J3D), integer points (SKN skins). Has no effect on ActorX
    #[arg(long)]
    pub game_exact: bool,
    /// With --game-exact: size of the game's sine table for J3D joints: 2048 (Pikmin 2), 4096 (Wind Waker, Sunshine), 8192 (Twilight
    /// Princess), 16384 (Galaxy)
    #[arg(long, value_name = "ENTRIES", requires = "game_exact", value_parser = sine_table)]
    pub sines: Option<SineTable>,
    /// Print one JSON document instead of a table
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub switches: Switches,
}

fn sine_table(text: &str) -> Result<SineTable, String> {
    let table = text.parse().ok().and_then(SineTable::of_entries);
    table.ok_or_else(|| {
        let lens: Vec<String> = SineTable::ALL.iter().map(|table| table.entries().to_string()).collect();
        format!("expected one of {}", lens.join(", "))
    })
}

pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let file = open(&args.file)?;
    let options = PoseOptions { game_exact: args.game_exact, sines: args.sines, ..args.switches.pose_options() };
    match target(&file, args)? {
        Target::Clip(entry) => {
            // Keys are printed as stored: nothing decides here which of the joints is the root.
            let switches = Switches { root_conjugate: RootConjugateSwitch::Auto, ..args.switches };
            let named = named_clip(&file, entry, &switches)?;
            let pose = ClipPose::of(named, args.moment.moment(), args.clock, options);
            if args.json { print_json(&pose)? } else { joints::print(&pose)? }
        }
        Target::Model(entry) => {
            let model = load_model(&file, entry, args.switches.load_options())?;
            let clips: Vec<NamedClip> =
                args.clips.iter().map(|c| open_clip(c, &args.switches)).collect::<Result<_, _>>()?;
            if clips.is_empty() && args.moment.is_given() {
                say("note: without a clip, --frame and --time have no effect (--clip selects one)");
            }
            let mut player = player_of(&model, &clips, &args.switches, args.clock)?;
            player.options = options;
            seek(&mut player, args.moment.moment());
            let mut frame = Frame::default();
            player.evaluate(&model, &mut frame);
            let names = clips.into_iter().map(|c| c.name).collect();
            let pose = ModelPose::of(full_name(&file, entry), names, player.frame(), &model, (&frame, options));
            if args.json { print_json(&pose)? } else { pose.print(&frame)? }
        }
    }
    Ok(ExitCode::SUCCESS)
}

enum Target<'a> {
    Model(&'a Entry),
    Clip(&'a Entry),
}

/// Returns the model or clip to print. Default without `--clip`: the file's main model or clip. In an animation file with its own skeleton,
/// the clips take precedence.
fn target<'a>(file: &'a OpenFile, args: &Args) -> Result<Target<'a>, Failure> {
    if !args.clips.is_empty() {
        let entry = fitting_entry(file, args.entry.as_deref(), &[Content::Model], "model")?;
        return Ok(Target::Model(entry));
    }
    let entry = fitting_entry(file, args.entry.as_deref(), &[Content::Model, Content::Clip], "model or clip")?;
    Ok(if entry.content == Content::Clip { Target::Clip(entry) } else { Target::Model(entry) })
}

/// 3×4 matrix, row by row, for column vectors.
#[derive(Serialize)]
struct Rows([f32; 12]);

#[derive(Serialize)]
struct ModelPose<'a> {
    model: String,
    clips: Vec<String>,
    frame: f32,
    /// Transform from the space of the scene, which exports use, to the space of the values below.
    file_from_scene: Rows,
    bones: Vec<Bone<'a>>,
    points: Points,
    normals: Points,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    draw_matrices: Vec<Rows>,
    materials: Vec<MaterialPose>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shapes: Vec<ShapePose>,
    morphs: Vec<MorphWeight<'a>>,
}

#[derive(Serialize)]
struct Bone<'a> {
    name: &'a str,
    parent: i64,
    local: Rows,
    world: Rows,
}

struct Points(Vec<Vec3>);

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|p| tidy(p.to_array())))
    }
}

/// Returns points and normals in file space. For a model that the game skins on the CPU, returns only the slots of its skin, with
/// `game_exact` as integers like in the game (formats/charpipe.md §6).
fn points(model: &Model, frame: &Frame, options: PoseOptions) -> (Vec<Vec3>, Vec<Vec3>) {
    let slots = || model.meshes.iter().filter_map(|mesh| Some((mesh, mesh.fixed_skin.as_deref()?)));
    if options.game_exact && slots().next().is_some() {
        let computed = slots().flat_map(|(_, skin)| match &model.skeleton {
            Some(skeleton) => skin.at(skeleton, frame),
            None => skin.stored.clone(),
        });
        let halves = computed.map(|slot| slot.map(f32::from)).map(|[x, y, z, nx, ny, nz]| ([x, y, z], [nx, ny, nz]));
        return halves.map(|(point, normal)| (Vec3::from(point), Vec3::from(normal))).unzip();
    }
    let file_from_scene = model.file_from_scene;
    let has_slots = slots().next().is_some();
    let meshes = || model.meshes.iter().filter(|mesh| mesh.fixed_skin.is_some() || !has_slots);
    let points = meshes().flat_map(|mesh| skinned_points(model, mesh, frame));
    let normals = meshes().flat_map(|mesh| skinned_point_normals(model, mesh, frame));
    let turn = cofactor(&file_from_scene.matrix3);
    let turned = |normal: Vec3| -> Vec3 {
        let turned = turn * Vec3A::from(normal);
        // As they come out of the sum, which is what such files mean.
        if has_slots { turned.into() } else { turned.normalize_or_zero().into() }
    };
    (points.map(|p| file_from_scene.transform_point3(p)).collect(), normals.map(turned).collect())
}

impl<'a> ModelPose<'a> {
    fn of(
        name: String,
        clips: Vec<String>,
        frame_number: f32,
        model: &'a Model,
        (frame, options): (&Frame, PoseOptions),
    ) -> Self {
        let axes = FileAxes(model.file_from_scene);
        // A change of axes: exact, because its matrix holds nothing but 0, 1 and −1.
        let in_file = |matrix: Affine3A| Rows(tidy(rows(&axes.matrix(matrix))));
        let blends = model.skeleton.as_ref().is_some_and(|s| !s.draw_matrices.is_empty());
        let drawn_with = if blends { frame.world_from_bind.as_slice() } else { &[] };
        let joints = model.skeleton.iter().flat_map(|s| s.joints());
        let matrices = (0..).map_while(|joint| frame.local(JointIndex(joint))).zip(&frame.world_from_joint);
        let bones = joints.zip(matrices).map(|(joint, (local, world))| Bone {
            name: &joint.name,
            parent: joint.parent.map_or(-1, i64::from),
            local: in_file(local),
            world: in_file(*world),
        });
        let (points, normals) = points(model, frame, options);
        let morphs = model.morph_names().into_iter().zip(&frame.morph_weights);
        Self {
            model: name,
            clips,
            frame: frame_number,
            file_from_scene: Rows(tidy(rows(&model.file_from_scene))),
            bones: bones.collect(),
            points: Points(points),
            normals: Points(normals),
            draw_matrices: drawn_with.iter().map(|m| in_file(*m)).collect(),
            materials: joints::materials(model, frame),
            shapes: joints::shapes(model, frame),
            morphs: morphs.map(|(name, weight)| MorphWeight { name, weight: weight + 0.0 }).collect(),
        }
    }

    fn print(&self, frame: &Frame) -> Result<(), Failure> {
        let mut out = stdout();
        writeln!(out, "model  {}", plain(&self.model))?;
        for clip in &self.clips {
            writeln!(out, "clip   {}", plain(clip))?;
        }
        writeln!(out, "frame  {}", self.frame)?;
        writeln!(
            out,
            "{}, {} (--json prints all values)",
            counted(self.points.0.len(), "point"),
            counted(frame.locals.len(), "bone")
        )?;
        if !self.bones.is_empty() {
            let width = self.bones.iter().map(|b| plain(b.name).chars().count()).max().unwrap_or(0).max(4);
            writeln!(out, "{:>5} {:<width$} {:>6} {:>14} {:>14} {:>14}", "BONE", "NAME", "PARENT", "X", "Y", "Z")?;
            for (index, bone) in self.bones.iter().enumerate() {
                let Rows([_, _, _, x, _, _, _, y, _, _, _, z]) = bone.world;
                // What rounds to zero has no sign.
                let [x, y, z] = [x, y, z].map(|v| if v.abs() < 5e-6 { 0.0 } else { v });
                let (name, parent) = (plain(bone.name), bone.parent);
                writeln!(out, "{index:>5} {name:<width$} {parent:>6} {x:>14.5} {y:>14.5} {z:>14.5}")?;
            }
        }
        for shape in self.shapes.iter().filter(|s| !s.visible) {
            writeln!(out, "shape {} is hidden", shape.index)?;
        }
        for morph in &self.morphs {
            writeln!(out, "morph {} = {}", plain(morph.name), morph.weight)?;
        }
        Ok(out.flush()?)
    }
}
