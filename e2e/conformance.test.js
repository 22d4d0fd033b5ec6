/** The OpenID conformance suite, with a person in Chromium at the addresses that it lists: `conformance.py` runs this. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { registered, withoutAutofill } from "./account_pages/person.js";
import { signInPage, within } from "./federation/person.js";
import { call } from "./support/server.js";
import { visit } from "./support/visit.js";
import { given } from "./world.js";

const ACCEPTED = ["PASSED", "REVIEW", "SKIPPED", "WARNING"];
const BUTTONS = ["Sign in with a passkey", "Use a passkey", "Allow", "Sign out"];
// A visitor without a session reads the error of a request, and follows this link to the application.
const BACK = `Back to ${new URL(given.suite).host}`;
const NOT_IN_PICTURES = ["Allow", BACK]; // the suite asks for no picture of them
const PATIENCE = { timeout: 300_000 };

const IS_RELYING_PARTY = given.plan.startsWith("oidcc-client-"); // then the suite is the provider
const SIGNED_IN = "Your account";
const OUTCOME = new RegExp(`${SIGNED_IN}|You could not be signed in|You cannot sign in with this provider`);
// Modules whose sign-in Keystead must refuse.
const REFUSED = /invalid|missing|mismatch|sig-none/;
// Keystead fetches new keys of a provider at most once a minute.
const REFETCH_MILLISECONDS = 61_000;

/** Calls the API of the suite. */
async function suite(verb, path, { query = {}, body } = {}) {
  const url = new URL(`/api/${path}?${new URLSearchParams(query)}`, given.suite);
  const headers = { "content-type": typeof body === "string" ? "text/plain" : "application/json" };
  const answer = await fetch(url, { method: verb, headers, body: typeof body === "object" ? JSON.stringify(body) : body });
  if (!answer.ok) throw new Error(`${verb} ${url}: ${answer.status} ${await answer.text()}`);
  const content = await answer.text();
  return content && JSON.parse(content);
}

/**
 * The person does what the pages ask for, until the browser is back at the suite or nothing is left to press.
 * Returns a picture: of the page with nothing to press, or else of the last one with a button.
 */
async function act({ page }, url) {
  const isBack = () => page.url().startsWith(given.suite);
  let picture;
  let hasSignedOut = false; // then the page offers to sign in again
  await page.goto(url);
  for (;;) {
    const buttons = BUTTONS.map((name) => page.getByRole("button", { name, exact: true }));
    const link = page.getByRole("link", { name: BACK, exact: true });
    const some = buttons.reduce((any, each) => any.or(each), link).first();
    await Promise.race([
      page.waitForURL(isBack),
      some.waitFor(),
      // A page with nothing to press shows its heading for longer.
      page.getByRole("heading", { level: 1 }).waitFor().then(() => sleep(3000)),
    ]);
    if (isBack()) return picture;
    const taken = await page.screenshot({ fullPage: true });
    if (isBack()) return picture;
    if (hasSignedOut || !(await some.isVisible())) return taken;
    const name = await some.innerText();
    if (!NOT_IN_PICTURES.includes(name)) picture = taken;
    hasSignedOut = name === "Sign out";
    await some.click();
    const pressed = page.getByRole("button", { name, exact: true }).or(link);
    await Promise.race([page.waitForURL(isBack), pressed.waitFor({ state: "hidden" })]);
  }
}

await mkdir("artifacts/conformance", { recursive: true });
const provider = IS_RELYING_PARTY && (await registeredProvider());
const plan = await suite("POST", "plan", {
  query: { planName: given.plan, variant: JSON.stringify(given.variant) },
  body: { ...given.configuration, ...provider?.configuration },
});
for (const module of plan.modules) {
  if (given.module && !module.testModule.match(given.module)) continue;
  test(module.testModule, PATIENCE, () => run(module));
}

/** An identity provider of Keystead, as the suite must know it. Each module has an issuer of its own. */
async function registeredProvider() {
  const { orgId } = await call("POST", "/v1/orgs", { name: "Conformance" });
  const { idpId } = await within(orgId, "POST", "/v1/idps", { name: "the suite", autoRegister: true });
  const client = { client_id: "keystead", client_secret: randomUUID(), redirect_uri: `${given.origin}/signin/callback/${idpId}` };
  // Without an alias, the suite serves each module at an address with its ID.
  return { orgId, idpId, client, configuration: { alias: undefined, client } };
}

/** People sign in at Keystead by the suite; the users that this registers are removed. Returns the last heading. */
async function signInAtKeystead(module, url) {
  const { orgId, idpId, client } = provider;
  await within(orgId, "PUT", `/v1/idps/${idpId}/oidc`, {
    issuer: `${url}/`,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    scopes: ["profile", "email"],
  });
  let outcome;
  for (const pause of module.endsWith("signing-key-rotation") ? [0, REFETCH_MILLISECONDS] : [0]) {
    await sleep(pause);
    const { page, faults } = await visit(signInPage(orgId), { script: withoutAutofill });
    // This module ends with the request for the discovery document, and fails with the next request.
    const isCut = module.endsWith("discovery-openid-config");
    if (isCut) await page.route(`${given.suite}/**`, (route) => route.abort());
    await page.getByRole("button", { name: "Sign in with the suite" }).click();
    if (isCut) return "";
    const heading = page.getByRole("heading", { level: 1, name: OUTCOME });
    outcome = (await heading.or(page.getByRole("alert")).innerText()).match(OUTCOME)?.[0];
    await page.screenshot({ path: `artifacts/conformance/${module}.png` });
    faults.splice(0); // the pages of the suite have their own
  }
  const { users = [] } = await within(orgId, "GET", "/v1/users");
  for (const { userId } of users) await within(orgId, "DELETE", `/v1/users/${userId}`);
  return outcome;
}

/** A person at Keystead follows the links of the suite, and the suite gets the pictures that it asks for. */
async function visitKeystead(person, id) {
  const [url] = (await suite("GET", `runner/browser/${id}`)).urls;
  if (!url) return;
  // The suite asks before it shows the address. A picture for a later address is not of this visit.
  const asked = (await suite("GET", `log/${id}/images`)).find(({ upload }) => upload);
  await suite("POST", `runner/browser/${id}/visit`, { query: { url } });
  const picture = await act(person, url);
  if (!asked || !picture) return;
  await writeFile(`artifacts/conformance/${id}.png`, picture);
  const body = `data:image/png;base64,${picture.toString("base64")}`;
  await suite("POST", `log/${id}/images/${asked.upload}`, { body }); // the module ends with it
}

async function run({ testModule, variant }) {
  const { person } = provider ? {} : await registered({ fields: { email: `${randomUUID()}@example.com` } });
  const query = { test: testModule, plan: plan.id, variant: JSON.stringify(variant ?? {}) };
  const { id, url } = await suite("POST", "runner", { query });

  let found;
  let outcome;
  for (;;) {
    found = await suite("GET", `info/${id}`);
    if (["FINISHED", "INTERRUPTED"].includes(found.status)) break;
    if (found.status === "CONFIGURED") await suite("POST", `runner/${id}`);
    if (found.status === "WAITING") {
      if (provider) outcome ??= await signInAtKeystead(testModule, url);
      else await visitKeystead(person, id);
    }
    await sleep(300);
  }
  const log = await suite("GET", `log/${id}`);
  const remarks = log.filter(({ result }) => ["FAILURE", "WARNING"].includes(result)).map(({ result, src, msg }) => `${result} ${src}: ${msg}`);
  await appendFile(given.results, `| ${[given.plan, testModule, found.result, outcome ?? "", remarks.join("<br>")].join(" | ")} |\n`);
  person?.faults.splice(0);
  assert.ok(ACCEPTED.includes(found.result), `${found.result}: ${remarks.join("\n")}`);
  if (outcome) assert.equal(outcome === SIGNED_IN, !REFUSED.test(testModule), outcome);
}
