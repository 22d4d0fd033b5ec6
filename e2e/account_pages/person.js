import { given } from "../world.js";
import { visit } from "../passkey_page/browser.js";
import { newUser } from "../passkey_page/server.js";

export const SIGN_IN = `${given.origin}/signin/`;
export const ACCOUNT = `${given.origin}/account/`;

/** In the page: no passkeys are offered in the field, so that nothing happens before the button is pressed. */
export function withoutAutofill() {
  PublicKeyCredential.isConditionalMediationAvailable = async () => false;
}

/** A person with a passkey, added by a link, in a browser that shows the sign-in page. */
export async function registered({ script = withoutAutofill, name = "Laptop", ...options } = {}) {
  const user = await newUser();
  const person = await visit(await user.link(), { script, ...options });
  await person.page.getByLabel("Name of this passkey").fill(name);
  await person.press("Create passkey");
  await person.sees("Your passkey is ready");
  await person.page.getByRole("link", { name: "Sign in" }).click();
  await person.sees("Sign in");
  return { user, person };
}

/** The same person, signed in. */
export async function signedIn(options) {
  const { user, person } = await registered(options);
  await person.press("Sign in with a passkey");
  await person.sees("Your account");
  return { user, person };
}
