/** Failed calls in words: the title in the language of the person, and the server's own sentences. */

import { Code, ConnectError } from "@connectrpc/connect";
import { html, nothing, type TemplateResult } from "lit";
import { BadRequestSchema, RequestInfoSchema } from "../gen/google/rpc/error_details_pb";
import { NotConfirmedError, reasonOf } from "../shared/refusals";
import { maybe, t } from "./words";

/** A failed call. */
export interface Failure {
  readonly title: string;
  readonly text: string;
  readonly requestId: string;
  readonly isMissing: boolean;
  readonly isForbidden: boolean;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof NotConfirmedError) {
    return { title: t("failure.NOT_CONFIRMED"), text: "", requestId: "", isMissing: false, isForbidden: false };
  }
  const found = ConnectError.from(error);
  const isUnreachable = found.cause instanceof TypeError;
  const code = isUnreachable ? "UNREACHABLE" : Code[found.code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
  const known = maybe(`failure.${reasonOf(error)}`);
  return {
    title: known ?? maybe(`failure.${code}`) ?? t("failure.UNKNOWN"),
    text: isUnreachable || reasonOf(error) === "" ? "" : found.rawMessage,
    requestId: found.findDetails(RequestInfoSchema)[0]?.requestId ?? "",
    isMissing: found.code === Code.NotFound,
    isForbidden: found.code === Code.PermissionDenied,
  };
}

/** The server's sentences about invalid fields, by the JSON names of the fields. */
export function violationsOf(error: unknown): ReadonlyMap<string, string> {
  const details = ConnectError.from(error).findDetails(BadRequestSchema).flatMap((each) => each.fieldViolations);
  return new Map(details.map(({ field, description }) => [field, description]));
}

/** An alert about a failed call, with a button if `retry` can help. */
export function failed(error: unknown, retry?: () => void): TemplateResult {
  const { title, text, requestId } = failureOf(error);
  return html`<div class="alert" role="alert">
    <p class="alert-title"><span aria-hidden="true">⚠ </span>${title}</p>
    ${text && text !== title ? html`<p lang="en">${text}</p>` : nothing}
    ${requestId ? html`<p class="request-id">${t("failure.requestId")} <code>${requestId}</code></p>` : nothing}
    ${retry ? html`<div class="actions"><button type="button" @click=${retry}>${t("tryAgain")}</button></div>` : nothing}
  </div>`;
}
