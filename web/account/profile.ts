/** The names, the language and the attributes of the signed-in user, and the dialog that changes them. */

import type { AttributeDefinition } from "../gen/keystead/attribute/v1/attribute_service_pb";
import { EmailVerification, type User } from "../gen/keystead/user/v1/user_service_pb";
import { LANGUAGES } from "../gen/languages";
import { type AfterRefusal, askToChange } from "../shared/dialog";
import { type Child, h, nameOf } from "../shared/dom";
import { fact } from "../shared/facts";
import { button, field, submitButton } from "../shared/form";
import { pictureAddress, smallPicture } from "../shared/picture";
import { violationOf } from "../shared/refusals";
import { bySession } from "../shared/session";
import { confirmed } from "../shared/step_up";
import { text } from "../shared/words";
import { AttributeFields, attributeFacts } from "./attributes";
import { askForChange, pendingChange } from "./email_change";

export interface ProfileView {
  readonly reopen: (...news: Child[]) => Promise<void>;
  readonly refused: (error: unknown) => void;
  readonly ended: AfterRefusal["ended"];
}

/** The fields with the value of `autocomplete` of each. */
const FIELDS = {
  displayName: "name",
  givenName: "given-name",
  familyName: "family-name",
  locale: "language",
  zoneinfo: "off",
} as const;
/** The ID of the list of languages that the pages and mails have; others are taken, too. */
const LANGUAGE_LIST = "languages";
type Name = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Name[];

/** Ways of verification of which applications are told. */
const CLAIMED: readonly EmailVerification[] = [
  EmailVerification.LINK,
  EmailVerification.PROVIDER,
  EmailVerification.IMPORT,
];

export function profileSection(
  user: User,
  definitions: readonly AttributeDefinition[],
  view: ProfileView,
): HTMLElement {
  // The shown name stands above.
  const shown = NAMES.filter((name) => name !== "displayName" && user[name]).map((name) =>
    fact(text(`profile.${name}`), nameOf(user[name])),
  );
  const isVerified = CLAIMED.includes(user.emailVerification);
  return h(
    "section",
    {},
    h("h2", {}, text("profile.label")),
    user.pictureUri &&
      h("img", {
        class: "portrait",
        src: pictureAddress(user.pictureUri),
        alt: text("profile.picture"),
        width: "64",
        height: "64",
      }),
    h("dl", {}, ...shown, user.email && addressFact(user.email, isVerified), ...attributeFacts(definitions, user)),
    pendingChange(user, view),
    h(
      "div",
      { class: "actions" },
      button(text("profile.change"), () => openChange(user, definitions, view)),
      button(text(user.email ? "email.change" : "email.add"), () => askForChange(user, view)),
      user.email !== "" && !isVerified && button(text("email.verify"), () => askForChange(user, view, user.email)),
    ),
  );
}

function addressFact(address: string, isVerified: boolean): HTMLElement {
  const state = !isVerified && h("small", {}, text("email.unverified"));
  return fact(text("profile.email"), h("span", {}, nameOf(address), state && " ", state));
}

function openChange(user: User, definitions: readonly AttributeDefinition[], view: ProfileView): void {
  const inputs = NAMES.map((name) => {
    const hint = name === "locale" || name === "zoneinfo" ? text(`profile.${name}Hint`) : "";
    const attributes = {
      autocomplete: FIELDS[name],
      value: user[name],
      "aria-required": "false",
      ...(name === "locale" && { list: LANGUAGE_LIST }),
    };
    return [name, field(text(`profile.${name}`), hint, attributes)] as const;
  });
  const languages = h(
    "datalist",
    { id: LANGUAGE_LIST },
    ...Object.entries(LANGUAGES).map(([tag, { name }]) => h("option", { value: tag }, name)),
  );
  const picture = field(text("profile.picture"), text("profile.pictureHint"), {
    type: "file",
    accept: "image/*",
    "aria-required": "false",
  });
  const attributes = new AttributeFields(definitions, user);
  const withoutPicture = h("input", { type: "checkbox" });
  const save = async () => {
    const values = inputs.map(([name, { input }]) => [name, input.value.trim()] as const);
    const paths: string[] = values.filter(([name, value]) => value !== user[name]).map(([name]) => pathOf(name));
    const file = picture.input.files?.[0];
    let chosen = new Uint8Array();
    try {
      if (file) chosen = await smallPicture(file);
    } catch {
      picture.refuse(text("profile.noPicture"));
      return;
    }
    if (file || withoutPicture.checked) paths.push("picture");
    const changes = attributes.changed();
    if (!changes) return;
    if (Object.keys(changes).length > 0) paths.push("attributes");
    try {
      if (paths.length > 0) {
        const changed = {
          ...Object.fromEntries(values),
          picture: chosen,
          attributes: changes,
          userId: user.userId,
        };
        await confirmed(() => bySession.users.patchUser({ user: changed, updateMask: { paths } }));
      }
    } catch (error) {
      const wrong = inputs.filter(([name, each]) => {
        const violation = violationOf(error, `user.${name}`, "profile.refused");
        each.refuse(violation ?? "");
        return violation !== undefined;
      });
      if (attributes.refuse(error) || wrong.length > 0) return;
      throw error;
    }
    await view.reopen(text("profile.changed"));
  };
  const content = [...inputs.map(([, { element }]) => element), languages, ...attributes.elements, picture.element];
  if (user.pictureUri) {
    content.push(
      h("div", { class: "choices" }, h("label", {}, withoutPicture, h("span", {}, text("profile.removePicture")))),
    );
  }
  askToChange(text("profile.change"), content, submitButton(text("rename.save")), save, {
    by: "session",
    ended: view.ended,
  });
  inputs[0]?.[1].input.focus();
}

/** The name in a field mask: `given_name`. */
function pathOf(name: Name): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
