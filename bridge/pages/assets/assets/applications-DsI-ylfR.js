import{At as e,B as t,E as n,F as r,H as i,N as a,Q as o,R as s,W as c,_ as l,b as u,et as d,f,g as p,h as m,j as h,jt as g,l as _,m as v,n as y,o as b,ot as x,p as S,r as C,s as w,st as T,t as E,u as D,v as O}from"./index-SwnDApWV.js";import{M as k,j as A}from"./session-u0V8ITf_.js";import{i as j,t as M}from"./dialogs-CXnr_x-e.js";import{a as N,i as P,n as F,o as I,r as L,t as R}from"./values-bcA4MyrB.js";var z=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

grafana.example.com {
	tls /etc/ssl/site.pem /etc/ssl/site.key
	route {
		# Other spellings of the gate's headers, which applications may take for them. The gate refuses those that are
		# not listed here.
		request_header -X_*
		request_header -X-Keystead-*
		request_header -X-Auth-Request-*
		# The client names no headers that Caddy removes after the gate has given them, and no other protocol than
		# WebSockets, such as h2c, in which Caddy would not see its requests.
		@websocket header_regexp Upgrade (?i)^websocket$
		@no_websocket not header_regexp Upgrade (?i)^websocket$
		request_header @no_websocket -Upgrade
		request_header @websocket Upgrade websocket
		request_header Connection Upgrade
		forward_auth 127.0.0.1:8080 {
			uri /gate/check
			header_up Authorization "Bearer {$GATE_TOKEN}"
			# Leave out Authorization if the application uses it itself, and gets the JWT in x-keystead-jwt.
			copy_headers Authorization Cookie X-Keystead-JWT X-Auth-Request-User X-Auth-Request-Email X-Auth-Request-Groups
		}
		reverse_proxy 127.0.0.1:3000
	}
}
`],[`nginx`,`# An application behind Keystead's gate. Put this file into /etc/nginx/conf.d/, and change the names, addresses and files.
#
# The token of the gate is in a file that only root can read:
#
#     proxy_set_header Authorization "Bearer kst_...";

# WebSockets only: with another protocol, such as h2c, a client would send requests that nginx does not see.
map $http_upgrade $gate_upgrade {
    default '';
    websocket websocket;
}
map $gate_upgrade $connection_upgrade {
    default upgrade;
    '' close;
}

server {
    listen 443 ssl http2;
    server_name grafana.example.com;
    ssl_certificate /etc/ssl/site.pem;
    ssl_certificate_key /etc/ssl/site.key;
    # Headers with other characters than letters, digits and hyphens reach neither the gate nor the application.
    underscores_in_headers off;
    ignore_invalid_headers on;

    location / {
        auth_request /.keystead/check;
        auth_request_set $gate_location $upstream_http_location;
        auth_request_set $gate_set_cookie $upstream_http_set_cookie;
        auth_request_set $gate_authorization $upstream_http_authorization;
        auth_request_set $gate_cookie $upstream_http_cookie;
        auth_request_set $gate_jwt $upstream_http_x_keystead_jwt;
        auth_request_set $gate_user $upstream_http_x_auth_request_user;
        auth_request_set $gate_email $upstream_http_x_auth_request_email;
        auth_request_set $gate_groups $upstream_http_x_auth_request_groups;
        error_page 401 = @keystead_sign_in;

        proxy_pass http://127.0.0.1:3000;
        proxy_http_version 1.1;
        # The name of this server here, too: a program with several sites would give a person another site.
        proxy_set_header Host $server_name;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header Upgrade $gate_upgrade;
        proxy_set_header Connection $connection_upgrade;
        # An empty value removes the header of the client. Leave out the first line if the application uses
        # \`authorization\` itself, and gets the JWT in x-keystead-jwt.
        proxy_set_header Authorization $gate_authorization;
        proxy_set_header Cookie $gate_cookie;
        proxy_set_header X-Keystead-JWT $gate_jwt;
        proxy_set_header X-Auth-Request-User $gate_user;
        proxy_set_header X-Auth-Request-Email $gate_email;
        proxy_set_header X-Auth-Request-Groups $gate_groups;
    }

    location = /.keystead/check {
        internal;
        proxy_pass http://127.0.0.1:8080/gate/check?redirect=401;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
        proxy_set_header X-Forwarded-Method $request_method;
        proxy_set_header X-Forwarded-Proto $scheme;
        # The name of this server, and never that of the request: it decides which application the person must be
        # signed in to.
        proxy_set_header X-Forwarded-Host grafana.example.com;
        proxy_set_header X-Forwarded-Uri $request_uri;
        include /etc/nginx/keystead-gate-token;
    }

    # To the sign-in; or 401 for a program.
    location @keystead_sign_in {
        add_header Set-Cookie $gate_set_cookie;
        add_header Cache-Control no-store always;
        if ($gate_location) {
            return 302 $gate_location;
        }
        return 401;
    }
}
`],[`Envoy`,`# An application behind Keystead's gate. Change the names, addresses and files, and put the token of the gate in place of
# kst_... below; only Envoy may read this file.
static_resources:
  listeners:
    - name: public
      address: {socket_address: {address: 0.0.0.0, port_value: 443}}
      per_connection_buffer_limit_bytes: 32768
      filter_chains:
        - transport_socket:
            name: envoy.transport_sockets.tls
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
              common_tls_context:
                alpn_protocols: [h2, http/1.1]
                tls_certificates:
                  - certificate_chain: {filename: /etc/ssl/site.pem}
                    private_key: {filename: /etc/ssl/site.key}
          filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                stat_prefix: public
                use_remote_address: true
                normalize_path: true
                merge_slashes: true
                # With UNESCAPE_AND_REDIRECT, Envoy redirects /%2F%2Fevil.example to the host evil.example.
                path_with_escaped_slashes_action: REJECT_REQUEST
                upgrade_configs: [{upgrade_type: websocket}]
                common_http_protocol_options: {headers_with_underscores_action: DROP_HEADER}
                route_config:
                  virtual_hosts:
                    # The gate decides by the same name. Do not add "*".
                    - name: grafana
                      domains: [grafana.example.com]
                      routes:
                        - match: {prefix: /}
                          route: {cluster: grafana, timeout: 0s}
                http_filters:
                  - name: envoy.filters.http.ext_authz
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz
                      transport_api_version: V3
                      failure_mode_allow: false
                      status_on_error: {code: ServiceUnavailable}
                      validate_mutations: true
                      grpc_service:
                        envoy_grpc: {cluster_name: keystead}
                        timeout: 5s
                        initial_metadata:
                          - {key: authorization, value: 'Bearer kst_...'}
                  - name: envoy.filters.http.router
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
  clusters:
    - name: grafana
      type: STRICT_DNS
      connect_timeout: 5s
      load_assignment:
        cluster_name: grafana
        endpoints:
          - lb_endpoints:
              - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: 3000}}}
    - name: keystead
      type: STRICT_DNS
      connect_timeout: 2s
      typed_extension_protocol_options:
        envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
          "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
          explicit_http_config: {http2_protocol_options: {}}
      load_assignment:
        cluster_name: keystead
        endpoints:
          - lb_endpoints:
              - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: 50051}}}
`]],B=A.replace(/\/$/,``);function V(t){let{applicationId:n,scopes:r,kind:i}=t;if(i===e.GATE)return H(t);let o=`${B}/.well-known/openid-configuration`;return S(a(`connect`),s`${_([a(`connect.issuer`),b(B,a(`connect.issuer`))],[a(`connect.discovery`),b(o,a(`connect.discovery`))],[a(`clientId`),b(n,a(`clientId`))],r.length>0&&[a(`field.scopes`),b(r.join(` `),a(`field.scopes`))])}
  ${U(t).map(([e,t])=>v(e,t))}`,{lead:a(`connect.lead`)})}function H({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return S(a(`connect`),s`${_([a(`clientId`),b(e,a(`clientId`))],[a(`connect.check`),b(`${B}/gate/check`,a(`connect.check`))],[a(`connect.checkOverGrpc`),b(`envoy.service.auth.v3.Authorization/Check`,a(`connect.checkOverGrpc`))])}
  ${v(a(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${z.map(([e,t])=>v(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:a(`connect.gateLead`)})}function U({applicationId:t,kind:n,redirectUris:r,scopes:i}){let a=i.join(` `)||`openid`,o=r[0]??`https://app.example.com/callback`;if(n===e.SERVICE)return[[`curl`,`curl ${B}/oauth/token \\\n  --user "${t}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${t}", CLIENT_SECRET)\ntoken = session.fetch_token("${B}/oauth/token", grant_type="client_credentials")`]];let s=n===e.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${B}"),\n  "${t}",${s?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${o}",\n  scope: "${a}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${t}",${s?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${B}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${a}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${t}${s?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${i.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${B}`]]}function W({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===`new`?`keystead-application-new`:`keystead-application`}var G=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),K=G(`WEB`,`BROWSER`,`NATIVE`,`GATE`),q=G(`WEB`,`BROWSER`,`NATIVE`);function J(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:q},{name:`postLogoutRedirectUris`,when:q},{name:`origins`,when:G(`GATE`)},`scopes`,{name:`firstParty`,when:K},{heading:`applications.people`},{name:`audience`,when:K},{name:`admitsGroupsOnly`,when:K},{name:`allowedGroups`,when:e=>K(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:G(`WEB`,`SERVICE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`requiresPkce`,when:G(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:q},{name:`idTokenAlg`,when:q},{name:`idTokenClaims`,when:q,choices:[[`name`,a(`claim.name`)],[`email`,a(`claim.email`)],[`groups`,a(`claim.groups`)]]},`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:q},{name:`refreshTokenIdleSeconds`,when:q},{name:`backchannelLogoutUri`,when:q}]}var Y=class extends C{#e=new y(this,async e=>{let n=await d(n=>t.listApplications({pageToken:e},n));return{items:n.applications,next:n.nextPageToken}});render(){let e=n(`ApplicationService/AddApplication`)?s`<a class="primary" href=${T([`applications`,`new`])}>${a(`applications.add`)}</a>`:r;return s`${D(a(`applications`),{lead:a(`applications.lead`),actions:e})}
      ${this.#e.render(e=>m(a(`applications`),[{label:a(`field.name`),cell:e=>O(f(e.name),e.redirectUris[0]??e.origins[0]??``,[`applications`,e.applicationId])},{label:a(`field.kind`),cell:e=>X(e)},{label:a(`changed`),cell:e=>l(e.details?.changeDate),isWide:!0}],e),w(a(`applications.none`)))}`}};function X({kind:t}){return I(`APPLICATION_KIND_${e[t]}`)}var Z=class extends C{render(){return s`${D(a(`applications.add`),{up:[a(`applications`),T([`applications`])],lead:a(`applications.addLead`)})}
      ${S(a(`details`),N({request:`AddApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:q},{name:`origins`,when:G(`GATE`)},{name:`firstParty`,when:K}],values:{},submit:a(`add`),cancel:()=>x([`applications`]),save:async e=>{let n=F(g,e),{applicationId:r}=await i(e=>t.addApplication({application:n},e));x([`applications`,r,`connect`])}}))}`}},Q=class extends C{#e=new E(this,()=>this.#r());#t=new E(this,async()=>n(`GroupService/ListGroups`)?(await k(e=>d(t=>c.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#n(){return this.route.path[1]??``}async#r(){let{application:e}=await d(e=>t.getApplication({applicationId:this.#n},e));return e}render(){return this.#e.render(e=>{let t=this.route.path[2]===`connect`,i=s`<button type="button" class="quiet danger" @click=${()=>this.#c(e)}>${a(`applications.remove`)}</button>`,o=[`applications`,e.applicationId];return s`${D(f(e.name),{up:[a(`applications`),T([`applications`])],lead:X(e),actions:n(`ApplicationService/RemoveApplication`)?i:r})}
        ${p(e.name,[[a(`settings`),o,!t],[a(`connect`),[...o,`connect`],t]])}
        ${t?s`${this.#a(e)}${V(e)}`:this.#i(e)}`})}#i(e){let o=e=>({values:P(g,e),sequence:e.details.sequence}),{applicationId:c}=e;return s`${S(a(`details`),_([a(`clientId`),b(c,a(`clientId`))],[a(`created`),l(e.details?.creationDate)],[a(`changed`),l(e.details?.changeDate)]))}
      ${n(`ApplicationService/PatchApplication`)?S(a(`settings`),this.#t.render(n=>N({request:`PatchApplicationRequest`,within:`application`,fields:J(n),...o(e),submit:a(`save`),current:async()=>o(await this.#r()),save:(e,n,r)=>i(r=>t.patchApplication({application:{...F(g,L(e,n)),applicationId:c},updateMask:R(n)},r),r)}))):r}`}#a(t){if(![e.WEB,e.SERVICE].includes(t.kind))return r;let i=n(`ApplicationService/CreateApplicationSecret`),o=s`<button type="button" @click=${()=>void this.#o(t)}>${a(`applications.createSecret`)}</button>`;return S(a(`applications.secrets`),t.secrets.length===0?w(a(`applications.noSecrets`)):m(a(`applications.secrets`),[{label:`ID`,cell:e=>O(s`<code>${e.secretId}</code>`,``)},{label:a(`created`),cell:e=>l(e.creationDate),isWide:!0},{label:a(`actions`),isLabelHidden:!0,cell:e=>i?s`<button type="button" class="quiet danger" aria-label=${a(`removeOne`,{name:e.secretId})} @click=${()=>this.#s(t,e)}>${a(`remove`)}</button>`:r}],t.secrets),{lead:a(`applications.secretsLead`),actions:i?o:r})}async#o({applicationId:e}){try{let{secret:n}=await i(n=>t.createApplicationSecret({applicationId:e},n));j(a(`secret`),s`<p>${b(n,a(`secret`))}</p>`,()=>void this.#e.reload())}catch(e){u(e)}}#s({applicationId:e,secrets:n},{secretId:r}){M({title:a(`applications.removeSecretTitle`),action:a(`remove`),consequences:async()=>[a(n.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>o(n=>t.removeApplicationSecret({applicationId:e,secretId:r},n)),act:async()=>{await i(n=>t.removeApplicationSecret({applicationId:e,secretId:r},n)),await this.#e.reload()},done:a(`removed`,{name:a(`secret`)})})}#c({applicationId:e,name:n,secrets:r}){M({title:a(`applications.removeTitle`,{name:n}),action:a(`applications.remove`),consequences:async()=>[a(`applications.removeText`),...r.length>0?[h(`applications.endsSecret`,`applications.endsSecrets`,r.length)]:[]],check:()=>o(n=>t.removeApplication({applicationId:e},n)),act:async()=>{await i(n=>t.removeApplication({applicationId:e},n)),x([`applications`])},done:a(`removed`,{name:n})})}};customElements.define(`keystead-applications`,Y),customElements.define(`keystead-application-new`,Z),customElements.define(`keystead-application`,Q);export{W as views};