/**
 * A client of Keystead for Node.js; `keystead-client/web` is for pages in a browser.
 *
 * `connect` opens a channel for `createClient` of Connect and the generated services
 * (`keystead-client/keystead/user/v1/user_service_pb.js`). `SessionVerifier` verifies JWTs of sessions offline,
 * `EndedSessions` watches for sessions that end, and `Introspector` asks the server for the user of a session token.
 *
 * The rule: only calls that are safe to repeat are repeated.
 */
export type { Options } from "./calls.js";
export { type ConnectOptions, connect } from "./channel.js";
export { EndedSessions } from "./ended_sessions.js";
export { KeysteadError } from "./errors.js";
export { Introspector } from "./introspection.js";
export { KeySet, KeysUnavailableError } from "./key_set.js";
export { tokenFile } from "./token_file.js";
export type { Token } from "./tokens.js";
export { RefusedSessionError, type Session, SessionVerifier, type VerifierOptions } from "./verifier.js";
