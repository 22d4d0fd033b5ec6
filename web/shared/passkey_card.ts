/** One passkey of the list, and the dialogs that rename and remove it. */

import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Passkey } from "../gen/keystead/passkey/v1/passkey_service_pb";
import { h, nameOf, nameText, uniqueId } from "./dom";
import { Alerts, busy, button, field, submitButton, wrongName } from "./form";
import { explain, reasonOf, type Refusal, violationOf } from "./refusals";

/** What can be done to a passkey; each ends with another view. @throws ConnectError */
export interface Changes {
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
    h("h2", {}, nameOf(name)),
    h(
      "dl",
      {},
      ...(passkey.providerName ? fact("Kept by", nameOf(passkey.providerName)) : []),
      ...fact("Where", whereOf(passkey)),
      ...fact("Added", day(passkey.details?.creationDate)),
      ...fact("Last used", passkey.lastUsedDate ? day(passkey.lastUsedDate) : "not yet"),
    ),
    h(
      "div",
      { class: "actions" },
      named(button("Rename", () => openRename(passkey, changes)), `Rename ${nameText(name)}`),
      named(button("Remove", () => openRemove(passkey, changes, isOnly), "quiet danger"), `Remove ${nameText(name)}`),
    ),
  );
}

function whereOf({ backupEligible, backedUp }: Passkey): string {
  if (!backupEligible) return "on one device only";
  return backedUp ? "synced between your devices" : "on one device, can be synced";
}

function fact(term: string, value: string | HTMLElement): HTMLElement[] {
  return [h("dt", {}, term), h("dd", {}, value)];
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

function day(timestamp: Timestamp | undefined): string | HTMLElement {
  if (!timestamp) return "not known";
  const date = timestampDate(timestamp);
  return h("time", { datetime: date.toISOString() }, DAY.format(date));
}

function named(element: HTMLButtonElement, label: string): HTMLButtonElement {
  element.setAttribute("aria-label", label);
  return element;
}

function openRename({ passkeyId, name }: Passkey, changes: Changes): void {
  const input = field("Name", "So that you recognise it later.", {
    autocomplete: "off",
    maxlength: "200",
    value: name,
  });
  openDialog("Rename this passkey", [input.element], submitButton("Save"), changes, async () => {
    const wanted = input.input.value.trim();
    const wrong = wrongName(wanted);
    input.refuse(wrong);
    if (wrong) return;
    try {
      await changes.rename(passkeyId, wanted);
    } catch (error) {
      const violation = violationOf(error, "name");
      if (!violation) throw error;
      input.refuse(`The name ${violation}.`);
    }
  });
  input.input.focus();
  input.input.select();
}

function openRemove({ passkeyId, name }: Passkey, changes: Changes, isOnly: boolean): void {
  const consequence = h(
    "p",
    {},
    "You will no longer be able to sign in with “",
    nameOf(name),
    "”. Your device may keep its part until you delete it there as well.",
  );
  const warning = h(
    "p",
    { class: "warning" },
    "This is your only passkey. Without one you may not be able to sign in: add another one first.",
  );
  openDialog("Remove this passkey?", isOnly ? [warning, consequence] : [consequence], submitButton("Remove", "danger"), changes, () =>
    changes.remove(passkeyId, name),
  );
}

/** A modal dialog: Escape and Cancel leave things as they are, the other button does the work. */
function openDialog(
  title: string,
  content: HTMLElement[],
  confirm: HTMLButtonElement,
  changes: Changes,
  work: () => Promise<void>,
): void {
  const titleId = uniqueId();
  const alerts = new Alerts();
  const cancel = button("Cancel", () => dialog.close());
  const form = h("form", { novalidate: true }, ...content, alerts.element, h("div", { class: "actions" }, confirm, cancel));
  const dialog = h("dialog", { "aria-labelledby": titleId }, h("h2", { id: titleId }, title), form);
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    alerts.clear();
    void busy(confirm, () => attempt());
  });
  document.body.append(dialog);
  dialog.showModal();
  cancel.focus(); // what is done by mistake is best nothing

  async function attempt(): Promise<void> {
    try {
      await work();
    } catch (error) {
      const refusal = explain(error, { by: "token" });
      if (reasonOf(error) === "PASSKEY_NOT_FOUND") await changes.missing();
      else if (refusal.isEnd) changes.ended(refusal);
      else alerts.tell(refusal);
    }
  }
}
