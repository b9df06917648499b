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

__all__ = [
    "SHARED",
    "Template",
    "bundle",
    "fill",
    "join_modules",
    "page_title",
    "read_text",
    "script_safe",
]

SHARED = Path(__file__).parent
"""The folder of the frame, the style sheet and the modules that several pages use."""

MAX_TITLE_LENGTH = 160
"""Characters of the title that a page shows."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./[\w.]+";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) )", re.MULTILINE)


@dataclass(frozen=True)
class Template:
    """The files of which a page is made.

    Attributes
    ----------
    body
        The body of the page, with placeholders such as ``@@title@@`` for values.
    styles, modules
        Style sheets and ES modules, those that are imported first.
    attributes
        Data attributes of the page, which style sheets and scripts use, with their first values.
    """

    body: Path
    styles: tuple[Path, ...]
    modules: tuple[Path, ...]
    attributes: dict[str, str]

    @cached_property
    def _page(self) -> str:
        """The page with all that does not depend on values."""
        script = bundle([read_text(path) for path in self.modules])
        parts = {
            "attributes": "".join(f' data-{name}="{value}"' for name, value in self.attributes.items()),
            "body": read_text(self.body).replace(
                "@@theme_button@@", read_text(SHARED / "theme_button.html").rstrip()
            ),
            "css": "".join(map(read_text, self.styles)),
            "digest": b64encode(sha256(script.encode()).digest()).decode(),
            "script": script,
        }
        return re.sub(
            f"@@({'|'.join(parts)})@@", lambda match: parts[match[1]], read_text(SHARED / "frame.html")
        )

    def fill(self, values: dict[str, str]) -> str:
        """Return the page with values for its placeholders."""
        return fill(self._page, values)


def read_text(path: Path) -> str:
    """Return a file of a page."""
    return path.read_text(encoding="utf-8")


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
    return f'(() => {{\n"use strict";\n{join_modules(modules)}}})();'


def join_modules(modules: list[str]) -> str:
    r"""Return one ES module from the texts of several; only a default export stays.

    >>> one, two = "export const one = 1;\n", 'import { one } from "./one.js";\nexport default { one };'
    >>> print(join_modules([one, two]))
    const one = 1;
    export default { one };
    """
    return "".join(_EXPORT.sub("", _IMPORT.sub("", module)) for module in modules)


def fill(text: str, values: dict[str, str]) -> str:
    """Replace all placeholders at once, so that inserted values are never searched for placeholders.

    >>> fill("@@one@@ and @@two@@", {"one": "@@two@@", "two": "2"})
    '@@two@@ and 2'
    """
    return re.sub(r"@@(\w+)@@", lambda match: values[match[1]], text)


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
