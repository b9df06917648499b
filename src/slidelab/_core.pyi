"""The hot kernels of slidelab."""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


class LimitReached(MemoryError):
    pass

class OutOfTime(TimeoutError):
    pass

MAX_CELLS: int = 65535

MAX_PIECE_CELLS: int = 8

MAX_TURNS: int = 8

MAX_STEP_HOLES: int = 8

class GainGraph:
    def __init__(self, rank: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], placements: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], turns: int, pieces: int, max_shapes: int, max_bytes: int, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    @property
    def shape_count(self) -> int: ...

    @property
    def edge_count(self) -> int: ...

    @property
    def isolated(self) -> int: ...

    @property
    def degree(self) -> int: ...

    def keys(self) -> NDArray[numpy.uint16]: ...

    def family(self) -> NDArray[numpy.uint32]: ...

    def edges(self, progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.int64]:
        """Rows of source, target, slot before, slot after, turn and step."""

    def find(self, key: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int: ...

    def slots(self, arg: int, /) -> list[int]: ...

    def span(self, base: int, max_bytes: int, progress: Callable[[str, int, int], object] | None = None, along_line: bool = False) -> tuple[NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.int64], NDArray[numpy.uint16], NDArray[numpy.uint16], NDArray[numpy.uint32]]: ...

class Replay:
    def __init__(self, cells: int, steps: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], pieces: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> None: ...

    def play(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> int:
        """Plays rows of moves; how many the rule allows."""

    def pieces(self) -> NDArray[numpy.int32]:
        """The cells of all pieces, in one row."""

def label_moves(piece_on: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], moves: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.int32]:
    """The piece that each move takes from its first cell to its second."""

class Pfaffian:
    def __init__(self, vertices: int, arcs: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """Arcs as rows of first vertex, second vertex and variable."""

    @property
    def cost(self) -> int: ...

    def sum(self, prime: int, counts: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], factors: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> int:
        """
        The sum of factors times Pfaffian over the grid of all values, modulo the prime.
        """

class PolyhexStream:
    def __init__(self, n: int) -> None: ...

    def next_batch(self, max_boards: int, progress: Callable[[str, int, int], object] | None = None) -> list[list[tuple[int, int]]]: ...

class GraphStream:
    def __init__(self, n: int, two_connected: bool) -> None: ...

    def next_batch(self, max_boards: int, progress: Callable[[str, int, int], object] | None = None) -> list[list[tuple[int, int]]]: ...

class Group:
    def __init__(self, generators: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], seed: int, max_bytes: int, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    @property
    def degree(self) -> int: ...

    @property
    def orbits(self) -> list[list[int]]: ...

    @property
    def giants(self) -> list[tuple[int, int, int]]: ...

    @property
    def chain_lengths(self) -> list[int]: ...

    def base(self) -> tuple[list[int], list[int]]: ...

    def contains(self, permutation: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool: ...

    def factor(self, permutation: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[tuple[int, bool]] | None: ...

    def program(self) -> NDArray[numpy.int64]: ...

    def seed(self, arg: int, /) -> None: ...

    def random_element(self) -> NDArray[numpy.uint16]: ...

    def elements(self, first: int, count: int, progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.uint16]:
        """
        Elements number first, first + 1, ... in a fixed order, one in each row.
        """

    def recolour(self, a: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], budget: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[list[int] | None, bool]: ...

def parity(generators: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.uint8]:
    """For each row: is it an odd permutation?"""

def minimal_block(generators: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], a: int, b: int, progress: Callable[[str, int, int], object] | None = None) -> list[int]: ...

class ShortWords:
    def __init__(self, generators: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Sequence[int], base: Sequence[int], lengths: Sequence[int], seed: int, max_rounds: int, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    @property
    def complete(self) -> bool: ...

    def factor(self, permutation: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[int] | None: ...

class StateCode:
    def __init__(self, shapes: int, edges: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], turns: int, labels: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], main: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], all_words: bool, max_bytes: int, prefix: int = 0, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    @property
    def words(self) -> int: ...

    @property
    def row(self) -> int: ...

    @property
    def x_count(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def shapes(self) -> int: ...

    @property
    def shards(self) -> int: ...

    @property
    def blocks(self) -> int: ...

    @property
    def block(self) -> int: ...

    def shard_of(self, word: int) -> int: ...

    @property
    def crossing_edges(self) -> int:
        """Edges that lead from shard to shard."""

    @property
    def alternates(self) -> bool:
        """
        Whether the shapes have two colours such that every move changes the colour.
        """

    def place(self, shape: int, arrangement: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[int, int, int] | None: ...

    def arrangement(self, place: tuple[int, int, int]) -> NDArray[numpy.uint32]: ...

class LayerSearch:
    def __init__(self, code: StateCode, table: bool = False, line: Sequence[int] = [], portable: bool = False, thin: int = 128) -> None: ...

    @staticmethod
    def bytes_needed(code: StateCode, table: bool, lines: bool, threads: int) -> int: ...

    def begin(self, start: tuple[int, int, int]) -> None: ...

    def advance(self, threads: int, progress: Callable[[str, int, int], object] | None = None) -> int: ...

    @property
    def layers(self) -> list[int]: ...

    @property
    def finished(self) -> bool: ...

    def last_layer(self, limit: int, progress: Callable[[str, int, int], object] | None = None) -> list[tuple[int, int, int]]: ...

    def layer_states(self, ranks: Sequence[int], progress: Callable[[str, int, int], object] | None = None) -> list[tuple[int, int, int]]:
        """
        States of the last layer by their ascending ranks in the order of `last_layer`.
        """

    def residue(self, place: tuple[int, int, int]) -> int: ...

    def neighbours(self, place: tuple[int, int, int]) -> list[tuple[int, tuple[int, int, int]]]: ...

    def distances(self, shapes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], arrangements: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int, progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.int32]:
        """
        Moves to where the search began, -1 for what was not reached or has a negative shape.
        """

    def residues(self, shapes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], arrangements: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int, progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.int8]:
        """The distances modulo three, or -1."""

    def keep_table_only(self) -> None: ...

    def pack(self, earlier: bool, first: int, count: int) -> NDArray[numpy.uint64]: ...

    def prepare(self) -> None: ...

    def load(self, earlier: bool, first: int, count: int, packed: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def resume(self, layers: Sequence[int], progress: Callable[[str, int, int], object] | None = None) -> None: ...

def two_colourable(shapes: int, edges: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> bool:
    """Whether two colours suffice such that every edge joins both."""

def pack_words(words: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], flipped: int = 0) -> NDArray[numpy.uint64]:
    """
    Words of which most are zero, or `flipped`, without these; see `unpack_words`.
    """

def unpack_words(packed: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], flipped: int = 0) -> None:
    """Write packed words to an array."""

class ShardSearch:
    def __init__(self, code: StateCode, first: int, last: int, two_planes: bool = False, portable: bool = False, thin: int = 128, kept: int = 1000) -> None: ...

    def bytes_needed(self, threads: int) -> int: ...

    @property
    def alternates(self) -> bool: ...

    @property
    def layers(self) -> list[int]: ...

    @property
    def finished(self) -> bool: ...

    @property
    def crossings(self) -> int:
        """Moves into the next layer that lead from shard to shard."""

    @property
    def listed(self) -> bool:
        """Whether the words of the last layer are in a list."""

    @property
    def counted(self) -> tuple[int, int]:
        """
        Words with new states and new states of the last layer in this process.
        """

    def plane_of(self, layer: int) -> int: ...

    def plane_shapes(self, plane: int) -> int: ...

    def plane(self, plane: int) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None))]:
        """The words of a plane, not copied: shards, shapes, words of a shape."""

    def arrivals(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None))]:
        """
        The words that arrived, not copied: shards, crossings, words of a shape.
        """

    def begin(self, start: tuple[int, int, int]) -> None: ...

    def prepare(self, start_shape: int) -> None: ...

    def count(self, plane: int, progress: Callable[[str, int, int], object] | None = None) -> int: ...

    def resume(self, layers: Sequence[int]) -> None: ...

    def advance(self, threads: int, progress: Callable[[str, int, int], object] | None = None) -> int: ...

    def is_thin(self, words: int, listed: bool) -> bool: ...

    def push(self, threads: int, progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.uint64]:
        """
        Carry the listed words; return those of shards of others, as rows of a word and its bits.
        """

    def word_of(self, state: tuple[int, int, int]) -> tuple[int, int]:
        """The number of a state's word in its plane, and its bit."""

    def images(self, words: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int, progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.uint64]:
        """
        What words of the last layer lead to, as rows of a word and its bits, each word once, in order.
        """

    def shards_of(self, words: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]:
        """Rows of a shard and the number of the word in the shard's plane."""

    def mark(self, words: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def begin_full(self, threads: int) -> None: ...

    def count_blocks(self, crossing: int, source: tuple[int, int], target: tuple[int, int]) -> int: ...

    def send(self, crossing: int, shards: tuple[int, int], processes: Sequence[tuple[int, int]], lists: Sequence[Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')]], threads: int, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    def receive(self, crossing: int, source: tuple[int, int], blocks: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def sweep(self, within: bool, crossing: bool, threads: int, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    def finish_layer(self, states: int) -> int: ...

    def last_layer(self, limit: int) -> list[tuple[int, int, int]]: ...

    def take_fresh(self) -> NDArray[numpy.uint64]:
        """
        Rows of a word and its new bits since the last call, the first ones at least.
        """

    def places(self, plane: int, words: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], limit: int) -> list[tuple[int, int, int]]: ...

    def hold(self, shard: int) -> None: ...

    def crossings_into(self, plane: int) -> int: ...

    def departures(self, plane: int, threads: int, progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.uint64]:
        """
        What leaves the shard into a plane: a row for each crossing and block, with its words of all rows.
        """

    def origins(self, plane: int, crossing: int, shard: int) -> list[tuple[int, int]]: ...

class SymmetricSearch:
    def __init__(self, code: StateCode, shapes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], names: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], renamings: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], leaving: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], closing: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], two_planes: bool = False, portable: bool = False, thin: int = 128, kept: int = 1000, progress: Callable[[str, int, int], object] | None = None) -> None:
        """
        Names have a row for each symmetry: the new name of each piece point. Renamings have a row each: a shape, its image, the symmetry, and the image of each slot point. Leaving has rows of an arc and a renaming.
        """

    @property
    def alternates(self) -> bool:
        """Whether one bit a state is enough."""

    @property
    def words(self) -> int:
        """Machine words of all planes."""

    def bytes_needed(self, threads: int) -> int: ...

    def begin(self, start: tuple[int, int, int]) -> None: ...

    def advance(self, threads: int, progress: Callable[[str, int, int], object] | None = None) -> int: ...

    @property
    def layers(self) -> list[int]: ...

    def last_layer(self, limit: int) -> list[tuple[int, int, int]]:
        """States of the last layer in the shapes that are kept."""

class GoalCode:
    def __init__(self, shapes: int, edges: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], turns: int, kinds: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], periods: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bytes: int, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    @property
    def words(self) -> int:
        """Arrangements of the kinds of pieces in the slots of a shape."""

    @property
    def turnings(self) -> int:
        """Ways to turn the pieces of each of them."""

    @property
    def bytes(self) -> int: ...

    def index(self, kinds: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], turns: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int | None: ...

    def arrangement(self, index: int) -> list[tuple[int, int]]:
        """Kind and turn of the piece of each slot."""

class GoalSearch:
    def __init__(self, code: GoalCode, samples: int = 0, thin: int = 128) -> None: ...

    @staticmethod
    def bytes_needed(code: GoalCode, threads: int) -> int: ...

    def begin(self, goals: Sequence[tuple[int, int]]) -> None: ...

    def advance(self, threads: int, progress: Callable[[str, int, int], object] | None = None) -> int: ...

    @property
    def layers(self) -> list[tuple[int, int]]:
        """States of each layer, and how many of them have one shortest solution."""

    def sample(self, layer: int) -> list[tuple[tuple[int, int], bool]]:
        """States drawn from a layer, and whether each has one shortest solution."""

    def residue(self, place: tuple[int, int]) -> int: ...

    def is_unique(self, place: tuple[int, int]) -> bool: ...

    def distance(self, place: tuple[int, int]) -> int: ...

    def neighbours(self, place: tuple[int, int]) -> list[tuple[int, int]]: ...

    def solutions(self, place: tuple[int, int], max_positions: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[int, float, int]:
        """
        The number of shortest solutions, the chance of random moves to find one, and the positions on them.
        """

class MoveTable:
    def __init__(self, graph: GainGraph, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    @property
    def shapes(self) -> int: ...

def build_pattern_database(moves: MoveTable, goal: int, slots: Sequence[int], threads: int, max_bytes: int, by_region: bool = False, progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.uint8]:
    """
    The pattern database of the pieces in some slots of a shape; 255 where the goal cannot be reached. Cells are counted along the line of slots. By region: one for the hole in the largest part of the board that the pieces leave, then one for the hole elsewhere.
    """

def pack_pattern_database(table: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], alone: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], cells: int, single_cells: bool, threads: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[NDArray[numpy.uint8], bool, int, int]:
    """
    A pattern database less what its pieces need alone: bytes, whether two entries share one, step, entries cut.
    """

def checksum(bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> int:
    """A sum over all bytes that changes with any of them."""

def checksums(rows: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]:
    """The checksum of the bytes of each row."""

def single_distances(moves: MoveTable, shape: int, points: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.uint16]:
    """
    For slot points of a shape, the moves that a piece needs from each spot to there, alone; 65535 where there is no path.
    """

def pair_excess(moves: MoveTable, shape: int, alone: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], pairs: Sequence[tuple[int, int]], threads: int, progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.float64]:
    """
    For pairs of slots of a shape, what two pieces need together beyond what they need alone, on average.
    """

class Heuristic:
    def __init__(self, base: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], cells: int, single_cells: bool, tables: Sequence[tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], int, bool, int]], lookups: Sequence[tuple[Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[tuple[int, Sequence[int]]]]], progress: Callable[[str, int, int], object] | None = None) -> None: ...

    def bounds(self, kinds: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], spots: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int, progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.int32]:
        """
        Lower bounds for rows of spots of pieces of these kinds; -1 where the goal cannot be reached.
        """

class Ranking:
    """How beam search ranks states; costs are in sixty-fourths of a move."""

    def __init__(self, excess: int, costs: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], neighbours: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], pairs: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def add_network(self, near: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], contents: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Adds a network: the window of each placement, the content of each kind and placement, and the weights by position, content and channel.
        """

class Searcher:
    def __init__(self, moves: MoveTable, periods: Sequence[int], max_paths: int, max_path_length: int, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    @property
    def pruning_length(self) -> int: ...

    @property
    def pruning_states(self) -> int: ...

    def mark(self, kind: int, turn: int) -> int: ...

    def ida_star(self, heuristic: Heuristic, shape: int, marks: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], bound: int, below: int, max_nodes: int, threads: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[list[tuple[int, int, int]] | None, int, int, bool]: ...

    def a_star(self, heuristic: Heuristic, shape: int, marks: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: int, below: int, max_bytes: int, max_nodes: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[list[tuple[int, int, int]] | None, int, int, bool]: ...

    def beam_search(self, heuristic: Heuristic, shape: int, marks: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int, below: int, ranking: Ranking, max_bytes: int, threads: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[list[tuple[int, int, int]] | None, int, int, bool]: ...

    def sample_beam(self, heuristic: Heuristic, shape: int, marks: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int, below: int, ranking: Ranking, every: int, count: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[tuple[list[tuple[int, int, int]] | None, int, int, bool], NDArray[numpy.uint16]]:
        """
        A beam search by one thread and, of every so many layers, the state on the path to the solution and some others: the spot of each kind, and what the databases add over all lookups.
        """

    def beam_bytes(self, heuristic: Heuristic) -> tuple[int, int]:
        """
        Bytes of a beam search for each state of its width, and for each of them and layer.
        """

    def bidirectional(self, shape: int, marks: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], goal_shape: int, goal_marks: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bytes: int, max_nodes: int, both: bool, progress: Callable[[str, int, int], object] | None = None) -> tuple[list[tuple[int, int, int]] | None, int, int, bool]: ...

def distance_sum(cells: int, steps: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> int:
    """The sum of the distances between pairs of cells."""

def first_letters(letters: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.int8]:
    """
    The first letter of a shortest word from each tuple of points to a target.
    """

class Peeler:
    def __init__(self, cells: int, steps: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], pieces: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], goal: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bytes: int, positions: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> None:
        """
        Distances between cells take at most `max_bytes`, but for those of a few hundred cells. `positions` are the coordinates of squares, or have no rows.
        """

    def walk(self, weights: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int, depth: int, min_gain: float, progress: Callable[[str, int, int], object] | None = None) -> bool:
        """
        Move the holes by a beam search as long as each move brings pieces nearer by `min_gain` cells; false if time is up. `weights` has the weight of each piece, from 1, in sixteenths.
        """

    def place(self, ear: Sequence[int], progress: Callable[[str, int, int], object] | None = None) -> bool:
        """
        Bring the pieces of these cells to them and close the cells; false if time is up.
        """

    def fill(self, ear: Sequence[int], progress: Callable[[str, int, int], object] | None = None) -> bool:
        """
        Bring any pieces to these cells and close the cells; false if time is up.
        """

    @property
    def length(self) -> int: ...

    def pieces(self) -> NDArray[numpy.int32]:
        """The piece on each cell, 0 for a hole."""

    def moves(self) -> NDArray[numpy.int32]:
        """One row a move: cell before, cell after."""

class Shortener:
    def __init__(self, rank: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], placements: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], turns: int, pieces: Sequence[tuple[int, int]], progress: Callable[[str, int, int], object] | None = None) -> None: ...

    def load(self, moves: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> None:
        """Moves as rows of placement before, placement after and turn."""

    def __len__(self) -> int: ...

    def cut_loops(self, progress: Callable[[str, int, int], object] | None = None) -> None:
        """
        Leave out what lies between two visits to the same state; the moves stay as they are if that is stopped.
        """

    def run(self, length: int, max_nodes: int, progress: Callable[[str, int, int], object] | None = None) -> bool:
        """
        One pass over all stretches of so many moves; whether it came to its end.
        """

    def replanner(self, max_bytes: int) -> Replanner:
        """A copy of the moves, whose pieces are given new paths."""

    def moves(self) -> NDArray[numpy.int32]: ...

class Replanner:
    def __len__(self) -> int: ...

    def run(self, length: int, offset: int, trials: int, max_pieces: int, temperature: float, seed: int, row_bytes: int, threads: int, progress: Callable[[str, int, int], object] | None = None) -> bool:
        """One round over windows of so many moves; whether it came to its end."""

    def moves(self) -> NDArray[numpy.int32]:
        """
        The shortest moves so far, as rows of placement before, placement after and turn.
        """

class BoardBeam:
    def __init__(self, rank: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], placements: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], turns: int, goal: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> None: ...

    @property
    def pair_bytes(self) -> int:
        """Bytes of the table of pairs."""

    def add_pairs(self, bytes: int, threads: int, progress: Callable[[str, int, int], object] | None = None) -> None:
        """Make the table of pairs, by which states can be ranked then."""

    def bytes(self) -> tuple[int, int]:
        """
        Bytes of a beam for each state, and for the record of a state in each layer.
        """

    def lower_bound(self, start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int | None:
        """The sum of the distances of single pieces; None if there is no path."""

    def solve(self, start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int, below: int, ranking: tuple[float, float, float], bytes: int, threads: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[NDArray[numpy.int32] | None, int, int, bool]:
        """
        Rows of placement before, placement after and turn, or None; nodes, a lower bound, and whether no state was dropped.
        """

    def windows(self, start: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], path: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> BoardWindows:
        """
        A solution that windows shorten: rows of piece and spot after the move.
        """

class BoardWindows:
    def __len__(self) -> int: ...

    def run(self, length: int, offset: int, width: int, salt: int, ranking: tuple[float, float, float], bytes: int, threads: int, progress: Callable[[str, int, int], object] | None = None) -> bool:
        """
        Search all windows of so many moves anew; whether that came to its end.
        """

    def moves(self) -> NDArray[numpy.int32]:
        """Rows of placement before, placement after and turn."""

class GourdTrain:
    def __init__(self, offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], neighbours: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    @property
    def hole(self) -> int: ...

    def copy(self) -> GourdTrain:
        """The same position, with a path of its own."""

    def at(self, cell: int) -> int:
        """
        The end on a cell: twice its gourd's number, from 0, and one more for a tail; -1 for the hole.
        """

    def ends(self) -> NDArray[numpy.int32]:
        """The cells of head and tail of each gourd."""

    def path(self) -> NDArray[numpy.int32]:
        """Where the hole went."""

    def play(self, path: Sequence[int], progress: Callable[[str, int, int], object] | None = None) -> None: ...

    def pull(self, cycle: Sequence[int], pulls: int, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    def pull_to(self, cycle: Sequence[int], cell: int, progress: Callable[[str, int, int], object] | None = None) -> int: ...

    def align(self, cycle: Sequence[int], progress: Callable[[str, int, int], object] | None = None) -> None: ...

    def exchange(self, first: Sequence[int], second: Sequence[int], goal: GourdTrain, progress: Callable[[str, int, int], object] | None = None) -> int: ...

    def search(self, cells: Sequence[int], goal: GourdTrain, progress: Callable[[str, int, int], object] | None = None) -> list[int] | None: ...

    def sort(self, cycle: Sequence[int], goal: GourdTrain, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    def shortest_path(self, goal: GourdTrain, max_states: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[list[int] | None, int]:
        """
        A shortest path, if that takes no more than so many states, and how many moves are needed at least.
        """

    def best_first(self, goal: GourdTrain, coordinates: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: int, max_states: int, progress: Callable[[str, int, int], object] | None = None) -> list[int] | None:
        """
        Any path, found best first among so many states on hexagons; None if it takes more.
        """

    def rows(self, path: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], coordinates: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> NDArray[numpy.int32]:
        """
        Rows of piece, kind, head and tail before, head and tail after, from this position.
        """

class GourdCarrier:
    def __init__(self, train: GourdTrain, coordinates: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def carry(self, gourd: int, head: int, tail: int, ends: int = 4, hole: int = 4, round: bool = False, max_states: int = 200000, progress: Callable[[str, int, int], object] | None = None) -> bool:
        """
        Bring a gourd to its place for good; False if that takes more than so many states.
        """

    def fill(self, one: int, other: int, hole: int = 4, round: bool = False, max_states: int = 200000, progress: Callable[[str, int, int], object] | None = None) -> bool:
        """Bring any gourd to a place for good."""

class Batches:
    @staticmethod
    def of_tiles(rank: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], placements: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], turns: int, counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> Batches: ...

    @staticmethod
    def of_pieces(rank: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], placements: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], steps: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], turns: int, readings: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], class_of: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], period: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], progress: Callable[[str, int, int], object] | None = None) -> Batches: ...

    @property
    def width(self) -> int: ...

    def moves(self) -> NDArray[numpy.int32]:
        """
        Rows of placement before, placement after, turn, first row of the step table, and the move that takes it back.
        """

    def count(self, batch: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], threads: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[int, int]:
        """Check all rows, and count their legal moves."""

    def spots(self, batch: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], spots: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu')], threads: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[int, int]:
        """
        Check all rows, and write where each piece lies: placement * turns + reading.
        """

    def expand(self, batch: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], parents: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], moves: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')], threads: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[int, int]:
        """Write all neighbours of rows that were counted before."""

    def mask(self, batch: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], legal: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu')], threads: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[int, int]:
        """Write for each row and move whether it is legal."""

    def apply(self, states: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], moves: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], trace: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')] | None, threads: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[int, int]:
        """
        Make moves in the states; with a trace, write what each row goes through.
        """

    def step(self, states: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], moves: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], goal: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], made: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu')], legal: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu')], solved: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu')], threads: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[int, int]:
        """
        Make a move in each state where it is legal; write which were made, what is legal then, and what is solved.
        """

    def walk(self, states: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], lengths: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, backtrack: bool, moves: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu')], threads: int, progress: Callable[[str, int, int], object] | None = None) -> tuple[int, int]:
        """
        Make random moves in the states; write as many of them as there are columns.
        """

def read_places(graph: GainGraph, spots: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], shapes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], arrangements: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu')], threads: int, progress: Callable[[str, int, int], object] | None = None) -> None:
    """
    Write shape (-1 if there is none) and arrangement of each row of spots.
    """

MAX_COMPLEX_CELLS: int = 256

class ConfigurationComplex:
    def __init__(self, graph: GainGraph, polygons: Sequence[Sequence[tuple[int, int]]], gains: bool, max_bytes: int, progress: Callable[[str, int, int], object] | None = None) -> None: ...

    @property
    def dimension(self) -> int: ...

    def counts(self, family: int) -> NDArray[numpy.uint64]:
        """Rows of the number of cells and of critical cells, for each dimension."""

    def smith(self, base: int, first: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bytes: int, progress: Callable[[str, int, int], object] | None = None) -> list[tuple[int, list[list[tuple[int, int]]]]]:
        """
        For the boundary of each dimension from two: the number of ones of its Smith normal form, and the columns of what else is left of it. `first` is an arrangement at the base, empty if all are taken for the same.
        """
