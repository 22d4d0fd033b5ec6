/** Icons beside text with the same meaning, hidden from screen readers. */

const SVG = "http://www.w3.org/2000/svg";

/** Paths on a grid of 24, stroked with the colour of the text. */
const PATHS = {
  key: ["M8 7.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z", "m11 14.3 6.7 6.7", "m15 18.3 2-2", "m17.7 21 2-2"],
  phone: [
    "M8.5 3h7A1.5 1.5 0 0 1 17 4.500v15a1.5 1.5 0 0 1-1.5 1.500h-7A1.5 1.5 0 0 1 7 19.500v-15A1.5 1.5 0 0 1 8.5 3Z",
    "M11 17.800h2",
  ],
  computer: [
    "M4.5 5h15A1.5 1.5 0 0 1 21 6.500v8a1.5 1.5 0 0 1-1.5 1.500h-15A1.5 1.5 0 0 1 3 14.500v-8A1.5 1.5 0 0 1 4.5 5Z",
    "M8.5 20h7",
    "M12 16v4",
  ],
  application: [
    "M5.5 4h13A1.5 1.5 0 0 1 20 5.500v13a1.5 1.5 0 0 1-1.5 1.500h-13A1.5 1.5 0 0 1 4 18.500v-13A1.5 1.5 0 0 1 5.5 4Z",
    "M4 9h16",
    "M7 6.500h.01",
  ],
} as const;

export function icon(name: keyof typeof PATHS): SVGSVGElement {
  return svgOf(
    PATHS[name].map((d) => ({ d })),
    { class: "icon" },
  );
}

/** A picture of paths with these attributes, on a grid of 24. */
export function svgOf(
  paths: readonly Readonly<Record<string, string>>[],
  attributes: Readonly<Record<string, string>>,
): SVGSVGElement {
  const picture = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", ...attributes });
  picture.append(...paths.map((each) => svg("path", each)));
  return picture;
}

function svg<Tag extends "svg" | "path">(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
