/**
 * The brand of an organization, in place of that of the instance.
 *
 * The server writes the brand of the instance into each page; only the browser knows the organization.
 */

import { createClient } from "@connectrpc/connect";
import { BrandService } from "../gen/keystead/org/v1/brand_service_pb";
import { transport } from "./api";
import { found } from "./dom";
import { imageOf } from "./images";

/** A page waits for a brand no longer than this. */
const WAIT_MILLISECONDS = 1_500;

const brandService = createClient(BrandService, transport({}, "omit"));
let shownOf = "";

/** Shows the brand of an organization; without an answer of the server, leaves that of the instance. */
export async function showBrandOf(orgId: string): Promise<void> {
  try {
    if (orgId !== shownOf) await replaceBrand(orgId);
  } catch (error) {
    console.debug("the brand of the organization is not known", error);
  }
  // The header of a page whose address names an organization is hidden until here (`style.css`).
  delete document.body.dataset["brand"];
}

async function replaceBrand(orgId: string): Promise<void> {
  const { name, logo, color, darkColor, supportAddress } = await brandService.getShownBrand(
    { orgId },
    { timeoutMs: WAIT_MILLISECONDS },
  );
  shownOf = orgId;
  found("site").textContent = name;
  const picture = imageOf(logo, 56);
  if (picture) document.querySelector("header img")?.replaceWith(picture);
  if (color) {
    document.documentElement.style.setProperty("--brand", color);
    document.documentElement.style.setProperty("--brand-dark", darkColor);
  }
  if (supportAddress) {
    found("support").setAttribute("href", `mailto:${encodeURIComponent(supportAddress).replace("%40", "@")}`);
    found("support").hidden = false;
  }
}
