import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { application, consents, returned, sent } from "../authorization/person.js";
import { UNAVAILABLE } from "../support/codes.js";
import { refuse } from "../support/forged_answers.js";
import { TIMEOUT } from "../world.js";
import { logIn, organization, passProvider, unique, visitor } from "./person.js";

const BUTTON = "Sign in with Example";
const BY_PASSKEY = JSON.stringify({ id_token: { acr: { essential: true, values: ["phr"] } } });

/** Somebody whom an application of an organization with a provider sends to the sign-in. */
async function customer(parameters) {
  const { orgId } = await organization();
  const clientId = await application({ orgId });
  const person = await visitor("");
  await sent(person, clientId, parameters);
  return { clientId, person };
}

describe("a person whom an application sends", () => {
  test("signs in with the provider of the application's organization, and returns with a code", TIMEOUT, async () => {
    const { person } = await customer();

    await person.press(BUTTON);
    await passProvider(person, unique());

    assert.ok(await consents(person));
  });

  test("signs in at the provider again where the application finds the sign-in there too old", TIMEOUT, async () => {
    const { clientId, person } = await customer();
    const login = unique();
    await person.press(BUTTON);
    await passProvider(person, login);
    await consents(person);
    await setTimeout(2_000);

    // A new session does not make the sign-in at the provider a new one.
    await person.page.context().clearCookies({ name: "__Host-keystead" });
    await sent(person, clientId, { max_age: "1" });
    await person.press(BUTTON);
    await person.page.getByText("Shop asks you to sign in again.").waitFor();
    await person.press("Sign in with your provider again");
    await logIn(person, login);
    assert.ok((await returned(person)).code);

    await setTimeout(1_000); // the request has the time of its start in seconds
    await sent(person, clientId, { prompt: "login" });
    await person.press("Sign in another way");
    await person.press(BUTTON);
    await logIn(person, login);
    assert.ok((await returned(person)).code);
  });

  test("goes back to the request when the provider fails", TIMEOUT, async () => {
    const { person } = await customer();
    await refuse(person.page, "CompleteIDPSignIn", UNAVAILABLE, "IDP_UNREACHABLE", { times: 1 });
    await person.press(BUTTON);
    await passProvider(person, unique());
    await person.sees("The provider cannot be reached");

    await person.press("Back to signing in");
    await person.page.getByText("at shop.example.com").waitFor();
    await person.press(BUTTON);

    assert.ok(await consents(person));
  });

  test("has no passkey where the application asks for one", TIMEOUT, async () => {
    const { clientId, person } = await customer();
    await person.press(BUTTON);
    await passProvider(person, unique());
    await consents(person);

    await sent(person, clientId, { claims: BY_PASSKEY, prompt: "none" });
    assert.deepEqual(await returned(person), { error: "unmet_authentication_requirements" });
    await sent(person, clientId, { claims: BY_PASSKEY });
    await person.page.getByText("Shop asks for a passkey").waitFor();
    await person.press("Cancel");

    assert.deepEqual(await returned(person), { error: "unmet_authentication_requirements" });
  });
});
