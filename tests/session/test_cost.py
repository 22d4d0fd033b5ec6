"""A sign-in needs no statement for its start and two for its completion."""

from tests.session import sessions
from tests.support.given import Client


async def test_the_start_of_an_anonymous_caller_makes_no_statement(
    admin: Client, statements: list[str]
) -> None:
    for _ in range(100):
        await sessions.start(admin)

    assert statements == []


async def test_a_sign_in_makes_one_statement_to_read_and_one_to_write(
    admin: Client, statements: list[str]
) -> None:
    person = await sessions.person(admin)
    statements.clear()

    await person.sign_in()

    assert statements == ["anonymous", person.user_id]


async def test_an_unknown_passkey_costs_one_statement(admin: Client, statements: list[str]) -> None:
    person = await sessions.person(admin)
    credential = person.assertion(
        await sessions.start(admin),
        credential_id=b"unknown",
        key=person.authenticator.credentials[person.credential_id],
    )
    statements.clear()

    call = sessions.complete(admin, credential)

    assert (await call.code()).name == "UNAUTHENTICATED"
    assert statements == ["anonymous"]


async def test_a_challenge_that_is_not_ours_costs_none(
    admin: Client, statements: list[str]
) -> None:
    person = await sessions.person(admin)
    credential = person.assertion(await sessions.start(admin), challenge="AAAA")
    statements.clear()

    call = sessions.complete(admin, credential)

    assert (await call.code()).name == "UNAUTHENTICATED"
    assert statements == []
