"""Reads GLB files with nothing but numpy: what the clients' results are compared with."""

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
        """Of the vertices that triangles use, primitive after primitive, in ascending order of their numbers."""
        parts = []
        for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
            values = self.accessor(primitive["attributes"]["POSITION"]).astype(np.float64)
            parts.append((primitive, values, self._used(primitive, len(values))))
        return parts

    def _used(self, primitive, count):
        if "indices" not in primitive:
            return np.arange(count)
        return np.unique(self.accessor(primitive["indices"])[:, 0])

    def skinned(self, node, worlds):
        """Positions of the used vertices as the joints' worlds (4 × 4, by place in the skin) move them."""
        skin = self.json["skins"][node["skin"]]
        inverse = self.accessor(skin["inverseBindMatrices"]).astype(np.float64).reshape(-1, 4, 4).transpose(0, 2, 1)
        matrices = np.einsum("nij,njk->nik", worlds, inverse)
        out = []
        for primitive, points, used in self.positions(node):
            points = np.c_[points[used], np.ones(len(used))]
            moved = np.zeros((len(used), 3))
            layer = 0
            while f"JOINTS_{layer}" in primitive["attributes"]:
                joints = self.accessor(primitive["attributes"][f"JOINTS_{layer}"])[used]
                weights = self.accessor(primitive["attributes"][f"WEIGHTS_{layer}"])[used].astype(np.float64)
                for slot in range(4):
                    each = np.einsum("nij,nj->ni", matrices[joints[:, slot]], points)[:, :3]
                    moved += weights[:, slot : slot + 1] * each
                layer += 1
            out.append(moved)
        return np.concatenate(out) if out else np.zeros((0, 3))
