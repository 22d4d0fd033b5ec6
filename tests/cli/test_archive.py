"""`keystead archive`, and the reports of other commands and methods on archived events."""

import time
from pathlib import Path

from keystead.event.v1 import event_service_pb2 as pb
from server.store.database import connected
from tests.cli.words import commands_on
from tests.event import calls as event_calls
from tests.idp import calls as idp_calls
from tests.support import given
from tests.support.given import Instance
from tests.support.partitions import split


async def test_the_log_without_old_events_says_so_and_works(
    own_instance: Instance, tmp_path: Path
) -> None:
    admin = own_instance.admin

    run = commands_on(own_instance)
    idp_id = (await idp_calls.add(admin)).idp_id
    await event_calls.positioned(own_instance)
    before = await event_calls.page(admin, all_organizations=True)
    assert not before.HasField("complete_since")
    async with connected(own_instance.dsn, pool_size=1) as database:
        await split(database, time.time_ns() // 1000)
    archive = ("archive", "--before", "9999-12-31", "--to", str(tmp_path))

    uncovered = await run(*archive)
    assert (uncovered.status, "Run: keystead audit checkpoint" in uncovered.errors) == (1, True)
    await run("audit", "checkpoint")
    archived = await run(*archive)

    assert (archived.status, archived.errors) == (0, "")
    path = tmp_path / "keystead-events-first.jsonl.gz"
    count = len(before.events)
    assert archived.output == f"{count} events are now in {path}.\n"
    assert (await run(*archive)).output == "No month with events ended before that date.\n"
    listed = await run("archive", "list", "--json")
    assert f'"file": "{path.name}", "events": {count}' in listed.output

    # Nothing that exists needs its old events.
    await idp_calls.update(admin, idp_id, name="Another")
    await event_calls.positioned(own_instance)
    after = await event_calls.page(admin, all_organizations=True)
    assert [event.event_type for event in after.events] == ["idp.changed"]
    assert after.HasField("complete_since")
    request = pb.WatchEventsRequest(after_cursor=str(count - 1), all_organizations=True)
    stream = admin.call(admin.events.WatchEvents, request)
    refusal = await given.refusal(stream.read())
    assert (refusal.reason, refusal.metadata) == ("EVENTS_ARCHIVED", {"afterCursor": str(count)})
    audit = await run("audit")
    assert audit.output.count("\n") == 1
    assert f"in archives: {path.name}. Give" in audit.errors
    whole = await run("audit", "--archives", str(tmp_path), "--after", "0")
    assert (whole.output.count("\n"), whole.errors) == (count + 1, "")
    assert (await run("audit", "--archives", str(tmp_path), "--follow")).status == 2
    verified = await run("audit", "verify")
    assert (verified.status, verified.errors) == (0, "")
    assert f"{count} archived events were not read, positions 1 to {count}" in verified.output
    assert "All events that were read agree with 1 checkpoint" in verified.output
    verified = await run("audit", "verify", "--archives", str(tmp_path))
    assert (verified.status, verified.errors) == (0, "")
    assert f"{count} of {count} events were verified in {path}" in verified.output
    assert "All events agree with 1 checkpoint" in verified.output
    assert "1 newer event is" in verified.output
    missing = await run("audit", "verify", "--archives", str(own_instance.data_dir))
    assert (missing.status, "were not read" in missing.output) == (1, True)
    rebuilt = await run("rebuild")
    assert rebuilt.status == 1
    assert rebuilt.errors.endswith(f"run: keystead archive restore {path.name}\n")
    assert "rebuild" not in (await run("doctor")).output  # nothing is unfinished

    assert (await run("archive", "verify", str(path))).status == 0
    damaged = tmp_path / "damaged"
    damaged.write_bytes(path.read_bytes()[:-10])
    refused = await run("archive", "restore", str(path), str(damaged))
    assert (refused.status, refused.output) == (1, "")
    assert "Nothing was restored." in refused.errors
    restored = await run("archive", "restore", str(path), str(path))
    assert (restored.status, restored.output) == (
        0,
        f"{count} events of {path} are back in the database.\n",
    )
    assert (await run("archive", "restore", str(path))).status == 0
    assert (await run("rebuild", "--check")).status == 0
    assert (await run("audit")).errors == ""
    path.write_bytes(b"")
    assert (await run("archive", "verify", str(path))).status == 1
    assert (await run("archive")).status == 2
