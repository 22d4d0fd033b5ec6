import{D as e,Jt as t,k as n,yt as r}from"./session-CFmU2F3t.js";import{$ as i,B as a,K as o,L as s,Q as c,T as l,U as u,V as ee,W as d,X as f,Z as p,_ as te,d as m,f as h,h as g,i as _,l as v,m as y,o as b,p as ne,q as x,r as S,s as C,u as w}from"./index-DndOXDiy.js";import{a as T,c as re,d as ie,i as E,l as ae,n as D,o as O,r as oe,s as k,t as A}from"./values-CidKlxry.js";import{a as j,i as se,n as M,o as ce,r as N,t as P}from"./application_service_pb-CBXhtkoc.js";import{n as le}from"./group_service_pb-C5FXNZRk.js";import{n as F,t as ue}from"./view_words-BWnJquue.js";import{i as de,t as I}from"./dialogs-CjOZmdHA.js";import{n as fe,r as L,t as R}from"./view-noVNEiP9.js";var{I:pe}=ee,me={},he=(e,t=me)=>e._$AH=t,ge=re(class extends ae{constructor(){super(...arguments),this.key=s}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(he(e),this.key=t),n}}),_e=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

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
`]],z=e.replace(/\/$/,``);function ve(e){let{applicationId:t,scopes:n,kind:r}=e;if(r===P.GATE)return be(e);if(r===P.RESOURCE)return ye(e);let i=`${z}/.well-known/openid-configuration`;return w(F(`connect`),a`${b([F(`connect.issuer`),S(z,F(`connect.issuer`))],[F(`connect.discovery`),S(i,F(`connect.discovery`))],[F(`clientId`),S(t,F(`clientId`))],n.length>0&&[F(`field.scopes`),S(n.join(` `),F(`field.scopes`))])}
  ${xe(e).map(([e,t])=>m(e,t))}`,{lead:F(`connect.lead`)})}function ye({applicationId:e,identifier:t}){return w(F(`connect`),b([F(`connect.issuer`),S(z,F(`connect.issuer`))],[F(`field.identifier`),S(t,F(`field.identifier`))],[F(`connect.keys`),S(`${z}/.well-known/jwks.json`,F(`connect.keys`))],[F(`connect.introspection`),S(`${z}/oauth/introspect`,F(`connect.introspection`))],[F(`clientId`),S(e,F(`clientId`))]),{lead:F(`connect.apiLead`)})}function be({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return w(F(`connect`),a`${b([F(`clientId`),S(e,F(`clientId`))],[F(`connect.check`),S(`${z}/gate/check`,F(`connect.check`))],[F(`connect.checkOverGrpc`),S(`envoy.service.auth.v3.Authorization/Check`,F(`connect.checkOverGrpc`))])}
  ${m(F(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${_e.map(([e,t])=>m(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:F(`connect.gateLead`)})}function xe({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,a=n[0]??`https://app.example.com/callback`;if(t===P.SERVICE)return[[`curl`,`curl ${z}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${z}/oauth/token", grant_type="client_credentials")`]];let o=t===P.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${z}"),\n  "${e}",${o?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${a}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${o?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${z}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${o?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${z}`]]}var Se=/https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g,Ce=/^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;async function B(){let{RECIPES:e}=await t(async()=>{let{RECIPES:e}=await import(`./recipes-ChHU_lgJ.js`);return{RECIPES:e}},[],import.meta.url);return e}function we({program:e,application:t},n){let r=Object.entries({name:e,...t}).map(([e,t])=>[e,Array.isArray(t)?t.map(e=>V(String(e),n)):V(t,n)]),i=Object.fromEntries(r);if(!Ce.test(n)||i.kind!==`APPLICATION_KIND_WEB`)return i;let{backchannelLogoutUri:a,...o}=i;return{...o,allowsHttp:!0}}function Te({settings:t},n,r){let i={"{issuer}":e.replace(/\/$/,``),"{client_id}":r,"{client_secret}":`CLIENT_SECRET`};return t.map(({where:e,text:t})=>[e,V(t,n,i).trim()])}function V(e,t,n={}){if(typeof e!=`string`)return e;let r={"https://{host}":t.includes(`://`)?t:`https://${t}`,"{host}":t.replace(/^.*:\/\//,``),...n};return e.replace(Se,e=>r[e]??e)}var H=d(N);async function U(e){return(await x(t=>H.listRefusals(e,t))).refusals}function W(e,{isOfOne:t,mended:n}){return e.length===0?_(F(t?`refusals.none`:`refusals.notFound`)):h(F(`refusals`),[{label:F(`refusals.remedy`),cell:e=>a`<p class="remedy" lang="en">${e.remedy}</p>
            <small><code>${e.endpoint} ${e.reason}</code> · ${y(e.refusedAt)} · ${e.count.toString()}×</small>
            ${e.patch&&l(`ApplicationService/PatchApplication`)?a`<button type="button" @click=${()=>Ee(e,n)}>${F(`refusals.mend`)}</button>`:s}`},...t?[]:[{label:F(`application`),cell:e=>g(v(e.applicationName),``,[`applications`,e.applicationId])}],{label:F(`requestId`),cell:e=>a`<code>${e.requestId}</code>`,isWide:!0}],e)}function Ee({applicationId:e,patch:t,patchMask:n},r){let i=0n,a=e=>H.patchApplication({application:t,updateMask:n},e);I({title:F(`refusals.mendTitle`),action:F(`refusals.set`),consequences:async()=>{let{application:r}=await x(t=>H.getApplication({applicationId:e},t));return i=r.details.sequence,De(t,r,n.paths)},check:()=>o(a),act:async()=>{await u(a,i),await r()},done:F(`refusals.mended`)})}function De(e,t,n){return n.flatMap(n=>{let r=n.replace(/_(.)/g,(e,t)=>t.toUpperCase()),[i,o]=[t,e].map(e=>ie(M,e)[r]);if(Array.isArray(o))return[...o.filter(e=>!(Array.isArray(i)&&i.includes(e))).map(e=>a`${O(r)}: + <code>${e}</code>`),a`${F(`refusals.anybody`)}`];let s=typeof o==`string`?k(o):F(o?`yes`:`no`);return[a`${O(r)}: <strong>${s}</strong>`,a`${F(`refusals.weakens`)}`]})}var G=d(N),Oe=d(le),K=`+`;function ke({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===K?`keystead-application-new`:`keystead-application`}var q=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),J=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`),Y=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`,`RESOURCE`),X=q(`WEB`,`BROWSER`,`NATIVE`),Ae=q(`WEB`,`SERVICE`,`RESOURCE`),Z=q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`RESOURCE`);function je(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:X},{name:`postLogoutRedirectUris`,when:X},{name:`allowsHttp`,when:q(`WEB`)},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`scopes`,when:q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`GATE`)},{name:`requiresEmail`,when:e=>J(e)&&e.scopes?.includes(`email`)===!0},{name:`firstParty`,when:J},{heading:`applications.people`,when:Y},{name:`audience`,when:Y},{name:`admitsGroupsOnly`,when:Y},{name:`allowedGroups`,when:e=>Y(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:q(`WEB`,`SERVICE`,`RESOURCE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:q(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:X},{name:`idTokenAlg`,when:X},{name:`omitsIdTokenClaims`,when:X},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:X},{name:`refreshTokenIdleSeconds`,when:X},{name:`backchannelLogoutUri`,when:X},{name:`gateJwtHeader`,when:q(`GATE`)},{name:`gateIdentityHeaders`,when:q(`GATE`)}]}var Me=class extends L{#e=new fe(this,async e=>{let t=await x(t=>G.listApplications({pageToken:e},t));return{items:t.applications,next:t.nextPageToken}});#t=new R(this,()=>this.#r?U({requestId:this.#r}):Promise.resolve([]));#n=0;get#r(){return this.route.query.get(`request`)??``}#i=e=>{f(e,this.route),clearTimeout(this.#n),this.#n=window.setTimeout(()=>void this.#t.reload(),300)};render(){let e=l(`ApplicationService/CreateApplication`)?a`<a class="primary" href=${i([`applications`,K])}>${F(`applications.add`)}</a>`:s;return a`${C(F(`applications`),{lead:F(`applications.lead`),actions:e})}
      <search class="filters"><div class="field">
        <label for="refused-request">${F(`refusals.search`)}</label>
        <input id="refused-request" name="request" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder=${F(`requestId`)} .value=${this.#r} @input=${this.#i} />
      </div></search>
      ${this.#r?w(F(`refusals`),this.#t.render(e=>W(e,{isOfOne:!1,mended:()=>this.#t.reload()}))):s}
      ${this.#e.render(e=>h(F(`applications`),[{label:F(`field.name`),cell:e=>g(v(e.name),e.redirectUris[0]??e.origins[0]??e.identifier,[`applications`,e.applicationId])},{label:F(`field.kind`),cell:e=>Q(e)},{label:F(`changed`),cell:e=>y(e.details?.changeDate),isWide:!0}],e),_(F(`applications.none`)))}`}};function Q({kind:e}){return k(`APPLICATION_KIND_${P[e]}`)}var Ne=class extends L{#e=new R(this,B);#t=e=>{f(e,this.route),this.requestUpdate()};render(){return a`${C(F(`applications.add`),{up:[F(`applications`),i([`applications`])],lead:F(`applications.addLead`)})}
      ${this.#e.render(e=>this.#n(e))}`}#n(e){let{query:t}=this.route,n=t.get(`for`)??``,r=$(t),i=e.find(e=>e.name===n);return a`<div class="filters">
        <div class="field"><label for="software">${F(`applications.software`)}</label><select id="software" name="for" @change=${this.#t}>
          <option value="">${F(`applications.otherSoftware`)}</option>
          ${e.map(e=>a`<option value=${e.name} ?selected=${e.name===n}>${e.program}</option>`)}
        </select></div>
        ${i?a`<div class="field"><label for="host">${F(`applications.host`)}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${i.name}.example.com`} .value=${r} @change=${this.#t} /></div>`:s}
      </div>
      ${i&&!r?_(F(`applications.hostLead`)):ge(`${n} ${r}`,this.#r(i,r))}`}#r(e,t){return w(F(`details`),T({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:X},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`firstParty`,when:J},{heading:`applications.chosen`,when:Z},{name:`applicationId`,when:Z},{name:`secret`,when:Ae}],values:e?we(e,t):{},submit:F(`add`),cancel:()=>p([`applications`]),save:async({applicationId:n=``,secret:r=``,...i})=>{let a=D(se,{application:i,applicationId:n,secret:r}),{applicationId:o}=await u(e=>G.createApplication(a,e));p([`applications`,o,`connect`],e?{for:e.name,host:t}:{})}}))}};function $(e){return(e.get(`host`)??``).replace(/\/+$/,``)}var Pe=class extends L{#e=new R(this,B);#t=new R(this,()=>this.#a());#n=new R(this,()=>U({applicationId:this.#i}));#r=new R(this,async()=>l(`GroupService/ListGroups`)?(await n(e=>x(t=>Oe.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#i(){return this.route.path[1]??``}async#a(){let{application:e}=await x(e=>G.getApplication({applicationId:this.#i},e));return e}render(){return this.#t.render(e=>{let t=this.route.path[2];if(t===`scopes`)return this.route.path[3]?this.#d(e):this.#u(e);if(t===`workloads`)return this.#h(e);let n=a`<button type="button" class="quiet danger" @click=${()=>this.#x(e)}>${F(`applications.remove`)}</button>`,r=[`applications`,e.applicationId];return a`${C(v(e.name),{up:[F(`applications`),i([`applications`])],lead:Q(e),actions:l(`ApplicationService/RemoveApplication`)?n:s})}
        ${ne(e.name,[[F(`settings`),r,t===void 0],[F(`connect`),[...r,`connect`],t===`connect`],[F(`refusals`),[...r,`refusals`],t===`refusals`]])}
        ${t===`connect`?a`${this.#v(e)}${this.#s(e)}${ve(e)}`:t===`refusals`?this.#o():this.#c(e)}`})}#o(){let e=async()=>{await Promise.all([this.#t.reload(),this.#n.reload()])};return w(F(`refusals`),this.#n.render(t=>W(t,{isOfOne:!0,mended:e})),{lead:F(`refusals.lead`)})}#s({applicationId:e}){let{query:t}=this.route,n=this.#e.value?.find(e=>e.name===t.get(`for`));return n?w(F(`applications.softwareSettings`,{name:n.program}),a`${Te(n,$(t),e).map(([e,t])=>m(e,t))}
      ${n.note?a`<p class="hint" lang="en">${n.note}</p>`:s}`,{lead:F(`applications.softwareLead`)}):s}#c(e){let t=e=>({values:E(M,e),sequence:e.details.sequence}),{applicationId:n}=e;return a`${w(F(`details`),b([F(`clientId`),S(n,F(`clientId`))],[F(`created`),y(e.details?.creationDate)],[F(`changed`),y(e.details?.changeDate)]))}
      ${l(`ApplicationService/PatchApplication`)?w(F(`settings`),this.#r.render(r=>T({request:`PatchApplicationRequest`,within:`application`,fields:je(r),...t(e),submit:F(`save`),current:async()=>t(await this.#a()),save:(e,t,r)=>u(r=>G.patchApplication({application:{...D(M,oe(e,t)),applicationId:n},updateMask:A(t)},r),r)}))):s}
      ${e.kind===P.RESOURCE?this.#l(e):s}
      ${e.kind===P.SERVICE?this.#m(e):s}`}#l({applicationId:e,resourceScopes:t}){let n=l(`ApplicationService/PatchApplication`),r=[`applications`,e,`scopes`],o=a`<a class="button" href=${i(r)}>${F(`resourceScopes.add`)}</a>`,c=new Map(this.#r.value?.map(({groupId:e,displayName:t})=>[e,t]));return w(F(`resourceScopes`),t.length===0?_(F(`resourceScopes.none`)):h(F(`resourceScopes`),[{label:F(`field.resourceScopes.name`),cell:e=>g(a`<code>${e.name}</code>`,e.description,n?[...r,e.name]:void 0)},{label:F(`field.resourceScopes.allowedGroups`),cell:e=>e.allowedGroups.map(e=>c.get(e)??e).join(`, `),isWide:!0},{label:F(`actions`),isLabelHidden:!0,cell:e=>n?a`<button type="button" class="quiet danger" aria-label=${F(`removeOne`,{name:e.name})} @click=${()=>this.#p(e)}>${F(`remove`)}</button>`:s}],t),{lead:F(`resourceScopes.lead`),actions:n?o:s})}#u({applicationId:e,name:t}){let n=[`applications`,e];return a`${C(F(`resourceScopes.add`),{up:[t,i(n)],lead:F(`resourceScopes.lead`)})}
      ${this.#f({values:{},submit:F(`add`),cancel:()=>p(n),save:async e=>{let t=this.#t.value,r=D(j,e);await this.#g(t,{resourceScopes:[...t.resourceScopes,r]}),p(n)}})}`}#d(e){let t=[`applications`,e.applicationId],n=({resourceScopes:e})=>e.find(({name:e})=>e===this.route.path[3]),o=e=>({values:E(j,n(e)??r(j)),sequence:e.details.sequence}),s=[e.name,i(t)];return n(e)?a`${C(v(this.route.path[3]),{up:s,lead:F(`resourceScopes.oneLead`)})}
      ${this.#f({...o(e),submit:F(`save`),current:async()=>(await this.#t.reload(),o(this.#t.value)),save:async e=>{let t=this.#t.value,r=D(j,e),i=t.resourceScopes.map(e=>e===n(t)?r:e);await this.#g(t,{resourceScopes:i}),this.route=c(this.route,r.name)}})}`:C(F(`failure.NOT_FOUND`),{up:s,lead:F(`missing.text`)})}#f(e){return w(F(`details`),this.#r.render(t=>T({request:`PatchApplicationRequest`,within:`application.resourceScopes`,fields:[{name:`name`,texts:`resourceScopes.name`},{name:`description`,texts:`resourceScopes.description`},{name:`allowedGroups`,texts:`resourceScopes.allowedGroups`,choices:t.map(({groupId:e,displayName:t})=>[e,t])}],...e})))}#p(e){let t=this.#t.value;I({title:F(`resourceScopes.removeTitle`,{name:e.name}),action:F(`remove`),consequences:async()=>[F(`resourceScopes.remove`)],act:async()=>{await this.#g(t,{resourceScopes:t.resourceScopes.filter(t=>t!==e)}),await this.#t.reload()},done:F(`removed`,{name:e.name})})}#m({applicationId:e,workloadIssuers:t}){let n=l(`ApplicationService/PatchApplication`),r=a`<a class="button" href=${i([`applications`,e,`workloads`])}>${F(`workloads.add`)}</a>`;return w(F(`workloads`),t.length===0?_(F(`workloads.none`)):h(F(`workloads`),[{label:F(`field.workloads.subject`),cell:e=>g(a`<code>${e.subject}</code>`,e.issuer)},{label:F(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:F(`field.workloads.audience`),cell:e=>a`<code>${e.audience}</code>`,isWide:!0},{label:F(`actions`),isLabelHidden:!0,cell:e=>n?a`<button type="button" class="quiet danger" aria-label=${F(`removeOne`,{name:e.subject})} @click=${()=>this.#_(e)}>${F(`remove`)}</button>`:s}],t),{lead:F(`workloads.lead`),actions:n?r:s})}#h(e){let t=[`applications`,e.applicationId];return a`${C(F(`workloads.add`),{up:[e.name,i(t)],lead:F(`workloads.lead`)})}
      ${w(F(`details`),T({request:`PatchApplicationRequest`,within:`application.workloadIssuers`,fields:[{name:`issuer`,texts:`workloads.issuer`},{name:`audience`,texts:`workloads.audience`},{name:`subject`,texts:`workloads.subject`},{name:`claims`,texts:`workloads.claims`}],values:{},submit:F(`add`),cancel:()=>p(t),save:async n=>{let r=D(ce,n);await this.#g(e,{workloadIssuers:[...e.workloadIssuers,r]}),p(t)}}))}`}async#g({applicationId:e,details:t},n){await u(t=>G.patchApplication({application:{applicationId:e,...n},updateMask:A(Object.keys(n))},t),t.sequence)}#_(e){let t=this.#t.value;I({title:F(`workloads.removeTitle`,{name:e.subject}),action:F(`remove`),consequences:async()=>[F(`workloads.remove`)],act:async()=>{await this.#g(t,{workloadIssuers:t.workloadIssuers.filter(t=>t!==e)}),await this.#t.reload()},done:F(`removed`,{name:e.subject})})}#v(e){if(![P.WEB,P.SERVICE,P.RESOURCE].includes(e.kind))return s;let t=l(`ApplicationService/CreateApplicationSecret`),n=a`<button type="button" @click=${()=>void this.#y(e)}>${F(`applications.createSecret`)}</button>`;return w(F(`applications.secrets`),e.secrets.length===0?_(F(`applications.noSecrets`)):h(F(`applications.secrets`),[{label:`ID`,cell:e=>g(a`<code>${e.secretId}</code>`,``)},{label:F(`created`),cell:e=>y(e.createdAt),isWide:!0},{label:F(`actions`),isLabelHidden:!0,cell:n=>t?a`<button type="button" class="quiet danger" aria-label=${F(`removeOne`,{name:n.secretId})} @click=${()=>this.#b(e,n)}>${F(`remove`)}</button>`:s}],e.secrets),{lead:F(`applications.secretsLead`),actions:t?n:s})}async#y({applicationId:e}){try{let{secret:t}=await u(t=>G.createApplicationSecret({applicationId:e},t));de(F(`secret`),a`<p>${S(t,F(`secret`))}</p>`,()=>void this.#t.reload())}catch(e){te(e)}}#b({applicationId:e,secrets:t},{secretId:n}){I({title:F(`applications.removeSecretTitle`),action:F(`remove`),consequences:async()=>[F(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>o(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await u(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#t.reload()},done:F(`removed`,{name:F(`secret`)})})}#x({applicationId:e,name:t,secrets:n}){I({title:F(`applications.removeTitle`,{name:t}),action:F(`applications.remove`),consequences:async()=>[F(`applications.removeText`),...n.length>0?[ue(`applications.endsSecret`,`applications.endsSecrets`,n.length)]:[]],check:()=>o(t=>G.removeApplication({applicationId:e},t)),act:async()=>{await u(t=>G.removeApplication({applicationId:e},t)),p([`applications`])},done:F(`removed`,{name:t})})}};customElements.define(`keystead-applications`,Me),customElements.define(`keystead-application-new`,Ne),customElements.define(`keystead-application`,Pe);export{ke as views};