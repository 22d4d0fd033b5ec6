/** A changed brand or name of an organization, which the frame shows: its form and the frame do not import each other. */

import { forgetBrand } from "../shared/brand";

let show: () => Promise<void> = async () => {};

/** The frame shows the brand and the name of the selected organization again after each change. */
export function onNewBrand(showBrand: () => Promise<void>): void {
  show = showBrand;
}

/** Shows the changed brand, or the changed name. */
export function rebrand(): Promise<void> {
  forgetBrand();
  return show();
}
