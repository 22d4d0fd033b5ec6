/** Registration of a passkey by a registration link. */

import type { CheckPasskeyRegistrationResponse, Invitation } from "../gen/keystead/passkey/v1/passkey_service_pb";
import { properLink } from "../shared/address";
import { anonymous } from "../shared/api";
import { showAdd } from "../shared/add";
import { deviceName } from "../shared/device";
import { type Child, h, nameOf, say, show, uniqueId } from "../shared/dom";
import { button, requestIdOf } from "../shared/form";
import { forgetLink, type Link } from "./link";
import { isConsole, returnNote } from "../shared/kept_return";
import { explain, explained, type Refusal } from "../shared/refusals";
import { Registration } from "../shared/registration";
import { CONTINUE, storedRequest } from "../shared/request";
import { signInService } from "../shared/session";
import { tellTabs } from "../shared/tabs";
import { text, textWith } from "../shared/words";
import { obstacle } from "../shared/webauthn";

/** Checks the link first: nobody should name a passkey for a used link. */
export async function startByLink(link: Link, signal: AbortSignal): Promise<void> {
  const hindered = obstacle();
  if (hindered) {
    showEnd(explained(hindered), keptLink(link), properLink(link.address));
    return;
  }
  const { userId, code } = link;
  say(text("link.checking"));
  let account: CheckPasskeyRegistrationResponse | undefined;
  let told: Refusal | undefined;
  try {
    account = await anonymous.passkeys.checkPasskeyRegistration({ userId, code }, { signal });
  } catch (error) {
    told = explain(error, { by: "link", step: "beginning" });
  }
  if (signal.aborted) return;
  if (told?.isEnd) {
    showEnd(told, signIn());
    return;
  }
  showAdd(
    {
      by: "link",
      lead: account?.invitation && invitationOf(account.invitation),
      introduction: [
        ...(account ? purposeOf(account) : []),
        text("link.advantage"),
        ...(account ? targetOf(account) : []),
      ],
      told,
      registration: new Registration(userId, () => anonymous.passkeys.registerPasskey({ userId, code })),
      added: (name, registrationToken) => void finish(name, registrationToken, account?.returnTo ?? ""),
      ended: showEnd,
    },
    signal,
  );
}

/** Who invites, and to what. */
function invitationOf({ inviterName, organizationName, applicationName }: Invitation): Child[] {
  const strong = (name: string) => h("strong", {}, nameOf(name));
  const names = { inviter: strong(inviterName), organization: strong(organizationName) };
  const application = applicationName && textWith("link.invitedToUse", { application: strong(applicationName) });
  return [...textWith(inviterName ? "link.invitedBy" : "link.invited", names), ...(application || [])];
}

/** The host to which the link leads afterwards. */
function targetOf({ returnTo }: CheckPasskeyRegistrationResponse): Child[] {
  return returnTo ? [" ", ...returnNote(returnTo)] : [];
}

function purposeOf({ userName, displayName, rpName }: CheckPasskeyRegistrationResponse): Child[] {
  const shown = h("strong", {}, nameOf(displayName || userName));
  const isTold = displayName !== "" && displayName !== userName;
  const account = isTold
    ? h("span", {}, ...textWith("link.accountWithName", { displayName: shown, userName: nameOf(userName) }))
    : shown;
  return textWith("link.purpose", { account, service: h("strong", {}, nameOf(rpName)) });
}

export function showIncompleteLink(): void {
  showEnd(explained("LINK_INVALID"));
}

/** Shown after a reload: the page no longer has the link. */
export function showReloaded(otherwise: () => void): void {
  const goOn = () => {
    forgetLink();
    otherwise();
  };
  show(
    text("link.reloadedTitle"),
    h("p", {}, text("link.reloaded")),
    h("p", {}, text("link.reloadedNext")),
    h("div", { class: "actions" }, button(text("link.otherwise"), goOn)),
  );
}

/** Signs the person in, who could do it with the new passkey. If that fails, the person does it. */
async function finish(name: string, registrationToken: string, returnTo: string): Promise<void> {
  forgetLink();
  say(text("signIn.completing"));
  try {
    await signInService.signInAfterRegistration({ registrationToken, deviceName: deviceName() });
    tellTabs("signed-in");
    showAdded(name, goOnTo(returnTo));
  } catch {
    showAdded(name, signIn(returnTo));
  }
}

function showAdded(name: string, next: HTMLElement): void {
  show(
    text("link.readyTitle"),
    h(
      "p",
      { class: "done" },
      h("span", { "aria-hidden": "true" }, "✓ "),
      ...textWith("link.ready", { name: nameOf(name) }),
    ),
    h("ul", { class: "next" }, h("li", {}, text("link.readySecond")), h("li", {}, text("link.readyUsed"))),
    next,
  );
}

/** The link to the page of a registration link, which the server has checked, or to the account. */
function goOnTo(returnTo: string): HTMLElement {
  if (storedRequest()) return leadTo(`../signin/${CONTINUE}`, text("link.readyContinue"));
  if (isConsole(returnTo)) return leadTo(returnTo, text("link.readyConsole"));
  if (returnTo) return leadTo(returnTo, text("link.readyReturn", { host: new URL(returnTo).host }));
  return leadTo("../account/", text("link.readyAccount"));
}

function signIn(returnTo = ""): HTMLElement {
  // The person may have asked for the link at the sign-in for an application, in this tab.
  const rest = storedRequest() ? CONTINUE : returnTo && `?${new URLSearchParams({ return_to: returnTo })}`;
  return leadTo(`../signin/${rest}`, text("link.readySignIn"));
}

function leadTo(href: string, label: string): HTMLElement {
  return h("div", { class: "actions" }, h("a", { class: "primary", href }, label));
}

function showEnd(refusal: Refusal, ...more: Child[]): void {
  show(refusal.title, h("p", {}, refusal.text), ...more, requestIdOf(refusal));
}

/** The link, to copy manually: it is no longer in the address, and the clipboard needs a secure context. */
function keptLink(link: Link): HTMLElement {
  const id = uniqueId();
  const input = h("input", { id, readonly: true, onfocus: () => input.select() });
  input.value = link.address;
  const label = h("label", { for: id }, text("link.kept"));
  return h("div", { class: "field" }, label, input);
}
