package keystead

import (
	"context"
	"os"
	"strings"
	"sync"
	"time"
)

// Token gives the bearer token of each attempt of a call. Empty, or a nil Token: the attempt is sent without one.
type Token func(context.Context) (string, error)

// StaticToken is a token that does not change.
func StaticToken(token string) Token {
	return func(context.Context) (string, error) { return token, nil }
}

// TokenFile is the token in a file, read again when the file was replaced.
func TokenFile(path string) Token {
	var (
		mutex    sync.Mutex
		read     os.FileInfo
		modified time.Time
		token    string
	)
	return func(context.Context) (string, error) {
		mutex.Lock()
		defer mutex.Unlock()
		found, err := os.Stat(path)
		if err != nil {
			return "", err
		}
		if read == nil || !os.SameFile(read, found) || !found.ModTime().Equal(modified) {
			text, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			read, modified, token = found, found.ModTime(), strings.TrimSpace(string(text))
		}
		return token, nil
	}
}

// bearer is a Token as credentials of gRPC, which asks for them at each attempt.
type bearer struct {
	token    Token
	isSecure bool
}

func (b bearer) GetRequestMetadata(ctx context.Context, _ ...string) (map[string]string, error) {
	if b.token == nil {
		return nil, nil
	}
	token, err := b.token(ctx)
	if err != nil || token == "" {
		return nil, err
	}
	return map[string]string{"authorization": "Bearer " + token}, nil
}

func (b bearer) RequireTransportSecurity() bool { return b.isSecure }
