import { createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SessionService } from "./gen/keystead/session/v1/session_service_pb.js";

// What `test_ended_sessions.py` has set up.
const { webUrl, token, observerUrl } = JSON.parse(process.env.KEYSTEAD_E2E);
const ask = async (path) => (await fetch(`${observerUrl}/${path}`)).json();
const RETRY_MILLISECONDS = 50;

/** Watches until it is stopped, and goes on after the last sequence whatever ends the stream. */
class Watcher {
  #client = createClient(SessionService, createGrpcWebTransport({ baseUrl: webUrl }));
  #stopped = false;
  #connection;
  #afterSequence;
  told = [];
  streams = 0;

  async run() {
    while (!this.#stopped) {
      try {
        await this.#watch();
      } catch {
        await sleep(RETRY_MILLISECONDS);
      }
    }
  }

  async #watch() {
    this.#connection = new AbortController();
    const messages = this.#client.watchEndedSessions(
      { afterSequence: this.#afterSequence },
      { headers: { authorization: `Bearer ${token}` }, signal: this.#connection.signal },
    );
    let isFirst = true;
    for await (const { sequence, endedSessions } of messages) {
      if (isFirst) this.streams += 1;
      isFirst = false;
      this.#afterSequence = sequence;
      this.told.push(...endedSessions.map(({ sessionId }) => sessionId));
    }
  }

  cutOff() {
    this.#connection.abort();
  }

  stop() {
    this.#stopped = true;
    this.cutOff();
  }
}

test("nothing is lost or told twice when the stream is cut off", async () => {
  const watcher = new Watcher();
  const running = watcher.run();
  const until = async (condition) => {
    while (!condition()) await sleep(10);
  };
  const ended = [];
  const end = async () => ended.push(await ask("end-a-session"));
  const areTold = () => until(() => watcher.told.length >= ended.length);

  await until(() => watcher.streams === 1);
  await end();
  await areTold();

  watcher.cutOff();
  await end();
  await end();
  await areTold();
  assert.ok(watcher.streams >= 2);

  const streams = watcher.streams;
  await end(); // which may not have been told when the server is killed
  await ask("restart");
  await end();
  await areTold();
  assert.ok(watcher.streams > streams);

  watcher.stop();
  await running;
  assert.deepEqual(watcher.told, ended);
});
