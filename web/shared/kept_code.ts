/** The code of a device, kept in this tab while the person signs in. Afterwards, `/device/` takes it. */

import { inTab, StorageBlockedError } from "./storage";

const STORAGE_KEY = "keystead.device";

/** Where storage is blocked, the person enters the code again. */
export function keepCode(code: string): void {
  useStorage((storage) => storage.setItem(STORAGE_KEY, code));
}

export function isCodeKept(): boolean {
  return useStorage((storage) => storage.getItem(STORAGE_KEY)) != null;
}

/** The kept code, which is then kept no longer; empty without one. */
export function takeCode(): string {
  const code = useStorage((storage) => storage.getItem(STORAGE_KEY));
  useStorage((storage) => storage.removeItem(STORAGE_KEY));
  return code ?? "";
}

function useStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return inTab(use);
  } catch (error) {
    if (error instanceof StorageBlockedError) return undefined;
    throw error;
  }
}
