/** Applications behind the gate in Chromium, with real proxies: `test_gate.py` runs it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { registered } from "./account_pages/person.js";
import { Application } from "./gate/application.js";
import { downloaded, sent, sentOverHttp2 } from "./gate/raw.js";
import { call } from "./support/server.js";
import { ask, given, TIMEOUT, webUrl } from "./world.js";

const COOKIE = "__Host-keystead-gate";
const CLOSED_MILLISECONDS = 5_000;
const REMEMBERED_MILLISECONDS = 6_000; // decisions of the gate, and a little more
const GIGABYTE = 1024 ** 3;
const MANY_GROUPS = 100;
const application = new Application();
const siblings = new Application();
const keys = createRemoteJWKSet(new URL(`${webUrl}/.well-known/jwks.json`));

before(() => Promise.all([application, siblings].map((each, index) => each.listen(given.applicationPorts[index]))));
after(() => {
  for (const each of [application, siblings]) each.close();
});

const last = () => application.requests.at(-1);
const valuesOf = (name) => last().headers.filter(([key]) => key === name).map(([, value]) => value);
/** The spellings that a program behind CGI takes for one header. */
const spelling = (name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "-");

/** The cookies of the gate by origin, of a user who has been at all applications. */
const inside = { cookies: {} };

/** A person with a passkey signs in at the first address, and goes to all of them. */
async function enters(addresses) {
  const { user, person } = await registered({ ignoreHTTPSErrors: true });
  const { page } = person;
  for (const [index, address] of addresses.entries()) {
    await page.goto(address);
    if (index === 0) {
      await person.sees("Sign in");
      await person.press("Sign in with a passkey");
    }
    await person.sees("Application");
    assert.equal(page.url(), address);
    const { origin } = new URL(address);
    const cookies = await page.context().cookies(origin);
    inside.cookies[origin] = cookies.find(({ name }) => name === COOKIE).value;
  }
  inside.user = user;
}

/** The person becomes a member of many groups, once. */
function joinsManyGroups() {
  inside.joined ??= (async () => {
    for (let index = 0; index < MANY_GROUPS; index++) {
      const { groupId } = await call("POST", "/v1/groups", { name: `group-of-people-${index}` });
      await call("PUT", `/v1/groups/${groupId}/members/${inside.user.userId}`, {});
    }
    await delay(REMEMBERED_MILLISECONDS);
  })();
  return inside.joined;
}

test("a person signs in once, and is back at the page of each application", TIMEOUT, async () => {
  const path = "/dashboards/1?from=now-1h&to=%2F&x=a+b";
  await enters(given.proxies.flatMap(({ origin, sibling }) => [origin + path, `${sibling}/`]));

  assert.equal(application.requests.filter(({ path: asked }) => asked === path).length, given.proxies.length);
});

for (const proxy of given.proxies) {
  const { name, port, origin, sibling, clientId } = proxy;
  const { host, hostname } = new URL(origin);

  /** Sends a request over HTTP/1.1. */
  const asks = ({ cookie, method = "GET", path = "/", headers = [], to = host } = {}) => {
    const cookies = cookie ? [`Cookie: theme=dark; ${COOKIE}=${cookie}; lang=en`] : [];
    const lines = [`${method} ${path} HTTP/1.1`, `Host: ${to}`, ...cookies, ...headers];
    return sent(port, hostname, `${lines.join("\r\n")}\r\n\r\n`);
  };
  /** The person who sent the last request to the application, by its JWT. */
  const subject = async () => {
    const [authorization, ...more] = valuesOf("authorization");
    assert.deepEqual(more, []);
    const { payload } = await jwtVerify(authorization.replace("Bearer ", ""), keys, { audience: clientId });
    return payload.sub;
  };
  /** The application gets no request while something is tried. */
  const unreached = async (attempt) => {
    const before = application.requests.length;
    const result = await attempt();
    assert.equal(application.requests.length, before);
    return result;
  };

  describe(`behind ${name}`, () => {
    const own = () => inside.cookies[origin];
    const others = () => inside.cookies[sibling];

    test("the application gets the person, and its own cookies", TIMEOUT, async () => {
      assert.equal((await asks({ cookie: own() })).status, 200);
      assert.equal(await subject(), inside.user.userId);
      assert.deepEqual(valuesOf("x-auth-request-user"), [inside.user.userId]);
      assert.deepEqual(valuesOf("cookie"), ["theme=dark; lang=en"]);
    });

    test("a WebSocket opens with the cookie only", TIMEOUT, async () => {
      const headers = [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
      ];
      assert.equal((await asks({ cookie: own(), headers })).status, 101);
      assert.equal((await unreached(() => asks({ headers }))).status, 401);
    });

    test("a gigabyte passes", TIMEOUT, async () => {
      assert.equal(await downloaded(`${origin}/download`, `${COOKIE}=${own()}`), GIGABYTE);
    });

    test("a program, and a form that arrives without a cookie, get 401", TIMEOUT, async () => {
      for (const parts of [
        { headers: ["Accept: application/json"] },
        { method: "POST", headers: ["Accept: text/html", "Content-Length: 0"] },
        { method: "POST", headers: ["Accept: text/html", "Content-Length: 0"], path: "/.keystead/callback" },
      ]) {
        assert.equal((await unreached(() => asks(parts))).status, 401, JSON.stringify(parts));
      }
    });

    test("identity headers of the client do not survive, in any spelling", TIMEOUT, async () => {
      const names = [
        ...["X-Auth-Request-User", "x-auth-request-user", "X_Auth_Request_User", "x-auth_request-user"],
        ...["X-Auth-Request-Email", "X-AUTH-REQUEST-GROUPS", "X_Auth_Request_Groups", "X-Keystead-JWT", "x_keystead_jwt"],
        ...["x.auth.request.user", "x~keystead~jwt", "X-Auth-Request-Preferred-Username", "Authorization"],
      ];
      for (const forged of names) {
        const headers = [`${forged}: admin`, `${forged}: admin`];
        const before = application.requests.length;
        const { status } = await asks({ cookie: own(), headers });
        if (application.requests.length === before) {
          assert.ok([400, 403, 500].includes(status), `${forged}: ${status}`);
          continue;
        }
        assert.equal(await subject(), inside.user.userId);
        assert.ok(!JSON.stringify(last().headers).includes("admin"), `${forged}: ${JSON.stringify(last().headers)}`);
        const users = last().headers.filter(([key]) => spelling(key) === "x-auth-request-user");
        assert.deepEqual(users, [["x-auth-request-user", inside.user.userId]]);
      }
    });

    test("hop-by-hop headers take the identity neither away nor from the client", TIMEOUT, async () => {
      const named = ["x-auth-request-user, authorization, x-keystead-jwt", "close, x-forwarded-host, x-forwarded-uri, cookie"];
      const headers = [...named.map((each) => `Connection: ${each}`), "X-Auth-Request-User: admin", "Authorization: Bearer admin"];
      for (const connection of [headers.slice(0, 1), headers.slice(1, 2), headers.slice(0, 2)]) {
        const before = application.requests.length;
        await asks({ cookie: own(), headers: [...connection, ...headers.slice(2)] });
        if (application.requests.length === before) continue;
        assert.equal(await subject(), inside.user.userId);
        assert.deepEqual(valuesOf("x-auth-request-user"), [inside.user.userId]);
      }
      await unreached(() => asks({ headers }));
    });

    test("no other protocol than WebSockets begins, in which the proxy sees no requests", TIMEOUT, async () => {
      const headers = ["Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAAQAAP__"];
      for (const upgrade of [["h2c"], ["h2c, websocket"], ["h2c", "websocket"], ["websocket", "h2c"]]) {
        const before = application.requests.length;
        await asks({ cookie: own(), headers: [...headers, ...upgrade.map((each) => `Upgrade: ${each}`)] });
        const asked = application.requests.slice(before).flatMap((each) => each.headers);
        assert.deepEqual(asked.filter(([key, value]) => key === "upgrade" && value !== "websocket"), []);
      }
    });

    test("a forwarded method, host or path of the client is not believed", TIMEOUT, async () => {
      const forwarded = `X-Forwarded-Host: ${new URL(sibling).host}`;
      for (const parts of [
        { cookie: others(), headers: [forwarded] },
        { cookie: others(), headers: [forwarded, forwarded, "X_Forwarded_Host: a"] },
        { headers: ["X-Forwarded-Method: GET", "X-Forwarded-Uri: /.keystead/callback", "X-Forwarded-For: 127.0.0.1"] },
        { headers: ["X-Original-URL: /", "X-Original-Method: OPTIONS", "X-Envoy-Original-Path: /", "X-Envoy-Internal: true"] },
        { cookie: others(), headers: [`Forwarded: host=${new URL(sibling).host}`] },
      ]) {
        assert.equal((await unreached(() => asks(parts))).status, 401, JSON.stringify(parts));
      }
    });

    test("headers that programs believe of a proxy are none of the client's", TIMEOUT, async () => {
      const names = [
        ...["Forwarded", "X-Real-IP", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Port"],
        ...["X-Forwarded-Prefix", "X-Forwarded-Uri", "X-Forwarded-Server", "X-Original-URL", "X-Rewrite-URL", "X-Host", "Proxy"],
      ];
      assert.equal((await asks({ cookie: own(), headers: names.map((each) => `${each}: evil.example`) })).status, 200);
      assert.deepEqual(last().headers.filter(([, value]) => value.includes("evil.example")), []);
    });

    test("many cookies and many groups pass", TIMEOUT, async () => {
      const cookies = `${COOKIE}=${own()}; ${"session=0123456789abcdef; ".repeat(270)}`;
      const asked = () => asks({ headers: [`Cookie: ${cookies}`] });
      await joinsManyGroups();
      assert.equal((await asked()).status, 200);
      const [groups] = valuesOf("x-auth-request-groups");
      assert.equal(groups.split(",").length, MANY_GROUPS);
      assert.ok(valuesOf("cookie").join("; ").length > 6_900);
      assert.equal(await subject(), inside.user.userId);
    });

    test("more than 100 headers are 431", TIMEOUT, async () => {
      const headers = Array.from({ length: 105 }, (_, index) => `X-Header-${index}: a`);
      assert.equal((await unreached(() => asks({ cookie: own(), headers }))).status, 431);
    });

    test("no path avoids the gate", TIMEOUT, async () => {
      for (const path of [
        ...["//", "/..", "/%2e%2e/", "/.keystead/check", "/.keystead/callback", "/.keystead/callback/../../"],
        ...["/.keystead%2fcallback", "//.keystead/callback", "/;/", "/%2F%2F", "/a%00b", "/gate/check", `${origin}/`],
      ]) {
        const { status, headers } = await unreached(() => asks({ path, headers: ["Accept: text/html"] }));
        const to = headers.get("location");
        assert.ok([0, 302, 307, 400, 401, 403, 404, 500].includes(status), `${path}: ${status}`);
        if (to) assert.ok(to.startsWith(given.origin) || to.startsWith(origin) || /^\/(?!\/)/.test(to), `${path}: ${to}`);
      }
    });

    test("the callback leads only to its own origin, and only the browser that began", TIMEOUT, async () => {
      const headers = ["Accept: text/html"];
      const begun = await asks({ path: "//evil.example/\\evil.example", headers });
      assert.equal(begun.status, 302);
      const state = new URL(begun.headers.get("location")).searchParams.get("state");
      const callback = (value) => `/.keystead/callback?code=kac_a&iss=${given.origin}&state=${value}`;

      // With a cookie of this application, the state decides where the person returns to.
      const returned = await asks({ cookie: own(), path: callback(state), headers });
      assert.equal(returned.status, 302);
      assert.equal(new URL(returned.headers.get("location")).origin, origin);

      for (const path of [callback(state), callback("https://evil.example/"), callback(`${state}a`), callback("")]) {
        const { status, headers: answered } = await unreached(() => asks({ path, headers }));
        assert.ok([400, 403, 500].includes(status), `${path}: ${status}`);
        assert.equal(answered.get("location"), undefined);
      }
    });

    test("the cookie of a sibling, two cookies and a forged one open nothing", TIMEOUT, async () => {
      const attempts = [
        { cookie: others() },
        { cookie: `${own()}; ${COOKIE}=${others()}` },
        { cookie: `${own().slice(0, -6)}AAAA==` },
        { cookie: `x"; ${COOKIE.toUpperCase()}=${own()}` },
      ];
      for (const parts of attempts) {
        assert.equal((await unreached(() => asks(parts))).status, 401, JSON.stringify(parts));
      }
    });

    test("the application gets its own name as the host, whatever name the client sends", TIMEOUT, async () => {
      for (const to of [host, new URL(sibling).host, "unknown.gate.test", "127.0.0.1"]) {
        const before = application.requests.length;
        await asks({ cookie: own(), to });
        for (const { headers } of application.requests.slice(before)) {
          const [[, given]] = headers.filter(([key]) => key === "host");
          assert.ok([host, hostname].includes(given), `${to}: ${given}`);
        }
      }
    });

    test("a request with two hosts is of one application or of none", TIMEOUT, async () => {
      const hosts = [new URL(sibling).host, "unknown.gate.test", host.toUpperCase(), `${host}.`];
      const pairs = hosts.flatMap((each) => [[each, host], [host, each], [each, each]]);
      // Neither application gets a request with the cookie of the other one.
      for (const [first, second] of pairs) {
        const headers = { ":authority": first, host: second };
        await unreached(() => sentOverHttp2(port, hostname, { ...headers, cookie: `${COOKIE}=${others()}` }));
        await unreached(() => asks({ cookie: others(), to: first, headers: [`Host: ${second}`] }));
        await unreached(() => asks({ cookie: others(), to: first, path: `https://${second}/` }));
        const before = siblings.requests.length;
        await sentOverHttp2(port, hostname, { ...headers, cookie: `${COOKIE}=${own()}` });
        await asks({ cookie: own(), to: first, path: `https://${second}/` });
        assert.equal(siblings.requests.length, before);
      }
    });
  });
}

/** The answers of the first application behind each proxy to a person. */
const answers = () =>
  Promise.all(
    given.proxies.map(({ port, origin }) => {
      const { host, hostname } = new URL(origin);
      const lines = ["GET / HTTP/1.1", `Host: ${host}`, "Accept: text/html", `Cookie: ${COOKIE}=${inside.cookies[origin]}`];
      return sent(port, hostname, `${lines.join("\r\n")}\r\n\r\n`);
    }),
  );

test("signing out closes every gate within five seconds", TIMEOUT, async () => {
  for (const { status } of await answers()) assert.equal(status, 200);

  await call("DELETE", `/v1/users/${inside.user.userId}/sessions`);
  const ended = Date.now();
  let asked, answered;
  do {
    asked = Date.now();
    answered = await answers();
  } while (asked - ended < CLOSED_MILLISECONDS && answered.some(({ status }) => status === 200));

  for (const { status, headers } of answered) {
    assert.equal(status, 302);
    assert.ok(headers.get("location").startsWith(`${given.origin}/oauth/authorize?`));
  }
});

test("every request that an application got has a token for it, and no cookie of the gate", TIMEOUT, () => {
  for (const [each, ids] of [
    [application, given.proxies.map(({ clientId }) => clientId)],
    [siblings, given.proxies.map(({ siblingId }) => siblingId)],
  ]) {
    for (const { headers } of each.requests) {
      const { authorization, cookie = "" } = Object.fromEntries(headers);
      const { aud } = JSON.parse(Buffer.from(authorization.split(".")[1], "base64url"));
      assert.ok(ids.includes(aud));
      assert.ok(!cookie.includes(COOKIE));
    }
  }
});

test("without Keystead, every gate is closed", TIMEOUT, async () => {
  await enters(given.proxies.map(({ origin }) => `${origin}/`));
  await ask("/stop");
  const before = application.requests.length;
  for (const { status } of await answers()) assert.ok(status >= 500, String(status));
  assert.equal(application.requests.length, before);
});
