/** What a person might call this device. A suggestion: nothing depends on it. */

import { text, type TextKey } from "./words";

// The first that fits; an iPad, an Android tablet and others also name what they descend from.
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
  return text(deviceOf(ownAgent())?.[1] ?? "device.unknown");
}

/** For a session that begins here. */
export function deviceName(): string {
  return nameOfAgent(ownAgent()) ?? suggestedName();
}

/** For a session that was started without a name, by its `User-Agent`. */
export function nameOfAgent(agent: string): string | undefined {
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = deviceOf(agent)?.[2];
  return browser && system ? text("device.browserOn", { browser, system }) : undefined;
}

function deviceOf(agent: string): (typeof DEVICES)[number] | undefined {
  return DEVICES.find(([pattern]) => pattern.test(agent));
}

function ownAgent(): string {
  // An iPad says that it is a Mac, which has no touch screen.
  const isIpad = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  return isIpad ? navigator.userAgent.replace("Macintosh", "iPad") : navigator.userAgent;
}
