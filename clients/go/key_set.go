package keystead

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	defaultMaxAge = time.Hour
	// Between two fetches for keys that are unknown, and after a fetch that failed.
	fetchPause        = time.Minute
	pauseAfterFailure = 5 * time.Second
	fetchTimeout      = 5 * time.Second
	maxKeySetBytes    = 1 << 20
)

var maxAgePattern = regexp.MustCompile(`(?:^|[,\s])max-age=(\d{1,9})(?:$|[,\s])`)

// ErrKeysUnavailable reports that the keys cannot be fetched, so a JWT cannot be verified: answer 503.
var ErrKeysUnavailable = errors.New("the keys cannot be fetched")

// KeySet is the JWK Set (RFC 7517) at /.well-known/jwks.json of the web port.
//
// It is fetched on demand: when it is older than the server allows (max-age), and at most once a minute for a
// missing key. While the server does not answer, a key set is used until it has twice that age.
type KeySet struct {
	url  string
	http *http.Client
	now  func() time.Time

	mutex       sync.Mutex
	keys        jose.JSONWebKeySet
	fetchedAt   time.Time
	nextFetchAt time.Time
	maxAge      time.Duration
	lastFailed  bool
}

// NewKeySet returns the key set of the server with this URL of the web port.
func NewKeySet(keysteadURL string) *KeySet {
	return &KeySet{
		url:    strings.TrimRight(keysteadURL, "/") + "/.well-known/jwks.json",
		http:   &http.Client{Timeout: fetchTimeout},
		now:    time.Now,
		maxAge: defaultMaxAge,
	}
}

// find returns the key, nil if there is none. Callers that wait for the mutex find the fetched keys.
func (s *KeySet) find(ctx context.Context, keyID string) (*jose.JSONWebKey, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	isOld := s.now().Sub(s.fetchedAt) > s.maxAge
	if (isOld || s.key(keyID) == nil) && !s.now().Before(s.nextFetchAt) {
		s.refresh(ctx)
	}
	key := s.key(keyID)
	if s.now().Sub(s.fetchedAt) > 2*s.maxAge || (key == nil && s.lastFailed) {
		return nil, fmt.Errorf("%w: %s does not answer; try again later", ErrKeysUnavailable, s.url)
	}
	return key, nil
}

func (s *KeySet) key(keyID string) *jose.JSONWebKey {
	for _, key := range s.keys.Key(keyID) {
		return &key
	}
	return nil
}

func (s *KeySet) refresh(ctx context.Context) {
	keys, maxAge, err := s.fetch(ctx)
	s.lastFailed = err != nil
	if err != nil {
		s.nextFetchAt = s.now().Add(pauseAfterFailure)
		return
	}
	s.keys, s.maxAge, s.fetchedAt = keys, maxAge, s.now()
	s.nextFetchAt = s.fetchedAt.Add(fetchPause)
}

func (s *KeySet) fetch(ctx context.Context) (keys jose.JSONWebKeySet, maxAge time.Duration, err error) {
	// The fetch is for all callers: it does not end with the request of the first one.
	request, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodGet, s.url, nil)
	if err != nil {
		return keys, 0, err
	}
	answer, err := s.http.Do(request)
	if err != nil {
		return keys, 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return keys, 0, errors.New(answer.Status)
	}
	body := http.MaxBytesReader(nil, answer.Body, maxKeySetBytes)
	if err := json.NewDecoder(body).Decode(&keys); err != nil {
		return keys, 0, err
	}
	maxAge = defaultMaxAge
	if found := maxAgePattern.FindStringSubmatch(answer.Header.Get("Cache-Control")); found != nil {
		seconds, err := strconv.Atoi(found[1])
		if err != nil {
			return keys, 0, err
		}
		maxAge = time.Duration(seconds) * time.Second
	}
	return keys, maxAge, nil
}
