import { chromium } from "playwright-core";

/** Starts Chromium, which a container and its root need to run without a sandbox. */
export function launchChromium(...args) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--disable-dev-shm-usage", ...args],
  });
}
