/** The identity providers of an organization, and their buttons. */

import type { ListSignInOptionsResponse, SignInButton } from "../gen/keystead/signin/v1/signin_service_pb";
import { h, nameOf } from "./dom";
import { imageOf } from "./images";
import { signInService } from "./session";
import { textWith, type TextKey } from "./words";

/** The parts of a provider that its button shows. */
export type Shown = {
  readonly name: string;
  readonly preset: string;
  readonly button?: Pick<SignInButton, "logo" | "backgroundColor" | "textColor"> | undefined;
};

/** A page of providers, oldest first, and whether people can sign up and recover. `nextPageToken` is empty on the last page. */
export type ProviderPage = Pick<
  ListSignInOptionsResponse,
  "idps" | "nextPageToken" | "allowsSignUp" | "allowsMailRecovery"
>;

let logoOf: (preset: string) => SVGSVGElement | undefined = () => undefined;

/** A page of the providers for sign-in; an empty one without an organization, which may allow recovery. @throws ConnectError */
export async function providersOf(orgId: string, pageToken = ""): Promise<ProviderPage> {
  if (!orgId) return { idps: [], nextPageToken: "", allowsSignUp: false, allowsMailRecovery: true };
  const page = await signInService.listSignInOptions({ orgId, pageToken });
  if (page.idps.some(({ preset }) => preset)) await loadLogos();
  return page;
}

/** Loads the logos of presets for buttons. A button without its logo works as well. */
export async function loadLogos(): Promise<void> {
  const logos = await import("./logos").catch(() => undefined);
  if (logos) ({ logoOf } = logos);
}

/** A button for the provider, in its colours and with its logo, or that of its preset. */
export function providerButton(provider: Shown, label: TextKey, pressed: (button: HTMLButtonElement) => void) {
  const button = h(
    "button",
    { type: "button", class: "provider", onclick: () => pressed(button) },
    h("span", {}, ...textWith(label, { name: nameOf(provider.name) })),
  );
  if (provider.button) applyColors(button, provider.button);
  const logo = imageOf(provider.button?.logo ?? new Uint8Array(), 20) ?? logoOf(provider.preset);
  if (logo) button.prepend(logo);
  return button;
}

function applyColors(button: HTMLButtonElement, { backgroundColor, textColor }: NonNullable<Shown["button"]>): void {
  if (backgroundColor && textColor) {
    button.style.backgroundColor = backgroundColor;
    button.style.color = textColor;
  }
}
