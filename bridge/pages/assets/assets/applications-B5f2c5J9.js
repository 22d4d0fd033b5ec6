import{A as e,B as t,Ft as n,H as r,It as i,L as a,Lt as o,M as s,P as c,Q as l,R as ee,Rt as u,T as d,W as te,_ as f,ct as p,d as m,et as h,f as g,h as _,i as v,l as y,m as b,o as x,ot as S,p as ne,r as C,s as w,st as T,u as E}from"./index-CUDXOKEc.js";import{a as D,c as re,i as ie,l as ae,n as O,o as k,r as oe,s as A,t as j}from"./values-Dx3M-Wst.js";import{D as M,Kt as se,k as ce}from"./session-CqJ2F21T.js";import{i as le,t as N}from"./dialogs-BvHev5_T.js";import{i as ue,n as de,r as P,t as F}from"./view-DjcKAd56.js";var{I:fe}=ee,I={},L=(e,t=I)=>e._$AH=t,R=re(class extends ae{constructor(){super(...arguments),this.key=c}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(L(e),this.key=t),n}}),z=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

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
`]],B=M.replace(/\/$/,``);function V(e){let{applicationId:t,scopes:r,kind:i}=e;if(i===n.GATE)return H(e);if(i===n.RESOURCE)return pe(e);let o=`${B}/.well-known/openid-configuration`;return E(s(`connect`),a`${x([s(`connect.issuer`),C(B,s(`connect.issuer`))],[s(`connect.discovery`),C(o,s(`connect.discovery`))],[s(`clientId`),C(t,s(`clientId`))],r.length>0&&[s(`field.scopes`),C(r.join(` `),s(`field.scopes`))])}
  ${me(e).map(([e,t])=>m(e,t))}`,{lead:s(`connect.lead`)})}function pe({applicationId:e,identifier:t}){return E(s(`connect`),x([s(`connect.issuer`),C(B,s(`connect.issuer`))],[s(`field.identifier`),C(t,s(`field.identifier`))],[s(`connect.keys`),C(`${B}/.well-known/jwks.json`,s(`connect.keys`))],[s(`connect.introspection`),C(`${B}/oauth/introspect`,s(`connect.introspection`))],[s(`clientId`),C(e,s(`clientId`))]),{lead:s(`connect.apiLead`)})}function H({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return E(s(`connect`),a`${x([s(`clientId`),C(e,s(`clientId`))],[s(`connect.check`),C(`${B}/gate/check`,s(`connect.check`))],[s(`connect.checkOverGrpc`),C(`envoy.service.auth.v3.Authorization/Check`,s(`connect.checkOverGrpc`))])}
  ${m(s(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${z.map(([e,t])=>m(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:s(`connect.gateLead`)})}function me({applicationId:e,kind:t,redirectUris:r,scopes:i}){let a=i.join(` `)||`openid`,o=r[0]??`https://app.example.com/callback`;if(t===n.SERVICE)return[[`curl`,`curl ${B}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${B}/oauth/token", grant_type="client_credentials")`]];let s=t===n.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${B}"),\n  "${e}",${s?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${o}",\n  scope: "${a}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${s?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${B}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${a}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${s?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${i.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${B}`]]}var he=/https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g;async function U(){let{RECIPES:e}=await se(async()=>{let{RECIPES:e}=await import(`./recipes-UNQYiuKm.js`);return{RECIPES:e}},[],import.meta.url);return e}function ge({program:e,application:t},n){let r=Object.entries({name:e,...t}).map(([e,t])=>[e,Array.isArray(t)?t.map(e=>W(String(e),n)):W(t,n)]),i=Object.fromEntries(r),{backchannelLogoutUri:a,...o}=i;return n.startsWith(`http://`)?o:i}function _e({settings:e},t,n){let r={"{issuer}":M.replace(/\/$/,``),"{client_id}":n,"{client_secret}":`CLIENT_SECRET`};return e.map(({where:e,text:n})=>[e,W(n,t,r).trim()])}function W(e,t,n={}){if(typeof e!=`string`)return e;let r={"https://{host}":t.includes(`://`)?t:`https://${t}`,"{host}":t.replace(/^.*:\/\//,``),...n};return e.replace(he,e=>r[e]??e)}async function G(e){return(await h(n=>t.listRefusals(e,n))).refusals}function K(e,{isOfOne:t,mended:n}){return e.length===0?v(s(t?`refusals.none`:`refusals.notFound`)):g(s(`refusals`),[{label:s(`refusals.remedy`),cell:e=>a`<p class="remedy" lang="en">${e.remedy}</p>
            <small><code>${e.endpoint} ${e.reason}</code> · ${b(e.refusedAt)} · ${e.count.toString()}×</small>`},...t?[]:[{label:s(`application`),cell:e=>_(y(e.applicationName),``,[`applications`,e.applicationId])}],{label:s(`requestId`),cell:e=>a`<code>${e.requestId}</code>`,isWide:!0},{label:s(`actions`),isLabelHidden:!0,cell:e=>e.patch&&d(`ApplicationService/PatchApplication`)?a`<button type="button" @click=${()=>ve(e,n)}>${s(`refusals.mend`)}</button>`:c}],e)}function ve({applicationId:e,patch:n,patchMask:i},a){let o=0n,c=e=>t.patchApplication({application:n,updateMask:i},e);N({title:s(`refusals.mendTitle`),action:s(`refusals.set`),consequences:async()=>{let{application:r}=await h(n=>t.getApplication({applicationId:e},n));return o=r.details.sequence,ye(n,r,i.paths)},check:()=>l(c),act:async()=>{await r(c,o),await a()},done:s(`refusals.mended`)})}function ye(e,t,n){return n.flatMap(n=>{let r=n.replace(/_(.)/g,(e,t)=>t.toUpperCase()),[o,c]=[t,e].map(e=>ue(i,e)[r]);if(Array.isArray(c))return[...c.filter(e=>!(Array.isArray(o)&&o.includes(e))).map(e=>a`${k(r)}: + <code>${e}</code>`),a`${s(`refusals.anybody`)}`];let l=typeof c==`string`?A(c):s(c?`yes`:`no`);return[a`${k(r)}: <strong>${l}</strong>`,a`${s(`refusals.weakens`)}`]})}var q=`+`;function be({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===q?`keystead-application-new`:`keystead-application`}var J=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),Y=J(`WEB`,`BROWSER`,`NATIVE`,`GATE`),X=J(`WEB`,`BROWSER`,`NATIVE`,`GATE`,`RESOURCE`),Z=J(`WEB`,`BROWSER`,`NATIVE`);function xe(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:Z},{name:`postLogoutRedirectUris`,when:Z},{name:`allowsHttp`,when:J(`WEB`)},{name:`origins`,when:J(`GATE`)},{name:`identifier`,when:J(`RESOURCE`)},{name:`scopes`,when:J(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`GATE`)},{name:`requiresEmail`,when:e=>Y(e)&&e.scopes?.includes(`email`)===!0},{name:`firstParty`,when:Y},{heading:`applications.people`,when:X},{name:`audience`,when:X},{name:`admitsGroupsOnly`,when:X},{name:`allowedGroups`,when:e=>X(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:J(`WEB`,`SERVICE`,`RESOURCE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:J(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:Z},{name:`idTokenAlg`,when:Z},{name:`omitsIdTokenClaims`,when:Z},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:Z},{name:`refreshTokenIdleSeconds`,when:Z},{name:`backchannelLogoutUri`,when:Z},{name:`gateJwtHeader`,when:J(`GATE`)},{name:`gateIdentityHeaders`,when:J(`GATE`)}]}var Se=class extends P{#e=new de(this,async e=>{let n=await h(n=>t.listApplications({pageToken:e},n));return{items:n.applications,next:n.nextPageToken}});#t=new F(this,()=>this.#r?G({requestId:this.#r}):Promise.resolve([]));#n=0;get#r(){return this.route.query.get(`request`)??``}#i=e=>{S(e,this.route),clearTimeout(this.#n),this.#n=window.setTimeout(()=>void this.#t.reload(),300)};render(){let e=d(`ApplicationService/CreateApplication`)?a`<a class="primary" href=${p([`applications`,q])}>${s(`applications.add`)}</a>`:c;return a`${w(s(`applications`),{lead:s(`applications.lead`),actions:e})}
      <search class="filters"><div class="field">
        <label for="refused-request">${s(`refusals.search`)}</label>
        <input id="refused-request" name="request" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder=${s(`requestId`)} .value=${this.#r} @input=${this.#i} />
      </div></search>
      ${this.#r?E(s(`refusals`),this.#t.render(e=>K(e,{isOfOne:!1,mended:()=>this.#t.reload()}))):c}
      ${this.#e.render(e=>g(s(`applications`),[{label:s(`field.name`),cell:e=>_(y(e.name),e.redirectUris[0]??e.origins[0]??e.identifier,[`applications`,e.applicationId])},{label:s(`field.kind`),cell:e=>Q(e)},{label:s(`changed`),cell:e=>b(e.details?.changeDate),isWide:!0}],e),v(s(`applications.none`)))}`}};function Q({kind:e}){return A(`APPLICATION_KIND_${n[e]}`)}var Ce=class extends P{#e=new F(this,U);#t=e=>{S(e,this.route),this.requestUpdate()};render(){let{query:e}=this.route,t=e.get(`for`)??``,n=$(e),r=this.#e.value?.find(e=>e.name===t);return a`${w(s(`applications.add`),{up:[s(`applications`),p([`applications`])],lead:s(`applications.addLead`)})}
      <div class="filters">
        <div class="field"><label for="software">${s(`applications.software`)}</label><select id="software" name="for" @change=${this.#t}>
          <option value="">${s(`applications.otherSoftware`)}</option>
          ${this.#e.value?.map(e=>a`<option value=${e.name} ?selected=${e.name===t}>${e.program}</option>`)}
        </select></div>
        ${r?a`<div class="field"><label for="host">${s(`applications.host`)}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${r.name}.example.com`} .value=${n} @change=${this.#t} /></div>`:c}
      </div>
      ${r&&!n?v(s(`applications.hostLead`)):R(`${t} ${n}`,this.#n(r,n))}`}#n(e,n){return E(s(`details`),D({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:Z},{name:`origins`,when:J(`GATE`)},{name:`identifier`,when:J(`RESOURCE`)},{name:`firstParty`,when:Y}],values:e?ge(e,n):{},submit:s(`add`),cancel:()=>T([`applications`]),save:async a=>{let o=O(i,a),{applicationId:s}=await r(e=>t.createApplication({application:o},e));T([`applications`,s,`connect`],e?{for:e.name,host:n}:{})}}))}};function $(e){return(e.get(`host`)??``).replace(/\/+$/,``)}var we=class extends P{#e=new F(this,U);#t=new F(this,()=>this.#a());#n=new F(this,()=>G({applicationId:this.#i}));#r=new F(this,async()=>d(`GroupService/ListGroups`)?(await ce(e=>h(t=>te.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#i(){return this.route.path[1]??``}async#a(){let{application:e}=await h(e=>t.getApplication({applicationId:this.#i},e));return e}render(){return this.#t.render(e=>{let t=this.route.path[2];if(t===`scopes`)return this.#u(e);if(this.route.path[2]===`workloads`)return this.#p(e);let n=a`<button type="button" class="quiet danger" @click=${()=>this.#y(e)}>${s(`applications.remove`)}</button>`,r=[`applications`,e.applicationId];return a`${w(y(e.name),{up:[s(`applications`),p([`applications`])],lead:Q(e),actions:d(`ApplicationService/RemoveApplication`)?n:c})}
        ${ne(e.name,[[s(`settings`),r,t===void 0],[s(`connect`),[...r,`connect`],t===`connect`],[s(`refusals`),[...r,`refusals`],t===`refusals`]])}
        ${t===`connect`?a`${this.#g(e)}${this.#s(e)}${V(e)}`:t===`refusals`?this.#o():this.#c(e)}`})}#o(){let e=async()=>{await Promise.all([this.#t.reload(),this.#n.reload()])};return E(s(`refusals`),this.#n.render(t=>K(t,{isOfOne:!0,mended:e})),{lead:s(`refusals.lead`)})}#s({applicationId:e}){let{query:t}=this.route,n=this.#e.value?.find(e=>e.name===t.get(`for`));return n?E(s(`applications.softwareSettings`,{name:n.program}),a`${_e(n,$(t),e).map(([e,t])=>m(e,t))}
      ${n.note?a`<p class="hint" lang="en">${n.note}</p>`:c}`,{lead:s(`applications.softwareLead`)}):c}#c(e){let o=e=>({values:ie(i,e),sequence:e.details.sequence}),{applicationId:l}=e;return a`${E(s(`details`),x([s(`clientId`),C(l,s(`clientId`))],[s(`created`),b(e.details?.creationDate)],[s(`changed`),b(e.details?.changeDate)]))}
      ${d(`ApplicationService/PatchApplication`)?E(s(`settings`),this.#r.render(n=>D({request:`PatchApplicationRequest`,within:`application`,fields:xe(n),...o(e),submit:s(`save`),current:async()=>o(await this.#a()),save:(e,n,a)=>r(r=>t.patchApplication({application:{...O(i,oe(e,n)),applicationId:l},updateMask:j(n)},r),a)}))):c}
      ${e.kind===n.RESOURCE?this.#l(e):c}
      ${e.kind===n.SERVICE?this.#f(e):c}`}#l({applicationId:e,resourceScopes:t}){let n=d(`ApplicationService/PatchApplication`),r=a`<a class="button" href=${p([`applications`,e,`scopes`])}>${s(`resourceScopes.add`)}</a>`,i=new Map(this.#r.value?.map(({groupId:e,displayName:t})=>[e,t]));return E(s(`resourceScopes`),t.length===0?v(s(`resourceScopes.none`)):g(s(`resourceScopes`),[{label:s(`field.resourceScopes.name`),cell:e=>_(a`<code>${e.name}</code>`,e.description)},{label:s(`field.resourceScopes.allowedGroups`),cell:e=>e.allowedGroups.map(e=>i.get(e)??e).join(`, `)},{label:s(`actions`),isLabelHidden:!0,cell:e=>n?a`<button type="button" class="quiet danger" aria-label=${s(`removeOne`,{name:e.name})} @click=${()=>this.#d(e)}>${s(`remove`)}</button>`:c}],t),{lead:s(`resourceScopes.lead`),actions:n?r:c})}#u(e){let t=[`applications`,e.applicationId];return a`${w(s(`resourceScopes.add`),{up:[e.name,p(t)],lead:s(`resourceScopes.lead`)})}
      ${E(s(`details`),this.#r.render(n=>D({request:`PatchApplicationRequest`,within:`application.resourceScopes`,fields:[{name:`name`,texts:`resourceScopes.name`},{name:`description`,texts:`resourceScopes.description`},{name:`allowedGroups`,texts:`resourceScopes.allowedGroups`,choices:n.map(({groupId:e,displayName:t})=>[e,t])}],values:{},submit:s(`add`),cancel:()=>T(t),save:async n=>{let r=O(o,n);await this.#m(e,{resourceScopes:[...e.resourceScopes,r]}),T(t)}})))}`}#d(e){let t=this.#t.value;N({title:s(`resourceScopes.removeTitle`,{name:e.name}),action:s(`remove`),consequences:async()=>[s(`resourceScopes.remove`)],act:()=>this.#m(t,{resourceScopes:t.resourceScopes.filter(t=>t!==e)}),done:s(`removed`,{name:e.name})})}#f({applicationId:e,workloadIssuers:t}){let n=d(`ApplicationService/PatchApplication`),r=a`<a class="button" href=${p([`applications`,e,`workloads`])}>${s(`workloads.add`)}</a>`;return E(s(`workloads`),t.length===0?v(s(`workloads.none`)):g(s(`workloads`),[{label:s(`field.workloads.subject`),cell:e=>_(a`<code>${e.subject}</code>`,e.issuer)},{label:s(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:s(`field.workloads.audience`),cell:e=>a`<code>${e.audience}</code>`,isWide:!0},{label:s(`actions`),isLabelHidden:!0,cell:e=>n?a`<button type="button" class="quiet danger" aria-label=${s(`removeOne`,{name:e.subject})} @click=${()=>this.#h(e)}>${s(`remove`)}</button>`:c}],t),{lead:s(`workloads.lead`),actions:n?r:c})}#p(e){let t=[`applications`,e.applicationId];return a`${w(s(`workloads.add`),{up:[e.name,p(t)],lead:s(`workloads.lead`)})}
      ${E(s(`details`),D({request:`PatchApplicationRequest`,within:`application.workloadIssuers`,fields:[{name:`issuer`,texts:`workloads.issuer`},{name:`audience`,texts:`workloads.audience`},{name:`subject`,texts:`workloads.subject`},{name:`claims`,texts:`workloads.claims`}],values:{},submit:s(`add`),cancel:()=>T(t),save:async n=>{let r=O(u,n);await this.#m(e,{workloadIssuers:[...e.workloadIssuers,r]}),T(t)}}))}`}async#m({applicationId:e,details:n},i){await r(n=>t.patchApplication({application:{applicationId:e,...i},updateMask:j(Object.keys(i))},n),n.sequence),await this.#t.reload()}#h(e){let t=this.#t.value;N({title:s(`workloads.removeTitle`,{name:e.subject}),action:s(`remove`),consequences:async()=>[s(`workloads.remove`)],act:()=>this.#m(t,{workloadIssuers:t.workloadIssuers.filter(t=>t!==e)}),done:s(`removed`,{name:e.subject})})}#g(e){if(![n.WEB,n.SERVICE,n.RESOURCE].includes(e.kind))return c;let t=d(`ApplicationService/CreateApplicationSecret`),r=a`<button type="button" @click=${()=>void this.#_(e)}>${s(`applications.createSecret`)}</button>`;return E(s(`applications.secrets`),e.secrets.length===0?v(s(`applications.noSecrets`)):g(s(`applications.secrets`),[{label:`ID`,cell:e=>_(a`<code>${e.secretId}</code>`,``)},{label:s(`created`),cell:e=>b(e.createdAt),isWide:!0},{label:s(`actions`),isLabelHidden:!0,cell:n=>t?a`<button type="button" class="quiet danger" aria-label=${s(`removeOne`,{name:n.secretId})} @click=${()=>this.#v(e,n)}>${s(`remove`)}</button>`:c}],e.secrets),{lead:s(`applications.secretsLead`),actions:t?r:c})}async#_({applicationId:e}){try{let{secret:n}=await r(n=>t.createApplicationSecret({applicationId:e},n));le(s(`secret`),a`<p>${C(n,s(`secret`))}</p>`,()=>void this.#t.reload())}catch(e){f(e)}}#v({applicationId:e,secrets:n},{secretId:i}){N({title:s(`applications.removeSecretTitle`),action:s(`remove`),consequences:async()=>[s(n.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>l(n=>t.removeApplicationSecret({applicationId:e,secretId:i},n)),act:async()=>{await r(n=>t.removeApplicationSecret({applicationId:e,secretId:i},n)),await this.#t.reload()},done:s(`removed`,{name:s(`secret`)})})}#y({applicationId:n,name:i,secrets:a}){N({title:s(`applications.removeTitle`,{name:i}),action:s(`applications.remove`),consequences:async()=>[s(`applications.removeText`),...a.length>0?[e(`applications.endsSecret`,`applications.endsSecrets`,a.length)]:[]],check:()=>l(e=>t.removeApplication({applicationId:n},e)),act:async()=>{await r(e=>t.removeApplication({applicationId:n},e)),T([`applications`])},done:s(`removed`,{name:i})})}};customElements.define(`keystead-applications`,Se),customElements.define(`keystead-application-new`,Ce),customElements.define(`keystead-application`,we);export{be as views};