/** The identity providers of an organization, and their buttons. */

import type { IDPOption, ListSignInOptionsResponse, SignInButton } from "../gen/keystead/signin/v1/signin_service_pb";
import { h, nameOf } from "./dom";
import { imageOf } from "./images";
import { signInService } from "./session";
import { textWith, type TextKey } from "./words";

/** A page of providers, oldest first, and whether people can sign up. `nextPageToken` is empty on the last page. */
export type ProviderPage = Pick<ListSignInOptionsResponse, "idps" | "nextPageToken" | "allowsSignUp">;

let logoOf: (preset: string) => SVGSVGElement | undefined = () => undefined;

/** A page of the providers for sign-in; an empty one without an organization. @throws ConnectError */
export async function providersOf(orgId: string, pageToken = ""): Promise<ProviderPage> {
  if (!orgId) return { idps: [], nextPageToken: "", allowsSignUp: false };
  const page = await signInService.listSignInOptions({ orgId, pageToken });
  // A button without its logo works as well.
  const logos = page.idps.some(({ preset }) => preset) && (await import("./logos").catch(() => undefined));
  if (logos) ({ logoOf } = logos);
  return page;
}

/** A button for the provider, in its colours and with its logo, or that of its preset. */
export function providerButton(provider: IDPOption, label: TextKey, pressed: (button: HTMLButtonElement) => void) {
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

function applyColors(button: HTMLButtonElement, { backgroundColor, textColor }: SignInButton): void {
  if (backgroundColor && textColor) {
    button.style.backgroundColor = backgroundColor;
    button.style.color = textColor;
  }
}
