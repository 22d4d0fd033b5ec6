/** Mail domains: the list below the identity providers, a new claim, and one domain with its record and its proof. */

import { html, nothing, type TemplateResult } from "lit";
import { IdentityProviderService, type IDP } from "../../gen/console/keystead/idp/v1/identity_provider_service_pb";
import {
  CreateMailDomainRequestSchema,
  type MailDomain,
  MailDomainSchema,
  MailDomainService,
} from "../../gen/console/keystead/idp/v1/mail_domain_service_pb";
import { allPages } from "../../shared/api";
import { may } from "../access";
import { act, change, client, preview, read } from "../api";
import { askFirst } from "../dialogs";
import { failed } from "../failure";
import { form } from "../form";
import { done } from "../notice";
import { badge, copyable, empty, facts, head, name, section, table, time, titled } from "../parts";
import { go, to } from "../router";
import { maskOf, messageOf, only, valuesOf } from "../values";
import { Loaded, Paged, View } from "../view";
import { t } from "../view_words";

const idps = client(IdentityProviderService);
const domains = client(MailDomainService);

/** All providers of the organization, for a choice. */
async function providers(): Promise<readonly IDP[]> {
  const pages = await allPages((page) => read((options) => idps.listIDPs({ ...page }, options)));
  return pages.flatMap((page) => page.idps);
}

/** The field of the provider. One that was removed stays a choice until another is made. */
function providerField(found: readonly IDP[], chosen = "") {
  const gone = chosen && !found.some((each) => each.idpId === chosen);
  return {
    name: "idpId",
    texts: "mailDomains.idpId",
    options: [
      ["", t("mailDomains.anyProvider")],
      ...found.map((each) => [each.idpId, each.name] as const),
      ...(gone ? [[chosen, t("mailDomains.goneProvider")] as const] : []),
    ] as const,
  };
}

function state({ provenAt, missedAt }: MailDomain): TemplateResult {
  if (missedAt) return badge(t("mailDomains.missing"), "bad");
  return provenAt ? badge(t("mailDomains.proven"), "good") : badge(t("mailDomains.claimed"));
}

class MailDomains extends View {
  readonly #list = new Paged<MailDomain>(this, async (pageToken) => {
    const page = await read((options) => domains.listMailDomains({ pageToken }, options));
    return { items: page.mailDomains, next: page.nextPageToken };
  });

  protected override render(): TemplateResult {
    const add = may("MailDomainService/CreateMailDomain")
      ? html`<a class="button" href=${to(["idps", "domains", "new"])}>${t("mailDomains.add")}</a>`
      : nothing;
    const list = this.#list.render(
      (items) =>
        table(
          t("mailDomains"),
          [
            {
              label: t("mailDomains.domain"),
              cell: (each) => titled(name(each.domain), "", ["idps", "domains", each.mailDomainId]),
            },
            { label: t("mailDomains.state"), cell: state },
            { label: t("changed"), cell: (each) => time(each.details?.changeDate), isWide: true },
          ],
          items,
        ),
      empty(t("mailDomains.none")),
    );
    return section(t("mailDomains"), list, { lead: t("mailDomains.lead"), actions: add });
  }
}

class NewMailDomain extends View {
  readonly #idps = new Loaded(this, providers);

  protected override render(): TemplateResult {
    return html`${head(t("mailDomains.add"), { up: [t("idps"), to(["idps"])], lead: t("mailDomains.addLead") })}
      ${this.#idps.render((found) =>
        section(
          t("details"),
          form({
            request: "CreateMailDomainRequest",
            fields: [{ name: "domain", texts: "mailDomains.domain" }, providerField(found)],
            values: {},
            submit: t("add"),
            cancel: () => go(["idps"]),
            save: async (values) => {
              const request = messageOf(CreateMailDomainRequestSchema, values);
              const { mailDomainId } = await change((options) => domains.createMailDomain(request, options));
              go(["idps", "domains", mailDomainId]);
            },
          }),
        ),
      )}`;
  }
}

class OneMailDomain extends View {
  readonly #domain = new Loaded(this, () => this.#read());
  readonly #idps = new Loaded(this, providers);
  #isVerifying = false;
  #failure: unknown;

  async #read(): Promise<MailDomain> {
    const mailDomainId = this.route.path[2] ?? "";
    const { mailDomain } = await read((options) => domains.getMailDomain({ mailDomainId }, options));
    return mailDomain!;
  }

  protected override render(): TemplateResult {
    return this.#domain.render((domain) => {
      const mayWrite = may("MailDomainService/PatchMailDomain");
      const remove = html`<button type="button" class="quiet danger" @click=${() => this.#askToRemove(domain)}>${t("mailDomains.remove")}</button>`;
      return html`${head(name(domain.domain), { up: [t("idps"), to(["idps"])], actions: mayWrite ? remove : nothing })}
        ${domain.missedAt ? html`<p class="warning">${t("mailDomains.missingText")}</p>` : nothing}
        ${section(t("mailDomains.proof"), this.#proof(domain, mayWrite), { lead: t("mailDomains.proofLead") })}
        ${mayWrite ? this.#idps.render((found) => section(t("settings"), this.#settings(domain, found))) : nothing}`;
    });
  }

  #proof(domain: MailDomain, mayWrite: boolean): TemplateResult {
    const verify = html`<button type="button" class=${domain.provenAt ? "" : "primary"} aria-disabled=${this.#isVerifying} aria-busy=${this.#isVerifying} @click=${() => void this.#verify(domain)}>${t("mailDomains.verify")}</button>`;
    return html`${facts(
      [t("mailDomains.state"), state(domain)],
      [t("mailDomains.recordName"), copyable(domain.recordName, t("mailDomains.recordName"))],
      [t("mailDomains.recordValue"), copyable(domain.recordValue, t("mailDomains.recordValue"))],
      domain.provenAt && [t("mailDomains.provenAt"), time(domain.provenAt)],
      domain.missedAt && [t("mailDomains.missedAt"), time(domain.missedAt)],
    )}
    ${this.#failure === undefined ? nothing : failed(this.#failure)}
    ${mayWrite ? html`<div class="actions">${verify}</div>` : nothing}`;
  }

  async #verify({ mailDomainId, domain }: MailDomain): Promise<void> {
    if (this.#isVerifying) return;
    this.#isVerifying = true;
    this.#failure = undefined;
    this.requestUpdate();
    try {
      await act((options) => domains.verifyMailDomain({ mailDomainId }, options));
      await this.#domain.reload();
      done(t("mailDomains.isProven", { name: domain }));
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#isVerifying = false;
      this.requestUpdate();
    }
  }

  #settings({ mailDomainId, idpId, ...rest }: MailDomain, found: readonly IDP[]): TemplateResult {
    const version = (each: MailDomain) => ({
      values: valuesOf(MailDomainSchema, each),
      sequence: each.details!.sequence,
    });
    return form({
      request: "PatchMailDomainRequest",
      within: "mailDomain",
      fields: [providerField(found, idpId)],
      ...version({ mailDomainId, idpId, ...rest }),
      submit: t("save"),
      current: async () => version(await this.#read()),
      save: (values, changed, sequence) =>
        change(
          (options) =>
            domains.patchMailDomain(
              {
                mailDomain: { ...messageOf(MailDomainSchema, only(values, changed)), mailDomainId },
                updateMask: maskOf(changed),
              },
              options,
            ),
          sequence,
        ),
    });
  }

  #askToRemove({ mailDomainId, domain }: MailDomain): void {
    askFirst({
      title: t("mailDomains.removeTitle", { name: domain }),
      action: t("mailDomains.remove"),
      consequences: async () => [t("mailDomains.removeSignIn"), t("mailDomains.removeTrust")],
      check: () => preview((options) => domains.removeMailDomain({ mailDomainId }, options)),
      act: async () => {
        await change((options) => domains.removeMailDomain({ mailDomainId }, options));
        go(["idps"]);
      },
      done: t("removed", { name: domain }),
    });
  }
}

customElements.define("keystead-mail-domains", MailDomains);
customElements.define("keystead-mail-domain-new", NewMailDomain);
customElements.define("keystead-mail-domain", OneMailDomain);
