import { randomUUID } from "node:crypto";
import { withoutAutofill } from "../account_pages/person.js";
import { visitRegistered } from "../support/register.js";
import { call, newUser } from "../support/server.js";
import { given } from "../world.js";

export const CONSOLE = `${given.origin}/console/`;

/** A new organization. */
export async function newOrganization(name = `Example ${randomUUID().slice(0, 8)}`) {
  const { orgId } = await call("POST", "/v1/orgs", { name });
  return { orgId, name };
}

/** A person with this role, whom the registration has signed in, in a browser that shows a view of the console. */
export async function administrator(role = "ROLE_INSTANCE_OWNER", { at = "#/", orgId, fields, ...options } = {}) {
  const user = await newUser({ orgId, ...fields });
  if (role) await call("POST", `/v1/users/${user.userId}/roles`, { role });
  const person = await visitRegistered(await user.link(), { script: withoutAutofill, signsIn: true, ...options });
  // The browser asks whoever leaves entries that are not saved.
  person.page.on("dialog", (dialog) => dialog.accept());
  await person.page.goto(CONSOLE + at);
  return { user, person, open: (hash) => open(person, hash) };
}

/** Opens another view. Until it is shown, the heading of the former one is marked. */
async function open({ page }, hash) {
  await page.evaluate((to) => {
    document.querySelector("h1")?.setAttribute("data-former", "");
    location.hash = to;
  }, hash);
}

/** Holds the first request to an address: `asked` resolves when the page has sent it, `release` lets it go on. */
export async function hold(page, address) {
  let tell, release;
  const asked = new Promise((resolve) => (tell = resolve));
  const released = new Promise((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    tell();
    await released;
    await route.continue();
  }, { times: 1 });
  return { asked, release };
}
