import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { testAccessibility } from "../support/accessibility.js";
import { FAILED_PRECONDITION, UNAUTHENTICATED } from "../support/codes.js";
import { refuse } from "../support/forged_answers.js";
import { clickFastWhileGoing, placeOf } from "../support/fast_clicks.js";
import { call } from "../support/server.js";
import { visit } from "../support/visit.js";
import { given, PLAIN, TIMEOUT } from "../world.js";
import { registered, signedIn } from "./person.js";

const DEVICE = `${given.origin}/device/`;
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";
const IN_GERMAN = ["Zeigt Ihr Gerät diesen Code an?", "Ja, diesen Code", "\u2068Television\u2069 mit Ihrem Konto verbinden?"];
const COMPARED = "Does your device show this code?";
const ASKED = "Connect \u2068Television\u2069 with your account?";

// One transparent pixel.
const LOGO = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A device that shows a code. */
async function device() {
  const scopes = ["openid", "profile", "email", "groups", "offline_access", "recordings"];
  const application = { name: "Television", kind: "APPLICATION_KIND_NATIVE", scopes, logo: LOGO };
  const { applicationId: clientId } = await call("POST", "/v1/applications", { application });
  const started = await call("POST", "/v1/oauth/devices:start", { clientId, scope: scopes.join(" ") });
  const poll = () => call("POST", "/v1/oauth/tokens:exchange", { clientId, grantType: GRANT_TYPE, deviceCode: started.deviceCode });
  return { ...started, clientId, poll };
}

/** A signed-in person at the question about a device. */
async function asked(options, words) {
  const [television, { user, person }] = await Promise.all([device(), signedIn(options)]);
  await person.page.goto(`${DEVICE}#code=${television.userCode}`);
  await compares(person, television, words);
  return { television, user, person };
}

/** Compares the codes, and goes on to the question. */
async function compares(person, { userCode }, [compared, yes, title] = [COMPARED, "Yes, this code", ASKED]) {
  await person.sees(compared);
  await person.page.getByText(userCode, { exact: true }).waitFor();
  await person.press(yes);
  await person.sees(title);
}

const enter = async (person, code) => {
  await person.page.getByLabel("Code", { exact: true }).fill(code);
  await person.press("Continue");
};

describe("a person whose device shows a code", () => {
  test("signs in on the way, and allows the device", TIMEOUT, async () => {
    const television = await device();
    const { user, person } = await registered();
    await person.page.goto(television.verificationUri.replace(/^.*(?=\/device\/)/, given.origin));
    await enter(person, ` ${television.userCode.toLowerCase().replace("-", " ")} `);
    await person.sees("Sign in");
    await person.press("Sign in with a passkey");

    await compares(person, television);
    assert.equal(person.page.url(), DEVICE);
    for (const shown of ["Ada Lovelace", "See your mail address", "Use “recordings”"]) {
      await person.page.getByText(shown, { exact: true }).waitFor();
    }
    await assert.rejects(television.poll, /AUTHORIZATION_PENDING/);
    await person.press("Allow");
    await person.sees("Your device is connected");

    const { accessToken, refreshToken } = await television.poll();
    const { claims } = await call("GET", "/v1/oauth/userinfo", undefined, { token: accessToken });
    assert.equal(claims.sub, user.userId);
    assert.match(refreshToken, /^kar_/);
    // The code is kept no longer: the next sign-in leads to the account.
    assert.equal(await person.page.evaluate(() => JSON.stringify({ ...sessionStorage })), "{}");
  });

  test("is asked after a scan of the code, which leaves the address", TIMEOUT, async () => {
    const { television, person } = await asked();

    assert.equal(person.page.url(), DEVICE);
    await assert.rejects(television.poll, /AUTHORIZATION_PENDING/);
    assert.equal(person.calls.includes("ApproveDevice"), false);
  });

  test("compares a scanned code before it can be allowed, and refuses another one", TIMEOUT, async () => {
    const [television, { person }] = await Promise.all([device(), signedIn()]);
    await person.page.goto(`${DEVICE}#code=${television.userCode}`);
    await person.sees(COMPARED);
    assert.equal(await person.page.getByRole("button", { name: "Allow" }).count(), 0);

    await person.press("No");

    await person.sees("The device gets no access");
    await assert.rejects(television.poll, /ACCESS_DENIED/);
  });

  test("allows nothing by fast clicks that are meant for another page", TIMEOUT, async () => {
    const [television, { person }] = await Promise.all([device(), signedIn()]);
    const scanned = `${DEVICE}#code=${television.userCode}`;
    await person.page.goto(scanned);
    const yes = await placeOf(person, "Yes, this code");
    await person.page.goto(`${given.origin}${PLAIN}`);

    await clickFastWhileGoing(person, yes, scanned, COMPARED);

    await person.sees(COMPARED);
    await assert.rejects(television.poll, /AUTHORIZATION_PENDING/);
  });

  test("cancels", TIMEOUT, async () => {
    const { television, person } = await asked();

    await person.press("Cancel");

    await person.sees("The device gets no access");
    await assert.rejects(television.poll, /ACCESS_DENIED/);
  });

  test("mistypes it", TIMEOUT, async () => {
    const { person } = await signedIn();
    const television = await device();
    await person.page.goto(DEVICE);
    await person.press("Continue");
    await person.page.getByText("Enter the code.").waitFor();
    await enter(person, "BBBB-BBBB");
    await person.isTold("This code does not work");

    await enter(person, television.userCode);

    await person.sees(ASKED);
  });

  test("decides too late", TIMEOUT, async () => {
    const { person } = await asked();
    await refuse(person.page, "ApproveDevice", FAILED_PRECONDITION, "USER_CODE_INVALID");

    await person.press("Allow");

    await person.isTold("This code does not work");
    await person.sees("Connect a device");
  });

  test("signs in again if the session has ended meanwhile", TIMEOUT, async () => {
    const { television, person } = await asked();
    await refuse(person.page, "ApproveDevice", UNAUTHENTICATED, "UNAUTHENTICATED");
    await person.press("Allow");
    await person.sees("Sign in");
    await person.page.unroute("**/ApproveDevice");

    await person.press("Sign in with a passkey");
    await compares(person, television);
    await person.press("Allow");

    await person.sees("Your device is connected");
    assert.ok((await television.poll()).accessToken);
  });
});

test("the question is asked again if another tab signs in", TIMEOUT, async () => {
  const { person } = await asked();
  const tab = await visit(`${given.origin}/account/`, { context: person.page.context() });
  const described = () => person.calls.filter((call) => call === "DescribeDevice").length;
  const before = described();

  await tab.page.evaluate(() => new BroadcastChannel("keystead.session").postMessage("signed-in"));

  while (described() === before) await new Promise((resolve) => setTimeout(resolve, 10));
  await person.sees(COMPARED);
});

testAccessibility({
  "the code of a device": () => visit(DEVICE),
  "a code that does not work": async () => {
    const { person } = await signedIn();
    await person.page.goto(DEVICE);
    await enter(person, "BBBB-BBBB");
    await person.isTold("This code does not work");
    return person;
  },
  "the comparison of codes": async () => {
    const [television, { person }] = await Promise.all([device(), signedIn()]);
    await person.page.goto(`${DEVICE}#code=${television.userCode}`);
    await person.sees(COMPARED);
    return person;
  },
  "the question about a device": async () => (await asked()).person,
  "the question about a device in German": async () => (await asked({ locale: "de-AT" }, IN_GERMAN)).person,
  "a connected device": async () => {
    const { person } = await asked();
    await person.press("Allow");
    await person.sees("Your device is connected");
    return person;
  },
});
