<<<<<<<< HEAD:bridge/pages/assets/assets/applications-vvyX0rBs.js
<<<<<<<< HEAD:bridge/pages/assets/assets/applications-g0ZRLhNE.js
import{$ as e,A as t,Ft as n,L as r,M as i,Nt as a,P as o,Pt as s,T as c,U as l,V as u,Z as d,_ as f,at as p,d as m,f as h,h as g,i as _,l as v,m as y,o as b,ot as x,p as S,r as C,s as w,u as T,z as E}from"./index-Bdipg73j.js";import{D,k as O}from"./session-Dem7qRVi.js";import{i as k,t as A}from"./dialogs-CyYKCcQR.js";import{a as j,i as M,n as N,o as P,r as F,t as I}from"./values-BwkKvCEn.js";import{n as L,r as R,t as z}from"./view-B1BpIW-T.js";var B=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.
========
import{$ as e,A as t,L as n,M as r,Mt as i,Nt as a,P as o,T as s,U as c,V as l,Z as u,_ as d,at as f,d as p,f as m,h,i as g,jt as _,l as v,m as y,o as b,ot as x,p as S,r as C,s as w,u as T,z as E}from"./index-D9vEQGkj.js";import{D,k as O}from"./session-Dem7qRVi.js";import{i as k,t as A}from"./dialogs-C1RNDUiQ.js";import{a as j,i as M,n as N,o as P,r as F,t as I}from"./values-C7W7F3RV.js";import{n as L,r as R,t as z}from"./view-D1hkQsCI.js";var B=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.
>>>>>>>> settings:bridge/pages/assets/assets/applications-vvyX0rBs.js
========
import{A as e,B as t,H as n,L as r,M as i,Mt as a,Nt as o,P as s,Pt as c,Q as l,R as ee,T as u,W as d,_ as f,at as p,d as m,et as h,f as g,h as _,i as v,l as y,m as b,o as x,ot as S,p as te,r as C,s as w,st as T,u as E}from"./index-B4kCSR_i.js";import{a as D,c as ne,i as re,n as O,o as ie,r as k,s as A,t as j}from"./values-PYO30ri2.js";import{D as M,Kt as ae,k as oe}from"./session-Dem7qRVi.js";import{i as se,t as N}from"./dialogs-DaXVnbrA.js";import{n as P,r as F,t as I}from"./view-BE4ihuV7.js";var{I:ce}=ee,L={},R=(e,t=L)=>e._$AH=t,z=A(class extends ne{constructor(){super(...arguments),this.key=s}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(R(e),this.key=t),n}}),B=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.
>>>>>>>> recipes:bridge/pages/assets/assets/applications-DEX-uXwz.js

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
<<<<<<<< HEAD:bridge/pages/assets/assets/applications-vvyX0rBs.js
`]],V=D.replace(/\/$/,``);function H(e){let{applicationId:t,scopes:n,kind:o}=e;if(o===a.GATE)return U(e);let s=`${V}/.well-known/openid-configuration`;return T(i(`connect`),r`${b([i(`connect.issuer`),C(V,i(`connect.issuer`))],[i(`connect.discovery`),C(s,i(`connect.discovery`))],[i(`clientId`),C(t,i(`clientId`))],n.length>0&&[i(`field.scopes`),C(n.join(` `),i(`field.scopes`))])}
  ${W(e).map(([e,t])=>m(e,t))}`,{lead:i(`connect.lead`)})}function U({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return T(i(`connect`),r`${b([i(`clientId`),C(e,i(`clientId`))],[i(`connect.check`),C(`${V}/gate/check`,i(`connect.check`))],[i(`connect.checkOverGrpc`),C(`envoy.service.auth.v3.Authorization/Check`,i(`connect.checkOverGrpc`))])}
========
`]],V=M.replace(/\/$/,``);function H(e){let{applicationId:t,scopes:n,kind:o}=e;if(o===a.GATE)return U(e);let s=`${V}/.well-known/openid-configuration`;return E(i(`connect`),r`${x([i(`connect.issuer`),C(V,i(`connect.issuer`))],[i(`connect.discovery`),C(s,i(`connect.discovery`))],[i(`clientId`),C(t,i(`clientId`))],n.length>0&&[i(`field.scopes`),C(n.join(` `),i(`field.scopes`))])}
  ${W(e).map(([e,t])=>m(e,t))}`,{lead:i(`connect.lead`)})}function U({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return E(i(`connect`),r`${x([i(`clientId`),C(e,i(`clientId`))],[i(`connect.check`),C(`${V}/gate/check`,i(`connect.check`))],[i(`connect.checkOverGrpc`),C(`envoy.service.auth.v3.Authorization/Check`,i(`connect.checkOverGrpc`))])}
>>>>>>>> recipes:bridge/pages/assets/assets/applications-DEX-uXwz.js
  ${m(i(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${B.map(([e,t])=>m(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:i(`connect.gateLead`)})}function W({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,o=n[0]??`https://app.example.com/callback`;if(t===a.SERVICE)return[[`curl`,`curl ${V}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${V}/oauth/token", grant_type="client_credentials")`]];let s=t===a.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${V}"),\n  "${e}",${s?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${o}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${s?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${V}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${s?`
    client-secret: \${CLIENT_SECRET}`:`
<<<<<<<< HEAD:bridge/pages/assets/assets/applications-vvyX0rBs.js
<<<<<<<< HEAD:bridge/pages/assets/assets/applications-g0ZRLhNE.js
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${V}`]]}function G({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===`new`?`keystead-application-new`:`keystead-application`}var K=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),q=K(`WEB`,`BROWSER`,`NATIVE`,`GATE`),J=K(`WEB`,`BROWSER`,`NATIVE`);function Y(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:J},{name:`postLogoutRedirectUris`,when:J},{name:`origins`,when:K(`GATE`)},`scopes`,{name:`firstParty`,when:q},{heading:`applications.people`,when:q},{name:`audience`,when:q},{name:`admitsGroupsOnly`,when:q},{name:`allowedGroups`,when:e=>q(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:K(`WEB`,`SERVICE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`requiresPkce`,when:K(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:J},{name:`idTokenAlg`,when:J},{name:`idTokenClaims`,when:J,choices:[[`name`,i(`claim.name`)],[`email`,i(`claim.email`)],[`groups`,i(`claim.groups`)]]},`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:J},{name:`refreshTokenIdleSeconds`,when:J},{name:`backchannelLogoutUri`,when:J},{name:`gateJwtHeader`,when:K(`GATE`)},{name:`gateIdentityHeaders`,when:K(`GATE`)}]}var X=class extends R{#e=new L(this,async t=>{let n=await e(e=>E.listApplications({pageToken:t},e));return{items:n.applications,next:n.nextPageToken}});render(){let e=c(`ApplicationService/CreateApplication`)?r`<a class="primary" href=${x([`applications`,`new`])}>${i(`applications.add`)}</a>`:o;return r`${w(i(`applications`),{lead:i(`applications.lead`),actions:e})}
      ${this.#e.render(e=>h(i(`applications`),[{label:i(`field.name`),cell:e=>g(v(e.name),e.redirectUris[0]??e.origins[0]??``,[`applications`,e.applicationId])},{label:i(`field.kind`),cell:e=>Z(e)},{label:i(`changed`),cell:e=>y(e.details?.changeDate),isWide:!0}],e),_(i(`applications.none`)))}`}};function Z({kind:e}){return P(`APPLICATION_KIND_${a[e]}`)}var Q=class extends R{render(){return r`${w(i(`applications.add`),{up:[i(`applications`),x([`applications`])],lead:i(`applications.addLead`)})}
      ${T(i(`details`),j({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:J},{name:`origins`,when:K(`GATE`)},{name:`firstParty`,when:q}],values:{},submit:i(`add`),cancel:()=>p([`applications`]),save:async e=>{let t=N(s,e),{applicationId:n}=await u(e=>E.createApplication({application:t},e));p([`applications`,n,`connect`])}}))}`}},$=class extends R{#e=new z(this,()=>this.#r());#t=new z(this,async()=>c(`GroupService/ListGroups`)?(await O(t=>e(e=>l.listGroups(t,e)))).flatMap(e=>e.groups):[]);get#n(){return this.route.path[1]??``}async#r(){let{application:t}=await e(e=>E.getApplication({applicationId:this.#n},e));return t}render(){return this.#e.render(e=>{let t=this.route.path[2]===`connect`;if(this.route.path[2]===`workloads`)return this.#o(e);let n=r`<button type="button" class="quiet danger" @click=${()=>this.#f(e)}>${i(`applications.remove`)}</button>`,a=[`applications`,e.applicationId];return r`${w(v(e.name),{up:[i(`applications`),x([`applications`])],lead:Z(e),actions:c(`ApplicationService/RemoveApplication`)?n:o})}
        ${S(e.name,[[i(`settings`),a,!t],[i(`connect`),[...a,`connect`],t]])}
        ${t?r`${this.#l(e)}${H(e)}`:this.#i(e)}`})}#i(e){let t=e=>({values:M(s,e),sequence:e.details.sequence}),{applicationId:n}=e;return r`${T(i(`details`),b([i(`clientId`),C(n,i(`clientId`))],[i(`created`),y(e.details?.creationDate)],[i(`changed`),y(e.details?.changeDate)]))}
      ${c(`ApplicationService/PatchApplication`)?T(i(`settings`),this.#t.render(r=>j({request:`PatchApplicationRequest`,within:`application`,fields:Y(r),...t(e),submit:i(`save`),current:async()=>t(await this.#r()),save:(e,t,r)=>u(r=>E.patchApplication({application:{...N(s,F(e,t)),applicationId:n},updateMask:I(t)},r),r)}))):o}
      ${e.kind===a.SERVICE?this.#a(e):o}`}#a({applicationId:e,workloadIssuers:t}){let n=c(`ApplicationService/PatchApplication`),a=r`<a class="button" href=${x([`applications`,e,`workloads`])}>${i(`workloads.add`)}</a>`;return T(i(`workloads`),t.length===0?_(i(`workloads.none`)):h(i(`workloads`),[{label:i(`field.workloads.subject`),cell:e=>g(r`<code>${e.subject}</code>`,e.issuer)},{label:i(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:i(`field.workloads.audience`),cell:e=>r`<code>${e.audience}</code>`,isWide:!0},{label:i(`actions`),isLabelHidden:!0,cell:e=>n?r`<button type="button" class="quiet danger" aria-label=${i(`removeOne`,{name:e.subject})} @click=${()=>this.#c(e)}>${i(`remove`)}</button>`:o}],t),{lead:i(`workloads.lead`),actions:n?a:o})}#o(e){let t=[`applications`,e.applicationId];return r`${w(i(`workloads.add`),{up:[e.name,x(t)],lead:i(`workloads.lead`)})}
      ${T(i(`details`),j({request:`PatchApplicationRequest`,within:`application.workloadIssuers`,fields:[{name:`issuer`,texts:`workloads.issuer`},{name:`audience`,texts:`workloads.audience`},{name:`subject`,texts:`workloads.subject`},{name:`claims`,texts:`workloads.claims`}],values:{},submit:i(`add`),cancel:()=>p(t),save:async r=>{await this.#s(e,[...e.workloadIssuers,N(n,r)]),p(t)}}))}`}async#s({applicationId:e,details:t},n){await u(t=>E.patchApplication({application:{applicationId:e,workloadIssuers:n},updateMask:I([`workloadIssuers`])},t),t.sequence),await this.#e.reload()}#c(e){let t=this.#e.value;A({title:i(`workloads.removeTitle`,{name:e.subject}),action:i(`remove`),consequences:async()=>[i(`workloads.remove`)],act:()=>this.#s(t,t.workloadIssuers.filter(t=>t!==e)),done:i(`removed`,{name:e.subject})})}#l(e){if(![a.WEB,a.SERVICE].includes(e.kind))return o;let t=c(`ApplicationService/CreateApplicationSecret`),n=r`<button type="button" @click=${()=>void this.#u(e)}>${i(`applications.createSecret`)}</button>`;return T(i(`applications.secrets`),e.secrets.length===0?_(i(`applications.noSecrets`)):h(i(`applications.secrets`),[{label:`ID`,cell:e=>g(r`<code>${e.secretId}</code>`,``)},{label:i(`created`),cell:e=>y(e.createdAt),isWide:!0},{label:i(`actions`),isLabelHidden:!0,cell:n=>t?r`<button type="button" class="quiet danger" aria-label=${i(`removeOne`,{name:n.secretId})} @click=${()=>this.#d(e,n)}>${i(`remove`)}</button>`:o}],e.secrets),{lead:i(`applications.secretsLead`),actions:t?n:o})}async#u({applicationId:e}){try{let{secret:t}=await u(t=>E.createApplicationSecret({applicationId:e},t));k(i(`secret`),r`<p>${C(t,i(`secret`))}</p>`,()=>void this.#e.reload())}catch(e){f(e)}}#d({applicationId:e,secrets:t},{secretId:n}){A({title:i(`applications.removeSecretTitle`),action:i(`remove`),consequences:async()=>[i(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>d(t=>E.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await u(t=>E.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#e.reload()},done:i(`removed`,{name:i(`secret`)})})}#f({applicationId:e,name:n,secrets:r}){A({title:i(`applications.removeTitle`,{name:n}),action:i(`applications.remove`),consequences:async()=>[i(`applications.removeText`),...r.length>0?[t(`applications.endsSecret`,`applications.endsSecrets`,r.length)]:[]],check:()=>d(t=>E.removeApplication({applicationId:e},t)),act:async()=>{await u(t=>E.removeApplication({applicationId:e},t)),p([`applications`])},done:i(`removed`,{name:n})})}};customElements.define(`keystead-applications`,X),customElements.define(`keystead-application-new`,Q),customElements.define(`keystead-application`,$);export{G as views};
========
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${V}`]]}var G=`+`;function K({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===G?`keystead-application-new`:`keystead-application`}var q=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),J=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`),Y=q(`WEB`,`BROWSER`,`NATIVE`);function X(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:Y},{name:`postLogoutRedirectUris`,when:Y},{name:`allowsHttp`,when:q(`WEB`)},{name:`origins`,when:q(`GATE`)},`scopes`,{name:`firstParty`,when:J},{heading:`applications.people`,when:J},{name:`audience`,when:J},{name:`admitsGroupsOnly`,when:J},{name:`allowedGroups`,when:e=>J(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:q(`WEB`,`SERVICE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:q(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:Y},{name:`idTokenAlg`,when:Y},{name:`omitsIdTokenClaims`,when:Y},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:Y},{name:`refreshTokenIdleSeconds`,when:Y},{name:`backchannelLogoutUri`,when:Y},{name:`gateJwtHeader`,when:q(`GATE`)},{name:`gateIdentityHeaders`,when:q(`GATE`)}]}var Z=class extends R{#e=new L(this,async t=>{let n=await e(e=>E.listApplications({pageToken:t},e));return{items:n.applications,next:n.nextPageToken}});render(){let e=s(`ApplicationService/CreateApplication`)?n`<a class="primary" href=${x([`applications`,G])}>${r(`applications.add`)}</a>`:o;return n`${w(r(`applications`),{lead:r(`applications.lead`),actions:e})}
      ${this.#e.render(e=>m(r(`applications`),[{label:r(`field.name`),cell:e=>h(v(e.name),e.redirectUris[0]??e.origins[0]??``,[`applications`,e.applicationId])},{label:r(`field.kind`),cell:e=>Q(e)},{label:r(`changed`),cell:e=>y(e.details?.changeDate),isWide:!0}],e),g(r(`applications.none`)))}`}};function Q({kind:e}){return P(`APPLICATION_KIND_${_[e]}`)}var $=class extends R{render(){return n`${w(r(`applications.add`),{up:[r(`applications`),x([`applications`])],lead:r(`applications.addLead`)})}
      ${T(r(`details`),j({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:Y},{name:`origins`,when:q(`GATE`)},{name:`firstParty`,when:J}],values:{},submit:r(`add`),cancel:()=>f([`applications`]),save:async e=>{let t=N(i,e),{applicationId:n}=await l(e=>E.createApplication({application:t},e));f([`applications`,n,`connect`])}}))}`}},ee=class extends R{#e=new z(this,()=>this.#r());#t=new z(this,async()=>s(`GroupService/ListGroups`)?(await O(t=>e(e=>c.listGroups(t,e)))).flatMap(e=>e.groups):[]);get#n(){return this.route.path[1]??``}async#r(){let{application:t}=await e(e=>E.getApplication({applicationId:this.#n},e));return t}render(){return this.#e.render(e=>{let t=this.route.path[2]===`connect`;if(this.route.path[2]===`workloads`)return this.#o(e);let i=n`<button type="button" class="quiet danger" @click=${()=>this.#f(e)}>${r(`applications.remove`)}</button>`,a=[`applications`,e.applicationId];return n`${w(v(e.name),{up:[r(`applications`),x([`applications`])],lead:Q(e),actions:s(`ApplicationService/RemoveApplication`)?i:o})}
        ${S(e.name,[[r(`settings`),a,!t],[r(`connect`),[...a,`connect`],t]])}
        ${t?n`${this.#l(e)}${H(e)}`:this.#i(e)}`})}#i(e){let t=e=>({values:M(i,e),sequence:e.details.sequence}),{applicationId:a}=e;return n`${T(r(`details`),b([r(`clientId`),C(a,r(`clientId`))],[r(`created`),y(e.details?.creationDate)],[r(`changed`),y(e.details?.changeDate)]))}
      ${s(`ApplicationService/PatchApplication`)?T(r(`settings`),this.#t.render(n=>j({request:`PatchApplicationRequest`,within:`application`,fields:X(n),...t(e),submit:r(`save`),current:async()=>t(await this.#r()),save:(e,t,n)=>l(n=>E.patchApplication({application:{...N(i,F(e,t)),applicationId:a},updateMask:I(t)},n),n)}))):o}
      ${e.kind===_.SERVICE?this.#a(e):o}`}#a({applicationId:e,workloadIssuers:t}){let i=s(`ApplicationService/PatchApplication`),a=n`<a class="button" href=${x([`applications`,e,`workloads`])}>${r(`workloads.add`)}</a>`;return T(r(`workloads`),t.length===0?g(r(`workloads.none`)):m(r(`workloads`),[{label:r(`field.workloads.subject`),cell:e=>h(n`<code>${e.subject}</code>`,e.issuer)},{label:r(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:r(`field.workloads.audience`),cell:e=>n`<code>${e.audience}</code>`,isWide:!0},{label:r(`actions`),isLabelHidden:!0,cell:e=>i?n`<button type="button" class="quiet danger" aria-label=${r(`removeOne`,{name:e.subject})} @click=${()=>this.#c(e)}>${r(`remove`)}</button>`:o}],t),{lead:r(`workloads.lead`),actions:i?a:o})}#o(e){let t=[`applications`,e.applicationId];return n`${w(r(`workloads.add`),{up:[e.name,x(t)],lead:r(`workloads.lead`)})}
      ${T(r(`details`),j({request:`PatchApplicationRequest`,within:`application.workloadIssuers`,fields:[{name:`issuer`,texts:`workloads.issuer`},{name:`audience`,texts:`workloads.audience`},{name:`subject`,texts:`workloads.subject`},{name:`claims`,texts:`workloads.claims`}],values:{},submit:r(`add`),cancel:()=>f(t),save:async n=>{await this.#s(e,[...e.workloadIssuers,N(a,n)]),f(t)}}))}`}async#s({applicationId:e,details:t},n){await l(t=>E.patchApplication({application:{applicationId:e,workloadIssuers:n},updateMask:I([`workloadIssuers`])},t),t.sequence),await this.#e.reload()}#c(e){let t=this.#e.value;A({title:r(`workloads.removeTitle`,{name:e.subject}),action:r(`remove`),consequences:async()=>[r(`workloads.remove`)],act:()=>this.#s(t,t.workloadIssuers.filter(t=>t!==e)),done:r(`removed`,{name:e.subject})})}#l(e){if(![_.WEB,_.SERVICE].includes(e.kind))return o;let t=s(`ApplicationService/CreateApplicationSecret`),i=n`<button type="button" @click=${()=>void this.#u(e)}>${r(`applications.createSecret`)}</button>`;return T(r(`applications.secrets`),e.secrets.length===0?g(r(`applications.noSecrets`)):m(r(`applications.secrets`),[{label:`ID`,cell:e=>h(n`<code>${e.secretId}</code>`,``)},{label:r(`created`),cell:e=>y(e.createdAt),isWide:!0},{label:r(`actions`),isLabelHidden:!0,cell:i=>t?n`<button type="button" class="quiet danger" aria-label=${r(`removeOne`,{name:i.secretId})} @click=${()=>this.#d(e,i)}>${r(`remove`)}</button>`:o}],e.secrets),{lead:r(`applications.secretsLead`),actions:t?i:o})}async#u({applicationId:e}){try{let{secret:t}=await l(t=>E.createApplicationSecret({applicationId:e},t));k(r(`secret`),n`<p>${C(t,r(`secret`))}</p>`,()=>void this.#e.reload())}catch(e){d(e)}}#d({applicationId:e,secrets:t},{secretId:n}){A({title:r(`applications.removeSecretTitle`),action:r(`remove`),consequences:async()=>[r(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>u(t=>E.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await l(t=>E.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#e.reload()},done:r(`removed`,{name:r(`secret`)})})}#f({applicationId:e,name:n,secrets:i}){A({title:r(`applications.removeTitle`,{name:n}),action:r(`applications.remove`),consequences:async()=>[r(`applications.removeText`),...i.length>0?[t(`applications.endsSecret`,`applications.endsSecrets`,i.length)]:[]],check:()=>u(t=>E.removeApplication({applicationId:e},t)),act:async()=>{await l(t=>E.removeApplication({applicationId:e},t)),f([`applications`])},done:r(`removed`,{name:n})})}};customElements.define(`keystead-applications`,Z),customElements.define(`keystead-application-new`,$),customElements.define(`keystead-application`,ee);export{K as views};
>>>>>>>> settings:bridge/pages/assets/assets/applications-vvyX0rBs.js
========
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${V}`]]}var G=/https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g;async function K(){let{RECIPES:e}=await ae(async()=>{let{RECIPES:e}=await import(`./recipes-UNQYiuKm.js`);return{RECIPES:e}},[],import.meta.url);return e}function le({program:e,application:t},n){let r=Object.entries({name:e,...t}).map(([e,t])=>[e,Array.isArray(t)?t.map(e=>q(String(e),n)):q(t,n)]),i=Object.fromEntries(r),{backchannelLogoutUri:a,...o}=i;return n.startsWith(`http://`)?o:i}function ue({settings:e},t,n){let r={"{issuer}":M.replace(/\/$/,``),"{client_id}":n,"{client_secret}":`CLIENT_SECRET`};return e.map(({where:e,text:n})=>[e,q(n,t,r).trim()])}function q(e,t,n={}){if(typeof e!=`string`)return e;let r={"https://{host}":t.includes(`://`)?t:`https://${t}`,"{host}":t.replace(/^.*:\/\//,``),...n};return e.replace(G,e=>r[e]??e)}var J=`+`;function de({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===J?`keystead-application-new`:`keystead-application`}var Y=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),X=Y(`WEB`,`BROWSER`,`NATIVE`,`GATE`),Z=Y(`WEB`,`BROWSER`,`NATIVE`);function fe(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:Z},{name:`postLogoutRedirectUris`,when:Z},{name:`origins`,when:Y(`GATE`)},`scopes`,{name:`firstParty`,when:X},{heading:`applications.people`,when:X},{name:`audience`,when:X},{name:`admitsGroupsOnly`,when:X},{name:`allowedGroups`,when:e=>X(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:Y(`WEB`,`SERVICE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:Y(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:Z},{name:`idTokenAlg`,when:Z},{name:`omitsIdTokenClaims`,when:Z},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:Z},{name:`refreshTokenIdleSeconds`,when:Z},{name:`backchannelLogoutUri`,when:Z},{name:`gateJwtHeader`,when:Y(`GATE`)},{name:`gateIdentityHeaders`,when:Y(`GATE`)}]}var pe=class extends F{#e=new P(this,async e=>{let n=await h(n=>t.listApplications({pageToken:e},n));return{items:n.applications,next:n.nextPageToken}});render(){let e=u(`ApplicationService/CreateApplication`)?r`<a class="primary" href=${T([`applications`,J])}>${i(`applications.add`)}</a>`:s;return r`${w(i(`applications`),{lead:i(`applications.lead`),actions:e})}
      ${this.#e.render(e=>g(i(`applications`),[{label:i(`field.name`),cell:e=>_(y(e.name),e.redirectUris[0]??e.origins[0]??``,[`applications`,e.applicationId])},{label:i(`field.kind`),cell:e=>Q(e)},{label:i(`changed`),cell:e=>b(e.details?.changeDate),isWide:!0}],e),v(i(`applications.none`)))}`}};function Q({kind:e}){return ie(`APPLICATION_KIND_${a[e]}`)}var me=class extends F{#e=new I(this,K);#t=e=>{p(e,this.route),this.requestUpdate()};render(){let{query:e}=this.route,t=e.get(`for`)??``,n=$(e),a=this.#e.value?.find(e=>e.name===t);return r`${w(i(`applications.add`),{up:[i(`applications`),T([`applications`])],lead:i(`applications.addLead`)})}
      <div class="filters">
        <div class="field"><label for="software">${i(`applications.software`)}</label><select id="software" name="for" @change=${this.#t}>
          <option value="">${i(`applications.otherSoftware`)}</option>
          ${this.#e.value?.map(e=>r`<option value=${e.name} ?selected=${e.name===t}>${e.program}</option>`)}
        </select></div>
        ${a?r`<div class="field"><label for="host">${i(`applications.host`)}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${a.name}.example.com`} .value=${n} @change=${this.#t} /></div>`:s}
      </div>
      ${a&&!n?v(i(`applications.hostLead`)):z(`${t} ${n}`,this.#n(a,n))}`}#n(e,r){return E(i(`details`),D({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:Z},{name:`origins`,when:Y(`GATE`)},{name:`firstParty`,when:X}],values:e?le(e,r):{},submit:i(`add`),cancel:()=>S([`applications`]),save:async i=>{let a=O(o,i),{applicationId:s}=await n(e=>t.createApplication({application:a},e));S([`applications`,s,`connect`],e?{for:e.name,host:r}:{})}}))}};function $(e){return(e.get(`host`)??``).replace(/\/+$/,``)}var he=class extends F{#e=new I(this,K);#t=new I(this,()=>this.#i());#n=new I(this,async()=>u(`GroupService/ListGroups`)?(await oe(e=>h(t=>d.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#r(){return this.route.path[1]??``}async#i(){let{application:e}=await h(e=>t.getApplication({applicationId:this.#r},e));return e}render(){return this.#t.render(e=>{let t=this.route.path[2]===`connect`;if(this.route.path[2]===`workloads`)return this.#c(e);let n=r`<button type="button" class="quiet danger" @click=${()=>this.#m(e)}>${i(`applications.remove`)}</button>`,a=[`applications`,e.applicationId];return r`${w(y(e.name),{up:[i(`applications`),T([`applications`])],lead:Q(e),actions:u(`ApplicationService/RemoveApplication`)?n:s})}
        ${te(e.name,[[i(`settings`),a,!t],[i(`connect`),[...a,`connect`],t]])}
        ${t?r`${this.#d(e)}${this.#a(e)}${H(e)}`:this.#o(e)}`})}#a({applicationId:e}){let{query:t}=this.route,n=this.#e.value?.find(e=>e.name===t.get(`for`));return n?E(i(`applications.softwareSettings`,{name:n.program}),r`${ue(n,$(t),e).map(([e,t])=>m(e,t))}
      ${n.note?r`<p class="hint" lang="en">${n.note}</p>`:s}`,{lead:i(`applications.softwareLead`)}):s}#o(e){let c=e=>({values:re(o,e),sequence:e.details.sequence}),{applicationId:l}=e;return r`${E(i(`details`),x([i(`clientId`),C(l,i(`clientId`))],[i(`created`),b(e.details?.creationDate)],[i(`changed`),b(e.details?.changeDate)]))}
      ${u(`ApplicationService/PatchApplication`)?E(i(`settings`),this.#n.render(r=>D({request:`PatchApplicationRequest`,within:`application`,fields:fe(r),...c(e),submit:i(`save`),current:async()=>c(await this.#i()),save:(e,r,i)=>n(n=>t.patchApplication({application:{...O(o,k(e,r)),applicationId:l},updateMask:j(r)},n),i)}))):s}
      ${e.kind===a.SERVICE?this.#s(e):s}`}#s({applicationId:e,workloadIssuers:t}){let n=u(`ApplicationService/PatchApplication`),a=r`<a class="button" href=${T([`applications`,e,`workloads`])}>${i(`workloads.add`)}</a>`;return E(i(`workloads`),t.length===0?v(i(`workloads.none`)):g(i(`workloads`),[{label:i(`field.workloads.subject`),cell:e=>_(r`<code>${e.subject}</code>`,e.issuer)},{label:i(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:i(`field.workloads.audience`),cell:e=>r`<code>${e.audience}</code>`,isWide:!0},{label:i(`actions`),isLabelHidden:!0,cell:e=>n?r`<button type="button" class="quiet danger" aria-label=${i(`removeOne`,{name:e.subject})} @click=${()=>this.#u(e)}>${i(`remove`)}</button>`:s}],t),{lead:i(`workloads.lead`),actions:n?a:s})}#c(e){let t=[`applications`,e.applicationId];return r`${w(i(`workloads.add`),{up:[e.name,T(t)],lead:i(`workloads.lead`)})}
      ${E(i(`details`),D({request:`PatchApplicationRequest`,within:`application.workloadIssuers`,fields:[{name:`issuer`,texts:`workloads.issuer`},{name:`audience`,texts:`workloads.audience`},{name:`subject`,texts:`workloads.subject`},{name:`claims`,texts:`workloads.claims`}],values:{},submit:i(`add`),cancel:()=>S(t),save:async n=>{await this.#l(e,[...e.workloadIssuers,O(c,n)]),S(t)}}))}`}async#l({applicationId:e,details:r},i){await n(n=>t.patchApplication({application:{applicationId:e,workloadIssuers:i},updateMask:j([`workloadIssuers`])},n),r.sequence),await this.#t.reload()}#u(e){let t=this.#t.value;N({title:i(`workloads.removeTitle`,{name:e.subject}),action:i(`remove`),consequences:async()=>[i(`workloads.remove`)],act:()=>this.#l(t,t.workloadIssuers.filter(t=>t!==e)),done:i(`removed`,{name:e.subject})})}#d(e){if(![a.WEB,a.SERVICE].includes(e.kind))return s;let t=u(`ApplicationService/CreateApplicationSecret`),n=r`<button type="button" @click=${()=>void this.#f(e)}>${i(`applications.createSecret`)}</button>`;return E(i(`applications.secrets`),e.secrets.length===0?v(i(`applications.noSecrets`)):g(i(`applications.secrets`),[{label:`ID`,cell:e=>_(r`<code>${e.secretId}</code>`,``)},{label:i(`created`),cell:e=>b(e.createdAt),isWide:!0},{label:i(`actions`),isLabelHidden:!0,cell:n=>t?r`<button type="button" class="quiet danger" aria-label=${i(`removeOne`,{name:n.secretId})} @click=${()=>this.#p(e,n)}>${i(`remove`)}</button>`:s}],e.secrets),{lead:i(`applications.secretsLead`),actions:t?n:s})}async#f({applicationId:e}){try{let{secret:a}=await n(n=>t.createApplicationSecret({applicationId:e},n));se(i(`secret`),r`<p>${C(a,i(`secret`))}</p>`,()=>void this.#t.reload())}catch(e){f(e)}}#p({applicationId:e,secrets:r},{secretId:a}){N({title:i(`applications.removeSecretTitle`),action:i(`remove`),consequences:async()=>[i(r.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>l(n=>t.removeApplicationSecret({applicationId:e,secretId:a},n)),act:async()=>{await n(n=>t.removeApplicationSecret({applicationId:e,secretId:a},n)),await this.#t.reload()},done:i(`removed`,{name:i(`secret`)})})}#m({applicationId:r,name:a,secrets:o}){N({title:i(`applications.removeTitle`,{name:a}),action:i(`applications.remove`),consequences:async()=>[i(`applications.removeText`),...o.length>0?[e(`applications.endsSecret`,`applications.endsSecrets`,o.length)]:[]],check:()=>l(e=>t.removeApplication({applicationId:r},e)),act:async()=>{await n(e=>t.removeApplication({applicationId:r},e)),S([`applications`])},done:i(`removed`,{name:a})})}};customElements.define(`keystead-applications`,pe),customElements.define(`keystead-application-new`,me),customElements.define(`keystead-application`,he);export{de as views};
>>>>>>>> recipes:bridge/pages/assets/assets/applications-DEX-uXwz.js
