"""Exports models and clips of every family as PSK and PSA, reads them with psk-psa-py, poses them like Blender's add-on, and compares
them with `bonebox pose` of the source files. Prints a table as Markdown.

    python psk_psa.py BONEBOX WORK [CORPUS]
"""

import json
import math
import pathlib
import subprocess
import sys
import warnings

import numpy as np
from psk_psa_py.psa.reader import PsaReader
from psk_psa_py.psk.reader import read_psk_from_file

from nearest import nearest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "assets" / "samples"
MOMENTS = 5
# A share of the diagonal.
POSE = 1e-3


def cases(corpus):
    """Label, model file, its entry, clip file, its entry."""
    yield "PSK with PSA", SAMPLES / "Ossie.psk", None, SAMPLES / "Ossie.psa", None
    yield "Unreal (bones)", SAMPLES / "Bonebox.u", "OssieMesh", SAMPLES / "Bonebox.u", None
    yield "J3D", SAMPLES / "Bonebox.szs", None, SAMPLES / "Bonebox.szs", None
    for rule in ("basic", "softimage", "maya"):
        yield f"J3D, {rule}", SAMPLES / "ScalingRules.arc", f"bmd/{rule}.bmd", SAMPLES / "ScalingRules.arc", None
    yield "character pipeline", SAMPLES / "Helix.model", None, SAMPLES / "Helix.anm", None
    if corpus:
        synth = corpus / "j3d" / "synth"
        for model in ("arm_basic.bmd", "arm_softimage.bmd", "arm_maya.bmd"):
            for clip in ("arm_wave.bck", "arm_full.bca"):
                yield f"J3D, {model} with {clip}", synth / model, None, synth / clip, None
        folder = corpus / "charpipe"
        yield "character pipeline, arm_full", folder / "arm_full.model", None, folder / "arm_full.anm", None


def run(*arguments, check=True):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True)
    if check and done.returncode != 0:
        raise RuntimeError((done.stderr.strip() or f"status {done.returncode}").splitlines()[-1])
    return done


def entries(bonebox, path):
    return json.loads(run(bonebox, "list", path, "--json").stdout)["entries"]


def matrix(rows):
    out = np.eye(4)
    out[:3] = np.array(rows, dtype=np.float64).reshape(3, 4)
    return out


def rotation(x, y, z, w):
    x, y, z, w = np.array([x, y, z, w], dtype=np.float64) / math.sqrt(x * x + y * y + z * z + w * w)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])


def local(position, quaternion, scale, is_root):
    """Quaternions of all bones but the first are conjugates."""
    x, y, z, w = quaternion
    out = np.eye(4)
    out[:3, :3] = rotation(x, y, z, w) if is_root else rotation(-x, -y, -z, w)
    out[:3, :3] = out[:3, :3] @ np.diag(scale)
    out[:3, 3] = position
    return out


def name_of(record):
    return record.name.split(b"\0")[0].decode("utf-8", "replace").rstrip() if isinstance(record.name, bytes) else record.name


def worlds(bones, locals_):
    out = []
    for index, bone in enumerate(bones):
        parent = out[bone.parent_index] if index > 0 else np.eye(4)
        out.append(parent @ locals_[index])
    return out


def quaternion(q):
    return q.x, q.y, q.z, q.w


def vector(v):
    return v.x, v.y, v.z


class Posed:
    """A mesh file that its add-on has read, and a clip on it."""

    def __init__(self, psk_path, psa_path):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.psk = read_psk_from_file(str(psk_path))
        self.psa = PsaReader.from_path(str(psa_path))
        bones = self.psk.bones
        self.rest_locals = [local(vector(b.location), quaternion(b.rotation), (1, 1, 1), i == 0) for i, b in enumerate(bones)]
        self.rest = worlds(bones, self.rest_locals)
        self.names = [name_of(b) for b in bones]
        self.points = np.array([[*vector(p), 1.0] for p in self.psk.points])
        self.weights = np.zeros((len(self.points), len(bones)))
        for weight in self.psk.weights:
            self.weights[weight.point_index, weight.bone_index] += weight.weight
        totals = self.weights.sum(axis=1, keepdims=True)
        self.weights /= np.where(totals > 0, totals, 1.0)
        corners = [w for face in self.psk.faces for w in face.wedge_indices]
        self.used = np.array(sorted({self.psk.wedges[w].point_index for w in corners}))

    def pose(self, sequence, frame):
        """Points of triangles in a frame, and where bones are by name, in the axes of the file."""
        keys = self.psa.read_sequence_keys(sequence)
        scales = self.psa.read_sequence_scale_keys(sequence) if self.psa.has_scale_keys else []
        count = len(self.psa.bones)
        at = {name_of(bone): index for index, bone in reversed(list(enumerate(self.psa.bones)))}
        locals_ = list(self.rest_locals)
        for index, name in enumerate(self.names):
            if name in at:
                key = keys[frame * count + at[name]]
                scale = vector(scales[frame * count + at[name]].scale) if scales else (1, 1, 1)
                locals_[index] = local(vector(key.location), quaternion(key.rotation), scale, index == 0)
        posed = worlds(self.psk.bones, locals_)
        moved = np.array([p @ np.linalg.inv(r) for p, r in zip(posed, self.rest)])
        blended = np.einsum("pb,bij->pij", self.weights[self.used], moved)
        points = np.einsum("pij,pj->pi", blended, self.points[self.used])[:, :3]
        return points, {name: world[:3, 3] for name, world in zip(self.names, posed) if self.names.count(name) == 1}


def check(bonebox, work, number, case):
    label, model, model_entry, clips, clip_entry = case
    folder = work / f"psk-{number:02}"
    folder.mkdir(parents=True, exist_ok=True)
    psk = folder / "model.psk"
    which = [model_entry] if model_entry else []
    run(bonebox, "export", model, *which, "--format", "psk", "--force", "-o", psk)
    # From the scene, Y up, to the mesh file, Z up.
    psk_from_scene = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]], dtype=np.float64)

    def stated(*clip):
        """What Bonebox says, its points in the axes of the mesh file, and what turns its bones there."""
        pose = json.loads(run(bonebox, "pose", model, *which, *clip, "--json").stdout)
        to_psk = psk_from_scene @ np.linalg.inv(matrix(pose["file_from_scene"]))
        points = np.array(pose["points"], dtype=np.float64).reshape(-1, 3)
        return pose, (np.c_[points, np.ones(len(points))] @ to_psk.T)[:, :3], to_psk

    drawn = None
    rows = []
    for entry in entries(bonebox, clips):
        if entry["content"] != "clip" or entry["role"] != "clip" or clip_entry not in (None, entry["path"]):
            continue
        clip = f"{clips}::#{entry['id']}"
        probe = run(bonebox, "pose", model, *which, "--clip", clip, "--frame", 0, "--json", check=False)
        if probe.returncode != 0:
            continue
        psa = folder / f"clip-{entry['id']}.psa"
        # Of the model, with the clip.
        done = run(bonebox, "export", model, *which, "--clip", clip, "--format", "psa", "--force", "-o", psa, check=False)
        title = entry["path"] or clips.name
        if done.returncode != 0:
            why = next((l for l in done.stderr.splitlines() if l.startswith("error")), done.stderr.strip())
            # What the format cannot hold is refused; nothing else is.
            rows.append((label, title, None, None, ("refused: " if "shear" in why else "FAILED: ") + why))
            continue
        posed = Posed(psk, psa)
        (sequence,) = posed.psa.sequences
        frames = posed.psa.sequences[sequence].frame_count
        worst = 0.0
        for step in range(MOMENTS):
            frame = (frames - 1) * step // (MOMENTS - 1)
            pose, wanted, to_psk = stated("--clip", clip, "--frame", frame)
            found, bones = posed.pose(sequence, frame)
            size = max(float(np.linalg.norm(found.max(axis=0) - found.min(axis=0))), 1e-9)
            # PSA moves no morphs that such programs know.
            if not any(morph["weight"] for morph in pose["morphs"]):
                if label.startswith("character"):
                    # Bonebox states every slot of the skinned mesh, of other meshes none. Slots that no triangle uses are not in
                    # the mesh file: those are not where any of its points rests.
                    if drawn is None:
                        _, resting, _ = stated()
                        points = posed.points[posed.used, :3]
                        drawn = np.array([nearest(slot[None], points) <= 1e-5 * size for slot in resting])
                        label += f" (without {len(drawn) - drawn.sum()} of {len(drawn)} slots, which no triangle uses)"
                    far = nearest(wanted[drawn], found)
                else:
                    far = nearest(found, wanted)
                worst = max(worst, far / size)
            for bone in pose["bones"]:
                at = (to_psk @ matrix(bone["world"]) @ (0, 0, 0, 1))[:3]
                if bone["name"] in bones:
                    worst = max(worst, float(np.linalg.norm(at - bones[bone["name"]])) / size)
        rows.append((label, title, frames, worst, "ok" if worst <= POSE else "FAR"))
    if not rows:
        raise RuntimeError("no clip was exported")
    return rows


def main():
    bonebox, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    corpus = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    failed = False
    print("| model | clip | frames | maximum point error, as a fraction of the diagonal | |")
    print("|---|---|---|---|---|")
    for number, case in enumerate(cases(corpus)):
        try:
            rows = check(bonebox, work, number, case)
        except Exception as error:  # What goes wrong with one file is a line of the table.
            rows = [(case[0], "", None, None, f"FAILED: {error}")]
        for label, clip, frames, worst, result in rows:
            failed |= result.startswith(("FAR", "FAILED"))
            print(f"| {label} | {clip} | {frames or ''} | {'' if worst is None else f'{worst:.1e}'} | {result} |")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
