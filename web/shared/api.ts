/**
 * The server, over grpc-web.
 *
 * Its address is found by that of this script, so that both may be served below a path.
 */

import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { type Passkey, PasskeyService } from "../gen/keystead/passkey/v1/passkey_service_pb";
import { UserService } from "../gen/keystead/user/v1/user_service_pb";

const SCRIPT = import.meta.url;
/** Where the server is; scripts are in a folder of it. */
export const ROOT = new URL("..", SCRIPT).href;

const CALL_MILLISECONDS = 15_000;
const PAGE_SIZE = 200; // the most that the server gives

/** What a person may call with what it came with. */
export interface Access {
  readonly passkeys: Client<typeof PasskeyService>;
  readonly users: Client<typeof UserService>;
}

/** Without a token: a session in this browser must not stand in for the code of a link. */
export const anonymous = accessOf(transport({}, "omit"));

/** As the caller that this bearer token stands for. */
export function as(token: string): Access {
  return accessOf(transport({ authorization: `Bearer ${token}` }, "omit"));
}

function accessOf(over: ReturnType<typeof transport>): Access {
  return { passkeys: createClient(PasskeyService, over), users: createClient(UserService, over) };
}

/** Calls with these headers, and with cookies or without. */
export function transport(headers: Readonly<Record<string, string>>, credentials: RequestCredentials) {
  const withHeaders: Interceptor = (next) => (request) => {
    for (const [name, value] of Object.entries(headers)) request.header.set(name, value);
    return next(request);
  };
  return createGrpcWebTransport({
    baseUrl: ROOT,
    defaultTimeoutMs: CALL_MILLISECONDS,
    interceptors: [withHeaders],
    fetch: (input, init) => fetch(input, { ...init, credentials }),
  });
}

/** All passkeys of a user, oldest first, and what providers know the user by. */
export interface PasskeyList {
  readonly passkeys: readonly Passkey[];
  readonly userHandle: string;
  /** The relying party of this server; some of the passkeys may be for another one. */
  readonly rpId: string;
}

/** Every page of them. @throws ConnectError */
export async function allPasskeys(userId: string, { passkeys: service }: Access): Promise<PasskeyList> {
  const passkeys: Passkey[] = [];
  let pageToken = "";
  for (;;) {
    const request = { userId, pageSize: PAGE_SIZE, pageToken };
    const { userHandle, rpId, ...page } = await service.listPasskeys(request);
    passkeys.push(...page.passkeys);
    pageToken = page.nextPageToken;
    if (!pageToken) return { passkeys, userHandle, rpId };
  }
}
