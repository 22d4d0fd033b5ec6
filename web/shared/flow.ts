/**
 * The redirect to an identity provider and back.
 *
 * The token of a flow is stored in this tab only and used once, so that a callback of a flow that somebody
 * else began is refused (login CSRF).
 */

import { ROOT } from "./api";
import { signInService } from "./session";
import { inTab } from "./storage";

const STORAGE_KEY = "keystead.flow";

export interface Flow {
  readonly idpId: string;
  readonly flowToken: string;
  /** The user to link the identity to; without one, the flow signs in. */
  readonly linkTo?: string;
  /** The organization of the sign-in page, for the way back. */
  readonly orgId?: string;
}

/**
 * Navigates to the provider. With `reauthenticate`, a session there does not suffice: the person signs in again.
 *
 * @throws ConnectError, StorageBlockedError
 */
export async function goToProvider(
  idpId: string,
  begun: Pick<Flow, "linkTo" | "orgId">,
  reauthenticate = false,
): Promise<void> {
  const redirectUri = new URL(`signin/callback/${idpId}`, ROOT).href;
  const { authorizationUrl, flowToken } = await signInService.startIDPSignIn({ idpId, redirectUri, reauthenticate });
  const target = new URL(authorizationUrl);
  if (target.protocol !== "https:") throw new Error(`the provider is at ${target.protocol}`);
  const flow: Flow = { idpId, flowToken, ...begun };
  inTab((storage) => storage.setItem(STORAGE_KEY, JSON.stringify(flow)));
  location.assign(target);
}

/** The flow of this callback; undefined if this tab began none. @throws StorageBlockedError */
export function takeFlow(idpId: string): Flow | undefined {
  const kept = inTab((storage) => storage.getItem(STORAGE_KEY));
  inTab((storage) => storage.removeItem(STORAGE_KEY));
  const flow: Flow | undefined = kept === null ? undefined : JSON.parse(kept);
  return flow?.idpId === idpId ? flow : undefined;
}
