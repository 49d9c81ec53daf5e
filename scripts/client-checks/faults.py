"""Shows that the check sees a clip whose keys are left out: exports the sample Ossie, leaves out the keys of one clip that equal the bind
pose, and plays the clips in Blender and three.js. Each clip by itself is still right; after another one it is not.

    python faults.py [--seed N] BONEBOX WORK
"""

import argparse
import pathlib
import sys

import numpy as np

from clients import CLIENTS, POSE, SEED, Case, models_of, show

OSSIE = pathlib.Path(__file__).resolve().parents[2] / "assets" / "samples" / "Ossie.psk"


def leave_out(glb):
    """Of the first clip, the channels of nodes whose keys all equal the node's rest, which other clips move."""
    rest, animations = glb.rest(), glb.list("animations")

    def still(animation, channel):
        target, sampler = channel["target"], animation["samplers"][channel["sampler"]]
        keys, at_rest = glb.accessor(sampler["output"]).astype(np.float64), rest[target["node"]][target["path"]]
        # Tangents of a spline are not told from its values: such a channel is kept.
        return keys.size % at_rest.size == 0 and np.abs(keys.reshape(-1, at_rest.size) - at_rest).max() < 1e-5

    places = {(c["target"]["node"], c["target"]["path"]) for a in animations[1:] for c in a["channels"] if not still(a, c)}
    first = animations[0]
    kept = [c for c in first["channels"] if (c["target"]["node"], c["target"]["path"]) not in places or not still(first, c)]
    leave_out.amount = len(first["channels"]) - len(kept)
    first["channels"] = kept


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("bonebox", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    options = parser.parse_args()
    kind, entry = next(models_of(options.bonebox, OSSIE))
    cases = {
        "as exported": Case(options.bonebox, options.work / "whole", kind, OSSIE, entry, pictures=False),
        "with keys left out": Case(options.bonebox, options.work / "left-out", kind, OSSIE, entry, edit=leave_out, pictures=False),
    }
    assert leave_out.amount, "no clip has keys at rest that another clip moves"
    asked = [case.ask(options.seed) for case in cases.values()]
    found = {client: show(client, asked, options.work / client) for client in CLIENTS}
    print(f"{leave_out.amount} channels are left out of “{cases['as exported'].moments[0]['animation']}”\n")
    print(f"| Ossie | each clip by itself (numpy) | {' | '.join(f'{client} after switching' for client in CLIENTS)} |\n|---|---|---|---|")
    for name, case in cases.items():
        worst = [found[client][case.id]["poses"]["worst"] for client in CLIENTS]
        print(f"| {name} | {case.far:.1e} | {' | '.join(f'{far:.1e}' for far in worst)} |")
    whole, less = (found["Blender"][case.id]["poses"]["worst"] for case in cases.values())
    sys.exit(0 if whole <= POSE < less and all(case.far <= POSE for case in cases.values()) else 1)


main()
