package keystead

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"

	sessionv1 "example.com/keystead-client/keystead/session/v1"
)

const (
	// The server sends a message after 25 seconds of silence.
	silence = 60 * time.Second
	// JWTs are valid for 5 minutes; clocks differ.
	kept = 15 * time.Minute

	firstPause = 100 * time.Millisecond
	maxPause   = 10 * time.Second
)

// The stream cannot resume: the database was restored from a backup, or the events were archived.
var lostPlaces = []string{"LOG_RESTORED", "SEQUENCE_UNKNOWN", "EVENTS_ARCHIVED"}

// EndedSessions are the sessions that have ended recently.
//
// A goroutine reads WatchEndedSessions; its caller needs ROLE_SESSION_VERIFIER. After a failure it resumes after
// the last message. While it cannot, an ended session is accepted until its JWT expires, 5 minutes after its
// issue. A service that must not accept that refuses all sessions while Behind is more than a minute.
type EndedSessions struct {
	sessions sessionv1.SessionServiceClient

	mutex    sync.Mutex
	cursor   string
	toldAt   time.Time
	forgetAt map[string]time.Time
}

// WatchEndedSessions watches until the context is done. Without afterCursor the watch begins now; a stored
// Cursor resumes it after a restart.
func WatchEndedSessions(
	ctx context.Context, channel grpc.ClientConnInterface, afterCursor string,
) *EndedSessions {
	e := &EndedSessions{
		sessions: sessionv1.NewSessionServiceClient(channel),
		cursor:   afterCursor,
		forgetAt: map[string]time.Time{},
	}
	go e.watch(ctx)
	return e
}

// Has reports whether the session has ended.
func (e *EndedSessions) Has(sessionID string) bool {
	if e == nil {
		return false
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	_, has := e.forgetAt[sessionID]
	return has
}

// Behind is the time since the last message, at most 25 seconds while the stream is open. Before the first
// message it is 292 years.
func (e *EndedSessions) Behind() time.Duration {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return time.Since(e.toldAt)
}

// Cursor is the place after the last message, empty before the first one.
func (e *EndedSessions) Cursor() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.cursor
}

func (e *EndedSessions) watch(ctx context.Context) {
	for attempt := 1; ; attempt++ {
		wasTold, err := e.read(ctx)
		if ctx.Err() != nil {
			return
		}
		if wasTold {
			attempt = 1
		}
		slog.Warn("The watch of ended sessions is interrupted.", "error", err)
		var failed *Error
		if errors.As(err, &failed) && slices.Contains(lostPlaces, failed.Reason) {
			e.mutex.Lock()
			e.cursor = ""
			e.mutex.Unlock()
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause(attempt)):
		}
	}
}

// pause grows exponentially with full jitter.
func pause(attempt int) time.Duration {
	return rand.N(min(maxPause, firstPause<<min(attempt, 10)))
}

// read reads the stream to its end, and returns whether a message came, and the error that ended the stream.
func (e *EndedSessions) read(ctx context.Context) (wasTold bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	timer := time.AfterFunc(silence, cancel)
	defer timer.Stop()
	request := &sessionv1.WatchEndedSessionsRequest{AfterCursor: e.Cursor()}
	messages, err := e.sessions.WatchEndedSessions(ctx, request)
	if err != nil {
		return false, err
	}
	for ; ; wasTold = true {
		message, err := messages.Recv()
		if err != nil {
			return wasTold, err
		}
		timer.Reset(silence)
		e.add(message, time.Now())
	}
}

func (e *EndedSessions) add(message *sessionv1.WatchEndedSessionsResponse, now time.Time) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for sessionID, forgetAt := range e.forgetAt {
		if now.After(forgetAt) {
			delete(e.forgetAt, sessionID)
		}
	}
	for _, ended := range message.GetEndedSessions() {
		e.forgetAt[ended.GetSessionId()] = now.Add(kept)
	}
	e.cursor, e.toldAt = message.GetCursor(), now
}
