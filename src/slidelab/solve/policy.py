"""Every threshold by which `solve` chooses a method and divides the time, in one object."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Policy"]


@dataclass(frozen=True, slots=True)
class Policy:
    """Thresholds of `slidelab.solve.solver.solve`; the defaults suit a machine with a few cores.

    They decide which method answers and how long each step may take, never what is proved.

    >>> from dataclasses import replace
    >>> replace(Policy(), tiny_table_bytes=0).tiny_table_bytes
    0
    """

    # Distance tables
    tiny_table_bytes: int = 3_000_000
    """Table that is built before anything else is tried: a few milliseconds."""
    small_table_bytes: int = 500_000_000
    """Table that is built before any heuristic search: a second or two."""

    # Bidirectional search for starts near the goal
    near_nodes: int = 30_000
    """Nodes of the search: a few milliseconds."""
    max_near_pieces: int = 400
    """Pieces above which setting up the search takes longer than some tenths of a second."""
    max_near_work: int = 3_000_000
    """Shapes times pieces above which it does."""
    near_count_work: int = 100_000
    """Steps for counting the shapes: some tenths of a second."""

    # Whether to search for a shortest solution at all
    max_search_pieces: int = 30
    """Pieces above which no search for a shortest solution ends in practice."""
    max_search_gourds: int = 10
    """The same for gourds, whose two ends must both reach their cells."""
    max_certain_pieces: int = 20
    """Pieces above which a search may not end, so that some solution is constructed first."""

    # Pattern databases
    quick_database_bytes: int = 1_000_000
    """Databases that are built if there is no time for the default size."""
    large_database_bytes: int = 600_000_000
    """Databases for a search that takes long."""
    large_database_seconds: float = 60.0
    """Time that must be left for building them to be worthwhile."""
    heuristic_grace_seconds: float = 0.2
    """Time beyond the deadline for the distances of single pieces, without which there is no lower bound."""
    max_grace_bytes: int = 30_000_000
    """Moves of a puzzle, in bytes, that can be listed in that time."""

    # IDA* and weighted A*
    first_search_seconds: float = 5.0
    """Time for IDA* before a larger distance table is built, if there is memory for it."""
    first_solution_searches: tuple[tuple[float, int], ...] = ((5.0, 200_000), (20.0, 5_000_000))
    """Weights and node limits of the searches for any solution: mostly milliseconds."""
    improving_weights: tuple[float, ...] = (3.0, 2.0, 1.5, 1.25, 1.1)
    """Weights of the searches for better solutions."""
    max_improving_bytes: int = 2_000_000_000
    """Memory of one such search."""

    # Beam search
    beam: bool = True
    """Whether `auto` and `anytime` improve solutions by beam search."""
    max_beam_pieces: int = 100
    """Pieces above which the databases are too weak for beams to beat a constructed solution."""
    first_beam_width: int = 500
    """States of the narrowest beam: some hundredths of a second."""
    beam_growth: int = 4
    """How much wider than the beam before it a beam is, as long as there is time."""
    max_trial_beam_width: int = 2_000
    """Width up to which all rankings are tried; wider beams take the best of them."""
    fitted_excess: tuple[float, ...] = (1.0, 2.0)
    """Factors of the weight of what pattern databases add where beams rank states by fitted weights."""
    network_excess: float = 1.0
    """The same, as a weight, where a network adds to them."""
    network_weights: tuple[float, ...] = (1.0, 0.85, 1.15, 0.7, 1.3)
    """Weights of the network for beams between states of a solution: each sees other states first."""
    beam_rankings: tuple[tuple[float, float, float], ...] = (
        (2.5, 1.2, 0.5),
        (1.5, 1.2, 0.5),
        (2.5, 1.2, 1.0),
    )
    """How beams rank other states: weight of what pattern databases add, power of distances, weight of the
    order of neighbours. The first is tried beside fitted weights, too."""
    beam_lookups: tuple[tuple[int, int], ...] = ((30, 4), (1000, 8))
    """Most pieces, and lookups in pattern databases for their beams, over all partitions and symmetries."""
    beam_length_factor: int = 4
    """Longest solutions looked for if none is known, as a multiple of the lower bound and the cells."""
    beam_seconds: float = 1.2
    """Time for beams without a deadline, and as much again for a proof."""
    segment_seconds: float = 1.5
    """Time for beams without a deadline where there is no hope for a proof."""
    construction_share: float = 0.5
    """Part of the time left for a constructed solution if beams find none that is shorter."""
    quick_database_seconds: float = 0.5
    """Time for pattern databases without a deadline."""
    beam_share: float = 0.8
    """Part of the time left for beams before IDA* proves lower bounds."""
    segment_share: float = 0.4
    """Part of that time for beams between states of the solution, where a network ranks them."""
    first_beams_share: float = 0.5
    """Part of the time in which a beam must find a solution where there is no hope for a proof; what it
    leaves is for beams between states of the solution."""
    narrow_beam_width: int = 125
    """States of the first beam there."""
    bound_seconds: float = 0.5
    """Most time for pattern databases that only give a lower bound; at most a twentieth of the time left."""
    segment_width: int = 3_000
    """States of the first beams between two states of the solution, if there is time for many."""
    segment_time_share: float = 0.35
    """Part of the time left that such a beam may take for the whole solution, by its estimate."""
    min_segment_width: int = 100
    """States of these beams at least."""
    whole_share: float = 0.5
    """Part of the time left in which the whole solution is searched anew; the rest is for its segments."""
    min_segment: float = 0.25
    """Length of a segment that is searched anew, as a part of the solution; all of it at most."""
    idle_segments: int = 40
    """Segments in a row without a gain after which beams become twice as wide."""
    max_segment_shapes: int = 1_000
    """Shapes above which the distances to another state take longer than a beam."""
    beam_time_share: float = 0.85
    """Part of the time for beams that the widest may take by its estimate."""
    min_beam_growth: float = 1.3
    """How much wider a beam must be than the one before it to be worthwhile."""
    max_beam_bytes: int = 8_000_000_000
    """Memory of one beam."""
    beam_database_share: float = 0.3
    """Part of the time left in which pattern databases for beams are built."""
    max_board_beam_pieces: int = 90
    """Pieces above which beams on the board itself that take some seconds mostly end without a solution."""
    board_rankings: tuple[tuple[float, float, float], ...] = (
        (1.5, 1.0, 0.0),
        (1.5, 0.0, 2.0),
        (2.0, 0.0, 2.0),
    )
    """How beams on the board itself rank states: power of distances, weights of remote goals and of pairs."""
    pair_share: float = 0.15
    """Part of the time for these beams in which the table of pairs is built."""
    first_window: tuple[int, int] = (75, 1_600)
    """Moves of a window of the solution that is searched anew, and width of the beam for it."""
    window_growth: float = 1.4
    """How much longer windows become, with beams twice as wide, after rounds that gain nothing."""
    idle_window_rounds: int = 3
    """How many of these rounds there are."""
    window_ranking: tuple[float, float, float] = (1.5, 0.0, 0.0)
    """How the beams of windows rank states."""
    window_share: float = 0.4
    """Part of the time for beams on the board itself that is left for windows."""
    last_shorten_share: float = 0.05
    """Part of the time left after the databases are built in which the solution of the beams is shortened."""
    max_last_shorten_seconds: float = 0.1
    """Most time for it: it gains two moves at most, and these at once."""

    # Constructive solutions
    construct: bool = True
    """Whether `auto` may construct a solution; not for the last few cells of a construction itself."""
    core_seconds: float = 10.0
    """Time for an exact solution of the last few cells of a huge board."""
    max_core_states: int = 10_000_000
    """States of these cells up to which bidirectional search solves them without pattern databases."""
    grace_seconds: float = 0.2
    """Time beyond the deadline for a construction if nothing was found before it."""
    max_walk_seconds: float = 10.0
    """Time for walks of the holes on huge boards without a deadline; or as long as peeling took, if more."""
    walk_style_seconds: float = 1.0
    """Time after which no further style of walks is tried without a deadline."""
    walk_share: float = 0.8
    """Part of the time left that they may take if there is a deadline."""
    max_walk_holes_share: float = 0.05
    """Part of the cells that are holes above which there are no walks, but more time to plan paths anew."""
    replan_share: float = 0.8
    """Part of the time for shortening in which paths are planned anew if there are several holes."""
    max_first_shorten_seconds: float = 1.0
    """Time to shorten the solution that is constructed before a search."""
    min_shorten_seconds: float = 1.0
    """Least time to shorten a constructed solution without a deadline; it is a third of the time so far."""
    max_shorten_seconds: float = 10.0
    """Most time for it."""
    answer_seconds: float = 0.15
    """Time reserved between shortening and the answer."""
    moves_per_second: int = 100_000
    """Moves of pieces of several cells that are converted a second before and after shortening."""

    # Coloured gourds
    max_placements: int = 2_000
    """Placements that are tried if the nearest cannot be reached."""
