/** One passkey of the list, and the dialogs that rename and remove it. */

import type { Passkey } from "../gen/keystead/passkey/v1/passkey_service_pb";
import { day, fact } from "./facts";
import { h, nameOf, nameText } from "./dom";
import { button, field, named, submitButton, wrongName } from "./form";
import { ask } from "./dialog";
import { icon } from "./icons";
import { type Circumstances, explain, reasonOf, type Refusal, violationOf } from "./refusals";
import { text, textWith } from "./words";

/** What can be done to a passkey; each ends with another view. @throws ConnectError */
export interface Changes {
  readonly by: Circumstances["by"];
  /** Of a card: one below that of the list. */
  readonly heading: "h2" | "h3";
  readonly rename: (passkeyId: string, name: string) => Promise<void>;
  readonly remove: (passkeyId: string, name: string) => Promise<void>;
  /** After somebody else has removed it. */
  readonly missing: () => Promise<void>;
  /** After a refusal that ends everything. */
  readonly ended: (refusal: Refusal) => void;
}

/** `isOnly`: the user has no other passkey. */
export function cardOf(passkey: Passkey, changes: Changes, isOnly: boolean): HTMLElement {
  const { name } = passkey;
  return h(
    "li",
    { class: "card" },
    icon("key"),
    h(changes.heading, {}, nameOf(name)),
    h(
      "dl",
      {},
      passkey.providerName !== "" && fact(text("passkey.keptBy"), nameOf(passkey.providerName)),
      fact(text("passkey.where"), whereOf(passkey)),
      fact(text("passkey.added"), day(passkey.details?.creationDate)),
      fact(text("passkey.lastUsed"), passkey.lastUsedDate ? day(passkey.lastUsedDate) : text("passkey.notUsed")),
    ),
    h(
      "div",
      { class: "actions" },
      named(button(text("passkey.rename"), () => openRename(passkey, changes)), text("passkey.renameOne", { name: nameText(name) })),
      named(button(text("passkey.remove"), () => openRemove(passkey, changes, isOnly), "quiet danger"), text("passkey.removeOne", { name: nameText(name) })),
    ),
  );
}

function whereOf({ backupEligible, backedUp }: Passkey): string {
  if (!backupEligible) return text("passkey.oneDevice");
  return backedUp ? text("passkey.synced") : text("passkey.canSync");
}

function openRename({ passkeyId, name }: Passkey, changes: Changes): void {
  const input = field(text("rename.name"), text("rename.hint"), {
    autocomplete: "off",
    maxlength: "200",
    value: name,
  });
  openDialog(text("rename.title"), [input.element], submitButton(text("rename.save")), changes, async () => {
    const wanted = input.input.value.trim();
    const wrong = wrongName(wanted);
    input.refuse(wrong);
    if (wrong) return;
    try {
      await changes.rename(passkeyId, wanted);
    } catch (error) {
      const violation = violationOf(error, "name");
      if (!violation) throw error;
      input.refuse(text("name.refused", { violation }));
    }
  });
  input.input.focus();
  input.input.select();
}

function openRemove({ passkeyId, name }: Passkey, changes: Changes, isOnly: boolean): void {
  const consequence = h("p", {}, ...textWith("remove.consequence", { name: nameOf(name) }));
  const warning = h("p", { class: "warning" }, text("remove.only"));
  const content = isOnly ? [warning, consequence] : [consequence];
  const confirm = submitButton(text("passkey.remove"), "danger");
  openDialog(text("remove.title"), content, confirm, changes, () => changes.remove(passkeyId, name));
}

function openDialog(
  title: string,
  content: HTMLElement[],
  confirm: HTMLButtonElement,
  changes: Changes,
  work: () => Promise<void>,
): void {
  ask(title, content, confirm, async (alerts) => {
    try {
      await work();
    } catch (error) {
      const refusal = explain(error, { by: changes.by });
      if (reasonOf(error) === "PASSKEY_NOT_FOUND") await changes.missing();
      else if (refusal.isEnd) changes.ended(refusal);
      else alerts.tell(refusal);
    }
  });
}
