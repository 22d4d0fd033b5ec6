/** The page at /docs in Chromium: `test_docs_page.py` runs it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launchChromium } from "./support/chromium.js";
import { PATIENT, webUrl } from "./world.js";

describe("the page that shows the API", () => {
  let browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser.close());

  async function open(options) {
    const page = await browser.newPage(options);
    await page.goto(`${webUrl}/docs`);
    await page.locator(".opblock-tag").first().waitFor();
    return page;
  }

  test("fits a telephone, with an operation of any service open", PATIENT, async () => {
    const page = await open({ viewport: { width: 360, height: 740 } });
    assert.equal(await isDark(page), false);
    const services = page.locator(".opblock-tag-section");
    for (const service of await services.all()) {
      const name = service.locator(".opblock-tag");
      await name.click();
      await service.locator(".opblock-summary-control").first().click();
      await service.locator(".opblock-body .responses-wrapper").first().waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, await name.innerText());
      await name.click(); // every click draws the whole page again
    }

    const document = await (await fetch(new URL("/openapi.json", page.url()))).json();
    assert.equal(await services.count(), document.tags.length);
  });

  test("is dark where the system is, and light when that changes", PATIENT, async () => {
    const page = await open({ colorScheme: "dark" });
    assert.equal(await isDark(page), true);

    await page.emulateMedia({ colorScheme: "light" });
    // The page learns of it with its next frame.
    await page.waitForFunction(() => !document.documentElement.matches(".dark-mode"));
    assert.equal(await isDark(page), false);
  });

  /** Of the text, whose brightness is the opposite of the page's. */
  async function isDark(page) {
    const color = await page.locator(".info .title").evaluate((text) => getComputedStyle(text).color);
    const [red] = color.match(/\d+/);
    return Number(red) > 127;
  }
});
