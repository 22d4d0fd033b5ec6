/** The change of one's own mail address, from the account to the mailbox and back: `test_passkey_page.py` runs it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, test } from "node:test";
import { ACCOUNT, SIGN_IN, signedIn } from "./account_pages/person.js";
import { call, sendMail } from "./support/server.js";
import { TIMEOUT, world } from "./world.js";

const address = () => `${randomUUID()}@example.com`;
const linkTo = async (email) => (await world.mailed(email, "Confirm your mail address")).at(-1).link;
const stored = async ({ userId }) => (await call("GET", `/v1/users/${userId}`)).user;

before(sendMail);

/** A person who has asked for a link to a new address. */
async function asks(options) {
  const { user, person } = await signedIn({ ...options, fields: { email: address(), ...options?.fields } });
  const email = address();
  await person.press("Change your mail address");
  await person.page.getByLabel("Mail address", { exact: true }).fill(email);
  await person.press("Send a link");
  await person.page.getByRole("status").getByText("A link was mailed to").waitFor();
  return { user, person, email };
}

test("a person changes its mail address by a link, after a new sign-in", TIMEOUT, async () => {
  const { user, person, email } = await asks();
  const { page } = person;
  const old = (await stored(user)).email;
  await page.getByText("waits for your confirmation").waitFor();
  const [notice] = await world.mailed(old, "Another mail address was requested");
  assert.ok(!notice.text.includes(email) && notice.link === "");
  const link = await linkTo(email);

  await person.press("Sign out");
  await person.sees("Sign in");
  await page.goto(link);
  await person.sees("Sign in");
  await person.press("Sign in with a passkey");
  await page.getByRole("dialog", { name: "Use this mail address?" }).getByText(email).waitFor();
  assert.equal(page.url(), ACCOUNT);
  assert.equal((await stored(user)).email, old);
  await person.press("Use this address");

  await page.getByRole("status").getByText("Your mail address is confirmed.").waitFor();
  await page.getByText("waits for your confirmation").waitFor({ state: "detached" });
  const { email: changed, emailVerification } = await stored(user);
  assert.deepEqual([changed, emailVerification], [email, "EMAIL_VERIFICATION_LINK"]);
  await world.mailed(old, "was changed");
  await page.goto(link);
  await person.press("Use this address");
  await person.isTold("This link is over");
});

test("a person cancels the change, and the link is over", TIMEOUT, async () => {
  const { user, person, email } = await asks();
  const link = await linkTo(email);

  await person.press("Cancel this change");
  await person.page.getByRole("status").getByText("was cancelled").waitFor();
  await person.page.goto(link);
  await person.press("Use this address");

  await person.isTold("This link is over");
  assert.notEqual((await stored(user)).email, email);
});

test("the link of another person changes nothing", TIMEOUT, async () => {
  const { email } = await asks();
  const { user, person } = await signedIn();

  await person.page.goto(await linkTo(email));
  await person.press("Use this address");

  await person.isTold("This link is of another account");
  assert.equal((await stored(user)).email, "");
});

test("a person corrects the address, and confirms the present one", TIMEOUT, async () => {
  const { user, person } = await signedIn({ fields: { email: address() } });
  const { page } = person;
  const { email } = await stored(user);

  await person.press("Change your mail address");
  await page.getByLabel("Mail address", { exact: true }).fill("ada");
  await person.press("Send a link");
  await page.getByText("Enter a mail address like name@example.com.").waitFor();
  await person.press("Cancel");
  await page.getByText("not confirmed").waitFor();
  await person.press("Confirm your mail address");
  await person.press("Send a link");
  await page.goto(await linkTo(email));
  await person.press("Use this address");

  await page.getByText("not confirmed").waitFor({ state: "detached" });
  assert.equal((await stored(user)).emailVerification, "EMAIL_VERIFICATION_LINK");
});

test("a person changes its own attributes", TIMEOUT, async () => {
  const { orgId } = await call("POST", "/v1/orgs", { name: randomUUID() });
  const declare = (name, type, access = "WRITE") =>
    call(
      "POST",
      "/v1/attributeDefinitions",
      { name, displayName: `The ${name}`, type: `ATTRIBUTE_TYPE_${type}`, userAccess: `ATTRIBUTE_ACCESS_${access}` },
      { "x-service-orgid": orgId },
    );
  await declare("office", "TEXT");
  await declare("floor", "NUMBER");
  await declare("remote", "BOOLEAN");
  await declare("skills", "TEXT_LIST");
  await declare("department", "TEXT", "READ");
  await declare("salary", "NUMBER", "NONE");
  const attributes = { department: "Mathematics", salary: 1, office: "B 12" };
  const { user, person } = await signedIn({ fields: { orgId, attributes } });
  const { page } = person;
  await page.getByText("Mathematics").waitFor();
  assert.equal(await page.getByText("The salary").count(), 0);

  await person.press("Change your details");
  const dialog = page.getByRole("dialog");
  assert.equal(await dialog.getByText("The department").count(), 0);
  await dialog.getByLabel("The office").fill("");
  await dialog.getByLabel("The floor").fill("third");
  await dialog.getByLabel("The remote").selectOption("Yes");
  await dialog.getByLabel("The skills").fill("Analysis\n\nEngines");
  await person.press("Save");
  await page.getByText("Enter a number.").waitFor();
  await dialog.getByLabel("The floor").fill("3,5");
  await person.press("Save");

  await page.getByRole("status").getByText("Your details were changed.").waitFor();
  await page.getByText("Analysis, Engines").waitFor();
  const expected = { department: "Mathematics", salary: 1, floor: 3.5, remote: true, skills: ["Analysis", "Engines"] };
  assert.deepEqual((await stored(user)).attributes, expected);
});

test("a photo that says how it was held is shown upright, without its place", TIMEOUT, async () => {
  const { user, person } = await signedIn();
  const { page } = person;
  const photo = Buffer.from(
    await page.evaluate(async () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [16, 8];
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg"));
      return [...new Uint8Array(await blob.arrayBuffer())];
    }),
  );
  // Exif 2.32: the orientation 6, which is a quarter turn, and a pointer to the place.
  const exif = Buffer.from(
    "457869660000" + "49492a0008000000" + "0200" + "120103000100000006000000" + "258804000100000026000000" + "00000000",
    "hex",
  );
  const length = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  const picture = Buffer.concat([photo.subarray(0, 2), length, exif, photo.subarray(2)]).toString("base64");

  await call("PATCH", `/v1/users/${user.userId}`, { user: { picture }, updateMask: "picture" });
  await page.goto(SIGN_IN);
  await page.goto(ACCOUNT);

  const shown = page.getByRole("img", { name: "Picture" });
  const sizes = await shown.evaluate(async (image) => (await image.decode(), [image.naturalWidth, image.naturalHeight]));
  assert.deepEqual(sizes, [8, 16]);
  const kept = Buffer.from((await stored(user)).picture, "base64");
  assert.equal(kept.indexOf(Buffer.from("2588", "hex")), -1);
});
