/** The name of a user by its ID, for events and creators. */

import { html, LitElement, type TemplateResult } from "lit";
import { UserService } from "../gen/console/keystead/user/v1/user_service_pb";
import { may } from "./access";
import { client, read } from "./api";
import { name } from "./parts";
import { to } from "./router";

const users = client(UserService);

/** Names by ID, which a view asks for many times. */
const NAMES = new Map<string, Promise<string>>();

/** The element `<keystead-who>`: a link with the name, or with the ID of a user whom the person may not see. */
class Who extends LitElement {
  static override properties = { userId: { attribute: false } };
  declare userId: string;
  #name = "";

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has("userId")) void this.#load(this.userId);
  }

  async #load(userId: string): Promise<void> {
    this.#name = "";
    if (!NAMES.has(userId)) NAMES.set(userId, nameOf(userId));
    const found = (await NAMES.get(userId)) ?? userId;
    if (userId !== this.userId) return;
    this.#name = found;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const shown = this.#name || this.userId;
    return may("UserService/GetUser")
      ? html`<a href=${to(["users", this.userId])}>${name(shown)}</a>`
      : html`${name(shown)}`;
  }
}

/** The ID of a user who was removed, or of another organization. */
async function nameOf(userId: string): Promise<string> {
  try {
    const { user } = await read((options) => users.getUser({ userId }, options));
    return user?.displayName || user?.userName || userId;
  } catch {
    return userId;
  }
}

customElements.define("keystead-who", Who);
