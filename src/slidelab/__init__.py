"""slidelab: the laboratory for sliding puzzles.

>>> import slidelab as sl
>>> sl.puzzle("hex P(3,4)").piece_count
10

Names are imported when they are first used, so that the command line answers at once. This file itself
imports nothing: a Ctrl-C while the command line loads it could not be caught.
"""

TYPE_CHECKING = False  # as in `typing`

if TYPE_CHECKING:
    from slidelab import atlas
    from slidelab.boards import Board, BoardLike, FoundCycle, Symmetries, board
    from slidelab.bridges.planning import Pddl, SasPlus, pddl, read_plan, sas_plus
    from slidelab.budget import Budget, ProgressCallback
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber
    from slidelab.distance.known import KnownResult, known_results
    from slidelab.distance.table import DistanceTable, distance_table
    from slidelab.draw.print import Solid
    from slidelab.draw.scene import Picture
    from slidelab.errors import (
        Damaged,
        GaveUp,
        IllegalMove,
        NotationError,
        NotReached,
        OutOfTime,
        PuzzleError,
        Stopped,
        TooLarge,
        Unsolvable,
        WorkerLost,
    )
    from slidelab.gains import Family, Gain, GainGraph, gain_graph
    from slidelab.gains.arrays import ConfigurationArrays
    from slidelab.place.placement import Placement
    from slidelab.place.problem import PlacementProblem
    from slidelab.puzzles import (
        Configuration,
        ConfigurationLike,
        Document,
        Move,
        MoveLike,
        MoveList,
        Moves,
        MovesLike,
        Passage,
        Puzzle,
        PuzzleLike,
        Solution,
        position,
        puzzle,
        read_document,
        read_move,
    )
    from slidelab.reach.analysis import Analysis, TheoremCheck
    from slidelab.reach.component import Component
    from slidelab.reach.factorisation import Factorisation, Generator
    from slidelab.reach.families import FamilyReport
    from slidelab.reach.group import PermutationGroup
    from slidelab.reach.move_check import MovesCheck, check
    from slidelab.reach.numbering import cell_numbers
    from slidelab.reach.prover.entry import prove
    from slidelab.reach.prover.families import FamilyProof
    from slidelab.reach.prover.proof import Proof
    from slidelab.reach.required_permutation import RequiredPermutation
    from slidelab.reach.topology.model import ComponentTopology, Topology
    from slidelab.reach.verdict import Verdict
    from slidelab.rules import RULES, Rule, Step, register_rule
    from slidelab.solve.instances import BenchmarkInstance, InstanceSet, instances
    from slidelab.solve.many import Solved, solve_many
    from slidelab.solve.method import Method
    from slidelab.solve.methods import METHODS
    from slidelab.solve.patterns.heuristic import Heuristic, heuristic_for
    from slidelab.sweeps.run import sweep

__version__ = "0.1.0"

_NAMES = {
    "boards": "Board BoardLike FoundCycle Symmetries board",
    "bridges.planning": "Pddl SasPlus pddl read_plan sas_plus",
    "budget": "Budget ProgressCallback",
    "distance.distances": "Distances",
    "distance.gods_number": "GodsNumber",
    "distance.known": "KnownResult known_results",
    "distance.table": "DistanceTable distance_table",
    "draw.print": "Solid",
    "draw.scene": "Picture",
    "errors": (
        "Damaged GaveUp IllegalMove NotReached NotationError OutOfTime PuzzleError Stopped TooLarge "
        "Unsolvable WorkerLost"
    ),
    "gains": "Family Gain GainGraph gain_graph",
    "gains.arrays": "ConfigurationArrays",
    "place.placement": "Placement",
    "place.problem": "PlacementProblem",
    "puzzles": (
        "Configuration ConfigurationLike Document Move MoveLike MoveList Moves MovesLike Passage Puzzle "
        "PuzzleLike Solution position puzzle read_document read_move"
    ),
    "reach.analysis": "Analysis TheoremCheck",
    "reach.component": "Component",
    "reach.factorisation": "Factorisation Generator",
    "reach.families": "FamilyReport",
    "reach.group": "PermutationGroup",
    "reach.move_check": "MovesCheck check",
    "reach.numbering": "cell_numbers",
    "reach.prover.entry": "prove",
    "reach.prover.families": "FamilyProof",
    "reach.prover.proof": "Proof",
    "reach.required_permutation": "RequiredPermutation",
    "reach.topology.model": "ComponentTopology Topology",
    "reach.verdict": "Verdict",
    "rules": "RULES Rule Step register_rule",
    "solve.instances": "BenchmarkInstance InstanceSet instances",
    "solve.many": "Solved solve_many",
    "solve.method": "Method",
    "solve.methods": "METHODS",
    "solve.patterns.heuristic": "Heuristic heuristic_for",
    "sweeps.run": "sweep",
}

__all__ = [
    "METHODS",
    "RULES",
    "Analysis",
    "BenchmarkInstance",
    "Board",
    "BoardLike",
    "Budget",
    "Component",
    "ComponentTopology",
    "Configuration",
    "ConfigurationArrays",
    "ConfigurationLike",
    "Damaged",
    "DistanceTable",
    "Distances",
    "Document",
    "Factorisation",
    "Family",
    "FamilyProof",
    "FamilyReport",
    "FoundCycle",
    "Gain",
    "GainGraph",
    "GaveUp",
    "Generator",
    "GodsNumber",
    "Heuristic",
    "IllegalMove",
    "InstanceSet",
    "KnownResult",
    "Method",
    "Move",
    "MoveLike",
    "MoveList",
    "Moves",
    "MovesCheck",
    "MovesLike",
    "NotReached",
    "NotationError",
    "OutOfTime",
    "Passage",
    "Pddl",
    "PermutationGroup",
    "Picture",
    "Placement",
    "PlacementProblem",
    "ProgressCallback",
    "Proof",
    "Puzzle",
    "PuzzleError",
    "PuzzleLike",
    "RequiredPermutation",
    "Rule",
    "SasPlus",
    "Solid",
    "Solution",
    "Solved",
    "Step",
    "Stopped",
    "Symmetries",
    "TheoremCheck",
    "TooLarge",
    "Topology",
    "Unsolvable",
    "Verdict",
    "WorkerLost",
    "__version__",
    "atlas",
    "board",
    "cell_numbers",
    "check",
    "distance_table",
    "gain_graph",
    "heuristic_for",
    "instances",
    "known_results",
    "pddl",
    "position",
    "prove",
    "puzzle",
    "read_document",
    "read_move",
    "read_plan",
    "register_rule",
    "sas_plus",
    "solve_many",
    "sweep",
]


if not TYPE_CHECKING:  # a type checker must see the imports above

    def __getattr__(name: str) -> object:
        from slidelab.late_imports import late_imports

        if name == "atlas":  # the only room that is a part of the interface itself
            from importlib import import_module

            return import_module("slidelab.atlas")
        return late_imports("slidelab", _NAMES)(name)


def __dir__() -> list[str]:
    return sorted(__all__)
