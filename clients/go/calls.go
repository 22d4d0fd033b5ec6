package keystead

import (
	"context"
	"crypto/rand"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

const (
	idempotencyKey = "x-idempotency-key"
	validateOnly   = "x-validate-only"
)

// calls adds to calls with one answer: the deadline, the key of a change, errors with details. gRPC repeats them.
type calls struct {
	timeout          time.Duration
	sendsChangesOnce bool
}

func (c calls) unary(
	ctx context.Context, method string, request, answer any, channel *grpc.ClientConn, invoke grpc.UnaryInvoker,
	options ...grpc.CallOption,
) error {
	if _, has := ctx.Deadline(); !has {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	if !c.sendsChangesOnce && kindOf(method) == keyed {
		ctx = withKey(ctx)
	}
	return errorOf(invoke(ctx, method, request, answer, channel, options...))
}

// withKey adds a key, unless the call has one, or only validates: then it changes nothing and takes no key.
func withKey(ctx context.Context) context.Context {
	sent, _ := metadata.FromOutgoingContext(ctx)
	validates := sent.Get(validateOnly)
	if len(sent.Get(idempotencyKey)) > 0 || (len(validates) > 0 && validates[0] == "true") {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, idempotencyKey, rand.Text())
}

// stream gives calls with a stream of answers errors with details. Only the reader can resume such a call.
func stream(
	ctx context.Context, description *grpc.StreamDesc, channel *grpc.ClientConn, method string,
	open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	opened, err := open(ctx, description, channel, method, options...)
	if err != nil {
		return nil, errorOf(err)
	}
	return messages{opened}, nil
}

type messages struct{ grpc.ClientStream }

func (m messages) RecvMsg(message any) error { return errorOf(m.ClientStream.RecvMsg(message)) }
