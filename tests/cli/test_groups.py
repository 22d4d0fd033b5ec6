"""Groups and their members, by the command line."""

from tests.cli.words import Keystead, columns, done, objects, unique
from tests.group import calls as groups
from tests.support import given
from tests.support.given import Instance


async def test_a_group_is_added_shown_changed_and_removed(keystead: Keystead) -> None:
    organization = unique("org")
    await done(keystead("org", "create", organization))
    there = ("--org", organization)

    group_id = await done(keystead("group", "add", "staff", *there))
    await done(keystead("group", "set", "staff", "--display-name", "Staff", *there))
    [shown] = await objects(keystead("group", "show", "staff", *there, "--json"))
    await done(keystead("group", "set", group_id, "--name", "people"))
    listed = await columns(keystead("group", "list", *there))
    await done(keystead("group", "remove", "people", *there))

    assert shown == {"group_id": group_id, "name": "staff", "display_name": "Staff"}
    assert listed == [[group_id, "people", "Staff"]]
    assert await done(keystead("group", "list", *there)) == ""


async def test_members_are_named_in_the_organization_of_the_group(
    instance: Instance, keystead: Keystead
) -> None:
    organization_id = await given.organization(instance.admin)
    ada = await given.user(instance.admin, org_id=organization_id, name="ada")
    group_id = await done(keystead("group", "add", "staff", "--org", organization_id))

    await done(keystead("group", "add-member", group_id, "ada"))
    members = await columns(keystead("group", "members", group_id))
    [of_ada] = await groups.of_user(instance.admin, ada.user_id)
    await done(keystead("group", "remove-member", group_id, ada.user_id))

    assert members == [[ada.user_id, "ada", "ada"]]
    assert of_ada.group_id == group_id
    assert await done(keystead("group", "members", group_id)) == ""


async def test_refusals_name_commands(instance: Instance, keystead: Keystead) -> None:
    elsewhere = await given.user(instance.admin, org_id=await given.organization(instance.admin))
    name = unique("group")
    await done(keystead("group", "add", name))

    stranger = await keystead("group", "add-member", name, elsewhere.user_id)
    no_member = await keystead("group", "remove-member", name, "admin")
    twice = await keystead("group", "add", name)

    assert [each.status for each in (stranger, no_member, twice)] == [1, 1, 1]
    assert "The user does not exist." in stranger.errors
    assert "keystead group members" in no_member.errors
    assert "The organization has a group with this name." in twice.errors
