import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, test } from "node:test";
import { launchWithoutStorage } from "../support/chromium.js";
import { visit } from "../support/visit.js";
import { TIMEOUT } from "../world.js";
import { SIGN_IN, registered, withoutStorage } from "./person.js";

const ANY_ORGANIZATION = `${SIGN_IN}?org_id=0199d3a8-5f1c-7c3a-9b7e-1d5a4f8e0c21`;

/** In the page: at each look at the cookies, other tabs remove those that they wrote. */
function besideOtherTabs() {
  const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
  const written = JSON.parse(localStorage.written ?? "[]");
  const own = [];
  Object.defineProperty(Document.prototype, "cookie", {
    get() {
      for (const name of written) set.call(this, `${name}=; Path=/; Secure; Max-Age=0`);
      return get.call(this);
    },
    set(cookie) {
      own.push(cookie.split("=")[0]);
      localStorage.written = JSON.stringify(own);
      set.call(this, cookie);
    },
  });
}

describe("where storage is blocked", () => {
  test("a person signs in and out with a passkey", TIMEOUT, async () => {
    const { user, person } = await registered({ script: withoutStorage });

    await person.press("Sign in with a passkey");
    await person.page.getByText(user.userName).waitFor();
    await person.press("Sign out");

    await person.page.getByText("You are signed out.").waitFor();
    assert.equal(await person.page.getByRole("alert").count(), 0);
  });

  test("the sign-in reads the organization in the address", TIMEOUT, async () => {
    const person = await visit(ANY_ORGANIZATION, { script: withoutStorage });

    await person.page.waitForLoadState("networkidle");

    assert.ok(person.calls.includes("ListSignInOptions"));
    assert.equal(await person.page.getByRole("alert").count(), 0);
  });

  for (const [locale, title] of [
    ["en-GB", "This browser blocks cookies"],
    ["de-AT", "Dieser Browser blockiert Cookies"],
  ]) {
    test(`with cookies, a person is told so before the attempt: ${locale}`, TIMEOUT, async () => {
      const context = await launchWithoutStorage(await mkdtemp(`${tmpdir()}/chromium-`), { locale });
      const person = await visit(ANY_ORGANIZATION, { context });

      await person.sees(title);

      assert.deepEqual(person.calls, ["GetShownBrand"]);
      assert.equal(await person.page.getByRole("button").count(), 0);
    });
  }
});

test("the sign-in leaves no cookie of its own", TIMEOUT, async () => {
  const person = await visit(SIGN_IN);

  await person.sees("Sign in");

  assert.deepEqual(await person.page.context().cookies(), []);
});

test("the sign-in opens in two tabs at the same time", TIMEOUT, async () => {
  const person = await visit(SIGN_IN, { script: besideOtherTabs });
  await person.sees("Sign in");

  const other = await visit(SIGN_IN, { script: besideOtherTabs, context: person.page.context() });

  await other.sees("Sign in");
});
