//! What pictures of landscapes show, held against values worked out by hand.

use crate::kit::{
    Noise,
    device::{context, count, differing, image, material, near, pixel},
    island::*,
};
use bonebox::{
    gpu::{Background, GpuContext, GpuError, GpuTerrain, RenderTarget, SceneRenderer, ViewSettings, kind_color},
    scene::{
        Aabb, BasicMaterial, HeightGrid, Image, Mesh, Model, PropBody, PropClass, PropColors, PropLevel, PropMarker,
        Surface, Terrain, TerrainPicture, TerrainView, TerrainZone,
        camera::{OrbitCamera, ViewDirection},
    },
};
use glam::{Vec2, Vec3};
use std::sync::Arc;

const SIDE: u32 = 256;
/// No ground is like it.
const PINK: [u8; 4] = [255, 0, 255, 255];

/// Orthographic: the picture is `span` metres high, with `focus` in its middle.
fn flat_view(focus: Vec3, span: f32, direction: ViewDirection) -> ViewSettings {
    let mut camera = OrbitCamera { focus, orthographic: true, extent: span, ..OrbitCamera::default() };
    camera.look_from(direction);
    camera.distance = span * 0.5 / (camera.fov_y * 0.5).tan();
    view(camera)
}

fn view(camera: OrbitCamera) -> ViewSettings {
    let background = Background::Color([255, 0, 255]);
    ViewSettings { camera, background, grid: false, shadow: false, ..ViewSettings::default() }
}

/// The ground alone.
fn bare() -> TerrainView {
    TerrainView { contours: false, water: false, ..TerrainView::default() }
}

struct Studio {
    context: Arc<GpuContext>,
    renderer: SceneRenderer,
    terrain: GpuTerrain,
}

impl Studio {
    fn open(terrain: Terrain) -> Option<Self> {
        let context = context()?;
        let mut renderer = SceneRenderer::new(context.clone()).unwrap();
        let terrain = renderer.upload_terrain(&Arc::new(terrain)).unwrap();
        Some(Self { context, renderer, terrain })
    }

    fn picture(&mut self, view: &ViewSettings, how: &TerrainView) -> Image {
        let mut target = RenderTarget::new(&self.context, SIDE, SIDE, 1).unwrap();
        self.renderer.render_terrain(&mut target, view, &mut self.terrain, how, &[]).unwrap();
        let picture = target.read().unwrap();
        assert_eq!(self.context.take_errors(), Vec::<String>::new());
        picture
    }
}

/// The first row from above that is not background.
fn skyline(picture: &Image, x: u32) -> u32 {
    (0..SIDE).find(|y| pixel(picture, x, *y) != PINK).unwrap_or(SIDE)
}

#[test]
fn a_peak_is_where_it_should_be_and_twice_as_high_when_asked() {
    // A cone of 50 m on level ground of 10 m.
    let height = |i: i32| {
        let (x, z) = (i % 129, i / 129);
        (50.0 - ((x - 40).pow(2) as f32 + (z - 64).pow(2) as f32).sqrt()).max(10.0)
    };
    let heights: Vec<f32> = (0..129 * 129).map(height).collect();
    let Some(mut studio) = Studio::open(terrain(grid(129, 1.0, &heights))) else { return };
    // One pixel a metre.
    let view = flat_view(Vec3::new(64.0, 50.0, -64.0), SIDE as f32, ViewDirection::Front);
    let once = studio.picture(&view, &bare());
    let twice = studio.picture(&view, &TerrainView { exaggeration: 2.0, ..bare() });
    let peak = 128 + 40 - 64;
    for (picture, top, level) in [(&once, 128_u32, 168_u32), (&twice, 78, 158)] {
        assert!(skyline(picture, peak).abs_diff(top) <= 1, "{} not {top}", skyline(picture, peak));
        assert!(skyline(picture, 180).abs_diff(level) <= 1, "{} not {level}", skyline(picture, 180));
        let highest = (0..SIDE).min_by_key(|x| skyline(picture, *x)).unwrap();
        assert!(highest.abs_diff(peak) <= 2, "{highest}");
        // Ground from x = 0 to 128.
        assert_eq!((skyline(picture, 62), skyline(picture, 194)), (SIDE, SIDE));
        assert!(skyline(picture, 65) < SIDE && skyline(picture, 190) < SIDE);
    }
}

#[test]
fn squares_are_split_from_south_east_to_north_west() {
    // A saddle: the south-east and the north-west corner are high.
    let Some(mut studio) = Studio::open(terrain(grid(2, 100.0, &[0.0, 100.0, 100.0, 0.0]))) else { return };
    let view = flat_view(Vec3::new(50.0, 50.0, -50.0), SIDE as f32, ViewDirection::Front);
    let picture = studio.picture(&view, &bare());
    // Along the game's diagonal the middle is as high as those corners; along the other it would be at 50 m.
    assert!(skyline(&picture, 128).abs_diff(78) <= 1, "{}", skyline(&picture, 128));
}

#[test]
fn holes_show_what_is_behind() {
    let mut heights = vec![20.0; 65 * 65];
    heights[32 * 65 + 32] = f32::NAN;
    heights[64 * 65 + 64] = f32::INFINITY;
    let Some(mut studio) = Studio::open(terrain(grid(65, 4.0, &heights))) else { return };
    // One pixel a metre, from above: column and row 128 are sample 32.
    let view = flat_view(Vec3::new(128.0, 0.0, -128.0), SIDE as f32, ViewDirection::Top);
    let picture = studio.picture(&view, &bare());
    for (x, y, hole) in [
        (128, 128, true),
        (125, 125, true),
        (130, 125, true),
        (122, 128, false),
        (134, 128, false),
        (128, 122, false),
        (128, 134, false),
        // The north-east corner.
        (254, 1, true),
        (249, 1, false),
        (1, 254, false),
    ] {
        assert_eq!(pixel(&picture, x, y) == PINK, hole, "{x} {y}");
    }
    assert_eq!(count(&picture, |p| p == PINK), 8 * 8 + 4 * 4, "four squares and one");
    // From the side nothing stands out near the hole.
    let front = flat_view(Vec3::new(128.0, 20.0, -128.0), SIDE as f32, ViewDirection::Front);
    let side = studio.picture(&front, &bare());
    assert!((2..SIDE - 8).all(|x| skyline(&side, x).abs_diff(128) <= 1));
}

#[test]
fn patches_of_different_fineness_leave_no_cracks() {
    let mut noise = Noise::new(7);
    let heights: Vec<f32> = (0..1025 * 1025).map(|_| (noise.unit() + 1.0) * 6.0).collect();
    let Some(mut studio) = Studio::open(terrain(grid(1025, 1.0, &heights))) else { return };
    for (yaw, pitch, distance) in [(0.0, 0.55, 200.0), (0.7, 0.6, 230.0), (2.4, 0.55, 160.0), (3.9, 0.7, 300.0)] {
        let focus = Vec3::new(512.0, 0.0, -512.0);
        let camera = OrbitCamera { focus, yaw, pitch, distance, extent: 1000.0, ..OrbitCamera::default() };
        let picture = studio.picture(&view(camera), &bare());
        assert!(studio.terrain.patch_strides().len() > 1, "all are as fine as each other");
        let seen = count(&picture, |p| p[0] > 200 && p[1] < 90 && p[2] > 200);
        assert_eq!(seen, 0, "{yaw}: background between patches");
    }
}

#[test]
fn water_covers_what_is_below_the_sea_alone() {
    // From −64 m in the west to 64 m in the east.
    let heights: Vec<f32> = (0..129 * 129).map(|i| (i % 129 - 64) as f32).collect();
    let Some(mut studio) = Studio::open(terrain(grid(129, 2.0, &heights))) else { return };
    let view = flat_view(Vec3::new(128.0, 0.0, -128.0), SIDE as f32, ViewDirection::Top);
    let dry = studio.picture(&view, &bare());
    let wet = studio.picture(&view, &TerrainView { water: true, ..bare() });
    for x in 0..SIDE {
        let (a, b) = (pixel(&dry, x, 100), pixel(&wet, x, 100));
        // Two pixels a sample: height 0 is at 128.
        if x >= 130 {
            assert_eq!(a, b, "{x} lies dry");
        } else if x < 122 {
            assert_ne!(a, b, "{x} lies under water");
            assert!(b[2] > b[0], "{x}: {b:?} is blue");
        }
    }
    // It ends where the map does, and so does the block of earth under it.
    let iso = ViewSettings { camera: OrbitCamera { yaw: 0.6, pitch: 0.3, ..view.camera }, ..view };
    let (dry, wet) = (studio.picture(&iso, &bare()), studio.picture(&iso, &TerrainView { water: true, ..bare() }));
    let shown = |picture| count(picture, |p| p != PINK);
    assert!(shown(&wet) > shown(&dry), "the sea stands over its floor");
    let below = ViewSettings { camera: OrbitCamera { pitch: -1.2, ..iso.camera }, ..iso };
    let (dry, wet) = (studio.picture(&below, &bare()), studio.picture(&below, &TerrainView { water: true, ..bare() }));
    let changed = dry.rgba.chunks_exact(4).zip(wet.rgba.chunks_exact(4)).filter(|(a, b)| **a != PINK && a != b);
    assert_eq!(changed.count(), 0, "nothing of it shows through the earth");
}

#[test]
fn ground_over_the_sea_has_no_water() {
    let heights: Vec<f32> = (0..64).map(|i| (i % 8) as f32).collect();
    let Some(mut studio) = Studio::open(terrain(grid(8, 10.0, &heights))) else { return };
    let view = flat_view(Vec3::new(35.0, 0.0, -35.0), 100.0, ViewDirection::Iso);
    let dry = studio.picture(&view, &bare());
    assert_eq!(dry.rgba, studio.picture(&view, &TerrainView { water: true, ..bare() }).rgba);
}

#[test]
fn contours_lie_at_their_heights() {
    // 100 m over 128 m.
    let heights: Vec<f32> = (0..129 * 129).map(|i| (i % 129) as f32 / 1.28 + 1.0).collect();
    let Some(mut studio) = Studio::open(terrain(grid(129, 2.0, &heights))) else { return };
    let view = flat_view(Vec3::new(128.0, 0.0, -128.0), SIDE as f32, ViewDirection::Top);
    let plain = studio.picture(&view, &bare());
    let lined = studio.picture(&view, &TerrainView { contours: true, contour_step: 10.0, ..bare() });
    let darker = |x: u32| {
        let (a, b) = (pixel(&plain, x, 128), pixel(&lined, x, 128));
        (0..3).map(|i| i32::from(a[i]) - i32::from(b[i])).sum::<i32>()
    };
    let mut lines = vec![false; SIDE as usize];
    for height in (10..=100).step_by(10) {
        // Pixels are metres; the middle of a pixel is half a metre on.
        let at = (height as f32 - 1.0) * 1.28 * 2.0;
        let (first, last) = ((at - 1.5).floor().max(0.0) as u32, (at + 1.0).floor() as u32);
        (first..=last.min(SIDE - 1)).for_each(|x| lines[x as usize] = true);
        let ink: i32 = (first..=last.min(SIDE - 1)).map(darker).sum();
        assert!(ink > 40, "{height} m at {at}: {ink}");
        if height % 50 == 0 {
            let weaker: i32 = (0..4).map(|d| darker((at - 25.6) as u32 - 1 + d)).sum();
            assert!(ink > weaker * 3 / 2, "every fifth is stronger: {ink} {weaker}");
        }
    }
    for x in (0..SIDE).filter(|x| !lines[*x as usize]) {
        assert!(darker(x).abs() <= 6, "no line at {x}: {}", darker(x));
    }
    // On level ground there is none, whatever its height.
    let Some(mut level) = Studio::open(terrain(grid(3, 128.0, &[20.0; 9]))) else { return };
    let plain = level.picture(&view, &bare());
    assert_eq!(plain.rgba, level.picture(&view, &TerrainView { contours: true, contour_step: 10.0, ..bare() }).rgba);
}

/// Level ground of 256 m with a box of 20 m and a post of 10 m on it.
fn furnished() -> Terrain {
    let grid = grid(33, 8.0, &[50.0; 33 * 33]);
    let kinds = vec![
        kind(PropClass::Artificial, PropMarker::Rectangle, Vec3::new(20.0, 30.0, 40.0)),
        kind(PropClass::Natural, PropMarker::Ellipse, Vec3::new(24.0, 10.0, 24.0)),
    ];
    let mut red = prop(&grid, 0, 60.0, 80.0, 0.0);
    red.fill = Some([200, 30, 20, 3]);
    let green = prop(&grid, 1, 180.0, 200.0, 0.0);
    let mut turned = prop(&grid, 0, 180.0, 80.0, std::f32::consts::FRAC_PI_2);
    turned.fill = Some([20, 40, 200, 255]);
    Terrain { kinds, props: vec![red, green, turned], ..terrain(grid) }
}

#[test]
fn props_stand_in_their_places_in_their_colours() {
    let Some(mut studio) = Studio::open(furnished()) else { return };
    let view = flat_view(Vec3::new(128.0, 0.0, -128.0), SIDE as f32, ViewDirection::Top);
    let picture = studio.picture(&view, &bare());
    let green = PropClass::Natural.color();
    // One pixel a metre, north up. A level face has its own colour, nearly.
    let at = |picture: &Image, east: u32, north: u32| pixel(picture, east, SIDE - north);
    for (east, north, color) in
        [(60, 80, [200, 30, 20]), (60, 96, [200, 30, 20]), (180, 200, green), (180, 80, [20, 40, 200])]
    {
        assert!(near(at(&picture, east, north), color, 6), "{east} {north}: {:?}", at(&picture, east, north));
    }
    let [r, g, b, _] = at(&picture, 20, 20);
    let ground = [r, g, b];
    // Beside the boxes: 20 m wide and 40 m long, the last one turned by a right angle; the post is round.
    for (east, north) in [(72, 80), (48, 80), (60, 102), (60, 58), (180, 93), (180, 67), (202, 80), (190, 210)] {
        assert!(near(at(&picture, east, north), ground, 1), "{east} {north}");
    }
    assert!(near(at(&picture, 196, 80), [20, 40, 200], 6), "turned");
    let class = studio.picture(&view, &TerrainView { prop_colors: PropColors::Class, ..bare() });
    assert!(near(at(&class, 60, 80), PropClass::Artificial.color(), 6) && near(at(&class, 180, 200), green, 6));
    let kinds = studio.picture(&view, &TerrainView { prop_colors: PropColors::Kind, ..bare() });
    assert!(near(at(&kinds, 60, 80), kind_color(0), 6) && near(at(&kinds, 180, 200), kind_color(1), 6));
}

#[test]
fn hidden_kinds_and_hidden_props_are_gone() {
    let Some(mut studio) = Studio::open(furnished()) else { return };
    let view = flat_view(Vec3::new(128.0, 0.0, -128.0), SIDE as f32, ViewDirection::Top);
    let none = studio.picture(&view, &TerrainView { props: false, ..bare() });
    let shown = studio.picture(&view, &TerrainView { hidden_kinds: [true, false].into(), ..bare() });
    assert_eq!(pixel(&shown, 60, SIDE - 80), pixel(&none, 60, SIDE - 80));
    assert_ne!(pixel(&shown, 180, SIDE - 200), pixel(&none, 180, SIDE - 200));
    let all = studio.picture(&view, &TerrainView { hidden_kinds: [true, true].into(), ..bare() });
    assert_eq!(all.rgba, none.rgba);
    // What is hidden has no outline either.
    let how = TerrainView { hidden_kinds: [true, true].into(), selected: [0, 2].into(), ..bare() };
    assert_eq!(studio.picture(&view, &how).rgba, none.rgba);
}

#[test]
fn the_selected_are_outlined_through_things() {
    let Some(mut studio) = Studio::open(furnished()) else { return };
    let accent = |picture: &Image| count(picture, |p| near(p, [86, 156, 255], 8));
    // From the south and level with the ground; and from beneath, where earth lies before everything.
    for direction in [ViewDirection::Front, ViewDirection::Top, ViewDirection::Bottom] {
        let view = flat_view(Vec3::new(128.0, 50.0, -128.0), SIDE as f32, direction);
        assert_eq!(accent(&studio.picture(&view, &bare())), 0);
        let found = accent(&studio.picture(&view, &TerrainView { selected: [0].into(), ..bare() }));
        let of_two = accent(&studio.picture(&view, &TerrainView { selected: [0, 1].into(), ..bare() }));
        assert!(found > 80 && of_two > found + 40, "{direction:?} {found} {of_two}");
    }
}

#[test]
fn props_rise_with_the_ground_under_them() {
    let Some(mut studio) = Studio::open(furnished()) else { return };
    let view = flat_view(Vec3::new(128.0, 100.0, -128.0), SIDE as f32, ViewDirection::Front);
    for (exaggeration, ground) in [(1.0, 178_u32), (2.0, 128), (0.5, 203)] {
        let picture = studio.picture(&view, &TerrainView { exaggeration, ..bare() });
        assert!(skyline(&picture, 20).abs_diff(ground) <= 1, "{}", skyline(&picture, 20));
        // 30 m high whatever the ground.
        assert!(skyline(&picture, 60).abs_diff(ground - 30) <= 1, "{}", skyline(&picture, 60));
    }
}

#[test]
fn a_hundred_thousand_props_take_a_few_calls() {
    let mut terrain = furnished();
    let sample = terrain.props.clone();
    terrain.props = (0..100_000).map(|i| sample[i % 3].clone()).collect();
    let Some(mut studio) = Studio::open(terrain) else { return };
    let view = flat_view(Vec3::new(128.0, 0.0, -128.0), 20_000.0, ViewDirection::Top);
    let selected: Arc<[u32]> = (0..100_000).collect();
    studio.picture(&view, &TerrainView { selected, ..TerrainView::default() });
    assert!(studio.terrain.draw_calls() <= 8, "{}", studio.terrain.draw_calls());
}

#[test]
fn far_props_stay_points() {
    let Some(mut studio) = Studio::open(furnished()) else { return };
    // 100 m a pixel.
    let view = flat_view(Vec3::new(128.0, 0.0, -128.0), SIDE as f32 * 100.0, ViewDirection::Top);
    let (with, without) =
        (studio.picture(&view, &bare()), studio.picture(&view, &TerrainView { props: false, ..bare() }));
    let changed = differing(&with, &without, 0);
    assert!((4..=12).contains(&changed), "three points of two pixels: {changed}");
}

#[test]
fn pictures_are_the_same_every_time() {
    let Some(mut studio) = Studio::open(inhabited(129, 40.0, 500)) else { return };
    let bounds = studio.terrain.terrain().bounds();
    let view = view(OrbitCamera::overlooking(&bounds, ViewDirection::Iso, 1.0));
    let how = TerrainView { wireframe: true, grid: true, selected: [3, 9].into(), ..TerrainView::default() };
    let first = studio.picture(&view, &how);
    studio.picture(&view, &TerrainView { exaggeration: 3.0, ..bare() });
    assert_eq!(first.rgba, studio.picture(&view, &how).rgba);
}

#[test]
fn grids_without_ground_draw_nothing_and_those_too_large_are_refused() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut target = RenderTarget::new(&context, 32, 32, 1).unwrap();
    let nan = f32::NAN;
    let huge = HeightGrid { columns: 1 << 20, rows: 1, cell: 1.0, heights: vec![0.0; 1 << 20].into() };
    let claiming = HeightGrid { columns: 70_000, rows: 70_000, cell: 1.0, heights: [0.0; 4].into() };
    for (grid, start) in [
        (
            huge,
            "the ground of 1048576 × 1 heights is too large for this graphics device: 1048576 heights on the longer side",
        ),
        (
            claiming,
            "the ground of 70000 × 70000 heights is too large for this graphics device: 70000 heights on the longer side",
        ),
    ] {
        let refused = renderer.upload_terrain(&Arc::new(terrain(grid))).err();
        let message = refused.map(|e: GpuError| e.to_string()).unwrap_or_default();
        assert!(message.starts_with(start), "{message}");
    }
    for (grid, patches) in [
        (HeightGrid::default(), 0),
        (grid(1, 10.0, &[5.0]), 0),
        (grid(1, 10.0, &[5.0, 6.0, 7.0]), 0),
        (grid(3, 10.0, &[5.0, 6.0, 7.0]), 0),
        (grid(3, 10.0, &[nan; 9]), 0),
        (grid(2, 0.0, &[1.0; 4]), 0),
        (grid(2, nan, &[1.0; 4]), 0),
        (grid(2, -3.0, &[1.0; 4]), 0),
        (HeightGrid { columns: 4, rows: 4, cell: 1.0, heights: [0.0; 4].into() }, 0),
        (grid(2, 1e-30, &[1.0; 4]), 0),
        // Ground that reaches as far as numbers do: no camera sees all of it.
        (grid(2, 1e30, &[1.0; 4]), 1),
        (grid(2, 1.0, &[f32::MAX, f32::MIN, 0.0, 1e30]), 1),
    ] {
        let what = format!("{} × {} of {}", grid.columns, grid.rows, grid.cell);
        let mut made = terrain(grid);
        made.kinds = furnished().kinds;
        made.props = vec![prop(&made.grid, 0, 1.0, 1.0, nan), prop(&made.grid, 99, nan, 2.0, 0.0)];
        let mut uploaded = renderer.upload_terrain(&Arc::new(made)).unwrap();
        let camera = OrbitCamera::overlooking(&uploaded.terrain().bounds(), ViewDirection::Iso, 1.0);
        for exaggeration in [1.0, nan, -5.0, f32::INFINITY] {
            let how = TerrainView { exaggeration, selected: [0, 1, 7].into(), ..TerrainView::default() };
            renderer.render_terrain(&mut target, &view(camera), &mut uploaded, &how, &[]).unwrap();
            let shown = count(&target.read().unwrap(), |p| p != PINK);
            assert_eq!((uploaded.patch_count(), shown), (patches, 0), "{what}, {exaggeration} times");
        }
        assert_eq!(context.take_errors(), Vec::<String>::new(), "{what}");
    }
}

/// A cube of 10 m in one colour, on its floor.
fn cube(color: [u8; 4]) -> Arc<Model> {
    let mut mesh = Mesh::default();
    for (axis, up) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
        for sign in [-1.0, 1.0] {
            let side = axis.cross(up) * sign;
            let first = mesh.points.len() as u32;
            for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                mesh.points.push((axis * sign + up * v - side * u) * 5.0 + Vec3::Y * 5.0);
                mesh.normals.push(axis * sign);
            }
            mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
        }
    }
    let count = mesh.points.len() as u32;
    mesh.vertex_points = (0..count).collect();
    mesh.vertex_sources = mesh.vertex_points.clone();
    mesh.uv_sets = vec![vec![Vec2::splat(0.5); count as usize]];
    mesh.surfaces = vec![Surface { first_index: 0, index_count: mesh.indices.len() as u32, material: 0 }];
    Arc::new(Model {
        meshes: vec![mesh],
        materials: vec![material(BasicMaterial { image: Some(0), two_sided: true, ..BasicMaterial::default() })],
        images: vec![image(1, 1, |_, _| color)],
        ..Model::empty("cube")
    })
}

#[test]
fn models_stand_for_boxes_that_are_near() {
    let mut made = furnished();
    let body = PropBody {
        levels: vec![
            PropLevel { resolution: 1.0, model: cube([20, 30, 220, 255]) },
            PropLevel { resolution: 4.0, model: cube([20, 200, 220, 255]) },
        ],
        bounds: Aabb { min: Vec3::new(-5.0, 0.0, -5.0), max: Vec3::new(5.0, 10.0, 5.0) },
    };
    made.kinds[0].body = Some(Arc::new(body));
    made.kinds[0].size = Vec3::splat(10.0);
    made.props.truncate(1);
    let one = made.props[0].clone();
    made.props.extend((0..2_500).map(|i| {
        let mut far = one.clone();
        far.world_from_prop.translation.x = 180.0 + i as f32 * 0.01;
        far
    }));
    let Some(mut studio) = Studio::open(made) else { return };
    let at = |span: f32| flat_view(Vec3::new(60.0, 50.0, -80.0), span, ViewDirection::Top);
    // 10 m are 128 pixels: the finest level.
    let middle = |picture: &Image| pixel(picture, SIDE / 2, SIDE / 2);
    let close = middle(&studio.picture(&at(20.0), &bare()));
    assert!(close[2] > 150 && close[1] < 90 && close[0] < 90, "{close:?}");
    assert_eq!(studio.terrain.body_count(), 1);
    // 10 m are 21 pixels.
    let coarser = middle(&studio.picture(&at(120.0), &bare()));
    assert!(coarser[2] > 130 && coarser[1] > 120 && coarser[0] < 90, "{coarser:?}");
    // 10 m are 6 pixels, and without models: a red box.
    let far = middle(&studio.picture(&at(400.0), &bare()));
    assert!(far[0] > 150 && far[2] < 60, "{far:?}");
    assert_eq!(studio.terrain.body_count(), 0);
    let boxes = middle(&studio.picture(&at(20.0), &TerrainView { bodies: false, ..bare() }));
    assert!(boxes[0] > 150 && boxes[2] < 60, "{boxes:?}");
    let hidden = TerrainView { hidden_kinds: [true].into(), ..bare() };
    assert_ne!(middle(&studio.picture(&at(20.0), &hidden)), close);
    assert_eq!(studio.terrain.body_count(), 0);
    // More than a picture may have.
    studio.picture(&flat_view(Vec3::new(190.0, 50.0, -80.0), 60.0, ViewDirection::Top), &bare());
    assert_eq!(studio.terrain.body_count(), 2_000);
}

#[test]
fn pictures_lie_on_the_ground_north_up() {
    let mut made = terrain(grid(33, 8.0, &[50.0; 33 * 33]));
    // Red in the north-west, green in the north-east, blue and white in the south.
    let corners = [[200, 0, 0, 255], [0, 200, 0, 255], [0, 0, 200, 255], [200, 200, 200, 255]];
    made.pictures = vec![TerrainPicture {
        offset: Vec2::new(64.0, 32.0),
        size: Vec2::new(128.0, 64.0),
        visible: true,
        image: Some(image(64, 64, |x, y| corners[usize::from(x >= 32) + 2 * usize::from(y >= 32)])),
        ..TerrainPicture::default()
    }];
    let mut faint = made.clone();
    faint.pictures[0].transparency = 50;
    let mut off = made.clone();
    off.pictures[0].visible = false;
    let Some(mut studio) = Studio::open(made) else { return };
    let view = flat_view(Vec3::new(128.0, 0.0, -128.0), SIDE as f32, ViewDirection::Top);
    let shown = TerrainView { pictures: true, ..bare() };
    let picture = studio.picture(&view, &shown);
    let without = studio.picture(&view, &bare());
    let at = |picture: &Image, east: u32, north: u32| pixel(picture, east, SIDE - north);
    for (east, north, [r, g, b, _]) in
        [(80, 85, corners[0]), (170, 85, corners[1]), (80, 40, corners[2]), (170, 40, corners[3])]
    {
        assert!(near(at(&picture, east, north), [r, g, b], 8), "{east} {north} {:?}", at(&picture, east, north));
    }
    for (east, north) in [(60, 60), (196, 60), (128, 28), (128, 100)] {
        assert_eq!(at(&picture, east, north), at(&without, east, north), "{east} {north}");
    }
    let mut studio = Studio::open(faint).unwrap();
    let half = at(&studio.picture(&view, &shown), 80, 85);
    let ground = at(&without, 80, 85);
    assert!(
        near(half, [0, 1, 2].map(|i| ((u16::from(ground[i]) + u16::from(corners[0][i])) / 2) as u8), 6),
        "{half:?}"
    );
    let mut studio = Studio::open(off).unwrap();
    assert_eq!(studio.picture(&view, &shown).rgba, without.rgba);
}

#[test]
fn zones_tint_the_ground_inside_their_outlines() {
    let mut made = terrain(grid(33, 8.0, &[50.0; 33 * 33]));
    made.zones = vec![TerrainZone {
        fill: [255, 0, 0, 0],
        outline: [0, 0, 255, 0],
        visible: true,
        polygon: vec![Vec2::new(64.0, 64.0), Vec2::new(192.0, 64.0), Vec2::new(64.0, 192.0)],
        ..TerrainZone::default()
    }];
    let Some(mut studio) = Studio::open(made) else { return };
    let view = flat_view(Vec3::new(128.0, 0.0, -128.0), SIDE as f32, ViewDirection::Top);
    let (with, without) =
        (studio.picture(&view, &bare()), studio.picture(&view, &TerrainView { zones: false, ..bare() }));
    let at = |picture: &Image, east: u32, north: u32| pixel(picture, east, SIDE - north);
    for (east, north) in [(80, 80), (170, 75), (75, 170)] {
        let (tinted, ground) = (at(&with, east, north), at(&without, east, north));
        let red = [0, 1, 2].map(|i| (f32::from(ground[i]) * 0.7 + if i == 0 { 76.5 } else { 0.0 }).round() as u8);
        assert!(near(tinted, red, 4), "{east} {north}: {tinted:?}, not {red:?}");
    }
    for (east, north) in [(50, 80), (160, 160), (200, 70), (128, 40)] {
        assert_eq!(at(&with, east, north), at(&without, east, north), "{east} {north}");
    }
    // Two pixels wide along the southern edge.
    let blue = (60..70).filter(|north| near(at(&with, 120, *north), [0, 0, 255], 8)).count();
    assert_eq!(blue, 2);
}
