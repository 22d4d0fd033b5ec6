/** One user: details, credentials, sessions, roles and groups, applications, and its events. */

import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { html, nothing, type TemplateResult } from "lit";
import { ApplicationService, type Grant } from "../../gen/console/keystead/application/v1/application_service_pb";
import { type Event as LoggedEvent, EventService } from "../../gen/console/keystead/event/v1/event_service_pb";
import { type Group, GroupService } from "../../gen/console/keystead/group/v1/group_service_pb";
import { type Mail, MailService } from "../../gen/console/keystead/mail/v1/mail_service_pb";
import { type Passkey, PasskeyService } from "../../gen/console/keystead/passkey/v1/passkey_service_pb";
import type { Session } from "../../gen/console/keystead/session/v1/session_service_pb";
import { type IDPLink, IDPLinkService } from "../../gen/console/keystead/user/v1/idp_link_service_pb";
import {
  CreateCertificateRequestSchema,
  CreateTokenRequestSchema,
  CreateWorkloadCredentialRequestSchema,
  EmailVerification,
  type Role,
  type Token,
  TokenKind,
  type EmailChange,
  type User,
  UserSchema,
  UserService,
  UserState,
} from "../../gen/console/keystead/user/v1/user_service_pb";
import { allPages } from "../../shared/api";
import { smallPicture } from "../../shared/picture";
import { reasonOf } from "../../shared/refusals";
import {
  ALL_ROLES,
  homeId,
  isInstanceOwner,
  type Method,
  mailOrganization,
  may,
  me,
  organizationId,
  outranks,
} from "../access";
import { change, client, preview, read, within } from "../api";
import "../attribute_values";
import { equal } from "../delivery";
import { askFirst, askToClear, showOnce } from "../dialogs";
import { eventList } from "../event_list";
import { form, localOf } from "../form";
import { mailTable } from "../mails";
import { done, notDone } from "../notice";
import { badge, copyable, empty, facts, head, name, section, table, tabs, time, titled } from "../parts";
import { badgesOf, grantedBy, roleName } from "../roles";
import { go, to } from "../router";
import { allSessions, deviceOf, endAll, endOne, endsOf } from "../session_ends";
import { maskOf, messageOf, only, valuesOf } from "../values";
import { Loaded, Paged, View } from "../view";
import { counted, maybe, t } from "../view_words";
import "../object_picker";
import "../sign_in_refusals";

const applications = client(ApplicationService);
const events = client(EventService);
const groups = client(GroupService);
const links = client(IDPLinkService);
const mails = client(MailService);
const passkeys = client(PasskeyService);
const users = client(UserService);

const PARTS = ["", "security", "sessions", "access", "mails", "events"] as const;
type Part = (typeof PARTS)[number];
const TOKEN_DAYS = 90; // a proposal, which the person can change

class OneUser extends View {
  readonly #user = new Loaded(this, () => this.#read());

  get #id(): string {
    return this.route.path[1] ?? "";
  }

  async #read(): Promise<User> {
    const { user } = await read((options) => users.getUser({ userId: this.#id }, options));
    const owner = user!.details!.resourceOwner;
    // Groups and events are those of the selected organization.
    if (owner !== organizationId()) location.replace(to(this.route.path, { org: owner === homeId() ? "" : owner }));
    return user!;
  }

  protected override render(): TemplateResult {
    return this.#user.render((user) => {
      const part = (PARTS.find((each) => each === this.route.path[2]) ?? "") as Part;
      const shown = user.displayName || user.userName;
      if (this.route.path[3] === "token") return newToken(user);
      if (this.route.path[3] === "certificate") return newCertificate(user);
      if (this.route.path[3] === "workload") return newWorkload(user);
      const needs: Partial<Record<Part, Method>> = {
        events: "EventService/ListEvents",
        mails: "MailService/ListMails",
      };
      const parts = PARTS.filter((each) => needs[each] === undefined || may(needs[each]));
      return html`${head(name(shown), { up: [t("users"), to(["users"])], lead: html`${name(user.userName)} ${badgesOf(user)}` })}
        ${tabs(
          shown,
          parts.map((each) => [
            t(`user.${each || "details"}`),
            each ? ["users", user.userId, each] : ["users", user.userId],
            each === part,
          ]),
        )}
        ${this.#content(part, user)}`;
    });
  }

  /** The lists of a part are loaded once it is shown. */
  #content(part: Part, user: User): TemplateResult {
    if (part === "")
      return details(
        user,
        () => this.#read(),
        () => this.#user.reload(),
      );
    return html`<keystead-user-part .user=${user} .shown=${part} .reload=${() => this.#user.reload()}></keystead-user-part>`;
  }
}

function details(user: User, current: () => Promise<User>, reload: () => Promise<void>): TemplateResult {
  const state = (found: User) => ({ values: valuesOf(UserSchema, found), sequence: found.details!.sequence });
  const { userId } = user;
  const isMine = may("UserService/PatchUser") && outranks(user);
  const mayLock = may("UserService/LockUser") && outranks(user) && userId !== me().userId;
  const edit = form({
    request: "PatchUserRequest",
    within: "user",
    fields: [
      "displayName",
      "givenName",
      "familyName",
      "email",
      "locale",
      "zoneinfo",
      "externalId",
      { name: "picture", fromFile: smallPicture },
    ],
    ...state(user),
    submit: t("save"),
    current: async () => state(await current()),
    save: (values, changed, sequence) =>
      change(
        (options) =>
          users.patchUser(
            {
              user: { ...messageOf(UserSchema, only(values, changed)), userId },
              updateMask: maskOf(changed),
            },
            options,
          ),
        sequence,
      ),
  });
  const remove = html`<button type="button" class="quiet danger" @click=${() => void askToRemove(user)}>${t("user.remove")}</button>`;
  return html`${section(
    t("details"),
    facts(
      ["ID", copyable(userId, "ID")],
      [t("field.userName"), name(user.userName)],
      !isMine && [t("field.email"), user.email || "–"],
      user.email !== "" && [t("user.emailState"), emailState(user)],
      user.emailChange !== undefined && [t("user.emailChange"), pendingChange(user.emailChange)],
      user.state === UserState.INVITED && [t("users.invited"), time(user.invitedAt)],
      [t("users.lastSignIn"), user.lastSignInAt ? time(user.lastSignInAt) : "–"],
      [t("created"), time(user.details?.creationDate)],
      [t("changed"), time(user.details?.changeDate)],
    ),
  )}
    ${user.email ? nothing : html`<p class="warning">${t("user.withoutEmail")}</p>`}
    ${isMine ? section(t("settings"), edit) : nothing}
    ${may("AttributeService/ListAttributeDefinitions") ? html`<keystead-attribute-values .user=${user} .mayWrite=${isMine} .current=${current}></keystead-attribute-values>` : nothing}
    ${user.lockedAt ? locked(user, mayLock, reload) : mayLock ? lock(user, reload) : nothing}
    ${isMine && may("UserService/RemoveUser") && userId !== me().userId ? section(t("user.remove"), html`<div class="actions">${remove}</div>`, { lead: t("user.removeLead") }) : nothing}`;
}

/** How and when the mail address was verified. */
function emailState({ emailVerification, emailVerifiedAt }: User): TemplateResult | string {
  const way = t(`emailVerification.${EmailVerification[emailVerification] as keyof typeof EmailVerification}`);
  return emailVerifiedAt ? html`${way}, ${time(emailVerifiedAt)}` : way;
}

function pendingChange({ email, expiresAt }: EmailChange): TemplateResult {
  return html`${name(email)}, ${t("user.emailChangeUntil")} ${time(expiresAt)}`;
}

function newToken({ userId, displayName, userName }: User): TemplateResult {
  const back = ["users", userId, "security"];
  return html`${head(t("user.createToken"), { up: [displayName || userName, to(back)], lead: t("user.tokenLead") })}
    ${section(
      t("details"),
      form({
        request: "CreateTokenRequest",
        fields: ["name", "expiresAt"],
        values: { expiresAt: new Date(Date.now() + TOKEN_DAYS * 86_400_000).toISOString() },
        submit: t("user.createToken"),
        cancel: () => go(back),
        save: async (values) => {
          const request = { ...messageOf(CreateTokenRequestSchema, values), userId };
          const { token } = await change((options) => users.createToken(request, options));
          showOnce(t("user.token"), html`<p>${copyable(token, t("user.token"))}</p>`, () => go(back));
        },
      }),
    )}`;
}

function newCertificate({ userId, displayName, userName }: User): TemplateResult {
  const back = ["users", userId, "security"];
  return html`${head(t("user.addCertificate"), { up: [displayName || userName, to(back)], lead: t("user.certificateLead") })}
    ${section(
      t("details"),
      form({
        request: "CreateCertificateRequest",
        fields: ["name", "certificate"],
        values: {},
        submit: t("add"),
        cancel: () => go(back),
        save: async (values) => {
          await change((options) =>
            users.createCertificate({ ...messageOf(CreateCertificateRequestSchema, values), userId }, options),
          );
          go(back);
        },
      }),
    )}`;
}

/** The audience names the user: a token fits the credentials of one user only. */
function newWorkload({ userId, displayName, userName }: User): TemplateResult {
  const back = ["users", userId, "security"];
  return html`${head(t("user.addWorkload"), { up: [displayName || userName, to(back)], lead: t("user.workloadLead") })}
    ${section(
      t("details"),
      form({
        request: "CreateWorkloadCredentialRequest",
        within: "workload",
        fields: [
          "name",
          { name: "issuer", texts: "workloads.issuer" },
          { name: "audience", texts: "audienceOfUser" },
          { name: "subject", texts: "workloads.subject" },
          { name: "claims", texts: "workloads.claims" },
          "expiresAt",
        ],
        values: { audience: `${location.origin}/users/${userId}` },
        submit: t("add"),
        cancel: () => go(back),
        save: async ({ name: called = "", expiresAt = null, ...workload }) => {
          const given = { userId, name: called, expiresAt, workload };
          const request = messageOf(CreateWorkloadCredentialRequestSchema, given);
          await change((options) => users.createWorkloadCredential(request, options));
          go(back);
        },
      }),
    )}`;
}

/** The lock of a user, which everybody sees who sees the user. */
function locked(
  { userId, displayName, userName, lockedAt, lockReason }: User,
  mayUnlock: boolean,
  reload: () => Promise<void>,
): TemplateResult {
  const unlock = async () => {
    try {
      await change((options) => users.unlockUser({ userId }, options));
      await reload();
      done(t("user.unlocked", { name: displayName || userName }));
    } catch (error) {
      notDone(error);
    }
  };
  return section(
    t("user.locked"),
    facts([t("user.lockedSince"), time(lockedAt)], [t("field.reason"), lockReason || "–"]),
    {
      lead: t("user.lockedLead"),
      actions: mayUnlock
        ? html`<button type="button" @click=${() => void unlock()}>${t("user.unlock")}</button>`
        : nothing,
    },
  );
}

/** The form that locks a user out. */
function lock({ userId, displayName, userName }: User, reload: () => Promise<void>): TemplateResult {
  const shown = displayName || userName;
  return section(
    t("user.lock"),
    form({
      request: "LockUserRequest",
      fields: ["reason"],
      values: {},
      submit: t("user.lock"),
      isDangerous: true,
      save: async ({ reason }) =>
        askFirst({
          title: t("user.lockTitle", { name: shown }),
          action: t("user.lock"),
          consequences: async () => {
            const [ownSessions, ownTokens] = await Promise.all([allSessions(userId), allTokens(userId)]);
            const ends = {
              sessions: counted("count.sessions", ownSessions.length),
              tokens: counted("count.tokens", ownTokens.length),
            };
            return [t("user.lockEnds", ends), t("user.lockText")];
          },
          check: () => preview((options) => users.lockUser({ userId, reason: String(reason ?? "") }, options)),
          act: async () => {
            await change((options) => users.lockUser({ userId, reason: String(reason ?? "") }, options));
            await reload();
          },
          done: t("user.lockDone", { name: shown }),
        }),
    }),
    { lead: t("user.lockLead") },
  );
}

async function askToRemove({ userId, displayName, userName }: User): Promise<void> {
  askFirst({
    title: t("user.removeTitle", { name: displayName || userName }),
    action: t("user.remove"),
    consequences: async () => [await credentialsIn(userId), t("user.removeForever")],
    check: () => preview((options) => users.removeUser({ userId }, options)),
    act: async () => {
      await change((options) => users.removeUser({ userId }, options));
      go(["users"]);
    },
    done: t("user.removed", { name: displayName || userName }),
  });
}

/** The credentials of a user that end with it, in words. */
async function credentialsIn(userId: string): Promise<string> {
  const [ownSessions, ownTokens, ownPasskeys] = await Promise.all([
    allSessions(userId),
    allTokens(userId),
    allPasskeys(userId),
  ]);
  return t("user.ends", {
    sessions: counted("count.sessions", ownSessions.length),
    tokens: counted("count.tokens", ownTokens.length),
    passkeys: counted("count.passkeys", ownPasskeys.length),
  });
}

async function allTokens(userId: string): Promise<Token[]> {
  const pages = await allPages((page) => read((options) => users.listTokens({ userId, ...page }, options)));
  return pages.flatMap((page) => page.tokens);
}

/** Where the passkey is kept, and the former domain that it is of. */
function aboutPasskey({ providerName, isFormer, rpId }: ListedPasskey): string {
  return [providerName, isFormer && t("user.formerPasskey", { domain: rpId })].filter(Boolean).join(" · ");
}

/** A passkey, and whether it is of a former domain. */
type ListedPasskey = Passkey & { readonly isFormer: boolean };

async function allPasskeys(userId: string): Promise<ListedPasskey[]> {
  const pages = await allPages((page) => read((options) => passkeys.listPasskeys({ userId, ...page }, options)));
  return pages.flatMap(({ rpId, passkeys: found }) => found.map((each) => ({ ...each, isFormer: each.rpId !== rpId })));
}

/** The mappings that the latest sign-in skipped, with the reasons of the server. */
function skipped({ skippedMappings }: IDPLink): string {
  const found = Object.entries(skippedMappings).sort();
  return found.map(([attribute, reason]) => `${attribute}: ${reason}`).join(", ");
}

async function allLinks(userId: string): Promise<IDPLink[]> {
  const pages = await allPages((page) => read((options) => links.listIDPLinks({ userId, ...page }, options)));
  return pages.flatMap((page) => page.idpLinks);
}

async function allGroups(userId: string): Promise<Group[]> {
  const pages = await allPages((page) => read((options) => groups.listGroupsOfUser({ userId, ...page }, options)));
  return pages.flatMap((page) => page.groups);
}

async function allGrants(userId: string): Promise<Grant[]> {
  const pages = await allPages((page) => read((options) => applications.listGrants({ userId, ...page }, options)));
  return pages.flatMap((page) => page.grants);
}

/** The lists of one part of the page. */
class UserPart extends View {
  static override properties = { user: { attribute: false } };
  declare user: User;
  shown!: Part;
  /** Loads the user again, after a change of its roles. */
  reload!: () => Promise<void>;

  #passkeys: Loaded<ListedPasskey[]> | undefined;
  #tokens: Loaded<Token[]> | undefined;
  #links: Loaded<IDPLink[]> | undefined;
  #sessions: Loaded<Session[]> | undefined;
  #groups: Loaded<Group[]> | undefined;
  #grants: Loaded<Grant[]> | undefined;
  #events: Paged<LoggedEvent> | undefined;
  #mails: Paged<Mail> | undefined;

  get #mayWrite(): boolean {
    return outranks(this.user);
  }

  protected override render(): TemplateResult {
    switch (this.shown) {
      case "security":
        return this.#security();
      case "sessions":
        return this.#sessionList();
      case "access":
        return this.#access();
      case "mails":
        return this.#mailList();
      default:
        return this.#timeline();
    }
  }

  #security(): TemplateResult {
    const { userId } = this.user;
    this.#passkeys ??= new Loaded(this, () => allPasskeys(userId));
    this.#tokens ??= new Loaded(this, () => allTokens(userId));
    this.#links ??= new Loaded(this, () => allLinks(userId));
    const mayLink = this.#mayWrite && may("PasskeyService/CreatePasskeyRegistrationLink");
    const linkButtons = mayLink
      ? html`${may("PasskeyService/RemovePasskey") ? html`<button type="button" @click=${() => void this.#createLink(false)}>${t("user.createLink")}</button>` : nothing}
        ${this.user.email ? html`<button type="button" @click=${() => void this.#createLink(true)}>${t("user.mailLink")}</button>` : nothing}`
      : nothing;
    const tokenButtons = html`
      ${this.#mayWrite && may("UserService/CreateToken") ? html`<a class="button" href=${to(["users", userId, "security", "token"])}>${t("user.createToken")}</a>` : nothing}
      ${this.#mayWrite && may("UserService/CreateWorkloadCredential") ? html`<a class="button" href=${to(["users", userId, "security", "workload"])}>${t("user.addWorkload")}</a>` : nothing}
      ${isInstanceOwner() ? html`<a class="button" href=${to(["users", userId, "security", "certificate"])}>${t("user.addCertificate")}</a>` : nothing}`;
    return html`
      ${section(
        t("user.passkeys"),
        this.#passkeys.render((found) =>
          found.length === 0
            ? empty(t("user.noPasskeys"))
            : table(
                t("user.passkeys"),
                [
                  { label: t("field.name"), cell: (each) => titled(name(each.name), aboutPasskey(each)) },
                  { label: t("created"), cell: (each) => time(each.details?.creationDate), isWide: true },
                  {
                    label: t("user.lastUsed"),
                    cell: (each) => (each.lastUsedAt ? time(each.lastUsedAt) : t("never")),
                    isWide: true,
                  },
                  {
                    label: t("actions"),
                    isLabelHidden: true,
                    cell: (each) =>
                      this.#remover(may("PasskeyService/RemovePasskey"), each.name, () => this.#removePasskey(each)),
                  },
                ],
                found,
              ),
        ),
        { actions: linkButtons, lead: t("user.passkeysLead") },
      )}
      ${section(
        t("user.links"),
        this.#links.render((found) =>
          found.length === 0
            ? empty(t("user.noLinks"))
            : table(
                t("user.links"),
                [
                  { label: t("idp"), cell: (each) => titled(name(each.idpName), each.issuer) },
                  ...(found.some((each) => Object.keys(each.skippedMappings).length > 0)
                    ? [{ label: t("user.skipped"), cell: skipped }]
                    : []),
                  { label: t("user.subject"), cell: (each) => html`<code>${each.subject}</code>`, isWide: true },
                  { label: t("created"), cell: (each) => time(each.details?.creationDate), isWide: true },
                  {
                    label: t("actions"),
                    isLabelHidden: true,
                    cell: (each) =>
                      this.#remover(may("IDPLinkService/UnlinkIDP"), each.idpName, () => this.#unlink(each)),
                  },
                ],
                found,
              ),
        ),
      )}
      ${section(
        t("user.tokens"),
        this.#tokens.render((found) =>
          found.length === 0
            ? empty(t("user.noTokens"))
            : table(
                t("user.tokens"),
                [
                  {
                    label: t("field.name"),
                    cell: (each) =>
                      titled(
                        each.name ? name(each.name) : t("user.unnamed"),
                        each.workload
                          ? html`<code title=${each.workload.issuer}>${each.workload.subject}</code>`
                          : each.kind === TokenKind.CERTIFICATE
                            ? t("user.certificate")
                            : "",
                      ),
                  },
                  { label: t("created"), cell: (each) => time(each.details?.creationDate), isWide: true },
                  {
                    label: t("user.expires"),
                    cell: (each) => (each.expiresAt ? time(each.expiresAt) : t("never")),
                    isWide: true,
                  },
                  {
                    label: t("user.lastUsed"),
                    cell: (each) => (each.lastUsedAt ? time(each.lastUsedAt) : t("never")),
                  },
                  {
                    label: t("actions"),
                    isLabelHidden: true,
                    cell: (each) =>
                      this.#remover(may("UserService/RevokeToken"), each.name || t("user.unnamed"), () =>
                        this.#revokeToken(each),
                      ),
                  },
                ],
                found,
              ),
        ),
        { actions: tokenButtons },
      )}`;
  }

  #remover(isAllowed: boolean, named: string, ask: () => void): TemplateResult | typeof nothing {
    if (!isAllowed || !this.#mayWrite) return nothing;
    return html`<button type="button" class="quiet danger" aria-label=${t("removeOne", { name: named })} @click=${ask}>${t("remove")}</button>`;
  }

  async #createLink(isMailed: boolean): Promise<void> {
    const { userId } = this.user;
    const delivery = isMailed ? { case: "sendLink" as const, value: {} } : { case: "returnCode" as const, value: {} };
    try {
      const isInvitation = (await allPasskeys(userId)).length === 0;
      const { link } = await change((options) =>
        passkeys.createPasskeyRegistrationLink({ userId, delivery, isInvitation }, options),
      );
      if (isMailed) done(t("user.linkMailed", { address: this.user.email }));
      else showOnce(t("user.link"), html`<p>${t("user.linkText")}</p><p>${copyable(link, t("user.link"))}</p>`);
    } catch (error) {
      notDone(error);
    }
  }

  #removePasskey({ passkeyId, name: named }: Passkey): void {
    const { userId } = this.user;
    askFirst({
      title: t("user.removePasskeyTitle", { name: named }),
      action: t("remove"),
      choice: [t("user.lost"), t("user.lostText")],
      consequences: async (lostOrStolen) => {
        const { ended } = await preview((options) =>
          passkeys.removePasskey({ userId, passkeyId, lostOrStolen }, options),
        );
        const isLast = (this.#passkeys?.value?.length ?? 0) === 1;
        return [...endsOf(ended), ...(isLast ? [t("user.lastPasskey")] : [])];
      },
      act: async (lostOrStolen) => {
        await change((options) => passkeys.removePasskey({ userId, passkeyId, lostOrStolen }, options));
        await this.#passkeys?.reload();
      },
      done: t("removed", { name: named }),
    });
  }

  #unlink({ linkId, idpName }: IDPLink): void {
    const { userId } = this.user;
    askFirst({
      title: t("user.unlinkTitle", { name: idpName }),
      action: t("remove"),
      choice: [t("user.lost"), t("user.lostText")],
      consequences: async (lostOrStolen) => {
        const { ended } = await preview((options) => links.unlinkIDP({ userId, linkId, lostOrStolen }, options));
        return endsOf(ended);
      },
      act: async (lostOrStolen) => {
        await change((options) => links.unlinkIDP({ userId, linkId, lostOrStolen }, options));
        await this.#links?.reload();
      },
      done: t("removed", { name: idpName }),
    });
  }

  #revokeToken({ tokenId, name: named }: Token): void {
    const { userId } = this.user;
    askFirst({
      title: t("user.revokeTokenTitle", { name: named || t("user.unnamed") }),
      action: t("remove"),
      consequences: async () => [t("user.revokeToken")],
      check: () => preview((options) => users.revokeToken({ userId, tokenId }, options)),
      act: async () => {
        await change((options) => users.revokeToken({ userId, tokenId }, options));
        await this.#tokens?.reload();
      },
      done: t("removed", { name: named || t("user.unnamed") }),
    });
  }

  #sessionList(): TemplateResult {
    const { userId } = this.user;
    this.#sessions ??= new Loaded(this, () => allSessions(userId));
    const isAllowed = this.#mayWrite && may("SessionService/EndSession");
    const all =
      isAllowed && (this.#sessions.value?.length ?? 0) > 0
        ? html`<button type="button" class="quiet danger" @click=${() => endAll(userId, t("user.endAllTitle"), () => this.#sessions?.reload())}>${t("user.endAll")}</button>`
        : nothing;
    const list = section(
      t("user.sessions"),
      this.#sessions.render((found) =>
        found.length === 0
          ? empty(t("user.noSessions"))
          : table(
              t("user.sessions"),
              [
                { label: t("user.device"), cell: (each) => titled(name(deviceOf(each)), each.ipAddress) },
                { label: t("user.signedIn"), cell: (each) => time(each.authenticatedAt), isWide: true },
                { label: t("user.lastSeen"), cell: (each) => time(each.lastSeenAt), isWide: true },
                {
                  label: t("actions"),
                  isLabelHidden: true,
                  cell: (each) =>
                    each.current
                      ? badge(t("user.thisSession"), "good")
                      : isAllowed
                        ? html`<button type="button" class="quiet danger" aria-label=${t("user.endOne", { name: deviceOf(each) })} @click=${() => void endOne(each, () => this.#sessions?.reload())}>${t("user.end")}</button>`
                        : nothing,
                },
              ],
              found,
            ),
      ),
      { actions: all },
    );
    return html`${list}<keystead-sign-in-refusals .userId=${userId}></keystead-sign-in-refusals>`;
  }

  #access(): TemplateResult {
    const { userId } = this.user;
    this.#grants ??= new Loaded(this, () => allGrants(userId));
    const mayReadGroups = may("GroupService/ListGroupsOfUser");
    if (mayReadGroups) this.#groups ??= new Loaded(this, () => allGroups(userId));
    return html`
      ${section(t("roles"), this.#roles(), { lead: t("user.rolesLead") })}
      ${
        this.#groups
          ? section(
              t("groups"),
              html`${may("GroupService/AddGroupMember") ? html`<keystead-object-picker .label=${t("users.addToGroup")} .kinds=${["group"]} .chosen=${this.#joinGroup}></keystead-object-picker>` : nothing}
              ${this.#groups.render((found) =>
                found.length === 0
                  ? empty(t("user.noGroups"))
                  : table(
                      t("groups"),
                      [
                        {
                          label: t("field.name"),
                          cell: (each) => titled(name(each.displayName), each.name, ["groups", each.groupId]),
                        },
                        {
                          label: t("actions"),
                          isLabelHidden: true,
                          cell: (each) =>
                            may("GroupService/RemoveGroupMember")
                              ? html`<button type="button" class="quiet danger" aria-label=${t("user.leaveOne", { name: each.displayName })} @click=${() => void this.#leaveGroup(each)}>${t("remove")}</button>`
                              : nothing,
                        },
                      ],
                      found,
                    ),
              )}`,
            )
          : nothing
      }
      ${section(
        t("applications"),
        this.#grants.render((found) =>
          found.length === 0
            ? empty(t("user.noGrants"))
            : table(
                t("applications"),
                [
                  { label: t("field.name"), cell: (each) => titled(name(each.applicationName), each.scopes.join(" ")) },
                  {
                    label: t("user.enteredLast"),
                    cell: (each) => (each.enteredAt ? time(each.enteredAt) : "–"),
                  },
                  { label: t("created"), cell: (each) => time(each.details?.creationDate), isWide: true },
                  {
                    label: t("actions"),
                    isLabelHidden: true,
                    cell: (each) =>
                      html`${this.#narrower(each)} ${this.#remover(may("ApplicationService/RevokeGrant"), each.applicationName, () => this.#revokeGrant(each))}`,
                  },
                ],
                found,
              ),
        ),
        { lead: t("user.grantsLead") },
      )}`;
  }

  /** All roles for those who grant some; those of the user for others. */
  #roles(): TemplateResult {
    const mayGrant = this.#mayWrite && may("UserService/GrantRole");
    const shown = mayGrant ? ALL_ROLES : this.user.roles;
    if (shown.length === 0) return empty(t("user.noRoles"));
    const grantOf = (role: Role) => this.user.roleGrants.find((each) => each.role === role);
    return table(
      t("roles"),
      [
        {
          label: t("role"),
          cell: (role: Role) => {
            const end = grantOf(role)?.expiresAt;
            const second = end ? html`${t("user.expires")} ${time(end)}` : maybe(`role.${role}`);
            return titled(roleName(role), second ?? "");
          },
        },
        { label: t("user.hasRole"), cell: (role: Role) => grantedBy(grantOf(role)), isWide: true },
        {
          label: t("actions"),
          isLabelHidden: true,
          cell: (role: Role) => {
            const has = this.user.roles.includes(role);
            if (!mayGrant || !outranks({ roles: [role] })) return has ? badge(t("user.hasRole"), "good") : nothing;
            return has
              ? html`<button type="button" aria-label=${t("user.changeEndOne", { name: roleName(role) })} @click=${() => this.#grantRole(role)}>${t("user.changeEnd")}</button> <button type="button" class="quiet danger" aria-label=${t("user.revokeOne", { name: roleName(role) })} @click=${() => this.#revokeRole(role)}>${t("user.revoke")}</button>`
              : html`<button type="button" aria-label=${t("user.grantOne", { name: roleName(role) })} @click=${() => this.#grantRole(role)}>${t("user.grant")}</button>`;
          },
        },
      ],
      shown,
    );
  }

  /** Grants a role, or changes the end of one that the user has. `ends` is local time, as a field has it. */
  #grantRole(role: Role, endForeignCredentials = false, ends?: string): void {
    const { userId, roleGrants } = this.user;
    const held = roleGrants.find((each) => each.role === role);
    let end = ends ?? localOf(held?.expiresAt && timestampDate(held.expiresAt).toISOString());
    const request = () => ({
      userId,
      role,
      endForeignCredentials,
      ...(end && { expiresAt: timestampFromDate(new Date(end)) }),
    });
    const title = held ? "user.changeEndTitle" : endForeignCredentials ? "user.grantEndingTitle" : "user.grantTitle";
    const text = held ? "user.changeEndText" : endForeignCredentials ? "user.grantEnding" : "user.grantText";
    askFirst({
      title: t(title, { role: roleName(role) }),
      action: t(held ? "user.changeEnd" : "user.grant"),
      field: (changed) => html`<div class="field"><label for="role-end">${t("user.roleEnd")}</label>
        <input id="role-end" type="datetime-local" aria-describedby="role-end-hint" .value=${end} @change=${(
          event: Event,
        ) => {
          end = (event.target as HTMLInputElement).value;
          changed();
        }} />
        <p class="hint" id="role-end-hint">${t("user.roleEndHint")}</p></div>`,
      consequences: async () => [t(text)],
      check: async () => {
        try {
          await preview((options) => users.grantRole(request(), options));
        } catch (error) {
          if (reasonOf(error) !== "MADE_BY_OTHERS") throw error;
          document.querySelector("dialog")?.close();
          this.#grantRole(role, true, end);
        }
      },
      act: async () => {
        await change((options) => users.grantRole(request(), options));
        await this.reload();
      },
      done: t(held ? "user.endChanged" : "user.granted"),
    });
  }

  #revokeRole(role: Role): void {
    const { userId } = this.user;
    askFirst({
      title: t("user.revokeTitle", { role: roleName(role) }),
      action: t("user.revoke"),
      consequences: async () => [t("user.revokeText")],
      check: () => preview((options) => users.revokeRole({ userId, role }, options)),
      act: async () => {
        await change((options) => users.revokeRole({ userId, role }, options));
        await this.reload();
      },
      done: t("user.revoked"),
    });
  }

  readonly #joinGroup = async (groupId: string, title: string) => {
    const { userId } = this.user;
    try {
      await change((options) => groups.addGroupMember({ groupId, userId }, options));
      await this.#groups?.reload();
      done(t("user.joined", { group: title || groupId }), async () => {
        await change((options) => groups.removeGroupMember({ groupId, userId }, options));
        await this.#groups?.reload();
      });
    } catch (error) {
      notDone(error);
    }
  };

  async #leaveGroup({ groupId, displayName }: Group): Promise<void> {
    const { userId } = this.user;
    try {
      await change((options) => groups.removeGroupMember({ groupId, userId }, options));
      await this.#groups?.reload();
      done(t("removed", { name: displayName }), async () => {
        await change((options) => groups.addGroupMember({ groupId, userId }, options));
        await this.#groups?.reload();
      });
    } catch (error) {
      notDone(error);
    }
  }

  /** A single scope ends with the access. */
  #narrower(grant: Grant): TemplateResult | typeof nothing {
    if (!may("ApplicationService/RevokeGrant") || !this.#mayWrite || grant.scopes.length < 2) return nothing;
    return html`<button type="button" aria-label=${t("user.narrowGrantOne", { name: grant.applicationName })} @click=${() => this.#narrowGrant(grant)}>${t("user.narrowGrant")}</button>`;
  }

  /** Without `openid` the access would end, so it is no choice. */
  #narrowGrant({ applicationId, applicationName, scopes }: Grant): void {
    const { userId } = this.user;
    askToClear({
      title: t("user.narrowGrantTitle", { name: applicationName }),
      choices: scopes.filter((scope) => scope !== "openid"),
      label: t("field.scopes"),
      consequence: t("user.narrowGrantText"),
      act: async (taken) => {
        await change((options) => applications.revokeGrant({ userId, applicationId, scopes: [...taken] }, options));
        await this.#grants?.reload();
      },
      done: t("user.narrowedGrant", { name: applicationName }),
    });
  }

  #revokeGrant({ applicationId, applicationName }: Grant): void {
    const { userId } = this.user;
    askFirst({
      title: t("user.revokeGrantTitle", { name: applicationName }),
      action: t("remove"),
      consequences: async () => [t("user.revokeGrantText")],
      check: () => preview((options) => applications.revokeGrant({ userId, applicationId }, options)),
      act: async () => {
        await change((options) => applications.revokeGrant({ userId, applicationId }, options));
        await this.#grants?.reload();
      },
      done: t("removed", { name: applicationName }),
    });
  }

  #mailList(): TemplateResult {
    this.#mails ??= new Paged<Mail>(this, async (pageToken) => {
      const request = { filter: equal("user_id", this.user.userId), pageToken };
      const page = await read((options) => mails.listMails(request, within(mailOrganization(), options)));
      return { items: page.mails, next: page.nextPageToken };
    });
    const list = this.#mails;
    return section(
      t("user.mails"),
      list.render((found) => mailTable(t("user.mails"), found, () => list.reload()), empty(t("user.noMails"))),
      { lead: t("user.mailsLead") },
    );
  }

  #timeline(): TemplateResult {
    this.#events ??= new Paged<LoggedEvent>(this, async (pageToken) => {
      const page = await read((options) => events.listEvents({ aggregateId: this.user.userId, pageToken }, options));
      return { items: page.events, next: page.nextPageToken };
    });
    return section(
      t("user.events"),
      this.#events.render((found) => eventList(found), empty(t("events.none"))),
    );
  }
}

customElements.define("keystead-user-part", UserPart);
customElements.define("keystead-user", OneUser);
