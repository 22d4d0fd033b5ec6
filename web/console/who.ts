/** The names of objects by their IDs, for events and creators. */

import { html, LitElement, type TemplateResult } from "lit";
import type { Session } from "../gen/console/keystead/session/v1/session_service_pb";
import { UserService } from "../gen/console/keystead/user/v1/user_service_pb";
import { may, type Method } from "./access";
import { client, read } from "./api";
import { failureOf } from "./failure";
import { name } from "./parts";
import { to } from "./router";

/** A kind of object: the method that reads it, its place in the navigation if it has one, and its name by its ID. */
interface Kind {
  readonly method: Method;
  readonly place?: string;
  readonly find: (id: string) => Promise<string | undefined>;
}

const users = client(UserService);

/** The descriptors of services load when the first name of their objects is shown. */
const KINDS: Readonly<Record<string, Kind>> = {
  user: {
    method: "UserService/GetUser",
    place: "users",
    find: async (userId) => {
      const { user } = await read((options) => users.getUser({ userId }, options));
      return user?.displayName || user?.userName;
    },
  },
  group: {
    method: "GroupService/GetGroup",
    place: "groups",
    find: async (groupId) => {
      const { GroupService } = await import("../gen/console/keystead/group/v1/group_service_pb");
      const { group } = await read((options) => client(GroupService).getGroup({ groupId }, options));
      return group?.displayName || group?.name;
    },
  },
  application: {
    method: "ApplicationService/GetApplication",
    place: "applications",
    find: async (applicationId) => {
      const { ApplicationService } = await import("../gen/console/keystead/application/v1/application_service_pb");
      const { application } = await read((options) =>
        client(ApplicationService).getApplication({ applicationId }, options),
      );
      return application?.name;
    },
  },
  idp: {
    method: "IdentityProviderService/GetIDP",
    place: "idps",
    find: async (idpId) => {
      const { IdentityProviderService } = await import("../gen/console/keystead/idp/v1/identity_provider_service_pb");
      const { idp } = await read((options) => client(IdentityProviderService).getIDP({ idpId }, options));
      return idp?.name;
    },
  },
  attribute: {
    method: "AttributeService/GetAttributeDefinition",
    place: "attributes",
    find: async (attributeId) => {
      const { AttributeService } = await import("../gen/console/keystead/attribute/v1/attribute_service_pb");
      const { definition } = await read((options) =>
        client(AttributeService).getAttributeDefinition({ attributeId }, options),
      );
      return definition?.displayName;
    },
  },
  subscription: {
    method: "PushService/GetSubscription",
    place: "push",
    find: async (subscriptionId) => {
      const { PushService } = await import("../gen/console/keystead/push/v1/push_service_pb");
      const { subscription } = await read((options) =>
        client(PushService).getSubscription({ subscriptionId }, options),
      );
      return subscription?.name;
    },
  },
  organization: {
    method: "OrganizationService/GetOrganization",
    place: "organizations",
    find: async (orgId) => {
      const { OrganizationService } = await import("../gen/console/keystead/org/v1/organization_service_pb");
      const { organization } = await read((options) => client(OrganizationService).getOrganization({ orgId }, options));
      return organization?.name;
    },
  },
  device: {
    method: "SessionService/ListSessions",
    find: async (pair) => {
      const [userId = "", sessionId] = pair.split("/");
      const { allSessions, placeOf } = await import("./session_ends");
      if (!SESSIONS.has(userId)) {
        SESSIONS.set(
          userId,
          allSessions(userId).finally(() => SESSIONS.delete(userId)),
        );
      }
      const session = (await SESSIONS.get(userId))?.find((each) => each.sessionId === sessionId);
      return session && placeOf(session);
    },
  },
};

/** The sessions of users that are being read: an event that arrives later can name a new one. */
const SESSIONS = new Map<string, Promise<readonly Session[]>>();

/** Names by kind and ID, which a view asks for many times; undefined for an object that was removed or may not be seen. A failed read is forgotten. */
const NAMES = new Map<string, Promise<string | undefined>>();

/**
 * The element `<keystead-who>`: the name of an object, with a link; if it was removed or may not be seen, `other`, or without
 * that its ID. A `device` has the IDs of a user and a session.
 */
class Who extends LitElement {
  static override properties = { kind: {}, objectId: { attribute: false }, other: { attribute: false } };
  declare kind: string;
  declare objectId: string;
  declare other: string | undefined;
  #found: string | undefined;

  constructor() {
    super();
    this.kind = "user";
  }

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has("objectId") || changed.has("kind")) void this.#load(this.kind, this.objectId);
  }

  async #load(kind: string, id: string): Promise<void> {
    this.#found = undefined;
    const key = `${kind}/${id}`;
    if (!NAMES.has(key)) NAMES.set(key, nameOf(kind, id));
    const found = await NAMES.get(key)?.catch(() => {
      NAMES.delete(key); // the next view asks again
      return undefined;
    });
    if (id !== this.objectId || kind !== this.kind) return;
    this.#found = found;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const place = KINDS[this.kind]?.place;
    const shown = name(this.#found ?? this.other ?? this.objectId);
    return this.#found && place ? html`<a href=${to([place, this.objectId])}>${shown}</a>` : shown;
  }
}

async function nameOf(kind: string, id: string): Promise<string | undefined> {
  const of = KINDS[kind];
  if (!of || !may(of.method)) return undefined;
  try {
    return await of.find(id);
  } catch (error) {
    const { isMissing, isForbidden } = failureOf(error);
    if (isMissing || isForbidden) return undefined;
    throw error;
  }
}

customElements.define("keystead-who", Who);
