/** The passkeys of the user who is signed in, by whatever it is: listed, added, renamed and removed. */

import type { User } from "../gen/keystead/user/v1/user_service_pb";
import { showAdd } from "./add";
import { type Access, allPasskeys, type PasskeyList } from "./api";
import { type Child, nameOf } from "./dom";
import { type Changes, cardOf } from "./passkey_card";
import { type Circumstances, explained, type Refusal } from "./refusals";
import { Registration } from "./registration";
import { textWith } from "./words";
import { describeAccount, obstacle } from "./webauthn";

/** The view that the list is a part of. */
export interface View {
  readonly by: Circumstances["by"];
  readonly heading: Changes["heading"];
  /** Does a change; may first have the person confirm who it is. */
  readonly change: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Shows everything as it is now, and what has led to it. */
  readonly reopen: (...news: Child[]) => Promise<void>;
  readonly ended: (refusal: Refusal) => void;
  readonly tell: (refusal: Refusal) => void;
}

export class OwnPasskeys {
  constructor(
    private readonly user: User,
    private readonly access: Access,
    private readonly view: View,
    private readonly signal: AbortSignal,
  ) {}

  /** As they are now; providers are told. @throws ConnectError */
  async load(): Promise<PasskeyList> {
    const list = await allPasskeys(this.user.userId, this.access);
    if (!this.signal.aborted) void this.#describe(list);
    return list;
  }

  /** The list as cards. */
  cards({ passkeys }: PasskeyList): HTMLElement[] {
    return passkeys.map((each) => cardOf(each, this.#changes(), passkeys.length === 1));
  }

  /** Shows the form that adds one. */
  add(): void {
    const { userId } = this.user;
    const { by, reopen, change, tell, ended } = this.view;
    const hindered = obstacle();
    if (hindered) {
      tell(explained(hindered));
      return;
    }
    showAdd(
      {
        by,
        introduction: textWith("add.introduction", {}),
        registration: new Registration(userId, () =>
          change(() => this.access.passkeys.registerPasskey({ userId })),
        ),
        added: (name) => void reopen(...textWith("passkeys.added", { name: nameOf(name) })),
        ended,
        cancelled: () => void reopen(),
      },
      this.signal,
    );
  }

  /** Has providers offer the passkeys that are left, under the name that the user has now. */
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
      remove: async (passkeyId, name) => {
        await change(() => passkeys.removePasskey({ userId, passkeyId }));
        await reopen(...textWith("passkeys.removed", { name: nameOf(name) }));
      },
      missing: () => reopen(...textWith("passkeys.missing", {})),
      ended,
    };
  }
}
