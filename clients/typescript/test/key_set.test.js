import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mock, test } from "node:test";
import { exportJWK, generateKeyPair } from "jose";
import { KeySet, KeysUnavailableError } from "keystead-client";

test("keys are fetched when they are old, and used for twice their age without an answer", async () => {
  const { publicKey } = await generateKeyPair("ES256");
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "a", alg: "ES256", use: "sig" }] };
  let [status, fetches] = [503, 0];
  const server = createServer((_, answer) => {
    fetches += 1;
    answer.writeHead(status, { connection: "close" }).end(JSON.stringify(jwks));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const keys = new KeySet(`http://127.0.0.1:${server.address().port}/`);
  const found = async (kid) => {
    try {
      return Boolean(await keys.find({ alg: "ES256", kid }, {}));
    } catch (error) {
      return error instanceof KeysUnavailableError ? "unavailable" : error.code;
    }
  };

  try {
    for (const [laterSeconds, answered, kid, expected, expectedFetches] of [
      [0, 503, "a", "unavailable", 1],
      [0, 200, "a", "unavailable", 1], // no further request while it is down
      [5, 200, "a", true, 2],
      [59, 200, "b", "ERR_JWKS_NO_MATCHING_KEY", 2],
      [2, 200, "b", "ERR_JWKS_NO_MATCHING_KEY", 3],
      [3599, 200, "a", true, 3],
      [2, 200, "a", true, 4],
      [61, 503, "b", "unavailable", 5], // the key may be a new one
      [7138, 503, "a", true, 6],
      [2, 503, "a", "unavailable", 6],
      [5, 200, "a", true, 7],
    ]) {
      mock.timers.tick(laterSeconds * 1000);
      status = answered;
      assert.deepEqual([await found(kid), fetches], [expected, expectedFetches], `${kid} after ${fetches} fetches`);
    }
  } finally {
    mock.timers.reset();
    server.close();
  }
});
