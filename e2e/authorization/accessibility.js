import { randomUUID } from "node:crypto";
import { signedIn, registered, SIGN_IN } from "../account_pages/person.js";
import { LONG_NAME, testAccessibility } from "../support/accessibility.js";
import { call } from "../support/server.js";
import { visit } from "../support/visit.js";
import { world } from "../world.js";
import { application, closedApplication, CONSENT, consents, LOGO, sent } from "./person.js";

const ALL = "openid profile email groups offline_access";

async function sees(person, heading) {
  await person.sees(heading);
  return person;
}

/** A person with a session, sent by a new application. */
async function asked({ fields, parameters, ...options } = {}) {
  const [clientId, { person }] = await Promise.all([application({ logo: LOGO, ...fields }), signedIn(options)]);
  await sent(person, clientId, parameters);
  return person;
}

const STATES = {
  "the sign-in for an application": async () => {
    const { person } = await registered();
    await sent(person, await application({ name: LONG_NAME }));
    return sees(person, "Sign in");
  },
  "the question for consent": async () => sees(await asked({ parameters: { scope: ALL } }), CONSENT),
  "the question for consent in German": async () => {
    const person = await asked({ locale: "de-AT", fields: { name: LONG_NAME }, parameters: { scope: ALL } });
    return sees(person, "Zugriff auf Ihr Konto erlauben?");
  },
  "the choice of an account": async () =>
    sees(await asked({ parameters: { prompt: "select_account" } }), "Choose an account"),
  "the question for a passkey": async () => {
    const { user, person } = await signedIn();
    await world.signedInAnHourAgo(user.userId);
    await sent(person, await application({ logo: LOGO }), { prompt: "login" });
    return sees(person, "Confirm that it is you");
  },
  "an application that does not admit the person": async () => {
    const { person } = await signedIn();
    await sent(person, await closedApplication());
    return sees(person, "Your account may not use this application");
  },
  "an application that requires a mail address": async () => {
    const { person } = await signedIn({ fields: { email: "" } });
    await sent(person, await application({ requiresEmail: true }), { scope: "openid email" });
    return sees(person, "Your account has no mail address");
  },
  "the question for consent to the access of an API": async () => {
    const identifier = `https://${randomUUID()}.example.com/api`;
    const resourceScopes = [{ name: "read", description: "Read your orders" }];
    const api = { name: "Orders", kind: "APPLICATION_KIND_RESOURCE", identifier, resourceScopes };
    await call("POST", "/v1/applications", { application: api });
    return sees(await asked({ parameters: { resource: identifier, scope: "openid read" } }), CONSENT);
  },
  "a request that is invalid": async () => {
    const person = await visit(SIGN_IN);
    await sent(person, await application({ logo: LOGO }), { code_challenge_method: "plain" });
    return sees(person, "The application has sent a wrong request");
  },
  "a way back that is not registered": async () => {
    const person = await visit(SIGN_IN);
    await sent(person, await application(), { redirect_uri: "https://shop.example.com/other" });
    await person.page.locator(".request-id").waitFor();
    return sees(person, "The way back to the application is not registered");
  },
  "a request that has ended, in German": async () =>
    sees(await visit(`${SIGN_IN}#continue`, { locale: "de-AT" }), "Diese Anmeldung ist beendet"),
  "an application on the device": async () => {
    const redirectUri = "com.example.shop:/callback";
    const fields = { kind: "APPLICATION_KIND_NATIVE", redirectUris: [redirectUri] };
    const person = await asked({ fields, parameters: { redirect_uri: redirectUri } });
    await person.press("Allow");
    return sees(person, "Go on in the application");
  },
  "the access of an application": async () => {
    const person = await asked({ parameters: { scope: ALL } });
    await consents(person);
    await person.page.goto(SIGN_IN.replace("signin", "account"));
    await person.page.getByRole("list", { name: "Applications you use" }).getByRole("button").first().click();
    await person.page.getByRole("dialog").waitFor();
    return person;
  },
  "an account with applications": async () => {
    const person = await asked({ parameters: { scope: ALL } });
    await consents(person);
    await sent(person, await application({ name: LONG_NAME }));
    await consents(person);
    await person.page.goto(SIGN_IN.replace("signin", "account"));
    await person.page.getByRole("list", { name: "Applications you use" }).waitFor();
    return person;
  },
};

testAccessibility(STATES);
