import { execFile } from "node:child_process";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:tls";
import { promisify } from "node:util";

/** A connection to a proxy that speaks HTTP/1.1. */
function connected(port, servername) {
  const socket = connect({
    port,
    host: "127.0.0.1",
    servername,
    rejectUnauthorized: false,
    ALPNProtocols: ["http/1.1"],
  });
  socket.setTimeout(20_000, () => socket.destroy());
  return socket;
}

/** Sends bytes; returns the status and headers of the answer, with the status 0 if there is none. */
export async function sent(port, servername, text) {
  const socket = connected(port, servername);
  let answer = "";
  await new Promise((resolve) => {
    socket.on("secureConnect", () => socket.write(text, "latin1"));
    socket.on("data", (part) => {
      answer += part.toString("latin1");
      if (answer.includes("\r\n\r\n")) resolve();
    });
    socket.on("close", resolve);
    socket.on("error", resolve);
  });
  socket.destroy();
  const [status = "", ...lines] = answer.split("\r\n\r\n")[0].split("\r\n");
  const headers = new Map(lines.map((line) => [line.split(":")[0].toLowerCase(), line.replace(/^[^:]*: */, "")]));
  return { status: Number(/^HTTP\/1\.[01] ([0-9]{3})/.exec(status)?.[1] ?? 0), headers };
}

/** The number of bytes of a download. curl reads a gigabyte in a fraction of the time of Node. */
export async function downloaded(url, cookie) {
  const resolved = `${new URL(url).host}:127.0.0.1`;
  const options = ["--silent", "--insecure", "--noproxy", "*", "--output", "/dev/null", "--write-out", "%{size_download}"];
  const words = [...options, "--resolve", resolved, "--cookie", cookie, url];
  return Number((await promisify(execFile)(process.env.CURL, words)).stdout);
}

/** A request over HTTP/2; returns its status, or 0 if the proxy resets the stream. */
export async function sentOverHttp2(port, servername, headers) {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { servername, rejectUnauthorized: false });
  session.on("error", () => {});
  try {
    return await new Promise((resolve) => {
      const stream = session.request({ ":path": "/", ":scheme": "https", ...headers });
      stream.on("response", (answer) => resolve(answer[":status"]));
      stream.on("error", () => resolve(0));
      stream.on("close", () => resolve(0));
      stream.end();
    });
  } finally {
    session.destroy();
  }
}
