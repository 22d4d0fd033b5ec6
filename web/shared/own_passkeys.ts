/** The passkeys of the caller: list, add, rename and remove. */

import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { showAdd } from "./add";
import { type Access, allPasskeys, type PasskeyList, VALIDATE_ONLY } from "./api";
import { type Child, nameOf } from "./dom";
import { type Changes, cardOf } from "./passkey_card";
import { type Circumstances, explained, type Refusal } from "./refusals";
import { Registration } from "./registration";
import { stepIn } from "./steps";
import { text, textWith } from "./words";
import { describeAccount, obstacle } from "./webauthn";

/** The view that contains the list. */
export interface PasskeysView {
  readonly by: Circumstances["by"];
  readonly heading: Changes["heading"];
  /** Runs a change, possibly after a reauthentication. */
  readonly change: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Loads and shows the view again, with `news` as its status. */
  readonly reopen: (...news: Child[]) => Promise<void>;
  readonly ended: (refusal: Refusal) => void;
  readonly tell: (refusal: Refusal) => void;
}

export class OwnPasskeys {
  constructor(
    private readonly user: User,
    private readonly access: Access,
    private readonly view: PasskeysView,
    private readonly signal: AbortSignal,
  ) {}

  /** Loads the list, and reports it to passkey providers. @throws ConnectError */
  async load(): Promise<PasskeyList> {
    const list = await allPasskeys(this.user.userId, this.access);
    if (!this.signal.aborted) void this.#describe(list);
    return list;
  }

  /** A card for each passkey. */
  cards({ passkeys, rpId }: PasskeyList): HTMLElement[] {
    return passkeys.map((each) => cardOf(each, rpId, this.#changes(), passkeys.length === 1));
  }

  /** Shows the form that adds a passkey. */
  add(): void {
    const { userId } = this.user;
    const { by, reopen, change, tell, ended } = this.view;
    const hindered = obstacle();
    if (hindered) {
      tell(explained(hindered));
      return;
    }
    const leave = stepIn(() => void reopen(), this.signal);
    showAdd(
      {
        by,
        introduction: [text("add.introduction")],
        registration: new Registration(userId, () => change(() => this.access.passkeys.registerPasskey({ userId }))),
        added: (name) => leave(() => void reopen(...textWith("passkeys.added", { name: nameOf(name) }))),
        ended,
        cancelled: () => leave(),
      },
      this.signal,
    );
  }

  /** Reports the remaining passkeys and the current names of the user to passkey providers. */
  async #describe({ passkeys, userHandle, rpId }: PasskeyList): Promise<void> {
    const { userName, displayName } = this.user;
    const accepted = passkeys.filter((each) => each.rpId === rpId).map(({ credentialId }) => credentialId);
    await describeAccount({
      rpId,
      userId: userHandle,
      name: userName,
      displayName,
      allAcceptedCredentialIds: accepted,
    });
  }

  #changes(): Changes {
    const { userId } = this.user;
    const { by, heading, change, reopen, ended } = this.view;
    const { passkeys } = this.access;
    return {
      by,
      heading,
      rename: async (passkeyId, name) => {
        await change(() => passkeys.renamePasskey({ userId, passkeyId, name }));
        await reopen(...textWith("passkeys.renamed", { name: nameOf(name) }));
      },
      previewRemoval: (passkeyId) => async (lostOrStolen) =>
        (await passkeys.removePasskey({ userId, passkeyId, lostOrStolen }, VALIDATE_ONLY)).ended,
      remove: async (passkeyId, name, lostOrStolen) => {
        await change(() => passkeys.removePasskey({ userId, passkeyId, lostOrStolen }));
        await reopen(...textWith("passkeys.removed", { name: nameOf(name) }));
      },
      missing: () => reopen(text("passkeys.missing")),
      ended,
    };
  }
}
