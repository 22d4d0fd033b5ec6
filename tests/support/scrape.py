"""The metrics of `/metrics`, as Prometheus reads them."""

import asyncio
import time
from collections.abc import Mapping

from prometheus_client.parser import text_string_to_metric_families

from tests.support.web_client import web_client


class Scrape:
    """The result of a scrape."""

    def __init__(self, text: str) -> None:
        self.series: Mapping[tuple[str, frozenset[tuple[str, str]]], float] = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    def value(self, name: str, **labels: str) -> float:
        """The number of one series."""
        return self.series[name, frozenset(labels.items())]

    def labels(self, name: str, label: str) -> set[str]:
        """Every value of a label of a metric."""
        return {dict(labels)[label] for each, labels in self.series if each == name}


# The time of the last answer of each port, which repeats the same text for a second.
_answered_at: dict[int, float] = {}


async def scrape(web_port: int) -> Scrape:
    """Scrapes a server over a new connection, so that any worker may answer.

    The result is not older than this call.
    """
    await asyncio.sleep(_answered_at.get(web_port, 0) + 1.01 - time.monotonic())
    async with web_client(web_port) as client:
        answer = await client.get("/metrics")
    assert answer.status_code == 200
    _answered_at[web_port] = time.monotonic()
    return Scrape(answer.text)
