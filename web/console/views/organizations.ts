/** Organizations: list, add, and the settings of one. */

import { html, nothing, type TemplateResult } from "lit";
import {
  type Organization,
  OrganizationSchema,
  OrganizationService,
} from "../../gen/console/keystead/org/v1/organization_service_pb";
import { homeId, homeNamed, may } from "../access";
import { change, client, read } from "../api";
import { brandForm } from "../brand";
import { form } from "../form";
import { badge, copyable, empty, facts, head, name, section, table, time, titled } from "../parts";
import { rebrand } from "../rebrand";
import { go, type Route, to } from "../router";
import { askToRemove } from "../remove_organization";
import { smtpForms } from "../smtp";
import { maskOf, messageOf, only, valuesOf } from "../values";
import { Loaded, Paged, View } from "../view";
import { t } from "../view_words";

const organizations = client(OrganizationService);

/** The tag of the view of an address. Without the list, the place is the own organization. */
export function views({ path }: Route): string {
  if (!may("OrganizationService/ListOrganizations")) return "keystead-organization";
  return path[1] === undefined
    ? "keystead-organizations"
    : path[1] === "new"
      ? "keystead-organization-new"
      : "keystead-organization";
}

class Organizations extends View {
  readonly #list = new Paged<Organization>(this, async (pageToken) => {
    const page = await read((options) => organizations.listOrganizations({ pageToken }, options));
    return { items: page.organizations, next: page.nextPageToken };
  });

  protected override render(): TemplateResult {
    const add = may("OrganizationService/CreateOrganization")
      ? html`<a class="primary" href=${to(["organizations", "new"])}>${t("organizations.add")}</a>`
      : "";
    return html`${head(t("organizations"), { lead: t("organizations.lead"), actions: add })}
      ${this.#list.render(
        (items) =>
          table(
            t("organizations"),
            [
              { label: t("field.name"), cell: (each) => titled(name(each.name), "", ["organizations", each.orgId]) },
              {
                label: t("state"),
                cell: (each) => (each.isDefault ? badge(t("organizations.default")) : ""),
                isWide: true,
              },
              { label: t("created"), cell: (each) => time(each.details?.creationDate), isWide: true },
              {
                label: t("actions"),
                isLabelHidden: true,
                cell: (each) =>
                  html`<a class="button" href=${to(["users"], { org: each.orgId === homeId() ? "" : each.orgId })} aria-label=${t("organizations.openOne", { name: each.name })}>${t("organizations.open")}</a>`,
              },
            ],
            items,
          ),
        empty(t("organizations.none")),
      )}`;
  }
}

class NewOrganization extends View {
  protected override render(): TemplateResult {
    return html`${head(t("organizations.add"), { up: [t("organizations"), to(["organizations"])] })}
      ${section(
        t("details"),
        form({
          request: "CreateOrganizationRequest",
          fields: ["name"],
          values: {},
          submit: t("add"),
          cancel: () => go(["organizations"]),
          save: async ({ name: given }) => {
            const { orgId } = await change((options) =>
              organizations.createOrganization({ name: String(given) }, options),
            );
            go(["organizations", orgId]);
          },
        }),
      )}`;
  }
}

class OneOrganization extends View {
  readonly #organization = new Loaded(this, () => this.#read());

  async #read(): Promise<Organization> {
    const orgId = this.route.path[1] ?? homeId();
    const { organization } = await read((options) => organizations.getOrganization({ orgId }, options));
    return organization!;
  }

  protected override render(): TemplateResult {
    return this.#organization.render((organization) => {
      const { orgId, details, isDefault } = organization;
      const org = orgId === homeId() ? "" : orgId;
      const up = may("OrganizationService/ListOrganizations")
        ? ([t("organizations"), to(["organizations"])] as const)
        : undefined;
      return html`${head(name(organization.name), {
        ...(up && { up }),
        actions: html`<a class="button" href=${to(["users"], { org })}>${t("users")}</a><a class="button" href=${to(["applications"], { org })}>${t("applications")}</a>${
          may("OrganizationService/RemoveOrganization") && !isDefault && org
            ? html`<button type="button" class="quiet danger" @click=${() => askToRemove(organization)}>${t("organizations.remove")}</button>`
            : nothing
        }`,
      })}
      ${section(
        t("details"),
        facts(
          ["ID", copyable(orgId, "ID")],
          [t("created"), time(details?.creationDate)],
          [t("changed"), time(details?.changeDate)],
          isDefault && [t("state"), badge(t("organizations.default"))],
        ),
      )}
      ${may("OrganizationService/PatchOrganization") ? html`${section(t("settings"), this.#form(organization))}${brandForm(orgId)}` : ""}
      ${may("SMTPService/UpdateSMTPConfig") ? smtpForms(orgId) : ""}
      ${isDefault && may("BrandService/SetInstanceBrand") ? brandForm("") : ""}`;
    });
  }

  #form(organization: Organization): TemplateResult {
    const orgId = organization.orgId;
    const state = (found: Organization) => ({
      values: valuesOf(OrganizationSchema, found),
      sequence: found.details!.sequence,
    });
    return form({
      request: "PatchOrganizationRequest",
      within: "organization",
      fields: [
        "name",
        "allowsMailRecovery",
        "allowsSignUp",
        "allowsMailFallback",
        "keepsProfiles",
        "clientMetadataHosts",
      ],
      ...state(organization),
      submit: t("save"),
      current: async () => state(await this.#read()),
      save: async (values, changed, sequence) => {
        await change(
          (options) =>
            organizations.patchOrganization(
              {
                organization: { ...messageOf(OrganizationSchema, only(values, changed)), orgId },
                updateMask: maskOf(changed),
              },
              options,
            ),
          sequence,
        );
        if (!changed.includes("name")) return;
        if (orgId === homeId()) homeNamed(String(values["name"]));
        await Promise.all([rebrand(), this.#organization.reload()]);
      },
    });
  }
}

customElements.define("keystead-organizations", Organizations);
customElements.define("keystead-organization-new", NewOrganization);
customElements.define("keystead-organization", OneOrganization);
