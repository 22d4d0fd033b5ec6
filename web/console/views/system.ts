/** The system: findings first, then the server, its database and event log, its keys, and its settings. */

import { html, nothing, type TemplateResult } from "lit";
import {
  type EncryptionKey,
  type Finding,
  FindingState,
  type Setting,
  SigningKeyState,
  type System as SystemState,
  SystemService,
} from "../../gen/console/keystead/system/v1/system_service_pb";
import { locale } from "../../shared/words";
import { client, read } from "../api";
import { textOfValue } from "../form";
import {
  badge,
  coded,
  type Content,
  copyable,
  empty,
  exactTime,
  facts,
  head,
  name,
  section,
  table,
  time,
} from "../parts";
import { filterBy } from "../router";
import { loadTranslations, translated } from "../translations";
import { Loaded, View } from "../view";
import { counted, t } from "../view_words";

const systems = client(SystemService);

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function views(): string {
  return "keystead-system";
}

class System extends View {
  readonly #system = new Loaded(this, async () => {
    const [{ system }] = await Promise.all([
      read((options) => systems.getSystem({}, options)),
      loadTranslations("findings"),
    ]);
    return system!;
  });

  readonly #filter = (event: Event) => {
    filterBy(event, this.route);
    this.requestUpdate();
  };

  protected override render(): TemplateResult {
    const again = html`<button type="button" @click=${() => void this.#system.reload()}>${t("sessions.again")}</button>`;
    return html`${head(t("system"), { lead: t("system.lead"), actions: again })}${this.#system.render((system) => this.#parts(system))}`;
  }

  #parts(system: SystemState): TemplateResult {
    return html`${findings(system)}${server(system)}${database(system)}${eventLog(system)}${servers(system)}${signingKeys(system)}${encryptionKeys(system)}
      ${section(t("system.settings"), this.#settings(system.settings), { lead: t("system.settingsLead") })}`;
  }

  #settings(all: readonly Setting[]): TemplateResult {
    const { query } = this.route;
    const text = (query.get("q") ?? "").toLowerCase();
    const isChosen = ({ name: variable, value, description, isDefault }: Setting) =>
      (!query.has("changed") || !isDefault) && `${variable}\n${value}\n${description}`.toLowerCase().includes(text);
    const chosen = all.filter(isChosen);
    return html`<search class="filters">
        <div class="field"><label for="system-query">${t("search")}</label><input id="system-query" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" .value=${query.get("q") ?? ""} @input=${this.#filter} /></div>
        <div class="field check"><input id="system-changed" name="changed" type="checkbox" .checked=${query.has("changed")} @change=${this.#filter} /><label for="system-changed">${t("system.changedOnly")}</label></div>
      </search>
      ${
        chosen.length === 0
          ? empty(t("system.noSetting"))
          : table(
              t("system.settings"),
              [
                {
                  label: t("system.setting"),
                  cell: (each) =>
                    html`<code>${each.name}</code><small class="note" lang="en">${each.description}</small>`,
                },
                { label: t("system.value"), cell: valueOf },
              ],
              chosen,
            )
      }`;
  }
}

function findings({ findings: all, examinedAt }: SystemState): TemplateResult {
  const wrong = all.filter(({ state }) => state !== FindingState.OK);
  const fine = all.filter(({ state }) => state === FindingState.OK);
  const list = (items: readonly Finding[]) =>
    html`<ul class="findings">${items.map(
      (each) => html`<li>
        <p>${badge(textOfValue(`FINDING_STATE_${FindingState[each.state]}`), toneOf(each.state))} ${nameOf(each)}</p>
        ${sentence(each, each.reason, each.message)}
        ${each.remedy ? sentence(each, `${each.reason}.remedy`, each.remedy, html`<span aria-hidden="true">→ </span>`) : nothing}
      </li>`,
    )}</ul>`;
  return section(
    t("system.findings"),
    html`${wrong.length > 0 ? list(wrong) : nothing}
      <details ?open=${wrong.length === 0 && fine.length < 4}><summary>${counted("system.fine", fine.length)}</summary>${list(fine)}</details>`,
    { lead: html`${coded(t("system.doctor"))} ${t("system.examined")} ${exactTime(examinedAt)}.` },
  );
}

function nameOf({ check }: Finding): TemplateResult {
  const { text, lang } = translated("findings", `check.${check}`, check);
  return html`<strong lang=${lang}>${text}</strong>`;
}

/** A sentence of a finding; a remedy has a mark before it. */
function sentence({ metadata }: Finding, key: string, english: string, mark?: TemplateResult): TemplateResult {
  const { text, lang } = translated("findings", key, english, metadata);
  return html`<p class=${mark ? "remedy" : nothing} lang=${lang}>${mark}${coded(text)}</p>`;
}

function toneOf(state: FindingState): "good" | "bad" | "plain" {
  return state === FindingState.OK ? "good" : state === FindingState.PROBLEM ? "bad" : "plain";
}

function server({ version, commit, pythonVersion, startedAt, workers, schemaVersion }: SystemState): TemplateResult {
  return section(
    t("system.server"),
    facts(
      ["Keystead", version],
      commit !== "" && [t("system.commit"), copyable(commit, t("system.commit"))],
      ["Python", pythonVersion],
      [t("system.started"), time(startedAt)],
      [t("system.workers"), workers],
      [t("system.schema"), schemaVersion],
    ),
  );
}

function database({ database: found }: SystemState): TemplateResult {
  return section(
    t("system.database"),
    facts(
      ["PostgreSQL", `${found!.version}${found!.isEmbedded ? ` (${t("system.embedded")})` : ""}`],
      [t("system.started"), time(found!.startedAt)],
      [t("system.size"), bytes(found!.sizeBytes)],
      [t("system.schema"), found!.schemaVersion],
      [t("system.standbys"), found!.standbys],
    ),
  );
}

function eventLog({ eventLog: log }: SystemState): TemplateResult {
  const number = (value: bigint | number) => value.toLocaleString(locale);
  return section(
    t("system.log"),
    facts(
      [t("system.lastPosition"), number(log!.lastPosition)],
      [t("system.waiting"), number(log!.waitingEvents)],
      [t("system.pushLag"), number(log!.pushLag)],
      [t("system.partitions"), number(log!.partitions)],
      [t("system.archives"), number(log!.archives)],
      log!.archives > 0 && [t("system.archivedEvents"), number(log!.archivedEvents)],
      [t("system.checkpoint"), time(log!.checkpointedAt)],
    ),
  );
}

function servers({ servers: running }: SystemState): TemplateResult {
  return section(
    t("system.servers"),
    table(
      t("system.servers"),
      [
        { label: t("system.host"), cell: (each) => name(each.hostName) },
        { label: t("system.process"), cell: (each) => each.processId },
        { label: t("system.schema"), cell: (each) => each.schemaVersion || "–", isWide: true },
        {
          label: t("system.encryptionKeys"),
          cell: (each) => html`${each.encryptionKeyIds.map((id) => html`<code>${id}</code> `)}`,
          isWide: true,
        },
        { label: t("system.seen"), cell: (each) => time(each.seenAt) },
      ],
      running,
    ),
  );
}

function signingKeys({ signingKeys: keys }: SystemState): TemplateResult {
  return section(
    t("system.signingKeys"),
    table(
      t("system.signingKeys"),
      [
        { label: t("system.key"), cell: (each) => html`<code>${each.kid}</code>` },
        { label: t("system.algorithm"), cell: (each) => each.algorithm },
        {
          label: t("state"),
          cell: ({ state }) =>
            badge(
              textOfValue(`SIGNING_KEY_STATE_${SigningKeyState[state]}`),
              state === SigningKeyState.CURRENT ? "good" : "plain",
            ),
        },
        { label: t("created"), cell: (each) => time(each.createdAt), isWide: true },
        { label: t("system.nextChange"), cell: (each) => time(each.changesAt), isWide: true },
      ],
      keys,
    ),
    { lead: t("system.signingKeysLead") },
  );
}

function encryptionKeys({ encryptionKeys: keys }: SystemState): TemplateResult {
  const stateOf = ({ isWriting, isConfigured, isInUse }: EncryptionKey): Content =>
    !isConfigured
      ? badge(t("system.missing"), "bad")
      : html`${isWriting ? badge(t("system.writing"), "good") : nothing}${isInUse ? badge(t("system.inUse")) : badge(t("system.unused"))}`;
  return section(
    t("system.encryptionKeys"),
    table(
      t("system.encryptionKeys"),
      [
        { label: t("system.key"), cell: (each) => html`<code>${each.keyId}</code>` },
        { label: t("state"), cell: stateOf },
      ],
      keys,
    ),
    { lead: t("system.encryptionKeysLead") },
  );
}

function valueOf(setting: Setting): Content {
  const { name: variable, value, isDefault, isSecret, isSet, origin } = setting;
  const shown = isSecret
    ? badge(t(isSet ? "system.set" : "system.notSet"))
    : value === ""
      ? t("system.empty")
      : html`<code>${value}</code>`;
  return html`${shown}${isDefault ? nothing : html`<small class="note">${isSet && origin !== variable ? html`<code>${origin}</code>` : nothing}${setting.defaultValue && !isSecret ? html` ${t("system.default")} <code>${setting.defaultValue}</code>` : nothing}</small>`}`;
}

function bytes(size: bigint): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, Number(size))) / 3));
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: UNITS[power]!,
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  }).format(Number(size) / 1000 ** power);
}

customElements.define("keystead-system", System);
