/** The sessions of a user: their devices, and how they are ended. */

import type { EndedAccess } from "../gen/console/keystead/common/v1/details_pb";
import { type Session, SessionService } from "../gen/console/keystead/session/v1/session_service_pb";
import { allPages } from "../shared/api";
import { nameOfAgent } from "../shared/device";
import { me } from "./access";
import { change, client, preview, read } from "./api";
import { askFirst } from "./dialogs";
import { done, notDone } from "./notice";
import { counted, t } from "./view_words";

const sessions = client(SessionService);

type Reload = () => Promise<void> | undefined;

export async function allSessions(userId: string): Promise<Session[]> {
  const pages = await allPages((page) =>
    read((options) => sessions.listSessions({ userId, orderBy: "last_seen_at desc", ...page }, options)),
  );
  return pages.flatMap((page) => page.sessions);
}

/** The device of a session in words. */
export function deviceOf({ deviceName, userAgent }: Session): string {
  return deviceName || nameOfAgent(userAgent) || t("user.unknownDevice");
}

/** The device and the address of a session, for the end of a sentence. */
export function placeOf({ deviceName, userAgent, ipAddress }: Session): string {
  const parts = [deviceName || nameOfAgent(userAgent), ipAddress];
  return parts.map((part) => (part ? `${t("comma")}${part}` : "")).join("");
}

/** The access that ends with a passkey or a link, one sentence each. */
export function endsOf(ended: EndedAccess | undefined): string[] {
  const { sessions: signedIn = 0, applications = 0, tokens = 0 } = ended ?? {};
  return [
    counted("user.endsSessions", signedIn),
    ...(applications > 0 ? [counted("user.endsApplications", applications)] : []),
    ...(tokens > 0 ? [counted("user.endsTokens", tokens)] : []),
  ];
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
  askFirst({
    title,
    action: t("user.endAll"),
    consequences: async () => {
      const { endedCount } = await preview((options) => sessions.endSessions({ userId, keepCurrent }, options));
      return [counted("user.endsSessions", endedCount), t("user.endAllText"), t("user.endAllRest")];
    },
    act: async () => {
      await change((options) => sessions.endSessions({ userId, keepCurrent }, options));
      await reload();
    },
    done: t("user.ended"),
  });
}
