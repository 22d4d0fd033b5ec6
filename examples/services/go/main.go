// A service with an endpoint for people who have a session of Keystead. It verifies the JWT of the
// session (IssueSessionJWT) offline.
//
// Settings: ADDRESS to listen on, KEYSTEAD_URL of the web port, ISSUER and AUDIENCE of the JWTs.
package main

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

type claims struct {
	jwt.RegisteredClaims
	Session      string `json:"sid"`
	Organization string `json:"org"`
}

type verifier struct {
	keys     keySet
	issuer   string
	audience string
}

// verify returns the claims of a JWT (RFC 9068).
func (v *verifier) verify(token string) (*claims, error) {
	// The algorithm is constant, never taken from the JWT.
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"ES256"}))
	found := &claims{}
	parsed, err := parser.ParseWithClaims(token, found, v.keys.find)
	if err != nil {
		return nil, err
	}
	kind, _ := parsed.Header["typ"].(string)
	switch {
	case !strings.EqualFold(kind, "at+jwt"):
		return nil, fmt.Errorf("the type is %q", kind)
	case !found.VerifyIssuer(v.issuer, true):
		return nil, errors.New("it is of another issuer")
	case !found.VerifyAudience(v.audience, true):
		return nil, errors.New("it is for another audience")
	case !found.VerifyExpiresAt(time.Now(), true):
		return nil, errors.New("it has no expiry")
	}
	return found, nil
}

func (v *verifier) whoami(answer http.ResponseWriter, request *http.Request) {
	token := strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
	caller, err := v.verify(token)
	if errors.Is(err, errUnavailable) {
		answer.Header().Set("Retry-After", "5")
		http.Error(answer, "The keys cannot be fetched. Try again later.", http.StatusServiceUnavailable)
		return
	}
	if err != nil {
		log.Print("refused: ", err)
		answer.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		http.Error(answer, "A valid JWT is required.", http.StatusUnauthorized)
		return
	}
	fmt.Fprintln(answer, caller.Subject, caller.Session)
}

func main() {
	v := &verifier{
		keys: keySet{
			url:    os.Getenv("KEYSTEAD_URL") + "/.well-known/jwks.json",
			client: http.Client{Timeout: 5 * time.Second},
		},
		issuer:   os.Getenv("ISSUER"),
		audience: os.Getenv("AUDIENCE"),
	}
	http.HandleFunc("/whoami", v.whoami)
	log.Fatal(http.ListenAndServe(os.Getenv("ADDRESS"), nil))
}
