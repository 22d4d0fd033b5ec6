import{$ as e,D as t,Ft as n,G as r,I as i,M as a,Nt as o,P as s,Pt as c,U as l,V as u,_ as d,b as f,ct as p,f as m,g as h,h as g,l as _,m as v,n as y,o as b,p as x,r as S,s as C,st as w,t as T,tt as E,u as D,v as O,z as k}from"./index-DN6eKp2F.js";import{D as A,k as j}from"./session-Dem7qRVi.js";import{i as M,t as N}from"./dialogs-Dpym_p-A.js";import{a as P,i as F,n as I,o as L,r as R,t as z}from"./values-CJMrGMur.js";var B=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

grafana.example.com {
	tls /etc/ssl/site.pem /etc/ssl/site.key
	route {
		# Other spellings of the gate's headers, which applications may take for them. The gate refuses those that are
		# not listed here.
		request_header -X_*
		request_header -X-Keystead-*
		request_header -X-Auth-Request-*
		# Headers that programs believe of a proxy. Caddy sets x-forwarded-for, -proto and -host itself.
		request_header -Forwarded
		request_header -X-Real-IP
		request_header -X-Forwarded-Port
		request_header -X-Forwarded-Prefix
		request_header -X-Forwarded-Uri
		request_header -X-Forwarded-Server
		request_header -X-Original-URL
		request_header -X-Rewrite-URL
		request_header -X-Host
		request_header -Proxy
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
    # Cookies of 8 KB, and more beside them.
    large_client_header_buffers 4 16k;

    location / {
        auth_request /.keystead/check;
        auth_request_set $gate_status $upstream_status;
        auth_request_set $gate_location $upstream_http_location;
        auth_request_set $gate_set_cookie $upstream_http_set_cookie;
        auth_request_set $gate_authorization $upstream_http_authorization;
        auth_request_set $gate_cookie $upstream_http_cookie;
        auth_request_set $gate_jwt $upstream_http_x_keystead_jwt;
        auth_request_set $gate_user $upstream_http_x_auth_request_user;
        auth_request_set $gate_email $upstream_http_x_auth_request_email;
        auth_request_set $gate_groups $upstream_http_x_auth_request_groups;
        error_page 401 = @keystead_sign_in;
        error_page 500 = @keystead_failed;

        proxy_pass http://127.0.0.1:3000;
        proxy_http_version 1.1;
        # The name of this server here, too: a program with several sites would give a person another site.
        proxy_set_header Host $server_name;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-Host $server_name;
        proxy_set_header X-Real-IP $remote_addr;
        # Others that programs believe of a proxy.
        proxy_set_header Forwarded "";
        proxy_set_header X-Forwarded-Port "";
        proxy_set_header X-Forwarded-Prefix "";
        proxy_set_header X-Forwarded-Uri "";
        proxy_set_header X-Forwarded-Server "";
        proxy_set_header X-Original-URL "";
        proxy_set_header X-Rewrite-URL "";
        proxy_set_header X-Host "";
        proxy_set_header Proxy "";
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
        # The answer has the cookies of the application and the groups of the person: up to 16 KB each.
        proxy_buffer_size 64k;
        proxy_buffers 4 64k;
        proxy_busy_buffers_size 128k;
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

    # nginx takes every other answer of the gate for a failure, also that the request has too many headers.
    location @keystead_failed {
        if ($gate_status = 431) {
            return 431;
        }
        return 500;
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
                # Headers that programs believe of a proxy. Envoy then sets x-forwarded-for and x-forwarded-proto itself.
                early_header_mutation_extensions:
                  - name: envoy.http.early_header_mutation.header_mutation
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation
                      mutations:
                        - {remove: forwarded}
                        - {remove: x-real-ip}
                        - {remove: x-forwarded-for}
                        - {remove: x-forwarded-host}
                        - {remove: x-forwarded-port}
                        - {remove: x-forwarded-prefix}
                        - {remove: x-forwarded-uri}
                        - {remove: x-forwarded-server}
                        - {remove: x-original-url}
                        - {remove: x-rewrite-url}
                        - {remove: x-host}
                        - {remove: proxy}
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
`]],V=A.replace(/\/$/,``);function H(e){let{applicationId:t,scopes:n,kind:r}=e;if(r===o.GATE)return U(e);let i=`${V}/.well-known/openid-configuration`;return x(s(`connect`),k`${_([s(`connect.issuer`),b(V,s(`connect.issuer`))],[s(`connect.discovery`),b(i,s(`connect.discovery`))],[s(`clientId`),b(t,s(`clientId`))],n.length>0&&[s(`field.scopes`),b(n.join(` `),s(`field.scopes`))])}
  ${W(e).map(([e,t])=>v(e,t))}`,{lead:s(`connect.lead`)})}function U({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return x(s(`connect`),k`${_([s(`clientId`),b(e,s(`clientId`))],[s(`connect.check`),b(`${V}/gate/check`,s(`connect.check`))],[s(`connect.checkOverGrpc`),b(`envoy.service.auth.v3.Authorization/Check`,s(`connect.checkOverGrpc`))])}
  ${v(s(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${B.map(([e,t])=>v(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:s(`connect.gateLead`)})}function W({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,a=n[0]??`https://app.example.com/callback`;if(t===o.SERVICE)return[[`curl`,`curl ${V}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${V}/oauth/token", grant_type="client_credentials")`]];let s=t===o.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${V}"),\n  "${e}",${s?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${a}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${s?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${V}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${s?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${V}`]]}function G({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===`new`?`keystead-application-new`:`keystead-application`}var K=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),q=K(`WEB`,`BROWSER`,`NATIVE`,`GATE`),J=K(`WEB`,`BROWSER`,`NATIVE`);function Y(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:J},{name:`postLogoutRedirectUris`,when:J},{name:`origins`,when:K(`GATE`)},`scopes`,{name:`firstParty`,when:q},{heading:`applications.people`,when:q},{name:`audience`,when:q},{name:`admitsGroupsOnly`,when:q},{name:`allowedGroups`,when:e=>q(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:K(`WEB`,`SERVICE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`requiresPkce`,when:K(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:J},{name:`idTokenAlg`,when:J},{name:`idTokenClaims`,when:J,choices:[[`name`,s(`claim.name`)],[`email`,s(`claim.email`)],[`groups`,s(`claim.groups`)]]},`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:J},{name:`refreshTokenIdleSeconds`,when:J},{name:`backchannelLogoutUri`,when:J},{name:`gateJwtHeader`,when:K(`GATE`)},{name:`gateIdentityHeaders`,when:K(`GATE`)}]}var X=class extends S{#e=new y(this,async e=>{let t=await E(t=>u.listApplications({pageToken:e},t));return{items:t.applications,next:t.nextPageToken}});render(){let e=t(`ApplicationService/CreateApplication`)?k`<a class="primary" href=${p([`applications`,`new`])}>${s(`applications.add`)}</a>`:i;return k`${D(s(`applications`),{lead:s(`applications.lead`),actions:e})}
      ${this.#e.render(e=>g(s(`applications`),[{label:s(`field.name`),cell:e=>O(m(e.name),e.redirectUris[0]??e.origins[0]??``,[`applications`,e.applicationId])},{label:s(`field.kind`),cell:e=>Z(e)},{label:s(`changed`),cell:e=>d(e.details?.changeDate),isWide:!0}],e),C(s(`applications.none`)))}`}};function Z({kind:e}){return L(`APPLICATION_KIND_${o[e]}`)}var Q=class extends S{render(){return k`${D(s(`applications.add`),{up:[s(`applications`),p([`applications`])],lead:s(`applications.addLead`)})}
      ${x(s(`details`),P({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:J},{name:`origins`,when:K(`GATE`)},{name:`firstParty`,when:q}],values:{},submit:s(`add`),cancel:()=>w([`applications`]),save:async e=>{let t=I(c,e),{applicationId:n}=await l(e=>u.createApplication({application:t},e));w([`applications`,n,`connect`])}}))}`}},$=class extends S{#e=new T(this,()=>this.#r());#t=new T(this,async()=>t(`GroupService/ListGroups`)?(await j(e=>E(t=>r.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#n(){return this.route.path[1]??``}async#r(){let{application:e}=await E(e=>u.getApplication({applicationId:this.#n},e));return e}render(){return this.#e.render(e=>{let n=this.route.path[2]===`connect`;if(this.route.path[2]===`workloads`)return this.#o(e);let r=k`<button type="button" class="quiet danger" @click=${()=>this.#f(e)}>${s(`applications.remove`)}</button>`,a=[`applications`,e.applicationId];return k`${D(m(e.name),{up:[s(`applications`),p([`applications`])],lead:Z(e),actions:t(`ApplicationService/RemoveApplication`)?r:i})}
        ${h(e.name,[[s(`settings`),a,!n],[s(`connect`),[...a,`connect`],n]])}
        ${n?k`${this.#l(e)}${H(e)}`:this.#i(e)}`})}#i(e){let n=e=>({values:F(c,e),sequence:e.details.sequence}),{applicationId:r}=e;return k`${x(s(`details`),_([s(`clientId`),b(r,s(`clientId`))],[s(`created`),d(e.details?.creationDate)],[s(`changed`),d(e.details?.changeDate)]))}
      ${t(`ApplicationService/PatchApplication`)?x(s(`settings`),this.#t.render(t=>P({request:`PatchApplicationRequest`,within:`application`,fields:Y(t),...n(e),submit:s(`save`),current:async()=>n(await this.#r()),save:(e,t,n)=>l(n=>u.patchApplication({application:{...I(c,R(e,t)),applicationId:r},updateMask:z(t)},n),n)}))):i}
      ${e.kind===o.SERVICE?this.#a(e):i}`}#a({applicationId:e,workloadIssuers:n}){let r=t(`ApplicationService/PatchApplication`),a=k`<a class="button" href=${p([`applications`,e,`workloads`])}>${s(`workloads.add`)}</a>`;return x(s(`workloads`),n.length===0?C(s(`workloads.none`)):g(s(`workloads`),[{label:s(`field.workloads.subject`),cell:e=>O(k`<code>${e.subject}</code>`,e.issuer)},{label:s(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:s(`field.workloads.audience`),cell:e=>k`<code>${e.audience}</code>`,isWide:!0},{label:s(`actions`),isLabelHidden:!0,cell:e=>r?k`<button type="button" class="quiet danger" aria-label=${s(`removeOne`,{name:e.subject})} @click=${()=>this.#c(e)}>${s(`remove`)}</button>`:i}],n),{lead:s(`workloads.lead`),actions:r?a:i})}#o(e){let t=[`applications`,e.applicationId];return k`${D(s(`workloads.add`),{up:[e.name,p(t)],lead:s(`workloads.lead`)})}
      ${x(s(`details`),P({request:`PatchApplicationRequest`,within:`application.workloadIssuers`,fields:[{name:`issuer`,texts:`workloads.issuer`},{name:`audience`,texts:`workloads.audience`},{name:`subject`,texts:`workloads.subject`},{name:`claims`,texts:`workloads.claims`}],values:{},submit:s(`add`),cancel:()=>w(t),save:async r=>{await this.#s(e,[...e.workloadIssuers,I(n,r)]),w(t)}}))}`}async#s({applicationId:e,details:t},n){await l(t=>u.patchApplication({application:{applicationId:e,workloadIssuers:n},updateMask:z([`workloadIssuers`])},t),t.sequence),await this.#e.reload()}#c(e){let t=this.#e.value;N({title:s(`workloads.removeTitle`,{name:e.subject}),action:s(`remove`),consequences:async()=>[s(`workloads.remove`)],act:()=>this.#s(t,t.workloadIssuers.filter(t=>t!==e)),done:s(`removed`,{name:e.subject})})}#l(e){if(![o.WEB,o.SERVICE].includes(e.kind))return i;let n=t(`ApplicationService/CreateApplicationSecret`),r=k`<button type="button" @click=${()=>void this.#u(e)}>${s(`applications.createSecret`)}</button>`;return x(s(`applications.secrets`),e.secrets.length===0?C(s(`applications.noSecrets`)):g(s(`applications.secrets`),[{label:`ID`,cell:e=>O(k`<code>${e.secretId}</code>`,``)},{label:s(`created`),cell:e=>d(e.createdAt),isWide:!0},{label:s(`actions`),isLabelHidden:!0,cell:t=>n?k`<button type="button" class="quiet danger" aria-label=${s(`removeOne`,{name:t.secretId})} @click=${()=>this.#d(e,t)}>${s(`remove`)}</button>`:i}],e.secrets),{lead:s(`applications.secretsLead`),actions:n?r:i})}async#u({applicationId:e}){try{let{secret:t}=await l(t=>u.createApplicationSecret({applicationId:e},t));M(s(`secret`),k`<p>${b(t,s(`secret`))}</p>`,()=>void this.#e.reload())}catch(e){f(e)}}#d({applicationId:t,secrets:n},{secretId:r}){N({title:s(`applications.removeSecretTitle`),action:s(`remove`),consequences:async()=>[s(n.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>e(e=>u.removeApplicationSecret({applicationId:t,secretId:r},e)),act:async()=>{await l(e=>u.removeApplicationSecret({applicationId:t,secretId:r},e)),await this.#e.reload()},done:s(`removed`,{name:s(`secret`)})})}#f({applicationId:t,name:n,secrets:r}){N({title:s(`applications.removeTitle`,{name:n}),action:s(`applications.remove`),consequences:async()=>[s(`applications.removeText`),...r.length>0?[a(`applications.endsSecret`,`applications.endsSecrets`,r.length)]:[]],check:()=>e(e=>u.removeApplication({applicationId:t},e)),act:async()=>{await l(e=>u.removeApplication({applicationId:t},e)),w([`applications`])},done:s(`removed`,{name:n})})}};customElements.define(`keystead-applications`,X),customElements.define(`keystead-application-new`,Q),customElements.define(`keystead-application`,$);export{G as views};