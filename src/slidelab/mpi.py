"""Processes that `mpiexec` or `srun` started together: which of them this is, and their communicator."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidelab.errors import PuzzleError
from slidelab.packages import require

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mpi4py.MPI import Intracomm

__all__ = ["Launch", "is_launched", "launch", "local_processes", "world"]

_LAUNCHERS = (
    ("PMI_RANK", "PMI_SIZE"),  # mpiexec of MPICH, Intel MPI and Cray; srun --mpi=pmi2
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),  # mpiexec of Open MPI
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),  # srun, whatever connects the processes
)
"""Environment variables with the rank and the number of processes, the most reliable first."""

_LOCAL = ("MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE")
"""Environment variables with the number of processes on this machine."""


@dataclass(frozen=True, slots=True)
class Launch:
    """One of several processes that were started together."""

    rank: int
    """Number of this process, from 0."""
    size: int
    """Number of processes, at least 2."""


def launch(environment: Mapping[str, str] = os.environ) -> Launch | None:
    """Return which of several processes this is, None if it was started alone; MPI is not initialized.

    Examples
    --------
    >>> launch({"PMI_RANK": "1", "PMI_SIZE": "4"})
    Launch(rank=1, size=4)
    >>> launch({"PMI_RANK": "0", "PMI_SIZE": "1"}) is None
    True
    """
    for rank, size in _LAUNCHERS:
        found = environment.get(rank, ""), environment.get(size, "")
        if all(text.isdecimal() for text in found):
            number, count = map(int, found)
            return Launch(number, count) if number < count and count > 1 else None
    return None


def is_launched(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a launcher started this process, alone or with others.

    Examples
    --------
    >>> is_launched({"PMI_RANK": "0", "PMI_SIZE": "1"}), is_launched({})
    (True, False)
    """
    return any(rank in environment and size in environment for rank, size in _LAUNCHERS)


def local_processes(environment: Mapping[str, str] = os.environ) -> int | None:
    """Return how many of the processes run on this machine, None if the launcher does not say.

    Examples
    --------
    >>> local_processes({"MPI_LOCALNRANKS": "4"}), local_processes({"SLURM_STEP_TASKS_PER_NODE": "8(x2),4"})
    (4, 8)
    """
    for name in _LOCAL:
        numbers = [part.partition("(")[0] for part in environment.get(name, "").split(",")]
        if all(number.isdecimal() for number in numbers):
            return max(1, *map(int, numbers))
    return None


def world(expected: Launch) -> Intracomm:
    """Initialize MPI and return the communicator of all processes that were started together.

    Raises
    ------
    PuzzleError
        If mpi4py or an MPI library is missing, or MPI sees another number of processes than the launcher
        started: then each would believe that it is alone.
    """
    require("mpi4py", "several processes need", "mpi")
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise PuzzleError(f"could not load an MPI library for mpi4py ({reason:.120})") from None
    if MPI.COMM_WORLD.size != expected.size:
        raise PuzzleError(
            f"expected {expected.size} connected processes, got {MPI.COMM_WORLD.size} - at MPI; use the "
            "mpiexec that belongs to the MPI library of mpi4py, or srun --mpi=pmi2"
        )
    return MPI.COMM_WORLD
