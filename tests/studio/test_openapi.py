"""Any request of the shapes that the OpenAPI describes is answered as it says; none is a fault."""

from __future__ import annotations

from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]


def test_every_operation_is_answered_as_described(studio: Any) -> None:
    schema: Any = schemathesis.openapi.from_dict(studio.client.get("/openapi.json").json())
    operations = [operation.ok() for operation in schema.get_all_operations()]
    assert len(operations) == 23
    cookies = {studio.access.cookie: studio.access.token}
    base = f"http://127.0.0.1:{studio.access.port}"

    def ask(case: Any) -> None:
        answer = case.call(base_url=base, cookies=cookies)
        assert answer.status_code != 403, "nothing of this is about access"
        case.validate_response(answer, checks=CHECKS)

    quiet = settings(
        max_examples=8,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    for operation in operations:
        quiet(given(case=operation.as_strategy())(ask))()
