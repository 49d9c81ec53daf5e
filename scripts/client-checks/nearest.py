"""Compares point clouds."""

import numpy as np


def nearest(points, cloud):
    """The largest of the distances from points to the nearest of a cloud."""
    worst = 0.0
    for start in range(0, len(points), 256):
        part = points[start : start + 256]
        worst = max(worst, float(np.sqrt(((part[:, None] - cloud[None]) ** 2).sum(axis=2).min(axis=1)).max()))
    return worst


def coincident(points, cloud, within):
    """For each point the indices of those of a cloud at its position: a row each, filled with -1."""
    found = []
    for start in range(0, len(points), 256):
        part = points[start : start + 256]
        near = ((part[:, None] - cloud[None]) ** 2).sum(axis=2) <= within**2
        found += [np.flatnonzero(row) for row in near]
    out = np.full((len(points), max([1, *map(len, found)])), -1)
    for row, indices in zip(out, found):
        row[: len(indices)] = indices
    return out


def chosen(candidates, cloud, points, instead):
    """Of each row of `coincident` the point of the cloud that is nearest to a point; without a candidate, one of `instead`."""
    out = instead.copy()
    for start in range(0, len(points), 256):
        rows, near = candidates[start : start + 256], points[start : start + 256]
        far = ((cloud[rows] - near[:, None]) ** 2).sum(axis=2) if len(cloud) else np.zeros(rows.shape)
        best = np.where(rows < 0, np.inf, far).argmin(axis=1)
        picked = rows[np.arange(len(rows)), best]
        out[start : start + 256][picked >= 0] = cloud[picked[picked >= 0]]
    return out
