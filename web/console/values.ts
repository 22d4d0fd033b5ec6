/** Values of forms from messages, and messages from values of forms. */

import { create, type DescMessage, fromJson, type MessageShape, toJson } from "@bufbuild/protobuf";
import { type FieldMask, FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import type { Values } from "./form";

/** The fields of a message by their JSON names; those without a value have their default. */
export function valuesOf<Message extends DescMessage>(schema: Message, message: MessageShape<Message>): Values {
  return toJson(schema, message, { alwaysEmitImplicit: true }) as Values;
}

/** A message with these fields. */
export function messageOf<Message extends DescMessage>(schema: Message, values: Values): MessageShape<Message> {
  return fromJson(schema, { ...values }, { ignoreUnknownFields: true });
}

/** Only some of the values. */
export function only(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** A field mask of these JSON names. */
export function maskOf(names: readonly string[]): FieldMask {
  const paths = names.map((each) => each.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return create(FieldMaskSchema, { paths });
}
