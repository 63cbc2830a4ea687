"""Codes with labels, easy and hard for a logistic regression."""

import numpy as np


def clusters(n: int, *, classes: int = 5, d: int = 6, noise: float = 2.0, seed: int = 0):
    random = np.random.default_rng(seed)
    centres = random.normal(size=(classes, d)) * 1.5
    labels = random.integers(classes, size=n)
    return centres[labels] + noise * random.normal(size=(n, d)), labels


def case(name: str):
    codes, labels = clusters(400)
    random = np.random.default_rng(1)
    mixing = np.ones((6, 6)) + 0.01 * random.normal(size=(6, 6))
    return {
        "overlapping": (codes, labels),
        "two classes": (codes, (labels > 2).astype(int)),
        "one code": (codes[:, :1], labels),
        "separable": clusters(150, noise=0.05),
        "ten examples": clusters(10, classes=4, noise=0.5),
        "twelve examples": clusters(12, classes=3),
        "correlated": (codes @ mixing, labels),
        "duplicate and constant": (np.hstack([codes, codes[:, :2], codes[:, :1] * 0 + 3]), labels),
        "small codes": (codes * 0.01, labels),
        "tiny codes": (codes * 1e-6, labels),
        "sorted by class": (codes[np.argsort(labels)], np.sort(labels)),
        "many classes": (random.normal(size=(60, 10)), random.integers(15, size=60)),
        "large codes": (codes * 1e6, labels),
        "unequal scales": (codes * [1e-3, 1e3, 1, 1, 1e-2, 10], labels),
        "very unequal scales": (codes * [1e-8, 1e8, 1, 1, 1e-5, 1e5], labels),
        "far from zero": (codes + 1e4, labels),
        "heavy tails": (random.standard_cauchy(size=(400, 4)), labels),
        "large and separable": (lambda c, y: (c * 1e6, y))(*clusters(150, noise=0.05)),
        "nothing but constants": (np.full((50, 2), 0.1), labels[:50]),
    }[name]


REACHED = (  # by L-BFGS too, given time
    "overlapping",
    "two classes",
    "one code",
    "separable",
    "ten examples",
    "twelve examples",
    "correlated",
    "duplicate and constant",
    "small codes",
    "sorted by class",
    "many classes",
)
OUT_OF_REACH = (
    "tiny codes",
    "large codes",
    "unequal scales",
    "very unequal scales",
    "far from zero",
    "heavy tails",
    "large and separable",
    "nothing but constants",
)
