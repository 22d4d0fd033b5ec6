/** The identity providers of an organization, and their buttons. */

import type { IDPOption, ListSignInOptionsResponse, SignInButton } from "../gen/keystead/signin/v1/signin_service_pb";
import { h, nameOf } from "./dom";
import { signInService } from "./session";
import { textWith, type TextKey } from "./words";

/** Media types of images by first byte; the server accepts no other images. */
const MEDIA_TYPES: readonly (readonly [firstByte: number, mediaType: string])[] = [
  [0x89, "image/png"],
  [0xff, "image/jpeg"],
  [0x52, "image/webp"],
];

/** A page of providers, oldest first. `nextPageToken` is empty on the last page. */
export type ProviderPage = Pick<ListSignInOptionsResponse, "idps" | "nextPageToken">;

/** A page of the providers for sign-in; an empty one without an organization. @throws ConnectError */
export async function providersOf(orgId: string, pageToken = ""): Promise<ProviderPage> {
  return orgId ? signInService.listSignInOptions({ orgId, pageToken }) : { idps: [], nextPageToken: "" };
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
  const type = MEDIA_TYPES.find(([firstByte]) => logo[0] === firstByte)?.[1];
  if (!type) return;
  const address = URL.createObjectURL(new Blob([logo as Uint8Array<ArrayBuffer>], { type }));
  const freed = () => URL.revokeObjectURL(address);
  button.prepend(h("img", { src: address, alt: "", width: "20", height: "20", onload: freed, onerror: freed }));
}
