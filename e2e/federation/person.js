import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { withoutAutofill } from "../account_pages/person.js";
import { visit } from "../support/visit.js";
import { call } from "../support/server.js";
import { given } from "../world.js";

const PAGE = 50; // the server's default

export const unique = () => `ada-${randomUUID()}`;

/** An organization with one provider, in the look that `button` gives it. */
export async function organization({ autoRegister = true, name = "Example", button } = {}) {
  const { orgId } = await call("POST", "/v1/orgs", { name: `org-${randomUUID()}` });
  return { orgId, ...(await provider(orgId, { autoRegister, name, button })) };
}

/** Another provider of the organization. */
export async function provider(orgId, { autoRegister = true, name = "Example", issuer = given.issuer, button } = {}) {
  const stylingType = button ? "STYLING_TYPE_PROVIDER" : "STYLING_TYPE_UNSPECIFIED";
  const { idpId } = await within(orgId, "POST", "/v1/idps", { name, autoRegister, stylingType });
  await within(orgId, "PUT", `/v1/idps/${idpId}/oidc`, {
    issuer,
    clientId: "keystead",
    clientSecret: "a secret that everybody may know",
    scopes: ["profile", "email"],
    button,
  });
  return { idpId, name };
}

/** An organization whose providers need a second page. */
export async function organizationWithTwoPages() {
  const { orgId } = await organization();
  await Promise.all(Array.from({ length: PAGE }, (_, number) => provider(orgId, { name: `Provider ${number}` })));
  return orgId;
}

/** The buttons of all providers, and the one for the next page, on which `PAGE` providers are shown first. */
export async function providerButtons({ page }) {
  const buttons = page.locator("button.provider");
  const more = page.getByRole("button", { name: "More providers" });
  await more.waitFor();
  assert.equal(await buttons.count(), PAGE);
  return { buttons, more };
}

/** A call as the administrator, in the organization. */
export const within = (orgId, verb, path, body) => call(verb, path, body, { "x-service-orgid": orgId });

export const signInPage = (orgId) => `${given.origin}/signin/?org_id=${orgId}`;

/** Somebody at the sign-in page of the organization, in a browser that trusts the provider. */
export function visitor(orgId, options) {
  return visit(signInPage(orgId), { script: withoutAutofill, ignoreHTTPSErrors: true, ...options });
}

/** Gives this name at the provider, and consents. */
export async function passProvider(person, login) {
  await logIn(person, login);
  await consent(person);
}

/** Gives this name at the provider. */
export async function logIn({ page }, login) {
  await page.waitForURL(`${given.issuer}/interaction/**`);
  await page.locator('input[name="login"]').fill(login);
  await page.locator('input[name="password"]').fill("anything");
  await page.locator('button[type="submit"]').click();
}

/** Consents; the provider knows already who it is. */
export function consent({ page }) {
  return page.getByRole("button", { name: "Continue" }).click();
}
