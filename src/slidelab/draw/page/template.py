"""Pages as one file: HTML with placeholders, style sheets, and ES modules that become one inline script.

The content security policy of a page names the digest of its script, so nothing else runs, and nothing is
loaded from anywhere.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from slidelab.errors import NotationError

__all__ = ["SHARED", "Template", "bundle", "page_title", "script_safe"]

SHARED = Path(__file__).parent
"""The folder of the style sheet and the modules that several pages use."""

MAX_TITLE_LENGTH = 160
"""Characters of the title that a page shows."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./[\w.]+";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) )", re.MULTILINE)


@dataclass(frozen=True)
class Template:
    """The files of which a page is made.

    Attributes
    ----------
    html
        The page, with ``@@css@@``, ``@@script@@`` and ``@@digest@@``, and placeholders of the same form for
        values.
    styles, modules
        Style sheets and ES modules, those that are imported first.
    """

    html: Path
    styles: tuple[Path, ...]
    modules: tuple[Path, ...]

    @cached_property
    def _page(self) -> str:
        script = bundle([path.read_text(encoding="utf-8") for path in self.modules])
        css = "".join(path.read_text(encoding="utf-8") for path in self.styles)
        parts = {"css": css, "script": script, "digest": b64encode(sha256(script.encode()).digest()).decode()}
        page = self.html.read_text(encoding="utf-8")
        return re.sub("@@(css|script|digest)@@", lambda match: parts[match[1]], page)

    def fill(self, values: dict[str, str]) -> str:
        """Replace all placeholders at once, so that inserted values are never searched for placeholders."""
        return re.sub(r"@@(\w+)@@", lambda match: values[match[1]], self._page)


def bundle(modules: list[str]) -> str:
    r"""Return one script from the texts of ES modules that import names from each other only.

    >>> print(bundle(["export const one = 1;\n", 'import { one } from "./one.js";\n\nalert(one);\n']))
    (() => {
    "use strict";
    const one = 1;
    <BLANKLINE>
    alert(one);
    })();
    """
    body = "".join(_EXPORT.sub("", _IMPORT.sub("", module)) for module in modules)
    return f'(() => {{\n"use strict";\n{body}}})();'


def page_title(title: str | None, default: str) -> str:
    """Return the title of a page, not escaped; raise `NotationError` unless it is a text.

    >>> page_title(None, "square R(2,2) tiles 1")
    'square R(2,2) tiles 1'
    """
    if title is not None and not isinstance(title, str):
        raise NotationError(f"expected a text for the title, got {type(title).__name__}")
    text = default if title is None else title
    text = text.encode("utf-8", "replace").decode()  # lone surrogates cannot be written
    return text if len(text) <= MAX_TITLE_LENGTH else f"{text[: MAX_TITLE_LENGTH - 3]}..."


def script_safe(data: dict[str, Any]) -> str:
    r"""Return JSON without characters that could end the script element.

    >>> script_safe({"name": "</script>&"})
    '{"name":"\\u003c/script\\u003e\\u0026"}'
    """
    text = json.dumps(data, separators=(",", ":"))  # ASCII: line separators are escaped
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
