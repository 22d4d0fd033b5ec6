/** Groups: list, add, and one group with its members. */

import { html, nothing, type TemplateResult } from "lit";
import {
  type Group,
  type GroupMember,
  GroupSchema,
  GroupService,
} from "../../gen/console/keystead/group/v1/group_service_pb";
import { may } from "../access";
import { change, client, preview, read } from "../api";
import { askFirst } from "../dialogs";
import { form } from "../form";
import { done, notDone } from "../notice";
import "../object_picker";
import { copyable, empty, facts, head, name, section, table, time, titled } from "../parts";
import { filterBy, go, type Route, to } from "../router";
import { maskOf, messageOf, only, valuesOf } from "../values";
import { Loaded, Paged, totalOf, View } from "../view";
import { t } from "../view_words";

const groups = client(GroupService);

export function views({ path }: Route): string {
  return path[1] === undefined ? "keystead-groups" : path[1] === "new" ? "keystead-group-new" : "keystead-group";
}

class Groups extends View {
  readonly #list = new Paged<Group>(this, async (pageToken) => {
    const request = { query: this.#query, pageToken, withTotalSize: pageToken === "" };
    const page = await read((options) => groups.listGroups(request, options));
    if (pageToken === "") this.#total = totalOf(page);
    return { items: page.groups, next: page.nextPageToken };
  });
  #total = "";

  get #query(): string {
    return this.route.query.get("q") ?? "";
  }

  readonly #search = (event: Event) => {
    filterBy(event, this.route);
    this.#list.reloadSoon();
  };

  protected override render(): TemplateResult {
    const add = may("GroupService/CreateGroup")
      ? html`<a class="primary" href=${to(["groups", "new"])}>${t("groups.add")}</a>`
      : nothing;
    return html`${head(t("groups"), { lead: t("groups.lead"), actions: add })}
      <search class="filters"><div class="field"><label for="groups-query">${t("search")}</label><input id="groups-query" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" .value=${this.#query} @input=${this.#search} /></div></search>
      ${this.#total ? html`<p class="total" role="status">${t("groups.total", { total: this.#total })}</p>` : nothing}
      ${this.#list.render(
        (items) =>
          table(
            t("groups"),
            [
              {
                label: t("field.displayName"),
                cell: (each) => titled(name(each.displayName), each.name, ["groups", each.groupId]),
              },
              { label: t("changed"), cell: (each) => time(each.details?.changeDate), isWide: true },
            ],
            items,
          ),
        empty(t(this.#query ? "groups.noneFound" : "groups.none")),
      )}`;
  }
}

class NewGroup extends View {
  protected override render(): TemplateResult {
    return html`${head(t("groups.add"), { up: [t("groups"), to(["groups"])] })}
      ${section(
        t("details"),
        form({
          request: "CreateGroupRequest",
          fields: ["name", "displayName"],
          values: {},
          submit: t("add"),
          cancel: () => go(["groups"]),
          save: async (values) => {
            const { name: given = "", displayName = "" } = values as Record<string, string>;
            const { groupId } = await change((options) => groups.createGroup({ name: given, displayName }, options));
            go(["groups", groupId]);
          },
        }),
      )}`;
  }
}

class OneGroup extends View {
  readonly #group = new Loaded(this, () => this.#read());
  readonly #members = new Paged<GroupMember>(this, async (pageToken) => {
    const page = await read((options) => groups.listGroupMembers({ groupId: this.#id, pageToken }, options));
    return { items: page.members, next: page.nextPageToken };
  });

  get #id(): string {
    return this.route.path[1] ?? "";
  }

  async #read(): Promise<Group> {
    const { group } = await read((options) => groups.getGroup({ groupId: this.#id }, options));
    return group!;
  }

  protected override render(): TemplateResult {
    return this.#group.render((group) => {
      const state = (found: Group) => ({ values: valuesOf(GroupSchema, found), sequence: found.details!.sequence });
      const { groupId } = group;
      const edit = form({
        request: "PatchGroupRequest",
        within: "group",
        fields: ["name", "displayName"],
        ...state(group),
        submit: t("save"),
        current: async () => state(await this.#read()),
        save: (values, changed, sequence) =>
          change(
            (options) =>
              groups.patchGroup(
                {
                  group: { ...messageOf(GroupSchema, only(values, changed)), groupId },
                  updateMask: maskOf(changed),
                },
                options,
              ),
            sequence,
          ),
      });
      const remove = html`<button type="button" class="quiet danger" @click=${() => this.#askToRemove(group)}>${t("groups.remove")}</button>`;
      return html`${head(name(group.displayName), { up: [t("groups"), to(["groups"])], lead: group.name, actions: may("GroupService/RemoveGroup") ? remove : nothing })}
        ${section(
          t("details"),
          facts(
            ["ID", copyable(groupId, "ID")],
            [t("created"), time(group.details?.creationDate)],
            [t("changed"), time(group.details?.changeDate)],
          ),
        )}
        ${section(
          t("groups.members"),
          html`${may("GroupService/AddGroupMember") && may("UserService/ListUsers") ? html`<keystead-object-picker .label=${t("groups.addMember")} .kinds=${["user"]} .chosen=${this.#addMember}></keystead-object-picker>` : nothing}
          ${this.#members.render(
            (items) =>
              table(
                t("groups.members"),
                [
                  {
                    label: t("user"),
                    cell: (each) =>
                      titled(
                        name(each.displayName || each.userName),
                        name(each.userName),
                        may("UserService/GetUser") ? ["users", each.userId] : undefined,
                      ),
                  },
                  {
                    label: t("groups.source"),
                    cell: (each) => (each.linkId ? t("groups.ofProvider") : ""),
                    isWide: true,
                  },
                  { label: t("groups.since"), cell: (each) => time(each.details?.creationDate), isWide: true },
                  {
                    label: t("actions"),
                    isLabelHidden: true,
                    cell: (each) =>
                      may("GroupService/RemoveGroupMember")
                        ? html`<button type="button" class="quiet danger" aria-label=${t("removeOne", { name: each.displayName || each.userName })} @click=${() => void this.#removeMember(each)}>${t("remove")}</button>`
                        : nothing,
                  },
                ],
                items,
              ),
            empty(t("groups.noMembers")),
          )}`,
        )}
        ${may("GroupService/PatchGroup") ? section(t("settings"), edit) : nothing}`;
    });
  }

  readonly #addMember = async (userId: string, title: string) => {
    try {
      await change((options) => groups.addGroupMember({ groupId: this.#id, userId }, options));
      await this.#members.reload();
      done(t("groups.added", { name: title || userId }), () => this.#remove(userId));
    } catch (error) {
      notDone(error);
    }
  };

  async #removeMember({ userId, displayName, userName }: GroupMember): Promise<void> {
    try {
      await this.#remove(userId);
      done(t("removed", { name: displayName || userName }), async () => {
        await change((options) => groups.addGroupMember({ groupId: this.#id, userId }, options));
        await this.#members.reload();
      });
    } catch (error) {
      notDone(error);
    }
  }

  async #remove(userId: string): Promise<void> {
    await change((options) => groups.removeGroupMember({ groupId: this.#id, userId }, options));
    await this.#members.reload();
  }

  #askToRemove({ groupId, displayName }: Group): void {
    askFirst({
      title: t("groups.removeTitle", { name: displayName }),
      action: t("groups.remove"),
      consequences: async () => {
        const { members, nextPageToken } = await read((options) =>
          groups.listGroupMembers({ groupId, pageSize: 200 }, options),
        );
        const count = nextPageToken ? t("groups.manyMembers") : String(members.length);
        return [t("groups.removeText", { count }), t("groups.removeApplications")];
      },
      check: () => preview((options) => groups.removeGroup({ groupId }, options)),
      act: async () => {
        await change((options) => groups.removeGroup({ groupId }, options));
        go(["groups"]);
      },
      done: t("removed", { name: displayName }),
    });
  }
}

customElements.define("keystead-groups", Groups);
customElements.define("keystead-group-new", NewGroup);
customElements.define("keystead-group", OneGroup);
