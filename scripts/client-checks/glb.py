"""Reads GLB files with numpy only, as the reference for the clients' results."""

import json
import struct

import numpy as np

COMPONENTS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    """The JSON and the binary chunk of a file."""

    def __init__(self, path):
        data = open(path, "rb").read()
        assert data[:4] == b"glTF", path
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20 : 20 + length])
        self.bin = data[28 + length :] if len(data) > 28 + length else b""

    def write(self, path, keeps=lambda channel: True):
        """Writes the file again, with those channels of animations that `keeps` says, and no animation without any."""
        animations = []
        for animation in self.list("animations"):
            channels = [channel for channel in animation["channels"] if keeps(channel)]
            if channels:
                animations.append({**animation, "channels": channels})
        kept = {key: value for key, value in self.json.items() if key != "animations"}
        if animations:
            kept["animations"] = animations
        if not any(channel["target"]["path"] == "pointer" for animation in animations for channel in animation["channels"]):
            for key in ("extensionsUsed", "extensionsRequired"):
                if key in kept:
                    kept[key] = [name for name in kept[key] if name != "KHR_animation_pointer"]
                    if not kept[key]:
                        del kept[key]
        text = json.dumps(kept).encode()
        text += b" " * (-len(text) % 4)
        blob = self.bin + b"\0" * (-len(self.bin) % 4)
        with open(path, "wb") as file:
            file.write(struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + len(blob), len(text), b"JSON") + text)
            file.write(struct.pack("<I4s", len(blob), b"BIN\0") + blob)

    def list(self, name):
        return self.json.get(name, [])

    def _view(self, index, offset, count, component, width):
        view = self.json["bufferViews"][index]
        start = view.get("byteOffset", 0) + offset
        kind = np.dtype(COMPONENTS[component])
        stride = view.get("byteStride", 0)
        if stride and stride != kind.itemsize * width:
            rows = [np.frombuffer(self.bin, kind, width, start + row * stride) for row in range(count)]
            return np.array(rows)
        return np.frombuffer(self.bin, kind, count * width, start).reshape(count, width)

    def accessor(self, index):
        """Values, a row for each element; normalised integers as floats."""
        it = self.json["accessors"][index]
        count, component, width = it["count"], it["componentType"], WIDTHS[it["type"]]
        if "bufferView" in it:
            values = self._view(it["bufferView"], it.get("byteOffset", 0), count, component, width)
        else:
            values = np.zeros((count, width), COMPONENTS[component])
        if "sparse" in it:
            sparse, values = it["sparse"], values.copy()
            places = sparse["indices"]
            rows = self._view(places["bufferView"], places.get("byteOffset", 0), sparse["count"], places["componentType"], 1)
            at = sparse["values"]
            values[rows[:, 0]] = self._view(at["bufferView"], at.get("byteOffset", 0), sparse["count"], component, width)
        if it.get("normalized"):
            return values.astype(np.float64) / np.iinfo(COMPONENTS[component]).max
        return values

    def meshes_in_scene(self):
        """Each node with a mesh: its number and itself."""
        return [(n, node) for n, node in enumerate(self.list("nodes")) if "mesh" in node]

    def positions(self, node):
        """Of the vertices that are drawn, primitive after primitive, in ascending order of their numbers."""
        parts = []
        for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
            values = self.accessor(primitive["attributes"]["POSITION"]).astype(np.float64)
            parts.append((primitive, values, self._used(primitive, len(values))))
        return parts

    def _used(self, primitive, count):
        if "indices" not in primitive:
            return np.arange(count)
        return np.unique(self.accessor(primitive["indices"])[:, 0])

    def rest(self):
        """Translation, rotation (x, y, z, w), scale and weights of each node as the file has them."""
        out = []
        for node in self.list("nodes"):
            if "matrix" in node:
                raise ValueError("posing nodes with matrices is not supported")
            weights = node.get("weights")
            if weights is None and "mesh" in node:
                weights = self.json["meshes"][node["mesh"]].get("weights", ())
            out.append({
                "translation": np.array(node.get("translation", (0, 0, 0)), dtype=np.float64),
                "rotation": np.array(node.get("rotation", (0, 0, 0, 1)), dtype=np.float64),
                "scale": np.array(node.get("scale", (1, 1, 1)), dtype=np.float64),
                "weights": np.array(weights if weights is not None else (), dtype=np.float64),
            })
        return out

    def at(self, animation, time):
        """What `rest` says, at a time of an animation in seconds. Channels of KHR_animation_pointer are left aside."""
        values = self.rest()
        for channel in animation["channels"]:
            target = channel["target"]
            if target["path"] != "pointer" and "node" in target:
                values[target["node"]][target["path"]] = self._sampled(animation["samplers"][channel["sampler"]], target["path"], time)
        return values

    def _sampled(self, sampler, path, time):
        times = self.accessor(sampler["input"])[:, 0].astype(np.float64)
        keys = self.accessor(sampler["output"]).astype(np.float64)
        kind = sampler.get("interpolation", "LINEAR")
        # A spline has a tangent before and one after each value.
        keys = keys.reshape(len(times), 3, -1) if kind == "CUBICSPLINE" else keys.reshape(len(times), 1, -1)
        values = keys[:, keys.shape[1] // 2]
        after = int(np.searchsorted(times, time, side="right"))
        if after == 0 or after == len(times) or kind == "STEP":
            return values[max(after - 1, 0)]
        length = times[after] - times[after - 1]
        t = (time - times[after - 1]) / length
        a, b = values[after - 1], values[after]
        if kind == "CUBICSPLINE":
            leaving, arriving = keys[after - 1, 2] * length, keys[after, 0] * length
            mixed = (
                (2 * t**3 - 3 * t**2 + 1) * a + (t**3 - 2 * t**2 + t) * leaving
                + (-2 * t**3 + 3 * t**2) * b + (t**3 - t**2) * arriving
            )
            return mixed / np.linalg.norm(mixed) if path == "rotation" else mixed
        return slerp(a, b, t) if path == "rotation" else a + (b - a) * t

    def worlds(self, values):
        """World matrices of the nodes of the scene, by number; others have none."""
        out, nodes = {}, self.list("nodes")
        stack = [(n, np.eye(4)) for n in self.json["scenes"][self.json.get("scene", 0)]["nodes"]]
        while stack:
            number, parent = stack.pop()
            out[number] = parent @ transform(values[number])
            stack += [(child, out[number]) for child in nodes[number].get("children", ())]
        return out

    def drawn(self, number, values, worlds, first_four=False):
        """Used vertices of a node's mesh in the world, primitive after primitive: morphed, then skinned or moved by the node."""
        node = self.json["nodes"][number]
        morphed = self.morphed(node, values[number]["weights"])
        if "skin" in node:
            skin = self.json["skins"][node["skin"]]
            return self.skinned(node, np.array([worlds[joint] for joint in skin["joints"]]), morphed, first_four)
        points = np.concatenate([part[2] for part in morphed] or [np.zeros((0, 3))])
        return (np.c_[points, np.ones(len(points))] @ worlds[number].T)[:, :3]

    def morphed(self, node, weights):
        """Primitives, the numbers of their used vertices, and where morph targets move these."""
        out = []
        for primitive, points, used in self.positions(node):
            points = points[used].copy()
            for target, weight in zip(primitive.get("targets", ()), weights):
                if weight and "POSITION" in target:
                    points += weight * self.accessor(target["POSITION"])[used]
            out.append((primitive, used, points))
        return out

    def skinned(self, node, worlds, morphed, first_four=False):
        """Morphed vertices as the joints' worlds (4 × 4, by place in the skin) move them: all of them, or the first four of each."""
        skin = self.json["skins"][node["skin"]]
        inverse = self.accessor(skin["inverseBindMatrices"]).astype(np.float64).reshape(-1, 4, 4).transpose(0, 2, 1)
        matrices = np.einsum("nij,njk->nik", worlds, inverse)
        out = []
        for primitive, used, points in morphed:
            points = np.c_[points, np.ones(len(used))]
            moved = np.zeros((len(used), 3))
            layer, total = 0, np.zeros((len(used), 1))
            while layer < (1 if first_four else 99) and f"JOINTS_{layer}" in primitive["attributes"]:
                joints = self.accessor(primitive["attributes"][f"JOINTS_{layer}"])[used]
                weights = self.accessor(primitive["attributes"][f"WEIGHTS_{layer}"])[used].astype(np.float64)
                for slot in range(4):
                    each = np.einsum("nij,nj->ni", matrices[joints[:, slot]], points)[:, :3]
                    moved += weights[:, slot : slot + 1] * each
                total += weights.sum(axis=1, keepdims=True)
                layer += 1
            out.append(moved / total)
        return np.concatenate(out) if out else np.zeros((0, 3))


def slerp(a, b, share):
    """The shorter way from one rotation to another."""
    cosine = float(a @ b)
    if cosine < 0:
        b, cosine = -b, -cosine
    if cosine > 1 - 1e-9:
        mixed = a + (b - a) * share
        return mixed / np.linalg.norm(mixed)
    angle = np.arccos(min(cosine, 1.0))
    return (np.sin((1 - share) * angle) * a + np.sin(share * angle) * b) / np.sin(angle)


def transform(values):
    x, y, z, w = values["rotation"] / np.linalg.norm(values["rotation"])
    out = np.eye(4)
    out[:3, :3] = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]) * values["scale"]
    out[:3, 3] = values["translation"]
    return out
