import { generateKeyPairSync, randomBytes } from "node:crypto";
import { given } from "../world.js";

/** A passkey with its private key: as an export has it, and as DevTools give it to Chromium. */
export function passkeyOfElsewhere(userHandle, rpId = new URL(given.origin).hostname) {
  const credentialId = randomBytes(64);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  // RFC 9053, section 7.1.1: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  const cose = Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
  return {
    imported: {
      credentialId: credentialId.toString("base64url"),
      publicKey: cose.toString("base64url"),
      userHandle: userHandle.toString("base64url"),
      rpId,
      signCount: 7,
    },
    injected: {
      credentialId: credentialId.toString("base64"),
      privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
      userHandle: userHandle.toString("base64"),
      rpId,
      signCount: 7,
    },
  };
}
