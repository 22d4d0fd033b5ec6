import { toJson } from "@bufbuild/protobuf";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PasskeySchema } from "../gen/keystead/passkey/v1/passkey_service_pb.js";
import { given, TIMEOUT } from "../world.js";
import { openTab } from "./chromium.js";
import { lenientServer, server } from "./keystead.js";

const EDDSA = -8;
const ES256 = -7;
const RS256 = -257;

// Chromium 156 has virtual authenticators of every kind that the server accepts. This is their AAGUID,
// which security keys send only with an attestation.
const VIRTUAL = "01020304-0506-0708-0102-030405060708";
const NOT_TOLD = "00000000-0000-0000-0000-000000000000";

const only = (alg) => ({ pubKeyCredParams: [{ type: "public-key", alg }] });

/** The passkey of the default authenticator in ListPasskeys, made by the server's options. */
const DEFAULT = {
  rpId: "localhost",
  aaguid: VIRTUAL,
  providerName: "",
  algorithm: EDDSA,
  transports: ["internal"],
  authenticatorAttachment: "platform",
  userVerified: true,
  backupEligible: false,
  backedUp: false,
  attestationFormat: "none",
  attestationTrusted: false,
};
const SECURITY_KEY = { aaguid: NOT_TOLD, authenticatorAttachment: "cross-platform" };
const U2F = {
  protocol: "u2f",
  transport: "usb",
  hasResidentKey: false,
  hasUserVerification: false,
};

// The server's options require a discoverable credential. Security keys with only U2F (CTAP1) cannot
// make one, so browsers do not offer them; a page can change the options.
const FOR_U2F = {
  authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
};

/** By name: the authenticator, the page's changes of the options, and the differences in the list. */
const KINDS = {
  "EdDSA, which the server prefers": {},
  ES256: { changes: only(ES256), listed: { algorithm: ES256 } },
  RS256: { changes: only(RS256), listed: { algorithm: RS256 } },

  "EdDSA with a packed attestation": {
    changes: { attestation: "direct", ...only(EDDSA) },
    listed: { attestationFormat: "packed" },
  },
  "ES256 with a packed attestation": {
    changes: { attestation: "direct", ...only(ES256) },
    listed: { attestationFormat: "packed", algorithm: ES256 },
  },
  "RS256 with a packed attestation": {
    changes: { attestation: "direct", ...only(RS256) },
    listed: { attestationFormat: "packed", algorithm: RS256 },
  },
  "U2F with its attestation": {
    by: lenientServer,
    authenticator: U2F,
    changes: { attestation: "direct", ...FOR_U2F },
    listed: {
      ...SECURITY_KEY,
      attestationFormat: "fido-u2f",
      algorithm: ES256,
      transports: ["usb"],
      userVerified: false,
    },
  },
  "U2F without its attestation": {
    by: lenientServer,
    authenticator: U2F,
    changes: FOR_U2F,
    listed: { ...SECURITY_KEY, algorithm: ES256, transports: ["usb"], userVerified: false },
  },

  "one that is synced": {
    authenticator: { defaultBackupEligibility: true, defaultBackupState: true },
    listed: { backupEligible: true, backedUp: true },
  },
  "one that can be synced and is not yet": {
    authenticator: { defaultBackupEligibility: true },
    listed: { backupEligible: true },
  },

  "a security key by USB": {
    authenticator: { transport: "usb" },
    listed: { ...SECURITY_KEY, transports: ["usb"] },
  },
  "a security key by NFC": {
    authenticator: { transport: "nfc" },
    listed: { ...SECURITY_KEY, transports: ["nfc"] },
  },
  "a security key that tells its model": {
    authenticator: { transport: "usb" },
    changes: { attestation: "direct" },
    listed: { ...SECURITY_KEY, aaguid: VIRTUAL, attestationFormat: "packed", transports: ["usb"] },
  },
  "a phone beside the computer": {
    authenticator: { transport: "hybrid" },
    listed: { authenticatorAttachment: "cross-platform", transports: ["ble", "hybrid"] },
  },

  "one that verifies its user although that is only preferred": { by: lenientServer },
  "one that cannot verify its user where that is preferred": {
    by: lenientServer,
    authenticator: { hasUserVerification: false },
    listed: { userVerified: false },
  },

  "one with extensions in its authenticator data": {
    authenticator: { hasCredBlob: true, hasLargeBlob: true, hasMinPinLength: true, hasPrf: true },
    changes: {
      extensions: {
        credProps: true,
        credBlob: "AAAA",
        credentialProtectionPolicy: "userVerificationRequired",
        largeBlob: { support: "required" },
        minPinLength: true,
        prf: { eval: { first: "AAAA" } },
      },
    },
  },
};

describe("a passkey of each kind is registered, and listed as what it is", () => {
  for (const [name, { by = server, authenticator, changes, listed }] of Object.entries(KINDS)) {
    test(name, TIMEOUT, async () => {
      const user = await by.user();
      const tab = await openTab(given.origin, authenticator);
      const ceremony = await user.begin();

      await tab.register(ceremony, changes);

      const [passkey, ...others] = await user.passkeys();
      assert.equal(passkey.passkeyId, ceremony.passkeyId);
      assert.deepEqual(pick(passkey, DEFAULT), { ...DEFAULT, ...listed });
      assert.deepEqual(others, []);
    });
  }
});

function pick(passkey, members) {
  const json = toJson(PasskeySchema, passkey, { alwaysEmitImplicit: true });
  return Object.fromEntries(Object.keys(members).map((name) => [name, json[name]]));
}
