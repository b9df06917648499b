"""The options --csv, --markdown and --latex of every command that prints tables."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, fields
from functools import wraps
from typing import Annotated

from cyclopts import Group, Parameter

from slidelab.cli.options import flag
from slidelab.cli.output import DONE
from slidelab.errors import NotationError
from slidelab.tables import TABLE_FORMATS, Table, collect_tables

__all__ = ["prints_tables"]

TABLES = Group("Tables", sort_key=2)


@Parameter(name="*", group=TABLES)
@dataclass(frozen=True, kw_only=True)
class TableFormat:
    """The format in which the tables of an answer are printed, instead of its text."""

    csv: Annotated[bool, flag("print the tables as comma-separated values")] = False
    markdown: Annotated[bool, flag("print the tables in Markdown")] = False
    latex: Annotated[bool, flag("print the tables in LaTeX, with rules of the package booktabs")] = False

    @property
    def name(self) -> str | None:
        """The format that was asked for."""
        chosen = [field.name for field in fields(self) if getattr(self, field.name)]
        if len(chosen) > 1:
            raise NotationError(f"expected one format of tables, got --{' and --'.join(chosen)}")
        return chosen[0] if chosen else None


AS_TEXT = TableFormat()


def _print_tables(found: list[Table], name: str) -> None:
    if found:
        print("\n\n".join(map(TABLE_FORMATS[name], found)))


def prints_tables(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of `TableFormat`: with one of them, only its tables are printed.

    The command itself prints as usual, and knows nothing of it.
    """

    @wraps(command)
    def answer(*arguments: object, tables: TableFormat = AS_TEXT, **options: object) -> int:
        name = tables.name
        if name is None:
            return command(*arguments, **options)
        if options.get("json"):
            raise NotationError(f"expected --json or --{name}, got both")
        found: list[Table] = []
        try:
            with collect_tables() as found, redirect_stdout(io.StringIO()):
                code = command(*arguments, **options)
        except KeyboardInterrupt:
            _print_tables(found, name)  # those of what was finished
            raise
        if not found and code == DONE:
            raise NotationError(f"expected an answer with a table for --{name}, got one without")
        _print_tables(found, name)
        return code

    signature = inspect.signature(command, eval_str=True)
    extra = inspect.Parameter(
        "tables", inspect.Parameter.KEYWORD_ONLY, default=AS_TEXT, annotation=TableFormat
    )
    parameters = [*signature.parameters.values(), extra]
    answer.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    answer.__annotations__ = {each.name: each.annotation for each in parameters}
    return answer
