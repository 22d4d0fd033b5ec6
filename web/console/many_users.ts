/** Changes of many users: a selection, the consequences for each, and the calls of at most 500 users. */

import { html, nothing, render, type TemplateResult } from "lit";
import { type UserResult, UserResultState } from "../gen/console/keystead/common/v1/user_result_pb";
import { GroupService } from "../gen/console/keystead/group/v1/group_service_pb";
import { InviteState, PasskeyService } from "../gen/console/keystead/passkey/v1/passkey_service_pb";
import { type User, UserService } from "../gen/console/keystead/user/v1/user_service_pb";
import { ask } from "../shared/dialog";
import { submitButton } from "../shared/form";
import { may } from "./access";
import { type Call, change, client, preview, read } from "./api";
import { askFirst } from "./dialogs";
import { failed } from "./failure";
import { done } from "./notice";
import { counted, type Key, t } from "./view_words";
import { refusalOf } from "./words";

const users = client(UserService);
const groups = client(GroupService);
const passkeys = client(PasskeyService);

/** The names of selected users by their IDs. */
export type Many = Map<string, string>;

const MOST = 500;
const MOST_SHOWN = 10;

interface Results {
  readonly results: readonly UserResult[];
}
type Send = (userIds: string[]) => Call<Results>;

/** The number of users of the list, and the actions on those that are selected. */
export function selectionBar(
  selected: Many,
  {
    items,
    total,
    changed,
    select,
  }: { items: readonly User[]; total: string; changed: () => void; select: (user: User, isSelected: boolean) => void },
): TemplateResult {
  const act = (kind: "lock" | "unlock" | "remove", send: Send) => () => askAbout(selected, kind, send, changed);
  const isAll = items.length > 0 && items.every(({ userId }) => selected.has(userId));
  const selectAll = (event: Event) => {
    for (const each of items) select(each, (event.target as HTMLInputElement).checked);
  };
  return html`<div class="selection" role="group" aria-label=${t("users.selection")}>
    <span class="check"><input type="checkbox" id="users-select-all" .checked=${isAll} @change=${selectAll} /><label for="users-select-all">${t("users.selectAll")}</label></span>
    <span role="status">${selected.size > 0 ? counted("users.selected", selected.size) : total ? t("users.total", { total }) : nothing}</span>
    ${
      selected.size === 0
        ? nothing
        : html`${
            may("PasskeyService/InviteUsers")
              ? html`<button type="button" @click=${() => askToInvite(selected, changed)}>${t("users.inviteAgain")}</button>`
              : nothing
          }${
            may("UserService/LockUsers")
              ? html`<button type="button" @click=${act("lock", (userIds) => (options) => users.lockUsers({ userIds }, options))}>${t("user.lock")}</button>
      <button type="button" @click=${act("unlock", (userIds) => (options) => users.unlockUsers({ userIds }, options))}>${t("user.unlock")}</button>`
              : nothing
          }
    ${may("GroupService/AddGroupMembers") ? html`<button type="button" @click=${() => void askForGroup(selected, changed)}>${t("users.addToGroup")}</button>` : nothing}
    ${may("UserService/RemoveUsers") ? html`<button type="button" class="danger" @click=${act("remove", (userIds) => (options) => users.removeUsers({ userIds }, options))}>${t("users.remove")}</button>` : nothing}`
    }
  </div>`;
}

const TITLES = { lock: "users.askToLock", unlock: "users.askToUnlock", remove: "users.askToRemove" } as const;

/** The only user by name, or the number of users. */
function titleOf(selected: Many, one: Key, many: Parameters<typeof counted>[0]): string {
  const [name] = selected.values();
  return selected.size === 1 ? t(one, { name: name! }) : counted(many, selected.size);
}

function askAbout(selected: Many, kind: "lock" | "unlock" | "remove", send: Send, changed: () => void): void {
  askFirst({
    title: titleOf(selected, `user.${kind}Title`, TITLES[kind]),
    action: t(kind === "remove" ? "users.remove" : `user.${kind}`),
    consequences: async () => sentences(selected, await inCalls(selected, (ids) => preview(send(ids)))),
    act: async () => {
      await inCalls(selected, (ids) => change(send(ids)));
      changed();
    },
    done: t("users.done"),
  });
}

/** Mails each another link. Users with a passkey are left as they are. */
function askToInvite(selected: Many, changed: () => void): void {
  askFirst({
    title: titleOf(selected, "users.inviteOne", "users.inviteMany"),
    action: t("users.inviteAgain"),
    consequences: async () => {
      const results = await inCalls(selected, (userIds) =>
        preview((options) => passkeys.inviteUsers({ userIds }, options)),
      );
      const withPasskey = results.filter(({ state }) => state === InviteState.HAS_PASSKEY).length;
      return [
        ...sentences(
          selected,
          results
            .filter(({ state }) => state !== InviteState.HAS_PASSKEY)
            .map(({ userId, reason, description, state }) => ({
              userId,
              reason,
              message: description,
              state: state === InviteState.REFUSED ? UserResultState.REFUSED : UserResultState.DONE,
            })),
        ),
        ...(withPasskey > 0 ? [counted("users.manyHavePasskey", withPasskey)] : []),
      ];
    },
    act: async () => {
      await inCalls(selected, (userIds) => change((options) => passkeys.inviteUsers({ userIds }, options)));
      changed();
    },
    done: t("users.done"),
  });
}

async function askForGroup(selected: Many, changed: () => void): Promise<void> {
  const content = document.createElement("div");
  const show = (template: TemplateResult) => render(template, content);
  const confirm = submitButton(t("add"));
  confirm.hidden = true;
  show(html`<p class="loading" role="status">${t("loading")}</p>`);
  const dialog = ask(t("users.addToGroup"), [content], confirm, async () => {
    const groupId = content.querySelector("select")?.value ?? "";
    try {
      const results = await inCalls(selected, (userIds) =>
        change((options) => groups.addGroupMembers({ groupId, userIds }, options)),
      );
      dialog.close();
      done(outcome(results));
      changed();
    } catch (error) {
      show(failed(error));
    }
  });
  try {
    const found = await read((options) => groups.listGroups({ pageSize: 200 }, options));
    confirm.hidden = found.groups.length === 0;
    show(
      found.groups.length === 0
        ? html`<p>${t("users.noGroups")}</p>`
        : html`<div class="field"><label for="users-group">${t("users.group")}</label><select id="users-group">${found.groups.map((each) => html`<option value=${each.groupId}>${each.displayName}</option>`)}</select></div>`,
    );
  } catch (error) {
    show(failed(error));
  }
}

async function inCalls<Result>(
  selected: Many,
  call: (userIds: string[]) => Promise<{ readonly results: readonly Result[] }>,
): Promise<readonly Result[]> {
  const ids = [...selected.keys()];
  const results: Result[] = [];
  for (let start = 0; start < ids.length; start += MOST)
    results.push(...(await call(ids.slice(start, start + MOST))).results);
  return results;
}

/** The number of users that change, and the refusals of the others. */
function sentences(
  selected: Many,
  results: readonly Pick<UserResult, "userId" | "state" | "reason" | "message">[],
): readonly (string | TemplateResult)[] {
  const refused = results.filter(({ state }) => state === UserResultState.REFUSED);
  return [
    counted("users.ok", results.length - refused.length),
    ...refused.slice(0, MOST_SHOWN).map((each) => {
      const sentence = refusalOf(each.reason, {});
      return html`<bdi>${selected.get(each.userId) ?? each.userId}</bdi>: <span lang=${sentence ? nothing : "en"}>${sentence ?? each.message}</span>`;
    }),
    ...(refused.length > MOST_SHOWN ? [counted("users.moreRefused", refused.length - MOST_SHOWN)] : []),
  ];
}

function outcome(results: readonly UserResult[]): string {
  const refused = results.filter(({ state }) => state === UserResultState.REFUSED).length;
  const ok = counted("users.added", results.length - refused);
  return refused === 0 ? ok : `${ok} ${counted("users.moreRefused", refused)}`;
}
