//go:build e2e

package keystead_test

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	keystead "example.com/keystead-client"
	idpv1 "example.com/keystead-client/keystead/idp/v1"
	userv1 "example.com/keystead-client/keystead/user/v1"
)

// world is the description of the servers (e2e/test_keystead_clients.py).
var world struct {
	GRPCAddress, DirectAddress, WebURL, ObserverURL, Issuer, Audience, Token, VerifierToken string
}

func TestMain(m *testing.M) {
	if err := json.Unmarshal([]byte(os.Getenv("KEYSTEAD_E2E")), &world); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func connect(t *testing.T, token keystead.Token) *grpc.ClientConn {
	t.Helper()
	return connectTo(t, world.GRPCAddress, token)
}

func connectTo(t *testing.T, address string, token keystead.Token) *grpc.ClientConn {
	t.Helper()
	channel, err := keystead.Connect(address, token, keystead.Options{Plaintext: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { channel.Close() })
	return channel
}

// observe tells the test server to do something, and returns its answer.
func observe(t *testing.T, path string) map[string]string {
	t.Helper()
	answer, err := http.Get(world.ObserverURL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(path, answer.Status, err)
	}
	found := map[string]string{}
	if err := json.Unmarshal(body, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

func eventually(t *testing.T, within time.Duration, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it does not hold within %s", within)
		}
	}
}

func TestACallHasTheTokenOfTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(world.Token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	users := userv1.NewUserServiceClient(connect(t, keystead.TokenFile(file)))

	me, err := users.GetCurrentUser(t.Context(), &userv1.GetCurrentUserRequest{})

	if err != nil || me.GetUser().GetUserName() != "admin" {
		t.Fatal(me, err)
	}
}

func TestAnErrorHasItsDetails(t *testing.T) {
	users := userv1.NewUserServiceClient(connect(t, keystead.StaticToken(world.Token)))

	_, err := users.CreateUser(t.Context(), &userv1.CreateUserRequest{})
	var invalid *keystead.Error
	if !errors.As(err, &invalid) || status.Code(err) != codes.InvalidArgument {
		t.Fatal(err)
	}
	expected := map[string]string{"userName": "must not be empty"}
	if invalid.Reason != "INVALID_FIELDS" || !maps.Equal(invalid.Violations, expected) || invalid.RequestID == "" {
		t.Error(invalid, invalid.RequestID)
	}

	_, err = users.GetUser(t.Context(), &userv1.GetUserRequest{UserId: "nobody"})
	var missing *keystead.Error
	if !errors.As(err, &missing) || *missing.Resource != (keystead.Resource{Type: "user", Name: "nobody"}) {
		t.Error(err)
	}
}

func TestAChangeWhoseAnswerIsLostIsMadeOnce(t *testing.T) {
	idps := idpv1.NewIdentityProviderServiceClient(connect(t, keystead.StaticToken(world.Token)))
	named := func() (count int) {
		list, err := idps.ListIDPs(t.Context(), &idpv1.ListIDPsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		for _, idp := range list.GetIdps() {
			if idp.GetName() == "Lost in Go" {
				count++
			}
		}
		return count
	}
	if named() != 0 {
		t.Fatal("the identity provider exists already")
	}

	observe(t, "/lose-the-answer/Lost in Go")
	added, err := idps.CreateIDP(t.Context(), &idpv1.CreateIDPRequest{Name: "Lost in Go"})

	if err != nil || added.GetIdpId() == "" {
		t.Fatal(added, err)
	}
	if count := named(); count != 1 {
		t.Errorf("%d identity providers", count)
	}
	if observe(t, "/lost")["answers"] != "1" {
		t.Error("no answer was lost")
	}
}

func TestACallThatIsAbortedIsRepeatedIfTheServerNamesATime(t *testing.T) {
	idps := idpv1.NewIdentityProviderServiceClient(connect(t, keystead.StaticToken(world.Token)))
	added, err := idps.CreateIDP(t.Context(), &idpv1.CreateIDPRequest{Name: "Locked in Go"})
	if err != nil {
		t.Fatal(err)
	}
	patch := &idpv1.PatchIDPRequest{
		Idp:        &idpv1.IDP{IdpId: added.GetIdpId(), Name: "Patched in Go"},
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"name"}},
	}

	observe(t, "/lock/"+added.GetIdpId())
	if _, err := idps.PatchIDP(t.Context(), patch); err != nil {
		t.Error(err)
	}

	started := time.Now()
	_, err = idps.PatchIDP(metadata.AppendToOutgoingContext(t.Context(), "if-match", `"1"`), patch)
	var mismatch *keystead.Error
	if !errors.As(err, &mismatch) || mismatch.Reason != "ETAG_MISMATCH" || mismatch.Metadata["sequence"] == "" {
		t.Error(err)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("it was repeated for %s", took)
	}
}

func TestASessionThatHasEndedIsRefusedWithinTwoSeconds(t *testing.T) {
	channel := connect(t, keystead.StaticToken(world.VerifierToken))
	ended := keystead.WatchEndedSessions(t.Context(), channel, "")
	verifier := keystead.SessionVerifier{
		Keys: keystead.NewKeySet(world.WebURL), Issuer: world.Issuer, Audience: world.Audience, Ended: ended,
	}
	introspector := keystead.NewIntrospector(channel, ended)
	eventually(t, 10*time.Second, func() bool { return ended.Behind() < time.Hour })
	signedIn := observe(t, "/sign-in")

	session, err := verifier.Verify(t.Context(), signedIn["jwt"])
	if err != nil || session.SessionID != signedIn["sessionId"] || session.UserID != signedIn["userId"] {
		t.Fatal(session, err)
	}
	answer, err := introspector.Introspect(t.Context(), signedIn["sessionToken"])
	if err != nil || !answer.GetActive() || answer.GetUser().GetUserId() != signedIn["userId"] {
		t.Fatal(answer, err)
	}

	observe(t, "/sign-out/"+signedIn["sessionToken"])
	eventually(t, 2*time.Second, func() bool {
		_, err := verifier.Verify(t.Context(), signedIn["jwt"])
		return errors.Is(err, keystead.ErrRefusedSession)
	})
	answer, err = introspector.Introspect(t.Context(), signedIn["sessionToken"])
	if err != nil || answer.GetActive() {
		t.Error(answer, err)
	}
	if answer, err := introspector.Introspect(t.Context(), "kss_unknown"); err != nil || answer.GetActive() {
		t.Error(answer, err)
	}
}

func TestTheWatchResumesAfterItsConnectionWasCut(t *testing.T) {
	token := keystead.StaticToken(world.VerifierToken)
	ended := keystead.WatchEndedSessions(t.Context(), connect(t, token), "")
	uncut := keystead.WatchEndedSessions(t.Context(), connectTo(t, world.DirectAddress, token), "")
	eventually(t, 10*time.Second, func() bool { return ended.Cursor() != "" && uncut.Cursor() != "" })
	signedIn := observe(t, "/sign-in")

	observe(t, "/cut")
	observe(t, "/sign-out/"+signedIn["sessionToken"])
	// A stream that begins now is not told of this end any more.
	eventually(t, 10*time.Second, func() bool { return uncut.Has(signedIn["sessionId"]) })
	if ended.Has(signedIn["sessionId"]) {
		t.Fatal("the connection is not cut")
	}
	observe(t, "/mend")

	eventually(t, 20*time.Second, func() bool { return ended.Has(signedIn["sessionId"]) })
}
