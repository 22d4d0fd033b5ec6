/** The overview in figures, the lists to which they lead, and files of events. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { describe, test } from "node:test";
import { call, listed, newUser } from "../support/server.js";
import { PATIENT } from "../world.js";
import { administrator, newOrganization } from "./person.js";

const row = (page, named) => page.locator("keystead-users tbody").getByRole("link", { name: named });
const figure = (page, label) => page.locator(".figures a", { hasText: label });

describe("the overview", () => {
  test("counts users, and each figure leads to its list", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const locked = await newUser({ orgId, displayName: "Alan Turing" });
    await newUser({ orgId, displayName: "Grace Hopper" });
    await call("POST", `/v1/users/${locked.userId}:lock`, {});
    const { person } = await administrator("ROLE_ORG_OWNER", { orgId });
    const { page } = person;

    await figure(page, "Users").getByText("3", { exact: true }).waitFor();
    const days = page.getByRole("table", { name: "Sign-ins by day" }).getByRole("row");
    assert.equal(await days.count(), 31);
    assert.deepEqual((await days.last().getByRole("cell").allInnerTexts()).map((each) => each.trim()), ["1", "0"]);

    await figure(page, "Active in 7 days").click();
    await row(page, "Ada Lovelace").waitFor();
    assert.equal(await page.locator("tbody tr").count(), 1);
    await page.goBack();
    await figure(page, "Locked out").click();
    await row(page, "Alan Turing").waitFor();
    assert.equal(await page.locator("tbody tr").count(), 1);
    await page.goBack();
    await figure(page, "With one passkey only").click();
    await row(page, "Ada Lovelace").waitFor();
    assert.equal(await page.locator("tbody tr").count(), 1);
  });

  test("names tokens that expire, with a link to their user", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const { userId } = await newUser({ orgId, displayName: "Deployment" });
    const expiresAt = new Date(Date.now() + 20 * 86_400_000).toISOString();
    await call("POST", `/v1/users/${userId}/tokens`, { name: "nightly", expiresAt });
    const { person } = await administrator("ROLE_ORG_OWNER", { orgId });

    await person.page.getByRole("link", { name: "The token nightly expires" }).click();

    await person.sees("Deployment");
  });

  test("of one user shows first steps", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const { person } = await administrator("ROLE_ORG_OWNER", { orgId });

    await person.page.getByRole("heading", { name: "First steps" }).waitFor();
    await person.page.getByRole("link", { name: "Invite people" }).click();

    await person.sees("Invite people");
  });

  test("of a user manager has the places instead", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const { person } = await administrator("ROLE_ORG_USER_MANAGER", { orgId });

    await person.page.locator(".tiles").getByRole("link", { name: "Users Credentials" }).waitFor();
    assert.equal(await person.page.locator("keystead-figures").count(), 0);
  });
});

test("a mail that failed leads to the outbox with those that failed", PATIENT, async () => {
  const { orgId } = await newOrganization();
  const server = await refusingServer();
  const config = { senderAddress: "noreply@own.example", senderName: "Own", host: `127.0.0.1:${server.address().port}` };
  await call("POST", "/v1/smtp", config, { "x-service-orgid": orgId });
  const { userId } = await newUser({ orgId, email: `grace-${orgId}@example.com` });
  await call("POST", `/v1/users/${userId}/passkeys:createLink`, { sendLink: {} });
  await listed("/v1/mails", "mails", { orgId, query: "filter=state%3DFAILED" });
  server.close();
  const { person } = await administrator("ROLE_ORG_USER_MANAGER", { orgId });

  await person.page.getByRole("link", { name: "See the outbox" }).click();

  await person.page.getByText(`grace-${orgId}@example.com`).waitFor();
  assert.equal(await person.page.getByLabel("State").inputValue(), "3");
});

/** A mail server that knows no recipient. */
async function refusingServer() {
  const server = createServer((socket) => {
    socket.write("220 example.com ESMTP\r\n");
    socket.on("data", (line) => socket.write(/^RCPT/i.test(line) ? "550 5.1.1 no such user\r\n" : "250 example.com\r\n"));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

test("a refused sign-in is on the page of its user, and in the list of the organization", PATIENT, async () => {
  const { orgId } = await newOrganization();
  const { user, person: refused } = await administrator("", { orgId, at: "#/", fields: { displayName: "Alan Turing" } });
  await call("POST", `/v1/users/${user.userId}:lock`, {});
  await refused.page.goto(new URL("/signin/", refused.page.url()).href);
  await refused.press("Sign in with a passkey");
  await refused.page.getByText("locked", { exact: false }).first().waitFor();
  await listed("/v1/signInRefusals", "refusals", { orgId });

  const { person, open } = await administrator("ROLE_ORG_OWNER", { orgId, at: "#/sessions/refused" });
  await person.sees("Refused sign-ins");
  await person.page.getByText("The user is locked out").waitFor();
  await open(`#/users/${user.userId}/sessions`);

  await person.page.getByRole("heading", { name: "Refused sign-ins" }).waitFor();
  await person.page.getByText("The user is locked out").waitFor();
});

test("a name of the language in an address is neither a filter nor a place", PATIENT, async () => {
  const { orgId } = await newOrganization();
  const { person, open } = await administrator("ROLE_ORG_OWNER", {
    orgId,
    at: "#/users?state=constructor&seen=valueOf&order=toString&passkeys=constructor",
  });
  await person.page.getByRole("link", { name: "Ada Lovelace" }).waitFor();

  await open("#/constructor");

  await person.sees("This page does not exist");
});

test("events are saved as a file that spreadsheets open", PATIENT, async () => {
  const { orgId } = await newOrganization();
  const { person } = await administrator("ROLE_ORG_OWNER", { orgId, at: "#/events" });
  await person.page.locator(".events li").first().waitFor();
  const file = person.page.waitForEvent("download");

  await person.press("Export as CSV");

  const text = await readFile(await (await file).path(), "utf8");
  assert.match(text, /^\ufefftime,event type,object type,/);
  assert.match(text, /,user\.session_started,user,/);
});
