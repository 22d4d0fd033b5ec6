import { setTimeout } from "node:timers/promises";

const EVERY_MILLISECONDS = 60;
/** Longer than a question must stand still before an answer counts. */
const FOR_MILLISECONDS = 2500;

/** Where the button of this name is. */
export async function placeOf({ page }, name) {
  const { x, y, width, height } = await page.getByRole("button", { name, exact: true }).boundingBox();
  return [x + width / 2, y + height / 2];
}

/** Clicks at a place with the mouse, without a pause, while the window goes to an address and then shows a question. */
export async function clickFastWhileGoing(person, [x, y], address, question) {
  let end = Infinity;
  const going = person.page.goto(address);
  const shown = person.sees(question).finally(() => (end = performance.now() + FOR_MILLISECONDS));
  shown.catch(() => {}); // below
  while (performance.now() < end) {
    await person.page.mouse.click(x, y);
    await setTimeout(EVERY_MILLISECONDS);
  }
  await Promise.all([going, shown]);
}
