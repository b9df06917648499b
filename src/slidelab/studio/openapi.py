"""The OpenAPI document: requests from their structs, answers by hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from slidelab import __version__
from slidelab.studio.forms import QUICK_FORMS, ExportRequest, JobRequest

__all__ = ["openapi_document"]

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
BOOLEAN: Schema = {"type": "boolean"}
CELLS: Schema = {"type": "array", "items": INTEGER}
TEXTS: Schema = {"type": "array", "items": TEXT}
ANY: Schema = {}


def _maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _object(required: dict[str, Schema], **optional: Schema) -> Schema:
    return {"type": "object", "properties": {**required, **optional}, "required": list(required)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


MAPPING: Schema = {"type": "object"}

FACT = _object(
    {"key": TEXT, "label": TEXT, "value": TEXT, "explanation": TEXT, "term": _maybe(TEXT)}, cells=CELLS
)
JOB = _object(
    {
        "id": TEXT,
        "kind": TEXT,
        "state": {"enum": ["waiting", "running", "done", "failed", "cancelled"]},
        "events": TEXT,
        "file": _maybe(TEXT),
        "progress": ANY,
        "best": ANY,
        "result": ANY,
        "error": ANY,
    }
)

ANSWERS: dict[str, Schema] = {
    "puzzle": _object(
        {
            "puzzle": TEXT,
            "position": TEXT,
            "goal": _maybe(TEXT),
            "floor": _maybe(TEXTS),
            "pieces": INTEGER,
            "cells": INTEGER,
            "holes": INTEGER,
            "rule": TEXT,
            "kind": TEXT,
            "board": MAPPING,
            "moves": _maybe(TEXTS),
            "play": MAPPING,
        }
    ),
    "facts": _object({"facts": _list(FACT), "analysis": _maybe(MAPPING), "incomplete": _maybe(TEXT)}),
    "solvable": _object(
        {
            "solvable": BOOLEAN,
            "reason": TEXT,
            "certificate": MAPPING,
            "cycles": _maybe(_list(TEXTS)),
            "cycle_pieces": _maybe(_list(CELLS)),
            "turned": TEXTS,
            "path": _maybe(TEXTS),
            "after": _maybe(TEXT),
            "swap": _maybe(TEXTS),
            "swap_pieces": _maybe(CELLS),
            "stuck": CELLS,
            "orbits": _maybe(_list(CELLS)),
        }
    ),
    "hint": _object(
        {
            "move": _maybe(TEXT),
            "words": TEXT,
            "direction": _maybe(TEXT),
            "step": _maybe(MAPPING),
            "distance": _maybe(INTEGER),
            "bound": _maybe(INTEGER),
            "known": _maybe(INTEGER),
            "line": TEXTS,
            "solvable": BOOLEAN,
            "reason": TEXT,
        }
    ),
    "shuffle": _object(
        {
            "position": TEXT,
            "distance": _maybe(INTEGER),
            "at_least": _maybe(INTEGER),
            "at_most": _maybe(INTEGER),
            "exact": BOOLEAN,
            "seed": INTEGER,
            "about": TEXT,
        }
    ),
}
"""The answers to quick requests, by the name of the task."""

SUMMARIES = {
    "puzzle": "Read a puzzle or position and return all that is needed to draw and play it.",
    "facts": "Return what can be reached in a puzzle, fact by fact, and the analysis.",
    "solvable": "Decide whether a position can become its goal, with the reason and what to draw.",
    "hint": "Return the next move of a shortest, or the best known, solution.",
    "shuffle": "Return a random position, at an exact distance or of a difficulty if asked.",
}

ERROR = _object({"error": TEXT, "exit_code": INTEGER})

REFUSALS = {
    "400": "Bad input: one line says what was expected, and where.",
    "403": "The host, the origin or the token is not the right one.",
    "404": "There is no such thing.",
    "405": "The address knows other methods.",
    "408": "The request came too slowly.",
    "409": "The answer is no: the goal cannot be reached.",
    "413": "The request or its board is too large.",
    "429": "There are too many unfinished jobs.",
    "500": "A defect of slidelab.",
    "503": "A limit of time or memory was reached, or too much is going on.",
}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _responses(success: dict[str, Any]) -> dict[str, Any]:
    errors = {
        status: {"description": text, "content": _json({"$ref": "#/components/schemas/Error"})}
        for status, text in REFUSALS.items()
    }
    return {**success, **errors}


def _answer(schema: Schema, description: str = "The answer.", status: str = "200") -> dict[str, Any]:
    return _responses({status: {"description": description, "content": _json(schema)}})


def _operation(name: str, summary: str, responses: dict[str, Any], body: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"operationId": name, "summary": summary, "responses": responses}
    if body is not None:
        content = _json({"$ref": f"#/components/schemas/{body}"})
        found["requestBody"] = {"required": True, "content": content}
    return found


def _job_paths() -> dict[str, Any]:
    job = {"$ref": "#/components/schemas/Job"}
    number = {"name": "id", "in": "path", "required": True, "schema": TEXT}
    started = {"202": {"description": "The job was started.", "content": _json(job)}}
    file = {"description": "The file.", "content": {"application/octet-stream": {"schema": TEXT}}}
    stream = {"description": "The events.", "content": {"text/event-stream": {"schema": TEXT}}}
    after = [
        number,
        {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string", "pattern": "^[0-9]{1,9}$"}},
    ]
    any_file = {"200": {"description": "The file.", "content": {"*/*": {"schema": TEXT}}}}
    return {
        "/api/jobs": {
            "post": _operation("start_job", "Start a job.", _responses(started), "JobRequest"),
        },
        "/api/jobs/{id}": {
            "get": {**_operation("job", "Return the state of a job.", _answer(job)), "parameters": [number]},
            "delete": {**_operation("cancel_job", "Cancel a job.", _answer(job)), "parameters": [number]},
        },
        "/api/jobs/{id}/events": {
            "get": {
                **_operation("events", "Stream the events of a job.", _responses({"200": stream})),
                "parameters": after,
            },
        },
        "/api/jobs/{id}/file": {
            "get": {
                **_operation("file", "Return the file of a job.", _responses({"200": file})),
                "parameters": [number],
            },
        },
        "/api/export": {
            "post": _operation(
                "export",
                "Return a file; films and parts to print are made as jobs.",
                _responses({**any_file, **started}),
                "ExportRequest",
            ),
        },
    }


@cache
def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of all routes below ``/api``.

    >>> sorted(openapi_document()["paths"])[:3]
    ['/api/export', '/api/facts', '/api/glossary']
    """
    forms = [*QUICK_FORMS.values(), ExportRequest, JobRequest]
    _, schemas = msgspec.json.schema_components(forms, ref_template="#/components/schemas/{name}")
    paths: dict[str, Any] = {}
    for task, form in QUICK_FORMS.items():
        paths[f"/api/{task}"] = {
            "post": _operation(task, SUMMARIES[task], _answer(ANSWERS[task]), form.__name__)
        }
    paths |= _job_paths()
    day = {"name": "date", "in": "query", "schema": {"type": "string", "format": "date"}}
    library = _object(
        {
            "families": _list(MAPPING),
            "rules": _list(MAPPING),
            "gallery": _list(MAPPING),
            "start": _maybe(TEXT),
        }
    )
    summary = "Return families of boards, rules and the gallery, with the puzzle of the day."
    paths["/api/library"] = {"get": {**_operation("library", summary, _answer(library)), "parameters": [day]}}
    shown = [
        {"name": "text", "in": "query", "required": True, "schema": TEXT},
        {"name": "theme", "in": "query", "schema": {"enum": ["light", "dark", "print"]}},
    ]
    drawn = {"200": {"description": "The picture.", "content": {"image/svg+xml": {"schema": TEXT}}}}
    summary = "Return a small picture of a puzzle or position."
    paths["/api/picture"] = {
        "get": {**_operation("picture", summary, _responses(drawn)), "parameters": shown}
    }
    words = {"type": "object", "additionalProperties": TEXT}
    paths["/api/glossary"] = {"get": _operation("glossary", "Return all terms.", _answer(words))}
    health = _object(
        {"status": TEXT, "version": TEXT, "workers": INTEGER, "jobs": INTEGER, "limits": MAPPING}
    )
    paths["/api/health"] = {"get": _operation("health", "Say that the server is there.", _answer(health))}
    paths["/api/openapi.json"] = {"get": _operation("openapi", "Return this document.", _answer(MAPPING))}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "slidelab studio",
            "version": __version__,
            "description": "Sliding puzzles: what can be reached, how far, how, and why not.",
        },
        "paths": paths,
        "components": {"schemas": {**schemas, "Error": ERROR, "Job": JOB}},
    }
