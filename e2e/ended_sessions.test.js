import { createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SessionService } from "./gen/keystead/session/v1/session_service_pb.js";
import { ask, given, webUrl } from "./world.js";

const RETRY_MILLISECONDS = 50;

/**
 * The server, over connections that can be cut off. An `AbortController` would not do: Node 20 forgets
 * the signal of a `fetch` whose body is still read, when it collects garbage.
 */
class Network {
  #sockets = new Set();
  #listener = createServer((near) => {
    const far = connect(new URL(webUrl).port, "127.0.0.1");
    for (const [socket, other] of [[near, far], [far, near]]) {
      this.#sockets.add(socket);
      socket.on("error", () => {}); // `close` follows
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });

  async url() {
    await new Promise((resolve) => this.#listener.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.#listener.address().port}`;
  }

  cutOff() {
    for (const socket of this.#sockets) socket.destroy();
  }

  close() {
    this.#listener.close();
    this.cutOff();
  }
}

/** Watches until it is stopped, and goes on after the last cursor whatever ends the stream. */
class Watcher {
  #client;
  #stopped = false;
  #afterCursor;
  told = [];
  streams = 0;

  constructor(baseUrl) {
    this.#client = createClient(SessionService, createGrpcWebTransport({ baseUrl }));
  }

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
    const messages = this.#client.watchEndedSessions(
      { afterCursor: this.#afterCursor },
      { headers: { authorization: `Bearer ${given.token}` } },
    );
    let isFirst = true;
    for await (const { cursor, endedSessions } of messages) {
      if (isFirst) this.streams += 1;
      isFirst = false;
      this.#afterCursor = cursor;
      this.told.push(...endedSessions.map(({ sessionId }) => sessionId));
    }
  }

  stop() {
    this.#stopped = true;
  }
}

test("nothing is lost or told twice when the stream is cut off", async () => {
  const network = new Network();
  const watcher = new Watcher(await network.url());
  const running = watcher.run();
  const until = async (condition) => {
    while (!condition()) await sleep(10);
  };
  const ended = [];
  const end = async () => ended.push(await ask("/end-a-session"));
  const areTold = () => until(() => watcher.told.length >= ended.length);

  await until(() => watcher.streams === 1);
  await end();
  await areTold();

  network.cutOff();
  await end();
  await end();
  await areTold();
  assert.ok(watcher.streams >= 2);

  const streams = watcher.streams;
  await end(); // which may not have been told when the server is killed
  await ask("/restart");
  await end();
  await areTold();
  assert.ok(watcher.streams > streams);

  watcher.stop();
  network.close();
  await running;
  assert.deepEqual(watcher.told, ended);
});
