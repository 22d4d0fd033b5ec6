import { rm } from "node:fs/promises";
import { after, afterEach, before } from "node:test";
import { launchChromium } from "../support/chromium.js";
import { given } from "../world.js";
import { publicKeyHash, servePages } from "./pages.js";
import { ARTIFACTS, Tab } from "./tab.js";

const FLAGS = [
  `--host-resolver-rules=MAP *:443 127.0.0.1:${given.securePort}`,
  // Not `--ignore-certificate-errors`: Chromium makes no passkeys where a certificate is wrong.
  `--ignore-certificate-errors-spki-list=${publicKeyHash()}`,
];

let browser, stopPages;
const tabs = []; // of the test
const idle = [];

before(async () => {
  await rm(ARTIFACTS, { recursive: true, force: true });
  stopPages = servePages();
  browser = await launchChromium(...FLAGS);
});
afterEach(async ({ name, passed }) => {
  for (const [number, tab] of tabs.splice(0).entries()) {
    if (passed) {
      await tab.leave();
      idle.push(tab);
    } else {
      await tab.keep(`${name.replace(/\W+/g, "-")}-${number}`);
      await tab.close();
    }
  }
});
after(async () => {
  await browser?.close();
  stopPages();
});

/**
 * Opens a page on a device of its own, with this authenticator, until the end of the test. The
 * authenticator is the device, so a tab of an earlier test can be used again.
 */
export async function openTab(url, authenticator = {}) {
  const tab = idle.pop() ?? (await newTab());
  tabs.push(tab);
  await tab.open(url, authenticator);
  return tab;
}

async function newTab() {
  const context = await browser.newContext();
  const page = await context.newPage();
  return new Tab(page, await context.newCDPSession(page));
}
