const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./marks-Dny_FLNa.js","./simple-icons-D-iDgx3b.js","./icons-J7Rno7Z4.js"])))=>i.map(i=>d[i]);
import{E as e}from"./service-DNI36Fsq.js";import{D as t,G as n,H as r,J as i,K as a,Q as o,Y as s,Z as c,a as l,at as u,c as d,d as f,f as p,g as m,h,i as g,m as ee,nt as _,p as v,pt as te,rt as ne,s as y,tt as b,u as x,v as re}from"./index-C9jl7AK7.js";import{a as S,c as ie,d as ae,i as C,l as oe,n as w,o as T,r as se,s as E,t as D}from"./values-DwwDJrM9.js";import{a as ce,c as le,i as O,n as k,o as ue,r as A,s as j,t as de}from"./application_service_pb-CxXv_K4k.js";import{n as fe}from"./group_service_pb-DklcVwI5.js";import{D as M,et as N,k as pe}from"./session-CSTsEevC.js";import{n as P,t as me}from"./view_words-nZOkNzbW.js";import{i as he,t as F}from"./dialogs-CdWlTuJA.js";import{n as ge,t as _e}from"./gallery-BAptu5CN.js";import{t as ve}from"./roles-D18iEYJ1.js";import{n as I,r as L,t as R}from"./view-DtMH9AWQ.js";var{I:ye}=a,be={},xe=(e,t=be)=>e._$AH=t,Se=ie(class extends oe{constructor(){super(...arguments),this.key=r}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(xe(e),this.key=t),n}}),Ce=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

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
`]],z=M.replace(/\/$/,``);function we(e){let{applicationId:t,scopes:r,kind:i}=e;if(i===k.GATE)return Ee(e);if(i===k.RESOURCE)return Te(e);let a=`${z}/.well-known/openid-configuration`;return f(P(`connect`),n`${y([P(`connect.issuer`),g(z,P(`connect.issuer`))],[P(`connect.discovery`),g(a,P(`connect.discovery`))],[P(`clientId`),g(t,P(`clientId`))],r.length>0&&[P(`field.scopes`),g(r.join(` `),P(`field.scopes`))])}
  ${De(e).map(([e,t])=>p(e,t))}`,{lead:P(`connect.lead`)})}function Te({applicationId:e,identifier:t}){return f(P(`connect`),y([P(`connect.issuer`),g(z,P(`connect.issuer`))],[P(`field.identifier`),g(t,P(`field.identifier`))],[P(`connect.keys`),g(`${z}/.well-known/jwks.json`,P(`connect.keys`))],[P(`connect.introspection`),g(`${z}/oauth/introspect`,P(`connect.introspection`))],[P(`clientId`),g(e,P(`clientId`))]),{lead:P(`connect.apiLead`)})}function Ee({applicationId:e,origins:t}){let r=new URL(t[0]??`https://app.example.com`).host;return f(P(`connect`),n`${y([P(`clientId`),g(e,P(`clientId`))],[P(`connect.check`),g(`${z}/gate/check`,P(`connect.check`))],[P(`connect.checkOverGrpc`),g(`envoy.service.auth.v3.Authorization/Check`,P(`connect.checkOverGrpc`))])}
  ${p(P(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${Ce.map(([e,t])=>p(e,t.replaceAll(`grafana.example.com`,r)))}`,{lead:P(`connect.gateLead`)})}function De({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,a=n[0]??`https://app.example.com/callback`;if(t===k.SERVICE)return[[`curl`,`curl ${z}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${z}/oauth/token", grant_type="client_credentials")`]];let o=t===k.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${z}"),\n  "${e}",${o?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${a}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${o?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${z}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${o?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${z}`]]}var Oe=/https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g,ke=/^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;async function B(){let{RECIPES:e}=await N(async()=>{let{RECIPES:e}=await import(`./recipes-ChHU_lgJ.js`);return{RECIPES:e}},[],import.meta.url);return e}function Ae({program:e,application:t},n){let r=Object.entries({name:e,...t}).map(([e,t])=>[e,Array.isArray(t)?t.map(e=>V(String(e),n)):V(t,n)]),i=Object.fromEntries(r);if(!ke.test(n)||i.kind!==`APPLICATION_KIND_WEB`)return i;let{backchannelLogoutUri:a,...o}=i;return{...o,allowsHttp:!0}}function je({settings:e},t,n){let r={"{issuer}":M.replace(/\/$/,``),"{client_id}":n,"{client_secret}":`CLIENT_SECRET`};return e.map(({where:e,text:n})=>[e,V(n,t,r).trim()])}function V(e,t,n={}){if(typeof e!=`string`)return e;let r={"https://{host}":t.includes(`://`)?t:`https://${t}`,"{host}":t.replace(/^.*:\/\//,``),...n};return e.replace(Oe,e=>r[e]??e)}var H=s(O);async function U(e){return(await o(t=>H.listRefusals(e,t))).refusals}function W(e,{isOfOne:i,mended:a}){return e.length===0?l(P(i?`refusals.none`:`refusals.notFound`)):v(P(`refusals`),[{label:P(`refusals.remedy`),cell:e=>n`<p class="remedy" lang="en">${e.remedy}</p>
            <small><code>${e.endpoint} ${e.reason}</code> · ${h(e.refusedAt)} · ${e.count.toString()}×</small>
            ${e.patch&&t(`ApplicationService/PatchApplication`)?n`<button type="button" @click=${()=>Me(e,a)}>${P(`refusals.mend`)}</button>`:r}`},...i?[]:[{label:P(`application`),cell:e=>m(x(e.applicationName),``,[`applications`,e.applicationId])}],{label:P(`requestId`),cell:e=>n`<code>${e.requestId}</code>`,isWide:!0}],e)}function Me({applicationId:e,patch:t,patchMask:n},r){let a=0n,s=e=>H.patchApplication({application:t,updateMask:n},e);F({title:P(`refusals.mendTitle`),action:P(`refusals.set`),consequences:async()=>{let{application:r}=await o(t=>H.getApplication({applicationId:e},t));return a=r.details.sequence,Ne(t,r,n.paths)},check:()=>c(s),act:async()=>{await i(s,a),await r()},done:P(`refusals.mended`)})}function Ne(e,t,r){return r.flatMap(r=>{let i=r.replace(/_(.)/g,(e,t)=>t.toUpperCase()),[a,o]=[t,e].map(e=>ae(A,e)[i]);if(Array.isArray(o))return[...o.filter(e=>!(Array.isArray(a)&&a.includes(e))).map(e=>n`${T(i)}: + <code>${e}</code>`),n`${P(`refusals.anybody`)}`];let s=typeof o==`string`?E(o):P(o?`yes`:`no`);return[n`${T(i)}: <strong>${s}</strong>`,n`${P(`refusals.weakens`)}`]})}var G=s(O),Pe=s(fe),Fe=s(te),K=`+`,Ie=`other`;function Le({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===K?`keystead-application-new`:`keystead-application`}var q=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),J=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`),Y=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`,`RESOURCE`),X=q(`WEB`,`BROWSER`,`NATIVE`),Re=q(`WEB`,`SERVICE`,`RESOURCE`),Z=q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`RESOURCE`);function ze(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:X},{name:`postLogoutRedirectUris`,when:X},{name:`allowsHttp`,when:q(`WEB`)},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`scopes`,when:q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`GATE`)},{name:`requiresEmail`,when:e=>J(e)&&e.scopes?.includes(`email`)===!0},{name:`firstParty`,when:J},{heading:`applications.people`,when:Y},{name:`audience`,when:Y},{name:`admitsGroupsOnly`,when:Y},{name:`allowedGroups`,when:e=>Y(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:q(`WEB`,`SERVICE`,`RESOURCE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:q(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:X},{name:`idTokenAlg`,when:X},{name:`omitsIdTokenClaims`,when:X},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:X},{name:`refreshTokenIdleSeconds`,when:X},{name:`backchannelLogoutUri`,when:X},{name:`gateJwtHeader`,when:q(`GATE`)},{name:`gateIdentityHeaders`,when:q(`GATE`)}]}var Be=class extends L{#e=new I(this,async e=>{let t=await o(t=>G.listApplications({pageToken:e},t));return{items:t.applications,next:t.nextPageToken}});#t=new R(this,()=>this.#r?U({requestId:this.#r}):Promise.resolve([]));#n=0;get#r(){return this.route.query.get(`request`)??``}#i=e=>{b(e,this.route),clearTimeout(this.#n),this.#n=window.setTimeout(()=>void this.#t.reload(),300)};render(){let e=t(`ApplicationService/CreateApplication`)?n`<a class="primary" href=${u([`applications`,K])}>${P(`applications.add`)}</a>`:r;return n`${d(P(`applications`),{lead:P(`applications.lead`),actions:e})}
      <search class="filters"><div class="field">
        <label for="refused-request">${P(`refusals.search`)}</label>
        <input id="refused-request" name="request" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder=${P(`requestId`)} .value=${this.#r} @input=${this.#i} />
      </div></search>
      ${this.#r?f(P(`refusals`),this.#t.render(e=>W(e,{isOfOne:!1,mended:()=>this.#t.reload()}))):r}
      ${this.#e.render(e=>v(P(`applications`),[{label:P(`field.name`),cell:e=>m(x(e.name),e.redirectUris[0]??e.origins[0]??e.identifier,[`applications`,e.applicationId])},{label:P(`field.kind`),cell:e=>Ve(e)},{label:P(`changed`),cell:e=>h(e.details?.changeDate),isWide:!0}],e),l(P(`applications.none`)))}`}};function Ve({kind:e}){return E(`APPLICATION_KIND_${k[e]}`)}var He=class extends L{#e=new R(this,B);#t=new R(this,()=>N(()=>import(`./marks-Dny_FLNa.js`),__vite__mapDeps([0,1,2]),import.meta.url));#n=new _e(this);#r=e=>{b(e,this.route),this.requestUpdate()};render(){return this.#e.render(e=>this.#i(e))}#i(e){let{query:t}=this.route,i=t.get(`for`)??``,a=Ue(t),o=e.find(e=>e.name===i),s=[`applications`,K];if(!i)return n`${d(P(`applications.add`),{up:[P(`applications`),u([`applications`])],lead:P(`applications.addLead`)})}
        ${this.#n.render(P(`applications.software`),[{title:P(`applications.otherSoftware`),letter:`+`,second:P(`applications.otherSoftwareLead`),href:u(s,{for:Ie})},...e.map(({name:e,program:t})=>({title:t,mark:this.#t.value?.markOfProgram(e),href:u(s,{for:e})}))])}`;let c=n`<a class="button" href=${u(s)}>${P(`gallery.another`)}</a>`,f=o?n`${ge(o.program,this.#t.value?.markOfProgram(o.name))}${o.program}`:P(`applications.otherSoftware`);return n`${d(f,{up:[P(`applications.add`),u(s)],lead:P(`applications.addLead`),actions:c})}
      ${o?n`<div class="filters"><div class="field"><label for="host">${P(`applications.host`)}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${o.name}.example.com`} .value=${a} @change=${this.#r} /></div></div>`:r}
      ${o&&!a?l(P(`applications.hostLead`)):Se(a,this.#a(o,a))}`}#a(e,t){return f(P(`details`),S({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:X},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`firstParty`,when:J},{heading:`applications.chosen`,when:Z},{name:`applicationId`,when:Z},{name:`secret`,when:Re}],values:e?Ae(e,t):{},submit:P(`add`),cancel:()=>_([`applications`]),save:async({applicationId:n=``,secret:r=``,...a})=>{let o=w(ue,{application:a,applicationId:n,secret:r}),{applicationId:s}=await i(e=>G.createApplication(o,e));_([`applications`,s,`connect`],e?{for:e.name,host:t}:{})}}))}};function Ue(e){return(e.get(`host`)??``).replace(/\/+$/,``)}function We(e){return JSON.stringify(e??{},void 0,2)}var Q={part:`workloads`,field:`workloadIssuers`,fields:[`issuer`,`audience`,`subject`,`claims`].map(e=>({name:e,texts:`workloads.${e}`})),rowOf:e=>w(le,e),titleOf:({subject:e})=>e,columns:()=>[{label:P(`field.workloads.subject`),cell:e=>m(n`<code>${e.subject}</code>`,e.issuer)},{label:P(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:P(`field.workloads.audience`),cell:e=>n`<code>${e.audience}</code>`,isWide:!0}]},$={part:`claims`,field:`claims`,fields:[`name`,`attribute`,`text`,`target`].map(e=>({name:e,texts:`claims.${e}`})),rowOf:e=>w(de,e),titleOf:({name:e})=>e,columns:()=>[{label:P(`field.claims.name`),cell:e=>m(n`<code>${e.name}</code>`,``)},{label:P(`claims.value`),cell:e=>e.attribute?n`<code>${e.attribute}</code>`:e.text},{label:P(`field.claims.target`),cell:({target:e})=>E(`CLAIM_TARGET_${ce[e]}`),isWide:!0}]},Ge=class extends L{#e=new R(this,B);#t=new R(this,()=>this.#c());#n=new R(this,()=>U({applicationId:this.#s}));#r;#i;#a=``;#o=new R(this,async()=>t(`GroupService/ListGroups`)?(await pe(e=>o(t=>Pe.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#s(){return this.route.path[1]??``}async#c(){let{application:e}=await o(e=>G.getApplication({applicationId:this.#s},e));return e}render(){return this.#t.render(e=>{let i=this.route.path[2];if(i===`scopes`)return this.route.path[3]?this.#g(e):this.#h(e);if(i===Q.part)return this.#b(Q,e);if(i===$.part)return this.#b($,e);if(i===`people`&&this.route.path[3])return this.#u(e);let a=n`<button type="button" class="quiet danger" @click=${()=>this.#E(e)}>${P(`applications.remove`)}</button>`,o=[`applications`,e.applicationId],s=Y(C(A,e))&&t(`UserService/ListUsers`);return n`${d(x(e.name),{up:[P(`applications`),u([`applications`])],lead:Ve(e),actions:t(`ApplicationService/RemoveApplication`)?a:r})}
        ${ee(e.name,[[P(`settings`),o,i===void 0],...s?[[P(`applications.people`),[...o,`people`],i===`people`]]:[],[P(`connect`),[...o,`connect`],i===`connect`],[P(`refusals`),[...o,`refusals`],i===`refusals`]])}
        ${i===`connect`?n`${this.#C(e)}${this.#f(e)}${we(e)}`:i===`refusals`?this.#d():i===`people`?this.#l(e):this.#p(e)}`})}#l({applicationId:e,admitsGroupsOnly:t,kind:i}){let a=X({kind:`APPLICATION_KIND_${k[i]}`});return this.#r??=new I(this,async e=>{let t={filter:`applications:"${this.#s}"`,pageToken:e,withTotalSize:e===``},n=await o(e=>Fe.listUsers(t,e));return e===``&&(this.#a=`${n.totalSize.toLocaleString()}${n.totalSizeIsMinimum?`+`:``}`),{items:n.users,next:n.nextPageToken}}),f(this.#a?`${P(`applications.people`)} (${this.#a})`:P(`applications.people`),this.#r.render(t=>v(P(`applications.people`),[{label:P(`field.displayName`),cell:e=>m(x(e.displayName||e.userName),x(e.userName),[`users`,e.userId])},{label:P(`field.email`),cell:e=>x(e.email),isWide:!0,isText:!0},{label:P(`state`),cell:ve},{label:P(`users.lastSignIn`),cell:e=>h(e.lastSignInAt),isWide:!0},{label:P(`actions`),isLabelHidden:!0,cell:({userId:t,displayName:i,userName:o})=>a?n`<a class="button" aria-label=${P(`applications.claimsOf`,{name:i||o})} href=${u([`applications`,e,`people`,t])}>${P(`applications.claims`)}</a>`:r}],t),l(P(`applications.nobody`))),{lead:P(t?`applications.groupsEnter`:`applications.allEnter`)})}#u({applicationId:e,name:t}){let i=this.route.path[3]??``;return this.#i??=new R(this,async()=>{let{claims:t}=await o(t=>G.getApplicationClaims({applicationId:e,userId:i},t));return t}),this.#i.render(({isAdmitted:a,idToken:o,userinfo:s})=>n`${d(P(`applications.claimsOf`,{name:String(s?.name??o?.name??i)}),{up:[t,u([`applications`,e,`people`])],lead:P(`applications.claimsLead`)})}
        ${a?r:n`<p class="warning">${P(`applications.notAdmitted`)}</p>`}
        ${o&&Object.keys(o).length>0?f(P(`applications.claims`),n`${p(P(`applications.idToken`),We(o))}${p(P(`applications.userinfo`),We(s))}`,{lead:P(`applications.noSignInClaims`)}):l(P(`applications.noOpenid`))}`)}#d(){let e=async()=>{await Promise.all([this.#t.reload(),this.#n.reload()])};return f(P(`refusals`),this.#n.render(t=>W(t,{isOfOne:!0,mended:e})),{lead:P(`refusals.lead`)})}#f({applicationId:e}){let{query:t}=this.route,i=this.#e.value?.find(e=>e.name===t.get(`for`));return i?f(P(`applications.softwareSettings`,{name:i.program}),n`${je(i,Ue(t),e).map(([e,t])=>p(e,t))}
      ${i.note?n`<p class="hint" lang="en">${i.note}</p>`:r}`,{lead:P(`applications.softwareLead`)}):r}#p(e){let a=e=>({values:C(A,e),sequence:e.details.sequence}),{applicationId:o}=e;return n`${f(P(`details`),y([P(`clientId`),g(o,P(`clientId`))],[P(`created`),h(e.details?.creationDate)],[P(`changed`),h(e.details?.changeDate)]))}
      ${t(`ApplicationService/PatchApplication`)?f(P(`settings`),this.#o.render(t=>S({request:`PatchApplicationRequest`,within:`application`,fields:ze(t),...a(e),submit:P(`save`),current:async()=>a(await this.#c()),save:(e,t,n)=>i(n=>G.patchApplication({application:{...w(A,se(e,t)),applicationId:o},updateMask:D(t)},n),n)}))):r}
      ${e.kind===k.RESOURCE?this.#m(e):r}
      ${e.kind===k.SERVICE?this.#y(Q,e):r}
      ${J(C(A,e))?this.#y($,e):r}`}#m({applicationId:e,resourceScopes:i}){let a=t(`ApplicationService/PatchApplication`),o=[`applications`,e,`scopes`],s=n`<a class="button" href=${u(o)}>${P(`resourceScopes.add`)}</a>`,c=new Map(this.#o.value?.map(({groupId:e,displayName:t})=>[e,t]));return f(P(`resourceScopes`),i.length===0?l(P(`resourceScopes.none`)):v(P(`resourceScopes`),[{label:P(`field.resourceScopes.name`),cell:e=>m(n`<code>${e.name}</code>`,e.description,a?[...o,e.name]:void 0)},{label:P(`field.resourceScopes.allowedGroups`),cell:e=>e.allowedGroups.map(e=>c.get(e)??e).join(`, `),isWide:!0},{label:P(`actions`),isLabelHidden:!0,cell:e=>a?n`<button type="button" class="quiet danger" aria-label=${P(`removeOne`,{name:e.name})} @click=${()=>this.#v(e)}>${P(`remove`)}</button>`:r}],i),{lead:P(`resourceScopes.lead`),actions:a?s:r})}#h({applicationId:e,name:t}){let r=[`applications`,e];return n`${d(P(`resourceScopes.add`),{up:[t,u(r)],lead:P(`resourceScopes.lead`)})}
      ${this.#_({values:{},submit:P(`add`),cancel:()=>_(r),save:async e=>{let t=this.#t.value,n=w(j,e);await this.#x(t,{resourceScopes:[...t.resourceScopes,n]}),_(r)}})}`}#g(t){let r=[`applications`,t.applicationId],i=({resourceScopes:e})=>e.find(({name:e})=>e===this.route.path[3]),a=t=>({values:C(j,i(t)??e(j)),sequence:t.details.sequence}),o=[t.name,u(r)];return i(t)?n`${d(x(this.route.path[3]),{up:o,lead:P(`resourceScopes.oneLead`)})}
      ${this.#_({...a(t),submit:P(`save`),current:async()=>(await this.#t.reload(),a(this.#t.value)),save:async e=>{let t=this.#t.value,n=w(j,e),r=t.resourceScopes.map(e=>e===i(t)?n:e);await this.#x(t,{resourceScopes:r}),this.route=ne(this.route,n.name)}})}`:d(P(`failure.NOT_FOUND`),{up:o,lead:P(`missing.text`)})}#_(e){return f(P(`details`),this.#o.render(t=>S({request:`PatchApplicationRequest`,within:`application.resourceScopes`,fields:[{name:`name`,texts:`resourceScopes.name`},{name:`description`,texts:`resourceScopes.description`},{name:`allowedGroups`,texts:`resourceScopes.allowedGroups`,choices:t.map(({groupId:e,displayName:t})=>[e,t])}],...e})))}#v(e){let t=this.#t.value;F({title:P(`resourceScopes.removeTitle`,{name:e.name}),action:P(`remove`),consequences:async()=>[P(`resourceScopes.remove`)],act:async()=>{await this.#x(t,{resourceScopes:t.resourceScopes.filter(t=>t!==e)}),await this.#t.reload()},done:P(`removed`,{name:e.name})})}#y({part:e,field:i,columns:a,titleOf:o},s){let c=t(`ApplicationService/PatchApplication`),d=n`<a class="button" href=${u([`applications`,s.applicationId,e])}>${P(`${e}.add`)}</a>`,p=s[i];return f(P(e),p.length===0?l(P(`${e}.none`)):v(P(e),[...a(),{label:P(`actions`),isLabelHidden:!0,cell:t=>c?n`<button type="button" class="quiet danger" aria-label=${P(`removeOne`,{name:o(t)})} @click=${()=>this.#S({part:e,field:i,titleOf:o},t)}>${P(`remove`)}</button>`:r}],p),{lead:P(`${e}.lead`),actions:c?d:r})}#b({part:e,field:t,fields:r,rowOf:i},a){let o=[`applications`,a.applicationId];return n`${d(P(`${e}.add`),{up:[a.name,u(o)],lead:P(`${e}.lead`)})}
      ${f(P(`details`),S({request:`PatchApplicationRequest`,within:`application.${t}`,fields:r,values:{},submit:P(`add`),cancel:()=>_(o),save:async e=>{let n=a[t];await this.#x(a,{[t]:[...n,i(e)]}),_(o)}}))}`}async#x({applicationId:e,details:t},n){await i(t=>G.patchApplication({application:{applicationId:e,...n},updateMask:D(Object.keys(n))},t),t.sequence)}#S({part:e,field:t,titleOf:n},r){let i=this.#t.value,a=i[t];F({title:P(`${e}.removeTitle`,{name:n(r)}),action:P(`remove`),consequences:async()=>[P(`${e}.remove`)],act:async()=>{await this.#x(i,{[t]:a.filter(e=>e!==r)}),await this.#t.reload()},done:P(`removed`,{name:n(r)})})}#C(e){if(![k.WEB,k.SERVICE,k.RESOURCE].includes(e.kind))return r;let i=t(`ApplicationService/CreateApplicationSecret`),a=n`<button type="button" @click=${()=>void this.#w(e)}>${P(`applications.createSecret`)}</button>`;return f(P(`applications.secrets`),e.secrets.length===0?l(P(`applications.noSecrets`)):v(P(`applications.secrets`),[{label:`ID`,cell:e=>m(n`<code>${e.secretId}</code>`,``)},{label:P(`created`),cell:e=>h(e.createdAt),isWide:!0},{label:P(`user.lastUsed`),cell:e=>e.lastUsedAt?h(e.lastUsedAt):P(`never`)},{label:P(`actions`),isLabelHidden:!0,cell:t=>i?n`<button type="button" class="quiet danger" aria-label=${P(`removeOne`,{name:t.secretId})} @click=${()=>this.#T(e,t)}>${P(`remove`)}</button>`:r}],e.secrets),{lead:P(`applications.secretsLead`),actions:i?a:r})}async#w({applicationId:e}){try{let{secret:t}=await i(t=>G.createApplicationSecret({applicationId:e},t));he(P(`secret`),n`<p>${g(t,P(`secret`))}</p>`,()=>void this.#t.reload())}catch(e){re(e)}}#T({applicationId:e,secrets:t},{secretId:n}){F({title:P(`applications.removeSecretTitle`),action:P(`remove`),consequences:async()=>[P(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>c(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await i(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#t.reload()},done:P(`removed`,{name:P(`secret`)})})}#E({applicationId:e,name:t,secrets:n}){F({title:P(`applications.removeTitle`,{name:t}),action:P(`applications.remove`),consequences:async()=>[P(`applications.removeText`),...n.length>0?[me(`applications.endsSecret`,`applications.endsSecrets`,n.length)]:[]],check:()=>c(t=>G.removeApplication({applicationId:e},t)),act:async()=>{await i(t=>G.removeApplication({applicationId:e},t)),_([`applications`])},done:P(`removed`,{name:t})})}};customElements.define(`keystead-applications`,Be),customElements.define(`keystead-application-new`,He),customElements.define(`keystead-application`,Ge);export{Le as views};