"""Lp-nested prior of ISA-VAE (Stühmer, Turner and Nowozin): independent subspaces of codes.

A tree of norms: an inner node with exponent p over children of norms v_c has the norm
(sum_c v_c^p)^(1/p); a leaf's norm is |z_j|. With f(z) the norm of the root, whose exponent is p0,
f(z)^p0 / s follows a Gamma(n/p0, 1) law and the direction z / f(z) is uniform on the unit
"sphere" of f. A tree of two levels is independent subspace analysis.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import softplus

from latents.models.prior import Prior
from latents.runtime.errors import Problem

SMALLEST_EXPONENT = 0.1
SMALLEST_SUM = 1e-30  # keeps the gradient finite where a whole subspace is zero


@dataclass(frozen=True)
class Node:
    """An inner node: its position in the list of exponents, and its children (nodes or leaves)."""

    index: int
    children: tuple["Node | int", ...]  # a leaf is the index of its coordinate

    @property
    def leaves(self) -> int:
        return sum(_leaves(child) for child in self.children)

    def leaf_ranges(self) -> list[tuple[int, int]]:
        """Return the node's own leaves as ranges: slices, unlike lists, need no copy to a GPU."""
        ranges: list[tuple[int, int]] = []
        for child in self.children:
            if isinstance(child, int):
                if ranges and ranges[-1][1] == child:
                    ranges[-1] = (ranges[-1][0], child + 1)
                else:
                    ranges.append((child, child + 1))
        return ranges

    def inner(self) -> Iterator["Node"]:
        """Yield this node and all inner nodes below it."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.inner()


class LpNested(Prior):
    """`tree` is [exponent, child, child, ...]: a child is such a list, or a number of leaves.

    ISA-VAE on dSprites has [2.1, [2.2, 4], [2.2, 4], [2.2, 4], [2.2, 4], [2.2, 4]]. With `learned`
    the exponents below the root are learned at `learning_rate`, from the given values; the
    root's stays fixed. The published code has `scale` 1, which makes variances of about 0.5; all
    exponents 2 with scale 2 is the standard normal prior.
    """

    def __init__(
        self, *, latents: int, tree: list[Any], scale: float, learned: bool, learning_rate: float
    ) -> None:
        super().__init__(latents)
        exponents: list[float] = []
        self.tree = _grow(tree, exponents, [0])
        if self.tree.leaves != latents:
            raise Problem(
                f"the prior's tree has {self.tree.leaves} leaves, but the model {latents}"
            )
        if min(exponents) <= SMALLEST_EXPONENT:
            raise Problem(f"exponents of the prior must be above {SMALLEST_EXPONENT}")
        self.scale = scale
        self.learning_rate = learning_rate
        self.learned = learned
        self.register_buffer("root", torch.tensor(exponents[:1], dtype=torch.float64))
        start = torch.tensor(exponents[1:], dtype=torch.float64) - SMALLEST_EXPONENT
        self.below = nn.Parameter(start + torch.log(-torch.expm1(-start)), requires_grad=learned)

    def exponents(self) -> Tensor:
        """Return the exponents, the root's first; below it p = 0.1 + softplus(parameter)."""
        root: Any = self.root
        return torch.cat([root, SMALLEST_EXPONENT + softplus(self.below)])

    def parameter_groups(self) -> list[dict[str, Any]]:
        return [{"params": [self.below], "lr": self.learning_rate}] if self.learned else []

    def log_prob(self, sample: Tensor) -> Tensor:
        """Return log p0 - ln Gamma(n/p0) - (n/p0) ln s - f(z)^p0 / s - ln S_f(1), (B, d) -> (B,).

        The radial powers of the published form are cancelled, so the value is finite at z = 0.
        """
        p = self.exponents().to(sample.dtype)
        shape = self.latents / p[0]
        constant = torch.log(p[0]) - torch.lgamma(shape) - shape * log(self.scale)
        power = self._power_of_norm(self.tree, sample, p)
        return constant - log_surface(self.tree, p) - power / self.scale

    def _power_of_norm(self, node: Node, sample: Tensor, p: Tensor) -> Tensor:
        """Return a node's norm to the power of its own exponent, (B,)."""
        own = p[node.index]
        total = sample.new_zeros(len(sample))
        for start, stop in node.leaf_ranges():
            total = total + (sample[:, start:stop].abs() ** own).sum(dim=1)
        for child in node.children:
            if isinstance(child, Node):
                below = self._power_of_norm(child, sample, p).clamp(min=SMALLEST_SUM)
                total = total + below ** (own / p[child.index])
        return total

    def draw_codes(self, count: int, random: np.random.Generator) -> NDArray[np.float64]:
        """Draw Dirichlet shares of the norm down the tree: algorithm 1 of the paper."""
        p = self.exponents().detach().cpu().numpy()
        radius = (self.scale * random.gamma(self.latents / p[0], size=count)) ** (1 / p[0])
        codes = np.empty((count, self.latents))
        _share(self.tree, radius, p, codes, random)
        signs: NDArray[np.float64] = random.choice([-1.0, 1.0], size=codes.shape)
        return codes * signs


def log_surface(tree: Node, p: Tensor) -> Tensor:
    """Return ln S_f(1) = n ln 2 + sum_nodes sum_c ln G(n_c/p) - (#c - 1) ln p - ln G(n/p)."""
    total = p.new_full((), tree.leaves * log(2))
    for node in tree.inner():
        own = p[node.index]
        for size, count in Counter(_leaves(child) for child in node.children).items():
            total = total + count * torch.lgamma(size / own)
        total = total - (len(node.children) - 1) * torch.log(own)
        total = total - torch.lgamma(node.leaves / own)
    return total


def _grow(tree: list[Any], exponents: list[float], leaves: list[int]) -> Node:
    """Number the nodes from the root down and the leaves from left to right."""
    if not isinstance(tree, list) or len(tree) < 2:
        raise Problem(f"a node of the prior's tree is [exponent, child, ...], not {tree!r}")
    index = len(exponents)
    exponents.append(float(tree[0]))
    children: list[Node | int] = []
    for child in tree[1:]:
        if isinstance(child, list):
            children.append(_grow(child, exponents, leaves))
        else:
            children.extend(range(leaves[0], leaves[0] + int(child)))
            leaves[0] += int(child)
    return Node(index, tuple(children))


def _share(
    node: Node,
    norm: NDArray[np.float64],
    p: NDArray[np.float64],
    codes: NDArray[np.float64],
    random: np.random.Generator,
) -> None:
    """Split a node's norm among its children: shares of norm^p follow Dirichlet(n_c / p)."""
    own = p[node.index]
    alphas = [_leaves(child) / own for child in node.children]
    shares = random.dirichlet(alphas, size=len(norm)) ** (1 / own)
    for child, share in zip(node.children, shares.T, strict=True):
        if isinstance(child, Node):
            _share(child, norm * share, p, codes, random)
        else:
            codes[:, child] = norm * share


def _leaves(child: Node | int) -> int:
    return child.leaves if isinstance(child, Node) else 1
