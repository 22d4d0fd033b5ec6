/** Refused sign-ins of users: of the organization as a view, and of one user as a part of its page. */

import { html, nothing, type TemplateResult } from "lit";
import {
  SessionService,
  type SignInRefusal,
  SignInMethod,
} from "../gen/console/keystead/session/v1/session_service_pb";
import { client, read } from "./api";
import { empty, head, name, section, table, time, titled } from "./parts";
import { to } from "./router";
import { Paged, View } from "./view";
import { maybe, t } from "./view_words";

const sessions = client(SessionService);

class SignInRefusals extends View {
  /** Of one user; otherwise of the organization. */
  userId = "";
  readonly #list = new Paged<SignInRefusal>(this, async (pageToken) => {
    const request = { userId: this.userId, pageToken };
    const page = await read((options) => sessions.listSignInRefusals(request, options));
    return { items: page.refusals, next: page.nextPageToken };
  });

  protected override render(): TemplateResult | typeof nothing {
    if (!this.userId) {
      const top = head(t("refusedSignIns"), {
        up: [t("sessions"), to(["sessions"])],
        lead: t("refusedSignIns.lead"),
      });
      return html`${top}${this.#list.render((items) => this.#table(items), empty(t("refusedSignIns.none")))}`;
    }
    const { items } = this.#list;
    if (items?.length === 0) return nothing;
    return section(
      t("refusedSignIns"),
      this.#list.render((found) => this.#table(found), html``),
    );
  }

  #table(items: readonly SignInRefusal[]): TemplateResult {
    const reason = (each: SignInRefusal) => maybe(`refusedSignIns.${each.reason}`) ?? each.reason;
    const way = (each: SignInRefusal) => maybe(`value.SIGN_IN_METHOD_${SignInMethod[each.method]}`) ?? "";
    return table(
      t("refusedSignIns"),
      [
        this.userId
          ? { label: t("refusedSignIns.reason"), cell: (each: SignInRefusal) => titled(reason(each), way(each)) }
          : {
              label: t("user"),
              cell: (each: SignInRefusal) => titled(name(each.userName), "", ["users", each.userId, "sessions"]),
            },
        ...(this.userId
          ? []
          : [
              {
                label: t("refusedSignIns.reason"),
                cell: (each: SignInRefusal) => html`${reason(each)}<br /><small>${way(each)}</small>`,
              },
            ]),
        {
          label: t("refusedSignIns.latest"),
          cell: (each: SignInRefusal) => html`${time(each.refusedAt)}<br /><small>${each.count}×</small>`,
        },
        { label: t("refusedSignIns.network"), cell: (each: SignInRefusal) => each.network || "–", isWide: true },
        { label: t("requestId"), cell: (each: SignInRefusal) => html`<code>${each.requestId}</code>`, isWide: true },
      ],
      items,
    );
  }
}

customElements.define("keystead-sign-in-refusals", SignInRefusals);
