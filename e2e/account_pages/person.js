import { given } from "../world.js";
import { visitRegistered } from "../support/register.js";
import { newUser } from "../support/server.js";

export const SIGN_IN = `${given.origin}/signin/`;
export const ACCOUNT = `${given.origin}/account/`;

const ENGLISH = {
  signIn: "Sign in",
  button: "Sign in with a passkey",
  account: "Your account",
};
const GERMAN = {
  signIn: "Anmelden",
  button: "Mit Passkey anmelden",
  account: "Ihr Konto",
};
const wordsOf = (locale = "en") => (locale.startsWith("de") ? GERMAN : ENGLISH);

/** In the page: turns autofill off, so that nothing happens before the button is pressed. */
export function withoutAutofill() {
  window.PublicKeyCredential && (PublicKeyCredential.isConditionalMediationAvailable = async () => false);
}

/** In the page: refuses storage, as browsers do where an organization has blocked it. Turns autofill off. */
export function withoutStorage() {
  PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  const refuse = () => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  };
  for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get: refuse });
  window.BroadcastChannel = refuse;
}

/** A person with a passkey, in a browser that shows the sign-in page. */
export async function registered({ script = withoutAutofill, fields, ...options } = {}) {
  const user = await newUser(fields);
  const person = await visitRegistered(await user.link(), { script, ...options });
  const words = wordsOf(options.locale);
  await person.page.goto(SIGN_IN);
  await person.sees(words.signIn);
  return { user, person, words };
}

/** The same person, signed in. */
export async function signedIn(options) {
  const { user, person, words } = await registered(options);
  await person.press(words.button);
  await person.sees(words.account);
  return { user, person };
}

/** Signs in once more without the cookie of the first session, which continues. */
export async function signInElsewhere(person, userAgent) {
  const { page } = person;
  await page.context().clearCookies();
  if (userAgent) {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Network.setUserAgentOverride", { userAgent });
  }
  await page.goto(SIGN_IN);
  await person.press("Sign in with a passkey");
  await person.sees("Your account");
}
