/** Failed calls in words: the title, and the sentence for the reason, or the server's own. */

import { Code, ConnectError } from "@connectrpc/connect";
import { html, nothing, type TemplateResult } from "lit";
import { BadRequestSchema, ErrorInfoSchema, RequestInfoSchema } from "../gen/google/rpc/error_details_pb";
import { NotConfirmedError } from "../shared/refusals";
import { maybe, refusalOf, t, violationOf } from "./words";

/** A failed call. */
export interface Failure {
  readonly title: string;
  readonly text: string;
  /** The language of the text, if it is that of the server. */
  readonly language: "en" | undefined;
  readonly requestId: string;
  readonly isMissing: boolean;
  readonly isForbidden: boolean;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof NotConfirmedError) {
    return {
      title: t("failure.NOT_CONFIRMED"),
      text: "",
      language: undefined,
      requestId: "",
      isMissing: false,
      isForbidden: false,
    };
  }
  const found = ConnectError.from(error);
  const isUnreachable = found.cause instanceof TypeError;
  const code = isUnreachable ? "UNREACHABLE" : Code[found.code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
  const { reason = "", metadata = {} } = found.findDetails(ErrorInfoSchema)[0] ?? {};
  const sentence = refusalOf(reason, metadata);
  return {
    title: maybe(`failure.${reason}`) ?? maybe(`failure.${code}`) ?? t("failure.UNKNOWN"),
    text: isUnreachable || reason === "" ? "" : (sentence ?? found.rawMessage),
    language: sentence ? undefined : "en",
    requestId: found.findDetails(RequestInfoSchema)[0]?.requestId ?? "",
    isMissing: found.code === Code.NotFound,
    isForbidden: found.code === Code.PermissionDenied,
  };
}

/** The sentences about invalid fields, by the JSON names of the fields; those of the server for rare causes. */
export function violationsOf(error: unknown): ReadonlyMap<string, string> {
  const details = ConnectError.from(error)
    .findDetails(BadRequestSchema)
    .flatMap((each) => each.fieldViolations);
  return new Map(
    details.map(({ field, description, reason }) => [field, violationOf(reason, description) ?? description]),
  );
}

/** An alert about a failed call, with a button if `retry` can help. */
export function failed(error: unknown, retry?: () => void): TemplateResult {
  const { title, text, language, requestId } = failureOf(error);
  return html`<div class="alert" role="alert">
    <p class="alert-title"><span aria-hidden="true">⚠ </span>${title}</p>
    ${text && text !== title ? html`<p lang=${language ?? nothing}>${text}</p>` : nothing}
    ${requestId ? html`<p class="request-id">${t("failure.requestId")} <code>${requestId}</code></p>` : nothing}
    ${retry ? html`<div class="actions"><button type="button" @click=${retry}>${t("tryAgain")}</button></div>` : nothing}
  </div>`;
}
