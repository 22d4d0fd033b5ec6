/** A client of Keystead in TypeScript, over grpc-web. See docs/clients.md. */
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { BadRequestSchema } from "./gen/google/rpc/error_details_pb.js";
import { UserService } from "./gen/keystead/user/v1/user_service_pb.js";

declare const process: { env: Record<string, string | undefined> }; // of Node.js
const { KEYSTEAD_URL = "http://127.0.0.1:8080", KEYSTEAD_TOKEN } = process.env;
const users = createClient(UserService, createGrpcWebTransport({ baseUrl: KEYSTEAD_URL }));
const options = { headers: { authorization: `Bearer ${KEYSTEAD_TOKEN}` }, timeoutMs: 10_000 };

// Prints the name of the caller, and the invalid fields of a user without a name.
const { user } = await users.getCurrentUser({}, options);
console.log(user?.userName);
try {
  await users.createUser({}, options);
} catch (error) {
  if (!(error instanceof ConnectError) || error.code !== Code.InvalidArgument) throw error;
  for (const { fieldViolations } of error.findDetails(BadRequestSchema)) {
    for (const { field, description } of fieldViolations) console.log(`${field}: ${description}`);
  }
}
