/**
 * Marks of programs, beside their names: the icons of Simple Icons (CC0) in the colour of the text.
 *
 * A file of its own, which only the gallery of programs loads. A program without an icon there has its first letter.
 */

import {
  siApache,
  siApachekafka,
  siArgo,
  siDjango,
  siEnvoyproxy,
  siFlask,
  siGitea,
  siGitlab,
  siGrafana,
  siImmich,
  siJenkins,
  siJupyter,
  siKubernetes,
  siMatrix,
  siMinio,
  siNextcloud,
  siNextdotjs,
  siNodedotjs,
  siNodered,
  siPostgresql,
  siSpringboot,
  siStreamlit,
  siVault,
  siVaultwarden,
} from "simple-icons";
import { svgOf } from "../shared/icons";

/** By the name of the recipe. */
const ICONS: Readonly<Record<string, { readonly path: string }>> = {
  apache: siApache,
  "argo-cd": siArgo,
  "django-allauth": siDjango,
  envoy: siEnvoyproxy,
  "flask-appbuilder": siFlask,
  gitea: siGitea,
  gitlab: siGitlab,
  grafana: siGrafana,
  immich: siImmich,
  jenkins: siJenkins,
  jupyterhub: siJupyter,
  kafka: siApachekafka,
  kubernetes: siKubernetes,
  minio: siMinio,
  "mozilla-django-oidc": siDjango,
  nextauth: siNextdotjs,
  nextcloud: siNextcloud,
  "node-red": siNodered,
  "openid-client": siNodedotjs,
  pgadmin: siPostgresql,
  "social-auth-app-django": siDjango,
  "spring-boot": siSpringboot,
  "spring-boot-resource-server": siSpringboot,
  streamlit: siStreamlit,
  synapse: siMatrix,
  vault: siVault,
  vaultwarden: siVaultwarden,
};

/** The mark of the program of a recipe; undefined for one without. */
export function markOfProgram(recipe: string): SVGSVGElement | undefined {
  const icon = Object.hasOwn(ICONS, recipe) ? ICONS[recipe] : undefined;
  return icon && svgOf([{ d: icon.path, fill: "currentcolor", stroke: "none" }], { width: "24", height: "24" });
}
