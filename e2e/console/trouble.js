/** Two administrators at once, ended sessions, and a server that is away for a while. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FAILED_PRECONDITION } from "../support/codes.js";
import { refuse } from "../support/forged_answers.js";
import { call, newUser } from "../support/server.js";
import { ask, PATIENT } from "../world.js";
import { administrator, newOrganization } from "./person.js";

test("a refusal of the server is in the language of the person", PATIENT, async () => {
  const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: "#/groups/new", locale: "de-AT" });
  await refuse(person.page, "CreateGroup", FAILED_PRECONDITION, "RATE_LIMITED");

  await person.page.getByLabel("Name", { exact: true }).fill("technik");
  await person.press("Anlegen");

  const alert = person.page.getByRole("alert");
  await alert.getByText("Warten Sie einen Moment.").waitFor();
  assert.equal(await alert.locator("[lang]").count(), 0);
});

test("whoever leaves entries that are not saved is asked, and nobody else", PATIENT, async () => {
  const { orgId } = await newOrganization();
  const { user, person, open } = await administrator("ROLE_ORG_OWNER", { orgId, at: "#/users" });
  const { page } = person;
  const asked = [];
  let answer = "dismiss";
  page.removeAllListeners("dialog");
  page.on("dialog", async (dialog) => {
    asked.push(dialog.type());
    await dialog[answer]();
  });
  await open(`#/users/${user.userId}`);
  const name = page.getByLabel("Display name");
  await name.fill("Ada King");

  await page.getByRole("link", { name: "Groups" }).first().click();
  await page.evaluate(() => history.back());
  await name.press("End");
  assert.deepEqual([await name.inputValue(), asked.length], ["Ada King", 2]);
  await page.close({ runBeforeUnload: true });
  await name.press("End");
  assert.deepEqual(asked, ["confirm", "confirm", "beforeunload"]);
  answer = "accept";
  await page.getByRole("link", { name: "Groups" }).first().click();
  await person.sees("Groups");
  assert.equal(asked.length, 4);

  await page.goBack();
  await name.fill("Ada King");
  await person.press("Discard changes");
  await open("#/groups/new");
  await page.getByLabel("Name", { exact: true }).fill("staff");
  await person.press("Cancel");
  await person.sees("Groups");
  await open("#/groups/new");
  await page.getByLabel("Name", { exact: true }).fill("staff");
  await page.getByLabel("Display name").fill("Staff");
  await person.press("Add");
  await person.sees("Staff");
  await page.goBack();
  await page.getByRole("link", { name: "Users" }).first().click();
  await person.sees("Users");
  assert.equal(asked.length, 4);
});

test("a question ends with the view that asked it", PATIENT, async () => {
  const { orgId } = await newOrganization();
  const { groupId } = await call("POST", "/v1/groups", { name: "staff" }, { "x-service-orgid": orgId });
  const { person, open } = await administrator("ROLE_ORG_OWNER", { orgId, at: "#/groups" });
  await open(`#/groups/${groupId}`);
  await person.press("Remove the group");
  await person.page.getByRole("dialog").getByRole("button", { name: "Remove the group" }).waitFor();

  await person.page.goBack();

  await person.sees("Groups");
  assert.equal(await person.page.getByRole("dialog").count(), 0);
});

for (const [view, label, value, remedy] of [
  ["#/users/new", "User name", "grace ", "Remove spaces at the start and the end"],
  ["#/groups/new", "Name", "Grace", "Use only the characters a-z 0-9 . _ -."],
  ["#/push/new", "URL", "http://example.com", "Enter an address that begins with https://."],
  ["#/organizations/new", "Name", " Example", "Remove spaces at the start and the end"],
]) {
  test(`a refused ${label} of ${view} says how to write it`, PATIENT, async () => {
    const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: view });

    await person.page.getByLabel(label, { exact: true }).fill(value);
    await person.press("Add");

    await person.page.getByText(remedy).waitFor();
  });
}

test("a name of 198 characters leaves the table of users as it is", PATIENT, async () => {
  const { orgId } = await newOrganization();
  const displayName = "Maximilian ".repeat(18).trim();
  const [long, short] = [await newUser({ orgId, displayName }), await newUser({ orgId, displayName: "Ada" })];
  await long.link(); // its state is long
  await call("POST", `/v1/users/${short.userId}/roles`, { role: "ROLE_ORG_OWNER" });

  const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: `#/users?org=${orgId}` });

  const row = person.page.locator("tbody tr").filter({ hasText: long.userName });
  await row.getByTitle(displayName).waitFor();
  const heights = await person.page.locator("tbody tr").evaluateAll((rows) => rows.map((each) => each.offsetHeight));
  assert.ok(Math.max(...heights) - Math.min(...heights) < 4, `${heights}`);
  const tags = await person.page.locator("tbody .tag").evaluateAll((all) => all.map((each) => each.offsetHeight));
  assert.ok(Math.max(...tags) < 30, `${tags}`);
});

describe("two administrators", () => {
  test("who change the same user see the difference, and neither loses anything", PATIENT, async () => {
    const { user, first, second } = await together();

    await second.page.getByLabel("Display name").fill("Rear Admiral Hopper");
    await second.page.getByLabel("Mail address").fill("admiral@example.com");
    await first.page.getByLabel("Display name").fill("Amazing Grace");
    await first.press("Save");
    await first.page.getByText("Saved.").waitFor();
    await second.press("Save");

    const conflict = second.page.locator(".conflict");
    await conflict.getByRole("heading", { name: "Somebody else has changed this" }).waitFor();
    assert.deepEqual(await conflict.locator("tbody tr").allInnerTexts(), [
      "Display name\tAmazing Grace\tRear Admiral Hopper",
      "Mail address\t–\tadmiral@example.com",
    ]);
    assert.equal((await read(user)).displayName, "Amazing Grace");

    await second.press("Save my entries");
    await second.page.getByText("Saved.").waitFor();
    const { displayName, email } = await read(user);
    assert.deepEqual([displayName, email], ["Rear Admiral Hopper", "admiral@example.com"]);
  });

  test("can also give way", PATIENT, async () => {
    const { user, first, second } = await together();

    await second.page.getByLabel("Display name").fill("Rear Admiral Hopper");
    await first.page.getByLabel("Display name").fill("Amazing Grace");
    await first.press("Save");
    await first.page.getByText("Saved.").waitFor();
    await second.press("Save");
    await second.press("Discard my entries");

    assert.equal(await second.page.getByLabel("Display name").inputValue(), "Amazing Grace");
    assert.equal((await read(user)).displayName, "Amazing Grace");
  });

  async function together() {
    const user = await newUser({ displayName: "Grace Hopper" });
    const at = `#/users/${user.userId}`;
    const { person: first } = await administrator("ROLE_INSTANCE_OWNER", { at });
    const { person: second } = await administrator("ROLE_INSTANCE_OWNER", { at });
    for (const { page } of [first, second]) await page.getByLabel("Display name").waitFor();
    return { user, first, second };
  }
});

describe("trouble", () => {
  test("a session that ended leads to the sign-in and back to the view", PATIENT, async () => {
    const { person, user, open } = await administrator("ROLE_INSTANCE_OWNER", { at: "#/applications" });
    await person.sees("Applications");
    await call("DELETE", `/v1/users/${user.userId}/sessions`);

    await open("#/groups");
    await person.press("Sign in with a passkey");

    await person.sees("Groups");
  });

  test("a role that was revoked meanwhile is a refusal, not a broken page", PATIENT, async () => {
    const { person, user } = await administrator("ROLE_ORG_OWNER", { at: "#/groups/new" });
    await person.page.getByLabel("Name", { exact: true }).waitFor();
    await call("DELETE", `/v1/users/${user.userId}/roles/ROLE_ORG_OWNER`);

    await person.page.getByLabel("Name", { exact: true }).fill("engineering");
    await person.press("Add");

    await person.isTold("You may not do this");
    assert.equal(await person.page.getByLabel("Name", { exact: true }).inputValue(), "engineering");
  });

  test("a server that restarts is waited for, and a change happens once", PATIENT, async () => {
    const user = await newUser({ displayName: "Grace Hopper" });
    const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: `#/users/${user.userId}` });
    const { page } = person;
    await page.getByLabel("Display name").fill("Amazing Grace");
    const before = await events(user);

    await ask("/restart");
    await person.press("Save");
    await page.getByText("Saved.").waitFor();
    assert.equal((await events(user)) - before, 1);

    await page.getByRole("link", { name: "Events", exact: true }).click();
    await page.getByText("Live", { exact: true }).waitFor();
    await ask("/restart");
    await page.getByText("Connecting…").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await call("PATCH", `/v1/users/${user.userId}`, { user: { displayName: "Grace again" }, updateMask: "displayName" });
    await page.locator(".events .new").getByText(/changed .* account/).waitFor();
  });

  async function events({ userId }) {
    return (await call("GET", `/v1/events?aggregateId=${userId}`)).events.length;
  }
});

async function read({ userId }) {
  return (await call("GET", `/v1/users/${userId}`)).user;
}
