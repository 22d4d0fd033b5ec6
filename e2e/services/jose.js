// A service that verifies session JWTs with jose: GET /whoami answers 200 or 401.
import { createServer } from "node:http";
import { createRemoteJWKSet, jwtVerify } from "jose";

const { ADDRESS, AUDIENCE, ISSUER, KEYSTEAD_URL } = process.env;
const keys = createRemoteJWKSet(new URL(`${KEYSTEAD_URL}/.well-known/jwks.json`));
const expected = { algorithms: ["ES256"], audience: AUDIENCE, issuer: ISSUER, typ: "at+jwt", requiredClaims: ["exp"] };

const server = createServer(async (request, answer) => {
  const token = (request.headers.authorization ?? "").replace(/^Bearer /, "");
  try {
    const { payload } = await jwtVerify(token, keys, expected);
    answer.end(`${payload.sub} ${payload.sid}\n`);
  } catch (error) {
    console.error("refused:", error.code);
    answer.writeHead(401).end();
  }
});
const [host, port] = ADDRESS.split(":");
server.listen(Number(port), host);
