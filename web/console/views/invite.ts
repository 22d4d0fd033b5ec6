/** Many people at once: their addresses or a file, what is wrong with it, and the mails that invite them. */

import { html, nothing, type TemplateResult } from "lit";
import { type Group, GroupService } from "../../gen/console/keystead/group/v1/group_service_pb";
import {
  type InviteResult,
  InviteState,
  PasskeyService,
} from "../../gen/console/keystead/passkey/v1/passkey_service_pb";
import { type ImportResult, ImportState } from "../../gen/console/keystead/user/v1/user_import_pb";
import { Role, UserService } from "../../gen/console/keystead/user/v1/user_service_pb";
import { allPages } from "../../shared/api";
import { ALL_ROLES, may, outranks } from "../access";
import { change, client, preview, read } from "../api";
import { save } from "../csv";
import { failed } from "../failure";
import { head, name, section, table } from "../parts";
import { FIELDS, type PeopleTable, peopleOf, type PersonField, textOf } from "../people_table";
import { roleName } from "../roles";
import { to } from "../router";
import { Loaded, View } from "../view";
import { counted, maybe, t } from "../view_words";
import { refusalOf } from "../words";

const groups = client(GroupService);
const passkeys = client(PasskeyService);
const users = client(UserService);

const MOST = 500; // of a call
const PAGE_SIZE = 200;
const SHOWN_ROWS = 5;
const SHOWN_REFUSALS = 50;
/** A second click, or the same list again, sends no second mail. */
const NOT_AGAIN_SECONDS = 7 * 86_400;

/** A row, with the user that it becomes. The ID stays the same in all calls, so that a call again changes nothing. */
interface Person {
  readonly row: readonly string[];
  readonly line: number;
  readonly user: {
    readonly userId: string;
    readonly userName: string;
    readonly email: string;
    readonly groups: readonly string[];
  } & Partial<Record<"displayName" | "givenName" | "familyName" | "locale" | "externalId", string>>;
}

interface Refused {
  readonly person: Person;
  readonly problem: string;
  readonly language: "en" | undefined;
}

interface Progress {
  readonly step: string;
  readonly done: number;
  readonly total: number;
}

interface Outcome {
  readonly invited: number;
  readonly before: number;
  readonly withPasskey: number;
}

class Invite extends View {
  readonly #groups = new Loaded<Group[]>(this, async () => {
    if (!may("GroupService/AddGroupMember")) return [];
    const pages = await allPages((page) => read((options) => groups.listGroups(page, options)));
    return pages.flatMap((page) => page.groups);
  });
  #text = "";
  #table: PeopleTable | undefined;
  #columns: (PersonField | undefined)[] = [];
  readonly #chosen = new Set<string>();
  #role = Role.UNSPECIFIED;
  #ids: string[] = [];

  #checked: readonly Person[] | undefined;
  #refused: readonly Refused[] = [];
  /** The names of the columns of their rows. */
  #header: readonly string[] = [];
  #progress: Progress | undefined;
  #outcome: Outcome | undefined;
  #error: unknown;

  protected override render(): TemplateResult {
    return html`${head(t("invite"), { up: [t("users"), to(["users"])], lead: t("invite.lead") })}
      <form novalidate @submit=${this.#submit}>
        ${section(t("invite.people"), this.#source())}
        ${this.#table?.rows.length ? html`${section(counted("invite.persons", this.#table.rows.length), this.#preview(this.#table), { lead: t("invite.columns") })}${this.#choices()}` : nothing}
        ${this.#result()}
      </form>
      ${section(t("invite.others"), html`<div class="actions"><button type="button" aria-disabled=${this.#isBusy} @click=${() => void this.#inviteOthers()}>${t("invite.remind")}</button></div>`, { lead: t("invite.othersLead") })}`;
  }

  get #isBusy(): boolean {
    return this.#progress !== undefined;
  }

  #source(): TemplateResult {
    const drop = (event: DragEvent) => {
      event.preventDefault();
      void this.#open(event.dataTransfer?.files[0]);
    };
    const rest = this.#table?.rest;
    return html`<div class="field" @dragover=${(event: Event) => event.preventDefault()} @drop=${drop}>
        <label for="invite-text">${t("invite.addresses")}</label>
        <p class="hint" id="invite-hint">${t("invite.addressesHint")}</p>
        <textarea id="invite-text" rows="4" .value=${this.#text} spellcheck="false" autocapitalize="off" aria-describedby="invite-hint invite-rest" @input=${(event: Event) => this.#read((event.target as HTMLTextAreaElement).value)}></textarea>
        <p class="field-error" id="invite-rest">${rest ? html`<span aria-hidden="true">⚠ </span>${t("invite.rest", { text: rest.slice(0, 200) })}` : nothing}</p>
      </div>
      <div class="field">
        <label for="invite-file">${t("invite.file")}</label>
        <p class="hint" id="invite-file-hint">${t("invite.fileHint")}</p>
        <input id="invite-file" type="file" accept=".csv,.tsv,.txt,text/csv,text/plain" aria-describedby="invite-file-hint" @change=${(event: Event) => void this.#open((event.target as HTMLInputElement).files?.[0])} />
      </div>`;
  }

  async #open(file: File | undefined): Promise<void> {
    if (file) this.#read(await textOf(file));
  }

  #read(text: string): void {
    this.#text = text;
    this.#table = peopleOf(text);
    this.#columns = [...this.#table.columns];
    this.#ids = this.#table.rows.map((_, place) => newId(place));
    this.#changed();
  }

  /** What was checked is no longer what would be sent. */
  #changed(): void {
    this.#checked = this.#outcome = this.#error = undefined;
    this.#refused = [];
    this.requestUpdate();
  }

  #preview({ header, rows }: PeopleTable): TemplateResult {
    const choose = (index: number) => (event: Event) => {
      const chosen = (event.target as HTMLSelectElement).value as PersonField | "";
      this.#columns = this.#columns.map((each, at) => (each === chosen ? undefined : at === index ? undefined : each));
      this.#columns[index] = chosen || undefined;
      this.#changed();
    };
    const column = (index: number) =>
      t("invite.column", { number: index + 1, name: header[index] ?? "" }).replace(/: $/, "");
    return html`<div class="scroll preview" role="region" tabindex="0" aria-label=${t("invite.preview")}>
      <table><caption class="hidden">${t("invite.preview")}</caption>
        <thead><tr>${this.#columns.map(
          (chosen, index) => html`<th scope="col"><label class="hidden" for="column-${index}">${column(index)}</label>
            <select id="column-${index}" @change=${choose(index)}>
              <option value="" ?selected=${!chosen}>${t("invite.ignored")}</option>
              ${FIELDS.map((each) => html`<option value=${each} ?selected=${each === chosen}>${labelOf(each)}</option>`)}
            </select>${header[index] ? html`<small>${header[index]}</small>` : nothing}</th>`,
        )}</tr></thead>
        <tbody>${rows.slice(0, SHOWN_ROWS).map((row) => html`<tr>${this.#columns.map((_, index) => html`<td>${name(row[index] ?? "")}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
    ${rows.length > SHOWN_ROWS ? html`<p class="hint">${counted("invite.further", rows.length - SHOWN_ROWS)}</p>` : nothing}`;
  }

  #choices(): TemplateResult {
    const toggle = (groupId: string) => {
      if (!this.#chosen.delete(groupId)) this.#chosen.add(groupId);
      this.#changed();
    };
    const choose = (event: Event) => {
      this.#role = Number((event.target as HTMLSelectElement).value);
      this.#changed();
    };
    const roles = may("UserService/GrantRole") ? ALL_ROLES.filter((role) => outranks({ roles: [role] })) : [];
    const list = this.#groups.render((found) =>
      found.length === 0
        ? html``
        : html`<fieldset class="field scroll"><legend>${t("groups")}</legend>${found.map(
            ({ groupId, displayName, name: named }) =>
              html`<div class="check"><input type="checkbox" id="group-${groupId}" .checked=${this.#chosen.has(groupId)} @change=${() => toggle(groupId)} /><label for="group-${groupId}">${name(displayName || named)}</label></div>`,
          )}</fieldset>`,
    );
    const role = html`<div class="field"><label for="invite-role">${t("role")}</label>
      <select id="invite-role" @change=${choose}>
        <option value=${Role.UNSPECIFIED}>${t("invite.noRole")}</option>
        ${roles.map((each) => html`<option value=${each} ?selected=${each === this.#role}>${roleName(each)}</option>`)}
      </select></div>`;
    return section(t("invite.choices"), html`${list}${roles.length > 0 ? role : nothing}`, {
      lead: t("invite.choicesLead"),
    });
  }

  #result(): TemplateResult {
    const number = this.#checked?.length ?? 0;
    const isReady = this.#checked !== undefined && number > 0 && !this.#outcome;
    const button = isReady
      ? html`<button type="submit" class="primary" aria-disabled=${this.#isBusy} aria-busy=${this.#isBusy}>${counted("invite.send", number)}</button>`
      : this.#table?.rows.length && !this.#checked
        ? html`<button type="submit" class="primary" aria-disabled=${this.#isBusy} aria-busy=${this.#isBusy}>${t("invite.check")}</button>`
        : nothing;
    return html`${this.#error === undefined ? nothing : failed(this.#error)}
      ${this.#refused.length > 0 ? this.#refusals() : nothing}
      <div role="status" class="panelless">${this.#status()}</div>
      <div class="actions">${button}</div>`;
  }

  #status(): TemplateResult | typeof nothing {
    if (this.#progress) {
      const { step, done, total } = this.#progress;
      return html`<label class="field" for="invite-progress">${step}</label><progress id="invite-progress" max=${total} value=${done}></progress>`;
    }
    if (this.#outcome) {
      const { invited, before, withPasskey } = this.#outcome;
      const sentences = [
        counted("invite.invited", invited),
        before > 0 && counted("invite.before", before),
        withPasskey > 0 && counted("invite.has", withPasskey),
      ];
      return html`<p class="outcome">${sentences.filter(Boolean).join(" ")}</p>`;
    }
    if (this.#checked) return html`<p>${counted("invite.good", this.#checked.length)}</p>`;
    return nothing;
  }

  #refusals(): TemplateResult {
    const columns = [
      { label: t("field.email"), cell: ({ person }: Refused) => name(person.user.email || person.row.join(" ")) },
      {
        label: t("invite.problem"),
        cell: ({ problem, language }: Refused) => html`<span lang=${language ?? nothing}>${problem}</span>`,
      },
    ];
    const shown = this.#refused.slice(0, SHOWN_REFUSALS);
    return section(counted("invite.refused", this.#refused.length), table(t("invite.problem"), columns, shown), {
      lead: this.#refused.length > shown.length ? t("invite.refusedShown", { count: shown.length }) : nothing,
      actions: html`<button type="button" @click=${this.#download}>${t("invite.download")}</button>`,
    });
  }

  readonly #download = () => {
    const header = this.#header;
    const rows = this.#refused.map(({ person, problem }) => [
      ...header.map((_, index) => person.row[index] ?? ""),
      problem,
    ]);
    save("refused.csv", [[...header, t("invite.problem")], ...rows]);
  };

  readonly #submit = (event: Event) => {
    event.preventDefault();
    if (this.#isBusy) return;
    void this.#working(() => (this.#checked ? this.#send(this.#checked) : this.#check()));
  };

  /** Shows the failure of some work. What the work has done so far stays, and the same button goes on. */
  async #working(work: () => Promise<void>): Promise<void> {
    this.#error = undefined;
    try {
      await work();
    } catch (error) {
      this.#error = error;
    }
    this.#progress = undefined;
    this.requestUpdate();
  }

  #tell(step: string, done: number, total: number): void {
    this.#progress = { step, done, total };
    this.requestUpdate();
  }

  #people(): Person[] {
    return (this.#table?.rows ?? []).map((row, at) => {
      const value = (field: PersonField) => row[this.#columns.indexOf(field)] ?? "";
      const email = value("email");
      const named = value("groups")
        .split(/[,;|，；、]/)
        .map((each) => each.trim());
      const displayName = value("displayName") || `${value("givenName")} ${value("familyName")}`.trim();
      const further = Object.fromEntries(
        (["givenName", "familyName", "locale", "externalId"] as const).map((field) => [field, value(field)]),
      );
      return {
        row,
        line: this.#table!.lines[at]!,
        user: {
          ...further,
          userId: this.#ids[at]!,
          userName: value("userName") || email,
          email,
          displayName,
          groups: [...new Set([...named.filter(Boolean), ...this.#chosen])],
        },
      };
    });
  }

  /** Tries the import. */
  async #check(): Promise<void> {
    const [people, refused, good]: [Person[], Refused[], Person[]] = [this.#people(), [], []];
    this.#header = this.#columns.map((each, index) => this.#table?.header[index] || (each ?? ""));
    const byAddress = new Map<string, Person>();
    for (const person of people) {
      const key = person.user.email.normalize("NFKC").toLowerCase();
      const first = byAddress.get(key);
      if (key && !first) byAddress.set(key, person);
      else {
        const lines = { line: String(person.line), first: String(first?.line) };
        refused.push({
          person,
          problem: t(first ? "invite.repeated" : "invite.noAddress", lines),
          language: undefined,
        });
      }
    }
    const withAddress = [...byAddress.values()];
    // Fails without a mail server. The users do not exist yet.
    const userIds = people.slice(0, 1).map(({ user }) => user.userId);
    await preview((options) => passkeys.inviteUsers({ userIds }, options));
    for (const [batch, done] of batchesOf(withAddress)) {
      this.#tell(t("invite.checking"), done, withAddress.length);
      const { results } = await preview((options) => users.importUsers({ users: usersOf(batch) }, options));
      refused.push(...refusedOf(batch, results));
      good.push(...batch.filter((_, at) => results[at]!.state !== ImportState.REFUSED));
    }
    this.#refused = refused;
    this.#checked = good;
  }

  async #send(people: readonly Person[]): Promise<void> {
    const total = people.length;
    const refused = [...this.#refused.filter(({ person }) => !people.includes(person))];
    const imported: Person[] = [];
    for (const [batch, done] of batchesOf(people)) {
      this.#tell(t("invite.importing"), done, total);
      const { results } = await change((options) => users.importUsers({ users: usersOf(batch) }, options));
      refused.push(...refusedOf(batch, results));
      imported.push(...batch.filter((_, at) => results[at]!.state !== ImportState.REFUSED));
    }
    if (this.#role !== Role.UNSPECIFIED) {
      for (const [done, { user }] of imported.entries()) {
        this.#tell(t("invite.granting"), done, total);
        await change((options) => users.grantRole({ userId: user.userId, role: this.#role }, options));
      }
    }
    const results = await this.#invite(imported.map(({ user }) => user.userId));
    const byId = new Map(imported.map((person) => [person.user.userId, person]));
    for (const result of results) {
      if (result.state === InviteState.REFUSED)
        refused.push({ person: byId.get(result.userId)!, ...problemOf(result) });
    }
    this.#refused = refused;
    this.#outcome = outcomeOf(results);
  }

  /** Invites the users without a passkey, page by page. */
  async #inviteOthers(): Promise<void> {
    if (this.#isBusy) return;
    this.#changed();
    await this.#working(async () => {
      const { people, peopleWithPasskey } = await read((options) => users.countUsers({}, options));
      const results: InviteResult[] = [];
      const refused: Refused[] = [];
      let [pageToken, done] = ["", 0];
      do {
        const page = await read((options) =>
          users.listUsers({ filter: "passkey_count = 0", pageSize: PAGE_SIZE, pageToken }, options),
        );
        const found = page.users.filter((user) => user.email && !user.lockedAt && outranks(user));
        const answers = await this.#invite(
          found.map(({ userId }) => userId),
          done,
          people - peopleWithPasskey,
        );
        results.push(...answers);
        refused.push(
          ...found.flatMap((user, at) =>
            answers[at]!.state === InviteState.REFUSED
              ? [{ person: { row: [user.email], line: 0, user: { ...user, groups: [] } }, ...problemOf(answers[at]!) }]
              : [],
          ),
        );
        pageToken = page.nextPageToken;
        done += found.length;
      } while (pageToken);
      this.#header = [t("field.email")];
      this.#refused = refused;
      this.#outcome = outcomeOf(results);
    });
  }

  /** Invites users in batches, after others in a total. */
  async #invite(userIds: readonly string[], before = 0, total = userIds.length): Promise<InviteResult[]> {
    const found: InviteResult[] = [];
    for (const [batch, done] of batchesOf(userIds)) {
      this.#tell(t("invite.sending"), before + done, total);
      const request = { userIds: [...batch], notAgainWithinSeconds: NOT_AGAIN_SECONDS };
      found.push(...(await change((options) => passkeys.inviteUsers(request, options))).results);
    }
    return found;
  }
}

/** An ID as the server makes them: users are listed by their IDs, in the order of the list. */
function newId(place: number): string {
  const time = (Date.now() + Math.floor(place / 4096)).toString(16).padStart(12, "0");
  const order = (place % 4096).toString(16).padStart(3, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}${crypto.randomUUID().slice(18)}`;
}

function labelOf(field: PersonField): string {
  return field === "groups" ? t("groups") : (maybe(`field.${field}`) ?? field);
}

function* batchesOf<Item>(items: readonly Item[]): Generator<readonly [batch: readonly Item[], done: number]> {
  for (let done = 0; done < items.length; done += MOST) yield [items.slice(done, done + MOST), done];
}

function usersOf(people: readonly Person[]) {
  return people.map(({ user }) => ({ ...user, groups: [...user.groups] }));
}

function refusedOf(people: readonly Person[], results: readonly ImportResult[]): Refused[] {
  return people.flatMap((person, at) => {
    const wrong = results[at]!.wrongFields.map(({ field, description }) => {
      const label = maybe(`field.${field}`) ?? (field.startsWith("groups.") ? t("groups") : field);
      return `${label}: ${description}`;
    });
    return wrong.length > 0 ? [{ person, problem: wrong.join(" "), language: "en" as const }] : [];
  });
}

function problemOf({ reason, description }: InviteResult): Pick<Refused, "problem" | "language"> {
  const sentence = refusalOf(reason, {});
  return { problem: sentence ?? description, language: sentence ? undefined : "en" };
}

function outcomeOf(results: readonly InviteResult[]): Outcome {
  const number = (state: InviteState) => results.filter((each) => each.state === state).length;
  return {
    invited: number(InviteState.INVITED),
    before: number(InviteState.INVITED_BEFORE),
    withPasskey: number(InviteState.HAS_PASSKEY),
  };
}

customElements.define("keystead-invite", Invite);
