/** Each role sees its own part of the console. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { call, newUser } from "../support/server.js";
import { administrator, newOrganization } from "./person.js";
import { given, PATIENT } from "../world.js";

const PLACES = {
  ROLE_INSTANCE_OWNER: ["Overview", "Organizations", "Users", "Sessions", "Groups", "Attributes", "Applications", "Identity providers", "Mail", "Webhooks", "Events", "System"],
  ROLE_ORG_OWNER: ["Overview", "Organizations", "Users", "Sessions", "Groups", "Attributes", "Applications", "Identity providers", "Mail", "Webhooks", "Events"],
  ROLE_ORG_USER_MANAGER: ["Overview", "Users", "Sessions", "Attributes", "Mail"],
  ROLE_ORG_APPLICATION_MANAGER: ["Overview", "Groups", "Attributes", "Applications"],
};

describe("a role", () => {
  for (const [role, places] of Object.entries(PLACES)) {
    test(`${role} sees its places`, PATIENT, async () => {
      const { person } = await administrator(role);
      await person.sees("Overview");

      assert.deepEqual(await person.page.locator("nav.side li").allInnerTexts(), places);
    });
  }

  test("of a manager leads from the account to the console", PATIENT, async () => {
    const { person } = await administrator("ROLE_ORG_USER_MANAGER");

    await person.page.goto(`${given.origin}/account/`);
    await person.page.getByRole("link", { name: "Console" }).click();

    await person.sees("Overview");
  });

  test("without rights has no console", PATIENT, async () => {
    const { person } = await administrator("");

    await person.sees("You may not see this");
    assert.equal(await person.page.locator("nav.side li").count(), 0);
    await person.page.goto(`${given.origin}/account/`);
    await person.sees("Your account");
    assert.equal(await person.page.getByRole("link", { name: "Console" }).count(), 0);
  });

  test("of an organization sees its own users only, and cannot change those above it", PATIENT, async () => {
    const { orgId, name } = await newOrganization();
    const mine = await newUser({ orgId, displayName: "Grace Hopper" });
    const owner = await newUser({ orgId, displayName: "Hedy Lamarr" });
    await call("POST", `/v1/users/${owner.userId}/roles`, { role: "ROLE_INSTANCE_OWNER" });
    const foreign = await newUser({ displayName: "Alan Turing" });

    const { person, open } = await administrator("ROLE_ORG_OWNER", { orgId, at: "#/users" });
    const { page } = person;
    await page.getByRole("link", { name: "Grace Hopper" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Alan Turing" }).count(), 0);

    await open(`#/users/${mine.userId}`);
    await page.getByRole("button", { name: "Save" }).waitFor();
    await open(`#/users/${owner.userId}`);
    await person.sees("Hedy Lamarr");
    assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "Remove the user" }).count(), 0);
    await open(`#/users/${owner.userId}/access`);
    await page.getByRole("rowheader", { name: "Instance owner" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^(Grant|Revoke)/ }).count(), 0);

    await open(`#/users/${foreign.userId}`);
    await person.sees("You may not do this");
    await open("#/organizations");
    await person.sees(name);
  });

  test("of a help desk locks a user out and unlocks it, and of an auditor sees the lock", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const { userId } = await newUser({ orgId, displayName: "Grace Hopper" });
    const { person: desk } = await administrator("ROLE_ORG_HELP_DESK", { orgId, at: `#/users/${userId}` });

    await desk.page.getByLabel("Reason").fill("The laptop was stolen.");
    await desk.press("Lock out");
    await desk.page.getByRole("dialog").getByRole("button", { name: "Lock out" }).click();
    await desk.page.getByText("The laptop was stolen.").waitFor();

    const { person: auditor, open } = await administrator("ROLE_ORG_AUDITOR", { orgId, at: `#/users/${userId}` });
    await auditor.page.getByText("The laptop was stolen.").waitFor();
    assert.equal(await auditor.page.getByRole("button", { name: "Unlock" }).count(), 0);
    await open(`#/users/${userId}/access`);
    await auditor.page.getByText("The user has no role.").waitFor();

    await desk.press("Unlock");
    await desk.page.getByText("Grace Hopper can sign in again.").waitFor();
  });

  for (const role of ["ROLE_ORG_OWNER", "ROLE_ORG_AUDITOR"]) {
    test(`${role} sees the mail of its organization only`, PATIENT, async () => {
      const [mine, foreign] = [await newOrganization(), await newOrganization()];
      const config = { senderAddress: "noreply@own.example", senderName: "Own", host: "127.0.0.1:9" };
      for (const { orgId } of [mine, foreign]) {
        await call("POST", "/v1/smtp", config, { "x-service-orgid": orgId });
        const { userId } = await newUser({ orgId, email: `${orgId}@example.com` });
        await call("POST", `/v1/users/${userId}/passkeys:createLink`, { sendLink: {} });
      }
      const { person, open } = await administrator(role, { orgId: mine.orgId, at: "#/mail" });
      const { page } = person;

      const owns = role === "ROLE_ORG_OWNER";
      if (owns) await page.getByRole("heading", { name: "Mail server of the organization" }).waitFor();
      else assert.equal(await page.getByRole("link", { name: "Settings" }).count(), 0);
      await open("#/mail/outbox");
      await page.getByText(`${mine.orgId}@example.com`).waitFor();
      assert.equal(await page.getByText(`${foreign.orgId}@example.com`).count(), 0);
      assert.equal(await page.getByRole("button", { name: /^Retry/ }).count(), 0);
      await open("#/mail/templates");
      await page.locator("keystead-letter").first().waitFor();
      assert.equal(await page.getByRole("link", { name: /^Change the text/ }).count(), owns ? 12 : 0);
    });
  }

  test("of the instance works in every organization", PATIENT, async () => {
    const { orgId, name } = await newOrganization();
    await newUser({ orgId, displayName: "Grace Hopper" });

    const { person, open } = await administrator("ROLE_INSTANCE_OWNER", { at: `#/users?org=${orgId}` });
    await person.page.getByRole("link", { name: "Grace Hopper" }).click();
    await person.sees("Grace Hopper");
    assert.equal(await person.page.locator(".scope strong").innerText(), name);

    await person.page.getByRole("link", { name: "Back to your own" }).click();
    await person.sees("Overview");
    await open(`#/organizations/${orgId}`);
    await person.sees(name);
  });
});
