//! A striding skeleton, drawn in lines: the picture of the empty window.

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

/// Joints of one pose, in a box of 100 by 100 with y downwards.
struct Pose {
    hips: [f32; 2],
    chest: [f32; 2],
    head: [f32; 2],
    /// Shoulder, elbow, hand: near and far arm.
    arms: [[[f32; 2]; 3]; 2],
    /// Hip, knee, ankle, toe: near and far leg.
    legs: [[[f32; 2]; 4]; 2],
}

const STRIDE: Pose = Pose {
    hips: [49.0, 52.0],
    chest: [52.0, 28.0],
    head: [55.0, 12.0],
    arms: [[[50.0, 27.0], [38.0, 38.0], [42.0, 52.0]], [[54.0, 28.0], [64.0, 41.0], [77.0, 37.0]]],
    legs: [
        [[51.0, 53.0], [64.0, 67.0], [66.0, 88.0], [75.0, 90.0]],
        [[47.0, 53.0], [42.0, 72.0], [26.0, 83.0], [27.0, 92.0]],
    ],
};

const PASSING: Pose = Pose {
    hips: [50.0, 49.0],
    chest: [51.0, 25.0],
    head: [53.0, 9.0],
    arms: [[[50.0, 24.0], [46.0, 38.0], [54.0, 49.0]], [[52.0, 25.0], [53.0, 40.0], [63.0, 47.0]]],
    legs: [
        [[51.0, 50.0], [53.0, 70.0], [50.0, 89.0], [59.0, 91.0]],
        [[49.0, 50.0], [57.0, 66.0], [44.0, 78.0], [46.0, 87.0]],
    ],
};

/// Draws the figure in `rect`, with fainter ones of the moments around it. `ink` draws the bones, `joint` the joints.
pub fn paint(painter: &Painter, rect: Rect, ink: Color32, joint: Color32) {
    let side = rect.height();
    let place = |shift: f32| {
        Rect::from_min_size(pos2(rect.center().x - side / 2.0 + shift * side, rect.top()), Vec2::splat(side))
    };
    for (shift, pose, opacity) in
        [(-0.94, &STRIDE, 0.12), (-0.50, &PASSING, 0.26), (0.50, &PASSING, 0.26), (0.94, &STRIDE, 0.12)]
    {
        figure(painter, place(shift), pose, ink.gamma_multiply(opacity), joint.gamma_multiply(opacity));
    }
    figure(painter, place(0.0), &STRIDE, ink, joint);
    ground(painter, rect, ink);
}

fn figure(painter: &Painter, rect: Rect, pose: &Pose, ink: Color32, joint: Color32) {
    let at = |[x, y]: [f32; 2]| pos2(rect.left() + rect.width() * x / 100.0, rect.top() + rect.height() * y / 100.0);
    let unit = rect.height() / 100.0;
    let far = ink.gamma_multiply(0.55);
    let chain = |joints: &[[f32; 2]], ink: Color32| {
        for pair in joints.windows(2) {
            if let [from, to] = pair {
                bone(painter, at(*from), at(*to), unit, ink);
            }
        }
    };
    chain(&pose.arms[1], far);
    chain(&pose.legs[1], far);
    chain(&[pose.hips, pose.chest], ink);
    chain(&pose.legs[0], ink);
    chain(&pose.arms[0], ink);
    bone(painter, at(pose.chest), at(pose.head) + vec2(-0.5, 4.0) * unit, unit, ink);
    painter.circle(at(pose.head), 6.0 * unit, Color32::TRANSPARENT, Stroke::new(1.5, ink));
    let ends = [pose.hips, pose.chest].into_iter();
    for point in ends.chain(pose.arms.into_iter().flatten()).chain(pose.legs.into_iter().flatten()) {
        painter.circle_filled(at(point), 1.5 * unit, joint);
    }
}

/// A bone as modelling programs draw it: a slim kite, thick near its root.
fn bone(painter: &Painter, from: Pos2, to: Pos2, unit: f32, ink: Color32) {
    let along = to - from;
    if along.length() < 1.0 {
        return;
    }
    let side = along.normalized().rot90() * (along.length() * 0.13).min(3.2 * unit);
    let waist = from + along * 0.22;
    let outline = vec![from, waist + side, to, waist - side];
    painter.add(Shape::convex_polygon(outline, ink.gamma_multiply(0.16), Stroke::new(1.5, ink)));
    painter.line_segment([from, to], Stroke::new(0.75, ink.gamma_multiply(0.5)));
}

/// A line that fades to both sides.
fn ground(painter: &Painter, rect: Rect, ink: Color32) {
    let (y, reach) = (rect.bottom() - rect.height() * 0.055, rect.height() * 1.4);
    let mut mesh = Mesh::default();
    for (place, opacity) in [(-reach, 0.0), (0.0, 0.5), (reach, 0.0)] {
        for side in [0.0, 1.0] {
            mesh.colored_vertex(pos2(rect.center().x + place, y + side), ink.gamma_multiply(opacity));
        }
    }
    for triangle in [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]] {
        mesh.add_triangle(triangle[0], triangle[1], triangle[2]);
    }
    painter.add(Shape::mesh(mesh));
}
