/** Webhooks: the subscriptions, each with its secrets and its test, and the deliveries of webhooks and logout tokens. */

import type { JsonValue } from "@bufbuild/protobuf";
import { html, nothing, render, type TemplateResult } from "lit";
import {
  CreateSubscriptionRequestSchema,
  type Delivery,
  PushService,
  SecretKind,
  type Subscription,
  SubscriptionSchema,
  type SubscriptionSecret,
} from "../../gen/console/keystead/push/v1/push_service_pb";
import { may } from "../access";
import { act, change, client, preview, read } from "../api";
import { equal, filterOf, filters, outcome, retrier } from "../delivery";
import { askFirst, openDialog, showOnce } from "../dialogs";
import { sentenceOf, typeOptions } from "../event_types";
import { form, textOfValue } from "../form";
import { notDone } from "../notice";
import { badge, copyable, empty, exactTime, facts, head, name, section, table, tabs, time, titled } from "../parts";
import { go, type Route, to } from "../router";
import { Trial } from "../steps";
import { maskOf, messageOf, only, valuesOf } from "../values";
import { Loaded, Paged, totalOf, View } from "../view";
import { t } from "../view_words";
import "../who";

const pushes = client(PushService);

export function views({ path }: Route): string {
  if (path[1] === undefined || path[1] === "deliveries") return "keystead-push";
  return path[1] === "new" ? "keystead-subscription-new" : "keystead-subscription";
}

const FIELDS = [
  "name",
  "url",
  {
    name: "eventTypes",
    control: (value: JsonValue | undefined, set: (value: JsonValue) => void) =>
      html`<keystead-event-types .value=${(value as string[] | undefined) ?? []} .changed=${set}></keystead-event-types>`,
  },
];

class Push extends View {
  protected override render(): TemplateResult {
    const isDeliveries = this.route.path[1] === "deliveries";
    const add = may("PushService/CreateSubscription")
      ? html`<a class="primary" href=${to(["push", "new"])}>${t("push.add")}</a>`
      : nothing;
    return html`${head(t("push"), { lead: t("push.lead"), actions: add })}
      ${tabs(t("push"), [
        [t("push.subscriptions"), ["push"], !isDeliveries],
        [t("push.deliveries"), ["push", "deliveries"], isDeliveries],
      ])}
      ${isDeliveries ? html`<keystead-deliveries .route=${this.route}></keystead-deliveries>` : html`<keystead-subscriptions .route=${this.route}></keystead-subscriptions>`}`;
  }
}

class Subscriptions extends View {
  readonly #list = new Paged<Subscription>(this, async (pageToken) => {
    const page = await read((options) => pushes.listSubscriptions({ pageToken }, options));
    return { items: page.subscriptions, next: page.nextPageToken };
  });

  protected override render(): TemplateResult {
    return this.#list.render(
      (items) =>
        table(
          t("push.subscriptions"),
          [
            {
              label: t("field.name"),
              cell: (each) => titled(name(each.name), each.url, ["push", each.subscriptionId]),
            },
            {
              label: t("field.eventTypes"),
              cell: (each) => each.eventTypes.join(", ") || t("events.all"),
              isWide: true,
            },
            { label: t("changed"), cell: (each) => time(each.details?.changeDate), isWide: true },
          ],
          items,
        ),
      empty(t("push.none")),
    );
  }
}

class NewSubscription extends View {
  protected override render(): TemplateResult {
    return html`${head(t("push.add"), { up: [t("push"), to(["push"])], lead: t("push.addLead") })}
      ${section(
        t("details"),
        form({
          request: "CreateSubscriptionRequest",
          within: "subscription",
          fields: FIELDS,
          values: {},
          submit: t("add"),
          cancel: () => go(["push"]),
          save: async (subscription) => {
            const request = messageOf(CreateSubscriptionRequestSchema, { subscription: { ...subscription } });
            const { subscriptionId, key } = await change((options) => pushes.createSubscription(request, options));
            showKey(key, () => go(["push", subscriptionId]));
          },
        }),
      )}`;
  }
}

function showKey(key: string, closed: () => void): void {
  showOnce(t("push.key"), html`<p>${t("push.keyLead")}</p><p>${copyable(key, t("push.key"))}</p>`, closed);
}

class OneSubscription extends View {
  readonly #subscription = new Loaded(this, () => this.#read());
  readonly #trial = new Trial(this, () =>
    act((options) => pushes.testSubscription({ subscriptionId: this.#id }, options)),
  );

  get #id(): string {
    return this.route.path[1] ?? "";
  }

  async #read(): Promise<Subscription> {
    const { subscription } = await read((options) => pushes.getSubscription({ subscriptionId: this.#id }, options));
    return subscription!;
  }

  protected override render(): TemplateResult {
    return this.#subscription.render((subscription) => {
      const mayWrite = may("PushService/PatchSubscription");
      const path = ["push", subscription.subscriptionId];
      const isDeliveries = this.route.path[2] === "deliveries";
      const remove = html`<button type="button" class="quiet danger" @click=${() => this.#askToRemove(subscription)}>${t("push.remove")}</button>`;
      return html`${head(name(subscription.name), { up: [t("push"), to(["push"])], lead: subscription.url, actions: mayWrite ? remove : nothing })}
        ${tabs(subscription.name, [
          [t("settings"), path, !isDeliveries],
          [t("push.deliveries"), [...path, "deliveries"], isDeliveries],
        ])}
        ${isDeliveries ? html`<keystead-deliveries .route=${this.route}></keystead-deliveries>` : this.#settings(subscription, mayWrite)}`;
    });
  }

  #settings(subscription: Subscription, mayWrite: boolean): TemplateResult {
    const { subscriptionId } = subscription;
    const state = (found: Subscription) => ({
      values: valuesOf(SubscriptionSchema, found),
      sequence: found.details!.sequence,
    });
    return html`${section(
      t("details"),
      facts(
        ["ID", copyable(subscriptionId, "ID")],
        !mayWrite && [t("field.eventTypes"), subscription.eventTypes.join(", ") || t("events.all")],
        [t("created"), time(subscription.details?.creationDate)],
        [t("changed"), time(subscription.details?.changeDate)],
      ),
    )}
      ${
        mayWrite
          ? html`${section(
              t("settings"),
              form({
                request: "PatchSubscriptionRequest",
                within: "subscription",
                fields: FIELDS,
                ...state(subscription),
                submit: t("save"),
                current: async () => state(await this.#read()),
                save: (values, changed, sequence) =>
                  change(
                    (options) =>
                      pushes.patchSubscription(
                        {
                          subscription: { ...messageOf(SubscriptionSchema, only(values, changed)), subscriptionId },
                          updateMask: maskOf(changed),
                        },
                        options,
                      ),
                    sequence,
                  ),
              }),
            )}
      ${section(t("test"), this.#trial.render(), { lead: t("push.testLead") })}`
          : nothing
      }
      ${this.#secrets(subscription, mayWrite)}`;
  }

  #secrets(subscription: Subscription, mayWrite: boolean): TemplateResult {
    const { subscriptionId, secrets } = subscription;
    const create = (kind: SecretKind) =>
      html`<button type="button" @click=${() => void this.#createSecret(subscriptionId, kind)}>${t("push.createSecret", { kind: kindOf(kind) })}</button>`;
    return section(
      t("push.secrets"),
      table(
        t("push.secrets"),
        [
          { label: t("field.kind"), cell: (each) => titled(kindOf(each.kind), html`<code>${each.secretId}</code>`) },
          {
            label: t("push.publicKey"),
            cell: (each) => (each.publicKey ? copyable(each.publicKey, t("push.publicKey")) : "–"),
            isWide: true,
          },
          { label: t("created"), cell: (each) => time(each.createdAt), isWide: true },
          {
            label: t("actions"),
            isLabelHidden: true,
            cell: (each) =>
              mayWrite && secrets.length > 1
                ? html`<button type="button" class="quiet danger" aria-label=${t("removeOne", { name: each.secretId })} @click=${() => this.#askToRemoveSecret(subscription, each)}>${t("remove")}</button>`
                : nothing,
          },
        ],
        secrets,
      ),
      {
        lead: t("push.secretsLead"),
        actions:
          mayWrite && secrets.length === 1 ? html`${create(SecretKind.HMAC)}${create(SecretKind.ED25519)}` : nothing,
      },
    );
  }

  async #createSecret(subscriptionId: string, kind: SecretKind): Promise<void> {
    try {
      const { key } = await change((options) => pushes.createSubscriptionSecret({ subscriptionId, kind }, options));
      showKey(key, () => void this.#subscription.reload());
    } catch (error) {
      notDone(error);
    }
  }

  #askToRemoveSecret({ subscriptionId }: Subscription, { secretId }: SubscriptionSecret): void {
    askFirst({
      title: t("push.removeSecretTitle"),
      action: t("remove"),
      consequences: async () => [t("push.removeSecret")],
      check: () => preview((options) => pushes.removeSubscriptionSecret({ subscriptionId, secretId }, options)),
      act: async () => {
        await change((options) => pushes.removeSubscriptionSecret({ subscriptionId, secretId }, options));
        await this.#subscription.reload();
      },
      done: t("removed", { name: t("secret") }),
    });
  }

  #askToRemove({ subscriptionId, name: named }: Subscription): void {
    askFirst({
      title: t("push.removeTitle", { name: named }),
      action: t("push.remove"),
      consequences: async () => [t("push.removeText")],
      check: () => preview((options) => pushes.removeSubscription({ subscriptionId }, options)),
      act: async () => {
        await change((options) => pushes.removeSubscription({ subscriptionId }, options));
        go(["push"]);
      },
      done: t("removed", { name: named }),
    });
  }
}

function kindOf(kind: SecretKind): string {
  return textOfValue(`SECRET_KIND_${SecretKind[kind]}`);
}

/** The deliveries of the organization, or of the subscription in the address. */
class Deliveries extends View {
  readonly #list = new Paged<Delivery>(this, async (pageToken) => {
    const [, parent = ""] = this.route.path;
    const subscriptionId = parent === "deliveries" ? "" : parent;
    const type = this.route.query.get("type");
    const filter = filterOf(this.route, equal("subscription_id", subscriptionId), equal("event_type", type));
    const request = { filter, pageToken, withTotalSize: pageToken === "" };
    const page = await read((options) => pushes.listDeliveries(request, options));
    if (pageToken === "") this.#total = totalOf(page);
    return { items: page.deliveries, next: page.nextPageToken };
  });

  #total = "";

  protected override render(): TemplateResult {
    const type = html`<div class="field"><label for="type">${t("push.event")}</label><select id="type" name="type">
      <option value="">${t("events.all")}</option>${typeOptions(this.route.query.get("type") ?? "")}
    </select></div>`;
    return html`${filters(this.route, () => this.#list.reload(), type)}
      ${this.#total ? html`<p class="total" role="status">${t("push.total", { total: this.#total })}</p>` : nothing}
      ${this.#list.render(
        (items) =>
          table(
            t("push.deliveries"),
            [
              {
                label: t("push.event"),
                cell: (each) => titled(shower(each), html`<code>${each.eventType}</code> · ${targetOf(each)}`),
              },
              {
                label: t("state"),
                cell: (each) =>
                  outcome(each.deliveryId, each.state, each.attempts, () => void showDelivery(each.deliveryId)),
              },
              { label: t("created"), cell: (each) => time(each.createdAt), isWide: true },
              { label: t("actions"), isLabelHidden: true, cell: (each) => this.#retrier(each) },
            ],
            items,
          ),
        empty(t("push.noDeliveries")),
      )}`;
  }

  #retrier({ state, deliveryId }: Delivery): TemplateResult | typeof nothing {
    if (!may("PushService/RetryDelivery")) return nothing;
    return retrier(state, t("push.retryOne", { id: deliveryId }), async () => {
      await change((options) => pushes.retryDelivery({ deliveryId }, options));
      await this.#list.reload();
    });
  }
}

/** The sentence of a delivery, which shows it. */
function shower({ deliveryId, eventType }: Delivery): TemplateResult {
  return html`<button type="button" class="link" title=${t("push.showOne", { id: deliveryId })} @click=${() => void showDelivery(deliveryId)}>${sentenceOf(eventType)}</button>`;
}

/** Shows what was sent, and the answers. */
async function showDelivery(deliveryId: string): Promise<void> {
  try {
    const { delivery } = await read((options) => pushes.getDelivery({ deliveryId }, options));
    const content = document.createElement("div");
    render(delivered(delivery!), content);
    openDialog(t("push.delivery"), content);
  } catch (error) {
    notDone(error);
  }
}

function delivered({ deliveryId, eventType, createdAt, payload, attempts }: Delivery): TemplateResult {
  return html`${facts(
    ["ID", copyable(deliveryId, "ID")],
    [t("push.event"), html`${sentenceOf(eventType)} <small><code>${eventType}</code></small>`],
    [t("created"), exactTime(createdAt)],
  )}
    <h3>${t("push.payload")}</h3>
    <pre class="payload">${indented(payload)}</pre>
    <h3>${t("push.attempts")}</h3>
    ${attempts.length === 0 ? html`<p class="empty">${t("push.noAttempts")}</p>` : nothing}
    <ol class="attempts">${attempts.map(attempted)}</ol>`;
}

/** The server's sentences are English. */
function attempted({
  startedAt,
  endedAt,
  reason,
  message,
  status,
  answer,
}: Delivery["attempts"][number]): TemplateResult {
  const state = !endedAt
    ? badge(t("push.unfinished"))
    : reason
      ? badge(status ? String(status) : reason, "bad")
      : badge(String(status), "good");
  return html`<li><small>${exactTime(startedAt)} · ${state}${reason && status ? html` · <code>${reason}</code>` : nothing}</small>
    ${message ? html`<p lang="en">${message}</p>` : nothing}
    ${answer ? html`<details><summary>${t("push.answer")}</summary><pre class="payload">${answer}</pre></details>` : nothing}</li>`;
}

/** JSON over several lines; another text as it is. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}

function targetOf({ subscriptionId, applicationId }: Delivery): TemplateResult {
  return applicationId
    ? html`<a href=${to(["applications", applicationId])}>${t("push.logout")}</a>`
    : html`<keystead-who kind="subscription" .objectId=${subscriptionId} .other=${t("push.webhook")}></keystead-who>`;
}

customElements.define("keystead-push", Push);
customElements.define("keystead-subscriptions", Subscriptions);
customElements.define("keystead-subscription-new", NewSubscription);
customElements.define("keystead-subscription", OneSubscription);
customElements.define("keystead-deliveries", Deliveries);
