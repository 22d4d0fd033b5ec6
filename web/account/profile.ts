/** The names and the language of the signed-in user, and the dialog that changes them. */

import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { type AfterRefusal, askToChange } from "../shared/dialog";
import { type Child, h, nameOf } from "../shared/dom";
import { fact } from "../shared/facts";
import { button, field, submitButton } from "../shared/form";
import { pictureAddress, smallPicture } from "../shared/picture";
import { violationOf } from "../shared/refusals";
import { bySession } from "../shared/session";
import { confirmed } from "../shared/step_up";
import { text } from "../shared/words";

export interface ProfileView {
  readonly reopen: (...news: Child[]) => Promise<void>;
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
type Name = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Name[];

export function profileSection(user: User, view: ProfileView): HTMLElement {
  // The shown name stands above.
  const shown = NAMES.filter((name) => name !== "displayName" && user[name]).map((name) =>
    fact(text(`profile.${name}`), nameOf(user[name])),
  );
  const address = user.email && fact(text("profile.email"), nameOf(user.email));
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
    h("dl", {}, ...shown, address),
    h(
      "div",
      { class: "actions" },
      button(text("profile.change"), () => openChange(user, view)),
    ),
  );
}

function openChange(user: User, view: ProfileView): void {
  const inputs = NAMES.map((name) => {
    const hint = name === "locale" || name === "zoneinfo" ? text(`profile.${name}Hint`) : "";
    const attributes = { autocomplete: FIELDS[name], value: user[name], "aria-required": "false" };
    return [name, field(text(`profile.${name}`), hint, attributes)] as const;
  });
  const picture = field(text("profile.picture"), text("profile.pictureHint"), {
    type: "file",
    accept: "image/*",
    "aria-required": "false",
  });
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
    try {
      if (paths.length > 0) {
        const changed = { ...Object.fromEntries(values), picture: chosen, userId: user.userId };
        await confirmed(() => bySession.users.patchUser({ user: changed, updateMask: { paths } }));
      }
    } catch (error) {
      const wrong = inputs.filter(([name, each]) => {
        const violation = violationOf(error, `user.${name}`);
        each.refuse(violation ? text("profile.refused", { violation }) : "");
        return violation !== undefined;
      });
      if (wrong.length === 0) throw error;
      return;
    }
    await view.reopen(text("profile.changed"));
  };
  const content = [...inputs.map(([, { element }]) => element), picture.element];
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
