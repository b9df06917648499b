"""The pictures of `draw --show`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from slidelab.cli.arguments import GoalArguments, read_board, with_start
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.boards import Board
    from slidelab.budget import ProgressCallback
    from slidelab.draw.picture.photo import Photograph
    from slidelab.draw.print import Solid
    from slidelab.puzzles import Configuration, Document, Puzzle, Solution

CYCLE_SECONDS = 120.0
"""Time limit for the Hamiltonian cycle of a picture; `slidelab boards --cycle` takes any time."""

RENDER_WIDTH_PIXELS = 1200

OLD_NAMES = {"closed-way": "cycle"}
"""Former names of pictures, which are still accepted."""

Save = Callable[[Path, int | None], None]
"""Writes a picture to a file; a PNG may be given a width in pixels."""


@dataclass(frozen=True)
class Request:
    """What is drawn, and how."""

    question: GoalArguments
    seed: int | None
    theme: str
    size: float | None
    image: Photograph | None
    labels: bool | None
    limit: Mapping[str, Any]
    print_options: Mapping[str, Any]
    method: str
    time: float | None
    progress: ProgressCallback | None

    @cached_property
    def board(self) -> Board:
        """The board, which may be too small for a puzzle."""
        return read_board(self.question.board)

    @cached_property
    def document(self) -> Document:
        """Everything that the text or file says; with a seed, the start is a random one."""
        document = self.question.read()
        return document if self.seed is None else with_start(document, self.seed)[0]

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle of the document."""
        return self.document.puzzle

    @property
    def start(self) -> Configuration | None:
        """The start of the document."""
        return self.document.start

    @property
    def here(self) -> Configuration:
        """The configuration to be drawn."""
        return self.start or self.document.goal or self.puzzle.goal

    @property
    def look(self) -> dict[str, Any]:
        """The options of all pictures of boards."""
        return {"theme": self.theme, "size": self.size}

    @property
    def pieces(self) -> dict[str, Any]:
        """The options of pictures of pieces."""
        return {**self.look, "labels": self.labels, "image": self.image}

    def solution(self) -> Solution:
        """Return the solution in the document, or solve from the start."""
        from slidelab.solve.methods import parse_method

        found = self.document.solution()
        if found is not None and self.start == found.start:
            return found
        if self.start is None:
            raise NotationError(
                f"expected --start or --seed for {self.puzzle.text!r:.80}, or a file with a solution"
            )
        goal = self.document.goal
        return self.puzzle.solve(
            self.start,
            goal,
            cells=self.document.cells if goal is None else None,
            method=parse_method(self.method),
            time=self.time,
            progress=self.progress,
        )

    def save_page(self, target: Path) -> list[str]:
        """Write the page on which the puzzle can be played; return lines to print about it."""
        from slidelab.budget import Budget
        from slidelab.draw.files import write_bytes
        from slidelab.draw.play import play_html

        notes: list[str] = []
        html = play_html(
            self.puzzle,
            self.start,
            self.document.goal,
            floor=self.document.cells,
            budget=Budget.of(self.time, progress=self.progress),
            report=notes.append,
            **self.pieces,
        )
        write_bytes(target, html.encode())
        return notes

    def solid(self) -> Solid:
        """Return the printable puzzle."""
        from slidelab.draw.print import solid

        cells = self.document.cells
        return solid(self.puzzle, cells=cells, progress=self.progress, **self.print_options)


def _position(request: Request) -> Save:
    from slidelab.draw.picture import draw

    goal = request.document.goal
    return draw(request.here, floor=request.document.cells, goal=goal, **request.pieces).save


def _moves(request: Request) -> Save:
    from slidelab.draw.picture import draw

    moves = request.here.moves
    caption = "" if len(moves) else "no move can be made"
    goal = request.document.goal
    return draw(request.here, moves=moves, caption=caption, goal=goal, **request.pieces).save


def _story(request: Request) -> Save:
    from slidelab.draw.picture import storyboard

    return storyboard(request.solution(), floor=request.document.cells, **request.pieces).save


def _orbits(request: Request) -> Save:
    from slidelab.draw.picture import draw, orbit_cells

    puzzle = request.puzzle.uncoloured
    return draw(puzzle, groups=orbit_cells(puzzle), **request.look).save


def _patches(request: Request) -> Save:
    from slidelab.budget import Budget
    from slidelab.draw.picture import draw
    from slidelab.reach.prover.proof import Proof
    from slidelab.reach.prover.search import find_proof

    proof = find_proof(request.puzzle.uncoloured, Budget.of(request.time, progress=request.progress))
    if isinstance(proof, Proof):
        groups, caption = proof.patches(), proof.summary()
    else:
        groups, caption = {}, f"no proof by patching: {proof}"
    return draw(request.board, groups=groups, caption=caption, cells=False, **request.look).save


def _board(request: Request) -> Save:
    from slidelab.draw.picture import draw

    return draw(request.board, **request.look).save


def _marked_cells(name: str, request: Request) -> Save:
    from slidelab import boards
    from slidelab.draw.picture import draw

    find = {"tight corners": boards.tight_corners, "cut cells": boards.cut_cells}[name]
    if cells := find(request.board):
        return draw(request.board, groups={name: cells}, **request.look).save
    return draw(request.board, caption=f"no {name}", **request.look).save


def _cycle(request: Request) -> Save | None:
    from slidelab.boards import find_cycle
    from slidelab.budget import Budget
    from slidelab.draw.picture import draw

    found = find_cycle(request.board, budget=Budget.of(CYCLE_SECONDS, progress=request.progress))
    return None if found is None else draw(request.board, cycle=found.cells, **request.look).save


def _dual(request: Request) -> Save:
    from slidelab.draw.picture.structure import dual_picture

    return dual_picture(request.board, **request.look).save


def _ears(request: Request) -> Save:
    from slidelab.draw.picture.structure import ears_picture

    return ears_picture(request.board, **request.look).save


def _inside_cycle(name: str, request: Request) -> Save | None:
    from slidelab.budget import Budget
    from slidelab.draw.picture.structure import splits_picture, triangulation_picture

    make = {"triangulation": triangulation_picture, "splits": splits_picture}[name]
    budget = Budget.of(CYCLE_SECONDS, progress=request.progress)
    picture = make(request.board, budget=budget, **request.look)
    return None if picture is None else picture.save


def _puzzle_graph(layout: Literal["force", "layers"], request: Request) -> Save:
    from slidelab.draw.graph import puzzle_graph_picture

    return puzzle_graph_picture(request.here, layout=layout, theme=request.theme, **request.limit).save


def _gain_graph(request: Request) -> Save:
    from slidelab.draw.graph import gain_graph_picture

    return gain_graph_picture(request.puzzle, theme=request.theme, **request.limit).save


def _distances(request: Request) -> Save:
    from slidelab.draw.chart import distribution_chart, save_figure

    found = request.puzzle.distances(request.start, progress=request.progress)
    return partial(save_figure, distribution_chart(found, theme=request.theme))


def _eccentricities(request: Request) -> Save:
    from slidelab.draw.chart import eccentricities_chart, save_figure

    found = request.puzzle.gods_number(progress=request.progress)
    return partial(save_figure, eccentricities_chart(found, theme=request.theme))


def _render(request: Request) -> Save:
    from slidelab.draw.files import check_target, write_bytes

    def save(target: Path, width: int | None) -> None:
        check_target(target, ("png",))
        configuration = request.start or request.document.goal
        width = RENDER_WIDTH_PIXELS if width is None else width
        write_bytes(target, request.solid().render(configuration, width=width, theme=request.theme))

    return save


@dataclass(frozen=True, slots=True)
class Show:
    """One kind of picture."""

    summary: str
    prepare: Callable[[Request], Save | None]
    """Returns None if there is nothing to draw: no Hamiltonian cycle."""
    takes_limit: bool = False
    is_chart: bool = False
    has_pieces: bool = False
    """Whether it shows positions, whose pieces may have a photograph and no labels."""


SHOWS = {
    "position": Show("the pieces at the start, or in order (default)", _position, has_pieces=True),
    "board": Show("the cells and their numbers", _board),
    "moves": Show("an arrow for every legal move", _moves, has_pieces=True),
    "story": Show("a solution move by move", _story, has_pieces=True),
    "tight-corners": Show("cells that keep their tile", partial(_marked_cells, "tight corners")),
    "cut-cells": Show("cells without which the board falls apart", partial(_marked_cells, "cut cells")),
    "cycle": Show("a Hamiltonian cycle", _cycle),
    "dual": Show("the dual graph: cells as vertices, edges where they touch", _dual),
    "ears": Show("the theta graph and the ears of Wilson's proof", _ears),
    "triangulation": Show(
        "hexagons: a Hamiltonian cycle, the triangles inside it, and their dual tree",
        partial(_inside_cycle, "triangulation"),
    ),
    "splits": Show("hexagons: a Hamiltonian cycle split in two", partial(_inside_cycle, "splits")),
    "patches": Show("hexagonal tiles: patches whose proofs give that of the board", _patches),
    "orbits": Show("pieces coloured by orbit", _orbits),
    "graph": Show("the puzzle graph in a force-directed layout", partial(_puzzle_graph, "force"), True),
    "layers": Show("the puzzle graph by distance", partial(_puzzle_graph, "layers"), True),
    "gain-graph": Show("shapes, and the permutations of the moves between them", _gain_graph, True),
    "distances": Show("number of configurations at each distance", _distances, is_chart=True),
    "eccentricities": Show("eccentricity of each shape", _eccentricities, is_chart=True),
    "solid": Show("the printable puzzle as it will look", _render),
}
"""What `--show` accepts."""
