import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { ApproveAuthorizationResponseSchema } from "../gen/keystead/oauth/v1/oauth_service_pb.js";
import { ACCOUNT, registered, SIGN_IN, signedIn, withoutAutofill, withoutStorage } from "../account_pages/person.js";
import { UNAVAILABLE } from "../support/codes.js";
import { framed, refuse } from "../support/forged_answers.js";
import { clickFastWhileGoing, placeOf } from "../support/fast_clicks.js";
import { call, newUser } from "../support/server.js";
import { visit } from "../support/visit.js";
import { TIMEOUT, world } from "../world.js";
import { application, CALLBACK, closedApplication, CONSENT, consents, LOGO, requestOf, returned, sent, tokensOf } from "./person.js";

const BUTTON = "Sign in with a passkey";
const ENDED = "This sign-in has ended";
const CONTINUE = `${SIGN_IN}#continue`;

const stored = ({ page }) => page.evaluate(() => sessionStorage.length);
const text = ({ page }) => page.locator("#view").innerText();

/** A person with a session who has agreed to the application before. */
async function customer() {
  const [clientId, { user, person }] = await Promise.all([application(), signedIn()]);
  await sent(person, clientId);
  await consents(person);
  return { clientId, user, person };
}

describe("a person whom an application sends", () => {
  test("signs in, agrees, and returns with a code for tokens", TIMEOUT, async () => {
    const clientId = await application({ logo: LOGO });
    const { user, person } = await registered();
    const verifier = await sent(person, clientId, { scope: "openid profile email groups offline_access" });
    await person.sees("Sign in");
    assert.equal(person.page.url(), CONTINUE);
    assert.match(await text(person), /Shop\s+at shop\.example\.com/);
    const logo = person.page.locator(".application img");
    assert.equal(await logo.evaluate((image) => image.decode().then(() => image.naturalWidth)), 16);

    await person.press(BUTTON);
    await person.sees(CONSENT);
    const shown = await text(person);
    for (const words of [user.userName, "Know who you are", "See your name", "See your mail address", "See the groups", "Stay signed in", "lasts until you end it"]) {
      assert.ok(shown.includes(words), words);
    }
    const code = await consents(person);

    const { id_token: idToken, refresh_token: refreshToken } = await tokensOf(clientId, code, verifier);
    assert.equal(JSON.parse(Buffer.from(idToken.split(".")[1], "base64url")).sub, user.userId);
    assert.ok(refreshToken);
  });

  test("sees the answers on a small phone without scrolling", TIMEOUT, async () => {
    const viewport = { width: 360, height: 740 };
    const { person } = await signedIn({ viewport });
    const scope = "openid profile email groups offline_access";
    await sent(person, await application({ name: "A shop whose name takes two lines" }), { scope });
    await person.sees(CONSENT);

    for (const name of ["Allow", "Cancel"]) {
      const { y, height } = await person.page.getByRole("button", { name, exact: true }).boundingBox();
      assert.ok(y + height <= viewport.height, `${name} ends at ${y + height}`);
    }
  });

  test("does not sign in or agree a second time", TIMEOUT, async () => {
    const { clientId, person } = await customer();

    await sent(person, clientId);

    assert.ok((await returned(person)).code);
  });

  test("shows the resource server and the end of the access", TIMEOUT, async () => {
    const { person } = await signedIn();
    const resource = `https://${randomUUID()}.example.com/api`;
    const resourceScopes = [{ name: "read", description: "Read your orders" }, { name: "write" }];
    const api = { name: "Orders", kind: "APPLICATION_KIND_RESOURCE", identifier: resource, resourceScopes };
    await call("POST", "/v1/applications", { application: api });
    await sent(person, await application(), { resource, scope: "openid read write" });

    await person.sees(CONSENT);

    const shown = await text(person);
    assert.ok(shown.includes(`The access is for ${resource}.`), shown);
    for (const each of ["Read your orders", "Use “write”"]) assert.ok(shown.includes(each), shown);
    assert.ok(shown.includes("ends when you sign out"), shown);
  });

  test("agrees again when the application asks for more", TIMEOUT, async () => {
    const { clientId, person } = await customer();

    await sent(person, clientId, { scope: "openid profile email" });

    assert.ok(await consents(person));
  });

  test("is not asked by a first-party application", TIMEOUT, async () => {
    const clientId = await application({ firstParty: true });
    const { person } = await registered();
    await sent(person, clientId);

    await person.press(BUTTON);

    assert.ok((await returned(person)).code);
  });

  test("refuses at the sign-in or at the question", TIMEOUT, async () => {
    const clientId = await application();
    const { person } = await registered();
    await sent(person, clientId);
    await person.press("Back to the application");
    assert.deepEqual(await returned(person), { error: "access_denied" });

    await sent(person, clientId);
    await person.press(BUTTON);
    await person.sees(CONSENT);
    await person.press("Cancel");

    assert.deepEqual(await returned(person), { error: "access_denied" });
    await person.page.goto(CONTINUE);
    await person.sees(ENDED);
  });

  test("reloads the page, and later is not led into the old request", TIMEOUT, async () => {
    const clientId = await application();
    const { person } = await signedIn();
    await sent(person, clientId);
    await person.sees(CONSENT);
    await person.page.reload();
    await person.sees(CONSENT);
    assert.equal(person.page.url(), CONTINUE);

    await person.page.goto(`${SIGN_IN}?`);
    await person.sees("Sign in");

    assert.equal(await stored(person), 0);
    await person.press(BUTTON);
    await person.sees("Your account");
  });

  test("goes back from the application to the page before the request", TIMEOUT, async () => {
    const { clientId, person } = await customer();
    await person.page.goto(ACCOUNT);
    await person.sees("Your account");
    await sent(person, clientId);
    await returned(person);

    await person.page.goBack();

    await person.sees("Your account");
  });

  test("adds a passkey by a link in the same tab, and goes on", TIMEOUT, async () => {
    const [clientId, user] = await Promise.all([application(), newUser()]);
    const person = await visit(SIGN_IN, { script: withoutAutofill });
    await sent(person, clientId, { login_hint: "ada@example.com" });
    assert.equal(await person.page.getByLabel("Account or mail address").inputValue(), "ada@example.com");
    await person.press("Lost your passkey?");
    await person.sees("Recover your account");
    assert.equal(await person.page.getByLabel("Mail address").count(), 0); // the organization sends no mail

    await person.page.goto(await user.link());
    await person.press("Create passkey");
    await person.page.getByRole("link", { name: "Continue" }).click();

    assert.ok(await consents(person));
  });

  test("signs in where storage is blocked", TIMEOUT, async () => {
    const clientId = await application();
    const { person } = await registered({ script: withoutStorage });
    await sent(person, clientId);
    await person.page.waitForURL(CONTINUE);

    await person.press(BUTTON);

    assert.ok(await consents(person));
  });

  test("is told that the browser has no passkeys, and goes back", TIMEOUT, async () => {
    const person = await visit(SIGN_IN, { script: () => delete window.PublicKeyCredential });
    await sent(person, await application());
    await person.sees("This browser cannot use passkeys");

    await person.press("Back to the application");

    assert.deepEqual(await returned(person), { error: "access_denied" });
  });

  test("reads the language that the application prefers", TIMEOUT, async () => {
    const clientId = await application();
    const { person } = await signedIn();

    await sent(person, clientId, { ui_locales: "sv de-AT" });

    await person.sees("Zugriff auf Ihr Konto erlauben?");
    assert.equal(await person.page.evaluate(() => document.documentElement.lang), "de-AT");
    assert.equal(await person.page.locator("#licences").innerText(), "Lizenzen");
  });

  test("can try again after an outage", TIMEOUT, async () => {
    const { clientId, person } = await customer();
    await refuse(person.page, "DescribeAuthorization", UNAVAILABLE, "DATABASE_UNAVAILABLE", { times: 1 });
    await sent(person, clientId);
    await person.isTold("The service is not available right now");

    await person.press("Try again");

    assert.ok((await returned(person)).code);
  });
});

describe("an application that wants no page", () => {
  test("gets a code if the person is signed in and has agreed", TIMEOUT, async () => {
    const { clientId, person } = await customer();

    await sent(person, clientId, { prompt: "none" });

    assert.ok((await returned(person)).code);
  });

  test("learns what is missing", TIMEOUT, async () => {
    const clientId = await application();
    const person = await visit(SIGN_IN, { script: withoutAutofill });
    await sent(person, clientId, { prompt: "none" });
    assert.deepEqual(await returned(person), { error: "login_required" });

    const { user, person: signed } = await signedIn();
    await sent(signed, clientId, { prompt: "none" });
    assert.deepEqual(await returned(signed), { error: "consent_required" });
    await world.signedInAnHourAgo(user.userId);
    await sent(signed, clientId, { prompt: "none", max_age: 60 });
    assert.deepEqual(await returned(signed), { error: "consent_required" });
    const ofHouse = { firstParty: true };
    await sent(signed, await closedApplication(ofHouse), { prompt: "none" });
    assert.deepEqual(await returned(signed), { error: "interaction_required" });
    await sent(signed, await application(ofHouse), { prompt: "none", max_age: 60 });
    assert.deepEqual(await returned(signed), { error: "login_required" });
  });
});

describe("an application that asks for a sign-in", () => {
  for (const [name, parameters] of [
    ["always", { prompt: "login" }],
    ["after a time", { max_age: 60 }],
  ]) {
    test(`${name}: the person uses the passkey again`, TIMEOUT, async () => {
      const { clientId, user, person } = await customer();
      await world.signedInAnHourAgo(user.userId);
      await sent(person, clientId, parameters);
      await person.sees("Confirm that it is you");
      await person.recognisesUser(false);
      await person.press("Use a passkey");
      await person.isTold("You did not confirm that it is you");

      await person.recognisesUser(true);
      await person.press("Use a passkey");

      assert.ok((await returned(person)).code);
    });
  }

  test("lets the person sign in another way", TIMEOUT, async () => {
    const { clientId, user, person } = await customer();
    await world.signedInAnHourAgo(user.userId);
    await sent(person, clientId, { prompt: "login" });

    await person.press("Sign in another way");
    await person.sees("Sign in");
    await person.press(BUTTON);

    assert.ok((await returned(person)).code);
  });

  test("of another user: the person uses another account", TIMEOUT, async () => {
    const [clientId, other] = await Promise.all([application(), newUser()]);
    const { user, person } = await signedIn();
    const claims = JSON.stringify({ id_token: { sub: { value: other.userId } } });
    await sent(person, clientId, { claims });
    await person.sees("The application asks for another account");
    assert.match(await text(person), new RegExp(user.userName));

    await person.press("Use another account");

    await person.sees("Sign in");
    assert.deepEqual((await call("GET", `/v1/users/${user.userId}/sessions`)).sessions ?? [], []);
  });
});

describe("an application that lets the person choose an account", () => {
  test("gets the present one", TIMEOUT, async () => {
    const { clientId, user, person } = await customer();
    await sent(person, clientId, { prompt: "select_account" });
    await person.sees("Choose an account");
    assert.match(await text(person), new RegExp(user.userName));

    await person.press("Continue");

    assert.ok((await returned(person)).code);
  });

  for (const [name, reloads] of [
    ["", false],
    [", also after a reload", true],
  ]) {
    test(`gets another one, and asks once${name}`, TIMEOUT, async () => {
      const { clientId, person } = await customer();
      await sent(person, clientId, { prompt: "select_account" });

      await person.press("Use another account");
      await person.sees("Sign in");
      if (reloads) await person.page.reload();
      await person.press(BUTTON);

      assert.ok((await returned(person)).code);
    });
  }
});

test("an application that does not admit the person says so, and gets its answer", TIMEOUT, async () => {
  const { person } = await signedIn();
  await sent(person, await closedApplication());

  await person.sees("Your account may not use this application");
  await person.page.getByRole("button", { name: "Use another account" }).waitFor();
  await person.press("Back to the application");

  assert.deepEqual(await returned(person), { error: "access_denied" });
});

describe("an invalid request", () => {
  const WRONG = { code_challenge_method: "plain" };
  const isAnswered = (answer) => {
    assert.equal(answer.error, "invalid_request");
    assert.match(answer.error_description, /^code_challenge_method must be S256 \(request \w+\)$/);
  };

  test("is shown to a visitor without a session, whom a press leads back", TIMEOUT, async () => {
    const person = await visit(SIGN_IN);
    await sent(person, await application(), WRONG);
    await person.sees("The application has sent a wrong request");
    assert.match(await text(person), /Shop\s+at shop\.example\.com[^]+invalid_request: code_challenge_method must be S256/);
    await person.page.reload();
    await person.sees("The application has sent a wrong request");
    assert.equal(person.page.url(), CONTINUE);

    const back = person.page.getByRole("link", { name: "Back to shop.example.com", exact: true });
    assert.match(await back.innerText(), /^Back to \P{L}*shop\.example\.com\P{L}*$/u); // as it is drawn
    await back.click();

    isAnswered(await returned(person));
    await person.page.goto(CONTINUE);
    await person.sees(ENDED);
  });

  test("goes back at once with a person who is signed in", TIMEOUT, async () => {
    const { person } = await signedIn();

    await sent(person, await application(), WRONG);

    isAnswered(await returned(person));
  });
});

describe("a request that cannot go back to an application", () => {
  for (const [reason, title, parameters] of [
    ["UNKNOWN_CLIENT", "This application is not known here", { client_id: "01937f4e-7a3b-7000-8000-000000000001" }],
    [
      "REDIRECT_URI_NOT_REGISTERED",
      "The way back to the application is not registered",
      { redirect_uri: `${CALLBACK}/` },
    ],
    ["INVALID_FIELDS", "The application has sent a wrong request", { state: "x".repeat(4097) }],
  ]) {
    test(`is ${reason}`, TIMEOUT, async () => {
      const { address } = requestOf(await application(), parameters);

      const person = await visit(address);

      await person.sees(title);
      assert.match(await text(person), new RegExp(`For the administrator of the application: ${reason}`));
      assert.deepEqual(person.calls, []);
    });
  }

  test("is another one, and shows no text of its address", TIMEOUT, async () => {
    const person = await visit(`${SIGN_IN}#error=Call%20us`);

    await person.sees("The sign-in cannot continue");
    assert.doesNotMatch(await text(person), /Call/);
  });

  test("is not sealed by this server", TIMEOUT, async () => {
    for (const request of ["", "forged", "%E0%A4%A"]) {
      const person = await visit(`${SIGN_IN}#request=${request}`);

      await person.sees(ENDED);
      assert.equal(await stored(person), 0);
    }
  });
});

test("fast clicks that are meant for another page allow nothing", TIMEOUT, async () => {
  const clientId = await application();
  const { person } = await signedIn();
  await sent(person, clientId);
  await person.sees(CONSENT);
  const allow = await placeOf(person, "Allow");
  await person.page.goto("https://shop.example.com/");

  await clickFastWhileGoing(person, allow, requestOf(clientId).address, CONSENT);

  await person.sees(CONSENT);
  const isHit = ([x, y]) => document.elementFromPoint(x, y).textContent;
  assert.equal(await person.page.evaluate(isHit, allow), "Allow");
  assert.deepEqual(person.calls.filter((each) => each === "ApproveAuthorization").length, 2); // as the page asks itself
  await person.press("Allow");
  assert.ok((await returned(person)).code);
});

test("no answer is the second click of a double click that began in a window of another site", TIMEOUT, async () => {
  const clientId = await application();
  const { person } = await signedIn();
  await sent(person, clientId);
  await person.page.locator("button:not([aria-disabled])", { hasText: "Allow" }).waitFor();

  const state = await person.page.getByRole("button", { name: "Allow" }).evaluate((button) => {
    window.dispatchEvent(new Event("focus")); // that window has just closed
    button.click();
    return { isDisabled: button.ariaDisabled, isBusy: button.ariaBusy };
  });

  assert.deepEqual(state, { isDisabled: "true", isBusy: null });
  await person.press("Allow");
  assert.ok((await returned(person)).code);
});

describe("the way back", () => {
  test("to an application on the device stays on a page that opens it again", TIMEOUT, async () => {
    const redirectUri = "com.example.shop:/callback";
    const clientId = await application({ kind: "APPLICATION_KIND_NATIVE", redirectUris: [redirectUri] });
    const { person } = await signedIn();
    await sent(person, clientId, { redirect_uri: redirectUri });

    await person.press("Allow");

    await person.sees("Go on in the application");
    await person.page.getByRole("button", { name: "Open the application" }).waitFor();
    assert.equal(await stored(person), 0);
  });

  for (const target of ["javascript:window.fault('run')", "data:text/html,Shop"]) {
    test(`never is ${target}`, TIMEOUT, async () => {
      const clientId = await application();
      const { person } = await signedIn();
      await sent(person, clientId);
      await person.sees(CONSENT);
      const answer = toBinary(ApproveAuthorizationResponseSchema, create(ApproveAuthorizationResponseSchema, { redirectUri: target }));
      const trailer = Buffer.from("grpc-status:0\r\n");
      const end = framed(trailer);
      end[0] = 0x80;
      await person.page.route("**/ApproveAuthorization", (route) =>
        route.fulfill({ contentType: "application/grpc-web+proto", body: Buffer.concat([framed(answer), end]) }),
      );

      await person.press("Allow");

      await person.isTold("Something went wrong");
      assert.equal(person.page.url(), CONTINUE);
    });
  }
});

describe("another account that signs in in another tab", () => {
  for (const [name, script] of [
    ["is asked in place of the first one", withoutAutofill],
    ["is asked even if the tabs cannot tell each other", withoutStorage],
  ]) {
    test(name, TIMEOUT, async () => {
      const clientId = await application();
      const { person } = await signedIn({ script });
      // Where storage is blocked, a reload loses the request: the page says so, and approves nothing.
      await sent(person, clientId);
      await person.sees(CONSENT);
      const other = await newUser();
      const tab = await visit(await other.link(), { script, context: person.page.context() });
      await tab.press("Create passkey");
      await tab.sees("Your passkey is ready");
      await tab.page.getByRole("link", { name: "Open your account" }).waitFor();

      if (script === withoutStorage) {
        await person.press("Allow");
        await person.sees(ENDED);
        assert.deepEqual((await call("GET", `/v1/users/${other.userId}/grants`)).grants ?? [], []);
      } else {
        await person.page.getByText(other.userName).waitFor();
        await person.sees(CONSENT);
      }
    });
  }
});

describe("the account page", () => {
  test("shows the applications, and ends the access of one", TIMEOUT, async () => {
    const { clientId, user, person } = await customer();
    await person.page.goto(ACCOUNT);
    const card = person.page.getByRole("list", { name: "Applications you use" }).getByRole("listitem").first();
    assert.match(await card.innerText(), /Shop[\s\S]+Know who you are\s+See your name and your user name/);

    await person.press("End the access of \u2068Shop\u2069");
    await person.press("End access");

    await person.page.getByRole("status").getByText("Shop no longer has access.").waitFor();
    assert.deepEqual((await call("GET", `/v1/users/${user.userId}/grants`)).grants ?? [], []);
    assert.equal(await person.page.getByRole("list", { name: "Applications you use" }).count(), 0);
    await sent(person, clientId);
    assert.ok(await consents(person));
  });

  test("takes back a part of the access of one", TIMEOUT, async () => {
    const { clientId, user, person } = await customer();
    const granted = async () => (await call("GET", `/v1/users/${user.userId}/grants`)).grants[0].scopes;
    await person.page.goto(ACCOUNT);
    const card = person.page.getByRole("list", { name: "Applications you use" }).getByRole("listitem").first();
    const before = await granted();
    assert.ok(before.includes("profile"));

    await person.press("Change the access of \u2068Shop\u2069");
    await person.page.getByLabel("See your name and your user name").uncheck();
    assert.deepEqual(await granted(), before);
    await person.press("Save");

    await person.page.getByRole("status").getByText("The access of Shop was changed.").waitFor();
    assert.deepEqual(await granted(), before.filter((scope) => scope !== "profile"));
    assert.ok(!(await card.innerText()).includes("See your name"));
    await sent(person, clientId);
    assert.ok(await consents(person));
    assert.deepEqual(await granted(), before);
  });

  test("shows the list again if the access was ended elsewhere", TIMEOUT, async () => {
    const { clientId, user, person } = await customer();
    await person.page.goto(ACCOUNT);
    await person.press("End the access of \u2068Shop\u2069");
    await call("DELETE", `/v1/users/${user.userId}/grants/${clientId}`);

    await person.press("End access");

    await person.page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await person.page.getByRole("alert").count(), 0);
    assert.equal(await person.page.getByRole("list", { name: "Applications you use" }).count(), 0);
  });
});
