/** An organization with 100,000 users: their list, and the search in it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ask, PATIENT } from "../world.js";
import { administrator, newOrganization } from "./person.js";

describe("an administrator of 100,000 users", () => {
  test("reads page by page, and finds one of them", PATIENT, async () => {
    const { orgId } = await newOrganization();
    await ask(`/many-users/${orgId}`);
    const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: `#/users?org=${orgId}` });
    const { page } = person;
    const rows = page.locator("tbody tr");

    await rows.first().waitFor();
    const ofPage = await rows.count();
    await person.press("Show more");
    await rows.nth(ofPage).waitFor();
    await page.getByLabel("Search").fill("person-99999@");
    await page.getByRole("link", { name: "Person 99999" }).waitFor();
    assert.equal(await rows.count(), 1);

    await page.getByLabel("Search").fill("nobody at all");
    await page.getByText("Nobody is found.").waitFor();
  });
});
