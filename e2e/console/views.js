/** Each view of the console: it loads, everybody can read and reach it, and it fits on small screens. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { signedIn } from "../account_pages/person.js";
import { application as shop, consents, sent } from "../authorization/person.js";
import { addAxe, violations } from "../support/axe.js";
import { call, refusalKept } from "../support/server.js";
import { administrator, newOrganization } from "./person.js";
import { PATIENT } from "../world.js";

const TARGET_PIXELS = 24; // WCAG 2.2, 2.5.8
const DISPLAYS = [
  { viewport: { width: 1200, height: 800 }, colorScheme: "light" },
  { viewport: { width: 1200, height: 800 }, colorScheme: "dark" },
  { viewport: { width: 600, height: 400 }, colorScheme: "light" }, // 1200 x 800 at 200 %
  { viewport: { width: 360, height: 740 }, colorScheme: "light" },
];

/** The objects that the views show. */
async function world() {
  const { orgId, name } = await newOrganization();
  const scope = { "x-service-orgid": orgId };
  const { user, person } = await signedIn({ fields: { orgId, displayName: "Grace Hopper", email: "grace@example.com" } });
  await user.token();
  await sent(person, await shop({ orgId }));
  await consents(person);
  const { groupId } = await call("POST", "/v1/groups", { name: "engineering", displayName: "Engineering" }, scope);
  await call("PUT", `/v1/groups/${groupId}/members/${user.userId}`, {}, scope);
  const application = { name: "Grafana", kind: "APPLICATION_KIND_WEB", redirectUris: ["https://grafana.example.com/login"] };
  const { applicationId } = await call("POST", "/v1/applications", { application }, scope);
  await call("POST", `/v1/applications/${applicationId}/secrets`, {}, scope);
  const refused = { clientId: applicationId, redirectUri: "https://grafana.example.com/other", responseType: "code" };
  await call("POST", "/v1/oauth/authorizations:start", refused).catch(() => undefined);
  await refusalKept({ orgId });
  const when = "IDP_MAPPING_TIME_EVERY_SIGN_IN";
  const mappings = [{ claim: "groups", attribute: "groups", when, groups: { "0d6bd6a0-7a0b-4a37": groupId } }];
  const { idpId } = await call("POST", "/v1/idps", { name: "Example Workforce", isDisabled: true, mappings }, scope);
  const oidc = { issuer: "https://login.example.com", clientId: "keystead", clientSecret: "secret" };
  await call("PUT", `/v1/idps/${idpId}/oidc`, oidc, scope);
  const gate = { name: "Wiki", kind: "APPLICATION_KIND_GATE", origins: ["https://wiki.example.com"] };
  const { applicationId: gateId } = await call("POST", "/v1/applications", { application: gate }, scope);
  const workloads = { issuer: "https://token.actions.githubusercontent.com", audience: "https://id.example.com", subject: "repo:example/shop:*", claims: { repository_owner_id: "4711" } };
  const service = { name: "Deployment", kind: "APPLICATION_KIND_SERVICE", workloadIssuers: [workloads] };
  const { applicationId: serviceId } = await call("POST", "/v1/applications", { application: service }, scope);
  const subscription = { name: "Directory", url: "https://127.0.0.1:9/keystead", eventTypes: ["group.added"] };
  const { subscriptionId } = await call("POST", "/v1/push/subscriptions", { subscription }, scope);
  const resourceScopes = [{ name: "https://orders.example.com/scopes/orders.read.all", description: "Read the orders of all", allowedGroups: [groupId] }];
  const api = { name: "Orders", kind: "APPLICATION_KIND_RESOURCE", identifier: `https://${orgId}.example.com/api`, resourceScopes };
  const { applicationId: apiId } = await call("POST", "/v1/applications", { application: api }, scope);
  await call("POST", "/v1/groups", { name: "staff" }, scope);
  const attribute = { name: "department", displayName: "Department", type: "ATTRIBUTE_TYPE_TEXT" };
  const { attributeId } = await call("POST", "/v1/attributeDefinitions", attribute, scope);
  const { mailDomainId } = await call("POST", "/v1/mailDomains", { domain: "example.com", idpId }, scope);
  return { orgId, name, user, groupId, applicationId, idpId, gateId, serviceId, apiId, subscriptionId, attributeId, mailDomainId };
}

/** Views by their address, with their heading in English. */
const viewsOf = ({ orgId, name, user: { userId }, groupId, applicationId, idpId, gateId, serviceId, apiId, subscriptionId, attributeId, mailDomainId }) => ({
  "#/": "Overview",
  "#/attributes": "Attributes",
  "#/attributes/new": "Add an attribute",
  [`#/attributes/${attributeId}`]: "Department",
  "#/organizations": "Organizations",
  "#/organizations/new": "Add an organization",
  [`#/organizations/${orgId}`]: name,
  "#/users": "Users",
  "#/users/new": "Add a user",
  "#/users/invite": "Invite people",
  "#/users/unmoved": "Passkeys of former domains only",
  [`#/users/${userId}`]: "Grace Hopper",
  [`#/users/${userId}/security`]: "Grace Hopper",
  [`#/users/${userId}/security/token`]: "Create a token",
  [`#/users/${userId}/security/certificate`]: "Add a client certificate",
  [`#/users/${userId}/sessions`]: "Grace Hopper",
  [`#/users/${userId}/access`]: "Grace Hopper",
  [`#/users/${userId}/mails`]: "Grace Hopper",
  [`#/users/${userId}/events`]: "Grace Hopper",
  "#/sessions": "Sessions",
  "#/sessions/refused": "Refused sign-ins",
  "#/groups": "Groups",
  "#/groups/new": "Add a group",
  [`#/groups/${groupId}`]: "Engineering",
  "#/applications": "Applications",
  "#/applications/+": "Add an application",
  "#/applications/+?for=other": "Another program",
  "#/applications/+?for=grafana&host=grafana.example.com": "Grafana",
  [`#/applications/${applicationId}`]: "Grafana",
  [`#/applications/${applicationId}/people`]: "Grafana",
  [`#/applications/${applicationId}/people/${userId}`]: "Claims of Grace Hopper",
  [`#/applications/${applicationId}/connect`]: "Grafana",
  [`#/applications/${applicationId}/refusals`]: "Grafana",
  [`#/applications/${apiId}`]: "Orders",
  [`#/applications/${apiId}/connect`]: "Orders",
  [`#/applications/${apiId}/scopes`]: "Add a scope",
  [`#/applications/${apiId}/scopes/https%3A%2F%2Forders.example.com%2Fscopes%2Forders.read.all`]: "https://orders.example.com/scopes/orders.read.all",
  [`#/applications/${gateId}`]: "Wiki",
  [`#/applications/${gateId}/connect`]: "Wiki",
  [`#/applications/${serviceId}`]: "Deployment",
  [`#/applications/${serviceId}/workloads`]: "Add workloads",
  [`#/applications/${applicationId}/claims`]: "Add a claim",
  "#/push": "Webhooks",
  "#/push/new": "Add a webhook",
  [`#/push/${subscriptionId}`]: "Directory",
  [`#/push/${subscriptionId}/deliveries`]: "Directory",
  "#/push/deliveries": "Webhooks",
  "#/idps": "Identity providers",
  "#/idps/new": "Add an identity provider",
  "#/idps/new?preset=authelia": "Authelia",
  [`#/idps/${idpId}`]: "Example Workforce",
  "#/idps/domains/new": "Add a mail domain",
  [`#/idps/domains/${mailDomainId}`]: "example.com",
  [`#/idps/${idpId}/mappings`]: "Add a claim",
  [`#/idps/${idpId}/mappings/0`]: "Mapping of claims",
  "#/mail": "Mail",
  "#/mail/outbox": "Mail",
  "#/mail/templates": "Mail",
  "#/mail/templates/passkey_added": "Mail",
  "#/events": "Events",
  "#/system": "System",
  "#/nowhere": "This page does not exist",
  "#/groups/0199d3a8-5f1c-7c3a-9b7e-1d5a4f8e0c21": "This does not exist",
});

describe("everybody can read and reach all parts of each view", () => {
  let described;
  before(async () => {
    described = await world();
  });

  test("in English", { timeout: 2 * PATIENT.timeout }, () => readAll({ locale: "en-GB" }));
  test("in German, in the palest colour that a brand can have", { timeout: 2 * PATIENT.timeout }, async () => {
    await call("PUT", `/v1/orgs/${described.orgId}/brand`, { name: "Analytical Engines ".repeat(10).trim(), color: "#767676" });
    await readAll({ locale: "de-AT", displays: [DISPLAYS[1], DISPLAYS.at(-1)] });
  });

  test("in Japanese", { timeout: 2 * PATIENT.timeout }, () => readAll({ locale: "ja-JP", displays: [DISPLAYS[0], DISPLAYS.at(-1)] }));

  test("texts of the server are in the language of the reader", PATIENT, async () => {
    const { orgId, applicationId } = described;
    const { person, open } = await administrator("ROLE_INSTANCE_OWNER", { locale: "ja-JP" });
    const { page } = person;

    await open(`#/applications/${applicationId}/refusals?org=${orgId}`);
    await page.getByText("受信した redirect_uri は https://grafana.example.com/other です。").waitFor();
    assert.equal(await page.locator(".remedy").getAttribute("lang"), "ja");
    await open(`#/applications/${applicationId}/connect?for=grafana&org=${orgId}`);
    await page.getByText("Keystead のグループ grafana-admins のメンバーが Grafana を管理します。").waitFor();
    await open("#/idps/new");
    await page.getByText("OpenID プロバイダーではなく、ID トークンを発行しません。").waitFor();
  });

  test("in the dialog about the access of an application", PATIENT, async () => {
    const { userId } = described.user;
    const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: `#/users/${userId}/access?org=${described.orgId}` });
    await person.press("Change the access of Shop");
    await person.page.getByRole("dialog").getByLabel("profile").waitFor();
    await addAxe(person.page);

    await readOnAll(person.page, "the dialog");
  });

  async function readAll({ locale, displays = DISPLAYS }) {
    const { person, open } = await administrator("ROLE_INSTANCE_OWNER", { locale });
    const { page } = person;
    await addAxe(page);
    for (const [address, heading] of Object.entries(viewsOf(described))) {
      await page.setViewportSize(DISPLAYS[0].viewport);
      await open(`${address}${address.includes("organizations") ? "" : `${address.includes("?") ? "&" : "?"}org=${described.orgId}`}`);
      if (locale.startsWith("en")) await person.sees(heading);
      await page.locator("css:light=main:has(h1):not(:has([data-former], .loading))").waitFor();
      assert.equal(await page.evaluate(() => document.querySelectorAll("h1").length), 1, address);
      await readOnAll(page, address, displays);
    }
  }

  async function readOnAll(page, address, displays = DISPLAYS) {
    for (const { viewport, ...media } of displays) {
      await page.setViewportSize(viewport);
      await page.emulateMedia(media);
      const at = `${address} ${viewport.width} ${media.colorScheme}`;
      assert.deepEqual(await violations(page), [], at);
      assert.deepEqual(await page.evaluate(tooSmall, TARGET_PIXELS), [], at);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width, at);
    }
  }
});

/** In the page: controls that a finger could miss. Links within a sentence may be smaller. */
function tooSmall(pixels) {
  return [...document.querySelectorAll("button, input:not([type=checkbox]), select, nav a")]
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 0 && (width < pixels || height < pixels);
    })
    .map((element) => element.outerHTML);
}

