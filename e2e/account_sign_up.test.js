/** Sign-up, from the mail address to the account: `test_passkey_page.py` runs it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, test } from "node:test";
import { SIGN_IN, withoutAutofill } from "./account_pages/person.js";
import { call, sendMail } from "./support/server.js";
import { visit } from "./support/visit.js";
import { TIMEOUT, world } from "./world.js";

const CREATE = "Create an account";
const address = () => `${randomUUID()}@example.com`;

before(sendMail);

async function organization({ allowsSignUp = true } = {}) {
  const { orgId } = await call("POST", "/v1/orgs", { name: randomUUID() });
  await call("PATCH", `/v1/orgs/${orgId}`, { organization: { allowsSignUp }, updateMask: "allowsSignUp" });
  return orgId;
}

/** A person who asks for a link. */
async function asks(orgId, email, name = "") {
  const person = await visit(`${SIGN_IN}?org_id=${orgId}`, { script: withoutAutofill });
  await person.press(CREATE);
  await person.page.getByLabel("Mail address").fill(email);
  await person.page.getByLabel("Your name").fill(name);
  await person.press("Send a link");
  await person.sees("Look into your mailbox");
  return person;
}

const linkTo = async (email) => (await world.mailed(email, "Your account at")).at(-1).link;

test("a person gets from a mail address to an account", TIMEOUT, async () => {
  const email = address();
  const person = await asks(await organization(), email, "Grace Hopper");

  await person.page.goto(await linkTo(email));
  await person.sees("Create your account");
  assert.equal(new URL(person.page.url()).hash, "");
  await person.press("Create the account");
  await person.page.getByText(email).waitFor();
  await person.press("Create passkey");
  await person.sees("Your passkey is ready");
  await person.page.getByRole("link", { name: "Open your account" }).click();

  await person.sees("Your account");
  await person.page.getByText("Grace Hopper").first().waitFor();
});

test("a link that created an account creates no other one", TIMEOUT, async () => {
  const email = address();
  const person = await asks(await organization(), email);
  const link = await linkTo(email);
  await person.page.goto(link);
  await person.press("Create the account");
  await person.press("Create passkey");
  await person.sees("Your passkey is ready");

  await person.page.goto(link);
  await person.press("Create the account");

  await person.sees("This link was used already");
});

test("a person with an account is told so in the mailbox only", TIMEOUT, async () => {
  const [orgId, email] = [await organization(), address()];
  await call("POST", "/v1/users", { userName: randomUUID(), email }, { "x-service-orgid": orgId });
  const person = await asks(orgId, email);

  await person.page.goto(await linkTo(email));
  await person.press("Create the account");

  await person.sees("You have an account already");
});

test("a person can correct the address, and go back", TIMEOUT, async () => {
  const person = await visit(`${SIGN_IN}?org_id=${await organization()}`, { script: withoutAutofill });
  await person.press(CREATE);
  await person.page.getByLabel("Mail address").fill("ada");
  await person.press("Send a link");
  await person.page.getByText("Enter a mail address like name@example.com.").waitFor();

  await person.press("Back to signing in");

  await person.sees("Sign in");
});

test("where the organization does not allow it, the page offers none", TIMEOUT, async () => {
  const orgId = await organization({ allowsSignUp: false });
  const person = await visit(`${SIGN_IN}?org_id=${orgId}`, { script: withoutAutofill });
  await person.sees("Sign in");
  await person.page.waitForLoadState("networkidle");

  assert.equal(await person.page.getByRole("button", { name: CREATE }).count(), 0);
});
