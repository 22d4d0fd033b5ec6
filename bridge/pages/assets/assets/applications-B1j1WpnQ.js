import{E as e}from"./service-DNI36Fsq.js";import{E as t,G as n,J as r,V as i,W as a,X as o,Z as s,_ as c,d as l,et as u,f as d,h as f,i as p,it as m,l as h,m as g,nt as ee,o as _,p as te,q as v,r as y,s as b,tt as x,u as S}from"./index-CCFj5cQC.js";import{a as C,c as ne,d as re,i as w,l as ie,n as T,o as E,r as ae,s as D,t as O}from"./values-FN2cjPrA.js";import{a as oe,c as se,i as k,n as A,o as ce,r as j,s as M,t as le}from"./application_service_pb-C_J6SLy9.js";import{n as ue}from"./group_service_pb-DklcVwI5.js";import{D as N,k as de,ut as fe}from"./session-_N1IPf0j.js";import{n as P,t as pe}from"./view_words-BlpBqu6f.js";import{i as me,t as F}from"./dialogs-CoM1ixsJ.js";import{n as he,r as I,t as L}from"./view-CHEtExlD.js";var{I:ge}=n,_e={},ve=(e,t=_e)=>e._$AH=t,ye=ne(class extends ie{constructor(){super(...arguments),this.key=i}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(ve(e),this.key=t),n}}),be=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

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
`]],R=N.replace(/\/$/,``);function xe(e){let{applicationId:t,scopes:n,kind:r}=e;if(r===A.GATE)return Ce(e);if(r===A.RESOURCE)return Se(e);let i=`${R}/.well-known/openid-configuration`;return S(P(`connect`),a`${_([P(`connect.issuer`),y(R,P(`connect.issuer`))],[P(`connect.discovery`),y(i,P(`connect.discovery`))],[P(`clientId`),y(t,P(`clientId`))],n.length>0&&[P(`field.scopes`),y(n.join(` `),P(`field.scopes`))])}
  ${we(e).map(([e,t])=>l(e,t))}`,{lead:P(`connect.lead`)})}function Se({applicationId:e,identifier:t}){return S(P(`connect`),_([P(`connect.issuer`),y(R,P(`connect.issuer`))],[P(`field.identifier`),y(t,P(`field.identifier`))],[P(`connect.keys`),y(`${R}/.well-known/jwks.json`,P(`connect.keys`))],[P(`connect.introspection`),y(`${R}/oauth/introspect`,P(`connect.introspection`))],[P(`clientId`),y(e,P(`clientId`))]),{lead:P(`connect.apiLead`)})}function Ce({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return S(P(`connect`),a`${_([P(`clientId`),y(e,P(`clientId`))],[P(`connect.check`),y(`${R}/gate/check`,P(`connect.check`))],[P(`connect.checkOverGrpc`),y(`envoy.service.auth.v3.Authorization/Check`,P(`connect.checkOverGrpc`))])}
  ${l(P(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${be.map(([e,t])=>l(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:P(`connect.gateLead`)})}function we({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,a=n[0]??`https://app.example.com/callback`;if(t===A.SERVICE)return[[`curl`,`curl ${R}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${R}/oauth/token", grant_type="client_credentials")`]];let o=t===A.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${R}"),\n  "${e}",${o?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${a}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${o?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${R}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${o?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${R}`]]}var Te=/https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g,Ee=/^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;async function z(){let{RECIPES:e}=await fe(async()=>{let{RECIPES:e}=await import(`./recipes-ChHU_lgJ.js`);return{RECIPES:e}},[],import.meta.url);return e}function De({program:e,application:t},n){let r=Object.entries({name:e,...t}).map(([e,t])=>[e,Array.isArray(t)?t.map(e=>B(String(e),n)):B(t,n)]),i=Object.fromEntries(r);if(!Ee.test(n)||i.kind!==`APPLICATION_KIND_WEB`)return i;let{backchannelLogoutUri:a,...o}=i;return{...o,allowsHttp:!0}}function Oe({settings:e},t,n){let r={"{issuer}":N.replace(/\/$/,``),"{client_id}":n,"{client_secret}":`CLIENT_SECRET`};return e.map(({where:e,text:n})=>[e,B(n,t,r).trim()])}function B(e,t,n={}){if(typeof e!=`string`)return e;let r={"https://{host}":t.includes(`://`)?t:`https://${t}`,"{host}":t.replace(/^.*:\/\//,``),...n};return e.replace(Te,e=>r[e]??e)}var V=r(k);async function H(e){return(await s(t=>V.listRefusals(e,t))).refusals}function U(e,{isOfOne:n,mended:r}){return e.length===0?p(P(n?`refusals.none`:`refusals.notFound`)):d(P(`refusals`),[{label:P(`refusals.remedy`),cell:e=>a`<p class="remedy" lang="en">${e.remedy}</p>
            <small><code>${e.endpoint} ${e.reason}</code> · ${g(e.refusedAt)} · ${e.count.toString()}×</small>
            ${e.patch&&t(`ApplicationService/PatchApplication`)?a`<button type="button" @click=${()=>ke(e,r)}>${P(`refusals.mend`)}</button>`:i}`},...n?[]:[{label:P(`application`),cell:e=>f(h(e.applicationName),``,[`applications`,e.applicationId])}],{label:P(`requestId`),cell:e=>a`<code>${e.requestId}</code>`,isWide:!0}],e)}function ke({applicationId:e,patch:t,patchMask:n},r){let i=0n,a=e=>V.patchApplication({application:t,updateMask:n},e);F({title:P(`refusals.mendTitle`),action:P(`refusals.set`),consequences:async()=>{let{application:r}=await s(t=>V.getApplication({applicationId:e},t));return i=r.details.sequence,Ae(t,r,n.paths)},check:()=>o(a),act:async()=>{await v(a,i),await r()},done:P(`refusals.mended`)})}function Ae(e,t,n){return n.flatMap(n=>{let r=n.replace(/_(.)/g,(e,t)=>t.toUpperCase()),[i,o]=[t,e].map(e=>re(j,e)[r]);if(Array.isArray(o))return[...o.filter(e=>!(Array.isArray(i)&&i.includes(e))).map(e=>a`${E(r)}: + <code>${e}</code>`),a`${P(`refusals.anybody`)}`];let s=typeof o==`string`?D(o):P(o?`yes`:`no`);return[a`${E(r)}: <strong>${s}</strong>`,a`${P(`refusals.weakens`)}`]})}var W=r(k),je=r(ue),G=`+`;function Me({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===G?`keystead-application-new`:`keystead-application`}var K=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),q=K(`WEB`,`BROWSER`,`NATIVE`,`GATE`),J=K(`WEB`,`BROWSER`,`NATIVE`,`GATE`,`RESOURCE`),Y=K(`WEB`,`BROWSER`,`NATIVE`),Ne=K(`WEB`,`SERVICE`,`RESOURCE`),X=K(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`RESOURCE`);function Pe(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:Y},{name:`postLogoutRedirectUris`,when:Y},{name:`allowsHttp`,when:K(`WEB`)},{name:`origins`,when:K(`GATE`),isRequired:!0},{name:`identifier`,when:K(`RESOURCE`),isRequired:!0},{name:`scopes`,when:K(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`GATE`)},{name:`requiresEmail`,when:e=>q(e)&&e.scopes?.includes(`email`)===!0},{name:`firstParty`,when:q},{heading:`applications.people`,when:J},{name:`audience`,when:J},{name:`admitsGroupsOnly`,when:J},{name:`allowedGroups`,when:e=>J(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:K(`WEB`,`SERVICE`,`RESOURCE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:K(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:Y},{name:`idTokenAlg`,when:Y},{name:`omitsIdTokenClaims`,when:Y},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:Y},{name:`refreshTokenIdleSeconds`,when:Y},{name:`backchannelLogoutUri`,when:Y},{name:`gateJwtHeader`,when:K(`GATE`)},{name:`gateIdentityHeaders`,when:K(`GATE`)}]}var Fe=class extends I{#e=new he(this,async e=>{let t=await s(t=>W.listApplications({pageToken:e},t));return{items:t.applications,next:t.nextPageToken}});#t=new L(this,()=>this.#r?H({requestId:this.#r}):Promise.resolve([]));#n=0;get#r(){return this.route.query.get(`request`)??``}#i=e=>{u(e,this.route),clearTimeout(this.#n),this.#n=window.setTimeout(()=>void this.#t.reload(),300)};render(){let e=t(`ApplicationService/CreateApplication`)?a`<a class="primary" href=${m([`applications`,G])}>${P(`applications.add`)}</a>`:i;return a`${b(P(`applications`),{lead:P(`applications.lead`),actions:e})}
      <search class="filters"><div class="field">
        <label for="refused-request">${P(`refusals.search`)}</label>
        <input id="refused-request" name="request" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder=${P(`requestId`)} .value=${this.#r} @input=${this.#i} />
      </div></search>
      ${this.#r?S(P(`refusals`),this.#t.render(e=>U(e,{isOfOne:!1,mended:()=>this.#t.reload()}))):i}
      ${this.#e.render(e=>d(P(`applications`),[{label:P(`field.name`),cell:e=>f(h(e.name),e.redirectUris[0]??e.origins[0]??e.identifier,[`applications`,e.applicationId])},{label:P(`field.kind`),cell:e=>Z(e)},{label:P(`changed`),cell:e=>g(e.details?.changeDate),isWide:!0}],e),p(P(`applications.none`)))}`}};function Z({kind:e}){return D(`APPLICATION_KIND_${A[e]}`)}var Ie=class extends I{#e=new L(this,z);#t=e=>{u(e,this.route),this.requestUpdate()};render(){return a`${b(P(`applications.add`),{up:[P(`applications`),m([`applications`])],lead:P(`applications.addLead`)})}
      ${this.#e.render(e=>this.#n(e))}`}#n(e){let{query:t}=this.route,n=t.get(`for`)??``,r=Le(t),o=e.find(e=>e.name===n);return a`<div class="filters">
        <div class="field"><label for="software">${P(`applications.software`)}</label><select id="software" name="for" @change=${this.#t}>
          <option value="">${P(`applications.otherSoftware`)}</option>
          ${e.map(e=>a`<option value=${e.name} ?selected=${e.name===n}>${e.program}</option>`)}
        </select></div>
        ${o?a`<div class="field"><label for="host">${P(`applications.host`)}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${o.name}.example.com`} .value=${r} @change=${this.#t} /></div>`:i}
      </div>
      ${o&&!r?p(P(`applications.hostLead`)):ye(`${n} ${r}`,this.#r(o,r))}`}#r(e,t){return S(P(`details`),C({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:Y},{name:`origins`,when:K(`GATE`),isRequired:!0},{name:`identifier`,when:K(`RESOURCE`),isRequired:!0},{name:`firstParty`,when:q},{heading:`applications.chosen`,when:X},{name:`applicationId`,when:X},{name:`secret`,when:Ne}],values:e?De(e,t):{},submit:P(`add`),cancel:()=>x([`applications`]),save:async({applicationId:n=``,secret:r=``,...i})=>{let a=T(ce,{application:i,applicationId:n,secret:r}),{applicationId:o}=await v(e=>W.createApplication(a,e));x([`applications`,o,`connect`],e?{for:e.name,host:t}:{})}}))}};function Le(e){return(e.get(`host`)??``).replace(/\/+$/,``)}var Q={part:`workloads`,field:`workloadIssuers`,fields:[`issuer`,`audience`,`subject`,`claims`].map(e=>({name:e,texts:`workloads.${e}`})),rowOf:e=>T(se,e),titleOf:({subject:e})=>e,columns:()=>[{label:P(`field.workloads.subject`),cell:e=>f(a`<code>${e.subject}</code>`,e.issuer)},{label:P(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:P(`field.workloads.audience`),cell:e=>a`<code>${e.audience}</code>`,isWide:!0}]},$={part:`claims`,field:`claims`,fields:[`name`,`attribute`,`text`,`target`].map(e=>({name:e,texts:`claims.${e}`})),rowOf:e=>T(le,e),titleOf:({name:e})=>e,columns:()=>[{label:P(`field.claims.name`),cell:e=>f(a`<code>${e.name}</code>`,``)},{label:P(`claims.value`),cell:e=>e.attribute?a`<code>${e.attribute}</code>`:e.text},{label:P(`field.claims.target`),cell:({target:e})=>D(`CLAIM_TARGET_${oe[e]}`),isWide:!0}]},Re=class extends I{#e=new L(this,z);#t=new L(this,()=>this.#a());#n=new L(this,()=>H({applicationId:this.#i}));#r=new L(this,async()=>t(`GroupService/ListGroups`)?(await de(e=>s(t=>je.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#i(){return this.route.path[1]??``}async#a(){let{application:e}=await s(e=>W.getApplication({applicationId:this.#i},e));return e}render(){return this.#t.render(e=>{let n=this.route.path[2];if(n===`scopes`)return this.route.path[3]?this.#d(e):this.#u(e);if(n===Q.part)return this.#h(Q,e);if(n===$.part)return this.#h($,e);let r=a`<button type="button" class="quiet danger" @click=${()=>this.#x(e)}>${P(`applications.remove`)}</button>`,o=[`applications`,e.applicationId];return a`${b(h(e.name),{up:[P(`applications`),m([`applications`])],lead:Z(e),actions:t(`ApplicationService/RemoveApplication`)?r:i})}
        ${te(e.name,[[P(`settings`),o,n===void 0],[P(`connect`),[...o,`connect`],n===`connect`],[P(`refusals`),[...o,`refusals`],n===`refusals`]])}
        ${n===`connect`?a`${this.#v(e)}${this.#s(e)}${xe(e)}`:n===`refusals`?this.#o():this.#c(e)}`})}#o(){let e=async()=>{await Promise.all([this.#t.reload(),this.#n.reload()])};return S(P(`refusals`),this.#n.render(t=>U(t,{isOfOne:!0,mended:e})),{lead:P(`refusals.lead`)})}#s({applicationId:e}){let{query:t}=this.route,n=this.#e.value?.find(e=>e.name===t.get(`for`));return n?S(P(`applications.softwareSettings`,{name:n.program}),a`${Oe(n,Le(t),e).map(([e,t])=>l(e,t))}
      ${n.note?a`<p class="hint" lang="en">${n.note}</p>`:i}`,{lead:P(`applications.softwareLead`)}):i}#c(e){let n=e=>({values:w(j,e),sequence:e.details.sequence}),{applicationId:r}=e;return a`${S(P(`details`),_([P(`clientId`),y(r,P(`clientId`))],[P(`created`),g(e.details?.creationDate)],[P(`changed`),g(e.details?.changeDate)]))}
      ${t(`ApplicationService/PatchApplication`)?S(P(`settings`),this.#r.render(t=>C({request:`PatchApplicationRequest`,within:`application`,fields:Pe(t),...n(e),submit:P(`save`),current:async()=>n(await this.#a()),save:(e,t,n)=>v(n=>W.patchApplication({application:{...T(j,ae(e,t)),applicationId:r},updateMask:O(t)},n),n)}))):i}
      ${e.kind===A.RESOURCE?this.#l(e):i}
      ${e.kind===A.SERVICE?this.#m(Q,e):i}
      ${q(w(j,e))?this.#m($,e):i}`}#l({applicationId:e,resourceScopes:n}){let r=t(`ApplicationService/PatchApplication`),o=[`applications`,e,`scopes`],s=a`<a class="button" href=${m(o)}>${P(`resourceScopes.add`)}</a>`,c=new Map(this.#r.value?.map(({groupId:e,displayName:t})=>[e,t]));return S(P(`resourceScopes`),n.length===0?p(P(`resourceScopes.none`)):d(P(`resourceScopes`),[{label:P(`field.resourceScopes.name`),cell:e=>f(a`<code>${e.name}</code>`,e.description,r?[...o,e.name]:void 0)},{label:P(`field.resourceScopes.allowedGroups`),cell:e=>e.allowedGroups.map(e=>c.get(e)??e).join(`, `),isWide:!0},{label:P(`actions`),isLabelHidden:!0,cell:e=>r?a`<button type="button" class="quiet danger" aria-label=${P(`removeOne`,{name:e.name})} @click=${()=>this.#p(e)}>${P(`remove`)}</button>`:i}],n),{lead:P(`resourceScopes.lead`),actions:r?s:i})}#u({applicationId:e,name:t}){let n=[`applications`,e];return a`${b(P(`resourceScopes.add`),{up:[t,m(n)],lead:P(`resourceScopes.lead`)})}
      ${this.#f({values:{},submit:P(`add`),cancel:()=>x(n),save:async e=>{let t=this.#t.value,r=T(M,e);await this.#g(t,{resourceScopes:[...t.resourceScopes,r]}),x(n)}})}`}#d(t){let n=[`applications`,t.applicationId],r=({resourceScopes:e})=>e.find(({name:e})=>e===this.route.path[3]),i=t=>({values:w(M,r(t)??e(M)),sequence:t.details.sequence}),o=[t.name,m(n)];return r(t)?a`${b(h(this.route.path[3]),{up:o,lead:P(`resourceScopes.oneLead`)})}
      ${this.#f({...i(t),submit:P(`save`),current:async()=>(await this.#t.reload(),i(this.#t.value)),save:async e=>{let t=this.#t.value,n=T(M,e),i=t.resourceScopes.map(e=>e===r(t)?n:e);await this.#g(t,{resourceScopes:i}),this.route=ee(this.route,n.name)}})}`:b(P(`failure.NOT_FOUND`),{up:o,lead:P(`missing.text`)})}#f(e){return S(P(`details`),this.#r.render(t=>C({request:`PatchApplicationRequest`,within:`application.resourceScopes`,fields:[{name:`name`,texts:`resourceScopes.name`},{name:`description`,texts:`resourceScopes.description`},{name:`allowedGroups`,texts:`resourceScopes.allowedGroups`,choices:t.map(({groupId:e,displayName:t})=>[e,t])}],...e})))}#p(e){let t=this.#t.value;F({title:P(`resourceScopes.removeTitle`,{name:e.name}),action:P(`remove`),consequences:async()=>[P(`resourceScopes.remove`)],act:async()=>{await this.#g(t,{resourceScopes:t.resourceScopes.filter(t=>t!==e)}),await this.#t.reload()},done:P(`removed`,{name:e.name})})}#m({part:e,field:n,columns:r,titleOf:o},s){let c=t(`ApplicationService/PatchApplication`),l=a`<a class="button" href=${m([`applications`,s.applicationId,e])}>${P(`${e}.add`)}</a>`,u=s[n];return S(P(e),u.length===0?p(P(`${e}.none`)):d(P(e),[...r(),{label:P(`actions`),isLabelHidden:!0,cell:t=>c?a`<button type="button" class="quiet danger" aria-label=${P(`removeOne`,{name:o(t)})} @click=${()=>this.#_({part:e,field:n,titleOf:o},t)}>${P(`remove`)}</button>`:i}],u),{lead:P(`${e}.lead`),actions:c?l:i})}#h({part:e,field:t,fields:n,rowOf:r},i){let o=[`applications`,i.applicationId];return a`${b(P(`${e}.add`),{up:[i.name,m(o)],lead:P(`${e}.lead`)})}
      ${S(P(`details`),C({request:`PatchApplicationRequest`,within:`application.${t}`,fields:n,values:{},submit:P(`add`),cancel:()=>x(o),save:async e=>{let n=i[t];await this.#g(i,{[t]:[...n,r(e)]}),x(o)}}))}`}async#g({applicationId:e,details:t},n){await v(t=>W.patchApplication({application:{applicationId:e,...n},updateMask:O(Object.keys(n))},t),t.sequence)}#_({part:e,field:t,titleOf:n},r){let i=this.#t.value,a=i[t];F({title:P(`${e}.removeTitle`,{name:n(r)}),action:P(`remove`),consequences:async()=>[P(`${e}.remove`)],act:async()=>{await this.#g(i,{[t]:a.filter(e=>e!==r)}),await this.#t.reload()},done:P(`removed`,{name:n(r)})})}#v(e){if(![A.WEB,A.SERVICE,A.RESOURCE].includes(e.kind))return i;let n=t(`ApplicationService/CreateApplicationSecret`),r=a`<button type="button" @click=${()=>void this.#y(e)}>${P(`applications.createSecret`)}</button>`;return S(P(`applications.secrets`),e.secrets.length===0?p(P(`applications.noSecrets`)):d(P(`applications.secrets`),[{label:`ID`,cell:e=>f(a`<code>${e.secretId}</code>`,``)},{label:P(`created`),cell:e=>g(e.createdAt),isWide:!0},{label:P(`actions`),isLabelHidden:!0,cell:t=>n?a`<button type="button" class="quiet danger" aria-label=${P(`removeOne`,{name:t.secretId})} @click=${()=>this.#b(e,t)}>${P(`remove`)}</button>`:i}],e.secrets),{lead:P(`applications.secretsLead`),actions:n?r:i})}async#y({applicationId:e}){try{let{secret:t}=await v(t=>W.createApplicationSecret({applicationId:e},t));me(P(`secret`),a`<p>${y(t,P(`secret`))}</p>`,()=>void this.#t.reload())}catch(e){c(e)}}#b({applicationId:e,secrets:t},{secretId:n}){F({title:P(`applications.removeSecretTitle`),action:P(`remove`),consequences:async()=>[P(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>o(t=>W.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await v(t=>W.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#t.reload()},done:P(`removed`,{name:P(`secret`)})})}#x({applicationId:e,name:t,secrets:n}){F({title:P(`applications.removeTitle`,{name:t}),action:P(`applications.remove`),consequences:async()=>[P(`applications.removeText`),...n.length>0?[pe(`applications.endsSecrets`,n.length)]:[]],check:()=>o(t=>W.removeApplication({applicationId:e},t)),act:async()=>{await v(t=>W.removeApplication({applicationId:e},t)),x([`applications`])},done:P(`removed`,{name:t})})}};customElements.define(`keystead-applications`,Fe),customElements.define(`keystead-application-new`,Ie),customElements.define(`keystead-application`,Re);export{Me as views};