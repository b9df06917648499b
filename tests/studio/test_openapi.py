"""The OpenAPI document: requests made from it get the answers that it describes."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from slidelab.studio.openapi import openapi_document
from studio.serving import Server

DOCUMENT = openapi_document()
OPERATIONS = [
    (path, method.upper())
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
    if path != "/api/jobs/{id}/events"  # a stream, which is read in the tests of jobs
]


def test_the_document_is_served(server: Server) -> None:
    assert server.client.get("/api/openapi.json").json() == DOCUMENT
    assert DOCUMENT["openapi"].startswith("3.1")


def test_every_route_is_documented(server: Server) -> None:
    from slidelab.studio.app import build_app

    routes = {route.path for route in build_app(server.studio).app.routes}  # type: ignore[attr-defined]
    assert {path for path in routes if path.startswith("/api")} == set(DOCUMENT["paths"])


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_requests_from_the_document_get_the_answers_it_describes(
    server: Server, path: str, method: str
) -> None:
    schema = schemathesis.openapi.from_dict(DOCUMENT)
    schema.config.update(base_url=str(server.client.base_url))
    operation = schema[path][method]

    @given(case=operation.as_strategy())
    @settings(
        max_examples=12,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any) -> None:
        response = case.call(timeout=240)
        assert response.status_code < 500 or response.status_code == 503
        case.validate_response(response, checks=[status_code_conformance, response_schema_conformance])
        if response.status_code == 202:
            server.client.delete(f"/api/jobs/{response.json()['id']}")

    check()


ANSWERED: list[tuple[str, dict[str, Any]]] = [
    ("puzzle", {"text": "hex F(2) gourds"}),
    ("facts", {"puzzle": "hex P(3,3)", "position": "hex P(3,3)"}),
    ("solvable", {"position": "15 : 1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 ."}),
    ("hint", {"position": "2x2 : 3 1 . 2"}),
    ("hint", {"position": "2x2"}),
    ("shuffle", {"puzzle": "3x3", "difficulty": "easy", "seed": 1}),
    ("shuffle", {"puzzle": "3x3"}),
]


@pytest.mark.parametrize(("task", "body"), ANSWERED, ids=str)
def test_answers_have_the_described_form_and_no_other_keys(
    server: Server, task: str, body: dict[str, Any]
) -> None:
    content = DOCUMENT["paths"][f"/api/{task}"]["post"]["responses"]["200"]["content"]
    schema = content["application/json"]["schema"]
    answer = server.ask(f"/api/{task}", **body)
    jsonschema.validate(answer, schema)
    assert set(answer) == set(schema["properties"])
