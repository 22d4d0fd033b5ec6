import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { registered, signedIn } from "../account_pages/person.js";
import { CONSENT } from "../authorization/person.js";
import { call } from "../support/server.js";
import { given, TIMEOUT, webUrl } from "../world.js";
import { admitDocument, admitDocuments, callback, CLIENT_URL } from "./person.js";

/** What an MCP client stores: https://github.com/modelcontextprotocol/typescript-sdk */
class Provider {
  clientMetadata = { client_name: "Desktop", redirect_uris: [callback()] };
  redirectUrl = callback();
  #state = randomUUID();

  /** With the ID of an added application, or with none, which leaves the metadata document. */
  constructor(clientId) {
    if (clientId) this.information = { client_id: clientId };
    else this.clientMetadataUrl = CLIENT_URL;
  }

  state = () => this.#state;
  clientInformation = () => this.information;
  saveClientInformation = (information) => (this.information = information);
  tokens = () => this.stored;
  saveTokens = (tokens) => (this.stored = tokens);
  codeVerifier = () => this.verifier;
  saveCodeVerifier = (verifier) => (this.verifier = verifier);
  redirectToAuthorization = (url) => (this.address = url.href);
}

const transportOf = (authProvider) => new StreamableHTTPClientTransport(new URL(given.resource), { authProvider });

/** Tries to connect, and returns the address to which the client sends the person. */
async function addressOf(provider) {
  const client = new Client({ name: "desktop", version: "1.0.0" });
  await assert.rejects(client.connect(transportOf(provider)), UnauthorizedError);
  return provider.address;
}

/** The result of the tool, after the person has returned to the client. */
async function called(provider, person) {
  await person.page.waitForURL(`${callback()}?**`);
  const parameters = new URL(person.page.url()).searchParams;
  assert.equal(parameters.get("state"), provider.state());
  await transportOf(provider).finishAuth(parameters.get("code"));
  const client = new Client({ name: "desktop", version: "1.0.0" });
  await client.connect(transportOf(provider));
  const { content } = await client.callTool({ name: "whoami" });
  await client.close();
  return content[0].text;
}

async function addedApplication() {
  const application = {
    name: "Desktop",
    kind: "APPLICATION_KIND_NATIVE",
    redirectUris: ["http://127.0.0.1/callback"],
  };
  return (await call("POST", "/v1/applications", { application })).applicationId;
}

describe("an MCP client", () => {
  test("that was added signs a person in, and calls a tool", TIMEOUT, async () => {
    const clientId = await addedApplication();
    const { user, person } = await registered();
    const provider = new Provider(clientId);

    await person.page.goto(await addressOf(provider));
    await person.press("Sign in with a passkey");
    await person.press("Allow");

    assert.equal(await called(provider, person), `${user.userId} with ${clientId}`);
  });

  test("with a metadata document signs a person in, who sees its host", TIMEOUT, async () => {
    await admitDocument();
    const { user, person } = await registered();
    const provider = new Provider();

    await person.page.goto(await addressOf(provider));
    await person.press("Sign in with a passkey");
    await person.sees(CONSENT);
    const { host } = new URL(CLIENT_URL);
    const shown = await person.page.locator("main").innerText();
    for (const text of [`${host}\n`, "returns to 127.0.0.1:", "Call the tools", "a program on your device"]) {
      assert.ok(shown.includes(text), `${text} is not in: ${shown}`);
    }
    await person.keep("consent");
    await person.press("Allow");

    assert.equal(await called(provider, person), `${user.userId} with ${CLIENT_URL}`);
    assert.equal(provider.information.client_id, CLIENT_URL);
  });

  test("asks again each time, since every program can read its document, and can be removed", TIMEOUT, async () => {
    await admitDocument();
    const { person } = await signedIn();

    for (let round = 0; round < 2; round += 1) {
      const provider = new Provider();
      await person.page.goto(await addressOf(provider));
      await person.press("Allow");
      await called(provider, person);
    }
    await person.page.goto(`${given.origin}/account/`);
    const name = CLIENT_URL.replace("https://", "");
    await person.page.getByRole("list", { name: "Applications you use" }).getByText(name).waitFor();
    await person.keep("account");
    await person.press(`End the access of \u2068${name}\u2069`);
    await person.press("End access");
    await person.page.getByRole("status").getByText(`${name} no longer has access.`).waitFor();
  });

  test("of a host that no organization names is not known", TIMEOUT, async () => {
    const { person } = await signedIn();
    await admitDocument();
    const address = await addressOf(new Provider());
    await admitDocuments();

    await person.page.goto(address);

    await person.sees("This application is not known here");
  });
});

describe("the MCP server", () => {
  test("says where to sign in, and refuses the tokens of others", TIMEOUT, async () => {
    const ask = (token) =>
      fetch(given.resource, { method: "POST", headers: token && { authorization: `Bearer ${token}` } });
    const metadata = given.resource.replace("/mcp", "/.well-known/oauth-protected-resource/mcp");
    const { orgId } = await call("POST", "/v1/orgs", { name: `other ${randomUUID()}` });
    const ofAnotherAudience = await tokenOfService({});
    const ofAnotherOrganization = await tokenOfService({ orgId, resource: given.resource });

    for (const token of [undefined, "nonsense", given.token, ofAnotherAudience, ofAnotherOrganization]) {
      const answer = await ask(token);
      assert.equal(answer.status, 401);
      assert.ok(answer.headers.get("www-authenticate").includes(`resource_metadata="${metadata}"`));
    }
    assert.deepEqual((await (await fetch(metadata)).json()).authorization_servers, [given.origin]);
  });
});

/** An access token of a new service, of the organization and for the resource. */
async function tokenOfService({ orgId, ...parameters }) {
  const headers = orgId && { "x-service-orgid": orgId };
  const application = { name: "Service", kind: "APPLICATION_KIND_SERVICE", scopes: ["tools.call"] };
  const { applicationId } = await call("POST", "/v1/applications", { application }, headers);
  const { secret } = await call("POST", `/v1/applications/${applicationId}/secrets`, {}, headers);
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: "tools.call", ...parameters });
  const authorization = `Basic ${btoa(`${applicationId}:${secret}`)}`;
  const granted = await fetch(`${webUrl}/oauth/token`, { method: "POST", headers: { authorization }, body });
  assert.equal(granted.status, 200);
  return (await granted.json()).access_token;
}
