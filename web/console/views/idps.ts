/** Identity providers: list, add, and one provider with its OpenID Connect settings and the test of them. */

import { create } from "@bufbuild/protobuf";
import { html, nothing, type TemplateResult } from "lit";
import {
  IdentityProviderService,
  type IDP,
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
import { ROOT } from "../../shared/api";
import { loadLogos, providerButton } from "../../shared/providers";
import { reasonOf } from "../../shared/refusals";
import { may } from "../access";
import { act, change, client, preview, read } from "../api";
import { askFirst } from "../dialogs";
import { form, type Values } from "../form";
import { copyable, empty, facts, head, name, section, table, time, titled } from "../parts";
import { go, type Route, to } from "../router";
import { Trial } from "../steps";
import { maskOf, messageOf, only, valuesOf } from "../values";
import { Loaded, Paged, View } from "../view";
import { t } from "../view_words";

const idps = client(IdentityProviderService);
const oidc = client(OIDCConfigService);

export function views({ path }: Route): string {
  return path[1] === undefined ? "keystead-idps" : path[1] === "new" ? "keystead-idp-new" : "keystead-idp";
}

const FIELDS = ["name", "stylingType", "autoRegister"];
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
              { label: t("field.name"), cell: (each) => titled(name(each.name), "", ["idps", each.idpId]) },
              { label: t("field.autoRegister"), cell: (each) => t(each.autoRegister ? "yes" : "no"), isWide: true },
              { label: t("changed"), cell: (each) => time(each.details?.changeDate) },
            ],
            items,
          ),
        empty(t("idps.none")),
      )}`;
  }
}

class NewIDP extends View {
  protected override render(): TemplateResult {
    return html`${head(t("idps.add"), { up: [t("idps"), to(["idps"])], lead: t("idps.addLead") })}
      ${section(
        t("details"),
        form({
          request: "CreateIDPRequest",
          fields: FIELDS,
          values: {},
          submit: t("add"),
          cancel: () => go(["idps"]),
          save: async (values) => {
            const { name: given, stylingType, autoRegister } = messageOf(IDPSchema, values);
            const { idpId } = await change((options) =>
              idps.createIDP({ name: given, stylingType, autoRegister }, options),
            );
            go(["idps", idpId]);
          },
        }),
      )}`;
  }
}

class OneIDP extends View {
  readonly #idp = new Loaded(this, () => this.#read());
  readonly #config = new Loaded(this, () => this.#readConfig());
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
      const callback = new URL(`signin/callback/${idpId}`, ROOT).href;
      return html`${head(name(idp.name), { up: [t("idps"), to(["idps"])], actions: mayWrite ? remove : nothing })}
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
        ${mayWrite && this.#config.value ? section(t("idps.button"), this.#button(idp, this.#config.value), { lead: t("idps.buttonLead") }) : nothing}`;
    });
  }

  #oidc({ autoRegister }: IDP, config: OIDCConfig | undefined, mayWrite: boolean): TemplateResult {
    if (!mayWrite)
      return config
        ? facts([t("field.issuer"), config.issuer], [t("clientId"), config.clientId])
        : empty(t("idps.noOidc"));
    const state = (found: OIDCConfig) => ({
      values: valuesOf(OIDCConfigSchema, found),
      sequence: found.details!.sequence,
    });
    if (!config) {
      return form({
        request: "SetOIDCConfigRequest",
        fields: OIDC_FIELDS,
        values: { scopes: ["profile", "email"], updateNameAtSignIn: true },
        submit: t("save"),
        save: (values) => this.#setConfig(values, ["clientSecret"]),
      });
    }
    const current = async () => state((await this.#readConfig())!);
    return html`${autoRegister && config.admitsAnybody ? html`<p class="warning">${t("idps.admitsAnybody")}</p>` : nothing}
      ${config.clientSecretSet ? html`<p class="hint">${t("idps.secretStored")}</p>` : nothing}
      ${form({ request: "SetOIDCConfigRequest", fields: OIDC_FIELDS, ...state(config), submit: t("save"), current, save: (...saved) => this.#setConfig(...saved) })}
      <h3>${t("test")}</h3><p class="lead">${t("idps.testLead")}</p>
      ${this.#trial.render()}`;
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
