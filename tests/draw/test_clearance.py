"""Printed pieces keep the clearance from each other and from the wall in all kinds of moves."""

from __future__ import annotations

import numpy as np
import pytest

import slidelab as sl
from draw.polygons import Array, gap, inside, segment_distances
from rules.test_foreign_rule import Blocks, Slabs
from slidelab.draw.layout.board import lay_out_board
from slidelab.draw.picture.motions import motion
from slidelab.draw.print import Solid, solid
from slidelab.draw.print.bars import closest_approach
from slidelab.draw.print.model import Part
from slidelab.draw.print.pieces import Footprint, min_approach, piece_footprint
from slidelab.errors import PuzzleError
from slidelab.rules import Step
from slidelab.rules import rule as rule_named

CELL, CLEARANCE = 24.0, 0.4

# Boards large enough for all pieces near a move in the middle, and the kinds of moves there are.
OPEN = {
    "square R(7,7) tiles 1": {"slide"},
    "hex F(4) hextiles 2": {"slide"},
    "hex F(4) tiles 1": {"slide"},
    "king R(7,7) tiles 1": {"slide"},
    "hex F(5) gourds 1": {"slide", "turn", "pivot"},
    "hex F(5) gourds-sharp 1": {"slide", "turn", "sharp turn"},
    "square R(9,9) gourds 1": {"slide", "turn"},
    "hex F(5) trimers-triangle 1": {"pivot"},
    "hex F(5) trimers-straight 1": {"slide"},
    "square R(7,7) trimers-straight 1": {"slide"},
    "square R(7,7) blocks 5": {"slide"},
    "square R(7,7) slabs 3": {"slide"},
}


@pytest.fixture(autouse=True)
def registered(known_rules: None) -> None:
    for rule in (Blocks(), Slabs()):
        sl.register_rule(rule)


def middle_steps(puzzle: sl.Puzzle) -> list[Step]:
    """Return all moves of one piece in the middle of the board."""
    board, rule = puzzle.board, puzzle.rule
    cells = next(cells for cells in rule.placements(board) if board.size // 2 == cells[0])
    return [step for step in rule.steps(board, cells) if len(step.holes) <= puzzle.hole_count]


def smallest_gap(puzzle: sl.Puzzle, footprint: Footprint, step: Step, times: int = 17) -> float:
    """Return the least distance of the moving piece from any other that may be there."""
    board, rule = puzzle.board, puzzle.rule
    used = {*step.before, *step.holes}
    path = motion(board, rule, step.before, step.after, step.holes)
    outlines = [footprint.outline_at(path.at(t)) for t in np.linspace(0, 1, times)]
    swept = np.concatenate(outlines)
    least = np.inf
    for cells in rule.placements(board):
        if used.isdisjoint(cells):
            other = footprint.outline_at([board.positions[cell] for cell in cells])
            distance = max(
                (other.min(axis=0) - swept.max(axis=0)).max(), (swept.min(axis=0) - other.max(axis=0)).max()
            )
            if distance < 2 * CLEARANCE:
                least = min(least, *(gap(outline, other) for outline in outlines))
    return least


@pytest.mark.parametrize("text", OPEN)
def test_pieces_pass_each_other_with_just_the_clearance(text: str) -> None:
    puzzle = sl.puzzle(text)
    footprint = piece_footprint(puzzle, CELL, CLEARANCE)
    steps = middle_steps(puzzle)
    assert {step.kind for step in steps} == OPEN[text]
    gaps = [smallest_gap(puzzle, footprint, step) for step in steps]
    assert min(gaps) >= CLEARANCE - 0.01
    # Pieces are not smaller than necessary.
    assert min(gaps) <= CLEARANCE + 0.03


@pytest.mark.parametrize("text", OPEN)
def test_pieces_that_are_too_large_are_detected(text: str) -> None:
    puzzle = sl.puzzle(text)
    large = piece_footprint(puzzle, CELL, 0.05)
    assert any(smallest_gap(puzzle, large, step) < 0.1 for step in middle_steps(puzzle))
    too_large = piece_footprint(puzzle, CELL + 1.5, 0.05)
    object.__setattr__(too_large, "cell", CELL)
    assert any(smallest_gap(puzzle, too_large, step) < 0 for step in middle_steps(puzzle))


@pytest.mark.parametrize(
    ("rule", "kind", "distance"),
    [
        ("tiles", "hex", 3**0.5 / 2),
        ("tiles", "king", 0.5**0.5),
        ("gourds", "hex", 3**0.5 - 1),
        ("gourds-sharp", "hex", 1 / 3**0.5),
        ("gourds", "square", 2.5**0.5 - 0.5**0.5),
    ],
)
def test_approaches_match_calculations_by_hand(rule: str, kind: str, distance: float) -> None:
    assert min_approach(rule_named(rule), kind) == pytest.approx(distance, abs=2e-5)


def wall(tray: Part, floor: float) -> tuple[Array, Array]:
    """Return the segments where the wall of a tray meets its floor."""
    corners = tray.vertices[tray.triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    is_vertical = np.abs(normal[:, 2]) < 1e-9 * np.abs(normal).max(axis=1)
    is_low = np.abs(corners[:, :, 2] - floor) < 1e-6
    is_high = corners[:, :, 2].max(axis=1) > floor + 1
    rows = np.flatnonzero(is_vertical & is_high & (is_low.sum(axis=1) == 2))
    pairs = np.array([corners[row][is_low[row]][:, :2] for row in rows])
    return pairs[:, 0], pairs[:, 1]


def wall_distance(made: Solid, times: int = 5) -> float:
    """Return the least distance of any piece from the wall in any move; negative if it collides."""
    puzzle, (tray,) = made.puzzle, made.trays
    board, rule = puzzle.board, puzzle.rule
    first, last = wall(tray, made.floor)
    least = np.inf
    for cells in rule.placements(board):
        for step in rule.steps(board, cells):
            if len(step.holes) > puzzle.hole_count:
                continue
            path = motion(board, rule, step.before, step.after, step.holes)
            corners = np.concatenate(
                [made.footprint.outline_at(path.at(t)) for t in np.linspace(0, 1, times)]
            )
            edge = np.minimum(corners.max(axis=0) - corners, corners - corners.min(axis=0)).min(axis=1)
            corners = corners[edge < CELL / 2]
            if not inside(corners, first, last).all():
                return -1.0
            least = min(least, float(segment_distances(corners, first, last).min()))
    return least


@pytest.mark.parametrize(
    "text",
    [
        "square R(3,2) tiles 1",
        "square 0,0 1,0 2,0 0,1 2,1 0,2 1,2 2,2 tiles 1",
        "hex P(3,2) hextiles 2",
        "hex F(2) tiles 1",
        "king R(2,3) tiles 1",
        "theta(1,2,2) tiles 1",
        "theta(2,2,3) tiles 1",
        "hex F(2) gourds 1",
        "hex F(2) gourds-sharp 1",
        "square R(3,2) gourds 2",
        "hex F(2) trimers-triangle 1",
        "hex P(4,1) trimers-straight 1",
        "square R(4,4) trimers-straight 1",
        "square R(5,2) blocks 2",
    ],
)
def test_the_wall_leaves_exactly_the_clearance(text: str) -> None:
    made = solid(sl.puzzle(text), cell=CELL, clearance=CLEARANCE, numbers="none")
    assert wall_distance(made) == pytest.approx(CLEARANCE, abs=0.03)


def test_walls_that_are_too_close_are_detected() -> None:
    puzzle = sl.puzzle("hex F(2) gourds 1")
    made, tight = (solid(puzzle, clearance=c, numbers="none") for c in (0.4, 0.1))
    object.__setattr__(tight, "footprint", piece_footprint(puzzle, CELL, 0.02))
    assert wall_distance(tight) < 0.4 - 0.03
    object.__setattr__(made, "footprint", piece_footprint(sl.puzzle("square R(3,3) gourds 1"), CELL, 0.4))
    assert wall_distance(made) < 0


def test_a_missing_cell_is_a_pillar() -> None:
    ring = "square 0,0 1,0 2,0 0,1 2,1 0,2 1,2 2,2 tiles 1"
    made = solid(sl.puzzle(ring))
    first, last = wall(made.trays[0], made.floor)
    # The centre of the ring is not in the well, that of a cell is.
    assert not inside(np.array([[CELL, -CELL]]), first, last)[0]
    assert inside(np.array([[0.0, -CELL]]), first, last)[0]


def test_a_disc_on_a_vertex_blocks_the_passage_between_its_edges() -> None:
    made = solid(sl.puzzle("theta(1,2,2)"))
    first, last = wall(made.trays[0], made.floor)
    radius = made.footprint.radius
    corner, *others = np.array(made.puzzle.board.positions[:3]) * (1, -1)
    directions = [other - corner for other in others]
    bisector = np.sum([d / np.linalg.norm(d) for d in directions], axis=0)
    bisector /= np.linalg.norm(bisector)
    line = bisector * np.linspace(0, 2 * CELL, 400)[:, None]
    points = line + corner * CELL
    free = inside(points, first, last) & (segment_distances(points, first, last) >= radius)
    # Midway between the edges another disc fits, but only where it collides with that on vertex 0.
    assert free.any()
    assert np.linalg.norm(line[free], axis=1).max() < 2 * radius


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("complete(5)", "0.0 mm between 0-2 and 1-3"),
        # K(3,3) and the Petersen graph are not planar.
        ("graph 0-3 0-4 0-5 1-3 1-4 1-5 2-3 2-4 2-5", "0.0 mm between"),
        ("graph 0-1 1-2 2-3 3-4 0-4 0-5 1-6 2-7 3-8 4-9 5-7 7-9 6-9 6-8 5-8", "0.0 mm between"),
        ("complete(30)", "edges that cross"),
    ],
)
def test_graphs_whose_channels_meet_are_refused(text: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message) as refused:
        solid(sl.puzzle(text))
    assert str(refused.value).startswith("expected a drawing that keeps the channels apart, got ")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text", ["graph 0-1 1-2 2-0 2-3 3-4", "graph 0-1 1-2 2-3 3-4 4-5 5-6 6-7 0-7 0-2", "path(5)"]
)
def test_graphs_are_printed_as_they_are_drawn(text: str) -> None:
    puzzle = sl.puzzle(text)
    made = solid(puzzle, numbers="none", clearance=CLEARANCE, bed=(400, 400))
    assert wall_distance(made) == pytest.approx(CLEARANCE, abs=0.03)
    assert made.puzzle == puzzle
    drawn, printed = np.array(lay_out_board(puzzle.board).positions), np.array(made.puzzle.board.positions)
    assert printed - printed[0] == pytest.approx(drawn - drawn[0])
    # Renderings accept configurations of the original puzzle and put pieces into the channels.
    first, last = wall(made.trays[0], made.floor)
    assert inside(printed * (CELL, -CELL), first, last).all()
    shuffled = puzzle.shuffle(seed=1)
    assert made.render(shuffled, width=80) == made.render(shuffled.text, width=80)


def test_sharp_angles_are_refused() -> None:
    board = sl.board({"kind": "graph", "vertices": 3, "edges": [[0, 1], [0, 2]],
                      "positions": [[0, 0], [2, 0], [1.8, 1.2]]})  # fmt: skip
    with pytest.raises(PuzzleError, match="got an angle of 34 degrees between 0-1 and 0-2 - on"):
        solid(sl.puzzle(board, "tiles", 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hex F(3) trimers 1", "pieces that keep their form to be printed, got some that bend or stretch"),
        ("hex F(3) trimers-bent 1", "expected pieces that can move to be printed, got none that can"),
        ("hex P(3,3) trimers-bent 3", "got a pivot that passes 6.4 mm from the middle of one"),
        ("hex P(3,3) trimers-straight 3", "got a pivot that passes 0.0 mm from the middle of one"),
        ("square R(4,4) trimers-bent 1", "got a pivot that passes 9.9 mm from the middle of one"),
        ("square R(4,4) trimers-straight 4", "got a pivot that passes 0.0 mm from the middle of one"),
    ],
)
def test_pieces_that_collide_in_their_moves_are_refused(text: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message) as refused:
        solid(sl.puzzle(text))
    assert "\n" not in str(refused.value)


def test_moves_that_the_board_has_no_room_for_do_not_matter() -> None:
    """In a single row straight pieces only slide, however many holes there are."""
    made = solid(sl.puzzle("square R(8,1) trimers-straight 2"), clearance=CLEARANCE, numbers="none")
    assert wall_distance(made) == pytest.approx(CLEARANCE, abs=0.03)
    assert made.footprint.radius == pytest.approx((CELL - CLEARANCE) / 2)


@pytest.mark.parametrize(
    ("text", "distance"),
    [
        ("hex F(4) trimers-triangle 1", 3**0.5 - 1),
        ("hex F(3) trimers-straight 1", 3**0.5 / 2),
        ("hex P(3,3) trimers-bent 3", 2 - 3**0.5),
        ("square R(4,4) trimers-bent 1", 2**0.5 - 1),
        ("square R(4,4) trimers-straight 1", 1.0),
    ],
)
def test_approaches_of_bars_match_calculations_by_hand(text: str, distance: float) -> None:
    found = closest_approach(sl.puzzle(text))
    assert found is not None
    assert found.distance == pytest.approx(distance, abs=2e-4)
