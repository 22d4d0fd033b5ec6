import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { call } from "../support/server.js";
import { given, TIMEOUT } from "../world.js";
import { ACCOUNT, signedIn } from "./person.js";

const SAFE_TYPES = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"];
const ASKED_TYPES = ["application/json", "application/grpc-web+proto"];
const SIGN_OUT = "/keystead.session.v1.SessionService/SignOut";
// One empty message.
const GRPC_WEB = "\0\0\0\0\0";

let listed, unlisted;
before(async () => {
  [listed, unlisted] = await Promise.all([given.listedPort, 0].map(serveBlankPage));
});
after(() => [listed, unlisted].forEach(({ server }) => server.close()));

function serveBlankPage(port) {
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end("<title>Elsewhere</title>"));
  return new Promise((resolve) =>
    server.listen(port, "127.0.0.1", () => resolve({ server, port: server.address().port })),
  );
}

/** A signed-in person who then visits this page of another origin. */
async function visiting(elsewhere) {
  const { user, person } = await signedIn();
  await person.page.goto(elsewhere);
  return { user, page: person.page, person };
}

/** In the page: sends requests as a script of another origin. Returns the result of each. */
async function attempts({ origin, requests }) {
  const ends = [];
  for (const { path, ...options } of requests) {
    try {
      const answer = await fetch(origin + path, { credentials: "include", ...options });
      ends.push(answer.type === "opaque" ? "opaque" : answer.status);
    } catch {
      ends.push("blocked");
    }
  }
  return ends;
}

/** Requests that change something of the user, in every form that another origin can send. */
function changesOf({ userId }) {
  const token = JSON.stringify({ name: "stolen" });
  const requests = [];
  for (const mode of ["no-cors", "cors"]) {
    for (const type of mode === "cors" ? [...SAFE_TYPES, ...ASKED_TYPES] : SAFE_TYPES) {
      const headers = { "content-type": type };
      requests.push(
        { path: `/v1/users/${userId}/tokens`, method: "POST", mode, headers, body: token },
        { path: SIGN_OUT, method: "POST", mode, headers, body: GRPC_WEB },
      );
    }
    requests.push({ path: SIGN_OUT, method: "POST", mode });
    requests.push({ path: "/v1/sessions/current:startReauthentication", method: "POST", mode });
  }
  requests.push({ path: "/v1/sessions/current", method: "DELETE" });
  requests.push({ path: `/v1/users/${userId}/sessions`, method: "DELETE", headers: { "x-keystead-session": "cookie" } });
  return requests;
}

async function stateOf({ userId }) {
  const { sessions } = await call("GET", `/v1/users/${userId}/sessions`);
  const { tokens = [] } = await call("GET", `/v1/users/${userId}/tokens`);
  return { sessions: sessions?.length ?? 0, tokens: tokens.length };
}

// Another port is another origin of the same site, to which browsers send the cookie in spite of SameSite.
for (const [place, address] of Object.entries({
  "of the same site": () => `http://localhost:${unlisted.port}/`,
  "of another site": () => `http://127.0.0.1:${unlisted.port}/`,
})) {
  describe(`a page ${place}`, () => {
    test("changes nothing by requests of a script", TIMEOUT, async () => {
      const { user, page } = await visiting(address());
      const requests = changesOf(user);

      const ends = await page.evaluate(attempts, { origin: given.origin, requests });

      assert.deepEqual([...new Set(ends)].sort(), ["blocked", "opaque"]);
      assert.deepEqual(await stateOf(user), { sessions: 1, tokens: 0 });
    });

    test("reads nothing", TIMEOUT, async () => {
      const { user, page } = await visiting(address());
      const path = `/v1/users/${user.userId}/passkeys`;

      const ends = await page.evaluate(attempts, { origin: given.origin, requests: [{ path }, { path, mode: "no-cors" }] });

      assert.deepEqual(ends, ["blocked", "opaque"]);
    });

    test("changes nothing by a form", TIMEOUT, async () => {
      for (const enctype of SAFE_TYPES) {
        const { user, page } = await visiting(address());

        const [answer] = await Promise.all([
          page.waitForResponse((response) => response.request().method() === "POST"),
          page.evaluate(submit, { action: `${given.origin}/v1/users/${user.userId}/tokens`, enctype }),
        ]);

        assert.equal(answer.status(), 415);
        assert.deepEqual(await stateOf(user), { sessions: 1, tokens: 0 });
      }
    });

    test("sees nothing by sending the person to an answer", TIMEOUT, async () => {
      const { user, page } = await visiting(address());

      const [answer] = await Promise.all([
        page.waitForNavigation(),
        page.evaluate((target) => void location.assign(target), `${given.origin}/v1/users/${user.userId}/passkeys`),
      ]);

      const { cookie } = await answer.request().allHeaders();
      assert.match(cookie, /__Host-keystead=kss_/); // SameSite=Lax allows it for links
      assert.equal(answer.status(), 401);
    });
  });
}

/** In the page. */
function submit({ action, enctype }) {
  const form = document.createElement("form");
  Object.assign(form, { action, enctype, method: "post" });
  form.innerHTML = `<input name='{"name":"stolen","x":"' value='"}'>`;
  document.body.append(form);
  form.submit();
}

describe("a page that the operator has listed", () => {
  test("uses the session, if it is of the same site", TIMEOUT, async () => {
    const { user, page } = await visiting(`http://localhost:${listed.port}/`);
    const requests = [
      { path: `/v1/users/${user.userId}/passkeys` },
      { path: "/v1/sessions/current", method: "DELETE" },
    ];

    const ends = await page.evaluate(attempts, { origin: given.origin, requests });

    assert.deepEqual(ends, [200, 200]);
    assert.deepEqual(await stateOf(user), { sessions: 0, tokens: 0 });
  });
});

describe("the server's own page", () => {
  test("uses the session", TIMEOUT, async () => {
    const { user, page } = await visiting(ACCOUNT);
    const headers = { "content-type": "application/json" };
    const requests = [
      { path: `/v1/users/${user.userId}/passkeys` },
      { path: `/v1/users/${user.userId}/tokens`, method: "POST", headers, body: JSON.stringify({ name: "mine" }) },
      { path: `/v1/users/${user.userId}/tokens`, method: "POST", headers: { "content-type": "text/plain" }, body: "{}" },
    ];

    const ends = await page.evaluate(attempts, { origin: given.origin, requests });

    assert.deepEqual(ends, [200, 200, 415]);
    assert.deepEqual(await stateOf(user), { sessions: 1, tokens: 1 });
  });
});
