import assert from "node:assert/strict";
import { after, afterEach, before } from "node:test";
import { setTimeout } from "node:timers/promises";
import { CASE_MILLISECONDS, given } from "../world.js";
import { launchChromium, PLATFORM } from "./chromium.js";

export const PAGE = `${given.origin}/passkeys/`;
const ARTIFACTS = `artifacts/${given.artifacts ?? "passkey_page"}`;

/** A device whose passkeys are synced. */
const DEVICE = { ...PLATFORM, defaultBackupEligibility: true, defaultBackupState: true };

let browser;
let opened = [];

const launch = async () => {
  browser = await launchChromium(`--host-resolver-rules=${given.resolverRules ?? "MAP *.test 127.0.0.1"}`);
};

before(launch);
afterEach(async ({ name, passed }) => {
  for (const visit of opened.splice(0)) {
    if (!passed) await visit.keep(`failed: ${name}`);
    await close(visit.page.context());
    assert.deepEqual(visit.faults, []);
  }
});
after(() => browser?.close());

/** On a busy machine, Chromium may never answer `Target.disposeBrowserContext`. The next test gets another process. */
async function close(context) {
  const waiting = new AbortController();
  const late = setTimeout(CASE_MILLISECONDS / 4, "late", { signal: waiting.signal }).catch(() => {});
  if ((await Promise.race([context.close(), late])) === "late") {
    console.error("Chromium did not end a context, so it is started anew.");
    await launch();
  }
  waiting.abort();
}

/** Opens an address in a profile of its own, or in a given context. `script` runs before those of the page. */
export async function visit(address, { device = {}, script, context: given, ...options } = {}) {
  const context = given ?? (await browser.newContext({ locale: "en-GB", ...options }));
  const page = await context.newPage();
  page.setDefaultTimeout(CASE_MILLISECONDS / 2);
  const devTools = await context.newCDPSession(page);
  const visit = new Visit(page, devTools);
  opened.push(visit);
  await visit.plugIn({ ...DEVICE, ...device });
  await page.exposeFunction("fault", (fault) => visit.faults.push(fault));
  await page.addInitScript(() =>
    addEventListener("securitypolicyviolation", (event) =>
      window.fault(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    ),
  );
  await page.addInitScript(() => {
    window.creations = 0;
    if (!window.isSecureContext) return; // passkeys need a secure context
    const { create } = CredentialsContainer.prototype;
    CredentialsContainer.prototype.create = function (options) {
      window.creations += 1;
      return create.call(this, options);
    };
  });
  if (script) await page.addInitScript(script);
  await page.goto(address);
  return visit;
}

class Visit {
  /** Violated policies and uncaught errors, which fail the test. */
  faults = [];
  /** The methods that the page has called. */
  calls = [];
  #devTools;
  #authenticatorId;

  constructor(page, devTools) {
    this.page = page;
    this.#devTools = devTools;
    page.on("pageerror", (error) => this.faults.push(String(error.stack)));
    page.on("request", (request) => {
      if (request.method() === "POST") this.calls.push(new URL(request.url()).pathname.split("/").at(-1));
    });
  }

  /** https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/ */
  async plugIn(options) {
    await this.#devTools.send("WebAuthn.enable");
    const added = await this.#devTools.send("WebAuthn.addVirtualAuthenticator", { options });
    this.#authenticatorId = added.authenticatorId;
  }

  /** Gives the device a passkey that it has already; bytes are base64. */
  async inject(passkey) {
    const credential = { isResidentCredential: true, backupEligibility: true, backupState: true, ...passkey };
    await this.#devTools.send("WebAuthn.addCredential", { authenticatorId: this.#authenticatorId, credential });
  }

  async takesAnotherDevice() {
    const words = { authenticatorId: this.#authenticatorId };
    await this.#devTools.send("WebAuthn.removeVirtualAuthenticator", words);
    await this.plugIn(DEVICE);
  }

  async recognisesUser(isUserVerified) {
    const words = { authenticatorId: this.#authenticatorId, isUserVerified };
    await this.#devTools.send("WebAuthn.setUserVerified", words);
  }

  /** The number of passkeys that the page has requested. */
  creations() {
    return this.page.evaluate(() => window.creations);
  }

  press(name) {
    return this.page.getByRole("button", { name, exact: true }).click();
  }

  /** Waits for the view of this heading. */
  async sees(heading) {
    await this.page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
  }

  /** Waits for an alert, and returns its text. */
  async isTold(title) {
    const alert = this.page.getByRole("alert").filter({ hasText: title });
    await alert.waitFor();
    return alert.innerText();
  }

  async signIn(token) {
    await this.page.getByLabel("Access token").fill(token);
    await this.press("Show my passkeys");
    await this.page.getByText("Signed in as").waitFor();
  }

  /** The accessible name or the text of the element with the focus. */
  focused() {
    return this.page.evaluate(() => {
      const { activeElement: element } = document;
      return element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
    });
  }

  keep(name) {
    return this.page.screenshot({
      path: `${ARTIFACTS}/${name.replace(/\W+/g, "-")}.png`,
      fullPage: true,
    });
  }
}
