/** Draws the pictures of `docs/console`: `pictures.py` runs it. */
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { SIGN_IN, signInElsewhere, withoutAutofill } from "./account_pages/person.js";
import { administrator, CONSOLE } from "./console/person.js";
import { call, newUser, refusalKept } from "./support/server.js";
import { visit } from "./support/visit.js";
import { given, PATIENT } from "./world.js";

const DESKTOP = { width: 1200, height: 760 };
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1";

test("the pictures of the console", PATIENT, async () => {
  const signIn = await visit(SIGN_IN, { script: withoutAutofill, viewport: { width: 760, height: 680 } });
  await signIn.sees("Sign in");
  await draw(signIn.page, "sign-in");

  const { grace, alan, applicationId, gateId, idpId, subscriptionId } = await world();
  const fields = fieldsOf("Ada Lovelace");
  const { user: ada, person } = await administrator("ROLE_INSTANCE_OWNER", { viewport: DESKTOP, fields });
  await deliveriesFailed();
  await refusalKept();
  const { page } = person;
  const show = async (hash, text) => {
    await page.goto("about:blank"); // an address that differs in its fragment loads no new page
    await page.goto(CONSOLE + hash);
    await page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor();
    await page.locator("main:has(h1):not(:has(.loading))").waitFor();
  };

  for (const [name, hash, text] of [
    ["overview", "#/", "Live"],
    ["credentials", `#/users/${ada.userId}/security`, "Laptop"],
    ["timeline", `#/users/${ada.userId}/events`, "Fields"],
    ["locked", `#/users/${alan.userId}`, "Locked out"],
    ["sessions", "#/sessions", "Live"],
    ["connect", `#/applications/${applicationId}/connect`, "Discovery document"],
    ["refusals", `#/applications/${applicationId}/refusals`, "Change the setting…"],
    ["gate", `#/applications/${gateId}/connect`, "Caddy"],
    ["webhook", `#/push/${subscriptionId}`, "Directory"],
    ["deliveries", "#/push/deliveries", "Waiting"],
    ["mail-text", "#/mail/templates/passkey_invitation?language=en", "Button"],
    ["system", "#/system", "Findings"],
    ["events", "#/events", "Live"],
    ["users", "#/users", "Ada Lovelace"],
  ]) {
    await show(hash, text);
    await draw(page, name);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await draw(page, "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 360, height: 740 });
  await draw(page, "small");

  await page.setViewportSize(DESKTOP);
  await show(`#/idps/${idpId}`, "Sign-in button");
  await page.locator("section").filter({ hasText: "Sign-in button" }).evaluate(toTheMiddle);
  await draw(page, "button");

  await call("POST", "/v1/smtp", { senderAddress: "no-reply@example.com", senderName: "Example", host: "smtp.example.com:587", tls: true });
  await show("#/users/invite", "Invite people");
  const list = ["Given name,Family name,Email,Department", "Annie,Easley,annie@example.com,Propulsion", "Dorothy,Vaughan,dorothy@example.com,Computing", "Mary,Jackson,mary,Engineering"];
  await page.getByLabel("Mail addresses or a table").fill(list.join("\n"));
  await page.getByRole("button", { name: "Check the list" }).click();
  await page.getByRole("heading", { name: "1 person cannot be invited" }).evaluate(toTheMiddle);
  await draw(page, "invite");

  await page.setViewportSize({ width: 900, height: 460 });
  await show(`#/users/${grace.userId}`, "Settings");
  await page.getByLabel("Display name").fill("Rear Admiral Hopper");
  await call("PATCH", `/v1/users/${grace.userId}`, { user: { displayName: "Amazing Grace" }, updateMask: "displayName" });
  await person.press("Save");
  await page.locator(".conflict").evaluate(toTheMiddle);
  await draw(page, "conflict");
});

/** The objects of the pictures. */
async function world() {
  const grace = await newUser(fieldsOf("Grace Hopper"));
  const hedy = await newUser(fieldsOf("Hedy Lamarr"));
  const alan = await newUser(fieldsOf("Alan Turing"));
  await newUser(fieldsOf("Margaret Hamilton"));
  await newUser(fieldsOf("Katherine Johnson"));
  await call("POST", `/v1/users/${hedy.userId}/roles`, { role: "ROLE_ORG_USER_MANAGER" });
  await call("POST", `/v1/users/${alan.userId}:lock`, { reason: "The laptop was stolen." });
  await signsInTwice(hedy, IPHONE, WINDOWS);
  await signsInTwice(grace, WINDOWS, IPHONE);

  const web = { name: "Grafana", kind: "APPLICATION_KIND_WEB", redirectUris: ["https://grafana.example.com/login"] };
  const { applicationId } = await call("POST", "/v1/applications", { application: web });
  await call("POST", `/v1/applications/${applicationId}/secrets`, {});
  const start = { clientId: applicationId, redirectUri: "https://grafana.example.com/login/generic_oauth", responseType: "code" };
  await call("POST", "/v1/oauth/authorizations:start", start).catch(() => undefined);
  const gate = { name: "Wiki", kind: "APPLICATION_KIND_GATE", origins: ["https://wiki.example.com"] };
  const { applicationId: gateId } = await call("POST", "/v1/applications", { application: gate });
  const { idpId } = await call("POST", "/v1/idps", { name: "Google", stylingType: "STYLING_TYPE_PROVIDER" });
  const button = { backgroundColor: "#ffffff", textColor: "#1f1f1f" };
  const client = { clientId: "keystead.apps.googleusercontent.com", clientSecret: "secret", scopes: ["profile", "email"] };
  await call("PUT", `/v1/idps/${idpId}/oidc`, { issuer: "https://accounts.google.com", ...client, button });
  const subscription = { name: "Directory", url: "https://127.0.0.1:9/keystead", eventTypes: ["group.added", "user.added"] };
  const { subscriptionId } = await call("POST", "/v1/push/subscriptions", { subscription });
  await call("POST", "/v1/groups", { name: "staff" });
  return { grace, alan, applicationId, gateId, idpId, subscriptionId };
}

function fieldsOf(displayName) {
  const userName = displayName.split(" ")[0].toLowerCase();
  return { userName, displayName, email: `${userName}@example.com` };
}

async function signsInTwice(user, first, second) {
  const person = await visit(await user.link(), { script: withoutAutofill, userAgent: first });
  await person.press("Create passkey");
  await person.page.locator("a.primary").waitFor();
  await signInElsewhere(person, second);
}

async function deliveriesFailed() {
  const read = async () => (await call("GET", "/v1/push/deliveries")).deliveries ?? [];
  while ((await read()).filter(({ attempts }) => attempts?.length).length < 2) await setTimeout(100);
}

/** In the page. */
function toTheMiddle(element) {
  element.scrollIntoView({ block: "center", behavior: "instant" });
}

function draw(page, name) {
  return page.screenshot({ path: `${given.pictures}/${name}.png`, animations: "disabled" });
}
