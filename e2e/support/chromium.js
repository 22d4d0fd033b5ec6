import { mkdir, writeFile } from "node:fs/promises";
import { chromium } from "playwright-core";

/** A phone or a laptop that is unlocked as soon as it asks. */
export const PLATFORM = {
  protocol: "ctap2",
  ctap2Version: "ctap2_1",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
};

/** Chromium without windows has no settings of its user, so only tests without such settings prefer it. */
const { CHROMIUM_SHELL, ...OTHERS } = process.env;
const SHELL = { env: CHROMIUM_SHELL ? { ...OTHERS, CHROMIUM: CHROMIUM_SHELL } : OTHERS };

/** How to start Chromium. A container and its root need it without a sandbox; people have its back-forward cache. */
const optionsOf = (args) => ({
  executablePath: `${import.meta.dirname}/chromium.sh`,
  args: ["--no-sandbox", "--disable-dev-shm-usage", ...args],
  ignoreDefaultArgs: ["--disable-back-forward-cache"],
});

export function launchChromium(...args) {
  return chromium.launch({ ...optionsOf(args), ...SHELL });
}

/** The context of a Chromium whose user has blocked cookies and with them storage, in a new folder. */
export async function launchWithoutStorage(folder, options) {
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
  await mkdir(`${folder}/Default`);
  await writeFile(`${folder}/Default/Preferences`, JSON.stringify(preferences));
  return chromium.launchPersistentContext(folder, { ...optionsOf([]), ...options });
}
