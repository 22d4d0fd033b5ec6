// A service with an endpoint for people who have a session of Keystead.
//
// Settings: ADDRESS to listen on, KEYSTEAD_URL of the web port, ISSUER and AUDIENCE of the JWTs, and
// ORG_IDS, the organizations whose users are accepted, separated by commas (all by default). With
// KEYSTEAD_GRPC_ADDRESS and KEYSTEAD_TOKEN_FILE, the token of a user who has ROLE_SESSION_VERIFIER, a
// session that has ended is refused at once.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	keystead "example.com/keystead-client"
)

type service struct {
	verifier keystead.SessionVerifier
}

// whoami answers with the user and the session of the caller.
func (s *service) whoami(answer http.ResponseWriter, request *http.Request) {
	token := strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
	session, err := s.verifier.Verify(request.Context(), token)
	switch {
	case errors.Is(err, keystead.ErrKeysUnavailable):
		answer.Header().Set("Retry-After", "5")
		http.Error(answer, err.Error(), http.StatusServiceUnavailable)
	case err != nil:
		// RFC 6750, section 3.1
		answer.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		http.Error(answer, err.Error(), http.StatusUnauthorized)
	default:
		fmt.Fprintln(answer, session.UserID, session.SessionID)
	}
}

// ready answers 503 while the service has not been told of ended sessions for a minute, or never yet.
func (s *service) ready(answer http.ResponseWriter, _ *http.Request) {
	if s.verifier.Ended != nil && s.verifier.Ended.Behind() > time.Minute {
		answer.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	answer.WriteHeader(http.StatusNoContent)
}

func main() {
	s := &service{keystead.SessionVerifier{
		Keys:     keystead.NewKeySet(os.Getenv("KEYSTEAD_URL")),
		Issuer:   os.Getenv("ISSUER"),
		Audience: os.Getenv("AUDIENCE"),
	}}
	if ids := os.Getenv("ORG_IDS"); ids != "" {
		s.verifier.OrgIDs = strings.Split(ids, ",")
	}
	if address := os.Getenv("KEYSTEAD_GRPC_ADDRESS"); address != "" {
		token := keystead.TokenFile(os.Getenv("KEYSTEAD_TOKEN_FILE"))
		// In production with TLS: without Plaintext.
		channel, err := keystead.Connect(address, token, keystead.Options{Plaintext: true})
		if err != nil {
			log.Fatal(err)
		}
		s.verifier.Ended = keystead.WatchEndedSessions(context.Background(), channel, "")
	}
	http.HandleFunc("/whoami", s.whoami)
	http.HandleFunc("/ready", s.ready)
	log.Fatal(http.ListenAndServe(os.Getenv("ADDRESS"), nil))
}
