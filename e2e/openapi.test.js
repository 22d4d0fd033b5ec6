import { assert } from "chai";
import { test } from "node:test";
import { openapiClient } from "./gen/clients/openapi.js";
import { CASE_MILLISECONDS, webUrl, world } from "./world.js";

const client = openapiClient(webUrl, world.token);
const timeout = { timeout: CASE_MILLISECONDS };

test("members that may be absent need not be sent", timeout, async () => {
  const idpId = await client.createIdp("By openapi-fetch");

  const idp = await client.getIdp(idpId);
  assert.equal(idp.name, "By openapi-fetch");
  assert.equal(idp.stylingType, "STYLING_TYPE_UNSPECIFIED");
  assert.isFalse(idp.autoRegister);
});

test("members that are sent are kept", timeout, async () => {
  const idpId = await client.createIdp("Before");

  await client.replaceIdp(idpId, "After", true);

  const idp = await client.getIdp(idpId);
  assert.equal(idp.name, "After");
  assert.equal(idp.stylingType, "STYLING_TYPE_PROVIDER");
  assert.isTrue(idp.autoRegister);
});

test("a body that may be absent need not be sent", timeout, async () => {
  const token = await client.createToken(world.userId);

  assert.match(token, /^kst_/);
});

test("an error has the type of the description", timeout, async () => {
  const status = await client.refusalOfIdp("");

  assert.equal(status.code, 3);
  assert.include(JSON.stringify(status.details), "must not be empty");
});
