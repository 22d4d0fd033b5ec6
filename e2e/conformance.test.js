/** The OpenID conformance suite, with a person in Chromium at the addresses that it lists: `conformance.py` runs this. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { registered } from "./account_pages/person.js";
import { given } from "./world.js";

const ACCEPTED = ["PASSED", "REVIEW", "SKIPPED", "WARNING"];
const BUTTONS = ["Sign in with a passkey", "Use a passkey", "Allow", "Sign out"];
const PATIENCE = { timeout: 300_000 };

// Only Chromium resolves the host of the suite.
const API = new URL(given.suite);
API.hostname = "localhost";

/** Calls the API of the suite. */
async function suite(verb, path, { query = {}, body } = {}) {
  const url = new URL(`/api/${path}?${new URLSearchParams(query)}`, API);
  const headers = { "content-type": typeof body === "string" ? "text/plain" : "application/json" };
  const answer = await fetch(url, { method: verb, headers, body: typeof body === "object" ? JSON.stringify(body) : body });
  if (!answer.ok) throw new Error(`${verb} ${url}: ${answer.status} ${await answer.text()}`);
  const content = await answer.text();
  return content && JSON.parse(content);
}

/**
 * The person does what the pages ask for, until the browser is back at the suite or no button is left.
 * Returns a picture of the last page of Keystead.
 */
async function act({ page }, url) {
  const isBack = () => page.url().startsWith(given.suite);
  let picture;
  let hasSignedOut = false; // then the page offers to sign in again
  await page.goto(url);
  for (;;) {
    const buttons = BUTTONS.map((name) => page.getByRole("button", { name, exact: true }));
    const some = buttons.reduce((any, each) => any.or(each)).first();
    await Promise.race([
      page.waitForURL(isBack),
      some.waitFor(),
      // A page without a button shows its heading for longer.
      page.getByRole("heading", { level: 1 }).waitFor().then(() => sleep(3000)),
    ]);
    if (isBack()) return picture;
    const taken = await page.screenshot({ fullPage: true });
    if (isBack()) return picture;
    picture = taken;
    if (hasSignedOut || !(await some.isVisible())) return picture;
    hasSignedOut = (await some.innerText()) === "Sign out";
    await some.click();
    await sleep(1000);
  }
}

await mkdir("artifacts/conformance", { recursive: true });
const plan = await suite("POST", "plan", {
  query: { planName: given.plan, variant: JSON.stringify(given.variant) },
  body: given.configuration,
});
for (const module of plan.modules) {
  if (given.module && !module.testModule.match(given.module)) continue;
  test(module.testModule, PATIENCE, () => run(module));
}

/** Uploads a picture, if the module asks for one. The module ends with it. */
async function uploaded(id, picture) {
  const asked = (await suite("GET", `log/${id}/images`)).find(({ upload }) => upload);
  if (!asked || !picture) return;
  await writeFile(`artifacts/conformance/${id}.png`, picture);
  const body = `data:image/png;base64,${picture.toString("base64")}`;
  await suite("POST", `log/${id}/images/${asked.upload}`, { body });
}

async function run({ testModule, variant }) {
  const { person } = await registered({ fields: { email: `${randomUUID()}@example.com` } });
  const query = { test: testModule, plan: plan.id, variant: JSON.stringify(variant ?? {}) };
  const { id } = await suite("POST", "runner", { query });

  let found;
  for (;;) {
    found = await suite("GET", `info/${id}`);
    if (["FINISHED", "INTERRUPTED"].includes(found.status)) break;
    if (found.status === "CONFIGURED") await suite("POST", `runner/${id}`);
    const [url] = found.status === "WAITING" ? (await suite("GET", `runner/browser/${id}`)).urls : [];
    if (url) {
      await suite("POST", `runner/browser/${id}/visit`, { query: { url } });
      await uploaded(id, await act(person, url));
    }
    await sleep(300);
  }
  const log = await suite("GET", `log/${id}`);
  const remarks = log.filter(({ result }) => ["FAILURE", "WARNING"].includes(result)).map(({ result, src, msg }) => `${result} ${src}: ${msg}`);
  await appendFile(given.results, `| ${given.plan} | ${testModule} | ${found.result} | ${remarks.join("<br>")} |\n`);
  person.faults.splice(0); // the pages of the suite have their own
  assert.ok(ACCEPTED.includes(found.result), `${found.result}: ${remarks.join("\n")}`);
}
