/**
 * An OpenID provider for trying the sign-in: it accepts every name with any password.
 *
 * `node provider.js PORT CERTIFICATE PAGES` serves https://localhost:PORT. CERTIFICATE is a PEM file of certificate and
 * key. PAGES is the origin of the pages to which the provider redirects.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { Provider } from "oidc-provider";

const CLIENT = { client_id: "keystead", client_secret: "a secret that everybody may know" };

const [port, certificate, pages] = process.argv.slice(2);
const issuer = `https://localhost:${port}`;
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

const provider = new Provider(issuer, {
  clients: [{ ...CLIENT, redirect_uris: [`${pages}/signin/callback/`] }],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "preferred_username"] },
  cookies: { keys: [randomBytes(32).toString("hex")] },
  findAccount: (_context, accountId) => ({
    accountId,
    claims: () => ({
      sub: accountId,
      preferred_username: accountId,
      name: accountId,
      email: `${accountId}@example.com`,
      email_verified: true,
    }),
  }),
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "first", use: "sig", alg: "RS256" }] },
});

// The path ends with the ID of an identity provider, which is not known when the provider starts. A real provider
// compares the whole address.
provider.Client.prototype.redirectUriAllowed = function (uri) {
  return uri.startsWith(this.redirectUris[0]);
};

const tls = readFileSync(certificate);
createServer({ key: tls, cert: tls }, provider.callback()).listen(Number(port), "localhost", () => console.log(issuer));
