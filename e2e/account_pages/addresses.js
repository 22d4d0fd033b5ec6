import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { newUser } from "../support/server.js";
import { PAGE, visit } from "../support/visit.js";
import { given, TIMEOUT } from "../world.js";
import { ACCOUNT, SIGN_IN, withoutAutofill } from "./person.js";

const { port } = new URL(given.origin);
const on = (host, address) => address.replace("localhost", host);

// Another port of this machine, as people have it who forward one to a server.
let forwarded;
before(async () => {
  const forward = createServer(async ({ url, method, headers }, response) => {
    const answer = await fetch(given.origin + url, { method, headers: { accept: headers.accept ?? "*/*" } });
    const kept = ["content-type", "content-security-policy", "cache-control"];
    response.writeHead(answer.status, kept.map((name) => [name, answer.headers.get(name)]).filter(([, value]) => value).flat());
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise((resolve) => forward.listen(0, "127.0.0.1", resolve));
  forwarded = { forward, origin: `http://localhost:${forward.address().port}` };
});
after(() => forwarded.forward.close());

describe("a page that is opened by another name of the machine", () => {
  for (const host of ["127.0.0.1", "shop.localhost"]) {
    test(`opens at the address of the passkeys, from ${host}`, TIMEOUT, async () => {
      for (const address of [`${SIGN_IN}?org_id=0199d3a8-5f1c-7c3a-9b7e-1d5a4f8e0c21#signed-out`, PAGE]) {
        const person = await visit(on(host, address), { script: withoutAutofill });

        await person.page.waitForURL(({ hostname }) => hostname === "localhost");
        const { origin, pathname, search } = new URL(address);
        assert.ok(person.page.url().startsWith(origin + pathname + search));
      }
    });
  }

  test("keeps the reason of a sign-out, and leads nowhere twice", TIMEOUT, async () => {
    const person = await visit(`${on("127.0.0.1", SIGN_IN)}#signed-out`, { script: withoutAutofill });

    await person.page.getByText("You are signed out.").waitFor();

    assert.equal(person.page.url(), SIGN_IN);
    assert.equal(await person.page.evaluate(() => history.length), 2); // with about:blank
  });

  test("keeps the code of a link, which adds a passkey", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit(on("127.0.0.1", await user.link()));

    await person.press("Create passkey");

    await person.sees("Your passkey is ready");
    assert.equal((await user.passkeys()).length, 1);
  });

  test("leads from the account to the sign-in there", TIMEOUT, async () => {
    const person = await visit(on("127.0.0.1", ACCOUNT), { script: withoutAutofill });

    await person.page.waitForURL(SIGN_IN);
  });
});

describe("a page at an address where passkeys do not work", () => {
  test("says so before any attempt, and names the address where they do", TIMEOUT, async () => {
    const person = await visit(`${forwarded.origin}/signin/`, { script: withoutAutofill });
    await person.sees("You cannot sign in at this address");
    assert.deepEqual(person.calls, []);

    await person.page.getByRole("link", { name: `Open this page at localhost:${port}` }).click();

    await person.sees("Sign in");
    assert.equal(person.page.url(), SIGN_IN);
  });

  test("opens a link there with its code", TIMEOUT, async () => {
    const user = await newUser();
    const person = await visit((await user.link()).replace(given.origin, forwarded.origin));
    await person.sees("Passkeys cannot be added at this address");
    await person.page.getByRole("link", { name: `Open this page at localhost:${port}` }).click();

    await person.press("Create passkey");

    await person.sees("Your passkey is ready");
  });

  test("does not send other machines to their own", TIMEOUT, async () => {
    const person = await visit(on("insecure.test", SIGN_IN));

    await person.sees("This connection is not secure");
    await person.page.getByRole("link", { name: `Open this page at localhost:${port}` }).waitFor();
  });
});
