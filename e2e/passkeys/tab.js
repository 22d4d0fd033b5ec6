import { mkdir, writeFile } from "node:fs/promises";
import { PLATFORM } from "../support/chromium.js";

export const ARTIFACTS = "artifacts/passkeys";

/**
 * A page on a device of its own, with its person and authenticator. `page.js` is the code of the page.
 * A refusal is thrown with its `reason`, an error of the browser with its `name`.
 */
export class Tab {
  #page;
  #devTools;
  #document;
  #authenticatorId;
  #log = [];

  constructor(page, devTools) {
    this.#page = page;
    this.#document = page;
    this.#devTools = devTools;
    page.on("framenavigated", (frame) => this.#log.push(`opened ${frame.url()}`));
    page.on("console", (message) => this.#log.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.#log.push(`uncaught: ${error.stack}`));
  }

  /** Goes to a page, with a virtual authenticator that differs from `PLATFORM` in the options. */
  async open(url, options) {
    await this.#devTools.send("WebAuthn.enable");
    // https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/
    const { authenticatorId } = await this.#devTools.send("WebAuthn.addVirtualAuthenticator", {
      options: { ...PLATFORM, ...options },
    });
    this.#authenticatorId = authenticatorId;
    await this.#page.goto(url);
    await this.#page.waitForFunction(() => window.call);
  }

  /** Whether somebody touches the authenticator when it asks for that. */
  async touches(enabled) {
    await this.#authenticator("setAutomaticPresenceSimulation", { enabled });
  }

  /** Whether it recognizes its user when it is to verify that. */
  async recognizesUser(isUserVerified) {
    await this.#authenticator("setUserVerified", { isUserVerified });
  }

  /** The ids of the credentials that the authenticator keeps, in base64url. */
  async keptCredentialIds() {
    const { credentials } = await this.#authenticator("getCredentials");
    return credentials.map(({ credentialId }) =>
      Buffer.from(credentialId, "base64").toString("base64url"),
    );
  }

  /** Gives the authenticator a passkey that it has of another system; bytes are base64. */
  async inject(passkey) {
    await this.#authenticator("addCredential", {
      credential: { isResidentCredential: true, ...passkey },
    });
  }

  #authenticator(command, words) {
    const authenticatorId = this.#authenticatorId;
    return this.#devTools.send(`WebAuthn.${command}`, { authenticatorId, ...words });
  }

  /** Embeds a page of another origin, and from now on acts as that. */
  async embed(origin, allow) {
    await this.#page.evaluate(
      ([src, allow]) =>
        document.body.append(Object.assign(document.createElement("iframe"), { src, allow })),
      [origin, allow],
    );
    const element = await this.#page.waitForSelector("iframe");
    this.#document = await element.contentFrame();
    await this.#document.waitForFunction(() => window.call);
  }

  /** The members of the fragment of the page's address. */
  fragment() {
    return this.#document.evaluate(() =>
      Object.fromEntries(new URLSearchParams(location.hash.slice(1).replace(";", "&"))),
    );
  }

  /** Has the browser load an address ahead, as mail programs and search bars do. */
  async prefetch(url) {
    const loaded = this.#page.waitForEvent("requestfinished");
    await this.#document.evaluate((href) => {
      document.head.append(
        Object.assign(document.createElement("link"), { rel: "prefetch", href }),
      );
    }, url);
    await loaded;
  }

  /** What `navigator.credentials.create()` gives for these options. */
  createCredential(options) {
    return this.#run((options) => window.createCredential(options), options);
  }

  /** What `navigator.credentials.get()` gives for these options. */
  getCredential(options) {
    return this.#run((options) => window.getCredential(options), options);
  }

  /** Ends `createCredential`, as a page does when its user leaves a dialog. */
  cancel() {
    return this.#document.evaluate(() => window.cancel());
  }

  /** Calls a method of PasskeyService over grpc-web; the messages are JSON. */
  call({ webUrl }, method, request, token) {
    return this.#run((words) => window.call(...words), [webUrl, method, request, token]);
  }

  /** Completes the ceremony by the credential, with the registration token alone. */
  verify({ webUrl, userId, passkeyId, token }, publicKeyCredential, passkeyName = "Passkey") {
    const request = { userId, passkeyId, publicKeyCredential, passkeyName };
    return this.call({ webUrl }, "verifyPasskeyRegistration", request, token);
  }

  /** Both halves, the credential made by the options as the page has changed them. */
  async register(ceremony, changes = {}) {
    const credential = await this.createCredential({ ...ceremony.options, ...changes });
    await this.verify(ceremony, credential);
    return credential;
  }

  async #run(act, words) {
    const { value, error } = await this.#document.evaluate(act, words);
    if (error) {
      throw Object.assign(new Error(error.message), error);
    }
    return value;
  }

  /** Keeps the log and a screenshot of the tab in the artifacts. */
  async keep(name) {
    await mkdir(ARTIFACTS, { recursive: true });
    await writeFile(`${ARTIFACTS}/${name}.log`, this.#log.join("\n"));
    await this.#page.screenshot({ path: `${ARTIFACTS}/${name}.png`, timeout: 5_000 });
  }

  /** Leaves the page, and forgets the authenticator. */
  async leave() {
    await this.#page.goto("about:blank");
    await this.#devTools.send("WebAuthn.disable");
    this.#document = this.#page;
    this.#log.length = 0;
  }

  close() {
    return this.#page.context().close();
  }
}
