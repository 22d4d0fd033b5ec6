/** Presets of well-known identity providers. The server has them, and docs/federation.md. */

import type { Preset, UNSUPPORTED } from "../gen/console/presets";
import type { Declared, Values } from "./form";
import { loadTranslations, type Translated, translated } from "./translations";

export type { Preset };

export interface Presets {
  readonly all: readonly Preset[];
  /** Providers that cannot be used, with the reason. */
  readonly unsupported: typeof UNSUPPORTED;
  /** The declaration of each value that an issuer contains. */
  readonly values: Readonly<Record<string, Declared>>;
}

export async function loadPresets(): Promise<Presets> {
  const [{ PRESETS, UNSUPPORTED, VALUES }] = await Promise.all([
    import("../gen/console/presets"),
    loadTranslations("notes"),
  ]);
  const declared = Object.entries(VALUES).map(([name, pattern]) => [
    name,
    { type: "string", minLength: 1, pattern: `^(?:${pattern})$` },
  ]);
  return { all: PRESETS, unsupported: UNSUPPORTED, values: Object.fromEntries(declared) };
}

/** The name of the provider, and of its kind. */
export function titleOf({ presetId, name, kind }: Preset): string {
  return kind ? `${name} (${translated("notes", `kind.${presetId}`, kind).text})` : name;
}

/** What people must know at the provider. */
export function noteOf({ presetId, note }: Preset): Translated {
  return translated("notes", `preset.${presetId}`, note);
}

/** Why a provider cannot be used. */
export function whyUnsupported({ presetId, reason }: Presets["unsupported"][number]): string {
  return translated("notes", `unsupported.${presetId}`, reason).text;
}

/** The settings of a provider by its preset. `values` are those that its issuer contains. */
export function settingsOf(preset: Preset, values: (name: string) => string): Values {
  return {
    issuer: preset.values.reduce((issuer, each) => issuer.replace(`{${each}}`, values(each)), preset.issuer),
    scopes: [...preset.scopes],
    tokenEndpointAuthMethod: preset.authMethod,
    button: { backgroundColor: preset.backgroundColor, textColor: preset.textColor },
    updateNameAtSignIn: true,
  };
}

/** Whether anybody can get an account at this issuer. */
export function isOpen({ all }: Presets, issuer: string): boolean {
  return all.some(({ openIssuers }) => openIssuers.includes(issuer));
}
