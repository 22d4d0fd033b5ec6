/** What a person might call this device. A suggestion: nothing depends on it. */

import { text, type TextKey } from "./words";

// The first that fits; an iPad, an Android tablet and others also name what they descend from.
const DEVICES: readonly (readonly [RegExp, TextKey])[] = [
  [/iPhone/, "device.iphone"],
  [/iPad/, "device.ipad"],
  [/Android.*Mobile/, "device.androidPhone"],
  [/Android/, "device.androidTablet"],
  [/CrOS/, "device.chromebook"],
  [/Windows/, "device.windows"],
  [/Macintosh/, "device.mac"],
  [/Linux/, "device.linux"],
];

// The first that fits: each names also those that follow.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrom(e|ium)\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];

/** For a passkey that is made here. */
export function suggestedName(): string {
  const isIpadAsMac = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  if (isIpadAsMac) return text("device.ipad");
  return text(DEVICES.find(([pattern]) => pattern.test(navigator.userAgent))?.[1] ?? "device.unknown");
}

/** For a session that begins here. */
export function deviceName(): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(navigator.userAgent))?.[1];
  const system = suggestedName();
  return browser ? text("device.browserOn", { browser, system }) : system;
}
