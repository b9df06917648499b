"""Hamersma, van Kreveld, Uno and van der Zanden, "Gourds: a sliding-block puzzle with turning"."""

from __future__ import annotations

from slidelab.claims import gourds_checks as checks
from slidelab.claims import stated_facts as facts
from slidelab.claims.model import Claim, Paper

__all__ = ["GOURDS"]

GOURDS = Paper(
    "gourds",
    "J. Hamersma, M. van Kreveld, Y. Uno, T. van der Zanden, Gourds",
    (
        Claim(
            "figure-1",
            "figure 1",
            "the blue gourd has three positions",
            "holds",
            checks.figure_1,
            'slidelab analyze "square R(3,5) gourds"',
        ),
        Claim(
            "squares",
            "section 1",
            "on squares no gourd ever uncovers its black cell",
            "holds up to",
            checks.squares,
            'slidelab analyze "square R(3,5) gourds"',
        ),
        Claim("figure-2", "figure 2", "gourds slide, turn and pivot", "holds", facts.gourd_moves),
        Claim(
            "1",
            "Observation 1",
            "three cells: six positions with pivots, three with sharp turns",
            "holds",
            checks.observation_1,
            'slidelab analyze "hex T(2) gourds"',
        ),
        Claim(
            "cut", "section 2", "a cut cell: not everything can be reached", "holds up to", checks.cut_vertex
        ),
        Claim(
            "leaf",
            "section 2",
            "only one end of one gourd ever reaches a leaf cell",
            "holds up to",
            checks.leaf,
        ),
        Claim(
            "fact-1",
            "Fact 1",
            "2-connected boards without holes are Hamiltonian, but for the star",
            "holds up to",
            checks.fact_1,
            'slidelab boards "hex star" --cycle',
        ),
        Claim(
            "star",
            "figure 4",
            "a gourd on the star has three positions",
            "holds",
            checks.star_positions,
            'slidelab analyze "hex star gourds"',
        ),
        Claim(
            "star-colours",
            "figure 4",
            "one of three colours is on more cells than the two others",
            "holds",
            checks.star_colours,
        ),
        Claim(
            "theorem-1",
            "Theorem 1",
            "placements exist just if the formula is satisfiable",
            "holds up to",
            checks.theorem_1,
        ),
        Claim(
            "theorem-1-gourds",
            "Theorem 1",
            "the numbers of gourds of each kind",
            "holds",
            checks.budget_of_gourds,
        ),
        Claim(
            "theorem-2",
            "Theorem 2",
            "few colours: placements in (randomised) polynomial time",
            "holds up to",
            checks.theorem_2,
        ),
        Claim(
            "3",
            "Observations 2, 3, Lemma 3",
            "2n-1 triangles inside, a tree of degree 3",
            "holds up to",
            checks.tree_claims,
            'slidelab draw "hex F(2)" --show triangulation -o tree.svg',
        ),
        Claim(
            "4", "Lemma 4", "aligned with a Hamiltonian cycle in O(n^2) moves", "holds up to", checks.lemma_4
        ),
        Claim(
            "observation-4",
            "Observation 4",
            "every gourd moved once along a cycle: the empty cell is one place on",
            "holds up to",
            facts.one_round,
        ),
        Claim(
            "leaves",
            "Lemma 5",
            "the tree has two more leaves than nodes of degree three",
            "holds up to",
            facts.leaves,
        ),
        Claim("5", "Lemma 5", "every cycle has a place where gourds can pass", "holds up to", checks.lemma_5),
        Claim(
            "theorem-6",
            "Theorem 6",
            "O(n^3) moves",
            "holds up to",
            checks.theorem_6,
            'slidelab solve "hex F(3) gourds" --seed 1 --method cycle-cubic --explain',
        ),
        Claim(
            "6",
            "Observation 6",
            "the tree runs along at most four sides of a cell",
            "holds up to",
            checks.observation_6,
        ),
        Claim("7", "Lemma 7", "a cycle without seven degree-3 nodes in a row", "holds up to", checks.lemma_7),
        Claim(
            "8", "Lemma 8", "a split at a degree-2 node with parts of m/96 - 7", "holds up to", checks.lemma_8
        ),
        Claim(
            "splits",
            "figure 11",
            "at a degree-2 node one of the two splits is odd",
            "holds up to",
            checks.splits,
            'slidelab draw "hex F(3)" --show splits -o splits.svg',
        ),
        Claim(
            "9",
            "Theorem 9",
            "every configuration can be reached on a proper board",
            "holds up to",
            checks.theorem_9,
            'slidelab analyze "hex F(3) gourds"',
        ),
        Claim(
            "9-moves",
            "Theorem 9",
            "in O(n^2) moves",
            "holds up to",
            checks.theorem_9_moves,
            'slidelab solve "hex F(5) gourds" --seed 1 --method cycle',
        ),
        Claim(
            "figure-13",
            "figure 13",
            "exchanging half of the gourds of a strip takes n^2 / 2 moves",
            "holds up to",
            checks.figure_13,
        ),
        Claim(
            "10",
            "Remark 10",
            "splits at degree-3 nodes do not replace those at degree-2 nodes",
            "holds up to",
            checks.remark_10,
        ),
        Claim(
            "figure-14",
            "figure 14",
            "nine gourds on a hexagon: always solvable",
            "holds",
            checks.photo,
            'slidelab analyze "hex F(3) gourds"',
        ),
        Claim(
            "holes",
            "section 5",
            "holes: Hamiltonian is neither enough nor needed",
            "holds",
            checks.with_holes,
            "slidelab atlas gourds 9",
        ),
        Claim(
            "triangles",
            "section 5",
            "triangular pieces can only pivot",
            "holds up to",
            checks.triangles_pivot,
        ),
        Claim(
            "elongated",
            "section 5",
            "straight pieces of three never leave their row",
            "holds up to",
            checks.straight_stays,
        ),
    ),
)
"""The claims of the gourds paper."""
