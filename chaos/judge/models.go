package main

import (
	"strings"

	"github.com/anishathalye/porcupine"
)

// A step of a model: whether the answer of a call is possible in a state, and the state after it. A call without an
// answer has the effect that it can have in this state, if any.
type step func(state string, made call) (bool, string)

// The order in which verdicts are printed.
var names = []string{"configuration", "user", "credential", "code"}

var steps = map[string]step{"configuration": configuration, "user": user, "credential": credential, "code": code}

const (
	ok            = "OK"
	found         = "ALREADY_EXISTS"
	notFound      = "NOT_FOUND"
	refused       = "UNAUTHENTICATED"
	notAllowed    = "FAILED_PRECONDITION"
	live, ended   = "live", "ended"
	used, expired = "used", "expired"
	locked        = " locked"
	// A user whose creation was not answered, so that nobody knows its ID.
	nameless = "?"
)

func machine(take step) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, _ any) (bool, any) {
			made := input.(call)
			possible, after := take(state.(string), made)
			return possible || made.End == 0, after
		},
	}
}

// A configuration, such as that of SMTP: its value, or nothing. It can be added only if there is none.
func configuration(state string, made call) (bool, string) {
	exists := state != ""
	switch made.Name {
	case "add":
		if exists {
			return made.Answer == found, state
		}
		return made.Answer == ok, made.Argument
	case "update":
		if exists {
			return made.Answer == ok, made.Argument
		}
	case "remove":
		if exists {
			return made.Answer == ok, ""
		}
	case "read":
		if exists {
			return made.Answer == state, state
		}
	}
	return made.Answer == notFound, state
}

// A user name, which at most one user has: the ID of its user, who may be locked.
func user(state string, made call) (bool, string) {
	id, isLocked := strings.CutSuffix(state, locked)
	if made.Name == "create" {
		switch {
		case state != "":
			return made.Answer == found, state
		case made.End == 0:
			return true, nameless
		}
		return made.Answer != found, made.Answer
	}
	if made.Argument != id {
		return made.Answer == notFound, state
	}
	switch made.Name {
	case "lock":
		return made.Answer == ok, id + locked
	case "unlock":
		return made.Answer == ok, id
	case "remove":
		return made.Answer == ok, ""
	}
	return made.Answer == ok && !isLocked || made.Answer == "LOCKED" && isLocked, state
}

// A token or a session, by the answers to calls with it.
func credential(state string, made call) (bool, string) {
	switch {
	case state == ended && made.Name == "end":
		return made.Answer == notFound || made.Answer == refused, ended
	case state == ended:
		return made.Answer == refused, ended
	case made.Name == "end":
		return made.Answer == ok, ended
	}
	return made.Answer == ok, live
}

// An authorization code and the token that it was exchanged for: a second exchange ends the token.
func code(state string, made call) (bool, string) {
	switch made.Name {
	case "expire":
		if state == "" {
			return true, expired
		}
		return true, state
	case "exchange":
		switch state {
		case "":
			return made.Answer == ok, used
		case expired:
			return made.Answer == notAllowed, expired
		}
		return made.Answer == notAllowed, ended
	}
	if state == used {
		return made.Answer == ok, used
	}
	return made.Answer == refused, state
}
