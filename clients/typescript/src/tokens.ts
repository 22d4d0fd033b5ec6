/** A bearer token, or a function that gives it for each attempt. Empty: the call is sent without a token. */
export type Token = string | (() => string | Promise<string>);

/** The token for a call that is sent now. */
export async function current(token: Token): Promise<string> {
  return typeof token === "string" ? token : token();
}
