import { randomUUID } from "node:crypto";
import { call } from "../support/server.js";
import { visit } from "../support/visit.js";
import { LONG_NAME, testAccessibility } from "../support/accessibility.js";
import { given } from "../world.js";
import { refuse } from "../support/forged_answers.js";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { launchWithoutStorage } from "../support/chromium.js";
import { registered, SIGN_IN, signedIn, signInElsewhere, withoutAutofill } from "./person.js";
import { UNAUTHENTICATED, UNAVAILABLE } from "../support/codes.js";

const START = `${given.origin}/`;

const STATES = {
  "the start page": () => visit(START),
  "the start page in German": () => visit(START, { locale: "de-AT" }),
  "the start page of a person who is signed in": async () => {
    const { person } = await signedIn();
    await person.page.goto(START);
    await person.page.getByRole("link", { name: "To your account" }).waitFor();
    return person;
  },
  "an address with nothing": () => visit(`${START}no/where`),
  "the sign-in": () => visit(SIGN_IN, { script: withoutAutofill }),
  "the sign-in in German": () => visit(SIGN_IN, { script: withoutAutofill, locale: "de-AT" }),
  "help with the sign-in": async () => {
    const person = await visit(SIGN_IN, { script: withoutAutofill });
    await person.page.getByText("Trouble signing in?").click();
    return person;
  },
  "asking for recovery": async () => {
    const person = await visit(SIGN_IN, { script: withoutAutofill });
    await person.press("Lost your passkey?");
    await person.page.getByLabel("Mail address").fill("ada");
    await person.press("Send a link");
    await person.page.getByText("Enter a mail address like").waitFor();
    return person;
  },
  "recovery that was asked for, in German": async () => {
    const person = await visit(SIGN_IN, { script: withoutAutofill, locale: "de-AT" });
    await person.press("Passkey verloren?");
    await person.page.getByLabel("E-Mail-Adresse").fill("ada@example.com");
    await person.press("Link senden");
    await person.sees("Sehen Sie in Ihr Postfach");
    return person;
  },
  "asking for an account": async () => {
    const { orgId } = await call("POST", "/v1/orgs", { name: randomUUID() });
    await call("PATCH", `/v1/orgs/${orgId}`, { organization: { allowsSignUp: true }, updateMask: "allowsSignUp" });
    const person = await visit(`${SIGN_IN}?org_id=${orgId}`, { script: withoutAutofill });
    await person.press("Create an account");
    await person.page.getByLabel("Mail address").fill("ada");
    await person.press("Send a link");
    await person.page.getByText("Enter a mail address like").waitFor();
    return person;
  },
  "an account that is not created yet, in German": async () => {
    const person = await visit(`${SIGN_IN}#sign-up=gAAAAAB`, { script: withoutAutofill, locale: "de-AT" });
    await person.sees("Ihr Konto erstellen");
    return person;
  },
  "a passkey that is removed": async () => {
    const { user, person } = await registered();
    const [{ passkeyId }] = await user.passkeys();
    await user.remove(passkeyId);
    await person.press("Sign in with a passkey");
    await person.isTold("This passkey no longer signs you in");
    return person;
  },
  "the end of a session": () => visit(`${SIGN_IN}#ended`, { script: withoutAutofill }),
  "an address where passkeys do not work": () => visit(SIGN_IN.replace("localhost", "insecure.test")),
  "a browser that blocks cookies": async () => {
    const context = await launchWithoutStorage(await mkdtemp(`${tmpdir()}/chromium-`), { locale: "en-GB" });
    return visit(SIGN_IN, { context });
  },
  "an account": async () => (await signedIn()).person,
  "an account in German": async () => (await signedIn({ locale: "de-AT" })).person,
  "an account with much in it": async () => {
    const { person } = await signedIn({ name: LONG_NAME });
    await signInElsewhere(person, "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1");
    await signInElsewhere(person, "curl");
    return person;
  },
  "an account with access tokens, in German": async () => {
    const { user, person } = await signedIn({ locale: "de-AT" });
    await user.token(LONG_NAME);
    await user.token("");
    await person.page.reload();
    await person.page.getByRole("list", { name: "Zugriffstoken" }).waitFor();
    return person;
  },
  "removing an access token": async () => {
    const { user, person } = await signedIn();
    await user.token();
    await person.page.reload();
    await person.press("Remove the token \u2068browser\u2069");
    return person;
  },
  "news of a change": async () => {
    const { person } = await signedIn();
    await person.press("Rename \u2068Laptop\u2069");
    await person.page.getByLabel("Name", { exact: true }).fill("Work laptop");
    await person.press("Save");
    await person.page.getByText("Renamed to").waitFor();
    return person;
  },
  "removing the only passkey": async () => {
    const { person } = await signedIn();
    await person.press("Remove \u2068Laptop\u2069");
    return person;
  },
  "confirming who it is": async () => {
    const { person } = await signedIn();
    await refuse(person.page, "RemovePasskey", UNAUTHENTICATED, "REAUTHENTICATION_REQUIRED");
    await person.press("Remove \u2068Laptop\u2069");
    await person.press("Remove");
    await person.page.getByRole("dialog", { name: "Confirm that it is you" }).waitFor();
    return person;
  },
  "an outage": async () => {
    const { person } = await signedIn();
    await refuse(person.page, "ListSessions", UNAVAILABLE, "DATABASE_UNAVAILABLE");
    await person.page.reload();
    await person.isTold("The service is not available right now");
    return person;
  },
};

testAccessibility(STATES);
