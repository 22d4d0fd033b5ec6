/**
 * WebAuthn in this browser: whether there is one, and a credential made from options in JSON.
 *
 * Browsers before Chromium 129, Firefox 119 and Safari 18.4 lack the JSON methods of WebAuthn Level 3,
 * section 5.1; for them the few binary members are converted here.
 */

import type { JsonObject } from "@bufbuild/protobuf";

/** Why no passkey can be made here; undefined: it can. */
export function obstacle(): "INSECURE_CONTEXT" | "NO_WEBAUTHN" | undefined {
  if (!window.isSecureContext) return "INSECURE_CONTEXT";
  if (!("PublicKeyCredential" in window) || !("credentials" in navigator)) return "NO_WEBAUTHN";
  return undefined;
}

/**
 * Has the person make a passkey.
 *
 * @returns the credential as `toJSON()` gives it
 * @throws DOMException as the browser refuses
 */
export async function makeCredential(
  options: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  const credential = await navigator.credentials.create({
    publicKey: optionsFromJson(options as unknown as PublicKeyCredentialCreationOptionsJSON),
    signal,
  });
  if (!credential) throw new DOMException("no credential was made", "NotAllowedError");
  return credentialToJson(credential as PublicKeyCredential);
}

/**
 * Tells the provider of the passkey that the server does not have it, so that it is not offered.
 *
 * WebAuthn Level 3, section 5.1.10.1. A courtesy: where it is missing or fails, nothing is lost.
 */
export async function disown(options: JsonObject, credential: JsonObject): Promise<void> {
  const { rp } = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id: credentialId } = credential;
  const rpId = rp.id;
  if (!rpId || typeof credentialId !== "string") return;
  await tellProvider((provider) => provider.signalUnknownCredential?.({ rpId, credentialId }));
}

/** What a provider shows of a user of this relying party. */
export interface ProviderAccount {
  readonly rpId: string;
  /** The user handle, base64url. */
  readonly userId: string;
  readonly name: string;
  readonly displayName: string;
  /** All that the server has: a provider hides the others. */
  readonly allAcceptedCredentialIds: string[];
}

/**
 * Tells providers which passkeys the server has, and what their user is called now.
 *
 * WebAuthn Level 3, sections 5.1.10.2 and 5.1.10.3. A courtesy, as above.
 */
export async function describeAccount(account: ProviderAccount): Promise<void> {
  const { rpId, userId, name, displayName, allAcceptedCredentialIds } = account;
  await tellProvider((provider) =>
    provider.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }),
  );
  await tellProvider((provider) => provider.signalCurrentUserDetails?.({ rpId, userId, name, displayName }));
}

async function tellProvider(
  signal: (provider: typeof PublicKeyCredential) => Promise<void> | undefined,
): Promise<void> {
  if (!("PublicKeyCredential" in window)) return;
  try {
    await signal(PublicKeyCredential);
  } catch (error) {
    console.debug("the passkey provider was not told", error);
  }
}

function optionsFromJson(
  json: PublicKeyCredentialCreationOptionsJSON,
): PublicKeyCredentialCreationOptions {
  if ("parseCreationOptionsFromJSON" in PublicKeyCredential) {
    return PublicKeyCredential.parseCreationOptionsFromJSON(json);
  }
  const { extensions: _, ...members } = json; // theirs have binary members of their own
  return {
    ...(members as unknown as PublicKeyCredentialCreationOptions),
    challenge: bytes(json.challenge),
    user: { ...json.user, id: bytes(json.user.id) },
    excludeCredentials: (json.excludeCredentials ?? []).map(
      (each) => ({ ...each, id: bytes(each.id) }) as PublicKeyCredentialDescriptor,
    ),
  };
}

function credentialToJson(credential: PublicKeyCredential): JsonObject {
  const json = "toJSON" in credential ? credential.toJSON() : membersOf(credential);
  return JSON.parse(JSON.stringify(json)) as JsonObject; // without members that are undefined
}

function membersOf(credential: PublicKeyCredential): object {
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    id: credential.id,
    rawId: base64url(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    response: {
      clientDataJSON: base64url(response.clientDataJSON),
      attestationObject: base64url(response.attestationObject),
      transports: "getTransports" in response ? response.getTransports() : [],
    },
    clientExtensionResults: {},
  };
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function base64url(buffer: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
