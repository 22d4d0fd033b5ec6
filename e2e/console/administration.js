/** Work from its beginning to its end: each change is made in the console, and read back by the API. */
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { signedIn } from "../account_pages/person.js";
import { application, consents, sent } from "../authorization/person.js";
import { call, newUser, refusalKept } from "../support/server.js";
import { visit } from "../support/visit.js";
import { PATIENT, webUrl, world } from "../world.js";
import { administrator, newOrganization } from "./person.js";

// Of a service, until the year 2126.
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBjjCCATSgAwIBAgIUTBofTfiUI0baoUHC1OEaggDEgeswCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGb3JkZXJzMCAXDTI2MTEyODA0NDYzMFoYDzIxMjYxMTA0MDQ0
NjMwWjARMQ8wDQYDVQQDDAZvcmRlcnMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AATnVmSWQsJ7/HZf4NkPYyRufn1i3cnuPauxOqf8u0nUjppX7yLQ/Z91a8IF0r49
kmzwe9fDAg8Wvey/tHwdMAVpo2gwZjAdBgNVHQ4EFgQUWy8uaH0K83yGRLkhQVuM
G4xqFpQwHwYDVR0jBBgwFoAUWy8uaH0K83yGRLkhQVuMG4xqFpQwDwYDVR0TAQH/
BAUwAwEB/zATBgNVHSUEDDAKBggrBgEFBQcDAjAKBggqhkjOPQQDAgNIADBFAiAY
9/mmgL3bprJtMkkbvK665s4gr7AK73bRrtswkTGIpQIhANny7mIuSz1UMR4iItuy
YyGC0IUoqg+hFK2yk6dNeiwA
-----END CERTIFICATE-----
`;

describe("an administrator", () => {
  test("adds an organization and changes a setting, and undoes it", PATIENT, async () => {
    const { person, page } = await at("#/organizations");
    const name = `Engines ${randomUUID()}`;

    await page.getByRole("link", { name: "Add an organization" }).click();
    await person.press("Add");
    await page.getByText("Enter a value.").waitFor();
    assert.equal(await person.focused(), "Name");
    await page.getByLabel("Name").fill(name);
    await person.press("Add");
    await person.sees(name);
    const orgId = page.url().match(/organizations\/([\w-]+)/)[1];
    const read = async () => (await call("GET", `/v1/orgs/${orgId}`)).organization;

    await page.getByLabel("Recovery by mail").check();
    await page.locator("section").filter({ hasText: "Recovery by mail" }).getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    assert.equal((await read()).allowsMailRecovery, true);

    await person.press("Undo");
    await page.getByText("Undone.").waitFor();
    assert.equal((await read()).allowsMailRecovery, false);
  });

  test("renames the organization, which the frame shows to a manager without its settings, too", PATIENT, async () => {
    const { orgId, name } = await newOrganization();
    const renamed = `Renamed ${randomUUID()}`;
    const { person, page } = await at(`#/organizations/${orgId}?org=${orgId}`);
    await page.locator("nav.side").getByText(name).waitFor();

    await page.getByLabel("Name", { exact: true }).first().fill(renamed);
    await page.locator("section").filter({ hasText: "Recovery by mail" }).getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();

    await person.sees(renamed);
    await page.locator("nav.side").getByText(renamed).waitFor();
    const manager = await administrator("ROLE_ORG_USER_MANAGER", { orgId, at: "#/users" });
    await manager.person.page.locator("nav.side").getByText(renamed).waitFor();
  });

  test("removes an organization with its users, after its name was typed", PATIENT, async () => {
    const { orgId, name } = await newOrganization();
    for (const displayName of ["Grace Hopper", "Alan Turing"]) await newUser({ orgId, displayName });
    const { person, page } = await at(`#/organizations/${orgId}`);

    await person.press("Remove the organization");
    await page.getByText("Users: 2").waitFor();
    const confirm = page.locator("dialog").getByRole("button", { name: "Remove the organization" });
    await page.locator("dialog input").fill("another");
    assert.equal(await confirm.isVisible(), false);
    await page.locator("dialog input").fill(name);
    await confirm.click();

    await person.sees("Organizations");
    assert.equal((await call("GET", "/v1/orgs?page_size=200")).organizations.some((each) => each.orgId === orgId), false);
  });

  test("finds the refused request of a user by its ID, and mends the application", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const clientId = await application({ orgId, redirectUris: ["https://shop.example.com/old"] });
    const { person: user } = await signedIn({ fields: { orgId } });
    await sent(user, clientId);
    await user.sees("The way back to the application is not registered");
    const requestId = await user.page.locator(".request-id code").textContent();
    await refusalKept({ orgId, query: `requestId=${requestId}` });

    const { person, page } = await at(`#/applications?org=${orgId}`);
    await page.getByLabel("Find a refused request").fill(requestId);
    await page.getByText("The redirect_uri that came is https://shop.example.com/callback").waitFor();
    await person.press("Change the setting…");
    await page.getByText("Anybody can have sent this value.").waitFor();
    await page.getByRole("dialog").getByText("https://shop.example.com/callback").waitFor();
    await person.press("Change");
    await page.getByText("The application was changed.").waitFor();

    await sent(user, clientId);
    assert.ok(await consents(user));
  });

  test("lets a program without PKCE sign people in", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const clientId = await application({ orgId, kind: "APPLICATION_KIND_WEB", pkce: "APPLICATION_PKCE_REQUIRED" });
    const { person: user } = await signedIn({ fields: { orgId } });
    const ofProgram = { code_challenge: "", code_challenge_method: "", nonce: "a nonce" };
    await sent(user, clientId, ofProgram);
    await refusalKept({ orgId, query: `applicationId=${clientId}` });

    const { person, page } = await at(`#/applications/${clientId}/refusals?org=${orgId}`);
    await page.getByText("The program sends no PKCE.").waitFor();
    await person.press("Change the setting…");
    await page.getByRole("dialog").getByText("PKCE or a nonce").waitFor();
    await person.press("Change");
    await page.getByText("The application was changed.").waitFor();

    await sent(user, clientId, ofProgram);
    assert.ok(await consents(user));
  });

  test("adds a user, who registers by the link, and finds and removes it", PATIENT, async () => {
    const { person, page } = await at("#/users/new");
    const userName = `grace-${randomUUID()}`;

    await page.getByLabel("User name").fill(userName);
    await page.getByLabel("Display name").fill("Grace Hopper");
    await page.getByLabel("Mail address").fill("grace");
    await person.press("Add");
    await page.locator(".field-error").waitFor();
    await page.getByLabel("Mail address").fill("grace@example.com");
    await person.press("Add");
    await person.sees("Grace Hopper");
    const userId = page.url().match(/users\/([\w-]+)/)[1];

    await page.getByRole("link", { name: "Credentials" }).click();
    await person.press("Create a link");
    const link = await page.locator("dialog code").innerText();
    await person.press("Close");
    const grace = await visit(link);
    await grace.page.getByText("Ada Lovelace invites you to").waitFor();
    await grace.press("Create passkey");
    await grace.sees("Your passkey is ready");
    await grace.page.locator("a.primary").waitFor(); // the registration has signed her in

    await page.getByRole("link", { name: "Users", exact: true }).first().click();
    await page.getByLabel("Search").fill(userName.slice(3, 20).toUpperCase());
    await page.getByRole("row").filter({ hasText: userName }).getByRole("link", { name: "Grace Hopper" }).click();
    await person.press("Remove the user");
    await page.getByText("Ends 1 session, 0 tokens and 1 passkey.").waitFor();
    await page.locator("dialog").getByRole("button", { name: "Remove the user" }).click();
    await page.getByText("Grace Hopper was removed.").waitFor();
    await assert.rejects(call("GET", `/v1/users/${userId}`), /NOT_FOUND/);
  });

  test("sees sessions begin, finds them, and ends one and all of a user", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const user = await newUser({ orgId, displayName: "Grace Hopper" });
    const { userName } = (await call("GET", `/v1/users/${user.userId}`)).user;
    const sessions = async () => (await call("GET", `/v1/users/${user.userId}/sessions`)).sessions ?? [];
    const { page } = await at(`#/sessions?org=${orgId}`);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("Nobody is signed in.").waitFor();

    for (const count of [1, 2, 3]) {
      const grace = await visit(await user.link());
      await grace.press("Create passkey");
      await grace.sees("Your passkey is ready");
      await page.locator(`tbody tr:nth-child(${count})`).waitFor(); // without a reload
    }
    await page.getByLabel("Search").fill("no such name");
    await page.getByText("No session is found.").waitFor();
    await page.getByLabel("Search").fill(userName.toUpperCase());
    await page.locator("tbody tr:nth-child(3)").waitFor();
    await page.getByLabel("Signed in with").selectOption({ label: "Identity provider" });
    await page.getByText("No session is found.").waitFor();
    await page.getByLabel("Signed in with").selectOption({ label: "Passkey" });

    await page.getByRole("button", { name: "End the session of Grace Hopper" }).first().click();
    await page.getByText("Ended.").waitFor();
    await page.locator("tbody tr:nth-child(3)").waitFor({ state: "detached" });
    assert.equal((await sessions()).length, 2);
    await page.getByRole("button", { name: "End all sessions of Grace Hopper" }).first().click();
    await page.getByText("Ends 2 sessions.").waitFor();
    assert.equal((await sessions()).length, 2); // the preview ends none
    await page.locator("dialog").getByRole("button", { name: "End all sessions" }).click();
    await page.getByText("No session is found.").waitFor();
    assert.deepEqual(await sessions(), []);
  });

  test("grants a role, and is told of credentials that would end", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const manager = await newUser({ orgId });
    await call("POST", `/v1/users/${manager.userId}/roles`, { role: "ROLE_ORG_USER_MANAGER" });
    const user = await newUser({ orgId, displayName: "Grace Hopper" });
    await call("POST", `/v1/users/${user.userId}/tokens`, { name: "foreign" }, { token: await manager.token() });

    const { person, page } = await at(`#/users/${user.userId}/access?org=${orgId}`);
    await person.press("Grant Organization owner");
    await page.getByText("People with fewer rights than this role gives").waitFor();
    await page.locator("dialog").getByRole("button", { name: "Grant" }).click();
    await page.getByText("The role was granted.").waitFor();

    await page.getByRole("button", { name: "Revoke Organization owner" }).waitFor();
    assert.deepEqual((await call("GET", `/v1/users/${user.userId}`)).user.roles, ["ROLE_ORG_OWNER"]);
    assert.deepEqual((await call("GET", `/v1/users/${user.userId}/tokens`)).tokens, []);
  });

  test("grants a role until a time, changes that, and sees it among the administrators", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const user = await newUser({ orgId, displayName: "Grace Hopper" });
    const ends = async () => (await call("GET", `/v1/users/${user.userId}`)).user.roleGrants[0].expiresAt;
    const { person, page } = await at(`#/users/${user.userId}/access?org=${orgId}`);

    await person.press("Grant Auditor");
    await page.getByLabel("Ends (optional)").fill("2020-01-31T17:00");
    await page.getByLabel("Ends (optional)").blur();
    await page.locator("dialog [role=alert]").getByText("must be in the future").waitFor();
    assert.equal(await page.locator("dialog").getByText("Request ID").count(), 0);
    await page.getByLabel("Ends (optional)").fill("2098-01-31T17:00");
    await page.getByLabel("Ends (optional)").blur();
    await page.locator("dialog").getByRole("button", { name: "Grant" }).click();
    await page.getByText("The role was granted.").waitFor();
    assert.equal(new Date(await ends()).getFullYear(), 2098);

    await person.press("Change the end of Auditor");
    await page.getByLabel("Ends (optional)").fill("");
    await page.getByLabel("Ends (optional)").blur();
    await page.locator("dialog").getByRole("button", { name: "Change end" }).click();
    await page.getByText("The end of the role was changed.").waitFor();
    assert.equal(await ends(), undefined);

    await page.goto(page.url().replace(/#.*/, `#/users/administrators?org=${orgId}`));
    await person.sees("Administrators");
    const row = page.getByRole("row").filter({ hasText: "Grace Hopper" });
    await row.getByText("Auditor").waitFor();
    await row.getByText("Never").waitFor();
  });

  test("removes a stolen passkey with all that began with it", PATIENT, async () => {
    const clientId = await application();
    const { user, person: owner } = await signedIn();
    await sent(owner, clientId, { scope: "openid offline_access" });
    await consents(owner);
    const { page } = await at(`#/users/${user.userId}/security`);

    await page.getByRole("button", { name: "Remove Laptop" }).click();
    const dialog = page.locator("dialog");
    await dialog.getByText("Ends 1 session.").waitFor();
    assert.equal(await dialog.getByText("Ends the access of").count(), 0);
    await dialog.getByLabel("It was lost or stolen").check();
    await dialog.getByText("Ends the access of 1 application.").waitFor();
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();

    await page.getByText("The user has no passkey, and cannot sign in with one.").waitFor();
    assert.deepEqual((await call("GET", `/v1/users/${user.userId}/grants`)).grants ?? [], []);
  });

  test("adds a group and its member, removes the member and undoes it", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const user = await newUser({ orgId, displayName: "Grace Hopper" });
    const { person, page } = await at(`#/groups/new?org=${orgId}`);

    await page.getByLabel("Name", { exact: true }).fill("En gineering");
    await person.press("Add");
    await page.getByText("Use only the characters a-z 0-9 . _ -.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("engineering");
    await person.press("Add");
    await person.sees("engineering");
    await page.getByLabel("Add a member").fill("hopper");
    await page.locator(".options").getByRole("button", { name: "Grace Hopper" }).click();
    await page.getByText("Grace Hopper was added.").waitFor();
    const groups = async () => (await call("GET", `/v1/users/${user.userId}/groups`)).groups.map(({ name }) => name);
    assert.deepEqual(await groups(), ["engineering"]);

    await person.press("Remove Grace Hopper");
    await page.getByText("Grace Hopper was removed.").waitFor();
    assert.deepEqual(await groups(), []);
    await person.press("Undo");
    await page.getByText("Undone.").waitFor();
    assert.deepEqual(await groups(), ["engineering"]);
  });

  test("adds a user to a group on the page of the user, and undoes it", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const user = await newUser({ orgId });
    await call("POST", "/v1/groups", { name: "engineering" }, { "x-service-orgid": orgId });
    const groups = async () => (await call("GET", `/v1/users/${user.userId}/groups`)).groups.map(({ name }) => name);
    const { person, page } = await at(`#/users/${user.userId}/access?org=${orgId}`);

    await page.getByLabel("Add to a group").fill("engin");
    await page.locator(".options").getByRole("button", { name: "engineering" }).click();

    await page.getByText("Added to engineering.").waitFor();
    await page.getByRole("link", { name: "engineering" }).waitFor();
    assert.deepEqual(await groups(), ["engineering"]);
    await person.press("Undo");
    await page.getByText("Undone.").waitFor();
    assert.deepEqual(await groups(), []);
  });

  test("gives the address of a program as the browser has it", PATIENT, async () => {
    const { page } = await at("#/applications/+?for=grafana");

    await page.getByLabel("Its host").fill("https://grafana.example.com/login?forceLogin");

    await page.getByLabel("Redirect URIs").waitFor();
    const uris = await page.getByLabel("Redirect URIs").inputValue();
    assert.equal(uris, "https://grafana.example.com/login/generic_oauth");
  });

  test("adds an application, gets its secret once, and connects it", PATIENT, async () => {
    const { person, page } = await at("#/applications/+?for=other");

    await page.getByLabel("Name").fill("Grafana");
    await page.getByLabel("Kind").selectOption({ label: "Web application with a server" });
    await page.getByLabel("Redirect URIs").fill("https://grafana.example.com/a\nhttp://grafana.example.com/b");
    await person.press("Add");
    await page.getByText(/^⚠ ?Line 2: /).waitFor();
    await page.getByLabel("Redirect URIs").fill("https://grafana.example.com/a");
    await person.press("Add");
    await person.sees("Grafana");
    const id = page.url().match(/applications\/([\w-]+)/)[1];
    await page.getByText(`client_id="${id}"`).waitFor();

    await person.press("Create a secret");
    const secret = await page.locator("dialog code").innerText();
    await person.press("Close");
    await page.getByRole("button", { name: /^Remove [0-9a-f]/ }).waitFor();
    assert.ok(!(await page.content()).includes(secret));
    const issuer = await page.locator("dd code").first().innerText();
    const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    assert.equal(metadata.issuer, issuer);
    const answer = await fetch(metadata.token_endpoint, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
      body: new URLSearchParams({ grant_type: "authorization_code", code: "x", redirect_uri: "https://grafana.example.com/a", code_verifier: "v".repeat(43) }),
    });
    assert.equal((await answer.json()).error, "invalid_grant"); // not invalid_client

    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Only members of some groups").check();
    await page.getByLabel("Lifetime of access tokens, in seconds").fill("4000");
    await person.press("Save");
    await page.getByText("Enter a number from 0 to 3600.").waitFor();
    await page.getByLabel("Lifetime of access tokens, in seconds").fill("600");
    await person.press("Save");
    await page.getByText("Saved.").waitFor();
    const { application } = await call("GET", `/v1/applications/${id}`);
    assert.equal(application.accessTokenLifetimeSeconds, 600);
    assert.equal(application.admitsGroupsOnly, true);
  });

  test("adds an application by the name of its software", PATIENT, async () => {
    const { person, page } = await at("#/applications/+");

    await page.getByLabel("Which software?").fill("graf");
    await page.getByRole("link", { name: "Grafana" }).click();
    await page.getByText("Enter the host of the program.").waitFor();
    await page.getByLabel("Its host").pressSequentially("https://grafana.example.com/");
    await page.getByLabel("Redirect URIs").waitFor(); // while the field has the focus
    assert.equal(await page.getByLabel("Its host").inputValue(), "https://grafana.example.com/");
    await page.reload();
    assert.equal(await page.getByLabel("Redirect URIs").inputValue(), "https://grafana.example.com/login/generic_oauth");
    await person.press("Add");

    await page.getByRole("heading", { name: "Settings of Grafana" }).waitFor();
    const id = page.url().match(/applications\/([\w-]+)/)[1];
    const settings = await page.getByRole("region", { name: "grafana.ini" }).innerText();
    assert.ok(settings.includes(`client_id = ${id}\nclient_secret = CLIENT_SECRET\n`), settings);
    assert.ok(settings.includes("root_url = https://grafana.example.com/\n"), settings);
    const { application } = await call("GET", `/v1/applications/${id}`);
    assert.deepEqual(application.scopes, ["openid", "profile", "email", "groups", "offline_access"]);
    assert.equal(application.name, "Grafana");
  });

  test("adds an application with the client ID and the secret that it has", PATIENT, async () => {
    const { person, page } = await at("#/applications/+?for=other");
    const [id, secret] = [`grafana.${Date.now()}`, randomBytes(32).toString("hex")];

    await page.getByLabel("Name").fill("Grafana");
    await page.getByLabel("Kind").selectOption({ label: "App on a device" });
    assert.equal(await page.getByLabel("Secret").count(), 0);
    await page.getByLabel("Kind").selectOption({ label: "Web application with a server" });
    await page.getByLabel("Redirect URIs").fill("https://grafana.example.com/a");
    await page.getByLabel("Client ID").fill("grafana/1");
    await page.getByLabel("Secret").fill("123456");
    await person.press("Add");
    await page.getByText("Use A-Z, a-z, 0-9 and ._~- only.").waitFor();
    assert.equal(await person.focused(), "Client ID (optional)");
    await page.getByLabel("Client ID").fill(id);
    await person.press("Add");
    await page.getByText(/must be random and have 128 bits/).waitFor(); // the server's own words
    await page.getByLabel("Secret").fill(secret);
    await person.press("Add");

    await page.getByText(`client_id="${id}"`).waitFor();
    await page.getByRole("button", { name: /^Remove [0-9a-f]/ }).waitFor();
    const answer = await fetch(`${webUrl}/oauth/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
      body: new URLSearchParams({ grant_type: "authorization_code", code: "x", redirect_uri: "https://grafana.example.com/a" }),
    });
    assert.equal((await answer.json()).error, "invalid_grant"); // not invalid_client
  });

  test("adds a scope of an API, changes it and undoes it, and shows the changes of others", PATIENT, async () => {
    const { groupId } = await call("POST", "/v1/groups", { name: `staff-${Date.now()}`, displayName: "Staff" });
    const { person, page } = await at("#/applications/+?for=other");
    await page.getByLabel("Name").fill("Orders");
    await page.getByLabel("Kind").selectOption({ label: "API for other applications" });
    await person.press("Add");
    await page.getByText("Enter a value.").waitFor();
    assert.equal(await person.focused(), "Identifier");
    await page.getByLabel("Identifier").fill(`https://${Date.now()}.example.com`);
    await person.press("Add");
    await person.sees("Orders");
    const applicationId = page.url().match(/applications\/([\w-]+)/)[1];
    const scopes = async () => (await call("GET", `/v1/applications/${applicationId}`)).application.resourceScopes;

    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Add a scope" }).click();
    await person.sees("Add a scope"); // the settings have a field with the same label
    await page.getByLabel("Name").fill("orders.read");
    await person.press("Add");
    await page.getByRole("link", { name: "orders.read" }).click();
    await person.sees("orders.read");
    await page.getByLabel("Name").fill("orders.see");
    await page.getByLabel("Description").fill("See your orders");
    await page.getByLabel("Staff").check();
    await person.press("Save");
    await page.getByText("Saved.").waitFor();
    await person.sees("orders.see");
    assert.deepEqual(await scopes(), [{ name: "orders.see", description: "See your orders", allowedGroups: [groupId] }]);

    await person.press("Undo");
    await page.getByText("Undone.").waitFor();
    await person.sees("orders.read");
    assert.deepEqual(await scopes(), [{ name: "orders.read", description: "", allowedGroups: [] }]);

    const theirs = [{ name: "orders.read", description: "Read orders" }, { name: "orders.write" }];
    await call("PATCH", `/v1/applications/${applicationId}`, { application: { resourceScopes: theirs }, updateMask: "resourceScopes" });
    await page.getByLabel("Description").fill("See orders");
    await person.press("Save");
    await page.getByRole("row", { name: "Description Read orders See orders" }).waitFor();
    await person.press("Save my entries");
    await page.getByText("Saved.").waitFor();
    assert.deepEqual((await scopes()).map(({ name, description }) => [name, description]), [["orders.read", "See orders"], ["orders.write", ""]]);

    await page.goto(`${page.url()}.not`);
    await person.sees("This does not exist");
  });

  test("declares attributes, sets those of a user, and sends one to an application", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const user = await newUser({ orgId, displayName: "Grace Hopper" });
    const scope = { "x-service-orgid": orgId };
    const application = { name: "Shop", kind: "APPLICATION_KIND_WEB", redirectUris: ["https://shop.example.com/cb"] };
    const { applicationId } = await call("POST", "/v1/applications", { application }, scope);
    const { person, page, open } = await at(`#/attributes?org=${orgId}`);
    for (const [name, label, type] of [["department", "Department", "Text"], ["level", "Level", "Number"], ["remote", "Works remotely", "Yes or no"], ["skills", "Skills", "List of texts"]]) {
      await page.getByRole("link", { name: "Add an attribute" }).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByLabel("Display name").fill(label);
      await page.getByLabel("Type").selectOption({ label: type });
      await person.press("Add");
      await page.getByRole("link", { name: label }).waitFor();
    }

    await open(`#/users/${user.userId}?org=${orgId}`);
    const values = page.locator("section", { has: page.getByRole("heading", { name: "Attributes" }) });
    await values.getByLabel("Department").fill("Mathematics");
    await values.getByLabel("Level").fill("3.5");
    await values.getByLabel("Works remotely").check();
    await values.getByLabel("Skills").fill("COBOL\nteaching");
    await values.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const stored = async () => (await call("GET", `/v1/users/${user.userId}`)).user.attributes;
    assert.deepEqual(await stored(), { department: "Mathematics", level: 3.5, remote: true, skills: ["COBOL", "teaching"] });
    await values.getByLabel("Level").fill("");
    await values.getByLabel("Skills").fill("");
    await values.getByRole("button", { name: "Save" }).click();
    await values.getByRole("button", { name: "Discard" }).waitFor({ state: "hidden" });
    assert.deepEqual(await stored(), { department: "Mathematics", remote: true });

    await open(`#/applications/${applicationId}?org=${orgId}`);
    await page.getByRole("link", { name: "Add a claim" }).click();
    await page.getByLabel("Name of the claim").fill("team");
    await page.getByLabel("Attribute").fill("department");
    await person.press("Add");
    await page.getByRole("button", { name: "Remove team" }).waitFor();
    const { claims } = (await call("GET", `/v1/applications/${applicationId}`, undefined, scope)).application;
    assert.deepEqual(claims, [{ name: "team", attribute: "department", text: "", target: "CLAIM_TARGET_BOTH" }]);

    await open(`#/attributes?org=${orgId}`);
    await page.getByRole("link", { name: "Department" }).click();
    await person.press("Remove the attribute");
    await page.getByRole("dialog").getByText("All users lose their values.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the attribute" }).click();
    await page.getByRole("link", { name: "Level" }).waitFor();
    assert.deepEqual(await stored(), { remote: true });
  });

  test("admits the workloads of an issuer, and removes them", PATIENT, async () => {
    const { applicationId } = await call("POST", "/v1/applications", { application: { name: "Deployment", kind: "APPLICATION_KIND_SERVICE" } });
    const workloads = async () => (await call("GET", `/v1/applications/${applicationId}`)).application.workloadIssuers ?? [];
    const { person, page } = await at(`#/applications/${applicationId}`);

    await page.getByRole("link", { name: "Add workloads" }).click();
    await page.getByLabel("Issuer").fill("https://token.actions.githubusercontent.com");
    await page.getByLabel("Audience").fill("https://id.example.com");
    await page.getByLabel("Further claims").fill("repository_owner_id=4711\nenvironment");
    await person.press("Add");
    await page.getByText("Line 2: Write a name, = and a value.").waitFor();
    await page.getByText("Enter a value.").waitFor();
    await page.getByLabel("Further claims").fill("repository_owner_id=4711\nenvironment=a=b");
    await page.getByLabel("Subject").fill("repo:*:x");
    await person.press("Add");
    await page.locator(".field-error").waitFor(); // the server's own words
    assert.equal(await person.focused(), "Subject");
    await page.getByLabel("Subject").fill("repo:example/shop:*");
    await person.press("Add");
    await page.getByRole("row").filter({ hasText: "environment=a=b, repository_owner_id=4711" }).filter({ hasText: "githubusercontent" }).waitFor();
    assert.deepEqual(await workloads(), [{
      issuer: "https://token.actions.githubusercontent.com",
      audience: "https://id.example.com",
      subject: "repo:example/shop:*",
      claims: { repository_owner_id: "4711", environment: "a=b" },
    }]);

    await person.press("Remove repo:example/shop:*");
    await page.getByText("They get no more tokens.").waitFor();
    await page.locator("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No workloads are admitted.").waitFor();
    assert.deepEqual(await workloads(), []);
  });

  test("makes a token that expires, and adds a client certificate", PATIENT, async () => {
    const user = await newUser({ displayName: "Orders" });
    const tokens = async () => (await call("GET", `/v1/users/${user.userId}/tokens`)).tokens;
    const { person, page } = await at(`#/users/${user.userId}/security`);

    await page.getByRole("link", { name: "Create a token" }).click();
    await page.getByLabel("Name").fill("nightly import");
    const proposed = new Date(await page.getByLabel("Expires").inputValue());
    assert.equal(Math.round((proposed - Date.now()) / 86_400_000), 90);
    await page.getByLabel("Expires").fill("2036-01-02T03:04");
    await person.press("Create a token");
    const token = await page.locator("dialog code").innerText();
    await person.press("Close");
    await page.getByRole("row").filter({ hasText: "nightly import" }).waitFor();
    assert.equal((await call("GET", "/v1/users/me", undefined, { token })).user.userId, user.userId);
    const [made] = await tokens();
    assert.equal(+new Date(made.expiresAt), +new Date("2036-01-02T03:04"));

    await page.getByRole("link", { name: "Add a client certificate" }).click();
    await page.getByLabel("Name").fill("orders, 2036");
    await page.getByLabel("Certificate", { exact: true }).fill("-----BEGIN CERTIFICATE-----\n");
    await person.press("Add");
    await page.locator(".field-error").waitFor();
    await page.getByLabel("Certificate", { exact: true }).fill(CERTIFICATE);
    await person.press("Add");
    await page.getByRole("row").filter({ hasText: "Client certificate" }).filter({ hasText: "orders, 2036" }).waitFor();
    assert.deepEqual((await tokens()).map(({ kind }) => kind).sort(), ["TOKEN_KIND_BEARER", "TOKEN_KIND_CERTIFICATE"]);
  });

  test("sets an identity provider up, and sees the steps of its test", PATIENT, async () => {
    const { person, page } = await at("#/idps/new");
    await page.getByRole("link", { name: "Another provider" }).click();
    await page.getByLabel("Name").fill("Example Workforce");
    await person.press("Add");
    await person.sees("Example Workforce");
    const id = page.url().match(/idps\/([\w-]+)/)[1];

    await page.getByLabel("Issuer").fill("https://127.0.0.1:9");
    await page.getByLabel("Client ID").fill("keystead");
    await page.getByLabel("Client secret").fill("first secret");
    await page.locator("section").filter({ hasText: "OpenID Connect" }).getByRole("button", { name: "Save" }).click();
    await person.press("Run the test");
    await page.getByText("A step failed.").waitFor();
    await page.locator(".steps .failed").getByText("Discovery document").waitFor();

    // An edit of the provider itself, and then of its settings, is no conflict; the secret stays.
    const [first, second] = await page.getByRole("button", { name: "Save" }).all();
    await page.getByRole("textbox", { name: "Name" }).fill("Workforce");
    await first.click();
    await page.getByText("Saved.").waitFor();
    await person.press("Dismiss");
    await page.getByLabel("Scopes").fill("profile");
    await page.getByLabel("Mail domains of new people").fill("example.com");
    await second.click();
    await page.getByText("Saved.").waitFor();
    const { oidcConfig } = await call("GET", `/v1/idps/${id}/oidc`);
    assert.deepEqual([oidcConfig.scopes, oidcConfig.clientSecretSet], [["profile"], true]);
    assert.deepEqual([oidcConfig.autoRegisterMailDomains, oidcConfig.updateNameAtSignIn], [["example.com"], true]);

    // The button is shown as it will look, and the other settings stay.
    await person.press("Dismiss");
    await page.getByLabel("Look of the button").selectOption("As the provider defines");
    await first.click();
    await page.getByText("Saved.").waitFor();
    await person.press("Dismiss");
    await page.getByLabel("Colour of the background").fill("#1a3c6e");
    await page.getByLabel("Colour of the text").fill("#1a3c6f");
    const preview = page.locator(".look button");
    assert.equal(await preview.innerText(), "Sign in with Workforce");
    assert.equal(await preview.evaluate((button) => getComputedStyle(button).backgroundColor), "rgb(26, 60, 110)");
    const third = page.locator("section").filter({ hasText: "Sign-in button" }).getByRole("button", { name: "Save" });
    await third.click();
    await page.locator(".field-error").filter({ hasText: "contrast" }).waitFor();
    await page.getByLabel("Colour of the text").fill("#ffffff");
    await third.click();
    await page.getByText("Saved.").waitFor();
    const after = (await call("GET", `/v1/idps/${id}/oidc`)).oidcConfig;
    assert.deepEqual(after.button, { backgroundColor: "#1a3c6e", textColor: "#ffffff", logo: "" });
    assert.deepEqual([after.scopes, after.clientSecretSet], [["profile"], true]);
    assert.deepEqual(after.autoRegisterMailDomains, ["example.com"]);
  });

  test("adds a provider by its preset, and lets nobody register anybody by mistake", PATIENT, async () => {
    const { person, page } = await at("#/idps/new");
    await page.getByText("It is not an OpenID provider").waitFor();
    assert.equal(await page.getByRole("link", { name: "GitHub" }).count(), 0);

    await page.getByLabel("Which provider?").fill("micro");
    assert.equal(await page.locator(".choice").count(), 1);
    await page.getByRole("link", { name: "Microsoft (Entra ID)" }).click();
    await page.getByLabel("Tenant ID").fill("common");
    await person.press("Add");
    await page.locator(".field-error").filter({ hasText: "any tenant could name any user" }).waitFor();
    const personal = "9188040d-6c67-4c5b-b112-36a304b66dad";
    await page.getByLabel("Tenant ID").fill(personal);
    await page.getByLabel("Registers new people").check();
    await person.press("Add");

    await page.getByText(`https://login.microsoftonline.com/${personal}/v2.0`).waitFor();
    const id = page.url().match(/idps\/([\w-]+)/)[1];
    const settings = page.locator("section").filter({ hasText: "OpenID Connect" });
    await page.getByLabel("Client ID").fill("keystead");
    await page.getByLabel("Client secret").fill("a secret");
    await settings.getByRole("button", { name: "Save" }).click();
    await page.locator(".field-error").filter({ hasText: "Limit the domains of new people" }).waitFor();
    await page.getByLabel("Mail domains of new people").fill("example.com");
    await settings.getByRole("button", { name: "Save" }).click();
    await page.getByText("A client secret is stored.").waitFor();

    const { oidcConfig } = await call("GET", `/v1/idps/${id}/oidc`);
    assert.equal(oidcConfig.preset, "microsoft");
    assert.equal(oidcConfig.tokenEndpointAuthMethod, "TOKEN_ENDPOINT_AUTH_METHOD_CLIENT_SECRET_POST");
    assert.deepEqual([oidcConfig.admitsAnybody, oidcConfig.button.backgroundColor], [false, "#2f2f2f"]);
    await page.getByLabel("Mail domains of new people").fill("");
    await page.getByLabel("Let anybody register").waitFor();
    await settings.getByRole("button", { name: "Save" }).click();
    await page.locator(".field-error").filter({ hasText: "Limit the domains of new people" }).waitFor();
  });

  test("sets mail up, tests it, and retries a mail", PATIENT, async () => {
    const user = await newUser({ email: `grace-${randomUUID()}@example.com` });
    const { person, page, open } = await at("#/mail");

    await page.getByLabel("Password").waitFor();
    assert.equal(await page.getByText("keep the stored one").count(), 0);
    await page.getByLabel("Address of the sender").fill("noreply@example.com");
    await page.getByLabel("Name of the sender").fill("Example");
    await page.getByLabel("Mail server", { exact: true }).fill("127.0.0.1:9");
    await page.getByLabel("Requires encryption").uncheck();
    await person.press("Save");
    await page.getByText("Saved.").waitFor();
    await person.press("Run the test");
    await page.getByText("A step failed.").waitFor();
    await page.getByText("CONNECTION_REFUSED").waitFor();
    const mark = await page.locator(".steps .mark").first().boundingBox();
    const text = await page.locator(".steps p").first().boundingBox();
    assert.ok(mark.x + mark.width <= text.x, "the mark of a step covers its text");

    const oauth = page.locator("section").filter({ has: page.getByRole("heading", { name: "OAuth" }) });
    assert.equal(await oauth.getByLabel("Provider").isVisible(), false);
    await oauth.locator("summary").press("Enter");
    assert.equal(await oauth.getByText("keep the stored one").count(), 0);
    await oauth.getByLabel("Provider").selectOption({ label: "Microsoft 365" });
    await oauth.getByLabel("Tenant").fill("contoso.com");
    await oauth.getByLabel("Client ID").fill("a-client");
    await oauth.getByLabel("Mailbox that sends").fill("noreply@contoso.com");
    await oauth.getByLabel("Client secret").fill("a-secret");
    await oauth.getByRole("button", { name: "Save" }).click();
    await oauth.getByText("A secret is stored.").waitFor();
    await oauth.getByText("keep the stored one").waitFor();
    assert.equal(await oauth.getByLabel("Client secret").inputValue(), "");
    const { smtpConfig } = await call("GET", "/v1/smtp");
    assert.equal(smtpConfig.oauth.tokenEndpoint, "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/token");
    await oauth.getByRole("button", { name: "Remove OAuth" }).click();
    await page.locator("dialog").getByRole("button", { name: "Remove OAuth" }).click();
    await oauth.getByText("A secret is stored.").waitFor({ state: "detached" });

    await call("POST", `/v1/users/${user.userId}/passkeys:createLink`, { sendLink: {} });
    await open("#/mail/templates");
    const letter = page.locator("keystead-letter").first();
    await letter.getByText("https://id.example.com/passkeys/").first().waitFor();
    assert.equal(await letter.locator("main").evaluate((main) => getComputedStyle(main).maxWidth), "576px"); // 36em
    assert.equal(await page.locator("keystead-letter").count(), 12);

    await open("#/mail/outbox");
    await page.getByRole("button", { name: /^Retry the mail to grace/ }).first().click();
    await page.getByText("The next attempt begins now.").waitFor();
    await page.getByRole("combobox", { name: "Mail" }).selectOption("Invitation");
    await page.getByText("There is no such mail.").waitFor();
    await open(`#/users/${user.userId}/mails`);
    await page.getByText("Waiting").waitFor();
    await page.getByRole("button", { name: /^Retry the mail to grace/ }).click();
    await page.getByText("The next attempt begins now.").waitFor();

    await open("#/mail");
    await person.press("Remove the settings");
    await page.locator("dialog").getByRole("button", { name: "Remove the settings" }).click();
    await page.getByText("The settings were removed.").waitFor();
    await page.getByRole("heading", { name: "Set up mail" }).waitFor();
  });

  test("writes an own text of a mail beside its preview, and takes it back", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const scope = { "x-service-orgid": orgId };
    const texts = async () => (await call("GET", "/v1/mailTexts", undefined, scope)).mailTexts ?? [];
    const { person, page } = await at(`#/mail/templates?org=${orgId}`);

    await page.getByLabel("Language").selectOption({ label: "Deutsch" });
    await page.locator("keystead-letter").first().getByText("Guten Tag").waitFor();
    await page.getByRole("link", { name: "Change the text: Notice of a new passkey" }).click();
    await person.sees("Mail");
    await page.getByText("The organization has no mail server of its own.").waitFor();
    const [title, text] = [page.getByLabel("Heading"), page.getByLabel("Text", { exact: true })];
    const look = page.locator("keystead-mail-look");
    await look.getByRole("heading", { name: "Neuer Passkey" }).waitFor();
    assert.equal(await title.inputValue(), "Neuer Passkey");
    assert.match(await text.inputValue(), /\{created_at\}/);
    assert.equal(await page.getByLabel("Button").count(), 0);

    await title.fill("<b>Achtung</b>");
    await look.getByRole("heading", { name: "<b>Achtung</b>" }).waitFor();
    await text.fill("Mehr auf evil.example. Am ");
    await person.press("Save");
    await page.locator(".field-error").filter({ hasText: "must have {created_at}; must not contain a link" }).waitFor();
    await text.fill("Am ");
    await page.getByRole("button", { name: "{created_at}" }).click();
    assert.equal(await person.focused(), "Text");
    await page.keyboard.type(" neu:\nFragen? Durchwahl 4711.");
    await look.getByText("Durchwahl 4711.").waitFor();
    await look.getByText("21. November 2026").first().waitFor();
    await person.press("Save");
    await page.getByText("Saved.").waitFor();
    const [stored] = await texts();
    assert.deepEqual(
      [stored.mailTextId, stored.title, stored.text, stored.subject ?? ""],
      ["passkey_added.de", "<b>Achtung</b>", "Am {created_at} neu:\nFragen? Durchwahl 4711.", ""],
    );

    const usual = await text.getAttribute("placeholder");
    for (const [field, value] of [[title, "Neuer Passkey"], [text, usual]]) await field.fill(value);
    await person.press("Save");
    await page.getByRole("button", { name: "Use the text of Keystead" }).waitFor({ state: "hidden" });
    assert.deepEqual(await texts(), []);
    await title.fill("Achtung");
    await person.press("Save");
    await page.getByRole("button", { name: "Use the text of Keystead" }).waitFor();

    await page.getByRole("link", { name: "All templates" }).click();
    await page.getByText("Own text", { exact: true }).waitFor();
    assert.equal(await page.getByText("Own text", { exact: true }).count(), 1);
    await page.getByRole("link", { name: "Change the text: Notice of a new passkey" }).click();
    await person.press("Use the text of Keystead");
    await page.locator("dialog").getByRole("button", { name: "Use the text of Keystead" }).click();
    await page.getByText("The own text was removed.").waitFor();
    await page.getByRole("link", { name: "Change the text: Notice of a new passkey" }).waitFor();
    assert.equal(await page.getByText("Own text", { exact: true }).count(), 0);
    assert.deepEqual(await texts(), []);
  });

  test("sets up the mail server of an organization, and allows that of the instance", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const scope = { "x-service-orgid": orgId };
    const { page } = await at(`#/organizations/${orgId}`);
    const mail = page.locator("keystead-smtp");

    await mail.getByLabel("Address of the sender").fill("noreply@own.example");
    await mail.getByLabel("Name of the sender").fill("Own");
    await mail.getByLabel("Mail server", { exact: true }).fill("127.0.0.1:9");
    await mail.getByLabel("Requires encryption").uncheck();
    await mail.getByRole("button", { name: "Save" }).click();
    await mail.getByRole("button", { name: "Run the test" }).click();
    await mail.getByText("CONNECTION_REFUSED").waitFor();
    const { smtpConfig } = await call("GET", "/v1/smtp", undefined, scope);
    assert.deepEqual([smtpConfig.senderName, smtpConfig.details.resourceOwner], ["Own", orgId]);

    await page.getByLabel("Mail by the instance").check();
    const settings = page.locator("section").filter({ hasText: "Mail by the instance" });
    await settings.getByRole("button", { name: "Save" }).click();
    await settings.getByRole("button", { name: "Discard" }).waitFor({ state: "hidden" });
    assert.equal((await call("GET", `/v1/orgs/${orgId}`)).organization.allowsMailFallback, true);

    await mail.getByRole("button", { name: "Remove the settings" }).click();
    await page.locator("dialog").getByRole("button", { name: "Remove the settings" }).click();
    await page.getByText("The settings were removed.").waitFor();
    await mail.getByText("Mails to its users then come from this server").waitFor();
  });

  test("adds a webhook, tests it, changes its key, and retries a delivery", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const scope = { "x-service-orgid": orgId };
    const { person, page, open } = await at(`#/push/new?org=${orgId}`);
    await page.getByLabel("Name", { exact: true }).fill("Directory");
    await page.getByLabel("URL").fill("https://127.0.0.1:9/keystead");
    await page.getByLabel("Search events").fill("group added");
    await page.getByLabel("Somebody added the group … group.added").check();
    await page.getByLabel("Search events").fill("nothing like this");
    await page.getByText("No event is found.").waitFor();
    await person.press("Add");
    await page.getByRole("dialog").getByText(/^whsec_/).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await person.sees("Directory");
    const id = page.url().match(/push\/([\w-]+)/)[1];

    await person.press("Run the test");
    await page.locator(".steps .failed").getByText("ADDRESS_NOT_ALLOWED").waitFor();
    await person.press("Create: Key pair (Ed25519)");
    await page.getByRole("dialog").getByText(/^whpk_/).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: /^Remove [0-9a-f-]{36}$/ }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Secret was removed.").waitFor();
    const { subscription } = await call("GET", `/v1/push/subscriptions/${id}`, undefined, scope);
    assert.deepEqual(subscription.secrets.map(({ kind }) => kind), ["SECRET_KIND_ED25519"]);
    assert.deepEqual(subscription.eventTypes, ["group.added"]);

    await page.locator("details.types summary").filter({ hasText: "Group" }).click();
    await page.getByLabel(/^All: Group/).check();
    assert.ok(await page.getByLabel("Somebody added the group … group.added").isDisabled());
    await person.press("Save");
    await page.getByText("Saved.").waitFor();
    const changed = await call("GET", `/v1/push/subscriptions/${id}`, undefined, scope);
    assert.deepEqual(changed.subscription.eventTypes, ["group.*"]);

    await call("POST", "/v1/groups", { name: "staff" }, scope);
    const attempted = async () => {
      const { deliveries = [] } = await call("GET", `/v1/push/deliveries?filter=subscription_id%3D${id}`, undefined, scope);
      return deliveries[0]?.attempts?.at(-1)?.reason;
    };
    while (!(await attempted())) await setTimeout(100);
    await open(`#/push/deliveries?org=${orgId}`);
    await page.getByRole("table").getByRole("link", { name: "Directory" }).first().waitFor();
    await page.getByRole("button", { name: /failed attempt/ }).first().click();
    await page.getByRole("dialog").getByText("ADDRESS_NOT_ALLOWED").first().waitFor();
    await page.getByRole("dialog").getByText('"name": "staff"').waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("combobox", { name: "Event" }).selectOption("user.*");
    await page.getByText("There are no such deliveries.").waitFor();
    await page.getByRole("combobox", { name: "Event" }).selectOption("group.added");
    await page.getByRole("combobox", { name: "State" }).selectOption("Waiting");
    await page.getByRole("button", { name: /^Retry the delivery/ }).first().click();
    await page.getByText("The next attempt begins now.").waitFor();
  });

  test("locks a user out, and unlocks it", PATIENT, async () => {
    const user = await newUser({ displayName: "Grace Hopper" });
    await user.token();
    const { person, page } = await at(`#/users/${user.userId}`);

    await page.getByLabel("Reason").fill("The laptop was stolen.");
    await person.press("Lock out");
    await page.getByRole("dialog").getByText("Ends 0 sessions and 1 token.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Lock out" }).click();
    await page.getByText("The laptop was stolen.").waitFor();
    assert.ok((await call("GET", `/v1/users/${user.userId}`)).user.lockedAt);

    await person.press("Unlock");
    await page.getByText("Grace Hopper can sign in again.").waitFor();
    assert.equal((await call("GET", `/v1/users/${user.userId}`)).user.lockedAt, undefined);
  });

  test("takes back scopes of an application that a user uses", PATIENT, async () => {
    const [clientId, { user, person: ada }] = await Promise.all([application(), signedIn()]);
    await sent(ada, clientId, { scope: "openid profile email" });
    await consents(ada);
    const granted = async () => (await call("GET", `/v1/users/${user.userId}/grants`)).grants[0].scopes;
    assert.deepEqual(await granted(), ["email", "openid", "profile"]);
    const { person, page } = await at(`#/users/${user.userId}/access`, "ROLE_ORG_USER_MANAGER");
    const dialog = page.getByRole("dialog");

    await person.press("Change the access of Shop");
    assert.equal(await dialog.getByRole("checkbox").count(), 2); // without openid
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Nothing was changed.").waitFor();
    await person.press("Change the access of Shop");
    await dialog.getByLabel("email").uncheck();
    assert.deepEqual(await granted(), ["email", "openid", "profile"]);
    await dialog.getByRole("button", { name: "Save" }).click();

    await page.getByText("The access of Shop was changed.").waitFor();
    assert.deepEqual(await granted(), ["openid", "profile"]);
    await page.getByRole("row").getByText("openid profile", { exact: true }).waitFor();

    await person.press("Change the access of Shop");
    await call("DELETE", `/v1/users/${user.userId}/grants/${clientId}`);
    await dialog.getByLabel("profile").uncheck();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").waitFor();
  });

  test("sets the brand of an organization, and corrects it", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const { page } = await at(`#/organizations/${orgId}`);
    const brand = page.locator("keystead-brand").first();

    await brand.getByLabel("Colour").fill("#ffffff");
    await brand.getByRole("button", { name: "Save" }).click();
    await brand.locator(".field-error").waitFor();
    await brand.getByLabel("Colour").fill("#1a3c6e");
    await brand.getByLabel("Mail address of the support").fill("help@example.com");
    await brand.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await brand.getByRole("button", { name: "Discard" }).waitFor({ state: "hidden" });

    await brand.getByLabel("Name").fill("Example");
    await brand.getByRole("button", { name: "Save" }).click();
    await brand.getByRole("button", { name: "Discard" }).waitFor({ state: "hidden" });
    const { brand: set } = await call("GET", `/v1/orgs/${orgId}/brand`);
    assert.deepEqual([set.name, set.color, set.supportAddress], ["Example", "#1a3c6e", "help@example.com"]);
  });

  test("sees events as they happen", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const { page } = await at(`#/events?org=${orgId}`);
    await page.getByText("Live", { exact: true }).waitFor();

    await call("POST", "/v1/groups", { name: "just-now" }, { "x-service-orgid": orgId });

    await page.getByText("added the group just-now").waitFor();
    await page.getByLabel("Kind", { exact: true }).selectOption({ label: "Application" });
    await page.getByText("There are no events.").waitFor();
  });

  test("sees who signed in, and the events that one user caused", PATIENT, async () => {
    const { page, user } = await at("#/events");
    await page.getByLabel("Kind", { exact: true }).selectOption({ label: "Sign-ins" });
    await page.waitForFunction(() => {
      const lines = [...document.querySelectorAll(".events .line")];
      return lines.length > 0 && lines.every(({ textContent }) => /signed in|confirmed the sign-in|may be copied/.test(textContent));
    });

    await page.getByLabel("Kind", { exact: true }).selectOption({ label: "All" });
    await page.getByLabel("Caused by").fill(user.userName);
    await page.locator(".options").getByRole("button").first().click();
    await page.locator(".filters .chosen").getByRole("link").waitFor();
    await page.getByText(/signed in/).first().waitFor();
    assert.match(page.url(), new RegExp(`by=${user.userId}`));
    await page.getByText("added the group just-now").waitFor({ state: "hidden" });

    await page.getByRole("button", { name: "All", exact: true }).click();
    const displayName = `Object ${randomUUID()}`;
    await newUser({ displayName });
    await page.getByLabel("Person or object").fill(displayName);
    await page.locator(".options").getByRole("button").first().click();
    await page.locator(".filters .chosen").getByRole("link", { name: displayName }).waitFor();
    await page.locator(".events .line").filter({ hasText: displayName }).first().waitFor();
  });

  test("whose sign-in is old confirms a change with a passkey", PATIENT, async () => {
    const { person, page, user } = await at("#/organizations/new");
    await world.signedInAnHourAgo(user.userId);

    await page.getByLabel("Name").fill(`Engines ${randomUUID()}`);
    await person.press("Add");
    await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByText("You did not confirm that it is you.").waitFor();
    await person.press("Add");
    await person.press("Use a passkey");

    await page.getByRole("heading", { level: 1, name: /^Engines/ }).waitFor();
  });
});

async function at(view, role = "ROLE_INSTANCE_OWNER") {
  const found = await administrator(role, { at: view });
  return { ...found, page: found.person.page };
}
