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

HERE = pathlib.Path(__file__).parent
KINDS = {
    "psk": "ActorX", "unreal": "Unreal", "bmd": "J3D", "bdl": "J3D", "rarc": "J3D", "yaz0": "J3D", "yay0": "J3D", "u8": "J3D",
    "charpipe-model": "character pipeline", "charpipe-archive": "character pipeline", "gpl": "character pipeline",
    "act": "character pipeline", "p3d": "P3D", "pew": "landscape", "wrp": "landscape",
}
MOMENTS = 5
# Figures of docs/FIGURES.md P20: a share of the diagonal, and of 255.
POSE, COLOR = 1e-3, 12.0
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
        meshes = [node for _, node in self.glb.meshes_in_scene()]
        if not meshes:
            return
        for animation in self.glb.list("animations"):
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
            for frame in sorted({round(last * step / (MOMENTS - 1)) for step in range(MOMENTS)}):
                clip = f"{source}::{says['entry']}"
                done = run(self.bonebox, "pose", self.path, self.which, "--clip", clip, "--frame", frame, "--json", check=False)
                if done.returncode != 0:
                    self.problems.append(f"pose {clip}: {done.stderr.strip().splitlines()[-1]}")
                    break
                self.moment(animation["name"], frame, frame / rate, json.loads(done.stdout), meshes)

    def moment(self, name, frame, time, pose, meshes):
        scene_from_file = np.linalg.inv(matrix(pose["file_from_scene"]))
        exact = all("skin" in node for node in meshes)
        if exact:
            to = lambda rows: scene_from_file @ matrix(rows) @ np.linalg.inv(scene_from_file)
            bones = [to(bone["world"]) for bone in pose["bones"]]
            points = []
            for node in meshes:
                joints = len(self.glb.json["skins"][node["skin"]]["joints"])
                # A joint for points that nothing moves comes last.
                worlds = np.array(bones + [np.eye(4)] * (joints - len(bones)))
                points.append(self.glb.skinned(node, worlds))
            points = np.concatenate(points)
        else:
            points = np.array(pose["points"], dtype=np.float64).reshape(-1, 3)
            points = (np.c_[points, np.ones(len(points))] @ scene_from_file.T)[:, :3]
            if len(points) == 0:
                return
        at = self.folder / f"moment-{len(self.moments)}.npy"
        np.save(at, points)
        points.astype("<f4").tofile(at.with_suffix(".f32"))
        self.moments.append({
            "animation": name, "frame": frame, "time": time, "points": str(at), "exact": exact,
            "floats": str(at.with_suffix(".f32")),
        })

    def picture(self):
        self.pixels = self.folder / "bonebox.png"
        done = run(self.bonebox, "render", self.path, self.which, "--view", "front", "--shading", "unlit", "--size", "256x256",
                   "--background", "transparent", "--force", "-o", self.pixels, check=False)
        if done.returncode != 0:
            self.problems.append(f"render: {done.stderr.strip().splitlines()[-1]}")
            self.pixels = None

    def ask(self):
        """What the clients are told."""
        draws = self.kind not in ("map", "landscape") and self.pixels is not None
        return {
            "id": self.id, "glb": str(self.file), "diagonal": self.diagonal, "moments": self.moments,
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
    """The mean over what is covered, in front of a middle grey."""
    alpha = rgba[..., 3:4] / 255
    covered = alpha[..., 0] >= 0.5
    if not covered.any():
        return None
    shown = rgba[..., :3] * alpha + 128 * (1 - alpha)
    return shown[covered].mean(axis=0)


def png(path):
    return np.array(Image.open(path).convert("RGBA"), dtype=np.float64)


def color_difference(case, found):
    """The largest difference of a channel's mean; nothing where either shows nothing."""
    ours, theirs = over_grey(png(case.pixels)), over_grey(found)
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
    print("| kind | models | validator | gltf-transform | " + " | ".join(
        f"{client}: poses | {client}: colours" for client in clients) + " | wrap modes in Blender |")
    print("|---|---|---|---|" + "---|---|" * len(clients) + "---|")
    lines, good = [], True
    for kind in kinds:
        of = [case for case in cases if case.kind == kind]
        row = [kind, str(len(of)), share([not valid[c.id] for c in of]), share([copied[c.id] is None for c in of])]
        lines += [f"{c.label}: validator: {', '.join(valid[c.id][:3])}" for c in of if valid[c.id]]
        lines += [f"{c.label}: gltf-transform: {copied[c.id]}" for c in of if copied[c.id]]
        for client in clients:
            posed, worst_pose, colored, worst_color = [], 0.0, [], 0.0
            for case in of:
                found = results[client].get(case.id, {"error": "no result"})
                if "error" in found:
                    lines.append(f"{case.label}: {client}: {found['error']}")
                    posed.append(False)
                    continue
                if case.moments:
                    pose = found.get("poses", {"error": "not posed"})
                    far = pose.get("worst", float("inf"))
                    posed.append(far <= POSE)
                    worst_pose = max(worst_pose, far)
                    if not posed[-1]:
                        lines.append(f"{case.label}: {client}: poses {far:.2e}, {pose.get('where', pose.get('error'))}")
                if case.kind not in ("map", "landscape") and case.pixels is not None:
                    at = case.folder / ("blender.npy" if client == "Blender" else "three.png")
                    if not at.exists():
                        if case.glb.meshes_in_scene():
                            colored.append(False)
                            lines.append(f"{case.label}: {client}: no picture")
                        continue
                    far = color_difference(case, np.load(at) if client == "Blender" else png(at))
                    colored.append(far <= COLOR)
                    worst_color = max(worst_color, far)
                    if not colored[-1]:
                        lines.append(f"{case.label}: {client}: colours differ by {far:.0f} of 255")
            row.append(f"{share(posed)}{f', worst {worst_pose:.1e}' if posed else ''}")
            row.append(f"{share(colored)}{f', worst {worst_color:.0f}' if colored else ''}")
        row.append(share([wraps_agree(case, results["Blender"].get(case.id, {}), lines) for case in of]))
        print("| " + " | ".join(row) + " |")
    for case in cases:
        lines += [f"{case.label}: {problem}" for problem in case.problems + case.skipped]
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


def share(done):
    return f"{sum(done)} of {len(done)}" if done else "–"


main()
