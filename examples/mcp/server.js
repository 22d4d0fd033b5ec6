/**
 * An MCP server to which people sign in with Keystead. See docs/mcp.md.
 *
 * Settings: ADDRESS to listen on, RESOURCE, the URL of this server as its clients name it, ISSUER, that of Keystead, and
 * ORG_IDS, the IDs of the organizations whose users may call it, separated by commas.
 */
import { InvalidTokenError, ServerError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createRemoteJWKSet, errors, jwtVerify } from "jose";

const {
  ADDRESS = "127.0.0.1:3001",
  ISSUER = "http://localhost:8080",
  ORG_IDS = "",
  RESOURCE = "http://localhost:3001/mcp",
} = process.env;
const orgIds = ORG_IDS.split(",").filter(Boolean);
if (!orgIds.length) throw new Error("Set ORG_IDS: `keystead org list` shows the IDs of organizations.");
const SCOPE = "tools.call";
const { origin, pathname } = new URL(RESOURCE);
// RFC 9728, section 3.1
const METADATA_PATH = `/.well-known/oauth-protected-resource${pathname}`;

const keys = createRemoteJWKSet(new URL(`${ISSUER}/.well-known/jwks.json`));
const expected = {
  issuer: ISSUER,
  audience: RESOURCE,
  typ: "at+jwt",
  algorithms: ["ES256"],
  requiredClaims: ["exp", "org_id"],
};

/** The caller of an access token (RFC 9068). One for another audience, issuer, use or organization is refused. */
async function verifyAccessToken(token) {
  try {
    const { payload } = await jwtVerify(token, keys, expected);
    const { sub, org_id: orgId, client_id: clientId = "", scope = "", exp } = payload;
    if (!orgIds.includes(orgId)) throw new InvalidTokenError("Its organization has no access.");
    return { token, clientId, scopes: scope.split(" "), expiresAt: exp, resource: new URL(RESOURCE), extra: { sub } };
  } catch (error) {
    if (error instanceof InvalidTokenError) throw error;
    const isUnreachable = !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout;
    if (isUnreachable) throw new ServerError("The keys of the issuer cannot be read at present.");
    throw new InvalidTokenError(`The access token is not valid here: ${error.code}`);
  }
}

/** The tools, for one request. */
function tools() {
  const server = new McpServer({ name: "keystead-example", version: "1.0.0" });
  server.registerTool("whoami", { description: "Tells who has signed in" }, ({ authInfo }) => ({
    content: [{ type: "text", text: `${authInfo.extra.sub} with ${authInfo.clientId}` }],
  }));
  return server;
}

const [host, port] = ADDRESS.split(":");
const app = createMcpExpressApp({ host });
app.get(METADATA_PATH, (_request, answer) =>
  answer.json({
    resource: RESOURCE,
    authorization_servers: [ISSUER],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: "The example of Keystead",
  }),
);
const signedIn = requireBearerAuth({
  verifier: { verifyAccessToken },
  requiredScopes: [SCOPE],
  resourceMetadataUrl: origin + METADATA_PATH,
  expectedResource: new URL(RESOURCE),
});
app.post(pathname, signedIn, async (request, answer) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  answer.on("close", () => transport.close());
  await tools().connect(transport);
  await transport.handleRequest(request, answer, request.body);
});
// Without sessions, there are no streams to open and none to end.
app.all(pathname, (_request, answer) => answer.status(405).set("allow", "POST").end());
app.listen(Number(port), host, () => console.log(RESOURCE));
