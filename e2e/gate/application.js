import { createHash } from "node:crypto";
import { createServer } from "node:http";

const FRAME = Buffer.from("\x81\x05hello", "latin1");
const DOWNLOAD_BYTES = 1024 ** 3;

/** An application that knows nothing of sign-in: it keeps the headers that it gets, and greets over WebSockets. */
export class Application {
  /** All requests, with their headers as pairs of name and value. */
  requests = [];
  #server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    this.#keep(request);
    if (request.url === "/download") return download(response);
    response.setHeader("content-type", "text/html");
    response.end('<!doctype html><link rel="icon" href="data:,"><title>App</title><h1>Application</h1>');
  });

  async listen(port) {
    this.#server.on("upgrade", (request, socket) => {
      this.#keep(request);
      const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const lines = [
        "HTTP/1.1 101 Switching Protocols",
        "Upgrade: websocket",
        "Connection: Upgrade",
        `Sec-WebSocket-Accept: ${createHash("sha1").update(key).digest("base64")}`,
      ];
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
      socket.write(FRAME);
      socket.on("error", () => {});
    });
    await new Promise((listening) => this.#server.listen(port, "127.0.0.1", listening));
  }

  #keep({ url, rawHeaders }) {
    const headers = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.push([rawHeaders[index].toLowerCase(), rawHeaders[index + 1]]);
    }
    this.requests.push({ path: url, headers });
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A gigabyte, as fast as the client reads it. */
async function download(response) {
  const part = Buffer.alloc(1024 ** 2);
  response.setHeader("content-length", DOWNLOAD_BYTES);
  for (let sent = 0; sent < DOWNLOAD_BYTES && !response.destroyed; sent += part.length) {
    if (!response.write(part)) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end();
}
