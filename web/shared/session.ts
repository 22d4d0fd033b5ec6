/** The server, as the user of the session of this browser, whose token no script sees. */

import { createClient } from "@connectrpc/connect";
import { PasskeyService } from "../gen/keystead/passkey/v1/passkey_service_pb";
import { type Session, SessionService } from "../gen/keystead/session/v1/session_service_pb";
import { SignInService } from "../gen/keystead/signin/v1/signin_service_pb";
import { type IDPLink, IDPLinkService } from "../gen/keystead/user/v1/idp_link_service_pb";
import { UserService } from "../gen/keystead/user/v1/user_service_pb";
import { ROOT, transport } from "./api";

const PAGE_SIZE = 200; // the most that the server gives

// The header asks for a cookie instead of a token.
const byCookie = transport({ "x-keystead-session": "cookie" }, "same-origin");

export const bySession = {
  passkeys: createClient(PasskeyService, byCookie),
  users: createClient(UserService, byCookie),
};
export const signInService = createClient(SignInService, byCookie);
export const sessionService = createClient(SessionService, byCookie);
export const linkService = createClient(IDPLinkService, byCookie);

/** All sessions of a user, oldest first. @throws ConnectError */
export async function allSessions(userId: string): Promise<Session[]> {
  const sessions: Session[] = [];
  let pageToken = "";
  for (;;) {
    const page = await sessionService.listSessions({ userId, pageSize: PAGE_SIZE, pageToken });
    sessions.push(...page.sessions);
    pageToken = page.nextPageToken;
    if (!pageToken) return sessions;
  }
}

/** All links of a user to identity providers, oldest first. @throws ConnectError */
export async function allLinks(userId: string): Promise<IDPLink[]> {
  const links: IDPLink[] = [];
  let pageToken = "";
  for (;;) {
    const page = await linkService.listIDPLinks({ userId, pageSize: PAGE_SIZE, pageToken });
    links.push(...page.idpLinks);
    pageToken = page.nextPageToken;
    if (!pageToken) return links;
  }
}

/** Why the sign-in page is shown, in its address. */
export type Farewell = "signed-out" | "ended";

/** Goes to the sign-in page; the way back does not lead here. */
export function goToSignIn(farewell?: Farewell): void {
  location.replace(new URL(`signin/${farewell ? `#${farewell}` : ""}`, ROOT));
}

/** Goes to the account; `news` is what has led to it, in its address. */
export function goToAccount(news?: "linked"): void {
  location.replace(new URL(`account/${news ? `#${news}` : ""}`, ROOT));
}
