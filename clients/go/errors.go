package keystead

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"
)

// Error is a call that failed, with the details that the server sends (docs/api.md, Errors). status.Code and
// status.Convert accept it.
type Error struct {
	Reason     string            // stable and for programs; empty if the server did not answer
	Message    string            // for people
	Metadata   map[string]string // details of the reason, such as sequence for ETAG_MISMATCH
	Violations map[string]string // description of each invalid field by its JSON name
	Resource   *Resource         // an object that was not found
	RequestID  string            // finds the call in the log of the server
	RetryAfter time.Duration     // time after which the call can be repeated; 0 if the server names none

	status *status.Status
}

// Resource is the type and the name of an object.
type Resource struct{ Type, Name string }

// GRPCStatus returns the status of the call.
func (e *Error) GRPCStatus() *status.Status { return e.status }

func (e *Error) Error() string {
	text := strings.Builder{}
	reason := e.Reason
	if reason == "" {
		reason = e.status.Code().String()
	}
	fmt.Fprintf(&text, "%s: %s", reason, e.Message)
	for _, field := range slices.Sorted(maps.Keys(e.Violations)) {
		fmt.Fprintf(&text, " %s: %s.", field, e.Violations[field])
	}
	return text.String()
}

// errorOf returns the error of gRPC as an *Error. io.EOF, the end of a stream, is none.
func errorOf(err error) error {
	failed, ok := status.FromError(err)
	if err == nil || !ok {
		return err
	}
	found := &Error{Message: failed.Message(), status: failed}
	for _, detail := range failed.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			found.Reason, found.Metadata = detail.GetReason(), detail.GetMetadata()
		case *errdetails.BadRequest:
			found.Violations = map[string]string{}
			for _, each := range detail.GetFieldViolations() {
				found.Violations[each.GetField()] = each.GetDescription()
			}
		case *errdetails.ResourceInfo:
			found.Resource = &Resource{detail.GetResourceType(), detail.GetResourceName()}
		case *errdetails.RequestInfo:
			found.RequestID = detail.GetRequestId()
		case *errdetails.RetryInfo:
			found.RetryAfter = detail.GetRetryDelay().AsDuration()
		}
	}
	return found
}
