/**
 * Logos of well-known identity providers, beside their names.
 *
 * Simple Icons has drawn those in one colour. The rules of Google and Microsoft for sign-in buttons ask for their
 * colours, so these two are drawn here.
 */

import { siAuth0, siAuthentik, siGitlab, siKeycloak, siOkta } from "simple-icons";
import { svgOf } from "./icons";

/** The attributes of the paths of a logo, on a grid of 24. */
type Paths = readonly Readonly<Record<"d" | "fill" | "stroke" | "stroke-width", string>>[];

const filled = (d: string, fill = "currentcolor") => ({ d, fill, stroke: "none", "stroke-width": "0" });
const drawn = (d: string, stroke: string) => ({ d, fill: "none", stroke, "stroke-width": "4.6" });

/** By the ID of the preset. */
const LOGOS: Readonly<Record<string, Paths>> = {
  auth0: [filled(siAuth0.path)],
  authentik: [filled(siAuthentik.path)],
  gitlab: [filled(siGitlab.path)],
  "gitlab-self-managed": [filled(siGitlab.path)],
  google: [
    drawn("M18.72 5.28A9.5 9.5 0 0 0 3.77 7.25", "#ea4335"),
    drawn("M3.77 7.25a9.5 9.5 0 0 0 0 9.5", "#fbbc05"),
    drawn("M3.77 16.75a9.5 9.5 0 0 0 14.34 2.53", "#34a853"),
    drawn("M18.11 19.28A9.5 9.5 0 0 0 21.5 12H12", "#4285f4"),
  ],
  keycloak: [filled(siKeycloak.path)],
  microsoft: [
    filled("M1 1h10.5v10.5H1Z", "#f25022"),
    filled("M12.5 1H23v10.5H12.5Z", "#7fba00"),
    filled("M1 12.5h10.5V23H1Z", "#00a4ef"),
    filled("M12.5 12.5H23V23H12.5Z", "#ffb900"),
  ],
  okta: [filled(siOkta.path)],
};

/** The logo of a preset; undefined for a provider without one. */
export function logoOf(preset: string): SVGSVGElement | undefined {
  const paths = Object.hasOwn(LOGOS, preset) ? LOGOS[preset] : undefined;
  return paths && svgOf(paths, { width: "20", height: "20" });
}
