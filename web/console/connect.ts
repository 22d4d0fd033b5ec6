/** How to connect an application: the values that every library asks for, and configurations of common ones. */

import { html, type TemplateResult } from "lit";
import caddy from "../../deploy/gate/Caddyfile?raw";
import envoy from "../../deploy/gate/envoy.yaml?raw";
import nginx from "../../deploy/gate/nginx.conf?raw";
import { type Application, ApplicationKind } from "../gen/console/keystead/application/v1/application_service_pb";
import { ROOT } from "../shared/api";
import { copyable, facts, section, snippet } from "./parts";
import { t } from "./view_words";

const PROXIES = [
  ["Caddy", caddy],
  ["nginx", nginx],
  ["Envoy", envoy],
] as const;
const ISSUER = ROOT.replace(/\/$/, "");

/** The panel for an application. Snippets name the place of the secret, which the server cannot show again. */
export function connection(application: Application): TemplateResult {
  const { applicationId, scopes, kind } = application;
  if (kind === ApplicationKind.GATE) return gate(application);
  if (kind === ApplicationKind.RESOURCE) return api(application);
  const discovery = `${ISSUER}/.well-known/openid-configuration`;
  return section(
    t("connect"),
    html`${facts(
      [t("connect.issuer"), copyable(ISSUER, t("connect.issuer"))],
      [t("connect.discovery"), copyable(discovery, t("connect.discovery"))],
      [t("clientId"), copyable(applicationId, t("clientId"))],
      scopes.length > 0 && [t("field.scopes"), copyable(scopes.join(" "), t("field.scopes"))],
    )}
  ${snippetsOf(application).map(([label, code]) => snippet(label, code))}`,
    { lead: t("connect.lead") },
  );
}

/** The panel for an API. */
function api({ applicationId, identifier }: Application): TemplateResult {
  return section(
    t("connect"),
    facts(
      [t("connect.issuer"), copyable(ISSUER, t("connect.issuer"))],
      [t("field.identifier"), copyable(identifier, t("field.identifier"))],
      [t("connect.keys"), copyable(`${ISSUER}/.well-known/jwks.json`, t("connect.keys"))],
      [t("connect.introspection"), copyable(`${ISSUER}/oauth/introspect`, t("connect.introspection"))],
      [t("clientId"), copyable(applicationId, t("clientId"))],
    ),
    { lead: t("connect.apiLead") },
  );
}

/** The panel for an application behind a proxy. */
function gate({ applicationId, origins }: Application): TemplateResult {
  const host = new URL(origins[0] ?? "https://app.example.com").host;
  return section(
    t("connect"),
    html`${facts(
      [t("clientId"), copyable(applicationId, t("clientId"))],
      [t("connect.check"), copyable(`${ISSUER}/gate/check`, t("connect.check"))],
      [t("connect.checkOverGrpc"), copyable("envoy.service.auth.v3.Authorization/Check", t("connect.checkOverGrpc"))],
    )}
  ${snippet(t("connect.token"), "keystead user create gate\nkeystead user grant gate GATE\nkeystead token create gate --name proxy")}
  ${PROXIES.map(([label, configuration]) => snippet(label, configuration.replaceAll("grafana.example.com", host)))}`,
    { lead: t("connect.gateLead") },
  );
}

function snippetsOf({
  applicationId: id,
  kind,
  redirectUris,
  scopes,
}: Application): readonly (readonly [label: string, code: string])[] {
  const scope = scopes.join(" ") || "openid";
  const redirect = redirectUris[0] ?? "https://app.example.com/callback";
  if (kind === ApplicationKind.SERVICE) {
    return [
      [
        "curl",
        `curl ${ISSUER}/oauth/token \\\n  --user "${id}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`,
      ],
      [
        "Python, Authlib",
        `from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${id}", CLIENT_SECRET)\ntoken = session.fetch_token("${ISSUER}/oauth/token", grant_type="client_credentials")`,
      ],
    ];
  }
  const secret = kind === ApplicationKind.WEB;
  return [
    [
      "JavaScript, openid-client",
      `import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${ISSUER}"),\n  "${id}",${secret ? "\n  process.env.CLIENT_SECRET," : ""}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${redirect}",\n  scope: "${scope}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`,
    ],
    [
      "Python, Authlib",
      `oauth.register(\n    "keystead",\n    client_id="${id}",${secret ? '\n    client_secret=os.environ["CLIENT_SECRET"],' : ""}\n    server_metadata_url="${ISSUER}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${scope}", "code_challenge_method": "S256"},\n)`,
    ],
    [
      "Spring Boot",
      `spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${id}${secret ? "\n    client-secret: ${CLIENT_SECRET}" : "\n    client-authentication-method: none"}\n    scope: ${scopes.join(", ") || "openid"}\n  provider.keystead.issuer-uri: ${ISSUER}`,
    ],
  ];
}
