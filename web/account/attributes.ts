/** The attributes that the organization declares, as far as their users may read and write them. */

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import {
  AttributeAccess,
  type AttributeDefinition,
  AttributeType,
} from "../gen/keystead/attribute/v1/attribute_service_pb";
import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { h, nameOf, say, uniqueId } from "../shared/dom";
import { fact } from "../shared/facts";
import { violationOf } from "../shared/refusals";
import { text } from "../shared/words";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A field with the value of an attribute. */
interface AttributeField {
  readonly name: string;
  readonly element: HTMLElement;
  /** The value, null without one. NaN: it is no number. */
  readonly value: () => JsonValue;
  readonly refuse: (text: string) => void;
}

/** The values as facts, in the order of their definitions. */
export function attributeFacts(definitions: readonly AttributeDefinition[], user: User): HTMLElement[] {
  return definitions
    .filter(({ name }) => user.attributes?.[name] !== undefined)
    .map(({ name, displayName }) => fact(displayName, nameOf(shown(user.attributes?.[name] ?? null))));
}

/** The fields of the attributes that the user may change, and their changes. */
export class AttributeFields {
  readonly #fields: readonly AttributeField[];

  constructor(
    definitions: readonly AttributeDefinition[],
    private readonly user: User,
  ) {
    this.#fields = definitions
      .filter(({ userAccess }) => userAccess === AttributeAccess.WRITE)
      .map((definition) => attributeField(definition, user.attributes?.[definition.name] ?? null));
  }

  get elements(): HTMLElement[] {
    return this.#fields.map(({ element }) => element);
  }

  /** The changed values, null for those to remove. Undefined: one is wrong, and its field says so. */
  changed(): JsonObject | undefined {
    const changes: JsonObject = {};
    let isRight = true;
    for (const { name, value, refuse } of this.#fields) {
      const given = value();
      const isWrong = Number.isNaN(given);
      refuse(isWrong ? text("profile.noNumber") : "");
      isRight &&= !isWrong;
      if (JSON.stringify(given) !== JSON.stringify(this.user.attributes?.[name] ?? null)) changes[name] = given;
    }
    return isRight ? changes : undefined;
  }

  /** Shows the refusals of the server at their fields; returns whether there is one. */
  refuse(error: unknown): boolean {
    const wrong = this.#fields.filter(({ name, refuse }) => {
      const violation = violationOf(error, `user.attributes.${name}`, "profile.refused");
      refuse(violation ?? "");
      return violation !== undefined;
    });
    return wrong.length > 0;
  }
}

function attributeField({ name, displayName, type }: AttributeDefinition, value: JsonValue): AttributeField {
  const [id, hintId, errorId] = [uniqueId(), uniqueId(), uniqueId()];
  const common = { id, "aria-describedby": `${hintId} ${errorId}` };
  const [control, read] = controlOf(type, value, common);
  const error = h("p", { id: errorId, class: "field-error" });
  const hint = type === AttributeType.TEXT_LIST ? text("profile.listHint") : "";
  return {
    name,
    element: h(
      "div",
      { class: "field" },
      h("label", { for: id }, nameOf(displayName)),
      h("p", { id: hintId, class: "hint" }, hint),
      control,
      error,
    ),
    value: read,
    refuse: (words) => {
      error.textContent = words && `⚠ ${words}`;
      control.setAttribute("aria-invalid", String(words !== ""));
      if (!words) return;
      say();
      control.focus();
    },
  };
}

/** The control of a value of this type, and the function that reads it. */
function controlOf(
  type: AttributeType,
  value: JsonValue,
  common: Record<string, string>,
): readonly [Control, () => JsonValue] {
  if (type === AttributeType.BOOLEAN) {
    const choices = [
      ["", text("profile.unset")],
      ["true", text("profile.yes")],
      ["false", text("profile.no")],
    ] as const;
    const options = choices.map(([each, label]) =>
      h("option", { value: each, selected: each === String(value ?? "") }, label),
    );
    const select = h("select", common, ...options);
    return [select, () => (select.value ? select.value === "true" : null)];
  }
  if (type === AttributeType.TEXT_LIST) {
    const area = h("textarea", { ...common, rows: "3" }, Array.isArray(value) ? value.join("\n") : "");
    const lines = () => area.value.split("\n").filter((line) => line.trim() !== "");
    return [area, () => (lines().length > 0 ? lines() : null)];
  }
  const isNumber = type === AttributeType.NUMBER;
  const input = h("input", {
    ...common,
    autocomplete: "off",
    ...(isNumber ? { inputmode: "decimal" } : {}),
    value: value === null ? "" : String(value),
  });
  return [input, () => (input.value.trim() === "" ? null : isNumber ? numberOf(input.value) : input.value.trim())];
}

/** Also with the comma of a language. NaN: it is no number. */
function numberOf(written: string): number {
  const number = Number(written.trim().replace(",", "."));
  return Number.isFinite(number) ? number : Number.NaN;
}

function shown(value: JsonValue): string {
  if (typeof value === "boolean") return text(value ? "profile.yes" : "profile.no");
  return Array.isArray(value) ? value.join(", ") : String(value);
}
