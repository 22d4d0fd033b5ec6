package keystead

import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

const defaultTimeout = 10 * time.Second // the server's default

// The server answers pings that are at least 10 seconds apart (docs/api.md).
var keepaliveParameters = keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}

// Options of a channel. The zero value is for a server with a certificate of a public authority.
type Options struct {
	// Timeout is the deadline of calls whose context has none, for all their attempts together. 0: 10 seconds.
	Timeout time.Duration
	// Credentials trust another authority, or present a client certificate (credentials.NewTLS).
	Credentials credentials.TransportCredentials
	// Plaintext sends the token unencrypted, so it is for a trusted network only.
	Plaintext bool
	// SendChangesOnce sends changes without keys, and only once. The server keeps at most 10,000 keys of a
	// caller per day.
	SendChangesOnce bool
}

// Connect returns a channel to host:port for the generated clients. Close it after use.
//
// Reads are repeated while the server is UNAVAILABLE, and so are changes, which get an x-idempotency-key.
// A failed call returns an [*Error].
func Connect(address string, token Token, options Options) (*grpc.ClientConn, error) {
	timeout := options.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	transport := options.Credentials
	switch {
	case options.Plaintext:
		transport = insecure.NewCredentials()
	case transport == nil:
		transport = credentials.NewTLS(nil)
	}
	calls := calls{timeout: timeout, sendsChangesOnce: options.SendChangesOnce}
	return grpc.NewClient(
		address,
		grpc.WithTransportCredentials(transport),
		grpc.WithPerRPCCredentials(bearer{token: token, isSecure: !options.Plaintext}),
		grpc.WithKeepaliveParams(keepaliveParameters),
		grpc.WithDefaultServiceConfig(serviceConfig(options.SendChangesOnce)),
		grpc.WithDisableServiceConfig(), // of DNS
		grpc.WithMaxCallAttempts(maxAttempts),
		grpc.WithChainUnaryInterceptor(calls.unary),
		grpc.WithChainStreamInterceptor(stream),
	)
}
