/**
 * A service with an endpoint for people who have a session of Keystead.
 *
 * Settings: ADDRESS to listen on, KEYSTEAD_URL of the web port, ISSUER and AUDIENCE of the JWTs, and
 * ORG_IDS, the organizations whose users are accepted, separated by commas (all by default). With
 * KEYSTEAD_GRPC_ADDRESS and KEYSTEAD_TOKEN_FILE, the token of a user who has ROLE_SESSION_VERIFIER, a session that has
 * ended is refused at once.
 */
import { createServer } from "node:http";
import {
  connect,
  EndedSessions,
  KeySet,
  KeysUnavailableError,
  RefusedSessionError,
  SessionVerifier,
  tokenFile,
} from "keystead-client";

const { ADDRESS, AUDIENCE, ISSUER, KEYSTEAD_GRPC_ADDRESS, KEYSTEAD_TOKEN_FILE, KEYSTEAD_URL, ORG_IDS } = process.env;
const orgIds = ORG_IDS?.split(",");
let ended;
if (KEYSTEAD_GRPC_ADDRESS) {
  // In production with TLS: without `plaintext`.
  ended = new EndedSessions(connect(KEYSTEAD_GRPC_ADDRESS, tokenFile(KEYSTEAD_TOKEN_FILE), { plaintext: true }));
}
const verifier = new SessionVerifier(new KeySet(KEYSTEAD_URL), { issuer: ISSUER, audience: AUDIENCE, ended, orgIds });

/** The user and the session of the caller. */
async function whoami(request, answer) {
  try {
    const session = await verifier.verify((request.headers.authorization ?? "").replace(/^Bearer /, ""));
    answer.end(`${session.userId} ${session.sessionId}\n`);
  } catch (error) {
    if (error instanceof RefusedSessionError) {
      // RFC 6750, section 3.1
      answer.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' });
    } else if (error instanceof KeysUnavailableError) {
      answer.writeHead(503, { "retry-after": "5" });
    } else {
      throw error;
    }
    answer.end(`${error.message}\n`);
  }
}

/** 503 while the service has not been told of ended sessions for a minute, or never yet. */
function ready(_request, answer) {
  const isLate = ended !== undefined && ended.behindMs > 60_000;
  answer.writeHead(isLate ? 503 : 204).end();
}

const routes = { "/whoami": whoami, "/ready": ready };
const server = createServer((request, answer) => {
  const route = routes[request.url];
  if (route) route(request, answer);
  else answer.writeHead(404).end();
});
const [host, port] = ADDRESS.split(":");
server.listen(Number(port), host);
