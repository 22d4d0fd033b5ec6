/** The header has the brand of the selected organization. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { SIGN_IN } from "../account_pages/person.js";
import { call } from "../support/server.js";
import { visit } from "../support/visit.js";
import { PATIENT } from "../world.js";
import { administrator, hold, newOrganization } from "./person.js";

/** A transparent PNG of 4 x 1 pixels. */
const LOGO = "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAYAAAD5PA/NAAAAC0lEQVR42mNgQAMAABEAAX2CcagAAAAASUVORK5CYII=";
const INSTANCE = { name: "Difference Engines", color: "#7a1fa2" };
const BRAND = { name: "Analytical Engines", logo: LOGO, color: "#0b6e4f", supportAddress: "help@example.com" };
const LONG = "The Society of the Builders of Engines ".repeat(5).trim();

async function branded(brand = BRAND) {
  const { orgId } = await newOrganization();
  await call("PUT", `/v1/orgs/${orgId}/brand`, brand);
  return orgId;
}

/** The parts of a page that a brand replaces. */
function lookOf({ page }) {
  return page.evaluate(async () => {
    const [image, support] = [document.querySelector("header img"), document.getElementById("support")];
    await image.decode(); // a logo has no size before
    return {
      name: (document.querySelector("header small") ?? document.getElementById("site")).textContent,
      isLogo: image.src.startsWith("blob:") && image.naturalWidth === 4,
      accent: getComputedStyle(document.documentElement).getPropertyValue("--accent"),
      support: support.checkVisibility() && support.getAttribute("href"),
    };
  });
}

const OF_INSTANCE = { name: INSTANCE.name, isLogo: false, accent: INSTANCE.color, support: false };
const OF_ORGANIZATION = { name: BRAND.name, isLogo: true, accent: BRAND.color, support: "mailto:help@example.com" };

/** Waits for a name in the header. */
const isNamed = ({ page }, name) => page.locator("header small").getByText(name, { exact: true }).waitFor();

/** Opens the overview of an organization, and waits for its brand. */
async function enter({ person, open }, orgId, name) {
  await open(`#/?org=${orgId}`);
  await isNamed(person, name);
  await person.sees("Overview");
}

describe("the header", () => {
  before(async () => {
    const { name, color } = INSTANCE;
    await call("PUT", "/v1/brand", { name, color });
  });

  test("has the brand of the selected organization, and of one without a brand that of the instance", PATIENT, async () => {
    const [orgId, { orgId: plainId }] = [await branded(), await newOrganization()];
    const console_ = await administrator();
    const { person } = console_;
    await person.sees("Overview");
    assert.deepEqual(await lookOf(person), OF_INSTANCE);

    await enter(console_, orgId, BRAND.name);
    assert.deepEqual(await lookOf(person), OF_ORGANIZATION);
    await enter(console_, plainId, INSTANCE.name);
    assert.deepEqual(await lookOf(person), OF_INSTANCE);
  });

  test("has the brand from the first view on", PATIENT, async () => {
    const orgId = await branded();
    const { person } = await administrator("ROLE_ORG_OWNER", { orgId });
    await person.page.addInitScript(() => {
      window.seen = new Set();
      new MutationObserver(() => {
        const shown = document.querySelector("header small")?.textContent;
        if (shown) window.seen.add(shown);
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });

    await person.page.reload();
    await person.sees("Overview");

    assert.deepEqual(await lookOf(person), OF_ORGANIZATION);
    assert.deepEqual(await person.page.evaluate(() => [...window.seen]), [BRAND.name]);
  });

  test("has the mark of the product while the server does not tell a brand, and asks again at the next view", PATIENT, async () => {
    const [first, second] = [await branded(), await branded({ ...BRAND, name: "Second" })];
    const console_ = await administrator();
    const { person, open } = console_;
    await enter(console_, first, BRAND.name);

    await person.page.route("**/GetShownBrand", (route) => route.abort());
    await enter(console_, second, INSTANCE.name);
    // The colours of the instance are part of the same answer.
    assert.deepEqual(await lookOf(person), { ...OF_INSTANCE, accent: "#1f5eff" });

    await person.page.unroute("**/GetShownBrand");
    await open(`#/users?org=${second}`);
    await isNamed(person, "Second");
  });

  test("ignores a late answer about an organization that was left", PATIENT, async () => {
    const [first, second] = [await branded(), await branded({ ...BRAND, name: "Second" })];
    const console_ = await administrator();
    const { person, open } = console_;
    await person.sees("Overview");
    const brand = await hold(person.page, "**/GetShownBrand");

    await open(`#/users?org=${first}`);
    await brand.asked;
    await enter(console_, second, "Second");
    const answered = person.page.waitForResponse("**/GetShownBrand");
    brand.release();
    await answered;
    await setTimeout(200);

    await isNamed(person, "Second");
    await person.sees("Overview");
  });

  test("shows a brand that was just saved", PATIENT, async () => {
    const { orgId } = await newOrganization();
    const { person } = await administrator("ROLE_INSTANCE_OWNER", { at: `#/organizations/${orgId}?org=${orgId}` });
    const brand = person.page.locator("keystead-brand").first();

    await brand.getByLabel("Name").fill("Just Now");
    await brand.getByRole("button", { name: "Save" }).click();
    await isNamed(person, "Just Now");

    await person.press("Undo");
    await isNamed(person, INSTANCE.name);
  });

  test("cuts off a long name, and shows a logo on white in the dark", PATIENT, async () => {
    const orgId = await branded({ ...BRAND, name: LONG });
    const viewport = { width: 360, height: 740 };
    const { person } = await administrator("ROLE_ORG_OWNER", { orgId, viewport, colorScheme: "dark" });
    const { page } = person;
    await isNamed(person, LONG);

    const header = await page.locator("header").boundingBox();
    const menu = await page.getByRole("button", { name: "Menu" }).boundingBox();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
    assert.ok(header.height < 64, `${header.height}`);
    assert.ok(menu.width >= 44 && menu.x + menu.width <= viewport.width, JSON.stringify(menu));
    const plate = () => page.locator("header img").evaluate((image) => getComputedStyle(image).backgroundColor);
    assert.equal(await plate(), "rgb(255, 255, 255)");
    await page.emulateMedia({ colorScheme: "light" });
    assert.equal(await plate(), "rgba(0, 0, 0, 0)");
  });
});

test("the sign-in has the brand of the organization in its address", PATIENT, async () => {
  const orgId = await branded();

  const person = await visit(`${SIGN_IN}?org_id=${orgId}`);
  await person.sees("Sign in");

  assert.deepEqual(await lookOf(person), OF_ORGANIZATION);
});
