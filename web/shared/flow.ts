/**
 * The way to an identity provider and back.
 *
 * What continues a flow is kept in this tab alone and taken once, so that a callback which somebody else
 * began is of no use here.
 */

import { ROOT } from "./api";
import { signInService } from "./session";

const KEPT = "keystead.flow";

export interface Flow {
  readonly idpId: string;
  readonly flowToken: string;
  /** The user to link the identity to; without one, the flow signs in. */
  readonly linkTo?: string;
}

/** Goes to the provider; the page is left. @throws ConnectError */
export async function goToProvider(idpId: string, linkTo?: string): Promise<void> {
  const redirectUri = new URL(`signin/callback/${idpId}`, ROOT).href;
  const { authorizationUrl, flowToken } = await signInService.startIDPSignIn({ idpId, redirectUri });
  const target = new URL(authorizationUrl);
  if (target.protocol !== "https:") throw new Error(`the provider is at ${target.protocol}`);
  const flow: Flow = { idpId, flowToken, ...(linkTo === undefined ? {} : { linkTo }) };
  sessionStorage.setItem(KEPT, JSON.stringify(flow));
  location.assign(target);
}

/** The flow that has come back to this address; undefined where this tab has begun none. */
export function takeFlow(idpId: string): Flow | undefined {
  const kept = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  const flow: Flow | undefined = kept === null ? undefined : JSON.parse(kept);
  return flow?.idpId === idpId ? flow : undefined;
}
