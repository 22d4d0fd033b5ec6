/** The pages lead people to the page that they came from, and nowhere else: `test_return.py` runs it. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { registered, SIGN_IN, withoutAutofill } from "./account_pages/person.js";
import { call, newUser } from "./support/server.js";
import { visit } from "./support/visit.js";
import { given, TIMEOUT } from "./world.js";

const PAGE = `${given.target}/today?sort=new#top`;
const signInFor = (url) => `${SIGN_IN}?${new URLSearchParams({ return_to: url })}`;
let target;

before(async () => {
  target = createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<h1>Orders</h1>"));
  await new Promise((listens) => target.listen(Number(new URL(PAGE).port), "localhost", listens));
});
after(() => target.close());

describe("a person who comes from another page", () => {
  test("is told its host, and returns to it after the sign-in", TIMEOUT, async () => {
    const { person } = await registered();
    await person.page.goto(signInFor(PAGE));
    await person.page.getByText(`Afterwards you go on to ${new URL(PAGE).host}.`).waitFor();

    await person.press("Sign in with a passkey");

    await person.sees("Orders");
    assert.equal(person.page.url(), PAGE);
  });

  for (const url of [
    "https://evil.example/",
    "//evil.example/",
    "javascript:alert(1)",
    `${given.target}@evil.example/`,
    `${given.target}\\@evil.example/`,
    "/\\evil.example",
    "",
  ]) {
    test(`comes to the account, if the page is '${url}'`, TIMEOUT, async () => {
      const { person } = await registered();
      await person.page.goto(signInFor(url));
      await person.sees("Sign in");
      assert.equal(await person.page.getByText("Afterwards").count(), 0);

      await person.press("Sign in with a passkey");

      await person.sees("Your account");
      assert.equal(new URL(person.page.url()).origin, given.origin);
    });
  }

  test("comes to the account at the next sign-in without a page", TIMEOUT, async () => {
    const { person } = await registered();
    await person.page.goto(signInFor(PAGE));
    await person.sees("Sign in");
    await person.page.goto(SIGN_IN);
    await person.sees("Sign in");

    await person.press("Sign in with a passkey");

    await person.sees("Your account");
  });
});

describe("a person with a link", () => {
  test("is signed in by the registration, and goes on to the page of the link", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link(PAGE), { script: withoutAutofill });
    await person.press("Create passkey");
    await person.sees("Your passkey is ready");

    await person.page.getByRole("link", { name: `Continue to ${new URL(PAGE).host}` }).click();

    await person.sees("Orders");
    assert.equal(person.page.url(), PAGE);
    const { sessions } = await call("GET", `/v1/users/${user.userId}/sessions`);
    assert.equal(sessions.length, 1);
    await person.page.goto(`${given.origin}/account/`);
    await person.sees("Your account");
  });

  test("signs in by hand, if that fails, and goes on to the page", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(await user.link(PAGE), { script: withoutAutofill });
    await person.page.route("**/SignInAfterRegistration", (route) => route.abort());
    await person.press("Create passkey");
    await person.sees("Your passkey is ready");

    await person.page.getByRole("link", { name: "Sign in" }).click();
    await person.press("Sign in with a passkey");

    await person.sees("Orders");
  });
});
