import { fromJson, toJson } from "@bufbuild/protobuf";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { connectClient } from "../clients/connect.js";
import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import { PasskeyService } from "../gen/keystead/passkey/v1/passkey_service_pb.js";

/**
 * The ceremony of a page, which `tab.js` drives. Each function returns JSON, `{ value }` or
 * `{ error }`, because Playwright keeps only the text of a thrown error.
 */
let controller;

window.createCredential = (options) =>
  outcome(async () => {
    controller = new AbortController();
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const credential = await navigator.credentials.create({
      publicKey,
      signal: controller.signal,
    });
    return credential.toJSON();
  });

window.getCredential = (options) =>
  outcome(async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  });

window.cancel = () => controller.abort();

window.call = (webUrl, name, request, token) =>
  outcome(async () => {
    const method = PasskeyService.method[name];
    const client = connectClient("connect-web", createGrpcWebTransport({ baseUrl: webUrl }));
    const { message } = await client.call(method, fromJson(method.input, request), {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
    return toJson(method.output, message);
  });

async function outcome(act) {
  try {
    return { value: await act() };
  } catch (error) {
    const { name, message, code } = error;
    const { reason, metadata } = error.find?.(ErrorInfoSchema)[0] ?? {};
    return { error: { name, message, code, reason, metadata } };
  }
}
