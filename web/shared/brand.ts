/**
 * The brand of an organization, in place of that of the instance.
 *
 * The server writes the brand of the instance into each page; only the browser knows the organization.
 */

import { createClient } from "@connectrpc/connect";
import { BrandService, type GetShownBrandResponse } from "../gen/keystead/org/v1/brand_service_pb";
import { transport } from "./api";
import { found } from "./dom";
import { imageOf } from "./images";

/** A page waits for a brand no longer than this. */
const WAIT_MILLISECONDS = 1_500;

/** Shows the logo of a brand; without one, the mark of the instance. */
type ShowLogo = (logo: HTMLImageElement | undefined) => void;

const brandService = createClient(BrandService, transport({}, "omit"));
/** The organization whose brand is shown or requested; empty for the instance, undefined for an outdated brand. */
let shownOf: string | undefined = "";
/** The parts of the brand of the instance that a brand replaces. */
let instance: { name: string; support: string | null } | undefined;
let mark: Element | null = null;

/**
 * Shows the brand of an organization; without an answer of the server, that of the instance.
 *
 * `showLogo` is for a page whose header comes later than its brand.
 */
export async function showBrandOf(orgId: string, showLogo: ShowLogo = replaceMark): Promise<void> {
  if (orgId !== shownOf) {
    shownOf = orgId;
    const brand = orgId ? await fetchBrand(orgId) : undefined;
    if (shownOf === orgId) {
      if (!brand) shownOf = ""; // so that the next call tries again
      apply(brand, showLogo);
    }
  }
  // The header of a page whose address names an organization is hidden until here (`style.css`).
  delete document.body.dataset["brand"];
}

/** Call after a change of a brand: the next `showBrandOf` asks the server again. */
export function forgetBrand(): void {
  shownOf = undefined;
}

/** The brand of an organization, with the values of the instance in its empty fields. */
async function fetchBrand(orgId: string): Promise<GetShownBrandResponse | undefined> {
  try {
    return await brandService.getShownBrand({ orgId }, { timeoutMs: WAIT_MILLISECONDS });
  } catch (error) {
    console.debug("the brand of the organization is not known", error);
    return undefined;
  }
}

/** Shows a brand; without one, that of the instance. */
function apply(brand: GetShownBrandResponse | undefined, showLogo: ShowLogo): void {
  const [site, support] = [found("site"), found("support")];
  instance ??= { name: site.textContent ?? "", support: support.getAttribute("href") };
  site.textContent = brand?.name ?? instance.name;
  const { style } = document.documentElement;
  style.setProperty("--brand", brand?.color ?? "");
  style.setProperty("--brand-dark", brand?.darkColor ?? "");
  const address = brand?.supportAddress;
  const href = address ? `mailto:${encodeURIComponent(address).replace("%40", "@")}` : instance.support;
  support.hidden = !href;
  if (href) support.setAttribute("href", href);
  showLogo(brand && imageOf(brand.logo, 56));
}

function replaceMark(logo: HTMLImageElement | undefined): void {
  const shown = document.querySelector("header img");
  mark ??= shown;
  shown?.replaceWith(logo ?? mark!);
}
