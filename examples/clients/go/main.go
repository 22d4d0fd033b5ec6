// A client of Keystead in Go, over gRPC. See docs/clients.md.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	userv1 "example.com/keystead-client/gen/keystead/user/v1"
)

// main prints the name of the caller, and the invalid fields of a user without a name.
func main() {
	channel, err := grpc.NewClient(
		os.Getenv("KEYSTEAD_GRPC_ADDRESS"),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
	)
	if err != nil {
		log.Fatal(err)
	}
	defer channel.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+os.Getenv("KEYSTEAD_TOKEN"))

	users := userv1.NewUserServiceClient(channel)
	caller, err := users.GetCurrentUser(ctx, &userv1.GetCurrentUserRequest{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(caller.GetUser().GetUserName())

	_, err = users.CreateUser(ctx, &userv1.CreateUserRequest{})
	for _, detail := range status.Convert(err).Details() {
		if badRequest, ok := detail.(*errdetails.BadRequest); ok {
			for _, field := range badRequest.GetFieldViolations() {
				fmt.Printf("%s: %s\n", field.GetField(), field.GetDescription())
			}
		}
	}
}
