/** The element `<keystead-attribute-values>`: the attributes of a user, by the definitions of the organization. */

import type { JsonValue } from "@bufbuild/protobuf";
import { html, nothing, type TemplateResult } from "lit";
import {
  type AttributeDefinition,
  AttributeService,
  AttributeType,
} from "../gen/console/keystead/attribute/v1/attribute_service_pb";
import { type User, UserService } from "../gen/console/keystead/user/v1/user_service_pb";
import { allPages } from "../shared/api";
import { change, client, read } from "./api";
import { type Declared, form, type Values } from "./form";
import { facts, section } from "./parts";
import { maskOf, only } from "./values";
import { Loaded, View } from "./view";
import { t } from "./view_words";

const attributes = client(AttributeService);
const users = client(UserService);

/** Numbers are texts of the form; the server refuses what is none. */
const DECLARED: Readonly<Partial<Record<AttributeType, Declared>>> = {
  [AttributeType.TEXT]: { type: "string" },
  [AttributeType.NUMBER]: { type: "string", pattern: String.raw`^-?\d+(\.\d+)?$` },
  [AttributeType.BOOLEAN]: { type: "boolean" },
  [AttributeType.TEXT_LIST]: { type: "array", items: { type: "string" } },
};

class AttributeValues extends View {
  user!: User;
  mayWrite = false;
  /** Reads the user again. */
  current!: () => Promise<User>;
  readonly #definitions = new Loaded(this, async () => {
    const pages = await allPages((page) => read((options) => attributes.listAttributeDefinitions(page, options)));
    return pages.flatMap((page) => page.definitions);
  });

  protected override render(): TemplateResult {
    return this.#definitions.render((definitions) =>
      definitions.length === 0
        ? html``
        : section(
            t("attributes"),
            this.mayWrite
              ? this.#form(definitions)
              : facts(
                  ...definitions.map((each) => [each.displayName, shown(this.user.attributes?.[each.name])] as const),
                ),
          ),
    );
  }

  #form(definitions: readonly AttributeDefinition[]): TemplateResult {
    const numbers = new Set(definitions.filter(({ type }) => type === AttributeType.NUMBER).map((each) => each.name));
    const state = ({ attributes: found = {}, details }: User) => ({
      values: Object.fromEntries(
        Object.entries(found).map(([name, each]) => [name, numbers.has(name) ? String(each) : each]),
      ),
      sequence: details!.sequence,
    });
    return form({
      request: "PatchUserRequest",
      within: "user.attributes",
      declared: Object.fromEntries(definitions.map(({ name, type }) => [name, DECLARED[type] ?? {}])),
      fields: definitions.map(({ name, displayName }) => ({
        name,
        label: displayName,
        texts: `attributes.of.${name}`,
      })),
      ...state(this.user),
      submit: t("save"),
      current: async () => state(await this.current()),
      save: (values, changed, sequence) =>
        change(
          (options) =>
            users.patchUser(
              {
                user: { userId: this.user.userId, attributes: given(only(values, changed), changed, numbers) },
                updateMask: maskOf(["attributes"]),
              },
              options,
            ),
          sequence,
        ),
    });
  }
}

/** The changed values; null removes one. */
function given(values: Values, changed: readonly string[], numbers: ReadonlySet<string>): Record<string, JsonValue> {
  const isEmpty = (each: JsonValue | undefined) =>
    each === undefined || each === "" || (Array.isArray(each) && each.length === 0);
  return Object.fromEntries(
    changed.map((name) => {
      const value = values[name];
      return [name, isEmpty(value) ? null : numbers.has(name) ? Number(value) : (value as JsonValue)];
    }),
  );
}

function shown(value: JsonValue | undefined): string | typeof nothing {
  if (value === undefined) return "–";
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  return Array.isArray(value) ? value.join(", ") : String(value);
}

customElements.define("keystead-attribute-values", AttributeValues);
