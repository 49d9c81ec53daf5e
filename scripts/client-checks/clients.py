"""Exports every model of the samples and of the test corpus as GLB, has other programs open the files, and compares what they show
with what `bonebox pose` and `bonebox render` say. Prints a table of kinds of models and clients as Markdown.

    python clients.py BONEBOX WORK FILE|FOLDER...
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
from PIL import Image

from glb import Glb
from nearest import nearest

HERE = pathlib.Path(__file__).parent
KINDS = {
    "psk": "ActorX", "unreal": "Unreal", "mesh3d": "Unreal", "bmd": "J3D", "bdl": "J3D", "rarc": "J3D", "yaz0": "J3D", "yay0": "J3D", "u8": "J3D",
    "charpipe-model": "character pipeline", "charpipe-archive": "character pipeline", "gpl": "character pipeline",
    "act": "character pipeline", "p3d": "P3D", "pew": "landscape", "wrp": "landscape",
}
# Shares of a clip: uneven, so that keys lie between them too.
MOMENTS = (0.0, 0.21, 0.5, 0.68, 1.0)
# Clients are looked at this many seconds after a frame, so that a step has been taken whatever their rounding.
AFTER = 1e-5
# Figures of docs/FIGURES.md P20: a share of the diagonal, and of 255.
POSE, COLOR = 1e-3, 12.0
# Sides of all pictures, in pixels: parts that are thin are several pixels wide, so that what a client makes of their edges hardly counts.
SIZE = 1024
# What colours are compared before.
GREY = 128
# The colour of surfaces without a texture in Bonebox's pictures, as linear light (src/gpu/model.rs).
CLAY = [((c + 0.055) / 1.055) ** 2.4 for c in (0.76, 0.735, 0.705)]
WRAPS = {33071: "clamp", 33648: "mirror", 10497: "repeat"}


def run(*arguments, check=True):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True)
    if check and done.returncode != 0:
        raise RuntimeError((done.stderr.strip() or f"status {done.returncode}").splitlines()[-1])
    return done


def files_of(paths):
    for path in map(pathlib.Path, paths):
        found = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        yield from (p for p in found if not p.name.startswith("bad_") and "bad" not in p.parts)


def models_of(bonebox, path):
    """Entries of a file that are models of their own."""
    done = run(bonebox, "list", path, "--json", check=False)
    if done.returncode != 0:
        return
    listed = json.loads(done.stdout)
    kind = KINDS.get(listed["format"])
    for entry in listed["entries"] if kind else ():
        if entry["content"] in ("model", "map", "terrain") and entry["role"] not in ("skeleton", "part", "bone"):
            it = {"map": "map", "terrain": "landscape"}.get(entry["content"], kind)
            if it == "Unreal" and entry["class"] == "SkeletalMesh":
                it = "Unreal (bones)"
            yield it, entry


def matrix(rows):
    out = np.eye(4)
    out[:3] = np.array(rows, dtype=np.float64).reshape(3, 4)
    return out


def find(name, near):
    """A file that an animation says it comes from: beside the model, or in a folder beside or above it."""
    for folder in (near.parent, near.parent.parent):
        for found in sorted(folder.rglob(name)):
            return found
    return None


class Case:
    """A model with what it should look like."""

    def __init__(self, bonebox, work, number, kind, path, entry):
        self.bonebox, self.path, self.entry, self.kind = bonebox, path, entry, kind
        self.id = f"{number:03}"
        self.label = path.name if entry["path"] in ("", path.name) else f"{path.name}: {entry['path']}"
        self.folder = work / self.id
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file, self.problems, self.moments, self.skipped = self.folder / "model.glb", [], [], []
        # The posed file against Bonebox: how far, where, which points are drawn, and what is left aside.
        self.far, self.where, self.used, self.left_aside = 0.0, None, None, None
        # How far the file is from itself when each vertex follows its first four joints alone.
        self.first_four = 0.0
        self.which = f"#{entry['id']}"
        done = run(bonebox, "export", path, self.which, "--format", "glb", "--force", "-o", self.file)
        self.notes = [line for line in done.stderr.splitlines() if line]
        self.glb = Glb(self.file)
        self.diagonal = self.size()
        if kind not in ("map", "landscape"):
            self.poses()
            self.picture()

    def size(self):
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        for _, node in self.glb.meshes_in_scene():
            for _, points, used in self.glb.positions(node):
                if len(used):
                    low, high = np.minimum(low, points[used].min(axis=0)), np.maximum(high, points[used].max(axis=0))
        return float(np.linalg.norm(high - low)) if np.isfinite(low).all() else 0.0

    def poses(self):
        meshes = [number for number, _ in self.glb.meshes_in_scene()]
        if not meshes or self.diagonal == 0:
            return
        for index, animation in enumerate(self.glb.list("animations")):
            says = animation.get("extras", {})
            if "file" not in says:
                self.skipped.append(f"{animation.get('name')}: says no source")
                continue
            source = self.path if says["file"] == self.path.name else find(says["file"], self.path)
            if source is None:
                self.skipped.append(f"{animation['name']}: {says['file']} is not found")
                continue
            paths = {channel["target"]["path"] for channel in animation["channels"]}
            if not paths & {"translation", "rotation", "scale", "weights"}:
                continue
            last, rate = float(says["frames"]), float(says["rate_hz"])
            for frame in sorted({round(last * share) for share in MOMENTS}):
                clip = f"{source}::{says['entry']}"
                done = run(self.bonebox, "pose", self.path, self.which, "--clip", clip, "--frame", frame, "--json", check=False)
                if done.returncode != 0:
                    self.problems.append(f"pose {clip}: {done.stderr.strip().splitlines()[-1]}")
                    break
                self.moment(index, frame, rate, json.loads(done.stdout), meshes)

    def moment(self, index, frame, rate, pose, meshes):
        """Poses the file itself, with numpy: notes how far that is from what Bonebox says, and keeps it to compare clients with."""
        animation = self.glb.json["animations"][index]
        # Keys' times are single floats.
        values = self.glb.at(animation, float(np.float32(frame) / np.float32(rate)))
        worlds = self.glb.worlds(values)
        points = np.concatenate([self.glb.drawn(number, values, worlds) for number in meshes])
        for far, what in self.from_bonebox(pose, meshes, values, worlds, points):
            if not far <= self.far:
                self.far, self.where = far, f"{animation['name']} at {frame:g}, {what}"
        time = frame / rate + AFTER
        values = self.glb.at(animation, time)
        worlds = self.glb.worlds(values)
        points = np.concatenate([self.glb.drawn(number, values, worlds) for number in meshes])
        first_four = np.concatenate([self.glb.drawn(number, values, worlds, first_four=True) for number in meshes])
        self.first_four = max(self.first_four, float(np.linalg.norm(first_four - points, axis=1).max()) / self.diagonal)
        at = self.folder / f"moment-{len(self.moments)}.npy"
        np.save(at, points)
        points.astype("<f4").tofile(at.with_suffix(".f32"))
        self.moments.append({
            "animation": animation["name"], "number": index, "frame": frame, "time": time, "points": str(at),
            "floats": str(at.with_suffix(".f32")),
        })

    def from_bonebox(self, pose, meshes, values, worlds, points):
        """Distances of the posed file from Bonebox's bones, skinned vertices and points, as shares of the diagonal."""
        scene_from_file = np.linalg.inv(matrix(pose["file_from_scene"]))
        file_from_scene = np.linalg.inv(scene_from_file)
        bones = [scene_from_file @ matrix(bone["world"]) @ file_from_scene for bone in pose["bones"]]
        nodes = [self.glb.json["nodes"][number] for number in meshes]
        if bones and all("skin" in node for node in nodes):
            wanted = []
            for number, node in zip(meshes, nodes):
                joints = self.glb.json["skins"][node["skin"]]["joints"]
                # A joint for points that nothing moves comes last.
                own = bones[: len(joints)] + [np.eye(4)] * (len(joints) - len(bones))
                for bone, joint in zip(own, joints):
                    yield float(np.abs(bone - worlds[joint])[:3, 3].max()) / self.diagonal, f"bone {self.glb.json['nodes'][joint]['name']}"
                wanted.append(self.glb.skinned(node, np.array(own), self.glb.morphed(node, values[number]["weights"])))
            yield float(np.linalg.norm(np.concatenate(wanted) - points, axis=1).max()) / self.diagonal, "a vertex"
        stated = np.array(pose["points"], dtype=np.float64).reshape(-1, 3)
        if len(stated) and len(points):
            stated = (np.c_[stated, np.ones(len(stated))] @ scene_from_file.T)[:, :3]
            # Points that no triangle uses are not in the file: those are not where any vertex rests.
            if self.used is None:
                self.used = self.at_rest(len(stated), meshes)
            yield nearest(stated[self.used], points) / self.diagonal, "a point"

    def at_rest(self, count, meshes):
        """Which of the points that Bonebox states rest where a vertex of the file does."""
        pose = json.loads(run(self.bonebox, "pose", self.path, self.which, "--json").stdout)
        stated = np.array(pose["points"], dtype=np.float64).reshape(-1, 3)
        if len(stated) != count:
            raise ValueError("the model has other points in its bind pose")
        stated = (np.c_[stated, np.ones(count)] @ np.linalg.inv(matrix(pose["file_from_scene"])).T)[:, :3]
        values = self.glb.rest()
        worlds = self.glb.worlds(values)
        points = np.concatenate([self.glb.drawn(number, values, worlds) for number in meshes])
        used = np.array([nearest(point[None], points) <= 1e-5 * self.diagonal for point in stated])
        if used.sum() < 0.5 * count:
            raise ValueError(f"only {used.sum()} of {count} points rest where a vertex of the file does")
        if not used.all():
            self.left_aside = f"{count - used.sum()} of {count} points are of no triangle"
        return used

    def picture(self):
        """What Bonebox shows before a grey, and what of it is covered: what is added to the background has no colour without one."""
        self.pixels, self.coverage = self.folder / "bonebox.png", self.folder / "coverage.png"
        for background, at in (f"{GREY:02x}" * 3, self.pixels), ("transparent", self.coverage):
            done = run(self.bonebox, "render", self.path, self.which, "--view", "front", "--shading", "unlit", "--size",
                       f"{SIZE}x{SIZE}", "--background", background, "--force", "-o", at, check=False)
            if done.returncode != 0:
                self.problems.append(f"render: {done.stderr.strip().splitlines()[-1]}")
                self.pixels = None
                return

    def ask(self):
        """What the clients are told."""
        draws = self.kind not in ("map", "landscape") and self.pixels is not None
        # Blender gets copies that say which object is which node and which action is which animation.
        for number, node in self.glb.meshes_in_scene():
            node["extras"] = {**node.get("extras", {}), "node_number": number}
            mesh = self.glb.json["meshes"][node["mesh"]]
            mesh.setdefault("extras", {}).setdefault("node_number", number)
        for number, animation in enumerate(self.glb.list("animations")):
            animation["name"] = str(number)
        self.glb.write(self.folder / "clips.glb")
        self.glb.write(self.folder / "no-pointers.glb", lambda channel: channel["target"]["path"] != "pointer")
        # Bonebox draws what has no texture in the colour of clay.
        for material in self.glb.list("materials"):
            surface = material.setdefault("pbrMetallicRoughness", {})
            if "baseColorTexture" not in surface and "j3d" not in material.get("extras", {}):
                *color, alpha = surface.get("baseColorFactor", [1.0, 1.0, 1.0, 1.0])
                surface["baseColorFactor"] = [c * clay for c, clay in zip(color, CLAY)] + [alpha]
        self.glb.write(self.folder / "still.glb", lambda channel: False)
        return {
            "id": self.id, "size": SIZE, "glb": str(self.file), "diagonal": self.diagonal, "moments": self.moments,
            "clips": str(self.folder / "clips.glb"), "still": str(self.folder / "still.glb"),
            "no_pointers": str(self.folder / "no-pointers.glb"),
            "blender_picture": str(self.folder / "blender.exr") if draws else None,
            "blender_pixels": str(self.folder / "blender.npy"),
            "three_picture": str(self.folder / "three.png") if draws else None,
        }

    def wraps(self):
        out = set()
        for texture in self.glb.list("textures"):
            sampler = self.glb.list("samplers")[texture["sampler"]] if "sampler" in texture else {}
            out.add(tuple(WRAPS[sampler.get(side, 10497)] for side in ("wrapS", "wrapT")))
        return out


def over_grey(rgba):
    """A picture in front of a middle grey."""
    alpha = rgba[..., 3:4] / 255
    return rgba[..., :3] * alpha + GREY * (1 - alpha)


def mean(shown, coverage):
    """The mean over what is covered, nothing where that is nothing."""
    covered = coverage[..., 3] >= 127.5
    return shown[covered].mean(axis=0) if covered.any() else None


def png(path):
    return np.array(Image.open(path).convert("RGBA"), dtype=np.float64)


def color_difference(case, found):
    """The largest difference of a channel's mean; nothing where either shows nothing."""
    ours, theirs = mean(png(case.pixels)[..., :3], png(case.coverage)), mean(over_grey(found), found)
    if ours is None or theirs is None:
        return 0.0 if (ours is None) == (theirs is None) else 255.0
    return float(np.abs(ours - theirs).max())


def validate(cases):
    """Errors and warnings of the Khronos validator, by case."""
    out = {}
    for start in range(0, len(cases), 40):
        part = cases[start : start + 40]
        done = run("node", HERE.parent / "gltf-validator/validate.mjs", "--json", *(c.file for c in part), check=False)
        for case, report in zip(part, json.loads(done.stdout)):
            messages = [m for m in report["messages"] if m["severity"] in ("errors", "warnings")]
            out[case.id] = [f"{m['code']} {m.get('pointer', '')}" for m in messages]
    return out


def transform(cases, work):
    """What gltf-transform says of each file, once it has read it and written it again."""
    out = {}
    tool = HERE / "node_modules/.bin/gltf-transform"
    for case in cases:
        done = run(tool, "copy", case.file, work / "copied.glb", check=False)
        out[case.id] = None if done.returncode == 0 else (done.stderr or done.stdout).strip().splitlines()[-1]
    return out


def main():
    bonebox, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    cases, failures = [], []
    for path in files_of(sys.argv[3:]):
        for kind, entry in models_of(bonebox, path):
            try:
                cases.append(Case(bonebox, work, len(cases), kind, path, entry))
            except (RuntimeError, KeyError, ValueError) as error:
                failures.append(f"{path.name}: {entry['path']}: {type(error).__name__} {error}")
    asked = work / "cases.json"
    asked.write_text(json.dumps([case.ask() for case in cases]))
    print(f"{len(cases)} models, {sum(len(c.moments) for c in cases)} moments", file=sys.stderr)
    clients = {"Blender": work / "blender.json", "three": work / "three.json"}
    commands = {"Blender": [sys.executable, HERE / "blender.py"], "three": ["node", HERE / "three.mjs"]}
    results = {}
    for name, at in clients.items():
        at.write_text("{}")
        done = subprocess.run([*map(str, commands[name]), str(asked), str(at)], stdout=subprocess.DEVNULL)
        results[name] = json.loads(at.read_text())
        if done.returncode != 0:
            failures.append(f"{name} ended with status {done.returncode}")
    valid, copied = validate(cases), transform(cases, work)

    kinds = collections.OrderedDict.fromkeys(case.kind for case in cases)
    print("| kind | models | validator | gltf-transform | file: poses | " + " | ".join(
        f"{client}: poses | {client}: colours" for client in clients) + " | wrap modes in Blender |")
    print("|---|---|---|---|---|" + "---|---|" * len(clients) + "---|")
    lines, good = [], True
    for kind in kinds:
        of = [case for case in cases if case.kind == kind]
        row = [kind, str(len(of)), share([not valid[c.id] for c in of]), share([copied[c.id] is None for c in of])]
        lines += [f"{c.label}: validator: {', '.join(valid[c.id][:3])}" for c in of if valid[c.id]]
        lines += [f"{c.label}: gltf-transform: {copied[c.id]}" for c in of if copied[c.id]]
        posed = [case for case in of if case.moments]
        row.append(amount([case.far for case in posed], POSE, "{:.1e}"))
        lines += [f"{c.label}: file: poses {c.far:.2e}, {c.where}" for c in posed if not c.far <= POSE]
        for client in clients:
            posed, colored = [], []
            for case in of:
                found = results[client].get(case.id, {"error": "no result"})
                if "error" in found:
                    lines.append(f"{case.label}: {client}: {found['error']}")
                    posed += [float("inf")] if case.moments else []
                    continue
                if "note" in found:
                    lines.append(f"{case.label}: {client}: {found['note']}")
                if case.moments:
                    pose = found.get("poses", {"error": "not posed"})
                    far = pose.get("worst", float("inf"))
                    posed.append(far)
                    if not far <= POSE:
                        why = ", as with four joints a vertex" if abs(far - case.first_four) < POSE / 10 else ""
                        lines.append(f"{case.label}: {client}: poses {far:.2e}, {pose.get('where', pose.get('error'))}{why}")
                if case.kind not in ("map", "landscape") and case.pixels is not None:
                    at = case.folder / ("blender.npy" if client == "Blender" else "three.png")
                    if not at.exists():
                        if case.glb.meshes_in_scene():
                            colored.append(float("inf"))
                            lines.append(f"{case.label}: {client}: no picture")
                        continue
                    far = color_difference(case, np.load(at) if client == "Blender" else png(at))
                    colored.append(far)
                    if not far <= COLOR:
                        lines.append(f"{case.label}: {client}: colours differ by {far:.1f} of 255")
            row += [amount(posed, POSE, "{:.1e}"), amount(colored, COLOR, "{:.0f}")]
        row.append(share([wraps_agree(case, results["Blender"].get(case.id, {}), lines) for case in of]))
        print("| " + " | ".join(row) + " |")
    for case in cases:
        lines += [f"{case.label}: {problem}" for problem in case.problems + case.skipped + [case.left_aside] if problem]
    for line in failures + lines:
        print(f"- {line}", file=sys.stderr)
    (work / "details.txt").write_text("\n".join(failures + lines) + "\n")
    sys.exit(1 if failures or lines else 0)


def wraps_agree(case, found, lines):
    """Blender has one way for both sides of an image node, and other nodes before it where the sides differ."""
    names = {"clamp": "EXTEND", "repeat": "REPEAT", "mirror": "MIRROR"}
    wanted = {names[s] if s == t else "EXTEND" for s, t in case.wraps()}
    agree = set(found.get("wraps", [])) <= wanted
    if not agree:
        lines.append(f"{case.label}: Blender: image nodes are {', '.join(found['wraps'])}; the file says {sorted(wanted)}")
    return agree


def amount(found, goal, form):
    """How many are within a goal, and the worst."""
    return f"{share([far <= goal for far in found])}, worst {form.format(max(found))}" if found else "–"


def share(done):
    return f"{sum(done)} of {len(done)}" if done else "–"


main()
