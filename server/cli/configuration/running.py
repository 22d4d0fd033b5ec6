"""Plans a file and applies it, and prints what happens."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import click

from server.cli.configuration.apply import DOUBLE, Applier, ChangeResult
from server.cli.configuration.changes import ObjectChange, PlacePlan
from server.cli.configuration.client import Api
from server.cli.configuration.document import ConfigurationFile
from server.cli.configuration.plan import Planner
from server.cli.configuration.wanted import WantedPlace
from server.cli.configuration.words import in_words, json_of
from server.values.counted import counted
from server.values.errors import OperatorError

# Reads the server again, and plans.
Plan: TypeAlias = Callable[[], Awaitable[list[PlacePlan]]]


async def planned(
    api: Api,
    org_id: str,
    document: ConfigurationFile,
    wanted: Sequence[WantedPlace],
    *,
    prunes: bool,
    tries_all: bool,
) -> list[PlacePlan]:
    """The plan. `OperatorError` names everything that the server would refuse.

    Without `tries_all`, many creations are not tried first: that would double the time.
    """
    planner = Planner(api, prunes=prunes, tries_all=tries_all)
    plans = await planner.plan(wanted, org_id)
    if planner.wrong:
        raise document.problem(planner.wrong)
    return plans


async def applied(api: Api, plan: Plan, *, as_json: bool) -> bool:
    """Makes the changes of a plan. False: some were not made."""

    def tell(result: ChangeResult) -> None:
        if as_json:
            _print(result.change, as_json=True, result=result)
        elif result.outcome == "done":
            click.echo("\n".join(in_words(result.change)))

    applier = Applier(api, tell)
    plans = await plan()
    await applier.apply(plans)
    failed = [each for each in applier.results if each.outcome != "done"]
    done = len(applier.results) - len(failed)
    for each in failed:
        if each.problem == DOUBLE:  # told even if the other one is as the file says
            click.echo(f"{each.change.path}: {DOUBLE}", err=True)
    if failed:
        failed = await _still_failed(plan, failed)
    _print_failed(failed)
    click.echo(f"{counted(done, 'object')} changed.", err=True)
    return not failed


async def _still_failed(plan: Plan, failed: Sequence[ChangeResult]) -> list[ChangeResult]:
    """Those whose objects differ now, with the present difference."""
    try:
        now = {change.path: change for each in await plan() for change in each.all}
    except OperatorError as error:
        click.echo(str(error), err=True)
        return [*failed]
    return [
        ChangeResult(now[each.change.path], each.outcome, each.problem)
        for each in failed
        if each.change.path in now
    ]


def _print_failed(failed: Sequence[ChangeResult]) -> None:
    for result in failed:
        click.echo(f"{result.outcome.upper()}: {result.change.path}: {result.problem}", err=True)
        click.echo("\n".join(in_words(result.change, "    ")), err=True)
    if any(each.outcome == "conflict" for each in failed):
        click.echo(
            "Somebody changed these objects meanwhile, and their changes were kept. Compare them"
            " with the file, and run `keystead plan`.",
            err=True,
        )


def print_plan(plans: Sequence[PlacePlan], *, as_json: bool) -> None:
    changes = [change for each in plans for change in each.all]
    for change in changes:
        _print(change, as_json=as_json)
    unnamed = [path for each in plans for path in each.unnamed]
    for path in unnamed:
        click.echo(f"{path} is not in the file; --prune removes it.", err=True)
    for sentence in (sentence for each in plans for sentence in each.unfinished):
        click.echo(sentence, err=True)
    click.echo(
        f"{counted(len(changes), 'object')} to change." if changes else "Nothing to change.",
        err=True,
    )


def _print(change: ObjectChange, *, as_json: bool, result: ChangeResult | None = None) -> None:
    if as_json:
        click.echo(json.dumps(json_of(change, result), ensure_ascii=False))
    else:
        click.echo("\n".join(in_words(change)))
