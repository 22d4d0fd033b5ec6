import { errors, type JWTPayload, jwtVerify } from "jose";
import type { EndedSessions } from "./ended_sessions.js";
import type { KeySet } from "./key_set.js";

const MAX_CHARACTERS = 8192;
const LEEWAY_SECONDS = 30;
const REQUIRED = ["iss", "sub", "aud", "exp", "iat", "jti", "client_id", "sid", "org"];

/** The JWT is not of a session for this service: answer 401. The message has the reason. */
export class RefusedSessionError extends Error {
  override name = "RefusedSessionError";
}

/** The session of a JWT. `amr` are the methods of authentication (RFC 8176). */
export interface Session {
  readonly sessionId: string;
  readonly userId: string;
  readonly orgId: string;
  readonly authenticatedAt: Date;
  readonly expiresAt: Date;
  readonly amr: readonly string[];
}

export interface VerifierOptions {
  /** KEYSTEAD_PUBLIC_URL of the server. */
  issuer: string;
  /** One of its KEYSTEAD_JWT_AUDIENCES. */
  audience: string;
  /** Refuses an ended session at once. Without it, the session is refused when its JWT expires. */
  ended?: EndedSessions;
  /** Maximum error of this machine's clock. 30 seconds by default. */
  leewaySeconds?: number;
  /** Organizations whose users are accepted. All by default. */
  orgIds?: readonly string[];
}

/** Verifies offline that a JWT (RFC 9068) is of a session and for this service. */
export class SessionVerifier {
  readonly #keys: KeySet;
  readonly #options: VerifierOptions;

  constructor(keys: KeySet, options: VerifierOptions) {
    if (!options.issuer || !options.audience) throw new TypeError("issuer and audience are required.");
    this.#keys = keys;
    this.#options = options;
  }

  /** The session of the JWT. Throws `RefusedSessionError` or `KeysUnavailableError`. */
  async verify(token: string): Promise<Session> {
    const { issuer, audience, ended, leewaySeconds = LEEWAY_SECONDS, orgIds } = this.#options;
    if (token.length > MAX_CHARACTERS) throw new RefusedSessionError("The JWT is too long.");
    let claims: JWTPayload;
    try {
      ({ payload: claims } = await jwtVerify(token, this.#keys.find, {
        algorithms: ["ES256"], // constant, never taken from the JWT
        typ: "at+jwt",
        requiredClaims: REQUIRED,
        clockTolerance: leewaySeconds,
        issuer,
        audience,
      }));
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      throw new RefusedSessionError(`The JWT is invalid: ${error.message}.`);
    }
    if ((claims.iat ?? 0) > Date.now() / 1000 + leewaySeconds) throw new RefusedSessionError("The JWT is of the future.");
    const session = sessionOf(claims);
    if (orgIds && !orgIds.includes(session.orgId)) {
      throw new RefusedSessionError("The user is of an organization that is not accepted here.");
    }
    if (ended?.has(session.sessionId)) throw new RefusedSessionError("The session has ended.");
    return session;
  }
}

function sessionOf({ sid, sub, org, exp = 0, iat = 0, auth_time: authTime, amr }: JWTPayload): Session {
  if (typeof sid !== "string" || typeof sub !== "string" || typeof org !== "string") {
    throw new RefusedSessionError("The JWT is invalid: sid, sub and org must be strings.");
  }
  return {
    sessionId: sid,
    userId: sub,
    orgId: org,
    authenticatedAt: new Date(Number(authTime ?? iat) * 1000),
    expiresAt: new Date(exp * 1000),
    amr: Array.isArray(amr) ? amr : [],
  };
}
