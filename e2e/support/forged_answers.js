import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { BadRequestSchema, ErrorInfoSchema, RequestInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "../gen/google/rpc/status_pb.js";

/** A message as a grpc-web body. */
export function framed(message) {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

export const REQUEST_ID = "0199d3a8-5f1c-7c3a-9b7e-1d5a4f8e0c21";

/** Refuses calls of the method as the server does: `times` calls, by default all. Previews pass. */
export async function refuse(page, method, code, reason, { violations = [], times } = {}) {
  const details = [
    anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason, domain: "keystead" })),
    anyPack(RequestInfoSchema, create(RequestInfoSchema, { requestId: REQUEST_ID })),
    anyPack(BadRequestSchema, create(BadRequestSchema, { fieldViolations: violations })),
  ];
  const status = toBinary(StatusSchema, create(StatusSchema, { code, message: reason, details }));
  let left = times ?? Infinity;
  const answer = (route) => {
    if (route.request().headers()["x-validate-only"] || left === 0) return route.fallback();
    left -= 1;
    return route.fulfill({
      status: 200,
      headers: {
        "content-type": "application/grpc-web+proto",
        "grpc-status": String(code),
        "grpc-message": reason,
        "grpc-status-details-bin": Buffer.from(status).toString("base64"),
      },
    });
  };
  await page.route(`**/${method}`, answer);
}

/** Answers in place of the server, as a proxy does. */
export async function answerInstead(page, method, status) {
  await page.route(`**/${method}`, (route) =>
    route.fulfill({ status, contentType: "text/html", body: "<h1>no</h1>" }),
  );
}
