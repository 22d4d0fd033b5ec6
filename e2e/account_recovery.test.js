/** Recovery by mail, from the lost passkey to a new one: `test_passkey_page.py` runs it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, test } from "node:test";
import { ACCOUNT, SIGN_IN, signedIn, withoutAutofill } from "./account_pages/person.js";
import { visit } from "./support/visit.js";
import { call, sendMail } from "./support/server.js";
import { TIMEOUT, world } from "./world.js";

const address = () => `${randomUUID()}@example.com`;

before(sendMail);

async function organization({ allowsMailRecovery }) {
  const { orgId } = await call("POST", "/v1/orgs", { name: randomUUID() });
  await call("PATCH", `/v1/orgs/${orgId}`, { organization: { allowsMailRecovery }, updateMask: "allowsMailRecovery" });
  return orgId;
}

/** Asks for a link in a browser that has no passkey. */
async function asks(email) {
  const person = await visit(SIGN_IN, { script: withoutAutofill });
  await person.press("Lost your passkey?");
  await person.page.getByLabel("Mail address").fill(email);
  await person.press("Send a link");
  await person.sees("Look into your mailbox");
  return person;
}

test("a person who lost every passkey gets from the mailbox to a new one", TIMEOUT, async () => {
  const [former, current] = [address(), address()];
  const orgId = await organization({ allowsMailRecovery: true });
  const { user, person: thief } = await signedIn({ fields: { orgId, email: former } });
  await user.moveTo(current);

  const person = await asks(current);
  const { link } = (await world.mailed(current, "Recover")).at(-1);
  await person.page.goto(link);
  await person.page.getByLabel("Name of this passkey").fill("New phone");
  await person.press("Create passkey");
  await person.sees("Your passkey is ready");

  await thief.page.goto(ACCOUNT);
  await thief.sees("Sign in");
  await person.page.getByRole("link", { name: "Open your account" }).click();
  await person.sees("Your account");
  await person.page.getByText("New phone").first().waitFor();
  for (const told of [former, current]) {
    const { text, link } = (await world.mailed(told, "was recovered")).at(-1);
    assert.match(text, /New phone/);
    assert.equal(link, "");
  }
});

test("where the organization does not allow it, no link is mailed", TIMEOUT, async () => {
  const [email, witness] = [address(), address()];
  await signedIn({ fields: { orgId: await organization({ allowsMailRecovery: false }), email } });
  await signedIn({ fields: { orgId: await organization({ allowsMailRecovery: true }), email: witness } });

  await asks(email);
  await asks(witness);
  const { link } = (await world.mailed(witness, "Recover")).at(-1); // requests are answered in order

  const mails = await world.mailed(email, "passkey was added");
  assert.notEqual(link, "");
  assert.deepEqual(mails.filter(({ link }) => link), []);
});
