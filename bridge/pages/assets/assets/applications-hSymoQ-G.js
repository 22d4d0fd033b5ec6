<<<<<<<< HEAD:bridge/pages/assets/assets/applications-g0ZRLhNE.js
import{$ as e,A as t,Ft as n,L as r,M as i,Nt as a,P as o,Pt as s,T as c,U as l,V as u,Z as d,_ as f,at as p,d as m,f as h,h as g,i as _,l as v,m as y,o as b,ot as x,p as S,r as C,s as w,u as T,z as E}from"./index-Bdipg73j.js";import{D,k as O}from"./session-Dem7qRVi.js";import{i as k,t as A}from"./dialogs-CyYKCcQR.js";import{a as j,i as M,n as N,o as P,r as F,t as I}from"./values-BwkKvCEn.js";import{n as L,r as R,t as z}from"./view-B1BpIW-T.js";var B=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.
========
import{$ as e,A as t,L as n,M as r,Mt as i,Nt as a,P as o,Pt as s,T as c,U as l,V as u,Z as d,_ as f,at as p,d as m,f as h,h as g,i as _,jt as v,l as y,m as b,o as x,ot as S,p as C,r as w,s as T,u as E,z as D}from"./index-C4Bmox3X.js";import{D as O,k}from"./session-Dem7qRVi.js";import{i as A,t as j}from"./dialogs-B3x2EgQb.js";import{a as M,i as N,n as P,o as F,r as I,t as L}from"./values-D83EBoo_.js";import{n as R,r as z,t as B}from"./view-CC3TGnyD.js";var V=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.
>>>>>>>> resources:bridge/pages/assets/assets/applications-hSymoQ-G.js

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
<<<<<<<< HEAD:bridge/pages/assets/assets/applications-g0ZRLhNE.js
`]],V=D.replace(/\/$/,``);function H(e){let{applicationId:t,scopes:n,kind:o}=e;if(o===a.GATE)return U(e);let s=`${V}/.well-known/openid-configuration`;return T(i(`connect`),r`${b([i(`connect.issuer`),C(V,i(`connect.issuer`))],[i(`connect.discovery`),C(s,i(`connect.discovery`))],[i(`clientId`),C(t,i(`clientId`))],n.length>0&&[i(`field.scopes`),C(n.join(` `),i(`field.scopes`))])}
  ${W(e).map(([e,t])=>m(e,t))}`,{lead:i(`connect.lead`)})}function U({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return T(i(`connect`),r`${b([i(`clientId`),C(e,i(`clientId`))],[i(`connect.check`),C(`${V}/gate/check`,i(`connect.check`))],[i(`connect.checkOverGrpc`),C(`envoy.service.auth.v3.Authorization/Check`,i(`connect.checkOverGrpc`))])}
  ${m(i(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${B.map(([e,t])=>m(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:i(`connect.gateLead`)})}function W({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,o=n[0]??`https://app.example.com/callback`;if(t===a.SERVICE)return[[`curl`,`curl ${V}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${V}/oauth/token", grant_type="client_credentials")`]];let s=t===a.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${V}"),\n  "${e}",${s?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${o}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${s?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${V}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${s?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${V}`]]}function G({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===`new`?`keystead-application-new`:`keystead-application`}var K=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),q=K(`WEB`,`BROWSER`,`NATIVE`,`GATE`),J=K(`WEB`,`BROWSER`,`NATIVE`);function Y(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:J},{name:`postLogoutRedirectUris`,when:J},{name:`origins`,when:K(`GATE`)},`scopes`,{name:`firstParty`,when:q},{heading:`applications.people`,when:q},{name:`audience`,when:q},{name:`admitsGroupsOnly`,when:q},{name:`allowedGroups`,when:e=>q(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:K(`WEB`,`SERVICE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`requiresPkce`,when:K(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:J},{name:`idTokenAlg`,when:J},{name:`idTokenClaims`,when:J,choices:[[`name`,i(`claim.name`)],[`email`,i(`claim.email`)],[`groups`,i(`claim.groups`)]]},`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:J},{name:`refreshTokenIdleSeconds`,when:J},{name:`backchannelLogoutUri`,when:J},{name:`gateJwtHeader`,when:K(`GATE`)},{name:`gateIdentityHeaders`,when:K(`GATE`)}]}var X=class extends R{#e=new L(this,async t=>{let n=await e(e=>E.listApplications({pageToken:t},e));return{items:n.applications,next:n.nextPageToken}});render(){let e=c(`ApplicationService/CreateApplication`)?r`<a class="primary" href=${x([`applications`,`new`])}>${i(`applications.add`)}</a>`:o;return r`${w(i(`applications`),{lead:i(`applications.lead`),actions:e})}
      ${this.#e.render(e=>h(i(`applications`),[{label:i(`field.name`),cell:e=>g(v(e.name),e.redirectUris[0]??e.origins[0]??``,[`applications`,e.applicationId])},{label:i(`field.kind`),cell:e=>Z(e)},{label:i(`changed`),cell:e=>y(e.details?.changeDate),isWide:!0}],e),_(i(`applications.none`)))}`}};function Z({kind:e}){return P(`APPLICATION_KIND_${a[e]}`)}var Q=class extends R{render(){return r`${w(i(`applications.add`),{up:[i(`applications`),x([`applications`])],lead:i(`applications.addLead`)})}
      ${T(i(`details`),j({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:J},{name:`origins`,when:K(`GATE`)},{name:`firstParty`,when:q}],values:{},submit:i(`add`),cancel:()=>p([`applications`]),save:async e=>{let t=N(s,e),{applicationId:n}=await u(e=>E.createApplication({application:t},e));p([`applications`,n,`connect`])}}))}`}},$=class extends R{#e=new z(this,()=>this.#r());#t=new z(this,async()=>c(`GroupService/ListGroups`)?(await O(t=>e(e=>l.listGroups(t,e)))).flatMap(e=>e.groups):[]);get#n(){return this.route.path[1]??``}async#r(){let{application:t}=await e(e=>E.getApplication({applicationId:this.#n},e));return t}render(){return this.#e.render(e=>{let t=this.route.path[2]===`connect`;if(this.route.path[2]===`workloads`)return this.#o(e);let n=r`<button type="button" class="quiet danger" @click=${()=>this.#f(e)}>${i(`applications.remove`)}</button>`,a=[`applications`,e.applicationId];return r`${w(v(e.name),{up:[i(`applications`),x([`applications`])],lead:Z(e),actions:c(`ApplicationService/RemoveApplication`)?n:o})}
        ${S(e.name,[[i(`settings`),a,!t],[i(`connect`),[...a,`connect`],t]])}
        ${t?r`${this.#l(e)}${H(e)}`:this.#i(e)}`})}#i(e){let t=e=>({values:M(s,e),sequence:e.details.sequence}),{applicationId:n}=e;return r`${T(i(`details`),b([i(`clientId`),C(n,i(`clientId`))],[i(`created`),y(e.details?.creationDate)],[i(`changed`),y(e.details?.changeDate)]))}
      ${c(`ApplicationService/PatchApplication`)?T(i(`settings`),this.#t.render(r=>j({request:`PatchApplicationRequest`,within:`application`,fields:Y(r),...t(e),submit:i(`save`),current:async()=>t(await this.#r()),save:(e,t,r)=>u(r=>E.patchApplication({application:{...N(s,F(e,t)),applicationId:n},updateMask:I(t)},r),r)}))):o}
      ${e.kind===a.SERVICE?this.#a(e):o}`}#a({applicationId:e,workloadIssuers:t}){let n=c(`ApplicationService/PatchApplication`),a=r`<a class="button" href=${x([`applications`,e,`workloads`])}>${i(`workloads.add`)}</a>`;return T(i(`workloads`),t.length===0?_(i(`workloads.none`)):h(i(`workloads`),[{label:i(`field.workloads.subject`),cell:e=>g(r`<code>${e.subject}</code>`,e.issuer)},{label:i(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:i(`field.workloads.audience`),cell:e=>r`<code>${e.audience}</code>`,isWide:!0},{label:i(`actions`),isLabelHidden:!0,cell:e=>n?r`<button type="button" class="quiet danger" aria-label=${i(`removeOne`,{name:e.subject})} @click=${()=>this.#c(e)}>${i(`remove`)}</button>`:o}],t),{lead:i(`workloads.lead`),actions:n?a:o})}#o(e){let t=[`applications`,e.applicationId];return r`${w(i(`workloads.add`),{up:[e.name,x(t)],lead:i(`workloads.lead`)})}
      ${T(i(`details`),j({request:`PatchApplicationRequest`,within:`application.workloadIssuers`,fields:[{name:`issuer`,texts:`workloads.issuer`},{name:`audience`,texts:`workloads.audience`},{name:`subject`,texts:`workloads.subject`},{name:`claims`,texts:`workloads.claims`}],values:{},submit:i(`add`),cancel:()=>p(t),save:async r=>{await this.#s(e,[...e.workloadIssuers,N(n,r)]),p(t)}}))}`}async#s({applicationId:e,details:t},n){await u(t=>E.patchApplication({application:{applicationId:e,workloadIssuers:n},updateMask:I([`workloadIssuers`])},t),t.sequence),await this.#e.reload()}#c(e){let t=this.#e.value;A({title:i(`workloads.removeTitle`,{name:e.subject}),action:i(`remove`),consequences:async()=>[i(`workloads.remove`)],act:()=>this.#s(t,t.workloadIssuers.filter(t=>t!==e)),done:i(`removed`,{name:e.subject})})}#l(e){if(![a.WEB,a.SERVICE].includes(e.kind))return o;let t=c(`ApplicationService/CreateApplicationSecret`),n=r`<button type="button" @click=${()=>void this.#u(e)}>${i(`applications.createSecret`)}</button>`;return T(i(`applications.secrets`),e.secrets.length===0?_(i(`applications.noSecrets`)):h(i(`applications.secrets`),[{label:`ID`,cell:e=>g(r`<code>${e.secretId}</code>`,``)},{label:i(`created`),cell:e=>y(e.createdAt),isWide:!0},{label:i(`actions`),isLabelHidden:!0,cell:n=>t?r`<button type="button" class="quiet danger" aria-label=${i(`removeOne`,{name:n.secretId})} @click=${()=>this.#d(e,n)}>${i(`remove`)}</button>`:o}],e.secrets),{lead:i(`applications.secretsLead`),actions:t?n:o})}async#u({applicationId:e}){try{let{secret:t}=await u(t=>E.createApplicationSecret({applicationId:e},t));k(i(`secret`),r`<p>${C(t,i(`secret`))}</p>`,()=>void this.#e.reload())}catch(e){f(e)}}#d({applicationId:e,secrets:t},{secretId:n}){A({title:i(`applications.removeSecretTitle`),action:i(`remove`),consequences:async()=>[i(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>d(t=>E.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await u(t=>E.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#e.reload()},done:i(`removed`,{name:i(`secret`)})})}#f({applicationId:e,name:n,secrets:r}){A({title:i(`applications.removeTitle`,{name:n}),action:i(`applications.remove`),consequences:async()=>[i(`applications.removeText`),...r.length>0?[t(`applications.endsSecret`,`applications.endsSecrets`,r.length)]:[]],check:()=>d(t=>E.removeApplication({applicationId:e},t)),act:async()=>{await u(t=>E.removeApplication({applicationId:e},t)),p([`applications`])},done:i(`removed`,{name:n})})}};customElements.define(`keystead-applications`,X),customElements.define(`keystead-application-new`,Q),customElements.define(`keystead-application`,$);export{G as views};
========
`]],H=O.replace(/\/$/,``);function U(e){let{applicationId:t,scopes:i,kind:a}=e;if(a===v.GATE)return G(e);if(a===v.RESOURCE)return W(e);let o=`${H}/.well-known/openid-configuration`;return E(r(`connect`),n`${x([r(`connect.issuer`),w(H,r(`connect.issuer`))],[r(`connect.discovery`),w(o,r(`connect.discovery`))],[r(`clientId`),w(t,r(`clientId`))],i.length>0&&[r(`field.scopes`),w(i.join(` `),r(`field.scopes`))])}
  ${K(e).map(([e,t])=>m(e,t))}`,{lead:r(`connect.lead`)})}function W({applicationId:e,identifier:t}){return E(r(`connect`),x([r(`connect.issuer`),w(H,r(`connect.issuer`))],[r(`field.identifier`),w(t,r(`field.identifier`))],[r(`connect.keys`),w(`${H}/.well-known/jwks.json`,r(`connect.keys`))],[r(`connect.introspection`),w(`${H}/oauth/introspect`,r(`connect.introspection`))],[r(`clientId`),w(e,r(`clientId`))]),{lead:r(`connect.apiLead`)})}function G({applicationId:e,origins:t}){let i=new URL(t[0]??`https://app.example.com`).host;return E(r(`connect`),n`${x([r(`clientId`),w(e,r(`clientId`))],[r(`connect.check`),w(`${H}/gate/check`,r(`connect.check`))],[r(`connect.checkOverGrpc`),w(`envoy.service.auth.v3.Authorization/Check`,r(`connect.checkOverGrpc`))])}
  ${m(r(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${V.map(([e,t])=>m(e,t.replaceAll(`grafana.example.com`,i)))}`,{lead:r(`connect.gateLead`)})}function K({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,a=n[0]??`https://app.example.com/callback`;if(t===v.SERVICE)return[[`curl`,`curl ${H}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${H}/oauth/token", grant_type="client_credentials")`]];let o=t===v.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${H}"),\n  "${e}",${o?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${a}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${o?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${H}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${o?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${H}`]]}function q({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===`new`?`keystead-application-new`:`keystead-application`}var J=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),Y=J(`WEB`,`BROWSER`,`NATIVE`,`GATE`),X=J(`WEB`,`BROWSER`,`NATIVE`,`GATE`,`RESOURCE`),Z=J(`WEB`,`BROWSER`,`NATIVE`);function Q(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:Z},{name:`postLogoutRedirectUris`,when:Z},{name:`origins`,when:J(`GATE`)},{name:`identifier`,when:J(`RESOURCE`)},{name:`scopes`,when:J(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`GATE`)},{name:`firstParty`,when:Y},{heading:`applications.people`,when:X},{name:`audience`,when:X},{name:`admitsGroupsOnly`,when:X},{name:`allowedGroups`,when:e=>X(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:J(`WEB`,`SERVICE`,`RESOURCE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`requiresPkce`,when:J(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:Z},{name:`idTokenAlg`,when:Z},{name:`idTokenClaims`,when:Z,choices:[[`name`,r(`claim.name`)],[`email`,r(`claim.email`)],[`groups`,r(`claim.groups`)]]},`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:Z},{name:`refreshTokenIdleSeconds`,when:Z},{name:`backchannelLogoutUri`,when:Z},{name:`gateJwtHeader`,when:J(`GATE`)},{name:`gateIdentityHeaders`,when:J(`GATE`)}]}var ee=class extends z{#e=new R(this,async t=>{let n=await e(e=>D.listApplications({pageToken:t},e));return{items:n.applications,next:n.nextPageToken}});render(){let e=c(`ApplicationService/CreateApplication`)?n`<a class="primary" href=${S([`applications`,`new`])}>${r(`applications.add`)}</a>`:o;return n`${T(r(`applications`),{lead:r(`applications.lead`),actions:e})}
      ${this.#e.render(e=>h(r(`applications`),[{label:r(`field.name`),cell:e=>g(y(e.name),e.redirectUris[0]??e.origins[0]??e.identifier,[`applications`,e.applicationId])},{label:r(`field.kind`),cell:e=>$(e)},{label:r(`changed`),cell:e=>b(e.details?.changeDate),isWide:!0}],e),_(r(`applications.none`)))}`}};function $({kind:e}){return F(`APPLICATION_KIND_${v[e]}`)}var te=class extends z{render(){return n`${T(r(`applications.add`),{up:[r(`applications`),S([`applications`])],lead:r(`applications.addLead`)})}
      ${E(r(`details`),M({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:Z},{name:`origins`,when:J(`GATE`)},{name:`identifier`,when:J(`RESOURCE`)},{name:`firstParty`,when:Y}],values:{},submit:r(`add`),cancel:()=>p([`applications`]),save:async e=>{let t=P(i,e),{applicationId:n}=await u(e=>D.createApplication({application:t},e));p([`applications`,n,`connect`])}}))}`}},ne=class extends z{#e=new B(this,()=>this.#r());#t=new B(this,async()=>c(`GroupService/ListGroups`)?(await k(t=>e(e=>l.listGroups(t,e)))).flatMap(e=>e.groups):[]);get#n(){return this.route.path[1]??``}async#r(){let{application:t}=await e(e=>D.getApplication({applicationId:this.#n},e));return t}render(){return this.#e.render(e=>{let t=this.route.path[2]===`connect`;if(this.route.path[2]===`scopes`)return this.#o(e);if(this.route.path[2]===`workloads`)return this.#l(e);let i=n`<button type="button" class="quiet danger" @click=${()=>this.#h(e)}>${r(`applications.remove`)}</button>`,a=[`applications`,e.applicationId];return n`${T(y(e.name),{up:[r(`applications`),S([`applications`])],lead:$(e),actions:c(`ApplicationService/RemoveApplication`)?i:o})}
        ${C(e.name,[[r(`settings`),a,!t],[r(`connect`),[...a,`connect`],t]])}
        ${t?n`${this.#f(e)}${U(e)}`:this.#i(e)}`})}#i(e){let t=e=>({values:N(i,e),sequence:e.details.sequence}),{applicationId:a}=e;return n`${E(r(`details`),x([r(`clientId`),w(a,r(`clientId`))],[r(`created`),b(e.details?.creationDate)],[r(`changed`),b(e.details?.changeDate)]))}
      ${c(`ApplicationService/PatchApplication`)?E(r(`settings`),this.#t.render(n=>M({request:`PatchApplicationRequest`,within:`application`,fields:Q(n),...t(e),submit:r(`save`),current:async()=>t(await this.#r()),save:(e,t,n)=>u(n=>D.patchApplication({application:{...P(i,I(e,t)),applicationId:a},updateMask:L(t)},n),n)}))):o}
      ${e.kind===v.RESOURCE?this.#a(e):o}
      ${e.kind===v.SERVICE?this.#c(e):o}`}#a({applicationId:e,resourceScopes:t}){let i=c(`ApplicationService/PatchApplication`),a=n`<a class="button" href=${S([`applications`,e,`scopes`])}>${r(`resourceScopes.add`)}</a>`,s=new Map(this.#t.value?.map(({groupId:e,displayName:t})=>[e,t]));return E(r(`resourceScopes`),t.length===0?_(r(`resourceScopes.none`)):h(r(`resourceScopes`),[{label:r(`field.resourceScopes.name`),cell:e=>g(n`<code>${e.name}</code>`,e.description)},{label:r(`field.resourceScopes.allowedGroups`),cell:e=>e.allowedGroups.map(e=>s.get(e)??e).join(`, `)},{label:r(`actions`),isLabelHidden:!0,cell:e=>i?n`<button type="button" class="quiet danger" aria-label=${r(`removeOne`,{name:e.name})} @click=${()=>this.#s(e)}>${r(`remove`)}</button>`:o}],t),{lead:r(`resourceScopes.lead`),actions:i?a:o})}#o(e){let t=[`applications`,e.applicationId];return n`${T(r(`resourceScopes.add`),{up:[e.name,S(t)],lead:r(`resourceScopes.lead`)})}
      ${E(r(`details`),this.#t.render(n=>M({request:`PatchApplicationRequest`,within:`application.resourceScopes`,fields:[{name:`name`,texts:`resourceScopes.name`},{name:`description`,texts:`resourceScopes.description`},{name:`allowedGroups`,texts:`resourceScopes.allowedGroups`,choices:n.map(({groupId:e,displayName:t})=>[e,t])}],values:{},submit:r(`add`),cancel:()=>p(t),save:async n=>{let r=P(a,n);await this.#u(e,{resourceScopes:[...e.resourceScopes,r]}),p(t)}})))}`}#s(e){let t=this.#e.value;j({title:r(`resourceScopes.removeTitle`,{name:e.name}),action:r(`remove`),consequences:async()=>[r(`resourceScopes.remove`)],act:()=>this.#u(t,{resourceScopes:t.resourceScopes.filter(t=>t!==e)}),done:r(`removed`,{name:e.name})})}#c({applicationId:e,workloadIssuers:t}){let i=c(`ApplicationService/PatchApplication`),a=n`<a class="button" href=${S([`applications`,e,`workloads`])}>${r(`workloads.add`)}</a>`;return E(r(`workloads`),t.length===0?_(r(`workloads.none`)):h(r(`workloads`),[{label:r(`field.workloads.subject`),cell:e=>g(n`<code>${e.subject}</code>`,e.issuer)},{label:r(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:r(`field.workloads.audience`),cell:e=>n`<code>${e.audience}</code>`,isWide:!0},{label:r(`actions`),isLabelHidden:!0,cell:e=>i?n`<button type="button" class="quiet danger" aria-label=${r(`removeOne`,{name:e.subject})} @click=${()=>this.#d(e)}>${r(`remove`)}</button>`:o}],t),{lead:r(`workloads.lead`),actions:i?a:o})}#l(e){let t=[`applications`,e.applicationId];return n`${T(r(`workloads.add`),{up:[e.name,S(t)],lead:r(`workloads.lead`)})}
      ${E(r(`details`),M({request:`PatchApplicationRequest`,within:`application.workloadIssuers`,fields:[{name:`issuer`,texts:`workloads.issuer`},{name:`audience`,texts:`workloads.audience`},{name:`subject`,texts:`workloads.subject`},{name:`claims`,texts:`workloads.claims`}],values:{},submit:r(`add`),cancel:()=>p(t),save:async n=>{let r=P(s,n);await this.#u(e,{workloadIssuers:[...e.workloadIssuers,r]}),p(t)}}))}`}async#u({applicationId:e,details:t},n){await u(t=>D.patchApplication({application:{applicationId:e,...n},updateMask:L(Object.keys(n))},t),t.sequence),await this.#e.reload()}#d(e){let t=this.#e.value;j({title:r(`workloads.removeTitle`,{name:e.subject}),action:r(`remove`),consequences:async()=>[r(`workloads.remove`)],act:()=>this.#u(t,{workloadIssuers:t.workloadIssuers.filter(t=>t!==e)}),done:r(`removed`,{name:e.subject})})}#f(e){if(![v.WEB,v.SERVICE,v.RESOURCE].includes(e.kind))return o;let t=c(`ApplicationService/CreateApplicationSecret`),i=n`<button type="button" @click=${()=>void this.#p(e)}>${r(`applications.createSecret`)}</button>`;return E(r(`applications.secrets`),e.secrets.length===0?_(r(`applications.noSecrets`)):h(r(`applications.secrets`),[{label:`ID`,cell:e=>g(n`<code>${e.secretId}</code>`,``)},{label:r(`created`),cell:e=>b(e.createdAt),isWide:!0},{label:r(`actions`),isLabelHidden:!0,cell:i=>t?n`<button type="button" class="quiet danger" aria-label=${r(`removeOne`,{name:i.secretId})} @click=${()=>this.#m(e,i)}>${r(`remove`)}</button>`:o}],e.secrets),{lead:r(`applications.secretsLead`),actions:t?i:o})}async#p({applicationId:e}){try{let{secret:t}=await u(t=>D.createApplicationSecret({applicationId:e},t));A(r(`secret`),n`<p>${w(t,r(`secret`))}</p>`,()=>void this.#e.reload())}catch(e){f(e)}}#m({applicationId:e,secrets:t},{secretId:n}){j({title:r(`applications.removeSecretTitle`),action:r(`remove`),consequences:async()=>[r(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>d(t=>D.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await u(t=>D.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#e.reload()},done:r(`removed`,{name:r(`secret`)})})}#h({applicationId:e,name:n,secrets:i}){j({title:r(`applications.removeTitle`,{name:n}),action:r(`applications.remove`),consequences:async()=>[r(`applications.removeText`),...i.length>0?[t(`applications.endsSecret`,`applications.endsSecrets`,i.length)]:[]],check:()=>d(t=>D.removeApplication({applicationId:e},t)),act:async()=>{await u(t=>D.removeApplication({applicationId:e},t)),p([`applications`])},done:r(`removed`,{name:n})})}};customElements.define(`keystead-applications`,ee),customElements.define(`keystead-application-new`,te),customElements.define(`keystead-application`,ne);export{q as views};
>>>>>>>> resources:bridge/pages/assets/assets/applications-hSymoQ-G.js
