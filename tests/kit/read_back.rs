//! Reads GLB files back and poses them, independently of the writer: a small glTF player over the `gltf` crate.

use bonebox::scene::{Frame, Mesh, Model, skinning::skinned_points};
use glam::{Mat4, Quat, Vec3, Vec4};
use gltf::animation::{Interpolation, util::ReadOutputs};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    process::Command,
};

/// A file that was read back.
pub struct ReadBack {
    pub document: gltf::Document,
    pub blob: Vec<u8>,
    /// All of the JSON.
    pub json: serde_json::Value,
}

/// Translation, rotation, scale.
type Local = (Vec3, Quat, Vec3);

/// A mesh node at one moment, in the vertex order of its first primitive.
pub struct PosedMesh {
    pub positions: Vec<Vec3>,
}

impl ReadBack {
    pub fn new(bytes: &[u8]) -> Self {
        let (json, without_pointers) = apart(bytes);
        let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(&without_pointers).expect("a GLB file");
        Self { document, blob: blob.unwrap_or_default(), json }
    }

    /// The numbers of an accessor of floats, an element after the other.
    pub fn floats(&self, accessor: usize) -> Vec<Vec<f32>> {
        let accessor = self.document.accessors().nth(accessor).expect("the accessor");
        let view = accessor.view().expect("its view");
        let start = view.offset() + accessor.offset();
        let width = accessor.dimensions().multiplicity();
        let numbers = self.blob[start..start + accessor.count() * width * 4].chunks_exact(4);
        let numbers: Vec<f32> = numbers.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
        numbers.chunks_exact(width).map(<[f32]>::to_vec).collect()
    }

    /// Every part lies inside of what holds it: views in the buffer, accessors in their views, indices among the vertices,
    /// influences among the joints. As many of everything as of what it goes with; numbers are finite, times rise.
    #[track_caller]
    pub fn assert_sound(&self) {
        for view in self.document.views() {
            assert!(
                view.offset() + view.length() <= self.blob.len(),
                "view {} of {} bytes",
                view.index(),
                self.blob.len()
            );
        }
        for accessor in self.document.accessors() {
            let Some(view) = accessor.view() else {
                assert!(accessor.sparse().is_some(), "accessor {} has no numbers", accessor.index());
                continue;
            };
            let stride = view.stride().unwrap_or(accessor.size());
            let end = accessor.offset() + stride * accessor.count().saturating_sub(1) + accessor.size();
            assert!(accessor.count() > 0 && end <= view.length(), "accessor {} ends at {end}", accessor.index());
        }
        for mesh in self.document.meshes() {
            let targets: Vec<usize> = mesh.primitives().map(|p| p.morph_targets().count()).collect();
            let weights = mesh.weights().map_or(0, <[f32]>::len);
            assert!(targets.iter().all(|count| *count == weights), "{targets:?} targets, {weights} weights");
            mesh.primitives().for_each(|primitive| self.assert_primitive_sound(&primitive));
        }
        for node in self.document.nodes() {
            let (Some(mesh), Some(skin)) = (node.mesh(), node.skin()) else { continue };
            let joints = skin.joints().count();
            let matrices = skin.reader(|_| Some(&self.blob)).read_inverse_bind_matrices().expect("matrices");
            assert_eq!(matrices.count(), joints, "inverse bind matrices");
            for primitive in mesh.primitives() {
                let reader = primitive.reader(|_| Some(&self.blob));
                let influences =
                    (0..).map_while(|set| reader.read_joints(set)).flat_map(|set| set.into_u16().flatten());
                assert!(
                    { influences }.all(|joint| usize::from(joint) < joints),
                    "an influence of none of {joints} joints"
                );
            }
        }
        for channel in self.document.animations().flat_map(|a| a.channels().collect::<Vec<_>>()) {
            let times: Vec<f32> = channel.reader(|_| Some(&self.blob)).read_inputs().expect("times").collect();
            let rise = times.windows(2).all(|pair| pair[0] < pair[1]);
            assert!(rise && times[0] >= 0.0 && times.iter().all(|t| t.is_finite()), "{times:?}");
        }
    }

    #[track_caller]
    fn assert_primitive_sound(&self, primitive: &gltf::Primitive<'_>) {
        let counts: Vec<usize> = primitive.attributes().map(|(_, accessor)| accessor.count()).collect();
        let reader = primitive.reader(|_| Some(&self.blob));
        let positions: Vec<Vec3> = reader.read_positions().expect("positions").map(Vec3::from).collect();
        let vertices = positions.len();
        assert!(counts.iter().all(|count| *count == vertices), "attributes of {counts:?} for {vertices} vertices");
        assert!(positions.iter().all(|position| position.is_finite()), "{positions:?}");
        if let Some(indices) = reader.read_indices() {
            let indices: Vec<u32> = indices.into_u32().collect();
            assert_eq!(indices.len() % 3, 0, "corners");
            assert!(
                indices.iter().all(|index| (*index as usize) < vertices),
                "an index of none of {vertices} vertices"
            );
        }
        for target in primitive.morph_targets() {
            let count = target.positions().map(|deltas| deltas.count());
            assert!(count.is_none_or(|count| count == vertices), "{count:?} deltas of {vertices} vertices");
        }
    }

    /// Every mesh node at a time of an animation (bind pose without one), in node order.
    pub fn pose(&self, animation: Option<(usize, f32)>) -> Vec<PosedMesh> {
        let (locals, weights) = self.animated(animation);
        let world = self.world(&locals);
        self.document
            .nodes()
            .filter_map(|node| Some((node.clone(), node.mesh()?)))
            .map(|(node, mesh)| self.posed_mesh(&node, &mesh, &world, weights.get(&node.index())))
            .collect()
    }

    /// The largest distance of a vertex from where the scene has it.
    #[track_caller]
    pub fn distance(&self, model: &Model, frame: &Frame, animation: Option<(usize, f32)>) -> f32 {
        let posed = self.pose(animation);
        let drawn: Vec<&Mesh> = model.meshes.iter().filter(|mesh| !mesh.indices.is_empty()).collect();
        assert_eq!(posed.len(), drawn.len(), "meshes");
        let mut largest = 0.0_f32;
        for (mesh, posed) in drawn.into_iter().zip(&posed) {
            let points = skinned_points(model, mesh, frame);
            // Vertices of divided triangles come after the mesh's own.
            assert!(posed.positions.len() >= mesh.vertex_points.len(), "{}", mesh.name);
            for (position, point) in posed.positions.iter().zip(&mesh.vertex_points) {
                let distance = position.distance(points[*point as usize]);
                assert!(distance.is_finite(), "{}: {position}", mesh.name);
                largest = largest.max(distance);
            }
        }
        largest
    }

    /// World matrices of all nodes.
    pub fn world_at(&self, animation: Option<(usize, f32)>) -> Vec<Mat4> {
        self.world(&self.animated(animation).0)
    }

    /// The transform of each node, and the weights of those that have morph targets.
    fn animated(&self, animation: Option<(usize, f32)>) -> (Vec<Local>, HashMap<usize, Vec<f32>>) {
        let mut locals: Vec<Local> = self
            .document
            .nodes()
            .map(|n| {
                let (t, r, s) = n.transform().decomposed();
                (t.into(), Quat::from_array(r), s.into())
            })
            .collect();
        let mut weights = HashMap::new();
        let Some((index, time)) = animation else { return (locals, weights) };
        let animation = self.document.animations().nth(index).expect("the animation");
        for channel in animation.channels() {
            let node = channel.target().node().index();
            let reader = channel.reader(|_| Some(&self.blob));
            let times: Vec<f32> = reader.read_inputs().unwrap().collect();
            let (from, to, blend) = span(&times, time);
            let interpolation = channel.sampler().interpolation();
            let blend = if interpolation == Interpolation::Step { 0.0 } else { blend };
            let is_cubic = interpolation == Interpolation::CubicSpline;
            let keys = if is_cubic { times.len() * 3 } else { times.len() };
            let cubic = |values: &[Vec4]| cubic_spline(values, [from, to], times[to] - times[from], blend);
            match reader.read_outputs().unwrap() {
                ReadOutputs::Translations(values) => {
                    let values: Vec<Vec3> = values.map(Vec3::from).collect();
                    assert_eq!(values.len(), keys);
                    locals[node].0 = if is_cubic {
                        cubic(&values.iter().map(|v| v.extend(0.0)).collect::<Vec<_>>()).truncate()
                    } else {
                        values[from].lerp(values[to], blend)
                    };
                }
                ReadOutputs::Rotations(values) => {
                    let values: Vec<Quat> = values.into_f32().map(Quat::from_array).collect();
                    assert_eq!(values.len(), keys);
                    locals[node].1 = if is_cubic {
                        let values: Vec<Vec4> = values.iter().map(|v| Vec4::from(*v)).collect();
                        Quat::from_vec4(cubic(&values).normalize_or(Vec4::W))
                    } else {
                        values[from].slerp(values[to], blend)
                    };
                }
                ReadOutputs::Scales(values) => {
                    let values: Vec<Vec3> = values.map(Vec3::from).collect();
                    assert_eq!(values.len(), keys);
                    locals[node].2 = if is_cubic {
                        cubic(&values.iter().map(|v| v.extend(0.0)).collect::<Vec<_>>()).truncate()
                    } else {
                        values[from].lerp(values[to], blend)
                    };
                }
                ReadOutputs::MorphTargetWeights(values) => {
                    let values: Vec<f32> = values.into_f32().collect();
                    let count = values.len() / times.len();
                    let at = |key: usize| &values[key * count..(key + 1) * count];
                    let mixed = at(from).iter().zip(at(to)).map(|(a, b)| a + (b - a) * blend).collect();
                    weights.insert(node, mixed);
                }
            }
        }
        (locals, weights)
    }

    fn world(&self, locals: &[Local]) -> Vec<Mat4> {
        let mut world = vec![Mat4::IDENTITY; locals.len()];
        let scene = self.document.default_scene().expect("a scene");
        let mut stack: Vec<(gltf::Node<'_>, Mat4)> = scene.nodes().map(|n| (n, Mat4::IDENTITY)).collect();
        while let Some((node, parent)) = stack.pop() {
            let (t, r, s) = locals[node.index()];
            let matrix = parent * Mat4::from_scale_rotation_translation(s, r, t);
            world[node.index()] = matrix;
            stack.extend(node.children().map(|c| (c, matrix)));
        }
        world
    }

    fn posed_mesh(
        &self,
        node: &gltf::Node<'_>,
        mesh: &gltf::Mesh<'_>,
        world: &[Mat4],
        weights: Option<&Vec<f32>>,
    ) -> PosedMesh {
        let primitive = mesh.primitives().next().expect("a primitive");
        let reader = primitive.reader(|_| Some(&self.blob));
        let mut positions: Vec<Vec3> = reader.read_positions().unwrap().map(Vec3::from).collect();
        let default = mesh.weights().unwrap_or_default().to_vec();
        let weights = weights.unwrap_or(&default);
        for ((deltas, _, _), weight) in reader.read_morph_targets().zip(weights) {
            for (position, delta) in positions.iter_mut().zip(deltas.expect("position deltas")) {
                *position += Vec3::from(delta) * *weight;
            }
        }
        let Some(skin) = node.skin() else {
            let matrix = world[node.index()];
            return PosedMesh { positions: positions.iter().map(|p| matrix.transform_point3(*p)).collect() };
        };
        let inverse: Vec<Mat4> = skin
            .reader(|_| Some(&self.blob))
            .read_inverse_bind_matrices()
            .unwrap()
            .map(|m| Mat4::from_cols_array_2d(&m))
            .collect();
        let matrices: Vec<Mat4> = skin.joints().zip(&inverse).map(|(j, i)| world[j.index()] * *i).collect();
        let mut sums = vec![Vec4::ZERO; positions.len()];
        let mut set = 0;
        while let (Some(joints), Some(weights)) = (reader.read_joints(set), reader.read_weights(set)) {
            for (((sum, position), joints), weights) in
                sums.iter_mut().zip(&positions).zip(joints.into_u16()).zip(weights.into_f32())
            {
                for (joint, weight) in joints.into_iter().zip(weights) {
                    *sum += matrices[usize::from(joint)] * position.extend(1.0) * weight;
                }
            }
            set += 1;
        }
        assert!(set > 0, "a skinned mesh has influences");
        PosedMesh { positions: sums.iter().map(|s| s.truncate()).collect() }
    }
}

/// Of slope, value and slope for each key, between two of them (glTF 2.0, appendix C.5).
fn cubic_spline(values: &[Vec4], [from, to]: [usize; 2], seconds: f32, t: f32) -> Vec4 {
    let (left, out) = (values[from * 3 + 1], values[from * 3 + 2] * seconds);
    let (right, into) = (values[to * 3 + 1], values[to * 3] * seconds);
    let (t2, t3) = (t * t, t * t * t);
    left * (2.0 * t3 - 3.0 * t2 + 1.0) + out * (t3 - 2.0 * t2 + t) + right * (3.0 * t2 - 2.0 * t3) + into * (t3 - t2)
}

fn span(times: &[f32], time: f32) -> (usize, usize, f32) {
    let after = times.partition_point(|t| *t <= time);
    if after == 0 {
        return (0, 0, 0.0);
    }
    if after == times.len() {
        return (after - 1, after - 1, 0.0);
    }
    (after - 1, after, (time - times[after - 1]) / (times[after] - times[after - 1]))
}

/// Runs the Khronos validator over files: no error and no warning may be in any. Where it is not installed the test says so;
/// with `REQUIRE_GLTF_VALIDATOR=1` it fails.
#[track_caller]
pub fn khronos_validate(files: &[PathBuf]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/gltf-validator");
    let node = || Command::new("node").arg("--version").output().is_ok_and(|o| o.status.success());
    if !folder.join("node_modules/gltf-validator").is_dir() || !node() {
        assert!(!super::required("REQUIRE_GLTF_VALIDATOR"), "scripts/gltf-validator/install was not run");
        super::skipped("the glTF validator is not installed (scripts/gltf-validator/install)");
        return;
    }
    let output = Command::new("node").arg(folder.join("validate.mjs")).args(files).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    for file in files {
        assert!(text.contains(&format!("{}: 0 errors, 0 warnings", file.display())), "{text}");
    }
}

/// The JSON of a file, and the file without what the reader does not know: channels that point to something other than a node, and
/// extensions that are required.
fn apart(bytes: &[u8]) -> (serde_json::Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = 20 + word(12);
    let json: serde_json::Value = serde_json::from_slice(&bytes[20..end]).expect("JSON");
    let is_pointer = |channel: &serde_json::Value| channel["target"]["path"] == "pointer";
    let mut plain = json.clone();
    let mut any = plain.as_object_mut().and_then(|root| root.remove("extensionsRequired")).is_some();
    if let Some(animations) = plain.get_mut("animations").and_then(|animations| animations.as_array_mut()) {
        for animation in animations.iter_mut() {
            let channels = animation["channels"].as_array_mut().expect("channels");
            any |= channels.iter().any(is_pointer);
            channels.retain(|channel| !is_pointer(channel));
        }
    }
    if !any {
        return (json, bytes.to_vec());
    }
    let mut text = serde_json::to_vec(&plain).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut file = bytes[..8].to_vec();
    file.extend(((20 + text.len() + bytes.len() - end) as u32).to_le_bytes());
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(&bytes[16..20]);
    file.extend(text);
    file.extend(&bytes[end..]);
    (json, file)
}
