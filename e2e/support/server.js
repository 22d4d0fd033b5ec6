import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { given, webUrl } from "../world.js";

/** Calls the JSON API, by default as the administrator. Throws unless the call succeeds. */
export async function call(verb, path, body, { token = given.token, ...headers } = {}) {
  const answer = await fetch(webUrl + path, {
    method: verb,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: body && JSON.stringify(body),
  });
  const content = await answer.json();
  if (!answer.ok) throw new Error(`${verb} ${path}: ${JSON.stringify(content)}`);
  return content;
}

/** Waits until a list of an organization has an item; `query` chooses among its items. */
export async function listed(path, member, { orgId, query = "" } = {}) {
  const list = () => call("GET", `${path}?${query}`, undefined, orgId && { "x-service-orgid": orgId });
  while (!(await list())[member]?.length) await setTimeout(100);
}

/** Waits for a refused request of an application: the server writes them every two seconds. */
export const refusalKept = (options) => listed("/v1/refusals", "refusals", options);

/** Has the server send mail to the test's own mail server, from now on. */
export async function sendMail() {
  const config = { senderAddress: "noreply@example.com", senderName: "Example", host: given.smtpHost };
  try {
    await call("POST", "/v1/smtp", config);
  } catch (error) {
    if (!error.message.includes("SMTP_CONFIG_ALREADY_EXISTS")) throw error; // another program has done it
  }
}

/** A new user, by default in the administrator's organization. */
export async function newUser({ orgId, ...fields } = {}) {
  const person = { userName: `ada-${randomUUID()}`, displayName: "Ada Lovelace", ...fields };
  const { userId } = await call("POST", "/v1/users", person, orgId && { "x-service-orgid": orgId });
  return {
    userId,
    userName: person.userName,
    link: async (returnTo) =>
      (await call("POST", `/v1/users/${userId}/passkeys:createLink`, { returnCode: {}, returnTo })).link,
    token: async (name = "browser") => (await call("POST", `/v1/users/${userId}/tokens`, { name })).token,
    revoke: async () => {
      const { tokens } = await call("GET", `/v1/users/${userId}/tokens`);
      for (const { tokenId } of tokens) {
        await call("DELETE", `/v1/users/${userId}/tokens/${tokenId}`);
      }
    },
    list: () => call("GET", `/v1/users/${userId}/passkeys`),
    passkeys: async () => (await call("GET", `/v1/users/${userId}/passkeys`)).passkeys,
    moveTo: (email) => call("PATCH", `/v1/users/${userId}`, { user: { email }, updateMask: "email" }),
    remove: (passkeyId) => call("DELETE", `/v1/users/${userId}/passkeys/${passkeyId}`),
  };
}
