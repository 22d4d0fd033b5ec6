import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { PAGE, TIMEOUT, visit } from "./browser.js";
import { refuse } from "./forged.js";
import { newUser } from "./server.js";

const axe = await readFile("node_modules/axe-core/axe.min.js", "utf8");

const TARGET_PIXELS = 44; // WCAG 2.2, 2.5.5
const DESK = { width: 1024, height: 768 };
const PHONE = { width: 320, height: 640 };
const USUAL_PHONE = { width: 360, height: 740 };
const LOOKS = {
  "at a desk by day": { viewport: DESK, colorScheme: "light" },
  "at a desk by night": { viewport: DESK, colorScheme: "dark" },
  "on a phone by day": { viewport: PHONE, colorScheme: "light", reducedMotion: "reduce" },
  "on a usual phone by day": { viewport: USUAL_PHONE, colorScheme: "light" },
  "on a phone by night": { viewport: PHONE, colorScheme: "dark" },
};
const LONG = "Wolfeschlegelsteinhausenbergerdorff".repeat(5);

async function byLink(options) {
  const person = await visit(await (await newUser()).link(), options);
  await person.page.getByRole("heading", { level: 1 }).waitFor();
  return person;
}

async function listed(...names) {
  const person = await visit(PAGE);
  await person.signIn(await (await newUser()).token());
  for (const name of names) {
    await person.takesAnotherDevice();
    await person.press("Add a passkey");
    await person.page.getByLabel("Name of this passkey").fill(name);
    await person.press("Create passkey");
    await person.page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
  }
  return person;
}

const STATES = {
  "the form of a link": () => byLink(),
  "a setback": async () => {
    const person = await byLink();
    await refuse(person.page, "RegisterPasskey", 14, "DATABASE_UNAVAILABLE");
    await person.press("Create passkey");
    await person.isTold("The service is not available right now");
    return person;
  },
  "a wrong name": async () => {
    const person = await byLink();
    await person.page.getByLabel("Name of this passkey").fill("");
    await person.press("Create passkey");
    await person.page.getByText("Enter a name.").waitFor();
    return person;
  },
  "the passkey is ready": async () => {
    const person = await byLink();
    await person.press("Create passkey");
    await person.sees("Your passkey is ready");
    return person;
  },
  "the link is at its end": async () => {
    const person = await byLink();
    await refuse(person.page, "RegisterPasskey", 9, "LINK_EXPIRED");
    await person.press("Create passkey");
    await person.sees("This link has expired");
    return person;
  },
  "a reloaded link": async () => {
    const person = await byLink();
    await person.page.reload();
    await person.sees("Open your link again");
    return person;
  },
  "a browser without passkeys": () => byLink({ script: () => delete window.PublicKeyCredential }),
  "the form of a token": () => visit(PAGE),
  "no passkeys": () => listed(),
  "passkeys": () => listed("Laptop", LONG),
  "renaming one": async () => {
    const person = await listed("Laptop");
    await person.press("Rename \u2068Laptop\u2069");
    return person;
  },
  "removing one": async () => {
    const person = await listed(LONG);
    await person.press(`Remove \u2068${LONG}\u2069`);
    return person;
  },
};

describe("everybody can read and reach all of", () => {
  for (const [state, reach] of Object.entries(STATES)) {
    test(state, TIMEOUT, async () => {
      const person = await reach();
      assert.equal(await person.page.locator("h1").count(), 1);
      for (const [look, { viewport, ...media }] of Object.entries(LOOKS)) {
        await person.page.setViewportSize(viewport);
        await person.page.emulateMedia(media);

        await person.keep(`${state}, ${look}`);

        assert.deepEqual(await violations(person.page), []);
        assert.deepEqual(await person.page.evaluate(tooSmall, TARGET_PIXELS), []);
        assert.equal(await person.page.evaluate(width), viewport.width);
        assert.equal(await person.page.evaluate(splitIds), 0);
      }
    });
  }
});

/** What axe has against the page: https://dequeuniversity.com/rules/axe/ */
async function violations(page) {
  await page.evaluate(axe); // as the debugger, whom the policy of the page does not bind
  const found = await page.evaluate(() => axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] }));
  return found.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`)]);
}

/** In the page: controls that a finger could miss. */
function tooSmall(pixels) {
  return [...document.querySelectorAll("a, button, input")]
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width < pixels || height < pixels;
    })
    .map((element) => element.outerHTML);
}

/** In the page: groups of request ids that a line ends within. */
function splitIds() {
  const groups = [...document.querySelectorAll(".request-id code")].flatMap((id) => [...id.childNodes]);
  return groups.filter((group) => {
    const range = document.createRange();
    range.selectNodeContents(group);
    return range.getClientRects().length > 1;
  }).length;
}

/** In the page: how wide it is, with what would have to be scrolled to. */
function width() {
  return document.documentElement.scrollWidth;
}
