package keystead

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"google.golang.org/grpc"

	sessionv1 "example.com/keystead-client/keystead/session/v1"
)

const (
	cached     = 5 * time.Second
	maxAnswers = 10_000
)

// Introspector calls IntrospectSession with a cache. The caller needs ROLE_SESSION_VERIFIER.
//
// Call it when the user acts: it counts as a use of the session. Answers are cached for 5 seconds, and by the
// server for up to 5 seconds. With ended sessions, an ended session is inactive at once.
type Introspector struct {
	sessions sessionv1.SessionServiceClient
	ended    *EndedSessions
	// By the hash of the token, so that no token stays in memory.
	answers *expirable.LRU[[sha256.Size]byte, *sessionv1.IntrospectSessionResponse]
}

// NewIntrospector returns an Introspector. `ended` may be nil.
func NewIntrospector(channel grpc.ClientConnInterface, ended *EndedSessions) *Introspector {
	return &Introspector{
		sessions: sessionv1.NewSessionServiceClient(channel),
		ended:    ended,
		answers:  expirable.NewLRU[[sha256.Size]byte, *sessionv1.IntrospectSessionResponse](maxAnswers, nil, cached),
	}
}

// Introspect returns the session and its user. Active is false for every other token. The error is an [*Error].
func (i *Introspector) Introspect(
	ctx context.Context, sessionToken string,
) (*sessionv1.IntrospectSessionResponse, error) {
	hashed := sha256.Sum256([]byte(sessionToken))
	answer, has := i.answers.Get(hashed)
	if !has {
		var err error
		request := &sessionv1.IntrospectSessionRequest{SessionToken: sessionToken}
		if answer, err = i.sessions.IntrospectSession(ctx, request); err != nil {
			return nil, err
		}
		i.answers.Add(hashed, answer)
	}
	if i.ended.Has(answer.GetSession().GetSessionId()) {
		return &sessionv1.IntrospectSessionResponse{}, nil
	}
	return answer, nil
}
