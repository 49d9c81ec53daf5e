"""Opens, poses and renders GLB files in Blender (the bpy package). Run by clients.py with a list of cases.

    python blender.py CASES.json RESULTS.json
"""

import contextlib
import json
import math
import os
import sys

import bpy
import numpy as np

# So that moments of clips fall on whole or nearly whole frames.
FPS = 60
# Angle of view, and the share by which the camera is farther away than it needs to be: as Bonebox has them (src/scene/camera.rs).
FOV, MARGIN = 0.7, 1.02


@contextlib.contextmanager
def silent():
    """The importer and the renderer print, and errors of the importer are exceptions as well."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    with open(os.devnull, "w") as nothing:
        for stream in (1, 2):
            os.dup2(nothing.fileno(), stream)
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for stream, before in zip((1, 2), kept):
                os.dup2(before, stream)
                os.close(before)


def animated():
    """Everything that may have an action: objects, shape keys, materials and their node trees."""
    for it in bpy.data.objects:
        yield it
        if it.type == "MESH" and it.data.shape_keys:
            yield it.data.shape_keys
    for it in bpy.data.materials:
        yield it
        if it.node_tree:
            yield it.node_tree


def node_of(it):
    """The number of a mesh object's node. It is also on the mesh, because the importer hangs a skinned mesh of a node that moves
    elsewhere. The importer's own shapes of bones have none."""
    return it.get("node_number", it.data.get("node_number")) if it.type == "MESH" else None


def play(name):
    """Makes the actions of one animation the active ones. What they do not move keeps the pose that the last one left, as it does when
    somebody picks another action."""
    for it in animated():
        data = it.animation_data
        if not data:
            continue
        data.action = None
        for track in data.nla_tracks:
            track.mute = True
            if track.name == name and track.strips:
                strip = track.strips[0]
                data.action = strip.action
                data.action_slot = strip.action_slot


def go_to(time):
    frame = time * FPS
    bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))


def vertices(it):
    """Of a mesh as it is drawn, in the axes of glTF."""
    graph = bpy.context.evaluated_depsgraph_get()
    drawn = it.evaluated_get(graph)
    mesh = drawn.to_mesh()
    points = np.zeros(len(mesh.vertices) * 3)
    mesh.vertices.foreach_get("co", points)
    drawn.to_mesh_clear()
    world = np.array(drawn.matrix_world)
    points = np.c_[points.reshape(-1, 3), np.ones(len(points) // 3)] @ world.T
    return np.c_[points[:, 0], points[:, 2], -points[:, 1]]


def meshes():
    """Objects of nodes with a mesh, in the order of the nodes."""
    return sorted((it for it in bpy.data.objects if node_of(it) is not None), key=node_of)


def in_gltf(point):
    """A position in the axes of glTF."""
    return np.array([point[0], point[2], -point[1]])


def bones():
    """Bones of all armatures, by the number of their node."""
    armatures = (it for it in bpy.data.objects if it.type == "ARMATURE")
    return {bone["node_number"]: (it, bone) for it in armatures for bone in it.pose.bones if "node_number" in bone}


def poses(case):
    """How far vertices and bones are from where they should be, at worst, as a share of the diagonal."""
    worst, where = 0.0, None
    for index in case["order"]:
        moment = case["moments"][index]
        play(str(moment["number"]))
        go_to(moment["time"])
        wanted = np.load(moment["points"])
        found = np.concatenate([vertices(it) for it in meshes()] or [np.zeros((0, 3))])
        if len(found) != len(wanted):
            return {"error": f"{len(found)} vertices, {len(wanted)} in the file"}
        far, what = float(np.linalg.norm(found - wanted, axis=1).max(initial=0.0)), "a vertex"
        known = bones()
        for joint, place in zip(case["joints"], moment["bones"]):
            if joint in known:
                armature, bone = known[joint]
                off = float(np.linalg.norm(in_gltf(armature.matrix_world @ bone.head) - place))
                if not off <= far:
                    far, what = off, f"bone {bone.name}"
        far /= case["diagonal"]
        if not far <= worst:
            worst, where = far, f"{moment['animation']} at {moment['frame']:g}, {what}"
    return {"worst": worst, "where": where}


def parent_of(armature, bone, joints, wanted):
    """The joint that a bone follows: the nearest one above, or the wanted one where a helper above carries it too, as helpers do that
    keep a parent's scale from its children. An armature that is a node of the file is such a helper. -1 for a root."""

    def carried(bones):
        return wanted in (joints.get(each.get("node_number")) for each in bones if each != bone)

    above = bone.parent
    while above is not None and above.get("node_number") not in joints:
        if carried(above.children):
            return wanted
        above = above.parent
    if above is not None:
        return joints[above["node_number"]]
    roots = [each for each in armature.pose.bones if each.parent is None]
    return wanted if "node_number" in armature and carried(roots) else -1


def armature(case):
    """What is not as with one armature, one tree, and Bonebox's joints as bones; and how many bones are none of those."""
    armatures = [it for it in bpy.data.objects if it.type == "ARMATURE"]
    known, faults = bones(), []
    if len(armatures) != 1:
        faults.append(f"{len(armatures)} armatures")
    roots = [bone for it in armatures for bone in it.pose.bones if bone.parent is None]
    # An armature that is a node of the file is the one parent of its roots.
    if len(roots) != 1 and not all("node_number" in it for it in armatures):
        faults.append(f"{len(roots)} root bones")
    parents = case["parents"]
    if len(case["joints"]) != len(parents):
        faults.append(f"{len(case['joints'])} joints in the file for {len(parents)} bones")
    joints = dict(zip(case["joints"], range(len(parents))))
    for node, joint in joints.items():
        if node not in known:
            faults.append(f"joint {joint} is not a bone")
            continue
        it, bone = known[node]
        if parent_of(it, bone, joints, parents[joint]) != parents[joint]:
            faults.append(f"bone {bone.name} has a different parent")
    helpers = sum(len(it.pose.bones) for it in armatures) - sum(node in known for node in joints)
    return {"faults": faults[:5], "helpers": helpers}


def wraps():
    """The ways that image nodes repeat."""
    found = set()
    for material in bpy.data.materials:
        for node in material.node_tree.nodes if material.node_tree else ():
            if node.type == "TEX_IMAGE":
                found.add(node.extension)
    return sorted(found)


def emission_only(material):
    """Base colour and alpha straight to the picture, back faces away where the material culls them."""
    tree = material.node_tree
    nodes, links = tree.nodes, tree.links
    output = next((n for n in nodes if n.type == "OUTPUT_MATERIAL"), None)
    principled = next((n for n in nodes if n.type == "BSDF_PRINCIPLED"), None)
    if output is None:
        return
    if principled is not None:
        emission = nodes.new("ShaderNodeEmission")
        color, alpha = principled.inputs["Base Color"], principled.inputs["Alpha"]
        if color.is_linked:
            links.new(color.links[0].from_socket, emission.inputs["Color"])
        else:
            emission.inputs["Color"].default_value = color.default_value
        mix, clear = nodes.new("ShaderNodeMixShader"), nodes.new("ShaderNodeBsdfTransparent")
        if alpha.is_linked:
            links.new(alpha.links[0].from_socket, mix.inputs["Fac"])
        else:
            mix.inputs["Fac"].default_value = alpha.default_value
        links.new(clear.outputs[0], mix.inputs[1])
        links.new(emission.outputs[0], mix.inputs[2])
        links.new(mix.outputs[0], output.inputs["Surface"])
    if material.use_backface_culling and output.inputs["Surface"].is_linked:
        seen = output.inputs["Surface"].links[0].from_socket
        side, cull, clear = nodes.new("ShaderNodeNewGeometry"), nodes.new("ShaderNodeMixShader"), nodes.new("ShaderNodeBsdfTransparent")
        links.new(side.outputs["Backfacing"], cull.inputs["Fac"])
        links.new(seen, cull.inputs[1])
        links.new(clear.outputs[0], cull.inputs[2])
        links.new(cull.outputs[0], output.inputs["Surface"])


def picture(case):
    """Draws the model in its bind pose from the front: no light but the surfaces' own, view transform Raw."""
    scene = bpy.context.scene
    for material in bpy.data.materials:
        if material.node_tree:
            emission_only(material)
    points = np.concatenate([vertices(it) for it in meshes()] or [np.zeros((1, 3))])
    low, high = points.min(axis=0), points.max(axis=0)
    middle, radius = (low + high) / 2, max(float(np.linalg.norm(high - low)) / 2, 1e-6)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.data.angle = FOV
    away = radius / math.sin(FOV / 2) * MARGIN
    camera.data.clip_start, camera.data.clip_end = away * 1e-3, away * 4
    camera.location = (middle[0], -middle[2] - away, middle[1])
    camera.rotation_euler = (math.pi / 2, 0, 0)
    scene.camera = camera
    scene.world = bpy.data.worlds.new("dark")
    scene.world.use_nodes = True
    for node in scene.world.node_tree.nodes:
        if node.type == "BACKGROUND":
            node.inputs["Strength"].default_value = 0.0
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", 2, False
    scene.cycles.transparent_max_bounces = 64
    scene.render.film_transparent = True
    size = scene.render.resolution_x = scene.render.resolution_y = case["size"]
    scene.render.resolution_percentage = 100
    scene.view_settings.view_transform = "Raw"
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    scene.render.filepath = case["blender_picture"]
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(case["blender_picture"])
    rgba = np.array(image.pixels[:]).reshape(size, size, 4)[::-1]
    alpha = rgba[..., 3:4]
    linear = np.where(alpha > 0, rgba[..., :3] / np.maximum(alpha, 1e-6), 0).clip(0, 1)
    gamma = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    np.save(case["blender_pixels"], np.dstack([gamma * 255, alpha * 255]))


def open_file(file):
    with silent():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = FPS
        bpy.context.scene.render.fps_base = 1.0
        bpy.ops.import_scene.gltf(filepath=file)


def line_of(error):
    """What an exception says, in a line; that of an operator has the whole traceback in it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [""]
    return next((line for line in reversed(lines) if "Error: " in line), f"{type(error).__name__}: {lines[0]}")


def check(case):
    open_file(case["still"])
    result = {"meshes": len(meshes()), "wraps": wraps()}
    if case["blender_picture"] and meshes():
        with silent():
            picture(case)
    try:
        open_file(case["clips"])
    except Exception as error:
        result["note"] = f"the importer failed with {line_of(error)}; the other results are for the file without KHR_animation_pointer"
        open_file(case["no_pointers"])
    result["actions"] = len(bpy.data.actions)
    if case["parents"]:
        result["armature"] = armature(case)
    if case["moments"]:
        with silent():
            result["poses"] = poses(case)
    return result


def main():
    cases = json.load(open(sys.argv[1]))
    results = {}
    for case in cases:
        try:
            results[case["id"]] = check(case)
        except Exception as error:  # A case that fails is a row of the table, not the end of it.
            results[case["id"]] = {"error": line_of(error)}
        json.dump(results, open(sys.argv[2], "w"))


main()
