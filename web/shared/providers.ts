/** The identity providers of an organization, and their buttons. */

import type { IDPOption, ListSignInOptionsResponse, SignInButton } from "../gen/keystead/signin/v1/signin_service_pb";
import { h, nameOf } from "./dom";
import { imageOf } from "./images";
import { signInService } from "./session";
import { textWith, type TextKey } from "./words";

/** A page of providers, oldest first, and whether people can sign up. `nextPageToken` is empty on the last page. */
export type ProviderPage = Pick<ListSignInOptionsResponse, "idps" | "nextPageToken" | "allowsSignUp">;

/** A page of the providers for sign-in; an empty one without an organization. @throws ConnectError */
export async function providersOf(orgId: string, pageToken = ""): Promise<ProviderPage> {
  return orgId ? signInService.listSignInOptions({ orgId, pageToken }) : { idps: [], nextPageToken: "", allowsSignUp: false };
}

/** A button for the provider, in its colours and with its logo. */
export function providerButton(provider: IDPOption, label: TextKey, pressed: (button: HTMLButtonElement) => void) {
  const button = h(
    "button",
    { type: "button", class: "provider", onclick: () => pressed(button) },
    h("span", {}, ...textWith(label, { name: nameOf(provider.name) })),
  );
  if (provider.button) applyBranding(button, provider.button);
  return button;
}

function applyBranding(button: HTMLButtonElement, { logo, backgroundColor, textColor }: SignInButton): void {
  if (backgroundColor && textColor) {
    button.style.backgroundColor = backgroundColor;
    button.style.color = textColor;
  }
  const picture = imageOf(logo, 20);
  if (picture) button.prepend(picture);
}
