/** Applications with other libraries sign people in: `test_relying_parties.py` runs them, and this. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { registered } from "./account_pages/person.js";
import { call } from "./support/server.js";
import { given, TIMEOUT } from "./world.js";

for (const [name, home] of Object.entries(given.relyingParties)) {
  test(`${name} signs a person in, reads who it is, and signs out`, TIMEOUT, async () => {
    const { user, person } = await registered();
    const { groupId } = await call("POST", "/v1/groups", { name: `admins-of-${name}` });
    await call("PUT", `/v1/groups/${groupId}/members/${user.userId}`, {});
    const { page } = person;

    await page.goto(`${home}/whoami`);
    await person.press("Sign in with a passkey");
    await person.press("Allow");

    await page.waitForURL((url) => url.origin === home && !url.searchParams.has("code"));
    const { id_token, userinfo } = await (await page.request.get(`${home}/whoami`)).json();
    assert.deepEqual({ iss: id_token.iss, sub: id_token.sub, acr: id_token.acr }, {
      iss: given.origin,
      sub: user.userId,
      acr: "phr",
    });
    const { updated_at, ...claims } = userinfo;
    assert.ok(Number.isInteger(updated_at) && updated_at <= Date.now() / 1000);
    assert.deepEqual(claims, {
      sub: user.userId,
      name: "Ada Lovelace",
      preferred_username: user.userName,
      groups: [`admins-of-${name}`],
    });

    await page.goto(`${home}/logout`);
    await page.waitForURL((url) => url.origin === home && url.pathname === "/goodbye");
    assert.deepEqual(await page.context().cookies(given.origin), []);
    await page.goto(`${home}/whoami`);
    await person.sees("Sign in");
  });
}
