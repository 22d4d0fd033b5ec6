/** What a person sees who has opened a registration link. */

import type { CheckPasskeyRegistrationResponse } from "../gen/keystead/passkey/v1/passkey_service_pb";
import { passkeyService } from "../shared/api";
import { showAdd } from "../shared/add";
import { type Child, h, nameOf, say, show, uniqueId } from "../shared/dom";
import { button, requestIdOf } from "../shared/form";
import { forgetLink, type Link } from "./link";
import { explain, explained, type Refusal } from "../shared/refusals";
import { Registration } from "../shared/registration";
import { obstacle } from "../shared/webauthn";

/** Asks first what the link is good for: nobody is to name a passkey for one that is used up. */
export async function startByLink(link: Link, signal: AbortSignal): Promise<void> {
  const hindered = obstacle();
  if (hindered) {
    showEnd(explained(hindered), keptLink(link));
    return;
  }
  const { userId, code } = link;
  say("Checking your link…");
  let account: CheckPasskeyRegistrationResponse | undefined;
  let told: Refusal | undefined;
  try {
    account = await passkeyService.checkPasskeyRegistration({ userId, code }, { signal });
  } catch (error) {
    told = explain(error, { by: "link", step: "beginning" });
  }
  if (signal.aborted) return;
  if (told?.isEnd) {
    showEnd(told);
    return;
  }
  showAdd(
    {
      by: "link",
      introduction: [...(account ? purposeOf(account) : []), ADVANTAGE],
      told,
      registration: new Registration(userId, () => passkeyService.registerPasskey({ userId, code })),
      added: showAdded,
      ended: showEnd,
    },
    signal,
  );
}

const ADVANTAGE =
  "With a passkey you sign in by fingerprint, face, or the PIN of your device. There is no password to remember, "
  + "and none to steal.";

function purposeOf({ userName, displayName, rpName }: CheckPasskeyRegistrationResponse): Child[] {
  const isTold = displayName !== "" && displayName !== userName;
  const account = [h("strong", {}, nameOf(displayName || userName)), ...(isTold ? [" (", nameOf(userName), ")"] : [])];
  return ["It signs you in to the account ", ...account, " at ", h("strong", {}, nameOf(rpName)), ". "];
}

export function showIncompleteLink(): void {
  showEnd(explained("LINK_INVALID"));
}

/** After a reload, which forgets the link. */
export function showReloaded(otherwise: () => void): void {
  const goOn = () => {
    forgetLink();
    otherwise();
  };
  show(
    "Open your link again",
    h("p", {}, "This page forgets a link when it is reloaded, so that nobody else finds it here."),
    h("p", {}, "Open it again from the mail. It works until a passkey was added with it, or until it expires."),
    h("div", { class: "actions" }, button("Use an access token instead", goOn)),
  );
}

function showAdded(name: string): void {
  forgetLink();
  show(
    "Your passkey is ready",
    h("p", { class: "done" }, h("span", { "aria-hidden": "true" }, "✓ "), "“", nameOf(name), "” was added to your account."),
    h(
      "ul",
      { class: "next" },
      h("li", {}, "Choose “passkey” the next time you sign in."),
      h("li", {}, "Should you lose this device, another passkey lets you in: add one on a second device. Each needs a link of its own."),
      h("li", {}, "The link that you opened is used up. You can close this page."),
    ),
  );
}

function showEnd(refusal: Refusal, ...more: HTMLElement[]): void {
  show(refusal.title, h("p", {}, refusal.text), ...more, requestIdOf(refusal));
}

/** The address was cleared, and the clipboard is for secure contexts: to be copied by hand. */
function keptLink(link: Link): HTMLElement {
  const id = uniqueId();
  const input = h("input", { id, readonly: true, onfocus: () => input.select() });
  input.value = link.address;
  const label = h("label", { for: id }, "Your link, to open it in another browser");
  return h("div", { class: "field" }, label, input);
}
