/**
 * WebAuthn in this browser, with options and credentials in JSON.
 *
 * Browsers before Chromium 129, Firefox 119 and Safari 18.4 lack the JSON methods of WebAuthn Level 3,
 * section 5.1; this module converts the binary members for them.
 */

import type { JsonObject } from "@bufbuild/protobuf";
import { isProper } from "./address";

export type Obstacle = "INSECURE_CONTEXT" | "ORIGIN_NOT_ALLOWED" | "NO_WEBAUTHN";

/** The reason why this browser cannot make passkeys here; undefined if it can. */
export function obstacle(): Obstacle | undefined {
  if (!window.isSecureContext) return "INSECURE_CONTEXT";
  if (!isProper) return "ORIGIN_NOT_ALLOWED";
  if (!("PublicKeyCredential" in window) || !("credentials" in navigator)) return "NO_WEBAUTHN";
  return undefined;
}

/**
 * Makes a passkey (`navigator.credentials.create`).
 *
 * @param mediation "conditional" makes it without asking, or fails
 * @returns the credential as `toJSON()` gives it
 * @throws DOMException as the browser refuses
 */
export async function makeCredential(
  options: JsonObject,
  signal: AbortSignal,
  mediation: CredentialMediationRequirement = "optional",
): Promise<JsonObject> {
  const credential = await navigator.credentials.create({
    publicKey: optionsFromJson(options as unknown as PublicKeyCredentialCreationOptionsJSON),
    ...(mediation !== "optional" && { mediation }),
    signal,
  });
  return credentialToJson(credential, attestationOf);
}

/**
 * Signs a challenge with a passkey (`navigator.credentials.get`).
 *
 * @param mediation "conditional" offers passkeys by autofill of an input field, and waits
 * @returns the credential as `toJSON()` gives it
 * @throws DOMException as the browser refuses
 */
export async function useCredential(
  options: JsonObject,
  signal: AbortSignal,
  mediation: CredentialMediationRequirement = "optional",
): Promise<JsonObject> {
  const credential = await navigator.credentials.get({
    publicKey: requestFromJson(options as unknown as PublicKeyCredentialRequestOptionsJSON),
    mediation,
    signal,
  });
  return credentialToJson(credential, assertionOf);
}

/** Whether this page is on the domain of the RP ID. */
export function isOn(rpId: string): boolean {
  const { hostname } = location;
  return hostname === rpId || hostname.endsWith(`.${rpId}`);
}

/** Whether this page can use passkeys of the RP ID: of its own domain, or by related origins (section 5.11). */
export async function canUse(rpId: string): Promise<boolean> {
  return isOn(rpId) || (await isCapable("relatedOrigins"));
}

/** Whether the browser can make a passkey without asking. */
export async function makesConditionally(): Promise<boolean> {
  return isCapable("conditionalCreate");
}

/** Browsers before Chromium 133, Firefox 135 and Safari 17.4 do not tell their capabilities. */
async function isCapable(capability: string): Promise<boolean> {
  return (await PublicKeyCredential.getClientCapabilities?.())?.[capability] ?? false;
}

/** The challenge that a credential has signed, base64url; empty if it is damaged. */
export function challengeOf(credential: JsonObject): string {
  try {
    const { clientDataJSON } = credential["response"] as { clientDataJSON: string };
    return JSON.parse(new TextDecoder().decode(bytes(clientDataJSON))).challenge as string;
  } catch {
    return "";
  }
}

/** Whether the browser offers passkeys by autofill (`isConditionalMediationAvailable`). */
export async function canAutofill(): Promise<boolean> {
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}

/**
 * Reports to the passkey provider that the server lacks a passkey, so that the provider stops offering it.
 *
 * WebAuthn Level 3, section 5.1.10.1. Optional: an unsupported or failed report has no consequences.
 */
export async function disown(rpId: string | undefined, credential: JsonObject): Promise<void> {
  const { id: credentialId } = credential;
  if (!rpId || typeof credentialId !== "string") return;
  await tellProvider((provider) => provider.signalUnknownCredential?.({ rpId, credentialId }));
}

/** The RP ID of options for `makeCredential`. */
export function rpIdOf(options: JsonObject): string | undefined {
  return (options as unknown as PublicKeyCredentialCreationOptionsJSON).rp.id;
}

/** A user of the relying party, for passkey providers. */
export interface ProviderAccount {
  readonly rpId: string;
  /** The user handle, base64url. */
  readonly userId: string;
  readonly name: string;
  readonly displayName: string;
  /** All credentials that the server knows; providers hide the others. */
  readonly allAcceptedCredentialIds: string[];
}

/**
 * Reports the known passkeys of a user and the current names to passkey providers.
 *
 * WebAuthn Level 3, sections 5.1.10.2 and 5.1.10.3. Optional, as above.
 */
export async function describeAccount(account: ProviderAccount): Promise<void> {
  const { rpId, userId, name, displayName, allAcceptedCredentialIds } = account;
  await hideOthers(rpId, userId, allAcceptedCredentialIds);
  await tellProvider((provider) => provider.signalCurrentUserDetails?.({ rpId, userId, name, displayName }));
}

/** Reports all known passkeys of a user to passkey providers, which hide the others. */
export async function hideOthers(rpId: string, userId: string, accepted: string[]): Promise<void> {
  const allAcceptedCredentialIds = accepted;
  await tellProvider((provider) => provider.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }));
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

function optionsFromJson(json: PublicKeyCredentialCreationOptionsJSON): PublicKeyCredentialCreationOptions {
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

function requestFromJson(json: PublicKeyCredentialRequestOptionsJSON): PublicKeyCredentialRequestOptions {
  if ("parseRequestOptionsFromJSON" in PublicKeyCredential) {
    return PublicKeyCredential.parseRequestOptionsFromJSON(json);
  }
  const { extensions: _, ...members } = json; // theirs have binary members of their own
  return {
    ...(members as unknown as PublicKeyCredentialRequestOptions),
    challenge: bytes(json.challenge),
    allowCredentials: (json.allowCredentials ?? []).map(
      (each) => ({ ...each, id: bytes(each.id) }) as PublicKeyCredentialDescriptor,
    ),
  };
}

/** @throws DOMException without a credential */
function credentialToJson(
  found: Credential | null,
  responseOf: (response: AuthenticatorResponse) => object,
): JsonObject {
  if (!found) throw new DOMException("there is no credential", "NotAllowedError");
  const credential = found as PublicKeyCredential;
  const json = "toJSON" in credential ? credential.toJSON() : membersOf(credential, responseOf);
  return JSON.parse(JSON.stringify(json)) as JsonObject; // without members that are undefined
}

function membersOf(credential: PublicKeyCredential, responseOf: (response: AuthenticatorResponse) => object): object {
  return {
    id: credential.id,
    rawId: base64url(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    response: {
      clientDataJSON: base64url(credential.response.clientDataJSON),
      ...responseOf(credential.response),
    },
    clientExtensionResults: {},
  };
}

function attestationOf(response: AuthenticatorResponse): object {
  const attestation = response as AuthenticatorAttestationResponse;
  return {
    attestationObject: base64url(attestation.attestationObject),
    transports: "getTransports" in attestation ? attestation.getTransports() : [],
  };
}

function assertionOf(response: AuthenticatorResponse): object {
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse;
  return {
    authenticatorData: base64url(authenticatorData),
    signature: base64url(signature),
    userHandle: userHandle ? base64url(userHandle) : undefined,
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
