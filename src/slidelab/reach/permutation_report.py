"""Required permutations as text: the places, cycles, transpositions, and the factorisation."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from slidelab.boards.ascii import lay_out
from slidelab.messages import counted
from slidelab.reach.factorisation import Factorisation
from slidelab.reach.numbering import Numbering, cell_numbers, default_numbering, product_text
from slidelab.reach.required_permutation import RequiredPermutation
from slidelab.reach.three_cycles import Conjugate, ConjugateProduct
from slidelab.tables import text_table

__all__ = ["permutation_line", "permutation_text"]

MAX_DRAWN_CELLS = 120
"""Cells of the largest board whose places are drawn."""

MAX_LINE_POINTS = 30
"""Points up to which all cycles are written in one line of a verdict."""

WIDTH = 100
"""Columns of the text."""

NUMBERING_TEXTS = {
    "reading": "in reading order",
    "snake": "along a line, as in the slides of Chapple, Croeze, Lazo and Merrill",
    "cells": "as cells, from 0",
}


def permutation_line(required: RequiredPermutation) -> str:
    """Return the permutation in one line.

    Examples
    --------
    >>> import slidelab as sl
    >>> permutation_line(sl.puzzle("8-puzzle").permutation("2 1 3 4 5 6 7 8 ."))
    'permutation (1 2) of places, odd: 1 transposition'
    """
    count = len(required.transpositions())
    moved = sum(map(len, required.cycles()))
    text = str(required) if moved <= MAX_LINE_POINTS else f"of {moved:,} places"
    end = " of places" if moved <= MAX_LINE_POINTS else ""
    return f"permutation {text}{end}, {required.parity}: {counted(count, 'transposition')}"


def permutation_text(
    required: RequiredPermutation,
    factorisation: Factorisation | str | None,
    numbering: Numbering | None = None,
) -> str:
    """Return a permutation as text.

    Parameters
    ----------
    required
    factorisation
        What `RequiredPermutation.factor` returned, or why it did not.
    numbering
        How places are numbered.

    Examples
    --------
    >>> import slidelab as sl
    >>> required = sl.puzzle("8-puzzle").permutation("2 1 3 4 5 6 7 8 .")
    >>> print(permutation_text(required, required.factor()).splitlines()[-1])
    factorisation   none: the loops of the hole do not generate it, so the goal cannot be reached
    """
    board = required.start.puzzle.board
    name = numbering or default_numbering(board)
    parts = [required.start.text]
    if board.size <= MAX_DRAWN_CELLS and board.kind != "graph":
        drawing = lay_out(board, [str(number) for number in cell_numbers(board, numbering)])
        places = "\n".join(f"  {line}".rstrip() for line in drawing.splitlines())
        parts.append(f"places, numbered {NUMBERING_TEXTS[name]}\n\n{places}")
    swaps = required.transpositions(numbering)
    rows = []
    if required.standard_start != required.start:
        rows.append(("standardised", required.standard_start.pieces_text))
    if required.standard_goal != required.goal:
        rows.append(("goal", required.standard_goal.pieces_text))
    rows += [
        ("permutation", product_text(required.cycles(numbering))),
        ("transpositions", product_text(swaps)),
        ("sign", f"{required.parity}: {counted(len(swaps), 'transposition')}"),
    ]
    if factorisation is None:
        reason = "none: the loops of the hole do not generate it, so the goal cannot be reached"
        rows.append(("factorisation", reason))
    elif isinstance(factorisation, str):
        rows.append(("factorisation", factorisation))
    parts.append(text_table(rows))
    if isinstance(factorisation, Factorisation):
        parts += _factors(factorisation, numbering)
    return "\n\n".join(parts)


def _factors(found: Factorisation, numbering: Numbering | None) -> list[str]:
    numbers = cell_numbers(found.start.puzzle.board, numbering)
    used = {abs(letter) for letter in found.word}
    rows = [
        (f"  {generator.name(numbers)}", found.cycles_text(generator, numbering))
        for k, generator in enumerate(found.generators, 1)
        if k in used or generator.edge is not None
    ]
    parts = [f"generators: {counted(len(found.generators), 'loop')}\n{text_table(rows)}"] if rows else []
    counts = f"{counted(len(found.word), 'factor')}, {counted(len(found.moves), 'move')}"
    parts.append(f"product of {counts}\n{_wrapped(found, found.word, numbering)}")
    if found.conjugates is not None and found.conjugates.factors:
        parts.append(_conjugates(found, found.conjugates, numbering))
    return parts


def _conjugates(found: Factorisation, product: ConjugateProduct, numbering: Numbering | None) -> str:
    """Return the product of 3-cycles: first the cycles that are conjugated, then a table of the factors."""
    numbers = found.permutation.numbers(numbering)

    def cycle_text(points: Sequence[int]) -> str:
        return product_text([tuple(numbers[x] for x in points)])

    seeds: dict[frozenset[int], tuple[str, Conjugate]] = {}
    for factor in product.factors:
        seeds.setdefault(frozenset(factor.seed), (f"s{len(seeds) + 1}", factor))
    count = counted(len(product.factors), "3-cycle")
    head = f", after {found.word_text(product.head, numbering)}" if product.head else ""
    lines = [f"product of {count}, each w^-1 s w with s or its inverse{head}"]
    rows = []
    for name, first in seeds.values():
        lines.append(f"  {name} = {cycle_text(first.seed)} = {found.word_text(first.seed_word, numbering)}")
    for factor in product.factors:
        name, first = seeds[frozenset(factor.seed)]
        seed = name if factor.seed_word == first.seed_word else f"{name}^-1"
        rows.append((f"  {cycle_text(factor.cycle)}", seed, found.word_text(factor.conjugator, numbering)))
    return "\n".join([*lines, text_table([("  3-cycle", "s", "w"), *rows], header=True)])


def _wrapped(found: Factorisation, word: Sequence[int], numbering: Numbering | None) -> str:
    text = found.word_text(word, numbering)
    return fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
