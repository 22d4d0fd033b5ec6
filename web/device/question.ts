/**
 * The question whether a device gets access. It is asked always: somebody else may have sent the code. A code that the
 * person has not entered here is compared with that of the device first (RFC 8628, 5.4).
 */

import type { DescribeDeviceResponse } from "../gen/keystead/oauth/v1/oauth_service_pb";
import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { type Child, clear, h, nameOf, nameText, say, show } from "../shared/dom";
import { takesDeliberatePresses } from "../shared/deliberate";
import { Alerts, busy, button, formOf, submitButton } from "../shared/form";
import { imageOf } from "../shared/images";
import { oauthService } from "../shared/oauth";
import { explain, reasonOf, type Refusal } from "../shared/refusals";
import { extentOf, requestInWords } from "../shared/scopes";
import { onNews, onReturn } from "../shared/tabs";
import { bySession } from "../shared/session";
import { text, textWith } from "../shared/words";

/** The ways on that are no answer to the question. */
export interface Ways {
  /** The session is another one now. */
  readonly again: () => void;
  /** The code does not work any more. */
  readonly invalid: (refusal: Refusal) => void;
  readonly ended: () => void;
}

export class Question {
  readonly #alerts = new Alerts();
  readonly #leaving = new AbortController();

  constructor(
    private readonly device: DescribeDeviceResponse,
    private readonly user: User,
    private readonly ways: Ways,
  ) {
    const { signal } = this.#leaving;
    // The answer would be that of another user.
    onNews(() => this.#leave(ways.again), signal);
    onReturn(() => void this.#look(), signal);
  }

  compare(): void {
    this.#show(
      text("connect.isShown"),
      [
        h("p", { class: "user-code" }, h("strong", {}, this.device.userCode)),
        h("p", { class: "notice" }, text("connect.warning", { no: text("connect.no") })),
      ],
      [text("connect.yes"), async () => this.ask()],
      text("connect.no"),
    );
  }

  ask(): void {
    const { clientName, scopes, resources, logo } = this.device;
    this.#show(
      text("connect.ask", { name: nameText(clientName) }),
      [
        imageOf(logo, 48),
        h("p", {}, ...textWith("connect.account", { account: h("strong", {}, this.#account()) })),
        h("p", { class: "notice" }, text("connect.warning", { no: text("cancel") })),
        h("h2", {}, text("connect.gets")),
        h("ul", { class: "next" }, ...requestInWords(scopes, resources).map((words) => h("li", {}, ...words))),
        ...extentOf(scopes, resources),
      ],
      [text("connect.allow"), () => this.#approve()],
      text("cancel"),
    );
  }

  #show(
    title: string,
    content: Child[],
    [yes, work]: readonly [label: string, work: () => Promise<void>],
    no: string,
  ): void {
    const goOn = submitButton(yes);
    takesDeliberatePresses(goOn, this.#leaving.signal);
    const refuse = button(no, () => void busy(refuse, () => this.#deny()));
    const form = formOf(goOn, work, this.#alerts.element, h("div", { class: "actions" }, goOn, refuse));
    form.className = "decision";
    show(title, ...content, form);
  }

  #account(): HTMLElement {
    return nameOf(this.user.displayName || this.user.userName);
  }

  async #approve(): Promise<void> {
    await this.#decide(async (userCode) => {
      await oauthService.approveDevice({ userCode, consents: true });
      show(text("connect.done"), h("p", {}, text("connect.doneNext")));
    });
  }

  async #deny(): Promise<void> {
    await this.#decide(async (userCode) => {
      await oauthService.denyDevice({ userCode });
      show(text("connect.denied"), h("p", {}, text("connect.deniedNext")));
    });
  }

  async #decide(decide: (userCode: string) => Promise<void>): Promise<void> {
    this.#alerts.clear();
    say();
    try {
      await decide(this.device.userCode);
      this.#leaving.abort();
    } catch (error) {
      const refusal = explain(error, { by: "session" });
      if (refusal.isEnd) this.#leave(this.ways.ended);
      else if (reasonOf(error) === "USER_CODE_INVALID") this.#leave(() => this.ways.invalid(refusal));
      else this.#alerts.tell(refusal);
    }
  }

  #leave(on: () => void): void {
    this.#leaving.abort();
    clear();
    on();
  }

  /** Checks that the session is still that of the user who is shown. Errors of the network change nothing. */
  async #look(): Promise<void> {
    try {
      const { user } = await bySession.users.getCurrentUser({});
      if (user?.userId !== this.user.userId && !this.#leaving.signal.aborted) this.#leave(this.ways.again);
    } catch (error) {
      const isEnd = explain(error, { by: "session" }).isEnd;
      if (isEnd && !this.#leaving.signal.aborted) this.#leave(this.ways.ended);
    }
  }
}
