"""Names of a package that are imported when they are first used, so that start-up takes no time for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

__all__ = ["late_imports"]


def late_imports(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package that imports each name from its module on first use.

    Parameters
    ----------
    package
        Name of the package.
    names
        For each module of the package, the names that it defines, separated by spaces.

    Examples
    --------
    >>> late_imports("slidelab", {"errors": "TooLarge Damaged"})("TooLarge")
    <class 'slidelab.errors.TooLarge'>
    """
    modules = {name: module for module, defined in names.items() for name in defined.split()}

    def import_name(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{modules[name]}"), name)
        setattr(import_module(package), name, value)
        return value

    return import_name
