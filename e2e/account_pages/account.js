import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TIMEOUT } from "../passkey_page/browser.js";
import { signedIn } from "./person.js";

describe("a person who is signed in", () => {
  test("sees its passkeys and sessions", TIMEOUT, async () => {
    const { person } = await signedIn();

    await person.page.getByRole("heading", { level: 3, name: "Laptop" }).waitFor();
    await person.page.getByText("This device", { exact: true }).waitFor();
    await person.keep("account");
  });
});
