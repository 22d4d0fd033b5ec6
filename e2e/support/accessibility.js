import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { TIMEOUT } from "./visit.js";

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

/** Each state of a page, by its name: in every look, everybody can read and reach all of it. */
export function testAccessibility(states) {
  describe("everybody can read and reach all of", () => {
    for (const [state, reach] of Object.entries(states)) {
      test(state, TIMEOUT, async () => {
        const person = await reach();
        assert.equal(await person.page.locator("h1").count(), 1);
        await person.page.evaluate(axe); // as the debugger, whom the policy of the page does not bind
        for (const [look, { viewport, ...media }] of Object.entries(LOOKS)) {
          await person.page.setViewportSize(viewport);
          await person.page.emulateMedia(media);

          assert.deepEqual(await violations(person.page), []);
          assert.deepEqual(await person.page.evaluate(tooSmall, TARGET_PIXELS), []);
          assert.equal(await person.page.evaluate(width), viewport.width);
          assert.equal(await person.page.evaluate(splitIds), 0);
        }
      });
    }
  });
}

/** What axe has against the page: https://dequeuniversity.com/rules/axe/ */
async function violations(page) {
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
