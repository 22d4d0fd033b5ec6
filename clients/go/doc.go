// Package keystead is a client of Keystead.
//
// [Connect] opens a channel for the generated clients, such as those of
// example.com/keystead-client/keystead/user/v1. [SessionVerifier] verifies JWTs of sessions offline,
// [EndedSessions] watches for sessions that end, and [Introspector] asks the server for the user of a
// session token.
//
// The rule: only calls that are safe to repeat are repeated.
package keystead
