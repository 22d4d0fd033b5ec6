package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

const (
	maxAge            = time.Hour       // of the server's Cache-Control
	pause             = time.Minute     // between two fetches for unknown keys
	pauseAfterFailure = 5 * time.Second // between a failed fetch and the next one
)

// errUnavailable reports that a JWT cannot be verified now: answer 503.
var errUnavailable = errors.New("the keys cannot be fetched")

// keySet is the JWK Set (RFC 7517) at a URL, fetched when it is needed. While the server does not answer,
// it is used until it has twice its maximum age.
type keySet struct {
	url       string
	client    http.Client
	mutex     sync.Mutex
	keys      map[string]*ecdsa.PublicKey
	fetched   time.Time
	nextFetch time.Time
	failed    bool
}

// find returns the key of a JWT. It fetches the keys if they are old or lack this one.
func (s *keySet) find(token *jwt.Token) (any, error) {
	kid, _ := token.Header["kid"].(string)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if (s.keys[kid] == nil || time.Since(s.fetched) > maxAge) && time.Now().After(s.nextFetch) {
		s.refresh()
	}
	key := s.keys[kid]
	switch {
	case time.Since(s.fetched) > 2*maxAge || (key == nil && s.failed):
		return nil, errUnavailable
	case key == nil:
		return nil, fmt.Errorf("there is no key %q", kid)
	}
	return key, nil
}

func (s *keySet) refresh() {
	s.failed, s.nextFetch = false, time.Now().Add(pause)
	if err := s.fetch(); err != nil {
		log.Print("keys: ", err)
		s.failed, s.nextFetch = true, time.Now().Add(pauseAfterFailure)
	}
}

func (s *keySet) fetch() error {
	answer, err := s.client.Get(s.url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	var set struct {
		Keys []struct{ Kty, Crv, Kid, X, Y string }
	}
	if err := json.NewDecoder(answer.Body).Decode(&set); err != nil {
		return err
	}
	keys := map[string]*ecdsa.PublicKey{}
	for _, each := range set.Keys {
		if each.Kty == "EC" && each.Crv == "P-256" {
			if keys[each.Kid], err = publicKey(each.X, each.Y); err != nil {
				return err
			}
		}
	}
	s.keys, s.fetched = keys, time.Now()
	return nil
}

func publicKey(x, y string) (*ecdsa.PublicKey, error) {
	first, err := base64.RawURLEncoding.DecodeString(x)
	if err != nil {
		return nil, err
	}
	second, err := base64.RawURLEncoding.DecodeString(y)
	if err != nil {
		return nil, err
	}
	key := &ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(first), Y: new(big.Int).SetBytes(second)}
	if !key.Curve.IsOnCurve(key.X, key.Y) {
		return nil, errors.New("the key is not a point of the curve")
	}
	return key, nil
}
