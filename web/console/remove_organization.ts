/** The removal of an organization: its users first, at most 500 in a call, then the organization with all that it has. */

import { html, nothing, render, type TemplateResult } from "lit";
import { UserResultState } from "../gen/console/keystead/common/v1/user_result_pb";
import { type Organization, OrganizationService } from "../gen/console/keystead/org/v1/organization_service_pb";
import { UserService } from "../gen/console/keystead/user/v1/user_service_pb";
import { allPages } from "../shared/api";
import { ask } from "../shared/dialog";
import { submitButton } from "../shared/form";
import { change, client, preview, read, within } from "./api";
import { failed } from "./failure";
import { done } from "./notice";
import { go } from "./router";
import { t } from "./view_words";
import { refusalOf } from "./words";

const organizations = client(OrganizationService);
const users = client(UserService);

const MOST = 500;
/** They have that many users. */
const MOST_PAGES = 3;

/** A user whose removal was refused. */
class RefusedError extends Error {}

/** Shows the consequences, asks for the name, and shows the progress. An interrupted removal can be begun again. */
export function askToRemove({ orgId, name }: Organization): void {
  const content = document.createElement("div");
  const confirm = submitButton(t("organizations.remove"), "danger");
  let isNamed = false;
  let consequences: readonly string[] = [];
  const enter = (event: Event) => {
    isNamed = (event.target as HTMLInputElement).value.trim() === name;
    confirm.hidden = !isNamed;
  };
  const show = (below: TemplateResult | typeof nothing) =>
    render(
      html`<ul class="consequences">${consequences.map((each) => html`<li>${each}</li>`)}</ul>
      <div class="field"><label for="organization-name">${t("organizations.typeName", { name })}</label>
      <input id="organization-name" autocomplete="off" spellcheck="false" @input=${enter} /></div>${below}`,
      content,
    );
  const dialog = ask(t("organizations.removeTitle", { name }), [content], confirm, async () => {
    if (!isNamed) return;
    try {
      await removeUsers(orgId, (removed, all) =>
        show(html`<p role="status">${t("organizations.progress", { done: removed, all })}</p>`),
      );
      await change((options) => organizations.removeOrganization({ orgId }, within("", options)));
      dialog.close();
      done(t("removed", { name }));
      go(["organizations"]);
    } catch (error) {
      show(error instanceof RefusedError ? html`<p class="alert" role="alert">${error.message}</p>` : failed(error));
    }
  });
  confirm.hidden = true; // nobody can confirm consequences before they are known
  render(html`<p class="loading" role="status">${t("loading")}</p>`, content);
  void consequencesOf(orgId).then(
    (found) => {
      consequences = found;
      show(nothing);
    },
    (error: unknown) => render(failed(error), content),
  );
}

/** The numbers of its objects, or that of its users, who are removed first. */
async function consequencesOf(orgId: string): Promise<readonly string[]> {
  const all = await countUsers(orgId);
  const consequences = [t("organizations.removesAll"), t("organizations.eventsStay")];
  if (all > 0) return [`${t("users")}: ${all}`, ...consequences];
  const { removed } = await preview((options) => organizations.removeOrganization({ orgId }, within("", options)));
  const counts = [
    [t("applications"), removed?.applications],
    [t("groups"), removed?.groups],
    [t("attributes"), removed?.attributes],
    [t("idps"), removed?.idps],
    [t("push"), removed?.subscriptions],
  ] as const;
  return [...counts.filter(([, count]) => count).map(([label, count]) => `${label}: ${count}`), ...consequences];
}

async function countUsers(orgId: string): Promise<number> {
  const page = await read((options) => users.listUsers({ pageSize: 1, withTotalSize: true }, within(orgId, options)));
  return page.totalSize;
}

/** Removes the first users until there are none. @throws RefusedError */
async function removeUsers(orgId: string, tell: (removed: number, all: number) => void): Promise<void> {
  const all = await countUsers(orgId);
  for (let removed = 0; ;) {
    const userIds = await firstUsers(orgId);
    if (userIds.length === 0) return;
    tell(removed, Math.max(all, removed + userIds.length));
    const { results } = await change((options) => users.removeUsers({ userIds }, within(orgId, options)));
    const refused = results.find(
      ({ state, reason }) => state === UserResultState.REFUSED && reason !== "USER_NOT_FOUND",
    );
    if (refused) throw new RefusedError(refusalOf(refused.reason, {}) ?? refused.message);
    removed += userIds.length;
  }
}

async function firstUsers(orgId: string): Promise<string[]> {
  const pages = await allPages((page) => read((options) => users.listUsers(page, within(orgId, options))), MOST_PAGES);
  return pages.flatMap((page) => page.users.map(({ userId }) => userId)).slice(0, MOST);
}
