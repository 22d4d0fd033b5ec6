import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { after, before } from "node:test";
import { setTimeout } from "node:timers/promises";
import { call } from "../support/server.js";
import { given, webUrl } from "../world.js";

const HOST = `localhost:${given.documentPort}`;
/** The client ID of an application that nobody has added. */
export const CLIENT_URL = `https://${HOST}/client.json`;

const DOCUMENT = { client_id: CLIENT_URL, client_name: "Desktop", redirect_uris: ["http://127.0.0.1/callback"] };

let client;
let documents;

before(async () => {
  client = createServer((_request, answer) => answer.end("<!doctype html><title>Client</title><h1>Client</h1>"));
  client.listen(0, "127.0.0.1");
  const tls = readFileSync(given.certificate);
  documents = createSecureServer({ key: tls, cert: tls }, (_request, answer) => {
    answer.setHeader("content-type", "application/json").end(JSON.stringify(DOCUMENT));
  });
  documents.listen(given.documentPort, "localhost");
  await Promise.all([once(client, "listening"), once(documents, "listening")]);
});
after(() => {
  client.close();
  documents.close();
});

/** Where the client waits for the person to return. */
export const callback = () => `http://127.0.0.1:${client.address().port}/callback`;

/** Sets the hosts of metadata documents that the organization of all people of these tests admits. */
export async function admitDocuments(...clientMetadataHosts) {
  const { user } = await call("GET", "/v1/users/me");
  const path = `/v1/orgs/${user.details.resourceOwner}`;
  await call("PATCH", path, { organization: { clientMetadataHosts }, updateMask: "clientMetadataHosts" });
  const isSupported = clientMetadataHosts.length > 0;
  while ((await discovered()).client_id_metadata_document_supported !== (isSupported || undefined)) await setTimeout(200);
}

const discovered = async () => (await fetch(`${webUrl}/.well-known/oauth-authorization-server`)).json();

export const admitDocument = () => admitDocuments(HOST);
