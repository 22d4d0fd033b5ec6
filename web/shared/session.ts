/** Clients of the server as the user of this browser's session. Its token is in a cookie that no script can read. */

import { createClient } from "@connectrpc/connect";
import { SessionService } from "../gen/keystead/session/v1/session_service_pb";
import { SignInService } from "../gen/keystead/signin/v1/signin_service_pb";
import { IDPLinkService } from "../gen/keystead/user/v1/idp_link_service_pb";
import { accessOf, ROOT, transport } from "./api";
import { isCodeKept } from "./kept_code";
import { keepReturn, keptReturn, namedReturn } from "./kept_return";
import { CONTINUE } from "./request";

// The header asks for a cookie instead of a token.
export const byCookie = transport({ "x-keystead-session": "cookie" }, "same-origin");

export const bySession = accessOf(byCookie);
export const signInService = createClient(SignInService, byCookie);
export const sessionService = createClient(SessionService, byCookie);
export const linkService = createClient(IDPLinkService, byCookie);

/** The reason for the sign-in page, in the fragment of its address. */
export type Farewell = "signed-out" | "ended";

/** Replaces this page by the sign-in page in the history; `orgId` is the organization whose providers it offers. */
export function goToSignIn(farewell?: Farewell, orgId?: string): void {
  const address = new URL("signin/", ROOT);
  if (orgId) address.searchParams.set("org_id", orgId);
  if (keptReturn()) address.searchParams.set("return_to", keptReturn());
  if (farewell) address.hash = farewell;
  location.replace(address);
}

/**
 * Replaces this page by the account; `news` is an outcome to show there, in the fragment of its address.
 *
 * After a sign-in for the sake of a device, `/device/` comes in its place.
 */
export function goToAccount(news?: "linked"): void {
  const page = isCodeKept() && !news ? "device/" : `account/${news ? `#${news}` : ""}`;
  location.replace(new URL(page, ROOT));
}

/** Keeps the page that the address names, if the server allows it. Call at the beginning of the sign-in page. */
export async function takeReturn(): Promise<void> {
  keepReturn(await allowedReturn(namedReturn()));
}

/** Replaces this page by the kept one, if the server still allows it, otherwise by the account. */
export async function goOn(): Promise<void> {
  const page = isCodeKept() ? "" : await allowedReturn(keptReturn());
  keepReturn("");
  if (page) location.replace(page);
  else goToAccount();
}

/** The page, as the server returns it; empty if it refuses or does not respond. */
async function allowedReturn(returnTo: string): Promise<string> {
  if (!returnTo) return "";
  try {
    return (await signInService.checkReturn({ returnTo })).returnTo;
  } catch {
    return "";
  }
}

/** Replaces this page by the sign-in page, which goes on with the stored request of an application. */
export function goToRequest(): void {
  location.replace(new URL(`signin/${CONTINUE}`, ROOT));
}
