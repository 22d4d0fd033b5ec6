/** Names for this device, to suggest to people. Nothing depends on them. */

import { text, type TextKey } from "./words";

// The first match counts: user agents of newer systems also name older ones.
const DEVICES: readonly (readonly [RegExp, TextKey, system: string])[] = [
  [/iPhone/, "device.iphone", "iPhone"],
  [/iPad/, "device.ipad", "iPad"],
  [/Android.*Mobile/, "device.androidPhone", "Android"],
  [/Android/, "device.androidTablet", "Android"],
  [/CrOS/, "device.chromebook", "ChromeOS"],
  [/Windows/, "device.windows", "Windows"],
  [/Macintosh/, "device.mac", "macOS"],
  [/Linux/, "device.linux", "Linux"],
];

// The first match counts: each user agent also names the browsers after it in this list.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrom(e|ium)\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];

/** A name for a passkey of this device. */
export function suggestedName(): string {
  return text(found()?.[1] ?? "device.unknown");
}

/** A name for a session of this browser. */
export function deviceName(): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(navigator.userAgent))?.[1];
  const system = found()?.[2];
  return browser && system ? text("device.browserOn", { browser, system }) : suggestedName();
}

function found(): (typeof DEVICES)[number] | undefined {
  // An iPad has the user agent of a Mac, but a Mac has no touch screen.
  const isIpad = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  const agent = isIpad ? "iPad" : navigator.userAgent;
  return DEVICES.find(([pattern]) => pattern.test(agent));
}
