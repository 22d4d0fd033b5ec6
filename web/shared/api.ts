/**
 * The server, over grpc-web.
 *
 * Its address is that of the page, one folder up, so that both may be served below a path.
 */

import { type CallOptions, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { type Passkey, PasskeyService } from "../gen/keystead/passkey/v1/passkey_service_pb";
import { UserService } from "../gen/keystead/user/v1/user_service_pb";

const CALL_MILLISECONDS = 15_000;
const PAGE_SIZE = 200; // the most that the server gives

const transport = createGrpcWebTransport({
  baseUrl: new URL("..", document.baseURI).href,
  defaultTimeoutMs: CALL_MILLISECONDS,
});

export const passkeyService = createClient(PasskeyService, transport);
export const userService = createClient(UserService, transport);

/** As the caller that this bearer token stands for. */
export function as(token: string): CallOptions {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** All passkeys of a user, oldest first, and what providers know the user by. */
export interface PasskeyList {
  readonly passkeys: readonly Passkey[];
  readonly userHandle: string;
  /** The relying party of this server; some of the passkeys may be for another one. */
  readonly rpId: string;
}

/** Every page of them. @throws ConnectError */
export async function allPasskeys(userId: string, token: string): Promise<PasskeyList> {
  const passkeys: Passkey[] = [];
  let pageToken = "";
  for (;;) {
    const request = { userId, pageSize: PAGE_SIZE, pageToken };
    const { userHandle, rpId, ...page } = await passkeyService.listPasskeys(request, as(token));
    passkeys.push(...page.passkeys);
    pageToken = page.nextPageToken;
    if (!pageToken) return { passkeys, userHandle, rpId };
  }
}
