import { visit } from "./visit.js";
import { given, PLAIN } from "../world.js";

/**
 * Somebody whose passkey was registered by a link, without the page of links: that page, with its own tests, takes
 * three times as long. With `signsIn`, the registration signs the person in, as the page does it.
 */
export async function visitRegistered(link, { name = "Laptop", signsIn = false, script, ...options } = {}) {
  const person = await visit(given.origin + PLAIN, options);
  await person.page.evaluate(register, { link, name, signsIn });
  if (script) await person.page.addInitScript(script); // of the pages that follow
  return person;
}

/** In the page: the calls of the page of links. */
async function register({ link, name, signsIn }) {
  const call = async (path, body, headers, credentials = "omit") => {
    const answer = await fetch(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
      credentials,
    });
    const content = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(content)}`);
    return content;
  };
  const [, userId, code] = new URL(link).hash.match(/^#user=(.+);code=(.+)$/);
  const passkeys = `/v1/users/${userId}/passkeys`;
  const begun = await call(passkeys, { code });
  const { passkeyId, registrationToken, publicKeyCredentialCreationOptions: options } = begun;
  const made = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
  const verified = { publicKeyCredential: made.toJSON(), passkeyName: name };
  await call(`${passkeys}/${passkeyId}`, verified, { authorization: `Bearer ${registrationToken}` });
  if (!signsIn) return;
  const signIn = { registrationToken, deviceName: "Chrome on Linux" };
  await call("/v1/signin/registration", signIn, { "x-keystead-session": "cookie" }, "same-origin");
}
