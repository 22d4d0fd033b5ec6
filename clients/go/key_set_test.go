package keystead

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

func TestKeysAreFetchedWhenTheyAreOldAndUsedForTwiceTheirAgeWithoutAnAnswer(t *testing.T) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	status, fetches := http.StatusServiceUnavailable, 0
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		fetches++
		answer.Header().Set("Cache-Control", "public, max-age=600")
		answer.WriteHeader(status)
		key := jose.JSONWebKey{Key: private.Public(), KeyID: "a", Algorithm: "ES256", Use: "sig"}
		if err := json.NewEncoder(answer).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key}}); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	now := time.Now()
	keys := NewKeySet(server.URL)
	keys.now = func() time.Time { return now }

	const found, none, unavailable = "found", "none", "unavailable"
	for number, step := range []struct {
		later    time.Duration
		status   int
		keyID    string
		expected string
		fetches  int
	}{
		{0, http.StatusServiceUnavailable, "a", unavailable, 1},
		{0, http.StatusOK, "a", unavailable, 1}, // no further request while it is down
		{5 * time.Second, http.StatusOK, "a", found, 2},
		{59 * time.Second, http.StatusOK, "b", none, 2},
		{2 * time.Second, http.StatusOK, "b", none, 3},
		{599 * time.Second, http.StatusOK, "a", found, 3},
		{2 * time.Second, http.StatusOK, "a", found, 4},
		{61 * time.Second, http.StatusServiceUnavailable, "b", unavailable, 5}, // the key may be a new one
		{1138 * time.Second, http.StatusServiceUnavailable, "a", found, 6},
		{2 * time.Second, http.StatusServiceUnavailable, "a", unavailable, 6},
		{5 * time.Second, http.StatusOK, "a", found, 7},
	} {
		now, status = now.Add(step.later), step.status
		key, err := keys.find(t.Context(), step.keyID)
		result := found
		switch {
		case errors.Is(err, ErrKeysUnavailable):
			result = unavailable
		case err != nil:
			t.Fatal(err)
		case key == nil:
			result = none
		}
		if result != step.expected || fetches != step.fetches {
			t.Errorf("step %d: %s after %d fetches", number, result, fetches)
		}
	}
}
