/** The question whether a passkey or link was lost or stolen, before it is removed, and the access that ends with it. */

import type { EndedAccess } from "../gen/keystead/common/v1/details_pb";
import { h } from "./dom";
import { text, type TextKey } from "./words";

/** Makes the removal without effect, for the access that it would end. @throws ConnectError */
export type PreviewRemoval = (lostOrStolen: boolean) => Promise<EndedAccess | undefined>;

export interface Loss {
  readonly element: HTMLElement;
  readonly isLost: () => boolean;
}

const COUNTED = [
  ["sessions", "ends.sessions"],
  ["applications", "ends.applications"],
  ["tokens", "ends.tokens"],
] as const satisfies readonly (readonly [keyof EndedAccess, TextKey])[];

/** A checkbox for the content of a dialog. Without a recent sign-in, the numbers are not known yet. */
export function askOfLoss(preview: PreviewRemoval): Loss {
  const numbers = h("div", { role: "status" });
  const box = h("input", { type: "checkbox", onchange: () => void count() });
  const element = h(
    "div",
    {},
    h("div", { class: "choices" }, h("label", {}, box, h("span", {}, text("remove.lost")))),
    h("p", { class: "hint" }, text("remove.lostHint")),
    numbers,
  );
  let turn = 0;
  const count = async () => {
    const asked = ++turn;
    const ended = await preview(box.checked).catch(() => undefined); // the removal tells the reason
    if (asked === turn) numbers.replaceChildren(...(ended ? [endsOf(ended)] : []));
  };
  void count();
  return { element, isLost: () => box.checked };
}

function endsOf(ended: EndedAccess): HTMLElement {
  const ends = COUNTED.filter(([name]) => ended[name] > 0);
  if (ends.length === 0) return h("p", {}, text("ends.nothing"));
  const items = ends.map(([name, key]) => h("li", {}, text(key, { count: String(ended[name]) })));
  return h("div", {}, h("p", {}, text("ends.these")), h("ul", { class: "next" }, ...items));
}
