/** Links between the user and identity providers: list, add, remove. */

import type { IDPOption } from "../gen/keystead/signin/v1/signin_service_pb";
import type { IDPLink } from "../gen/keystead/user/v1/idp_link_service_pb";
import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { VALIDATE_ONLY } from "../shared/api";
import { askToChange } from "../shared/dialog";
import { type Child, h, nameOf, nameText } from "../shared/dom";
import { day, fact } from "../shared/facts";
import { goToProvider } from "../shared/flow";
import { busy, button, named, submitButton } from "../shared/form";
import { icon } from "../shared/icons";
import { providerButton, type ProviderPage, providersOf } from "../shared/providers";
import { askOfLoss } from "../shared/loss";
import { linkService } from "../shared/session";
import { confirmed } from "../shared/step_up";
import { text, textWith } from "../shared/words";
import { allLinks } from "./lists";

/** The view that contains the list. */
export interface LinksView {
  /** Loads and shows the view again, with `news` as its status. */
  readonly reopen: (...news: Child[]) => Promise<void>;
  readonly refused: (error: unknown) => void;
  readonly ended: () => void;
}

export interface LinkList {
  readonly links: readonly IDPLink[];
  readonly providers: ProviderPage;
}

export class Links {
  constructor(
    private readonly user: User,
    private readonly view: LinksView,
  ) {}

  /** Loads the links and the first page of providers. @throws ConnectError */
  async load(): Promise<LinkList> {
    const [links, providers] = await Promise.all([allLinks(this.user.userId), providersOf(this.#organization)]);
    return { links, providers };
  }

  /** A card for each link. `isOnlyWay`: the user has no passkey. */
  cards({ links }: LinkList, isOnlyWay: boolean): HTMLElement[] {
    return links.map((link) => {
      const unlink = button(
        text("provider.unlink"),
        () => this.#askToUnlink(link, isOnlyWay && links.length === 1),
        "quiet danger",
      );
      const facts = [
        fact(text("provider.linkedAt"), day(link.details?.creationDate)),
        fact(text("provider.subject"), nameOf(link.subject)),
      ];
      return h(
        "li",
        { class: "card" },
        icon("key"),
        h("h3", {}, nameOf(link.idpName)),
        h("dl", {}, ...facts),
        h("div", { class: "actions" }, named(unlink, text("provider.unlinkOne", { name: nameText(link.idpName) }))),
      );
    });
  }

  /** A button for each provider that is not linked, and one for the next page. */
  buttons({ links, providers: { idps, nextPageToken } }: LinkList): HTMLElement[] {
    const linked = new Set(links.map(({ idpId }) => idpId));
    const buttons = idps
      .filter(({ idpId }) => !linked.has(idpId))
      .map((each) => providerButton(each, "provider.link", (pressed) => void busy(pressed, () => this.#link(each))));
    if (!nextPageToken) return buttons;
    const more = button(
      text("provider.more"),
      () =>
        void busy(more, async () => {
          try {
            const providers = await providersOf(this.#organization, nextPageToken);
            more.replaceWith(...this.buttons({ links, providers }));
          } catch (error) {
            this.view.refused(error);
          }
        }),
    );
    return [...buttons, more];
  }

  get #organization(): string {
    return this.user.details?.resourceOwner ?? "";
  }

  async #link({ idpId }: IDPOption): Promise<void> {
    try {
      await goToProvider(idpId, { linkTo: this.user.userId });
    } catch (error) {
      this.view.refused(error);
    }
  }

  #askToUnlink({ linkId, idpName }: IDPLink, isOnlyWay: boolean): void {
    const consequence = h("p", {}, ...textWith("provider.unlinkConsequence", { name: nameOf(idpName) }));
    const warning = h("p", { class: "warning" }, text("provider.onlyWay"));
    const confirm = submitButton(text("provider.unlink"), "danger");
    const { userId } = this.user;
    const loss = askOfLoss(
      async (lostOrStolen) => (await linkService.unlinkIDP({ userId, linkId, lostOrStolen }, VALIDATE_ONLY)).ended,
    );
    const content = [...(isOnlyWay ? [warning] : []), consequence, loss.element];
    const unlink = async () => {
      await confirmed(() => linkService.unlinkIDP({ userId, linkId, lostOrStolen: loss.isLost() }));
      await this.view.reopen(...textWith("provider.unlinked", { name: nameOf(idpName) }));
    };
    askToChange(text("provider.unlinkTitle"), content, confirm, unlink, {
      by: "session",
      missing: ["IDP_LINK_NOT_FOUND", () => this.view.reopen()],
      ended: this.view.ended,
    });
  }
}
