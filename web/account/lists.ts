/** The lists of the account, whole. */

import { createClient } from "@connectrpc/connect";
import { ApplicationService, type Grant } from "../gen/keystead/application/v1/application_service_pb";
import type { Session } from "../gen/keystead/session/v1/session_service_pb";
import type { IDPLink } from "../gen/keystead/user/v1/idp_link_service_pb";
import type { Token } from "../gen/keystead/user/v1/user_service_pb";
import { allPages } from "../shared/api";
import { byCookie, bySession, linkService, sessionService } from "../shared/session";

export const applicationService = createClient(ApplicationService, byCookie);

/** All sessions of a user, oldest first. @throws ConnectError */
export async function allSessions(userId: string): Promise<Session[]> {
  const pages = await allPages((page) => sessionService.listSessions({ userId, ...page }));
  return pages.flatMap(({ sessions }) => sessions);
}

/** All links of a user to identity providers, oldest first. @throws ConnectError */
export async function allLinks(userId: string): Promise<IDPLink[]> {
  const pages = await allPages((page) => linkService.listIDPLinks({ userId, ...page }));
  return pages.flatMap(({ idpLinks }) => idpLinks);
}

/** All grants of a user to applications, oldest applications first. @throws ConnectError */
export async function allGrants(userId: string): Promise<Grant[]> {
  const pages = await allPages((page) => applicationService.listGrants({ userId, ...page }));
  return pages.flatMap(({ grants }) => grants);
}

/** All access tokens of a user, oldest first. @throws ConnectError */
export async function allTokens(userId: string): Promise<Token[]> {
  const pages = await allPages((page) => bySession.users.listTokens({ userId, ...page }));
  return pages.flatMap(({ tokens }) => tokens);
}
