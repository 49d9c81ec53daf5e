"""Clouds of points against each other."""

import numpy as np


def nearest(points, cloud):
    """The largest of the distances from points to the nearest of a cloud."""
    worst = 0.0
    for start in range(0, len(points), 256):
        part = points[start : start + 256]
        worst = max(worst, float(np.sqrt(((part[:, None] - cloud[None]) ** 2).sum(axis=2).min(axis=1)).max()))
    return worst
