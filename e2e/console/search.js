/** The search of the console, by keyboard and pointer, and on a narrow screen. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { addAxe, violations } from "../support/axe.js";
import { call, newUser } from "../support/server.js";
import { PATIENT } from "../world.js";
import { administrator, hold, newOrganization } from "./person.js";

const FIELD = '[role="combobox"]';

/** Objects with a word in their names, of an organization with an owner who sees them. */
async function world() {
  const word = `zebra${randomUUID().slice(0, 8)}`;
  const { orgId } = await newOrganization();
  const organization = { "x-service-orgid": orgId };
  const user = await newUser({ orgId, displayName: `Grace ${word}` });
  const { groupId } = await call("POST", "/v1/groups", { name: word, displayName: `Group ${word}` }, organization);
  const { applicationId } = await call(
    "POST",
    "/v1/applications",
    { application: { name: `App ${word}`, kind: "APPLICATION_KIND_WEB", redirectUris: ["https://app.example/cb"] } },
    organization,
  );
  const { idpId } = await call("POST", "/v1/idps", { name: `Provider ${word}` }, organization);
  return { word, orgId, user, groupId, applicationId, idpId };
}

async function search({ page }, text) {
  await page.keyboard.press("Control+k");
  await page.locator(FIELD).fill(text);
}

function options(page) {
  return page.getByRole("option").allInnerTexts();
}

describe("the search", () => {
  test("finds people, groups, applications and providers, and opens one by the keyboard alone", PATIENT, async () => {
    const { word, orgId, user } = await world();
    const { person } = await administrator("ROLE_ORG_OWNER", { orgId });
    const { page } = person;
    await person.sees("Overview");

    await search(person, word);
    await page.getByRole("option", { name: `Provider ${word}` }).waitFor();
    await page.getByRole("option", { name: `App ${word}` }).waitFor();
    await page.getByRole("option", { name: `Group ${word}` }).waitFor();
    await page.getByRole("option", { name: `Grace ${word}` }).waitFor();

    const active = () => page.locator('[aria-selected="true"]').innerText();
    const field = page.locator(FIELD);
    assert.equal(await field.getAttribute("aria-expanded"), "true");
    const count = (await options(page)).length;
    const seen = new Set();
    for (let step = 0; step < count; step += 1) {
      seen.add(await active());
      const id = await field.getAttribute("aria-activedescendant");
      assert.equal(await page.locator(`#${id}`).getAttribute("aria-selected"), "true");
      await page.keyboard.press("ArrowDown");
    }
    assert.equal(seen.size, count);
    while (!(await active()).startsWith(`Grace ${word}`)) await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");

    await person.sees(`Grace ${word}`);
    assert.match(page.url(), new RegExp(user.userId));
    assert.equal(await page.getByRole("dialog").count(), 0);
    await addAxe(page);
    await search(person, word);
    await page.getByRole("option", { name: `Group ${word}` }).waitFor();
    assert.deepEqual(await violations(page), []);
  });

  test("finds a place by its name, without the server", PATIENT, async () => {
    const { person } = await administrator("ROLE_ORG_USER_MANAGER");
    const { page } = person;
    await person.sees("Overview");

    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("option", { name: "Overview" }).waitFor();
    assert.deepEqual(await options(page), ["Overview", "Users", "Sessions", "Attributes", "Mail"]);
    await page.locator(FIELD).fill("SESS");
    await page.getByRole("option", { name: "Sessions", exact: true }).waitFor();
    await page.keyboard.press("Enter");

    await person.sees("Sessions");
    await search(person, "outb");
    await page.getByRole("option", { name: "Outbox" }).waitFor();
    assert.deepEqual(await page.locator("dialog").getByRole("option").allInnerTexts(), ["Outbox Mail"]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/mail\/outbox$/);
  });

  test("asks only the lists that the role may read", PATIENT, async () => {
    const { person } = await administrator("ROLE_ORG_USER_MANAGER");
    const { page } = person;
    await person.sees("Overview");
    const asked = new Set();
    page.on("request", (request) => asked.add(request.url().split("/").pop()));

    await search(person, "nobody-at-all");
    await page.getByText("Nothing is found in this organization.").waitFor();

    assert.ok(asked.has("ListUsers"));
    for (const method of ["ListGroups", "ListIDPs", "ListOrganizations", "ListSubscriptions", "ListApplications"]) {
      assert.ok(!asked.has(method), method);
    }
  });

  test("finds what has a pasted ID, also a user of another organization", PATIENT, async () => {
    const { groupId, applicationId, idpId, orgId, word, user } = await world();
    const { person } = await administrator("ROLE_ORG_OWNER", { orgId });
    const { page } = person;
    await person.sees("Overview");
    for (const [id, title] of [
      [groupId, `Group ${word}`],
      [applicationId, `App ${word}`],
      [idpId, `Provider ${word}`],
      [user.userId, `Grace ${word}`],
    ]) {
      await search(person, id);
      await page.getByRole("option", { name: title }).waitFor();
      await page.keyboard.press("Escape");
    }

    const { person: owner } = await administrator();
    await owner.sees("Overview");
    await search(owner, user.userId);
    await owner.page.getByRole("option", { name: `Grace ${word}` }).click();
    await owner.sees(`Grace ${word}`);
    assert.match(owner.page.url(), new RegExp(`org=${orgId}`));
  });

  test("ignores the answers to a former text", PATIENT, async () => {
    const { word, orgId } = await world();
    const { person } = await administrator("ROLE_ORG_OWNER", { orgId });
    const { page } = person;
    await person.sees("Overview");
    const first = page.waitForResponse(/\/ListUsers$/);
    await search(person, "x"); // loads the search itself
    await first;
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const list = await hold(page, /\/ListUsers$/);

    await search(person, word);
    await list.asked;
    await page.locator(FIELD).fill("nobody-at-all");
    await page.getByText("Nothing is found in this organization.").waitFor();
    const answered = page.waitForResponse(/\/ListUsers$/);
    list.release();
    await answered;
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));

    assert.deepEqual(await options(page), []);
  });

  test("shows the other results if a list fails", PATIENT, async () => {
    const { word, orgId } = await world();
    const { person } = await administrator("ROLE_ORG_OWNER", { orgId });
    const { page } = person;
    await person.sees("Overview");
    await page.route(/\/ListGroups$/, (route) => route.fulfill({ status: 500, body: "" }));

    await search(person, word);

    await page.getByText("Groups could not be searched.").waitFor();
    await page.getByRole("option", { name: `Grace ${word}` }).waitFor();
    assert.equal(await page.getByRole("option", { name: `Group ${word}` }).count(), 0);
  });

  test("closes by Escape, and leaves the focus where it was", PATIENT, async () => {
    const { person } = await administrator();
    const { page } = person;
    await person.sees("Overview");
    await page.getByRole("link", { name: "Users", exact: true }).focus();

    await search(person, "");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Control+k");
    assert.equal(await page.getByRole("dialog").count(), 1);
    await page.keyboard.press("Escape");

    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await person.focused(), "Users");
  });

  test("fits a narrow screen", PATIENT, async () => {
    const { word, orgId } = await world();
    const { person } = await administrator("ROLE_ORG_OWNER", { orgId, viewport: { width: 360, height: 740 } });
    const { page } = person;
    await person.sees("Overview");

    await page.getByRole("button", { name: "Search" }).click();
    await page.locator(FIELD).fill(word);
    await page.getByRole("option", { name: `Grace ${word}` }).waitFor();

    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    const { x, width } = await page.getByRole("dialog").boundingBox();
    assert.ok(x >= 0 && x + width <= 360, `${x} ${width}`);
    await page.getByRole("option", { name: `Grace ${word}` }).click();
    await person.sees(`Grace ${word}`);
  });
});
