"""Push: webhooks to the subscriptions of organizations, and logout tokens to applications.

RPCs: CreateSubscription, GetSubscription, ListSubscriptions, PatchSubscription, RemoveSubscription,
TestSubscription, CreateSubscriptionSecret, RemoveSubscriptionSecret, ListDeliveries, RetryDelivery.

`follower` follows the log and writes the deliveries. `loop`, `sender` and `leases` attempt them, by
the mechanism of `server/deliveries`.

The rule: deliveries are written together with the position in the log up to which all are written,
so no event is lost. Delivery is at least once, with the same ID in every attempt.
"""
