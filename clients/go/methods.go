package keystead

import (
	"encoding/json"
	"strings"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	optionsv1 "example.com/keystead-client/keystead/options/v1"
)

type kind int

const (
	once  kind = iota // takes no key, such as a sign-in or a stream, or is of another service than Keystead's
	read              // changes nothing
	keyed             // a change that takes an x-idempotency-key
)

// kindOf returns the kind of the method at the path /package.Service/Method.
func kindOf(path string) kind {
	name := protoreflect.FullName(strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", "."))
	if !strings.HasPrefix(string(name), "keystead.") {
		return once
	}
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
	if err != nil {
		return once
	}
	method, isMethod := found.(protoreflect.MethodDescriptor)
	if !isMethod {
		return once
	}
	return kindOfMethod(method)
}

func kindOfMethod(method protoreflect.MethodDescriptor) kind {
	options := method.Options().(*descriptorpb.MethodOptions)
	rule := proto.GetExtension(options, annotations.E_Http).(*annotations.HttpRule)
	access := proto.GetExtension(options, optionsv1.E_Access).(*optionsv1.Access)
	actsOutside := proto.GetExtension(options, optionsv1.E_ActsOutside).(bool)
	switch {
	case method.IsStreamingServer() || method.IsStreamingClient():
		return once
	case rule.GetGet() != "" || options.GetIdempotencyLevel() == descriptorpb.MethodOptions_NO_SIDE_EFFECTS:
		return read
	case access.GetOpen() || actsOutside:
		return once
	}
	return keyed
}

// maxAttempts are more than a call makes within its deadline.
const maxAttempts = 100

// serviceConfig is the retry policy of gRPC for the methods that are safe to repeat. The server adds its delay,
// and refuses further attempts of calls that ended as ABORTED without one (grpc-retry-pushback-ms).
func serviceConfig(sendsChangesOnce bool) string {
	type name struct {
		Service string `json:"service"`
		Method  string `json:"method"`
	}
	names := []name{}
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		if !strings.HasPrefix(string(file.Package()), "keystead.") {
			return true
		}
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for j := range service.Methods().Len() {
				method := service.Methods().Get(j)
				kind := kindOfMethod(method)
				if kind == read || (kind == keyed && !sendsChangesOnce) {
					names = append(names, name{string(service.FullName()), string(method.Name())})
				}
			}
		}
		return true
	})
	config, err := json.Marshal(map[string]any{
		"methodConfig": []any{map[string]any{
			"name": names,
			"retryPolicy": map[string]any{
				"maxAttempts":          maxAttempts,
				"initialBackoff":       "0.2s",
				"maxBackoff":           "10s",
				"backoffMultiplier":    2,
				"retryableStatusCodes": []string{"UNAVAILABLE", "ABORTED"},
			},
		}},
	})
	if err != nil {
		panic(err) // strings and numbers have a JSON form
	}
	return string(config)
}
