/** Refused requests of applications: their remedies, and the settings that are one. */

import { toJson, type JsonValue } from "@bufbuild/protobuf";
import { html, nothing, type TemplateResult } from "lit";
import {
  type Application,
  type ApplicationRefusal,
  ApplicationSchema,
  ApplicationService,
} from "../gen/console/keystead/application/v1/application_service_pb";
import { may } from "./access";
import { change, client, preview, read } from "./api";
import { askFirst } from "./dialogs";
import { labelOf, textOfValue } from "./form";
import { empty, name, table, time, titled } from "./parts";
import { loadTranslations, translated } from "./translations";
import { t } from "./view_words";

const applications = client(ApplicationService);

/** The latest refusals, of one application or with a request ID. */
export async function latest(request: {
  applicationId?: string;
  requestId?: string;
}): Promise<readonly ApplicationRefusal[]> {
  const [{ refusals }] = await Promise.all([
    read((options) => applications.listRefusals(request, options)),
    loadTranslations("remedies"),
  ]);
  return refusals;
}

/** A table of refusals. `mended` is called after a setting was changed. */
export function refusalTable(
  items: readonly ApplicationRefusal[],
  { isOfOne, mended }: { isOfOne: boolean; mended: () => Promise<void> },
): TemplateResult {
  if (items.length === 0) return empty(t(isOfOne ? "refusals.none" : "refusals.notFound"));
  return table(
    t("refusals"),
    [
      {
        label: t("refusals.remedy"),
        cell: (each) =>
          html`${remedyOf(each)}
            <small><code>${each.endpoint} ${each.reason}</code> · ${time(each.refusedAt)} · ${each.count.toString()}×</small>
            ${
              each.patch && may("ApplicationService/PatchApplication")
                ? html`<button type="button" @click=${() => askToMend(each, mended)}>${t("refusals.mend")}</button>`
                : nothing
            }`,
      },
      ...(isOfOne
        ? []
        : [
            {
              label: t("application"),
              cell: (each: ApplicationRefusal) =>
                titled(name(each.applicationName), "", ["applications", each.applicationId]),
            },
          ]),
      { label: t("requestId"), cell: (each) => html`<code>${each.requestId}</code>`, isWide: true },
    ],
    items,
  );
}

function remedyOf({ reason, parameter, value, remedy }: ApplicationRefusal): TemplateResult {
  const { text, lang } = translated("remedies", reason, remedy, { parameter, value });
  return html`<p class="remedy" lang=${lang}>${text}</p>`;
}

/** Names the new value before it is set: anybody can have sent it, or it weakens the application. */
function askToMend({ applicationId, patch, patchMask }: ApplicationRefusal, mended: () => Promise<void>): void {
  let sequence = 0n;
  const call = (options: Parameters<typeof applications.patchApplication>[1]) =>
    applications.patchApplication({ application: patch!, updateMask: patchMask! }, options);
  askFirst({
    title: t("refusals.mendTitle"),
    action: t("refusals.set"),
    consequences: async () => {
      const { application } = await read((options) => applications.getApplication({ applicationId }, options));
      sequence = application!.details!.sequence;
      return changes(patch!, application!, patchMask!.paths);
    },
    check: () => preview(call),
    act: async () => {
      await change(call, sequence);
      await mended();
    },
    done: t("refusals.mended"),
  });
}

type Fields = Readonly<Record<string, JsonValue>>;

function changes(after: Application, before: Application, paths: readonly string[]): TemplateResult[] {
  return paths.flatMap((path) => {
    const field = path.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const [was, value] = [before, after].map((each) => (toJson(ApplicationSchema, each) as Fields)[field]);
    if (Array.isArray(value)) {
      const added = value.filter((each) => !(Array.isArray(was) && was.includes(each)));
      return [...added.map((each) => html`${labelOf(field)}: + <code>${each}</code>`), html`${t("refusals.anybody")}`];
    }
    const text = typeof value === "string" ? textOfValue(value) : t(value ? "yes" : "no");
    return [html`${labelOf(field)}: <strong>${text}</strong>`, html`${t("refusals.weakens")}`];
  });
}
