import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type FlattenedJWSInput,
  type JWKSCacheInput,
  type JWSHeaderParameters,
  jwksCache,
} from "jose";

// The maximum age that the server sends, and the pauses between two fetches.
const MAX_AGE_MS = 3_600_000;
const PAUSE_MS = 60_000;
const PAUSE_AFTER_FAILURE_MS = 5_000;

/** The keys cannot be fetched, so the JWT cannot be verified: answer 503. */
export class KeysUnavailableError extends Error {
  override name = "KeysUnavailableError";
}

/**
 * The JWK Set (RFC 7517) at `/.well-known/jwks.json` of the web port.
 *
 * It is fetched on demand: when it is an hour old, and at most once a minute for a missing key. While the server does
 * not answer, a key set is used until it has twice that age.
 */
export class KeySet {
  readonly #url: URL;
  readonly #cache: JWKSCacheInput = {};
  readonly #remote;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(keysteadUrl: string) {
    this.#url = new URL(`${keysteadUrl.replace(/\/+$/, "")}/.well-known/jwks.json`);
    this.#remote = createRemoteJWKSet(this.#url, {
      cacheMaxAge: MAX_AGE_MS,
      cooldownDuration: PAUSE_MS,
      [jwksCache]: this.#cache,
    });
  }

  /** The key for `jwtVerify`. Throws `KeysUnavailableError`, and `JWKSNoMatchingKey` of jose if there is none. */
  readonly find = async (header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> => {
    let cause: unknown;
    if (Date.now() >= this.#failedAt + PAUSE_AFTER_FAILURE_MS) {
      try {
        return await this.#remote(header, token);
      } catch (error) {
        if (isAboutTheKey(error)) throw error;
        this.#failedAt = Date.now();
        cause = error;
      }
    }
    try {
      return await this.#kept(header, token);
    } catch {
      throw new KeysUnavailableError(`${this.#url} does not answer. Try again later.`, { cause });
    }
  };

  async #kept(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const { jwks, uat } = this.#cache as { jwks?: Parameters<typeof createLocalJWKSet>[0]; uat?: number };
    if (jwks === undefined || uat === undefined || Date.now() > uat + 2 * MAX_AGE_MS) throw new errors.JWKSInvalid();
    return createLocalJWKSet(jwks)(header, token);
  }
}

function isAboutTheKey(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
}
