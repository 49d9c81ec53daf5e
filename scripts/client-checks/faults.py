"""Verifies that the check detects faults: exports the sample Ossie, adds one fault to each copy, and checks it in Blender and three.js.
Ends with an error if a fault is missed, or reported where there is none.

    python faults.py [--seed N] BONEBOX WORK
"""

import argparse
import pathlib
import sys

import numpy as np

from clients import CLIENTS, HUE, POSE, SATURATION, SEED, Case, lit_difference, models_of, png, show

OSSIE = pathlib.Path(__file__).resolve().parents[2] / "assets" / "samples" / "Ossie.psk"


def leave_out(glb):
    """Leaves out of the first clip the keys that all equal the rest of their node, where another clip moves it."""
    rest, animations = glb.rest(), glb.list("animations")

    def still(animation, channel):
        target, sampler = channel["target"], animation["samplers"][channel["sampler"]]
        keys, at_rest = glb.accessor(sampler["output"]).astype(np.float64), rest[target["node"]][target["path"]]
        return sampler.get("interpolation") != "CUBICSPLINE" and np.abs(keys.reshape(-1, at_rest.size) - at_rest).max() < 1e-5

    moved = {(c["target"]["node"], c["target"]["path"]) for a in animations[1:] for c in a["channels"] if not still(a, c)}
    first = animations[0]
    kept = [c for c in first["channels"] if (c["target"]["node"], c["target"]["path"]) not in moved or not still(first, c)]
    leave_out.done = f"{len(first['channels']) - len(kept)} channels removed from “{first['name']}”"
    first["channels"] = kept


def tint(glb):
    for material in glb.list("materials"):
        material["pbrMetallicRoughness"]["baseColorFactor"] = [0.3, 0.5, 1.0, 1.0]


def fade(glb):
    """Leaves the textures out."""
    for material in glb.list("materials"):
        material["pbrMetallicRoughness"].pop("baseColorTexture", None)


def cut_off(glb):
    """Makes a joint without children a root, where it rests."""
    joints = glb.json["skins"][0]["joints"]
    joint = next(n for n in reversed(joints) if not glb.json["nodes"][n].get("children"))
    place = glb.worlds(glb.rest())[joint][:3, 3].tolist()
    for node in glb.list("nodes"):
        if joint in node.get("children", ()):
            node["children"].remove(joint)
            if not node["children"]:
                del node["children"]
    glb.json["nodes"][joint]["translation"] = place
    glb.json["scenes"][0]["nodes"].append(joint)
    glb.json["skins"][0].pop("skeleton", None)


# Names of copies, the fault of each, and the columns in which it is to be seen.
FAULTS = {
    "unchanged": (None, set()),
    "keys removed": (leave_out, {"poses"}),
    "materials tinted": (tint, {"hue"}),
    "textures removed": (fade, {"saturation"}),
    "a joint detached from its parent": (cut_off, {"poses", "armature"}),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("bonebox", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    options = parser.parse_args()
    kind, entry = next(models_of(options.bonebox, OSSIE))
    cases = [
        Case(options.bonebox, options.work / name.replace(" ", "-"), kind, OSSIE, entry, edit=edit) for name, (edit, _) in FAULTS.items()
    ]
    asked = [case.ask(options.seed) for case in cases]
    results = {client: show(client, asked, options.work / client) for client in CLIENTS}
    print(f"| copy of Ossie | file: poses | {' | '.join(f'{client}: poses (after clip changes)' for client in CLIENTS)} | Blender: hue "
          f"| Blender: saturation | Blender: armature |\n|---|---|---|---|---|---|---|")
    wrong = []
    for (name, (edit, wanted)), case in zip(FAULTS.items(), cases):
        found = {client: results[client][case.id] for client in CLIENTS}
        hue, saturation = lit_difference(case, np.load(case.folder / "blender.npy"))
        faults = found["Blender"]["armature"]["faults"]
        poses = [found[client]["poses"].get("worst", float("inf")) for client in CLIENTS]
        label = getattr(edit, "done", name)
        shown = [label, f"{case.far:.1e}", *(f"{far:.1e}" for far in poses), "–" if hue is None else f"{hue:.0f}°",
                 f"{saturation:.2f}", "; ".join(faults) or "agrees"]
        print(f"| {' | '.join(shown)} |")
        seen = {"poses": poses[0] > POSE, "hue": hue is not None and hue > HUE, "saturation": saturation < SATURATION,
                "armature": bool(faults)}
        wrong += [f"{name}: {column} is {'not ' if column in wanted else ''}seen" for column in seen if seen[column] != (column in wanted)]
        # The fault that a check of each clip by itself cannot see.
        if edit is leave_out and not case.far <= POSE:
            wrong.append(f"{name}: the clip by itself is off")
    for line in wrong:
        print(line, file=sys.stderr)
    sys.exit(1 if wrong else 0)


main()
