package keystead

import (
	"testing"

	_ "example.com/keystead-client/keystead/session/v1"
	_ "example.com/keystead-client/keystead/signin/v1"
	_ "example.com/keystead-client/keystead/smtp/v1"
	_ "example.com/keystead-client/keystead/user/v1"
)

func TestOnlyReadsAndChangesWithAKeyAreRepeated(t *testing.T) {
	for path, expected := range map[string]kind{
		"/keystead.user.v1.UserService/GetUser":                   read,
		"/keystead.session.v1.SessionService/IntrospectSession":   read,
		"/keystead.user.v1.UserService/CreateUser":                keyed,
		"/keystead.smtp.v1.SMTPService/TestSMTPConfig":            once,
		"/keystead.signin.v1.SignInService/CompletePasskeySignIn": once,
		"/keystead.session.v1.SessionService/WatchEndedSessions":  once,
		"/keystead.user.v1.UserService/Unknown":                   once,
		"/grpc.health.v1.Health/Check":                            once,
		"/example.user.v1.UserService/GetUser":                    once,
	} {
		if found := kindOf(path); found != expected {
			t.Errorf("%s: %d instead of %d", path, found, expected)
		}
	}
}
