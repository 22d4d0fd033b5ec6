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
  return text(deviceOf(ownAgent())?.[1] ?? "device.unknown");
}

/** A name for a session of this browser. */
export function deviceName(): string {
  return nameOfAgent(ownAgent()) ?? suggestedName();
}

/** A name for a session by its `User-Agent`; undefined for an unknown browser or system. */
export function nameOfAgent(agent: string): string | undefined {
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = deviceOf(agent)?.[2];
  return browser && system ? text("device.browserOn", { browser, system }) : undefined;
}

function deviceOf(agent: string): (typeof DEVICES)[number] | undefined {
  return DEVICES.find(([pattern]) => pattern.test(agent));
}

function ownAgent(): string {
  // An iPad has the user agent of a Mac, but a Mac has no touch screen.
  const isIpad = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  return isIpad ? navigator.userAgent.replace("Macintosh", "iPad") : navigator.userAgent;
}
