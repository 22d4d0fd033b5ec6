/** A changed brand, which the frame shows: its form and the frame do not import each other. */

import { forgetBrand } from "../shared/brand";

let show: () => Promise<void> = async () => {};

/** The frame shows the brand of the selected organization again after each change. */
export function onNewBrand(showBrand: () => Promise<void>): void {
  show = showBrand;
}

/** Shows the changed brand. */
export function rebrand(): Promise<void> {
  forgetBrand();
  return show();
}
