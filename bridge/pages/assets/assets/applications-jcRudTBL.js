import{D as e,Jt as t,k as n,yt as r}from"./session-BgmNa748.js";import{B as i,G as a,H as o,I as s,J as c,K as l,M as ee,P as u,T as d,U as f,X as te,Y as p,Z as m,_ as ne,d as h,f as g,h as _,i as v,l as y,m as b,o as x,p as re,r as S,s as C,u as w,z as T}from"./index-DIV4B5JK.js";import{a as E,c as ie,d as ae,i as D,l as oe,n as O,o as k,r as se,s as A,t as j}from"./values-DAgpIMjz.js";import{a as M,i as ce,n as N,o as le,r as P,t as F}from"./application_service_pb-Cb4ByO2s.js";import{n as ue}from"./group_service_pb-Cl59Htl5.js";import{i as de,t as I}from"./dialogs-CwdJjqd9.js";import{n as fe,r as L,t as R}from"./view-94x20C4g.js";var{I:pe}=i,me={},he=(e,t=me)=>e._$AH=t,ge=ie(class extends oe{constructor(){super(...arguments),this.key=s}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(he(e),this.key=t),n}}),_e=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

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
`]],z=e.replace(/\/$/,``);function ve(e){let{applicationId:t,scopes:n,kind:r}=e;if(r===F.GATE)return be(e);if(r===F.RESOURCE)return ye(e);let i=`${z}/.well-known/openid-configuration`;return w(u(`connect`),T`${x([u(`connect.issuer`),S(z,u(`connect.issuer`))],[u(`connect.discovery`),S(i,u(`connect.discovery`))],[u(`clientId`),S(t,u(`clientId`))],n.length>0&&[u(`field.scopes`),S(n.join(` `),u(`field.scopes`))])}
  ${xe(e).map(([e,t])=>h(e,t))}`,{lead:u(`connect.lead`)})}function ye({applicationId:e,identifier:t}){return w(u(`connect`),x([u(`connect.issuer`),S(z,u(`connect.issuer`))],[u(`field.identifier`),S(t,u(`field.identifier`))],[u(`connect.keys`),S(`${z}/.well-known/jwks.json`,u(`connect.keys`))],[u(`connect.introspection`),S(`${z}/oauth/introspect`,u(`connect.introspection`))],[u(`clientId`),S(e,u(`clientId`))]),{lead:u(`connect.apiLead`)})}function be({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return w(u(`connect`),T`${x([u(`clientId`),S(e,u(`clientId`))],[u(`connect.check`),S(`${z}/gate/check`,u(`connect.check`))],[u(`connect.checkOverGrpc`),S(`envoy.service.auth.v3.Authorization/Check`,u(`connect.checkOverGrpc`))])}
  ${h(u(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${_e.map(([e,t])=>h(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:u(`connect.gateLead`)})}function xe({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,a=n[0]??`https://app.example.com/callback`;if(t===F.SERVICE)return[[`curl`,`curl ${z}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${z}/oauth/token", grant_type="client_credentials")`]];let o=t===F.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${z}"),\n  "${e}",${o?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${a}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${o?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${z}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${o?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${z}`]]}var Se=/https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g,Ce=/^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;async function B(){let{RECIPES:e}=await t(async()=>{let{RECIPES:e}=await import(`./recipes-WPnHagyT.js`);return{RECIPES:e}},[],import.meta.url);return e}function we({program:e,application:t},n){let r=Object.entries({name:e,...t}).map(([e,t])=>[e,Array.isArray(t)?t.map(e=>V(String(e),n)):V(t,n)]),i=Object.fromEntries(r);if(!Ce.test(n)||i.kind!==`APPLICATION_KIND_WEB`)return i;let{backchannelLogoutUri:a,...o}=i;return{...o,allowsHttp:!0}}function Te({settings:t},n,r){let i={"{issuer}":e.replace(/\/$/,``),"{client_id}":r,"{client_secret}":`CLIENT_SECRET`};return t.map(({where:e,text:t})=>[e,V(t,n,i).trim()])}function V(e,t,n={}){if(typeof e!=`string`)return e;let r={"https://{host}":t.includes(`://`)?t:`https://${t}`,"{host}":t.replace(/^.*:\/\//,``),...n};return e.replace(Se,e=>r[e]??e)}var H=f(P);async function U(e){return(await l(t=>H.listRefusals(e,t))).refusals}function W(e,{isOfOne:t,mended:n}){return e.length===0?v(u(t?`refusals.none`:`refusals.notFound`)):g(u(`refusals`),[{label:u(`refusals.remedy`),cell:e=>T`<p class="remedy" lang="en">${e.remedy}</p>
            <small><code>${e.endpoint} ${e.reason}</code> · ${b(e.refusedAt)} · ${e.count.toString()}×</small>
            ${e.patch&&d(`ApplicationService/PatchApplication`)?T`<button type="button" @click=${()=>Ee(e,n)}>${u(`refusals.mend`)}</button>`:s}`},...t?[]:[{label:u(`application`),cell:e=>_(y(e.applicationName),``,[`applications`,e.applicationId])}],{label:u(`requestId`),cell:e=>T`<code>${e.requestId}</code>`,isWide:!0}],e)}function Ee({applicationId:e,patch:t,patchMask:n},r){let i=0n,s=e=>H.patchApplication({application:t,updateMask:n},e);I({title:u(`refusals.mendTitle`),action:u(`refusals.set`),consequences:async()=>{let{application:r}=await l(t=>H.getApplication({applicationId:e},t));return i=r.details.sequence,De(t,r,n.paths)},check:()=>a(s),act:async()=>{await o(s,i),await r()},done:u(`refusals.mended`)})}function De(e,t,n){return n.flatMap(n=>{let r=n.replace(/_(.)/g,(e,t)=>t.toUpperCase()),[i,a]=[t,e].map(e=>ae(N,e)[r]);if(Array.isArray(a))return[...a.filter(e=>!(Array.isArray(i)&&i.includes(e))).map(e=>T`${k(r)}: + <code>${e}</code>`),T`${u(`refusals.anybody`)}`];let o=typeof a==`string`?A(a):u(a?`yes`:`no`);return[T`${k(r)}: <strong>${o}</strong>`,T`${u(`refusals.weakens`)}`]})}var G=f(P),Oe=f(ue),K=`+`;function ke({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===K?`keystead-application-new`:`keystead-application`}var q=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),J=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`),Y=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`,`RESOURCE`),X=q(`WEB`,`BROWSER`,`NATIVE`),Ae=q(`WEB`,`SERVICE`,`RESOURCE`),Z=q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`RESOURCE`);function je(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:X},{name:`postLogoutRedirectUris`,when:X},{name:`allowsHttp`,when:q(`WEB`)},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`scopes`,when:q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`GATE`)},{name:`requiresEmail`,when:e=>J(e)&&e.scopes?.includes(`email`)===!0},{name:`firstParty`,when:J},{heading:`applications.people`,when:Y},{name:`audience`,when:Y},{name:`admitsGroupsOnly`,when:Y},{name:`allowedGroups`,when:e=>Y(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:q(`WEB`,`SERVICE`,`RESOURCE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:q(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:X},{name:`idTokenAlg`,when:X},{name:`omitsIdTokenClaims`,when:X},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:X},{name:`refreshTokenIdleSeconds`,when:X},{name:`backchannelLogoutUri`,when:X},{name:`gateJwtHeader`,when:q(`GATE`)},{name:`gateIdentityHeaders`,when:q(`GATE`)}]}var Me=class extends L{#e=new fe(this,async e=>{let t=await l(t=>G.listApplications({pageToken:e},t));return{items:t.applications,next:t.nextPageToken}});#t=new R(this,()=>this.#r?U({requestId:this.#r}):Promise.resolve([]));#n=0;get#r(){return this.route.query.get(`request`)??``}#i=e=>{c(e,this.route),clearTimeout(this.#n),this.#n=window.setTimeout(()=>void this.#t.reload(),300)};render(){let e=d(`ApplicationService/CreateApplication`)?T`<a class="primary" href=${m([`applications`,K])}>${u(`applications.add`)}</a>`:s;return T`${C(u(`applications`),{lead:u(`applications.lead`),actions:e})}
      <search class="filters"><div class="field">
        <label for="refused-request">${u(`refusals.search`)}</label>
        <input id="refused-request" name="request" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder=${u(`requestId`)} .value=${this.#r} @input=${this.#i} />
      </div></search>
      ${this.#r?w(u(`refusals`),this.#t.render(e=>W(e,{isOfOne:!1,mended:()=>this.#t.reload()}))):s}
      ${this.#e.render(e=>g(u(`applications`),[{label:u(`field.name`),cell:e=>_(y(e.name),e.redirectUris[0]??e.origins[0]??e.identifier,[`applications`,e.applicationId])},{label:u(`field.kind`),cell:e=>Q(e)},{label:u(`changed`),cell:e=>b(e.details?.changeDate),isWide:!0}],e),v(u(`applications.none`)))}`}};function Q({kind:e}){return A(`APPLICATION_KIND_${F[e]}`)}var Ne=class extends L{#e=new R(this,B);#t=e=>{c(e,this.route),this.requestUpdate()};render(){return T`${C(u(`applications.add`),{up:[u(`applications`),m([`applications`])],lead:u(`applications.addLead`)})}
      ${this.#e.render(e=>this.#n(e))}`}#n(e){let{query:t}=this.route,n=t.get(`for`)??``,r=$(t),i=e.find(e=>e.name===n);return T`<div class="filters">
        <div class="field"><label for="software">${u(`applications.software`)}</label><select id="software" name="for" @change=${this.#t}>
          <option value="">${u(`applications.otherSoftware`)}</option>
          ${e.map(e=>T`<option value=${e.name} ?selected=${e.name===n}>${e.program}</option>`)}
        </select></div>
        ${i?T`<div class="field"><label for="host">${u(`applications.host`)}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${i.name}.example.com`} .value=${r} @change=${this.#t} /></div>`:s}
      </div>
      ${i&&!r?v(u(`applications.hostLead`)):ge(`${n} ${r}`,this.#r(i,r))}`}#r(e,t){return w(u(`details`),E({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:X},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`firstParty`,when:J},{heading:`applications.chosen`,when:Z},{name:`applicationId`,when:Z},{name:`secret`,when:Ae}],values:e?we(e,t):{},submit:u(`add`),cancel:()=>p([`applications`]),save:async({applicationId:n=``,secret:r=``,...i})=>{let a=O(ce,{application:i,applicationId:n,secret:r}),{applicationId:s}=await o(e=>G.createApplication(a,e));p([`applications`,s,`connect`],e?{for:e.name,host:t}:{})}}))}};function $(e){return(e.get(`host`)??``).replace(/\/+$/,``)}var Pe=class extends L{#e=new R(this,B);#t=new R(this,()=>this.#a());#n=new R(this,()=>U({applicationId:this.#i}));#r=new R(this,async()=>d(`GroupService/ListGroups`)?(await n(e=>l(t=>Oe.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#i(){return this.route.path[1]??``}async#a(){let{application:e}=await l(e=>G.getApplication({applicationId:this.#i},e));return e}render(){return this.#t.render(e=>{let t=this.route.path[2];if(t===`scopes`)return this.route.path[3]?this.#d(e):this.#u(e);if(t===`workloads`)return this.#h(e);let n=T`<button type="button" class="quiet danger" @click=${()=>this.#x(e)}>${u(`applications.remove`)}</button>`,r=[`applications`,e.applicationId];return T`${C(y(e.name),{up:[u(`applications`),m([`applications`])],lead:Q(e),actions:d(`ApplicationService/RemoveApplication`)?n:s})}
        ${re(e.name,[[u(`settings`),r,t===void 0],[u(`connect`),[...r,`connect`],t===`connect`],[u(`refusals`),[...r,`refusals`],t===`refusals`]])}
        ${t===`connect`?T`${this.#v(e)}${this.#s(e)}${ve(e)}`:t===`refusals`?this.#o():this.#c(e)}`})}#o(){let e=async()=>{await Promise.all([this.#t.reload(),this.#n.reload()])};return w(u(`refusals`),this.#n.render(t=>W(t,{isOfOne:!0,mended:e})),{lead:u(`refusals.lead`)})}#s({applicationId:e}){let{query:t}=this.route,n=this.#e.value?.find(e=>e.name===t.get(`for`));return n?w(u(`applications.softwareSettings`,{name:n.program}),T`${Te(n,$(t),e).map(([e,t])=>h(e,t))}
      ${n.note?T`<p class="hint" lang="en">${n.note}</p>`:s}`,{lead:u(`applications.softwareLead`)}):s}#c(e){let t=e=>({values:D(N,e),sequence:e.details.sequence}),{applicationId:n}=e;return T`${w(u(`details`),x([u(`clientId`),S(n,u(`clientId`))],[u(`created`),b(e.details?.creationDate)],[u(`changed`),b(e.details?.changeDate)]))}
      ${d(`ApplicationService/PatchApplication`)?w(u(`settings`),this.#r.render(r=>E({request:`PatchApplicationRequest`,within:`application`,fields:je(r),...t(e),submit:u(`save`),current:async()=>t(await this.#a()),save:(e,t,r)=>o(r=>G.patchApplication({application:{...O(N,se(e,t)),applicationId:n},updateMask:j(t)},r),r)}))):s}
      ${e.kind===F.RESOURCE?this.#l(e):s}
      ${e.kind===F.SERVICE?this.#m(e):s}`}#l({applicationId:e,resourceScopes:t}){let n=d(`ApplicationService/PatchApplication`),r=[`applications`,e,`scopes`],i=T`<a class="button" href=${m(r)}>${u(`resourceScopes.add`)}</a>`,a=new Map(this.#r.value?.map(({groupId:e,displayName:t})=>[e,t]));return w(u(`resourceScopes`),t.length===0?v(u(`resourceScopes.none`)):g(u(`resourceScopes`),[{label:u(`field.resourceScopes.name`),cell:e=>_(T`<code>${e.name}</code>`,e.description,n?[...r,e.name]:void 0)},{label:u(`field.resourceScopes.allowedGroups`),cell:e=>e.allowedGroups.map(e=>a.get(e)??e).join(`, `),isWide:!0},{label:u(`actions`),isLabelHidden:!0,cell:e=>n?T`<button type="button" class="quiet danger" aria-label=${u(`removeOne`,{name:e.name})} @click=${()=>this.#p(e)}>${u(`remove`)}</button>`:s}],t),{lead:u(`resourceScopes.lead`),actions:n?i:s})}#u({applicationId:e,name:t}){let n=[`applications`,e];return T`${C(u(`resourceScopes.add`),{up:[t,m(n)],lead:u(`resourceScopes.lead`)})}
      ${this.#f({values:{},submit:u(`add`),cancel:()=>p(n),save:async e=>{let t=this.#t.value,r=O(M,e);await this.#g(t,{resourceScopes:[...t.resourceScopes,r]}),p(n)}})}`}#d(e){let t=[`applications`,e.applicationId],n=({resourceScopes:e})=>e.find(({name:e})=>e===this.route.path[3]),i=e=>({values:D(M,n(e)??r(M)),sequence:e.details.sequence}),a=[e.name,m(t)];return n(e)?T`${C(y(this.route.path[3]),{up:a,lead:u(`resourceScopes.oneLead`)})}
      ${this.#f({...i(e),submit:u(`save`),current:async()=>(await this.#t.reload(),i(this.#t.value)),save:async e=>{let t=this.#t.value,r=O(M,e),i=t.resourceScopes.map(e=>e===n(t)?r:e);await this.#g(t,{resourceScopes:i}),this.route=te(this.route,r.name)}})}`:C(u(`failure.NOT_FOUND`),{up:a,lead:u(`missing.text`)})}#f(e){return w(u(`details`),this.#r.render(t=>E({request:`PatchApplicationRequest`,within:`application.resourceScopes`,fields:[{name:`name`,texts:`resourceScopes.name`},{name:`description`,texts:`resourceScopes.description`},{name:`allowedGroups`,texts:`resourceScopes.allowedGroups`,choices:t.map(({groupId:e,displayName:t})=>[e,t])}],...e})))}#p(e){let t=this.#t.value;I({title:u(`resourceScopes.removeTitle`,{name:e.name}),action:u(`remove`),consequences:async()=>[u(`resourceScopes.remove`)],act:async()=>{await this.#g(t,{resourceScopes:t.resourceScopes.filter(t=>t!==e)}),await this.#t.reload()},done:u(`removed`,{name:e.name})})}#m({applicationId:e,workloadIssuers:t}){let n=d(`ApplicationService/PatchApplication`),r=T`<a class="button" href=${m([`applications`,e,`workloads`])}>${u(`workloads.add`)}</a>`;return w(u(`workloads`),t.length===0?v(u(`workloads.none`)):g(u(`workloads`),[{label:u(`field.workloads.subject`),cell:e=>_(T`<code>${e.subject}</code>`,e.issuer)},{label:u(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:u(`field.workloads.audience`),cell:e=>T`<code>${e.audience}</code>`,isWide:!0},{label:u(`actions`),isLabelHidden:!0,cell:e=>n?T`<button type="button" class="quiet danger" aria-label=${u(`removeOne`,{name:e.subject})} @click=${()=>this.#_(e)}>${u(`remove`)}</button>`:s}],t),{lead:u(`workloads.lead`),actions:n?r:s})}#h(e){let t=[`applications`,e.applicationId];return T`${C(u(`workloads.add`),{up:[e.name,m(t)],lead:u(`workloads.lead`)})}
      ${w(u(`details`),E({request:`PatchApplicationRequest`,within:`application.workloadIssuers`,fields:[{name:`issuer`,texts:`workloads.issuer`},{name:`audience`,texts:`workloads.audience`},{name:`subject`,texts:`workloads.subject`},{name:`claims`,texts:`workloads.claims`}],values:{},submit:u(`add`),cancel:()=>p(t),save:async n=>{let r=O(le,n);await this.#g(e,{workloadIssuers:[...e.workloadIssuers,r]}),p(t)}}))}`}async#g({applicationId:e,details:t},n){await o(t=>G.patchApplication({application:{applicationId:e,...n},updateMask:j(Object.keys(n))},t),t.sequence)}#_(e){let t=this.#t.value;I({title:u(`workloads.removeTitle`,{name:e.subject}),action:u(`remove`),consequences:async()=>[u(`workloads.remove`)],act:async()=>{await this.#g(t,{workloadIssuers:t.workloadIssuers.filter(t=>t!==e)}),await this.#t.reload()},done:u(`removed`,{name:e.subject})})}#v(e){if(![F.WEB,F.SERVICE,F.RESOURCE].includes(e.kind))return s;let t=d(`ApplicationService/CreateApplicationSecret`),n=T`<button type="button" @click=${()=>void this.#y(e)}>${u(`applications.createSecret`)}</button>`;return w(u(`applications.secrets`),e.secrets.length===0?v(u(`applications.noSecrets`)):g(u(`applications.secrets`),[{label:`ID`,cell:e=>_(T`<code>${e.secretId}</code>`,``)},{label:u(`created`),cell:e=>b(e.createdAt),isWide:!0},{label:u(`actions`),isLabelHidden:!0,cell:n=>t?T`<button type="button" class="quiet danger" aria-label=${u(`removeOne`,{name:n.secretId})} @click=${()=>this.#b(e,n)}>${u(`remove`)}</button>`:s}],e.secrets),{lead:u(`applications.secretsLead`),actions:t?n:s})}async#y({applicationId:e}){try{let{secret:t}=await o(t=>G.createApplicationSecret({applicationId:e},t));de(u(`secret`),T`<p>${S(t,u(`secret`))}</p>`,()=>void this.#t.reload())}catch(e){ne(e)}}#b({applicationId:e,secrets:t},{secretId:n}){I({title:u(`applications.removeSecretTitle`),action:u(`remove`),consequences:async()=>[u(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>a(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await o(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#t.reload()},done:u(`removed`,{name:u(`secret`)})})}#x({applicationId:e,name:t,secrets:n}){I({title:u(`applications.removeTitle`,{name:t}),action:u(`applications.remove`),consequences:async()=>[u(`applications.removeText`),...n.length>0?[ee(`applications.endsSecret`,`applications.endsSecrets`,n.length)]:[]],check:()=>a(t=>G.removeApplication({applicationId:e},t)),act:async()=>{await o(t=>G.removeApplication({applicationId:e},t)),p([`applications`])},done:u(`removed`,{name:t})})}};customElements.define(`keystead-applications`,Me),customElements.define(`keystead-application-new`,Ne),customElements.define(`keystead-application`,Pe);export{ke as views};