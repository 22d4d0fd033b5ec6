/** The code of a device, kept in this tab while the person signs in. Afterwards, `/device/` takes it. */

import { inTabOr } from "./storage";

const STORAGE_KEY = "keystead.device";

/** Where storage is blocked, the person enters the code again. */
export function keepCode(code: string): void {
  inTabOr(undefined, (storage) => storage.setItem(STORAGE_KEY, code));
}

export function isCodeKept(): boolean {
  return inTabOr(null, (storage) => storage.getItem(STORAGE_KEY)) !== null;
}

/** The kept code, which is then kept no longer; empty without one. */
export function takeCode(): string {
  const code = inTabOr(null, (storage) => storage.getItem(STORAGE_KEY));
  inTabOr(undefined, (storage) => storage.removeItem(STORAGE_KEY));
  return code ?? "";
}
