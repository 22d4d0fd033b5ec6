/** Identity providers: list, add, and one provider with its OpenID Connect settings and the test of them. */

import { create } from "@bufbuild/protobuf";
import { html, nothing, type TemplateResult } from "lit";
import { GroupService } from "../../gen/console/keystead/group/v1/group_service_pb";
import {
  IdentityProviderService,
  type IDP,
  type IDPMapping,
  IDPMappingSchema,
  IDPMappingTime,
  IDPSchema,
  StylingType,
} from "../../gen/console/keystead/idp/v1/identity_provider_service_pb";
import {
  OIDCButtonSchema,
  type OIDCConfig,
  OIDCConfigSchema,
  OIDCConfigService,
  SetOIDCConfigRequestSchema,
} from "../../gen/console/keystead/idp/v1/oidc_config_service_pb";
import { allPages, ROOT } from "../../shared/api";
import { loadLogos, providerButton } from "../../shared/providers";
import { reasonOf } from "../../shared/refusals";
import { may } from "../access";
import { act, change, client, preview, read } from "../api";
import { askFirst } from "../dialogs";
import { form, type Values } from "../form";
import { Gallery, markOf } from "../gallery";
import { notDone } from "../notice";
import { coded, copyable, empty, facts, head, name, section, table, time, titled } from "../parts";
import {
  isOpen,
  loadPresets,
  noteOf,
  type Preset,
  type Presets,
  settingsOf,
  titleOf,
  whyUnsupported,
} from "../presets";
import { go, type Route, to } from "../router";
import { Trial } from "../steps";
import { maskOf, messageOf, only, valuesOf } from "../values";
import { Loaded, Paged, View } from "../view";
import { t } from "../view_words";
import "./mail_domains";

const idps = client(IdentityProviderService);
const oidc = client(OIDCConfigService);
const groups = client(GroupService);

export function views({ path }: Route): string {
  if (path[1] === "domains") return path[2] === "new" ? "keystead-mail-domain-new" : "keystead-mail-domain";
  return path[1] === undefined ? "keystead-idps" : path[1] === "new" ? "keystead-idp-new" : "keystead-idp";
}

/** In place of the ID of a preset. */
const OTHER = "other";
const NEW_FIELDS = ["name", "stylingType", "autoRegister"];
const FIELDS = [...NEW_FIELDS, "isDisabled"];
const MAPPING_FIELDS = [
  { name: "claim", texts: "mappings.claim" },
  { name: "attribute", texts: "mappings.attribute" },
  { name: "when", texts: "mappings.when" },
  { name: "groups", texts: "mappings.groups", when: (values: Values) => values["attribute"] === "groups" },
];
const OIDC_FIELDS = [
  "issuer",
  "clientId",
  "clientSecret",
  "tokenEndpointAuthMethod",
  "scopes",
  "autoRegisterMailDomains",
  "autoRegisterHostedDomains",
  "updateNameAtSignIn",
  "updateEmailAtSignIn",
];
/** Of a provider whose preset gives the rest. */
const CLIENT_FIELDS = ["clientId", { name: "clientSecret", texts: "newClientSecret" }];
const DOMAIN_FIELDS = ["autoRegisterMailDomains", "autoRegisterHostedDomains"];
const BUTTON_FIELDS = ["backgroundColor", "textColor", "logo"];

class IDPs extends View {
  readonly #list = new Paged<IDP>(this, async (pageToken) => {
    const page = await read((options) => idps.listIDPs({ pageToken }, options));
    return { items: page.idps, next: page.nextPageToken };
  });

  protected override render(): TemplateResult {
    const add = may("IdentityProviderService/CreateIDP")
      ? html`<a class="primary" href=${to(["idps", "new"])}>${t("idps.add")}</a>`
      : nothing;
    return html`${head(t("idps"), { lead: t("idps.lead"), actions: add })}
      ${this.#list.render(
        (items) =>
          table(
            t("idps"),
            [
              {
                label: t("field.name"),
                cell: (each) => titled(name(each.name), each.isDisabled ? t("idps.off") : "", ["idps", each.idpId]),
              },
              { label: t("field.autoRegister"), cell: (each) => t(each.autoRegister ? "yes" : "no"), isWide: true },
              { label: t("changed"), cell: (each) => time(each.details?.changeDate) },
            ],
            items,
          ),
        empty(t("idps.none")),
      )}
      <keystead-mail-domains></keystead-mail-domains>`;
  }
}

class NewIDP extends View {
  readonly #presets = new Loaded(this, loadPresets);
  readonly #logos = new Loaded(this, () => import("../../shared/logos"));
  readonly #gallery = new Gallery(this);

  protected override render(): TemplateResult {
    return this.#presets.render((presets) => {
      const chosen = this.route.query.get("preset") ?? "";
      const preset = presets.all.find(({ presetId }) => presetId === chosen);
      return chosen ? this.#form(presets, preset) : this.#choices(presets);
    });
  }

  #choices({ all, unsupported }: Presets): TemplateResult {
    const path = ["idps", "new"];
    return html`${head(t("idps.add"), { up: [t("idps"), to(["idps"])], lead: t("idps.lead") })}
      ${this.#gallery.render(t("idps.which"), [
        {
          title: t("idps.other"),
          letter: "+",
          second: t("idps.otherLead"),
          href: to(path, { preset: OTHER }),
        },
        ...all.map((preset) => ({
          title: titleOf(preset),
          mark: this.#logos.value?.logoOf(preset.presetId),
          href: to(path, { preset: preset.presetId }),
        })),
        ...unsupported.map((each) => ({ title: each.name, second: whyUnsupported(each) })),
      ])}`;
  }

  /** A new provider: its name, and the values that its issuer contains. */
  #form(presets: Presets, preset: Preset | undefined): TemplateResult {
    const path = ["idps", "new"];
    const another = html`<a class="button" href=${to(path)}>${t("gallery.another")}</a>`;
    const title = preset
      ? html`${markOf(preset.name, this.#logos.value?.logoOf(preset.presetId))}${titleOf(preset)}`
      : t("idps.other");
    const values = preset?.values ?? [];
    return html`${head(title, { up: [t("idps.add"), to(path)], lead: t("idps.newLead"), actions: another })}
      ${section(
        t("details"),
        form({
          request: "CreateIDPRequest",
          declared: presets.values,
          fields: [
            ...values.map((each) => ({ name: each, texts: `presets.${each}`, isRequired: true })),
            ...(preset ? ["name", "autoRegister"] : NEW_FIELDS),
          ],
          values: preset ? { name: preset.name, stylingType: "STYLING_TYPE_PROVIDER" } : {},
          submit: t("add"),
          cancel: () => go(path),
          save: async (entered) => {
            const { name: given, stylingType, autoRegister } = messageOf(IDPSchema, only(entered, NEW_FIELDS));
            const { idpId } = await change((options) =>
              idps.createIDP({ name: given, stylingType, autoRegister }, options),
            );
            const chosen = values.map((each) => [each, String(entered[each])]);
            go(["idps", idpId], preset ? { preset: preset.presetId, ...Object.fromEntries(chosen) } : {});
          },
        }),
      )}`;
  }
}

class OneIDP extends View {
  readonly #idp = new Loaded(this, () => this.#read());
  readonly #config = new Loaded(this, () => this.#readConfig());
  readonly #presets = new Loaded(this, loadPresets);
  /** The names of groups by their IDs. */
  readonly #groups = new Loaded(this, async () => {
    if (!may("GroupService/ListGroups")) return new Map<string, string>();
    const pages = await allPages((page) => read((options) => groups.listGroups({ ...page }, options)));
    return new Map(pages.flatMap((page) => page.groups).map((each) => [each.groupId, each.name]));
  });
  readonly #trial = new Trial(this, () => act((options) => oidc.testOIDCConfig({ idpId: this.#id }, options)));

  get #id(): string {
    return this.route.path[1] ?? "";
  }

  async #read(): Promise<IDP> {
    const { idp } = await read((options) => idps.getIDP({ idpId: this.#id }, options));
    return idp!;
  }

  /** The settings; `null` if the provider has none. */
  async #readConfig(): Promise<OIDCConfig | null> {
    try {
      const { oidcConfig } = await read((options) => oidc.getOIDCConfig({ idpId: this.#id }, options));
      if (oidcConfig!.preset) await loadLogos();
      return oidcConfig!;
    } catch (error) {
      if (reasonOf(error) === "OIDC_CONFIG_NOT_FOUND") return null;
      throw error;
    }
  }

  protected override render(): TemplateResult {
    return this.#idp.render((idp) => {
      const mayWrite = may("IdentityProviderService/PatchIDP");
      const state = (found: IDP) => ({ values: valuesOf(IDPSchema, found), sequence: found.details!.sequence });
      const { idpId } = idp;
      const remove = html`<button type="button" class="quiet danger" @click=${() => this.#askToRemove(idp)}>${t("idps.remove")}</button>`;
      if (mayWrite && this.route.path[2] === "mappings")
        return this.#groups.render((names) => this.#mapping(idp, names, Number(this.route.path[3] ?? -1)));
      const callback = new URL(`signin/callback/${idpId}`, ROOT).href;
      return html`${head(name(idp.name), { up: [t("idps"), to(["idps"])], actions: mayWrite ? remove : nothing })}
        ${idp.isDisabled ? html`<p class="warning">${t("idps.isOff")}</p>` : nothing}
        ${section(
          t("details"),
          facts(
            ["ID", copyable(idpId, "ID")],
            [t("idps.callback"), copyable(callback, t("idps.callback"))],
            [t("created"), time(idp.details?.creationDate)],
          ),
          { lead: t("idps.callbackLead") },
        )}
        ${
          mayWrite
            ? section(
                t("settings"),
                form({
                  request: "PatchIDPRequest",
                  within: "idp",
                  fields: FIELDS,
                  ...state(idp),
                  submit: t("save"),
                  current: async () => state(await this.#read()),
                  save: async (values, changed, sequence) => {
                    await change(
                      (options) =>
                        idps.patchIDP(
                          {
                            idp: { ...messageOf(IDPSchema, only(values, changed)), idpId },
                            updateMask: maskOf(changed),
                          },
                          options,
                        ),
                      sequence,
                    );
                    await this.#idp.reload(); // the heading and the button show it
                  },
                }),
              )
            : nothing
        }
        ${section(
          "OpenID Connect",
          this.#config.render((config) => this.#oidc(idp, config ?? undefined, mayWrite)),
        )}
        ${this.#groups.render((names) => this.#mappings(idp, names, mayWrite))}
        ${mayWrite && this.#config.value ? section(t("idps.button"), this.#button(idp, this.#config.value), { lead: t("idps.buttonLead") }) : nothing}`;
    });
  }

  #oidc({ autoRegister }: IDP, config: OIDCConfig | undefined, mayWrite: boolean): TemplateResult {
    if (!mayWrite)
      return config
        ? facts([t("field.issuer"), config.issuer], [t("clientId"), config.clientId])
        : empty(t("idps.noOidc"));
    return this.#presets.render((presets) => this.#oidcForm(autoRegister, config, presets));
  }

  #oidcForm(autoRegister: boolean, config: OIDCConfig | undefined, presets: Presets): TemplateResult {
    // As `keystead idp create` does: nobody lets anybody register without a decision.
    const isForAnybody = (values: Values) =>
      autoRegister &&
      isOpen(presets, String(values["issuer"] ?? "")) &&
      DOMAIN_FIELDS.every((each) => !(values[each] as readonly string[] | undefined)?.length);
    const guarded = {
      request: "SetOIDCConfigRequest",
      declared: { anybody: { type: "boolean" } },
      submit: t("save"),
      refused: (values: Values): Readonly<Record<string, string>> =>
        isForAnybody(values) && values["anybody"] !== true ? { anybody: t("idps.anybodyRefused") } : {},
    } as const;
    const anybody = { name: "anybody", when: isForAnybody };
    if (!config) {
      const { query } = this.route;
      const preset = presets.all.find(({ presetId }) => presetId === query.get("preset"));
      if (!preset)
        return form({
          ...guarded,
          fields: [...OIDC_FIELDS, anybody],
          values: { scopes: ["profile", "email"], updateNameAtSignIn: true },
          save: (values) => this.#setConfig(values, ["clientSecret"]),
        });
      const note = noteOf(preset);
      const values = settingsOf(preset, (each) => query.get(each) ?? "");
      return html`${facts([t("field.issuer"), String(values["issuer"])])}
        <p class="hint" lang=${note.lang}>${coded(note.text)}</p>
        ${preset.source.startsWith("https:") ? html`<p class="hint"><a href=${preset.source} rel="noreferrer">${t("idps.page")}</a></p>` : nothing}
        ${form({
          ...guarded,
          fields: [...CLIENT_FIELDS, ...(autoRegister ? DOMAIN_FIELDS : []), anybody],
          values,
          save: (entered) => this.#setConfig(entered, ["clientSecret"]),
        })}`;
    }
    const state = (found: OIDCConfig) => ({
      values: { ...valuesOf(OIDCConfigSchema, found), anybody: found.admitsAnybody },
      sequence: found.details!.sequence,
    });
    const current = async () => state((await this.#readConfig())!);
    return html`${autoRegister && config.admitsAnybody ? html`<p class="warning">${t("idps.admitsAnybody")}</p>` : nothing}
      ${config.clientSecretSet ? html`<p class="hint">${t("idps.secretStored")}</p>` : nothing}
      ${form({ ...guarded, fields: [...OIDC_FIELDS, anybody], ...state(config), current, save: (...saved) => this.#setConfig(...saved) })}
      <h3>${t("test")}</h3><p class="lead">${t("idps.testLead")}</p>
      ${this.#trial.render()}`;
  }

  #mappings({ idpId, mappings }: IDP, names: ReadonlyMap<string, string>, mayWrite: boolean): TemplateResult {
    const add = html`<a class="button" href=${to(["idps", idpId, "mappings"])}>${t("mappings.add")}</a>`;
    const given = ({ groups: ids }: IDPMapping) =>
      Object.entries(ids)
        .sort()
        .map(([value, id]) => `${value} → ${names.get(id) ?? t("mappings.goneGroup")}`)
        .join(", ");
    return section(
      t("mappings"),
      mappings.length === 0
        ? empty(t("mappings.none"))
        : table(
            t("mappings"),
            [
              {
                label: t("field.mappings.claim"),
                cell: (each) =>
                  titled(
                    html`<code>${each.claim}</code>`,
                    each.attribute,
                    mayWrite ? ["idps", idpId, "mappings", String(mappings.indexOf(each))] : undefined,
                  ),
              },
              { label: t("field.mappings.groups"), cell: given, isWide: true },
              {
                label: t("field.mappings.when"),
                cell: (each) =>
                  t(
                    each.when === IDPMappingTime.IDP_MAPPING_TIME_EVERY_SIGN_IN
                      ? "value.IDP_MAPPING_TIME_EVERY_SIGN_IN"
                      : "value.IDP_MAPPING_TIME_FIRST_SIGN_IN",
                  ),
                isWide: true,
              },
              {
                label: t("actions"),
                isLabelHidden: true,
                cell: (each) =>
                  mayWrite
                    ? html`<button type="button" class="quiet danger" aria-label=${t("removeOne", { name: each.claim })} @click=${() => void this.#removeMapping(each)}>${t("remove")}</button>`
                    : nothing,
              },
            ],
            mappings,
          ),
      { lead: t("mappings.lead"), actions: mayWrite ? add : nothing },
    );
  }

  /** A new mapping, or the one at an index. */
  #mapping(idp: IDP, names: ReadonlyMap<string, string>, index: number): TemplateResult {
    const path = ["idps", idp.idpId];
    const found = idp.mappings[index];
    const values = found ? valuesOf(IDPMappingSchema, found) : {};
    const named = Object.entries(found?.groups ?? {}).map(([value, id]) => [value, names.get(id) ?? id]);
    return html`${head(t(found ? "mappings" : "mappings.add"), { up: [idp.name, to(path)], lead: t("mappings.lead") })}
      ${section(
        t("details"),
        form({
          request: "PatchIDPRequest",
          within: "idp.mappings",
          fields: MAPPING_FIELDS,
          values: { ...values, groups: Object.fromEntries(named) },
          submit: t(found ? "save" : "add"),
          cancel: () => go(path),
          save: async (entered) => {
            const kept = entered["attribute"] === "groups" ? entered : { ...entered, groups: {} };
            const mapping = messageOf(IDPMappingSchema, kept);
            const mappings = found
              ? idp.mappings.map((each) => (each === found ? mapping : each))
              : [...idp.mappings, mapping];
            await this.#setMappings(idp, mappings);
            go(path);
          },
        }),
      )}`;
  }

  /** Replaces the mappings, unless somebody has changed the provider since it was read. */
  async #setMappings({ idpId, details }: IDP, mappings: IDPMapping[]): Promise<void> {
    const request = { idp: { idpId, mappings }, updateMask: maskOf(["mappings"]) };
    await change((options) => idps.patchIDP(request, options), details!.sequence);
  }

  async #removeMapping(mapping: IDPMapping): Promise<void> {
    const idp = this.#idp.value!;
    try {
      await this.#setMappings(
        idp,
        idp.mappings.filter((each) => each !== mapping),
      );
      await this.#idp.reload();
    } catch (error) {
      notDone(error);
    }
  }

  /** The look of the button: a part of the same settings. */
  #button({ name: named, stylingType }: IDP, config: OIDCConfig): TemplateResult {
    const state = (found: OIDCConfig) => ({
      values: {
        ...valuesOf(OIDCConfigSchema, found),
        ...valuesOf(OIDCButtonSchema, found.button ?? create(OIDCButtonSchema)),
      },
      sequence: found.details!.sequence,
    });
    return form({
      request: "SetOIDCConfigRequest",
      within: "button",
      fields: BUTTON_FIELDS,
      ...state(config),
      look: (values) => {
        const button =
          stylingType === StylingType.PROVIDER ? messageOf(OIDCButtonSchema, only(values, BUTTON_FIELDS)) : undefined;
        return html`${providerButton({ name: named, preset: config.preset, button }, "provider.signIn", () => {})}`;
      },
      submit: t("save"),
      current: async () => state((await this.#readConfig())!),
      save: (values, changed, sequence) =>
        this.#setConfig({ ...values, button: only(values, BUTTON_FIELDS) }, changed, sequence),
    });
  }

  /** A new secret replaces the stored one; an empty field keeps it. */
  async #setConfig(values: Values, changed: readonly string[], sequence?: bigint): Promise<void> {
    const { clientSecret, ...kept } = only(values, [...OIDC_FIELDS, "button"]);
    const sent = changed.includes("clientSecret") ? { ...kept, clientSecret: clientSecret ?? "" } : kept;
    const request = messageOf(SetOIDCConfigRequestSchema, { ...sent, idpId: this.#id });
    await change((options) => oidc.setOIDCConfig(request, options), sequence);
    await this.#config.reload();
  }

  #askToRemove({ idpId, name: named }: IDP): void {
    askFirst({
      title: t("idps.removeTitle", { name: named }),
      action: t("idps.remove"),
      consequences: async () => [t("idps.removeLinks"), t("idps.removeSessions")],
      check: () => preview((options) => idps.removeIDP({ idpId }, options)),
      act: async () => {
        await change((options) => idps.removeIDP({ idpId }, options));
        go(["idps"]);
      },
      done: t("removed", { name: named }),
    });
  }
}

customElements.define("keystead-idps", IDPs);
customElements.define("keystead-idp-new", NewIDP);
customElements.define("keystead-idp", OneIDP);
