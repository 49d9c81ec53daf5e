"""Exports every model of the samples and of the test corpus as GLB, opens the files in other programs, and compares the results with
`bonebox pose` and `bonebox render`. Prints tables of model types and clients as Markdown.

    python clients.py [-j N] [--seed N] BONEBOX WORK FILE|FOLDER...
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

import numpy as np
from PIL import Image

from glb import Glb
from nearest import chosen, coincident

HERE = pathlib.Path(__file__).parent
KINDS = {
    "psk": "ActorX", "unreal": "Unreal", "mesh3d": "Unreal", "bmd": "J3D", "bdl": "J3D", "rarc": "J3D", "yaz0": "J3D", "yay0": "J3D", "u8": "J3D",
    "charpipe-model": "character pipeline", "charpipe-archive": "character pipeline", "gpl": "character pipeline",
    "act": "character pipeline", "p3d": "P3D", "pew": "landscapes", "wrp": "landscapes",
}
# Shares of a clip: uneven, so that keys lie between them too.
MOMENTS = (0.0, 0.21, 0.5, 0.68, 1.0)
# Clients are looked at this many seconds after a frame, so that a step has been taken whatever their rounding.
AFTER = 1e-5
# Seed of the order in which clips are played.
SEED = 20
# Figures of docs/FIGURES.md P20: a share of the diagonal, and of 255.
POSE, COLOR = 1e-3, 12.0
# Degrees of hue, and the client's saturation as a share of ours.
HUE, SATURATION = 10.0, 0.8
# Hue is compared where both pictures have more saturation than this, and neither is nearly black (of 255).
COLORFUL, BLACK = 0.1, 8.0
# Clips that are added by hand to a second export of a model.
BY_HAND = 3
BY_HAND_KIND = "clips selected with `--clip`"
# Part of a note of the export about a material that glTF cannot hold; the reasons follow it.
NEARLY = "is approximated: "
# Sides of all pictures, in pixels: parts that are thin are several pixels wide, so that what a client makes of their edges hardly counts.
SIZE = 1024
# What colours are compared before.
GREY = 128
# The colour of surfaces without a texture in Bonebox's pictures, as linear light (src/gpu/model.rs).
CLAY = [((c + 0.055) / 1.055) ** 2.4 for c in (0.76, 0.735, 0.705)]
WRAPS = {33071: "clamp", 33648: "mirror", 10497: "repeat"}


def run(*arguments, check=True):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, timeout=900)
    if check and done.returncode != 0:
        raise RuntimeError((done.stderr.strip() or f"status {done.returncode}").splitlines()[-1])
    return done


def files_of(paths):
    for path in map(pathlib.Path, paths):
        found = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        yield from (p for p in found if not p.name.startswith("bad_") and "bad" not in p.parts)


def models_of(bonebox, path):
    """Entries of a file that are models of their own; an error if the file is not opened."""
    done = run(bonebox, "list", path, "--json")
    listed = json.loads(done.stdout)
    kind = KINDS.get(listed["format"])
    for entry in listed["entries"] if kind else ():
        if entry["content"] in ("model", "map", "terrain") and entry["role"] not in ("skeleton", "part", "bone"):
            it = {"map": "levels", "terrain": "landscapes"}.get(entry["content"], kind)
            if it == "Unreal":
                it += ", skeletal meshes" if entry["class"] == "SkeletalMesh" else ", vertex meshes and brushes"
            yield it, entry


def matrix(rows):
    out = np.eye(4)
    out[:3] = np.array(rows, dtype=np.float64).reshape(3, 4)
    return out


def find(name, near):
    """A file that an animation says it comes from: beside the model, or in a folder beside or above it."""
    for found in (near.parent / name, *(f for folder in (near.parent, near.parent.parent) for f in sorted(folder.rglob(name)))):
        if found.is_file():
            return found
    return None


def shuffled(moments, seed):
    """An order of moments (by index) in which the clip changes at every step, as long as another clip has moments left."""
    draw, left, out, last = random.Random(seed), collections.defaultdict(list), [], None
    for index, moment in enumerate(moments):
        left[moment["number"]].append(index)
    while any(left.values()):
        others = [number for number, indices in left.items() for _ in indices if number != last]
        last = draw.choice(others or [last])
        out.append(left[last].pop(draw.randrange(len(left[last]))))
    return out


class Case:
    """A model, its export, and the poses and colours that Bonebox shows."""

    def __init__(self, bonebox, folder, kind, path, entry, clips=(), edit=None, pictures=True):
        self.bonebox, self.path, self.entry, self.kind, self.folder, self.clips = bonebox, path, entry, kind, folder, clips
        self.id = folder.name
        self.label = path.name if entry["path"] in ("", path.name) else f"{path.name}: {entry['path']}"
        self.label += "".join(f" --clip {clip.removeprefix(f'{path.parent}/')}" for clip in clips)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.file, self.problems, self.moments, self.skipped = self.folder / "model.glb", [], [], []
        # The posed file against Bonebox: distance, place, and what is not compared.
        self.far, self.where, self.left_aside = 0.0, None, []
        # Distance of the file from itself when each vertex follows its first four joints alone.
        self.first_four = 0.0
        self.which = f"#{entry['id']}"
        by_hand = [argument for clip in clips for argument in ("--clip", clip)]
        done = run(bonebox, "export", path, self.which, "--scale", "1", *by_hand, "--force", "-v", "-o", self.file)
        self.notes = [line for line in done.stderr.splitlines() if line]
        self.glb = Glb(self.file)
        if edit:
            edit(self.glb)
            self.glb.write(self.file)
        self.diagonal = self.size()
        self.pixels, self.bones, self.joints = None, [], []
        if kind not in ("levels", "landscapes"):
            self.rest()
            self.poses()
            if pictures:
                self.picture()

    def size(self):
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        for _, node in self.glb.meshes_in_scene():
            for _, points, used in self.glb.positions(node):
                if len(used):
                    low, high = np.minimum(low, points[used].min(axis=0)), np.maximum(high, points[used].max(axis=0))
        return float(np.linalg.norm(high - low)) if np.isfinite(low).all() else 0.0

    def reasons(self):
        """What of this model glTF cannot hold, from the export's notes, without the names."""
        found = (note.partition(NEARLY)[2] for note in self.notes)
        parts = (re.sub(r"its texture “[^”]*” is", "a texture is", part) for text in found if text for part in text.split("; "))
        return sorted({re.sub(r":.*", "", part) for part in parts})

    def stated(self, *arguments):
        """The pose that Bonebox states, with points and bones in the axes of the file."""
        pose = json.loads(run(self.bonebox, "pose", self.path, self.which, *arguments, "--json").stdout)
        scene_from_file = np.linalg.inv(matrix(pose["file_from_scene"]))
        points = np.array(pose["points"], dtype=np.float64).reshape(-1, 3)
        points = (np.c_[points, np.ones(len(points))] @ scene_from_file.T)[:, :3]
        bones = [scene_from_file @ matrix(bone["world"]) @ np.linalg.inv(scene_from_file) for bone in pose["bones"]]
        return pose["bones"], bones, points

    def rest(self):
        """Finds the joints of the file and, for each vertex of the file, the points of Bonebox that rest at the same position."""
        self.meshes = [number for number, _ in self.glb.meshes_in_scene()]
        skins = [self.glb.json["skins"][node["skin"]] for _, node in self.glb.meshes_in_scene() if "skin" in node]
        self.bones, _, points = self.stated()
        # A joint for points that nothing moves comes last.
        self.joints = skins[0]["joints"][: len(self.bones)] if skins else []
        if any(skin["joints"][: len(self.bones)] != self.joints for skin in skins):
            self.problems.append("the skins have different joints")
        values = self.glb.rest()
        vertices = self.drawn(values, self.glb.worlds(values))
        parts = [part for number in self.meshes for part in self.glb.positions(self.glb.json["nodes"][number])]
        # three.js poses no lines and no points.
        self.of_triangles = np.repeat([primitive.get("mode", 4) == 4 for primitive, _, _ in parts], [len(used) for _, _, used in parts])
        if lines := int((~self.of_triangles).sum()):
            self.left_aside.append(f"{lines} of {len(vertices)} vertices belong to lines or points, which three.js does not pose")
        self.candidates = coincident(vertices, points, 1e-5 * self.diagonal)
        lone = int((self.candidates[:, 0] < 0).sum())
        if lone and self.joints:
            self.left_aside.append(f"{lone} of {len(vertices)} vertices follow Bonebox's bones, because Bonebox reports no point for them")
        if lone and (not self.joints or len(skins) != len(self.meshes)):
            self.problems.append(f"{lone} of {len(vertices)} vertices have no point in Bonebox, and not all of these vertices have joints")
        unused = len(points) - len(np.unique(self.candidates[self.candidates >= 0]))
        if unused:
            self.left_aside.append(f"{unused} of {len(points)} points are not used by a triangle")

    def drawn(self, values, worlds, first_four=False):
        return np.concatenate([self.glb.drawn(number, values, worlds, first_four) for number in self.meshes] or [np.zeros((0, 3))])

    def poses(self):
        if not self.meshes or self.diagonal == 0:
            return
        for index, animation in enumerate(self.glb.list("animations")):
            says = animation.get("extras", {})
            if "file" not in says:
                self.skipped.append(f"{animation.get('name')}: has no source")
                continue
            source = self.path if says["file"] == self.path.name else find(says["file"], self.path)
            if source is None:
                self.skipped.append(f"{animation['name']}: {says['file']} was not found")
                continue
            paths = {channel["target"]["path"] for channel in animation["channels"]}
            if not paths & {"translation", "rotation", "scale", "weights"}:
                continue
            last, rate = float(says["frames"]), float(says["rate_hz"])
            for frame in sorted({round(last * share) for share in MOMENTS}):
                clip = f"{source}::{says['entry']}"
                try:
                    self.moment(index, frame, rate, clip)
                except RuntimeError as error:
                    self.problems.append(f"pose {clip}: {error}")
                    break

    def moment(self, index, frame, rate, clip):
        """Keeps the vertices and bones that Bonebox states, and notes the distance of the file itself, posed with numpy."""
        _, bones, stated = self.stated("--clip", clip, "--frame", frame)
        animation = self.glb.json["animations"][index]
        # Keys' times are single floats.
        values = self.glb.at(animation, float(np.float32(frame) / np.float32(rate)))
        worlds = self.glb.worlds(values)
        points = self.drawn(values, worlds)
        wanted = chosen(self.candidates, stated, points, self.by_bones(bones, values, worlds))
        self.note_far(np.linalg.norm(wanted - points, axis=1), f"{animation['name']} at {frame:g}, a vertex")
        for bone, joint in zip(bones, self.joints):
            far = np.linalg.norm((bone - worlds[joint])[:3, 3])
            self.note_far(far, f"{animation['name']} at {frame:g}, bone {self.glb.json['nodes'][joint]['name']}")
        time = frame / rate + AFTER
        values = self.glb.at(animation, time)
        worlds = self.glb.worlds(values)
        far = np.linalg.norm(self.drawn(values, worlds, first_four=True) - self.drawn(values, worlds), axis=1)
        self.first_four = max(self.first_four, float(far.max(initial=0.0)) / self.diagonal)
        at = self.folder / f"moment-{len(self.moments)}.npy"
        np.save(at, wanted)
        wanted[self.of_triangles].astype("<f4").tofile(at.with_suffix(".f32"))
        self.moments.append({
            "animation": animation["name"], "number": index, "frame": frame, "time": time, "points": str(at),
            "floats": str(at.with_suffix(".f32")), "bones": [bone[:3, 3].tolist() for bone in bones][: len(self.joints)],
        })

    def by_bones(self, bones, values, worlds):
        """Vertices as Bonebox's bones move them."""
        moved = {**worlds, **dict(zip(self.joints, bones))}
        return self.drawn(values, moved)

    def note_far(self, distances, where):
        far = float(np.max(distances, initial=0.0)) / self.diagonal
        if not far <= self.far:
            self.far, self.where = far, where

    def picture(self):
        """Draws what Bonebox shows before a grey, lit and unlit, and what of it is covered: what is added to the background has no
        colour without one."""
        self.pixels, self.lit, self.coverage = (self.folder / f"{name}.png" for name in ("unlit", "lit", "coverage"))
        grey = f"{GREY:02x}" * 3
        for shading, background, at in ("unlit", grey, self.pixels), ("lit", grey, self.lit), ("unlit", "transparent", self.coverage):
            done = run(self.bonebox, "render", self.path, self.which, "--view", "front", "--shading", shading, "--size",
                       f"{SIZE}x{SIZE}", "--background", background, "--force", "-o", at, check=False)
            if done.returncode != 0:
                self.problems.append(f"render: {done.stderr.strip().splitlines()[-1]}")
                self.pixels = None
                return

    def by_hand(self):
        """Clips that fit the model by `bonebox find`, and are not in its plain export."""
        found = run(self.bonebox, "find", self.path.parent, "--clips-for", f"{self.path}::{self.which}", "--json", check=False)
        if found.returncode != 0:
            return []
        has = {(it.get("file"), it.get("entry")) for it in (a.get("extras", {}) for a in self.glb.list("animations"))}
        out = []
        for clip in json.loads(found.stdout):
            entry = clip.get("entry") or f"#{clip['id']}"
            if clip["role"] == "clip" and (pathlib.Path(clip["file"]).name, entry) not in has:
                out.append(f"{self.path.parent / clip['file']}::{entry}")
        return out[:BY_HAND]

    def ask(self, seed):
        """The questions for the clients."""
        # Blender gets copies that say which object is which node and which action is which animation.
        for number, node in enumerate(self.glb.list("nodes")):
            node["extras"] = {**node.get("extras", {}), "node_number": number}
            if "mesh" in node:
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
        draws = self.pixels is not None
        for old in ("blender.npy", "three.png"):
            (self.folder / old).unlink(missing_ok=True)
        return {
            "id": self.id, "size": SIZE, "glb": str(self.file), "diagonal": self.diagonal, "moments": self.moments,
            "order": shuffled(self.moments, seed), "joints": self.joints, "parents": [bone["parent"] for bone in self.bones],
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


def hue_saturation(rgb):
    """Hue in degrees and saturation of each pixel, as HSV has them; what is nearly black has no saturation."""
    high, low = rgb.max(axis=-1), rgb.min(axis=-1)
    chroma = high - low
    r, g, b = np.moveaxis(rgb, -1, 0)
    safe = np.maximum(chroma, 1e-9)
    hue = np.select([high == r, high == g], [(g - b) / safe % 6, (b - r) / safe + 2], (r - g) / safe + 4) * 60
    return hue, np.where(high < BLACK, 0.0, chroma / np.maximum(high, 1e-9))


def lit_difference(case, found):
    """The mean difference of hue in degrees and the share of saturation, of a client's base colours against what Bonebox shows lit;
    nothing where there is too little colour to compare."""
    coverage = png(case.coverage)[..., 3] / 255
    both = (coverage >= 0.5) & (found[..., 3] >= 127.5)
    if not both.any():
        return None, None
    (hue, ours), (other, theirs) = hue_saturation(png(case.lit)[both][:, :3]), hue_saturation(over_grey(found)[both])
    weights = np.where((ours > COLORFUL) & (theirs > COLORFUL), ours, 0.0) * coverage[both]
    apart = np.abs((hue - other + 180) % 360 - 180)
    # A few pixels of colour, such as those of edges, are no colour of a model.
    far = float((apart * weights).sum() / weights.sum()) if (weights > 0).mean() > 0.005 else None
    mean = np.average(ours, weights=coverage[both])
    return far, float(np.average(theirs, weights=coverage[both]) / mean) if mean > COLORFUL / 4 else None


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


def transform(case):
    """The error of gltf-transform, when it reads a file and writes it again."""
    done = run(HERE / "node_modules/.bin/gltf-transform", "copy", case.file, case.folder / "copied.glb", check=False)
    return None if done.returncode == 0 else (done.stderr or done.stdout).strip().splitlines()[-1]


CLIENTS = {"Blender": [sys.executable, HERE / "blender.py"], "three.js": ["node", HERE / "three.mjs"]}


def show(client, asked, at):
    """The answers of a client by case. Where it ends early, the case that it was at has an error, and the others get another start."""
    answers = {}
    while left := [it for it in asked if it["id"] not in answers]:
        cases, results = at.with_name(f"{at.name}.cases.json"), at.with_name(f"{at.name}.json")
        cases.write_text(json.dumps(left))
        results.write_text("{}")
        done = subprocess.run([*map(str, CLIENTS[client]), str(cases), str(results)], stdout=subprocess.DEVNULL)
        new = json.loads(results.read_text())
        missing = [it["id"] for it in left if it["id"] not in new]
        answers |= new | {id: {"error": f"{client} ended with status {done.returncode}"} for id in missing[:1]}
    return answers


class Table:
    """The rows of the tables, and lines about what misses a goal or is left aside."""

    def __init__(self, work, cases, failed, results, valid, copied):
        self.work, self.cases, self.failed, self.results, self.valid, self.copied = work, cases, failed, results, valid, copied
        self.misses, self.notes = [line for lines in failed.values() for line in lines], []

    def miss(self, case, text):
        self.misses.append(f"{case.label}: {text}")

    def print(self):
        kinds = list(dict.fromkeys([*(case.kind for case in self.cases), *self.failed]))
        rows = [(kind, [case for case in self.cases if case.kind == kind]) for kind in kinds]
        for case in self.cases:
            self.misses += [f"{case.label}: {line}" for line in case.problems + case.skipped]
            self.notes += [f"{case.label}: {line}" for line in case.left_aside]
            for client, answers in self.results.items():
                if "note" in answers[case.id]:
                    self.notes.append(f"{case.label}: {client}: {answers[case.id]['note']}")
                if "error" in answers[case.id]:
                    self.miss(case, f"{client}: {answers[case.id]['error']}")
        print_table(["kind", "models", "validator", "glTF-Transform", "file: poses",
                     *(f"{client}: poses (after clip changes)" for client in CLIENTS), "Blender: armature"],
                    [[kind, self.exported(kind, of), self.files(of, self.valid, "validator"), self.files(of, self.copied, "glTF-Transform"),
                      self.file_poses(of), *(self.poses(of, client) for client in CLIENTS), self.armatures(of)] for kind, of in rows])
        print()
        print_table(["kind", *(f"{client}: {what}" for client in CLIENTS for what in ("colours", "hue", "saturation")), "exceptions",
                     "wrap modes in Blender"],
                    [[kind, *self.colors(of), share([self.wraps_agree(case) for case in of])] for kind, of in rows])

    def exported(self, kind, of):
        failed = len(self.failed.get(kind, ()))
        return f"{len(of)} of {len(of) + failed}" if failed else str(len(of))

    def files(self, of, found, name):
        for case in of:
            if found[case.id]:
                self.miss(case, f"{name}: {found[case.id] if isinstance(found[case.id], str) else ', '.join(found[case.id][:3])}")
        return share([not found[case.id] for case in of])

    def file_poses(self, of):
        posed = [case for case in of if case.moments]
        for case in posed:
            if not case.far <= POSE:
                self.miss(case, f"file: poses {case.far:.2e}, {case.where}")
        return amount([case.far for case in posed], POSE, "{:.1e}")

    def poses(self, of, client):
        out = []
        for case in of:
            if not case.moments:
                continue
            pose = self.results[client][case.id].get("poses", {"error": "not posed"})
            far = pose.get("worst", float("inf"))
            out.append(far)
            if not far <= POSE:
                why = ", as with four joints a vertex" if abs(far - case.first_four) < POSE / 10 else ""
                self.miss(case, f"{client}: poses {far:.2e}, {pose.get('where', pose.get('error'))}{why}")
        return amount(out, POSE, "{:.1e}")

    def armatures(self, of):
        """Models with bones: one armature with one tree, whose bones are the joints that Bonebox states; how many bones are helpers."""
        agree, helpers, models = [], 0, 0
        for case in of:
            if not case.bones or not case.meshes:
                continue
            found = self.results["Blender"][case.id].get("armature", {"faults": ["not opened"], "helpers": 0})
            agree.append(not found["faults"])
            if found["faults"]:
                self.miss(case, f"Blender: armature: {'; '.join(found['faults'])}")
            if found["helpers"]:
                helpers, models = helpers + found["helpers"], models + 1
                self.notes.append(f"{case.label}: Blender: {found['helpers']} helper bones")
        return share(agree) + (f"; {helpers} helper bones in {models} models" if helpers else "")

    def colors(self, of):
        """Colours, hue and saturation of each client, and the models that are excepted with the reasons."""
        out, excepted, reasons = [], set(), set()
        for client in CLIENTS:
            colored, hues, saturations = [], [], []
            for case in of:
                if case.pixels is None:
                    continue
                at = case.folder / ("blender.npy" if client == "Blender" else "three.png")
                if not at.exists():
                    if case.meshes:
                        colored.append(float("inf"))
                        self.miss(case, f"{client}: no picture")
                    continue
                found = np.load(at) if client == "Blender" else png(at)
                far = color_difference(case, found)
                colored.append(far)
                if not far <= COLOR:
                    self.miss(case, f"{client}: colours differ by {far:.1f} of 255")
                hue, saturation = lit_difference(case, found)
                wrong = [f"hue differs by {hue:.1f}°"] if hue is not None and not hue <= HUE else []
                wrong += [f"saturation is {saturation:.2f} of ours"] if saturation is not None and not saturation >= SATURATION else []
                if wrong and case.reasons():
                    excepted.add(case.id)
                    reasons |= set(case.reasons())
                    why = f"{', '.join(wrong)}; in the export's notes: {'; '.join(case.reasons())}"
                    self.notes.append(f"{case.label}: {client}: exception: {why}")
                    continue
                if wrong:
                    self.miss(case, f"{client}: lit: {', '.join(wrong)}")
                hues += [hue] if hue is not None else []
                saturations += [saturation] if saturation is not None else []
            out += [amount(colored, COLOR, "{:.0f}"), amount(hues, HUE, "{:.0f}°"), amount(saturations, SATURATION, "{:.2f}", least=True)]
        return [*out, f"{len(excepted)}: {'; '.join(sorted(reasons))}" if excepted else "–"]

    def wraps_agree(self, case):
        """Blender has one way for both sides of an image node, and other nodes before it where the sides differ."""
        names = {"clamp": "EXTEND", "repeat": "REPEAT", "mirror": "MIRROR"}
        wanted = {names[s] if s == t else "EXTEND" for s, t in case.wraps()}
        found = self.results["Blender"][case.id].get("wraps", [])
        agree = set(found) <= wanted
        if not agree:
            self.miss(case, f"Blender: image nodes are {', '.join(found)}; the file has {sorted(wanted)}")
        return agree


def print_table(head, rows):
    for row in [head, ["---"] * len(head), *rows]:
        print("| " + " | ".join(row) + " |" if row[0] != "---" else "|" + "---|" * len(head))


def amount(found, goal, form, least=False):
    """How many are within a goal, and the worst."""
    if not found:
        return "–"
    return f"{share([far >= goal if least else far <= goal for far in found])}, worst {form.format((min if least else max)(found))}"


def share(done):
    return f"{sum(done)} of {len(done)}" if done else "–"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("bonebox", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    began, work, bonebox = time.monotonic(), options.work, options.bonebox
    work.mkdir(parents=True, exist_ok=True)
    # The index that `bonebox find` keeps, and no settings of the user.
    for name in ("DATA", "CONFIG", "CACHE", "STATE"):
        os.environ[f"XDG_{name}_HOME"] = str(work / "xdg")
    found, unopened, failed = [], [], collections.defaultdict(list)
    for path in files_of(options.paths):
        try:
            found += [(kind, path, entry) for kind, entry in models_of(bonebox, path)]
        except Exception as error:
            unopened.append(f"{path.name}: not opened: {str(error).partition(' (known: ')[0]}")

    def cases_of(numbered):
        """A model as it is exported without more, and once more with clips by hand where others fit it."""
        number, (kind, path, entry) = numbered
        out = []
        try:
            out.append(Case(bonebox, work / f"{number:03}", kind, path, entry))
            if clips := out[0].bones and out[0].by_hand():
                out.append(Case(bonebox, work / f"{number:03}-clips", BY_HAND_KIND, path, entry, clips, pictures=False))
        except Exception as error:  # A model that fails is a row of the table, not the end of it.
            failed[BY_HAND_KIND if out else kind].append(f"{path.name}: {entry['path']}: {type(error).__name__} {error}")
        return out

    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        cases = [case for each in pool.map(cases_of, enumerate(found)) for case in each]
        asked = [case.ask(options.seed) for case in cases]
        print(f"{len(cases)} exports, {sum(len(c.moments) for c in cases)} moments in random order (seed {options.seed}); "
              f"{len(unopened)} files were not opened; {time.monotonic() - began:.0f} s", file=sys.stderr)
        parts = [(client, part, asked[part :: options.j]) for client in CLIENTS for part in range(options.j)]
        answers = pool.map(lambda it: show(it[0], it[2], work / f"{it[0]} {it[1]}"), parts)
        results = collections.defaultdict(dict)
        for (client, _, _), answer in zip(parts, answers):
            results[client] |= answer
        valid = validate(cases)
        copied = dict(zip([case.id for case in cases], pool.map(transform, cases)))
    table = Table(work, cases, failed, results, valid, copied)
    table.print()
    for title, lines in ("Misses", table.misses), ("Notes", table.notes + unopened):
        print(f"{title}: {len(lines)}", *(f"- {line}" for line in lines), sep="\n", file=sys.stderr)
    (work / "details.txt").write_text("\n".join(["Misses:", *table.misses, "", "Notes:", *table.notes, *unopened]) + "\n")
    print(f"{time.monotonic() - began:.0f} s in total", file=sys.stderr)
    sys.exit(1 if table.misses else 0)


if __name__ == "__main__":
    main()
