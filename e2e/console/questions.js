/** Ten questions of an administrator: each takes at most three clicks from the overview. */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { call, listed, newUser, refusalKept } from "../support/server.js";
import { PATIENT } from "../world.js";
import { administrator, newOrganization } from "./person.js";

const MOST_CLICKS = 3;
const LONG = { timeout: 2 * PATIENT.timeout };

/** A mail server that knows nobody. */
const mailServer = createServer((socket) => {
  socket.write("220 mail.example.com ESMTP\r\n");
  socket.on("data", (data) => {
    const command = data.toString().slice(0, 4).toUpperCase();
    if (command === "QUIT") socket.end("221 2.0.0 Bye\r\n");
    else socket.write(command === "RCPT" ? "550 5.1.1 No such mailbox\r\n" : "250 OK\r\n");
  });
  socket.on("error", () => {});
});
before(() => new Promise((listening) => mailServer.listen(0, "127.0.0.1", listening)));
after(() => mailServer.close());

test("ten questions take at most three clicks each", LONG, async () => {
  const { orgId } = await newOrganization();
  const scope = { "x-service-orgid": orgId };
  const grace = await newUser({ orgId, displayName: "Grace Hopper", email: `grace@${orgId}.example.com` });
  const alan = await newUser({ orgId, displayName: "Alan Turing" });
  await call("POST", `/v1/users/${alan.userId}:lock`, {});
  const { groupId } = await call("POST", "/v1/groups", { name: "engineering" }, scope);
  await call("PUT", `/v1/groups/${groupId}/members/${grace.userId}`, {}, scope);
  const application = { name: "Grafana", kind: "APPLICATION_KIND_WEB", redirectUris: ["https://grafana.example.com/login"], allowedGroups: [groupId] };
  const { applicationId } = await call("POST", "/v1/applications", { application }, scope);
  const refused = { clientId: applicationId, redirectUri: "https://grafana.example.com/other", responseType: "code" };
  await assert.rejects(call("POST", "/v1/oauth/authorizations:start", refused));
  const expiresAt = new Date(Date.now() + 20 * 86_400_000).toISOString();
  await call("POST", `/v1/users/${grace.userId}/tokens`, { name: "nightly", expiresAt });
  const host = `127.0.0.1:${mailServer.address().port}`;
  await call("POST", "/v1/smtp", { senderAddress: "no-reply@example.com", senderName: "Example", host, tls: false }, scope);
  await call("POST", `/v1/users/${grace.userId}/passkeys:createLink`, { sendLink: {} });
  // The overview shows figures of the last ten seconds.
  await refusalKept({ orgId });
  await listed("/v1/mails", "mails", { orgId, query: "filter=state = FAILED" });

  const { user: ada, person, open } = await administrator("ROLE_ORG_OWNER", { orgId });
  await call("POST", `/v1/users/${grace.userId}/roles`, { role: "ROLE_ORG_AUDITOR" }, { token: await ada.token() });
  const { page } = person;
  await page.evaluate(() => addEventListener("click", ({ isTrusted }) => (window.clicks += isTrusted ? 1 : 0), true));
  const link = (name) => page.getByRole("link", { name }).first().click();
  const place = (name) => page.locator("nav.side").getByRole("link", { name, exact: true }).click();
  const sees = (...texts) => Promise.all(texts.map((text) => page.locator("main").getByText(text).first().waitFor()));
  const ofPerson = async (name, tab) => {
    await place("Users");
    await link(name);
    await link(tab);
  };
  const figure = (label) => page.locator(".figures a", { hasText: label }).click();

  const questions = {
    "who has access to an application": async () => {
      await place("Applications");
      await link("Grafana");
      await link("People");
      await sees("Grace Hopper");
    },
    "who gave somebody a role": async () => {
      await ofPerson("Grace Hopper", "Access");
      await sees("Auditor", "Ada Lovelace");
    },
    "who signed in this week": async () => {
      await figure("Active in 7 days");
      await sees("Ada Lovelace");
    },
    "why no mail came": async () => {
      await ofPerson("Grace Hopper", "Mails");
      await sees("Failed", "1 failed attempt");
    },
    "what fails": async () => {
      await link("1 mail could not be delivered");
      await sees(`grace@${orgId}.example.com`, "1 failed attempt");
    },
    "what expires": () => sees("The token nightly expires"),
    "who has one passkey": async () => {
      await figure("With one passkey only");
      await sees("Ada Lovelace");
    },
    "what changed since yesterday": async () => {
      await place("Events");
      await page.getByLabel("Since").click();
      await page.getByLabel("Since").fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 10));
      await sees("Grafana", "engineering");
    },
    "who is locked out": async () => {
      await figure("Locked out");
      await sees("Alan Turing");
    },
    "which application is refused": async () => {
      await link("1 request of an application was refused");
      await sees("Grafana", "https://grafana.example.com/other");
    },
  };
  for (const [question, answer] of Object.entries(questions)) {
    await open("#/");
    await page.getByRole("heading", { name: "Needs attention" }).waitFor();
    await page.evaluate(() => (window.clicks = 0));
    await answer();
    const clicks = await page.evaluate(() => window.clicks);
    assert.ok(clicks <= MOST_CLICKS, `${question}: ${clicks} clicks`);
  }
});
