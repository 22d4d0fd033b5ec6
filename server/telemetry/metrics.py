"""Prometheus metrics of calls, the database and the process.

A single process keeps its metrics in memory. Workers keep them in files of a shared directory, by
the number of the worker: every worker reports the metrics of all, and a restarted worker continues
the counters of its predecessor.

The rule: no label has a value chosen by a client, so the number of series is bounded.
"""

import asyncio
import os
import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Final, Literal, NamedTuple, TypeAlias

import prometheus_client
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client import values as prometheus_values
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from server.telemetry.background import tried
from server.values.errors import Kind

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
_PREFIX = "keystead_"
_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"  # the name that prometheus_client reads
_PLACE = "PROMETHEUS_MULTIPROC_PLACE"
_SAMPLE_SECONDS = 1.0
# A collection takes tens of milliseconds of processor time, at the expense of calls.
_KEPT_SECONDS = 1.0
_BUCKET_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_CODES = ("OK", "CANCELLED", *(kind.name for kind in Kind))
_UNKNOWN = "unknown"

# The function by which a gauge combines the values of all running workers.
_Of: TypeAlias = Literal["livesum", "livemin", "livemax"]
_GAUGES: dict[str, tuple[_Of, str]] = {
    "calls_in_flight": ("livesum", "Calls in progress, without streams."),
    "database_up": ("livemin", "1 if the database is reachable, else 0."),
    "database_pool_size": ("livesum", "Maximum number of database connections."),
    "database_pool_in_use": ("livesum", "Database connections in use."),
    "database_pool_waiting": ("livesum", "Statements waiting for a database connection."),
    "mails_pending": ("livemax", "Mails that wait to be sent."),
    "mails_overdue_seconds": ("livemax", "Time since the longest overdue mail became due."),
    "pushes_pending": ("livemax", "Webhooks and logout tokens that wait to be sent."),
    "push_targets_failing": ("livemax", "Targets of pushes that give no answer."),
    "people": ("livemax", "Users with a mail address or a passkey who are not locked."),
    "people_with_passkey": ("livemax", "People who have a passkey."),
    "unmoved_users": ("livemax", "Users whom the removal of former RP IDs would lock out."),
    "tls_certificate_expiry_seconds": (
        "livemin",
        "Unix time at which the certificate of the ports expires.",
    ),
}


class Gauges(NamedTuple):
    """The current values of the gauges, by name. One that is None at the start has no series."""

    calls_in_flight: int
    database_up: bool
    database_pool_size: int
    database_pool_in_use: int
    database_pool_waiting: int
    mails_pending: int
    mails_overdue_seconds: float
    pushes_pending: int
    push_targets_failing: int
    people: int | None = None
    people_with_passkey: int | None = None
    unmoved_users: int | None = None
    tls_certificate_expiry_seconds: float | None = None


def worker_environment(directory: str, place: int) -> dict[str, str]:
    """The environment of a worker that keeps its metrics in the directory."""
    return {_DIRECTORY: directory, _PLACE: str(place)}


def forget_state(directory: str, place: int) -> None:
    """Removes the gauges of an ended worker; its counters stay."""
    mark_process_dead(place, directory)


class Metrics:
    """The counters, in a registry of their own."""

    def __init__(self) -> None:
        # `_created` series double the number of series, and workers do not support them.
        prometheus_client.disable_created_metrics()
        if place := os.environ.get(_PLACE):
            # The library's default, a file per process ID, grows with every restart.
            prometheus_values.ValueClass = prometheus_values.MultiProcessValue(lambda: place)
        self.registry = CollectorRegistry()
        self._calls = Counter(
            f"{_PREFIX}calls_total",
            "Completed calls, by method and status code.",
            ["method", "code"],
            registry=self.registry,
        )
        self._durations = Histogram(
            f"{_PREFIX}call_duration_seconds",
            "Duration of calls, by method.",
            ["method"],
            buckets=_BUCKET_SECONDS,
            registry=self.registry,
        )
        self.housekeeping_failures = Counter(
            f"{_PREFIX}housekeeping_failures_total",
            "Failures of background work, which is retried.",
            registry=self.registry,
        )
        self.mail_tries = Counter(
            f"{_PREFIX}mail_tries_total",
            "Delivery attempts of mails, by kind and resulting state;"
            " lost: another attempt had taken the lease.",
            ["kind", "state"],
            registry=self.registry,
        )
        self.push_tries = Counter(
            f"{_PREFIX}push_tries_total",
            "Attempts of pushes, by kind (webhook or logout) and resulting state;"
            " lost: another attempt had taken the lease.",
            ["kind", "state"],
            registry=self.registry,
        )
        self.rate_limited = Counter(
            f"{_PREFIX}rate_limited_total",
            "Calls refused by a rate limit, by its kind: open (client network) or caller (user).",
            ["kind"],
            registry=self.registry,
        )
        self.refusals = Counter(
            f"{_PREFIX}refusals_total",
            "Refused requests of applications, by endpoint and reason.",
            ["endpoint", "reason"],
            registry=self.registry,
        )
        # Cached, because looking up a child of a metric costs more than counting.
        self._children: dict[str, tuple[dict[str, Counter], Histogram]] = {}
        self.expect(_UNKNOWN)

    def expect(self, method: str) -> None:
        """Creates the series of a method with zeros: `rate` ignores the first value of a series."""
        calls = {code: self._calls.labels(method, code) for code in _CODES}
        self._children[method] = calls, self._durations.labels(method)

    def call_ended(self, method: str, code: str, seconds: float) -> None:
        """Counts a call. All methods without series count as `unknown`."""
        calls, durations = self._children.get(method) or self._children[_UNKNOWN]
        calls[code].inc()
        durations.observe(seconds)


class Exposition:
    """Answers scrapes with the counters and the current gauges.

    One collection runs at a time, and its text answers all scrapes of the next second, so that
    scrapes do not slow calls down.
    """

    def __init__(
        self, metrics: Metrics, look: Callable[[], Gauges], *, count: Callable[[], None]
    ) -> None:
        """`count` counts the completed calls that are not counted yet."""
        self._look = look
        self._count = count
        self._failures = metrics.housekeeping_failures
        self._registry = metrics.registry
        self._collecting = asyncio.Lock()
        self._text, self._kept_until = b"", 0.0
        self._gauges = {
            name: Gauge(
                f"{_PREFIX}{name}", text, multiprocess_mode=of_all, registry=metrics.registry
            )
            for name, (of_all, text) in _GAUGES.items()
            if getattr(look(), name) is not None
        }
        self._process = _Process(metrics.registry)
        build = Gauge(
            f"{_PREFIX}build_info",
            "Always 1; the labels name the versions.",
            ["version", "python_version"],
            multiprocess_mode="livemax",
            registry=metrics.registry,
        )
        build.labels(version("keystead"), platform.python_version()).set(1)
        self._sample()
        if _PLACE in os.environ:
            self._registry = CollectorRegistry()
            MultiProcessCollector(self._registry)

    async def render(self) -> bytes:
        """The metrics in the text format of Prometheus, whose content type is `CONTENT_TYPE`."""
        async with self._collecting:
            if time.monotonic() >= self._kept_until:
                self._count()
                self._sample()
                self._text = await asyncio.to_thread(generate_latest, self._registry)
                self._kept_until = time.monotonic() + _KEPT_SECONDS
        return self._text

    async def keep_current(self) -> None:
        """Checks every second for scrapes that another worker answers."""
        while True:
            with tried("to sample the gauges", self._failures):
                self._sample()
            await asyncio.sleep(_SAMPLE_SECONDS)

    def _sample(self) -> None:
        values = self._look()
        for name, gauge in self._gauges.items():
            gauge.set(getattr(values, name))
        self._process.sample()


class _Process:
    """The library's process metrics, as metrics that can be summed over workers."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._collector = ProcessCollector(registry=None)
        self._cpu_seconds = 0.0
        self._cpu = Counter(
            "process_cpu_seconds_total",
            "Total user and system CPU time spent in seconds.",
            registry=registry,
        )
        self._gauges = {
            family.name: Gauge(
                family.name,
                family.documentation,
                multiprocess_mode="livemax" if "start_time" in family.name else "livesum",
                registry=registry,
            )
            for family in self._collector.collect()
            if family.type == "gauge"
        }

    def sample(self) -> None:
        """Copies the collector's current values; there are none without /proc."""
        for family in self._collector.collect():
            [sample] = family.samples
            if family.type == "gauge":
                self._gauges[family.name].set(sample.value)
            else:
                self._cpu.inc(sample.value - self._cpu_seconds)
                self._cpu_seconds = sample.value
