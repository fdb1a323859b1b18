"""The studio under load, on loopback: nothing is lost; how much slower than the health page."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import numpy as np

from benchmarks.rows import Row, compile_kernels, sized


def load() -> list[Row]:
    """Eight clients ask for releases, readings and attacks at once; p99 against the health page."""
    from pathveil.studio.access import Access
    from pathveil.studio.server import listen, make_server

    compile_kernels()
    with listen(0) as listener:
        access = Access(listener.getsockname()[1])
        server = make_server(access)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            return _measured(access)
        finally:
            server.should_exit = True
            thread.join(10)


def _measured(access: Any) -> list[Row]:
    from pathveil.studio.server import _example

    content = _example("abilene")
    scene = {"links": content["links"], "walk": content["walk"]}
    made = json.loads(_ask(access, "publish", scene)[1])
    asked = {"file": made["file"], "links": content["links"]}
    questions = [
        ("health", None),
        ("publish", scene),
        ("read", asked),
        ("attack", {**asked, "lacking": content["walk"][2:4]}),
    ]
    clients, rounds = 8, sized(full=50, quick=2)
    work = [questions[k % len(questions)] for k in range(clients * rounds * len(questions))]
    with ThreadPoolExecutor(clients) as pool:
        answers = list(pool.map(lambda one: _ask(access, *one), work))
    lost = sum(status not in {200, 204} for status, _, _ in answers)  # 204: a newer one came
    took: dict[str, list[float]] = {name: [] for name, _ in questions}
    for (_, _, seconds), (name, _) in zip(answers, work, strict=True):
        took[name].append(seconds)
    page = float(np.quantile(took["health"], 0.99))
    rows = [
        Row(
            f"{len(work):,} requests of {clients} clients: lost",
            str(lost),
            "0",
            "",
            "none lost",
            lost == 0,
        )
    ]
    for name in ("publish", "read", "attack"):
        p99 = float(np.quantile(took[name], 0.99))
        rows.append(
            Row(
                f"{name}, p99",
                f"{1e3 * p99:.0f} ms",
                f"{1e3 * page:.0f} ms, the health page",
                f"{p99 / page:.1f}x",
                "<= 10x",
                p99 <= 10 * page,
            )
        )
    return rows


def _ask(access: Any, path: str, body: Any) -> tuple[int, bytes, float]:
    start = time.perf_counter()
    with closing(HTTPConnection("127.0.0.1", access.port, timeout=60)) as connection:
        connection.request(
            "GET" if body is None else "POST",
            f"/api/{path}",
            None if body is None else json.dumps(body),
            {"Cookie": f"{access.cookie}={access.token}", "Content-Type": "application/json"},
        )
        answer = connection.getresponse()
        content = answer.read()
    return answer.status, content, time.perf_counter() - start


SECTIONS = (("The studio under load", load),)
