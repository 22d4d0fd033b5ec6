"""Names and addresses are found in any case, also in a database whose locale folds only ASCII."""

from keystead.user.v1 import user_service_pb2 as pb
from server.idp.store import NAMES
from server.store.database import connected
from tests.conftest import MakeInstance
from tests.support import given
from tests.support.databases import MakeDatabase
from tests.user import calls


async def test_names_are_found_in_any_case_in_a_database_of_the_locale_c(
    make_database: MakeDatabase, make_instance: MakeInstance
) -> None:
    dsn = await make_database(options="encoding 'UTF8' locale_provider libc locale 'C'")
    async with make_instance(dsn=dsn) as instance, connected(dsn, pool_size=1) as database:
        admin = instance.admin
        created = await calls.create(admin, user_name="jürgen", email="jürgen@example.com")
        idp_id = await given.idp(admin, name="Überblick")
        owner = await NAMES.find_owner(database, idp_id)

        listed = await admin.call(admin.users.ListUsers, pb.ListUsersRequest(query="JÜRGEN"))
        named = await NAMES.find(database, organization_id=owner or "", name="ÜBERBLICK")

        assert [user.user_id for user in listed.users] == [created.user_id]
        assert named == [idp_id]
