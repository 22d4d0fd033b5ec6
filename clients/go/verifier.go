package keystead

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const (
	maxCharacters = 8192
	defaultLeeway = 30 * time.Second
)

var (
	// Constant, never taken from the JWT.
	algorithms = []jose.SignatureAlgorithm{jose.ES256}
	types      = []string{"at+jwt", "application/at+jwt"}
)

// ErrRefusedSession reports that a JWT is not of a session for this service: answer 401. The text has the reason.
var ErrRefusedSession = errors.New("the session is refused")

// Session is the session of a JWT. AMR are the methods of authentication (RFC 8176).
type Session struct {
	SessionID       string
	UserID          string
	OrgID           string
	AuthenticatedAt time.Time
	ExpiresAt       time.Time
	AMR             []string
}

// SessionVerifier verifies offline that a JWT (RFC 9068) is of a session and for this service.
type SessionVerifier struct {
	Keys     *KeySet
	Issuer   string // KEYSTEAD_PUBLIC_URL of the server
	Audience string // one of its KEYSTEAD_JWT_AUDIENCES
	// Ended refuses an ended session at once. Without it, the session is refused when its JWT expires.
	Ended *EndedSessions
	// Leeway is the maximum error of this machine's clock. 0: 30 seconds.
	Leeway time.Duration
	// OrgIDs are the organizations whose users are accepted. nil: all.
	OrgIDs []string
}

type sessionClaims struct {
	jwt.Claims
	ClientID     string           `json:"client_id"`
	Session      string           `json:"sid"`
	Organization string           `json:"org"`
	AuthTime     *jwt.NumericDate `json:"auth_time"`
	AMR          []string         `json:"amr"`
}

// Verify returns the session of the JWT. The error is an [ErrRefusedSession] or an [ErrKeysUnavailable].
func (v *SessionVerifier) Verify(ctx context.Context, token string) (*Session, error) {
	if len(token) > maxCharacters {
		return nil, refused("the JWT is too long")
	}
	parsed, err := jwt.ParseSigned(token, algorithms)
	if err != nil {
		return nil, refused("the JWT cannot be read: %w", err)
	}
	header := parsed.Headers[0]
	if kind, _ := header.ExtraHeaders[jose.HeaderType].(string); !slices.Contains(types, strings.ToLower(kind)) {
		return nil, refused("the JWT is not of the type at+jwt")
	}
	key, err := v.Keys.find(ctx, header.KeyID)
	if err != nil {
		return nil, err
	}
	if key == nil {
		return nil, refused("the JWT is signed by an unknown key")
	}
	claims := sessionClaims{}
	if err := parsed.Claims(key, &claims); err != nil {
		return nil, refused("the JWT is invalid: %w", err)
	}
	if err := v.check(claims); err != nil {
		return nil, refused("the JWT is invalid: %w", err)
	}
	if v.OrgIDs != nil && !slices.Contains(v.OrgIDs, claims.Organization) {
		return nil, refused("the user is of an organization that is not accepted here")
	}
	if v.Ended.Has(claims.Session) {
		return nil, refused("the session has ended")
	}
	return sessionOf(claims), nil
}

func (v *SessionVerifier) check(claims sessionClaims) error {
	required := map[string]bool{
		"iss": claims.Issuer != "", "exp": claims.Expiry != nil, "iat": claims.IssuedAt != nil, "jti": claims.ID != "",
		"sub": claims.Subject != "", "client_id": claims.ClientID != "", "sid": claims.Session != "",
		"org": claims.Organization != "",
	}
	for name, has := range required {
		if !has {
			return fmt.Errorf("it has no %s", name)
		}
	}
	leeway := v.Leeway
	if leeway == 0 {
		leeway = defaultLeeway
	}
	if claims.Issuer != v.Issuer {
		return jwt.ErrInvalidIssuer // also if v.Issuer is empty, which jwt.Expected does not check
	}
	expected := jwt.Expected{AnyAudience: jwt.Audience{v.Audience}, Time: time.Now()}
	return claims.ValidateWithLeeway(expected, leeway)
}

func sessionOf(claims sessionClaims) *Session {
	authenticated := claims.AuthTime
	if authenticated == nil {
		authenticated = claims.IssuedAt
	}
	return &Session{
		SessionID:       claims.Session,
		UserID:          claims.Subject,
		OrgID:           claims.Organization,
		AuthenticatedAt: authenticated.Time(),
		ExpiresAt:       claims.Expiry.Time(),
		AMR:             claims.AMR,
	}
}

func refused(format string, arguments ...any) error {
	return fmt.Errorf("%w: %w", ErrRefusedSession, fmt.Errorf(format, arguments...))
}
