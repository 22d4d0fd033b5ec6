/** The attributes that an organization declares for its users: list, add, and one attribute. */

import { html, nothing, type TemplateResult } from "lit";
import {
  type AttributeDefinition,
  AttributeDefinitionSchema,
  AttributeService,
  AttributeType,
  CreateAttributeDefinitionRequestSchema,
} from "../../gen/console/keystead/attribute/v1/attribute_service_pb";
import { may } from "../access";
import { change, client, preview, read } from "../api";
import { askFirst } from "../dialogs";
import { form, textOfValue } from "../form";
import { copyable, empty, facts, head, name, section, table, time, titled } from "../parts";
import { go, type Route, to } from "../router";
import { maskOf, messageOf, only, valuesOf } from "../values";
import { Loaded, Paged, View } from "../view";
import { t } from "../view_words";

const attributes = client(AttributeService);

export function views({ path }: Route): string {
  const [, id] = path;
  return id === undefined ? "keystead-attributes" : id === "new" ? "keystead-attribute-new" : "keystead-attribute";
}

function typeOf({ type }: AttributeDefinition): string {
  return textOfValue(`ATTRIBUTE_TYPE_${AttributeType[type]}`);
}

class Attributes extends View {
  readonly #list = new Paged<AttributeDefinition>(this, async (pageToken) => {
    const page = await read((options) => attributes.listAttributeDefinitions({ pageToken }, options));
    return { items: page.definitions, next: page.nextPageToken };
  });

  protected override render(): TemplateResult {
    const add = may("AttributeService/CreateAttributeDefinition")
      ? html`<a class="primary" href=${to(["attributes", "new"])}>${t("attributes.add")}</a>`
      : nothing;
    return html`${head(t("attributes"), { lead: t("attributes.lead"), actions: add })}
      ${this.#list.render(
        (items) =>
          table(
            t("attributes"),
            [
              {
                label: t("field.displayName"),
                cell: (each) => titled(name(each.displayName), each.name, ["attributes", each.attributeId]),
              },
              { label: t("attributes.type"), cell: typeOf },
              { label: t("changed"), cell: (each) => time(each.details?.changeDate), isWide: true },
            ],
            items,
          ),
        empty(t("attributes.none")),
      )}`;
  }
}

class NewAttribute extends View {
  protected override render(): TemplateResult {
    return html`${head(t("attributes.add"), { up: [t("attributes"), to(["attributes"])], lead: t("attributes.addLead") })}
      ${section(
        t("details"),
        form({
          request: "CreateAttributeDefinitionRequest",
          fields: [
            { name: "name", texts: "attributes.name" },
            "displayName",
            { name: "type", texts: "attributes.type" },
            { name: "userAccess", texts: "attributes.userAccess" },
          ],
          values: {},
          submit: t("add"),
          cancel: () => go(["attributes"]),
          save: async (values) => {
            const request = messageOf(CreateAttributeDefinitionRequestSchema, values);
            await change((options) => attributes.createAttributeDefinition(request, options));
            go(["attributes"]);
          },
        }),
      )}`;
  }
}

class OneAttribute extends View {
  readonly #attribute = new Loaded(this, () => this.#read());

  async #read(): Promise<AttributeDefinition> {
    const attributeId = this.route.path[1] ?? "";
    const { definition } = await read((options) => attributes.getAttributeDefinition({ attributeId }, options));
    return definition!;
  }

  protected override render(): TemplateResult {
    return this.#attribute.render((attribute) => {
      const state = (found: AttributeDefinition) => ({
        values: valuesOf(AttributeDefinitionSchema, found),
        sequence: found.details!.sequence,
      });
      const { attributeId } = attribute;
      const edit = form({
        request: "PatchAttributeDefinitionRequest",
        within: "definition",
        fields: ["displayName", { name: "userAccess", texts: "attributes.userAccess" }],
        ...state(attribute),
        submit: t("save"),
        current: async () => state(await this.#read()),
        save: (values, changed, sequence) =>
          change(
            (options) =>
              attributes.patchAttributeDefinition(
                {
                  definition: { ...messageOf(AttributeDefinitionSchema, only(values, changed)), attributeId },
                  updateMask: maskOf(changed),
                },
                options,
              ),
            sequence,
          ),
      });
      const remove = html`<button type="button" class="quiet danger" @click=${() => this.#askToRemove(attribute)}>${t("attributes.remove")}</button>`;
      return html`${head(name(attribute.displayName), { up: [t("attributes"), to(["attributes"])], lead: attribute.name, actions: may("AttributeService/RemoveAttributeDefinition") ? remove : nothing })}
        ${section(
          t("details"),
          facts(
            ["ID", copyable(attributeId, "ID")],
            [t("attributes.type"), typeOf(attribute)],
            [t("created"), time(attribute.details?.creationDate)],
            [t("changed"), time(attribute.details?.changeDate)],
          ),
        )}
        ${may("AttributeService/PatchAttributeDefinition") ? section(t("settings"), edit) : nothing}`;
    });
  }

  #askToRemove({ attributeId, displayName }: AttributeDefinition): void {
    askFirst({
      title: t("attributes.removeTitle", { name: displayName }),
      action: t("attributes.remove"),
      consequences: async () => [t("attributes.removeText"), t("attributes.removeClaims")],
      check: () => preview((options) => attributes.removeAttributeDefinition({ attributeId }, options)),
      act: async () => {
        await change((options) => attributes.removeAttributeDefinition({ attributeId }, options));
        go(["attributes"]);
      },
      done: t("removed", { name: displayName }),
    });
  }
}

customElements.define("keystead-attributes", Attributes);
customElements.define("keystead-attribute-new", NewAttribute);
customElements.define("keystead-attribute", OneAttribute);
