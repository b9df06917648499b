"""Names for the permutation groups that sliding puzzles produce."""

from __future__ import annotations

from math import factorial, prod
from typing import TYPE_CHECKING

from slidelab.errors import TooLarge
from slidelab.permutations import cycles, is_even

if TYPE_CHECKING:
    from slidelab.reach.group import PermutationGroup

__all__ = ["group_name", "product_name", "transitive_name"]

MAX_FACTORS = 64
"""Orbits of a group that is named as a direct product; of more, only the order and orbits are given."""

MAX_CYCLIC_ORDER = 5_000
"""Order up to which all elements of a regular group are searched for one that generates it."""


def group_name(group: PermutationGroup) -> str:
    """Return the name of a group as it acts on its points; fixed points do not count.

    A direct product over the orbits is named by its factors. When orbits move together (the two ends of
    gourds that never turn round), those on whose complement the action is still faithful are left out first.

    Examples
    --------
    >>> from slidelab.reach.group import PermutationGroup
    >>> group_name(PermutationGroup([(1, 2, 0, 3, 4), (0, 1, 2, 4, 3)]))
    'C(2) x C(3)'
    """
    if group.order == 1:
        return "trivial"
    if group.turns > 1 and group.is_transitive:
        name = _wreath_name(group, group.turns)
        if name:
            return name
    orbits = list(group.moved_orbits)
    if len(orbits) == 1:
        whole = len(orbits[0]) == group.degree
        return transitive_name(group if whole else group.on(orbits[0]))
    if len(orbits) <= MAX_FACTORS:
        factors = [group.on(orbit) for orbit in orbits]
        if prod(factor.order for factor in factors) != group.order:
            orbits = _faithful_orbits(group, orbits)
            factors = [group.on(orbit) for orbit in orbits]
        if prod(factor.order for factor in factors) == group.order:
            return product_name([transitive_name(factor) for factor in factors])
    sizes = ", ".join(str(len(orbit)) for orbit in orbits[:6]) + (", ..." if len(orbits) > 6 else "")
    return f"group of order {group.order} with orbits of {sizes} points"


def product_name(names: list[str]) -> str:
    """Return the name of a direct product: its factors in a fixed order, without the trivial ones.

    Examples
    --------
    >>> product_name(["C(3)", "Alt(5)", "trivial", "C(3)"])
    'Alt(5) x C(3) x C(3)'
    """
    factors = sorted(name for name in names if name != "trivial")
    return " x ".join(factors) if factors else "trivial"


def transitive_name(group: PermutationGroup) -> str:
    """Return the name of a transitive group: C(n), Alt(n), Sym(n), PGL(2,5), a wreath product, or its order.

    Examples
    --------
    >>> from slidelab.reach.group import PermutationGroup
    >>> transitive_name(PermutationGroup([(1, 2, 3, 0), (2, 1, 0, 3)]))
    'C2 wr Sym(2)'
    """
    n, order = group.degree, group.order
    if order == 1:
        return "trivial"
    if order == n and _is_cyclic(group):
        return f"C({n})"
    if order == factorial(n):
        return f"Sym({n})"
    if 2 * order == factorial(n):
        return f"Alt({n})"
    if n == 6 and order == 120:
        return "PGL(2,5)"  # the only transitive group of degree 6 and order 120 (6T14)
    return _wreath_name(group, 2) or f"group of order {order} on {n} points"


def _is_cyclic(group: PermutationGroup) -> bool:
    """Return whether some element of a regular group is a cycle of all points."""
    if any(len(c) == group.degree for row in group.generators for c in cycles(row.tolist())[:1]):
        return True
    try:
        elements = group.elements(limit=MAX_CYCLIC_ORDER)
    except TooLarge:
        return False
    return any(len(c) == group.degree for element in elements for c in cycles(element)[:1])


def _wreath_name(group: PermutationGroup, size: int) -> str | None:
    """Return the name of C2 wr Sym(n), a subgroup of index two, or C3 wr Sym(n); None for other groups."""
    n = group.degree // size
    full = size**n * factorial(n)
    if group.degree != n * size or full not in (group.order, 2 * group.order):
        return None
    blocks = _blocks_of(group, size)
    if blocks is None:
        return None
    if group.order == full:
        return f"C{size} wr Sym({n})"
    number = {point: k for k, block in enumerate(blocks) for point in block}
    on_points = all(is_even(g) for g in group.generators.tolist())
    on_blocks = all(is_even([number[g[block[0]]] for block in blocks]) for g in group.generators.tolist())
    if on_blocks:
        return f"C{size} wr Alt({n})"
    if size == 2:
        # The index-two subgroups of C2 wr Sym(n) are the kernels of three signs.
        return f"C2 wr Sym({n}), even flips" if on_points else f"C2 wr Sym({n}), flips matching parity"
    return None


def _blocks_of(group: PermutationGroup, size: int) -> list[tuple[int, ...]] | None:
    """Return blocks of that size: the points of each piece if they are that many, otherwise any."""
    if group.turns == size:
        return [tuple(range(k, k + size)) for k in range(0, group.degree, size)]
    if size != 2:
        return None
    return next((list(system) for system in group.blocks() if len(system[0]) == size), None)


def _faithful_orbits(group: PermutationGroup, orbits: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Leave out orbits, the smallest first, as long as the action on the others is faithful."""
    kept = list(orbits)
    for orbit in sorted(orbits, key=len):
        fewer = [other for other in kept if other != orbit]
        if fewer and group.on([x for other in fewer for x in other]).order == group.order:
            kept = fewer
    return kept
