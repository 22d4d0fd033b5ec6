/** What a person might call a passkey that is made here. A suggestion: nothing depends on it. */

// The first that fits; an iPad, an Android tablet and others also name what they descend from.
const DEVICES: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android.*Mobile/, "Android phone"],
  [/Android/, "Android tablet"],
  [/CrOS/, "Chromebook"],
  [/Windows/, "Windows computer"],
  [/Macintosh/, "Mac"],
  [/Linux/, "Linux computer"],
];

export function suggestedName(): string {
  const isIpadAsMac = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  if (isIpadAsMac) return "iPad";
  return DEVICES.find(([pattern]) => pattern.test(navigator.userAgent))?.[1] ?? "My device";
}
