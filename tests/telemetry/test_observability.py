"""The dashboard and the alert rules use existing metrics, and names follow Prometheus.

https://prometheus.io/docs/practices/naming/
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families
from promql_parser import AggregateExpr, MatchOp, VectorSelector

from tests.support.given import Instance
from tests.support.web_client import web_client

_FOLDER = Path(__file__).parents[2] / "deploy" / "observability"
_RULES = yaml.safe_load((_FOLDER / "alerts.yaml").read_text())["groups"][0]["rules"]
_PANELS = json.loads((_FOLDER / "grafana-dashboard.json").read_text())["panels"]
_EXPRESSIONS = {
    **{rule["alert"]: rule["expr"] for rule in _RULES},
    **{
        f"{panel['title']} {target['refId']}": target["expr"]
        .replace("$__rate_interval", "5m")
        .replace("$job", "keystead")
        for panel in _PANELS
        for target in panel.get("targets", [])
    },
}
# Prometheus adds these labels to every series of a target, and creates these metrics itself.
_OF_TARGETS = {"job": "keystead", "instance": "server:8080"}
_OF_PROMETHEUS = [{"__name__": "up", **_OF_TARGETS}]
# Only a server with TLS has this metric (`tests/process/test_tls.py`).
_OF_TLS = [{"__name__": "keystead_tls_certificate_expiry_seconds", **_OF_TARGETS}]

_BASE_UNITS = ("seconds", "bytes")
_OTHER_UNITS = re.compile(r"_(milliseconds|ms|us|minutes|hours|days|kilobytes|megabytes|percent)\b")


@pytest.fixture(scope="module")
async def exposition(instance: Instance) -> str:
    """The answer of a running server to a scrape."""
    async with web_client(instance.web_port) as client:
        return (await client.get("/metrics")).text


@pytest.fixture(scope="module")
def families(exposition: str) -> Sequence[Metric]:
    """The metrics of the server."""
    return [*text_string_to_metric_families(exposition)]


@pytest.fixture(scope="module")
def series(families: Sequence[Metric]) -> Sequence[Mapping[str, str]]:
    """The labels of every series, as Prometheus stores them."""
    return [*_OF_PROMETHEUS, *_OF_TLS] + [
        {"__name__": sample.name, **_OF_TARGETS, **sample.labels}
        for family in families
        for sample in family.samples
    ]


@pytest.mark.parametrize("expression", _EXPRESSIONS.values(), ids=_EXPRESSIONS)
def test_every_selector_finds_a_series_and_every_grouping_its_labels(
    series: Sequence[Mapping[str, str]], expression: str
) -> None:
    labels: set[str] = set()
    for selector in _nodes(expression, VectorSelector):
        found = [each for each in series if _matches(each, selector)]
        assert found, selector
        labels.update(*found)
    for aggregation in _nodes(expression, AggregateExpr):
        assert aggregation.modifier is None or set(aggregation.modifier.labels) <= labels


def test_every_metric_of_the_server_is_on_the_dashboard_or_in_an_alert(
    families: Sequence[Metric],
) -> None:
    used = {
        selector.name
        for expression in _EXPRESSIONS.values()
        for selector in _nodes(expression, VectorSelector)
    }

    for family in families:
        if family.name.startswith("keystead_"):
            assert used & {sample.name for sample in family.samples}, family.name


def test_every_alert_says_what_is_wrong_and_what_to_do() -> None:
    assert len({rule["alert"] for rule in _RULES}) == len(_RULES)
    for rule in _RULES:
        assert rule["labels"]["severity"] in {"critical", "warning"}
        assert rule["annotations"].keys() == {"summary", "description"}


def test_names_and_help_texts_of_metrics_follow_the_conventions(
    families: Sequence[Metric],
) -> None:
    for family in families:
        names = {sample.name for sample in family.samples}
        assert family.documentation.endswith("."), family.name
        assert re.fullmatch(r"(keystead|process)_[a-z_]+", family.name)
        assert not _OTHER_UNITS.search(family.name)
        assert (family.type == "counter") == all(name.endswith("_total") for name in names)
        if family.type == "histogram":
            assert family.name.endswith(_BASE_UNITS)


def _nodes(expression: str, kind: type[Any]) -> Iterator[Any]:
    nodes: list[promql_parser.Expr] = []
    promql_parser.walk(promql_parser.parse(expression), nodes.append)
    return (node for node in nodes if isinstance(node, kind))


def _matches(labels: Mapping[str, str], selector: VectorSelector) -> bool:
    return labels["__name__"] == selector.name and all(
        _fits(labels.get(matcher.name, ""), matcher) for matcher in selector.matchers.matchers
    )


def _fits(value: str, matcher: promql_parser.Matcher) -> bool:
    if matcher.op in (MatchOp.Equal, MatchOp.NotEqual):
        return bool((value == matcher.value) == (matcher.op == MatchOp.Equal))
    return bool((re.fullmatch(matcher.value, value) is not None) == (matcher.op == MatchOp.Re))
