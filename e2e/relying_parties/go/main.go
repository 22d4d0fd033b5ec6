// An application with golang.org/x/oauth2 and github.com/coreos/go-oidc.
//
// Settings: ADDRESS to listen on, ISSUER, CLIENT_ID and CLIENT_SECRET.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const cookie = "go"

// session is the session of a browser, first during the sign-in and then of a person.
type session struct {
	state, nonce, verifier string
	idToken                string
	person                 map[string]any
}

type application struct {
	home          string
	provider      *oidc.Provider
	config        oauth2.Config
	endSessionURL string

	mutex    sync.Mutex
	sessions map[string]*session
}

// start makes a new session for the browser.
func (a *application) start(answer http.ResponseWriter, started *session) {
	id := rand.Text()
	a.mutex.Lock()
	a.sessions[id] = started
	a.mutex.Unlock()
	http.SetCookie(answer, &http.Cookie{Name: cookie, Value: id, Path: "/", HttpOnly: true})
}

// end returns the session of the browser, and forgets it; nil if there is none.
func (a *application) end(request *http.Request) *session {
	found := a.find(request)
	if found != nil {
		sent, _ := request.Cookie(cookie)
		a.mutex.Lock()
		delete(a.sessions, sent.Value)
		a.mutex.Unlock()
	}
	return found
}

func (a *application) find(request *http.Request) *session {
	sent, err := request.Cookie(cookie)
	if err != nil {
		return nil
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.sessions[sent.Value]
}

func (a *application) whoami(answer http.ResponseWriter, request *http.Request) error {
	if found := a.find(request); found != nil && found.person != nil {
		return json.NewEncoder(answer).Encode(found.person)
	}
	started := &session{state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier()}
	a.start(answer, started)
	options := []oauth2.AuthCodeOption{oidc.Nonce(started.nonce), oauth2.S256ChallengeOption(started.verifier)}
	http.Redirect(answer, request, a.config.AuthCodeURL(started.state, options...), http.StatusFound)
	return nil
}

func (a *application) callback(answer http.ResponseWriter, request *http.Request) error {
	began := a.end(request)
	if began == nil || request.FormValue("state") != began.state {
		return errors.New("another state")
	}
	ctx := request.Context()
	token, err := a.config.Exchange(ctx, request.FormValue("code"), oauth2.VerifierOption(began.verifier))
	if err != nil {
		return err
	}
	raw, _ := token.Extra("id_token").(string)
	idToken, err := a.provider.Verifier(&oidc.Config{ClientID: a.config.ClientID}).Verify(ctx, raw)
	if err != nil {
		return err
	}
	if idToken.Nonce != began.nonce {
		return errors.New("another nonce")
	}
	if err := idToken.VerifyAccessToken(token.AccessToken); err != nil {
		return err
	}
	userInfo, err := a.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return err
	}
	var claims, info map[string]any
	if err := errors.Join(idToken.Claims(&claims), userInfo.Claims(&info)); err != nil {
		return err
	}
	a.start(answer, &session{idToken: raw, person: map[string]any{"id_token": claims, "userinfo": info}})
	http.Redirect(answer, request, "/whoami", http.StatusFound)
	return nil
}

func (a *application) logout(answer http.ResponseWriter, request *http.Request) error {
	ended := a.end(request)
	if ended == nil {
		return errors.New("nobody is signed in")
	}
	sent := url.Values{"id_token_hint": {ended.idToken}, "post_logout_redirect_uri": {a.home + "/goodbye"}}
	http.Redirect(answer, request, a.endSessionURL+"?"+sent.Encode(), http.StatusFound)
	return nil
}

// handle answers requests by a function, and its errors by 400.
func handle(path string, respond func(http.ResponseWriter, *http.Request) error) {
	http.HandleFunc(path, func(answer http.ResponseWriter, request *http.Request) {
		if err := respond(answer, request); err != nil {
			http.Error(answer, err.Error(), http.StatusBadRequest)
		}
	})
}

func main() {
	address := os.Getenv("ADDRESS")
	home := "http://" + address
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	var metadata struct {
		EndSessionURL string `json:"end_session_endpoint"`
	}
	if err := provider.Claims(&metadata); err != nil {
		log.Fatal(err)
	}
	a := &application{
		home:     home,
		provider: provider,
		config: oauth2.Config{
			ClientID:     os.Getenv("CLIENT_ID"),
			ClientSecret: os.Getenv("CLIENT_SECRET"),
			Endpoint:     provider.Endpoint(),
			RedirectURL:  home + "/callback",
			Scopes:       []string{oidc.ScopeOpenID, "profile", "email", "groups"},
		},
		endSessionURL: metadata.EndSessionURL,
		sessions:      map[string]*session{},
	}
	handle("/whoami", a.whoami)
	handle("/callback", a.callback)
	handle("/logout", a.logout)
	http.HandleFunc("/goodbye", func(answer http.ResponseWriter, _ *http.Request) { fmt.Fprint(answer, "Goodbye") })
	log.Fatal(http.ListenAndServe(address, nil))
}
