/** The card of a passkey, and the dialogs that rename and remove it. */

import type { Passkey } from "../gen/keystead/passkey/v1/passkey_service_pb";
import { day, fact } from "./facts";
import { h, nameOf, nameText } from "./dom";
import { button, field, named, submitButton, wrongName } from "./form";
import { type AfterRefusal, askToChange } from "./dialog";
import { icon } from "./icons";
import { askOfLoss, type PreviewRemoval } from "./loss";
import { type Circumstances, type Refusal, violationOf } from "./refusals";
import { text, textWith } from "./words";

/** The changes of a passkey; each shows another view. @throws ConnectError */
export interface Changes {
  readonly by: Circumstances["by"];
  /** The heading of a card: one level below that of the list. */
  readonly heading: "h2" | "h3";
  readonly rename: (passkeyId: string, name: string) => Promise<void>;
  readonly remove: (passkeyId: string, name: string, lostOrStolen: boolean) => Promise<void>;
  readonly previewRemoval: (passkeyId: string) => PreviewRemoval;
  /** Called if the passkey no longer exists. */
  readonly missing: () => Promise<void>;
  /** Called after a refusal after which no attempt on this page can succeed. */
  readonly ended: (refusal: Refusal) => void;
}

/** `rpId` is that of new passkeys; `isOnly`: the user has no other passkey. */
export function cardOf(passkey: Passkey, rpId: string, changes: Changes, isOnly: boolean): HTMLElement {
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
      passkey.rpId !== rpId && fact(text("passkey.former"), nameOf(passkey.rpId)),
      fact(text("passkey.added"), day(passkey.details?.creationDate)),
      fact(text("passkey.lastUsed"), passkey.lastUsedAt ? day(passkey.lastUsedAt) : text("passkey.notUsed")),
    ),
    h(
      "div",
      { class: "actions" },
      named(
        button(text("passkey.rename"), () => openRename(passkey, changes)),
        text("passkey.renameOne", { name: nameText(name) }),
      ),
      named(
        button(text("passkey.remove"), () => openRemove(passkey, changes, isOnly), "quiet danger"),
        text("passkey.removeOne", { name: nameText(name) }),
      ),
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
    value: name,
  });
  const rename = async () => {
    const wanted = input.input.value.trim();
    const wrong = wrongName(wanted);
    input.refuse(wrong);
    if (wrong) return;
    try {
      await changes.rename(passkeyId, wanted);
    } catch (error) {
      const violation = violationOf(error, "name", "name.refused");
      if (!violation) throw error;
      input.refuse(violation);
    }
  };
  askToChange(text("rename.title"), [input.element], submitButton(text("rename.save")), rename, afterRefusal(changes));
  input.input.focus();
  input.input.select();
}

function openRemove({ passkeyId, name }: Passkey, changes: Changes, isOnly: boolean): void {
  const consequence = h("p", {}, ...textWith("remove.consequence", { name: nameOf(name) }));
  const warning = h("p", { class: "warning" }, text("remove.only"));
  const loss = askOfLoss(changes.previewRemoval(passkeyId));
  const content = [...(isOnly ? [warning] : []), consequence, loss.element];
  const confirm = submitButton(text("passkey.remove"), "danger");
  const remove = () => changes.remove(passkeyId, name, loss.isLost());
  askToChange(text("remove.title"), content, confirm, remove, afterRefusal(changes));
}

function afterRefusal({ by, missing, ended }: Changes): AfterRefusal {
  return { by, missing: ["PASSKEY_NOT_FOUND", missing], ended };
}
