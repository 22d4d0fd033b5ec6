/**
 * Clients of the server, over grpc-web.
 *
 * The server's address is derived from the address of this script, so that a proxy may serve both below a path.
 */

import { type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { type Passkey, PasskeyService } from "../gen/keystead/passkey/v1/passkey_service_pb";
import { UserService } from "../gen/keystead/user/v1/user_service_pb";

const SCRIPT = import.meta.url;
/** The URL of the server; scripts are in a folder below it. */
export const ROOT = new URL("..", SCRIPT).href;

/** The options of a call that makes all checks and changes nothing. */
export const VALIDATE_ONLY = { headers: { "x-validate-only": "true" } };

const CALL_MILLISECONDS = 15_000;
const PAGE_SIZE = 200; // the maximum of the server

/** The clients of a caller. */
export interface Access {
  readonly passkeys: Client<typeof PasskeyService>;
  readonly users: Client<typeof UserService>;
}

/** Without a token or cookie: the code of a link must not be replaced by a session of this browser. */
export const anonymous = accessOf(transport({}, "omit"));

/** The clients of the caller of this bearer token. */
export function withToken(token: string): Access {
  return accessOf(transport({ authorization: `Bearer ${token}` }, "omit"));
}

/** The clients that use this transport. */
export function accessOf(over: Transport): Access {
  return { passkeys: createClient(PasskeyService, over), users: createClient(UserService, over) };
}

/** A transport that sends these headers, and cookies as `credentials` says. */
export function transport(headers: Readonly<Record<string, string>>, credentials: RequestCredentials): Transport {
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

/** All passkeys of a user, oldest first, and the identifiers of the user for passkey providers. */
export interface PasskeyList {
  readonly passkeys: readonly Passkey[];
  readonly userHandle: string;
  /** The relying party of this server; some passkeys may belong to another one. */
  readonly rpId: string;
}

/** Lists the passkeys of a user. @throws ConnectError */
export async function allPasskeys(userId: string, { passkeys: service }: Access): Promise<PasskeyList> {
  const pages = await allPages((page) => service.listPasskeys({ userId, ...page }));
  const [{ userHandle, rpId }] = pages;
  return { passkeys: pages.flatMap(({ passkeys }) => passkeys), userHandle, rpId };
}

/** Calls a list method until its last page, or for at most `most` pages. @throws ConnectError */
export async function allPages<Page extends { readonly nextPageToken: string }>(
  list: (page: { pageSize: number; pageToken: string }) => Promise<Page>,
  most = Number.POSITIVE_INFINITY,
): Promise<[Page, ...Page[]]> {
  let page = await list({ pageSize: PAGE_SIZE, pageToken: "" });
  const pages: [Page, ...Page[]] = [page];
  while (page.nextPageToken && pages.length < most) {
    page = await list({ pageSize: PAGE_SIZE, pageToken: page.nextPageToken });
    pages.push(page);
  }
  return pages;
}
