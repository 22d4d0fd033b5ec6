import { setTimeout } from "node:timers/promises";

const EVERY_MILLISECONDS = 60;
/** Longer than a page needs to show a question and to let it be read. */
const FOR_MILLISECONDS = 3000;

/** Where the button of this name is. */
export async function placeOf({ page }, name) {
  const { x, y, width, height } = await page.getByRole("button", { name, exact: true }).boundingBox();
  return [x + width / 2, y + height / 2];
}

/** Clicks at a place with the mouse, without a pause, while the window goes to an address. */
export async function clickFastWhileGoing({ page }, [x, y], address) {
  const end = performance.now() + FOR_MILLISECONDS;
  const going = page.goto(address);
  while (performance.now() < end) {
    await page.mouse.click(x, y);
    await setTimeout(EVERY_MILLISECONDS);
  }
  await going;
}
