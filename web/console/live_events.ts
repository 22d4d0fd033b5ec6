/** A list of events that grows as events are written. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ReactiveController } from "lit";
import {
  type Event,
  EventService,
  type ListEventsRequestSchema,
  type WatchEventsRequestSchema,
} from "../gen/console/keystead/event/v1/event_service_pb";
import { client, read, watching } from "./api";
import { keyOf } from "./event_list";
import { Paged, type View } from "./view";

const events = client(EventService);

export type Conditions = MessageInitShape<typeof ListEventsRequestSchema>;
type WatchConditions = MessageInitShape<typeof WatchEventsRequestSchema>;

const RETRY_MILLISECONDS = 3000;
/** The list of a view that is open for a day stays small. */
const MOST_ARRIVED = 500;

/**
 * The events that are written after a cursor, without one from now on, until `signal` ends it. A stream that ends begins
 * again where it was; `undefined` in between. The first events of a stream can be none.
 */
export async function* arriving(
  conditions: WatchConditions,
  signal: AbortSignal,
  after = "",
): AsyncGenerator<Event[] | undefined> {
  let last = after;
  while (!signal.aborted) {
    try {
      const stream = watching((options) => events.watchEvents({ ...conditions, afterCursor: last }, options), signal);
      for await (const { cursor, events: arrived } of stream) {
        last = cursor;
        yield arrived;
      }
    } catch {
      // The next attempt tells whether the server is back.
    }
    if (signal.aborted) return;
    yield undefined;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
  }
}

/** Lists events, newest first, and watches for new ones. */
export class LiveEvents implements ReactiveController {
  readonly list: Paged<Event>;
  isLive = false;
  #arrived: readonly Event[] = [];
  #watch: AbortController | undefined;
  #conditions: Conditions = {};
  #cursor = "";

  constructor(
    private readonly host: View,
    enough?: number,
  ) {
    this.list = new Paged(host, (token) => this.#page(token), enough);
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#watch?.abort();
  }

  /** Shows the events that meet other conditions. Call before the first page, too. */
  set conditions(conditions: Conditions) {
    this.#conditions = conditions;
  }

  /** The events that have arrived since the list was loaded, newest first. */
  get arrived(): readonly Event[] {
    return this.#arrived;
  }

  isNew = (event: Event): boolean => this.#arrived.some((each) => keyOf(each) === keyOf(event));

  async #page(pageToken: string): Promise<{ items: readonly Event[]; next: string }> {
    const page = await read((options) => events.listEvents({ ...this.#conditions, pageToken }, options));
    if (pageToken === "") {
      this.#arrived = [];
      this.#cursor = page.cursor;
      const known = new Set(page.events.map(keyOf));
      void this.#follow(known);
    }
    return { items: page.events, next: page.nextPageToken };
  }

  /** The events that meet the conditions, newest first, at most this number. @throws ConnectError */
  async all(most: number): Promise<Event[]> {
    const found: Event[] = [];
    for (let pageToken = "", isFirst = true; (isFirst || pageToken) && found.length < most; isFirst = false) {
      const request = { ...this.#conditions, pageSize: 200, pageToken };
      const page = await read((options) => events.listEvents(request, options));
      found.push(...page.events);
      pageToken = page.nextPageToken;
    }
    return found.slice(0, most);
  }

  /** Watches until the view is left or other events are listed. A stream that ends begins again where it was. */
  async #follow(known: Set<string>): Promise<void> {
    this.#watch?.abort();
    const watch = new AbortController();
    this.#watch = watch;
    const {
      since: _since,
      until: _until,
      oldestFirst: _first,
      ...conditions
    } = this.#conditions as Record<string, never>;
    for await (const arrived of arriving(conditions, watch.signal, this.#cursor)) {
      const fresh = arrived?.filter((each) => !known.has(keyOf(each))) ?? [];
      for (const each of fresh) known.add(keyOf(each));
      this.#arrived = [...fresh.reverse(), ...this.#arrived].slice(0, MOST_ARRIVED);
      this.#set(arrived !== undefined);
    }
  }

  #set(isLive: boolean): void {
    this.isLive = isLive;
    this.host.requestUpdate();
  }
}
