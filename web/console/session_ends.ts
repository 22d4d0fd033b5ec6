/** The sessions of a user: their devices, and how they are ended. */

import type { Session } from "../gen/console/keystead/session/v1/session_service_pb";
import { allPages } from "../shared/api";
import { nameOfAgent } from "../shared/device";
import { me } from "./access";
import { change, preview, read, sessions } from "./api";
import { askFirst } from "./dialogs";
import { done, notDone } from "./notice";
import { counted, t } from "./words";

type Reload = () => Promise<void> | undefined;

export async function allSessions(userId: string): Promise<Session[]> {
  const pages = await allPages((page) => read((options) => sessions.listSessions({ userId, ...page }, options)));
  return pages.flatMap((page) => page.sessions);
}

/** The device of a session in words. */
export function deviceOf({ deviceName, userAgent }: Session): string {
  return deviceName || nameOfAgent(userAgent) || t("user.unknownDevice");
}

/** Ends one session. */
export async function endOne({ userId, sessionId }: Session, reload: Reload): Promise<void> {
  try {
    await change((options) => sessions.endSession({ userId, sessionId }, options));
    await reload();
    done(t("user.ended"));
  } catch (error) {
    notDone(error);
  }
}

/** Ends all sessions of a user, once the person has seen how many these are. */
export function endAll(userId: string, title: string, reload: Reload): void {
  // Without its own session, the page could not show the outcome.
  const keepCurrent = userId === me().userId;
  const others = (found: readonly Session[]) => found.filter((each) => !(keepCurrent && each.current));
  askFirst({
    title,
    action: t("user.endAll"),
    consequences: async () => [counted("user.endsSession", "user.endsSessions", others(await allSessions(userId)).length), t("user.endAllText")],
    check: () => preview((options) => sessions.endSessions({ userId, keepCurrent }, options)),
    act: async () => {
      await change((options) => sessions.endSessions({ userId, keepCurrent }, options));
      await reload();
    },
    done: t("user.ended"),
  });
}
