import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TIMEOUT } from "../world.js";
import { addAxe, violations } from "./axe.js";

/** A name without a place at which a line could break. */
export const LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff".repeat(5);

const TARGET_PIXELS = 44; // WCAG 2.2, 2.5.5
const DESKTOP = { width: 1024, height: 768 };
const SMALL_PHONE = { width: 320, height: 640 };
const PHONE = { width: 360, height: 740 };
const DISPLAYS = [
  { viewport: DESKTOP, colorScheme: "light" },
  { viewport: DESKTOP, colorScheme: "dark" },
  { viewport: SMALL_PHONE, colorScheme: "light", reducedMotion: "reduce" },
  { viewport: SMALL_PHONE, colorScheme: "dark" },
  { viewport: PHONE, colorScheme: "light" },
];

/** Tests each state of a page on every display. `states` are functions that reach a state, by its name. */
export function testAccessibility(states) {
  describe("everybody can read and reach all parts of", () => {
    for (const [state, reach] of Object.entries(states)) {
      test(state, TIMEOUT, async () => {
        const person = await reach();
        assert.equal(await person.page.locator("h1").count(), 1);
        await addAxe(person.page);
        for (const { viewport, ...media } of DISPLAYS) {
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

/** In the page: controls that a finger could miss. Of a checkbox, its label is the target. */
function tooSmall(pixels) {
  return [...document.querySelectorAll("a, button, input")]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
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

/** In the page: its width, with the parts outside of the viewport. */
function width() {
  return document.documentElement.scrollWidth;
}
