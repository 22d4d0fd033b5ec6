const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./marks-Dny_FLNa.js","./simple-icons-D-iDgx3b.js","./icons-J7Rno7Z4.js"])))=>i.map(i=>d[i]);
import{E as e}from"./service-DNI36Fsq.js";import{J as t,O as n,Q as r,W as i,Z as a,_t as o,a as s,at as c,c as l,d as u,et as d,f,g as p,h as m,i as h,it as g,lt as _,m as ee,p as v,q as y,r as te,s as b,st as ne,tt as x,u as S,v as re}from"./index-h55ylQiN.js";import{i as C,n as ie,o as ae,s as oe,t as w}from"./form-nuD-UkZT.js";import{a as se,c as ce,i as T,n as E,o as le,r as D,s as O,t as ue}from"./application_service_pb-C-IFxAOc.js";import{GroupService as de}from"./group_service_pb-DUZ5ipPx.js";import{A as fe,O as pe,st as me}from"./session-Chtk4cEV.js";import{n as k,t as he}from"./view_words-DvQY9xX_.js";import{i as ge,t as A}from"./dialogs-C83VtG53.js";import{n as _e,t as ve}from"./gallery-CZ8xdO2d.js";import{t as ye}from"./roles-BxXPSgU_.js";import{n as j,t as M}from"./translations-BWrmxHkU.js";import{a as be,i as N,n as P,r as xe,t as F}from"./values-CVab3YNC.js";import{i as Se,n as I,r as L,t as R}from"./view-DrbQpvYl.js";var{I:Ce}=t,we={},Te=(e,t=we)=>e._$AH=t,Ee=ae(class extends oe{constructor(){super(...arguments),this.key=i}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(Te(e),this.key=t),n}}),De=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

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
`]],z=pe.replace(/\/$/,``);function Oe(e){let{applicationId:t,scopes:n,kind:r}=e;if(r===E.GATE)return Ae(e);if(r===E.RESOURCE)return ke(e);let i=`${z}/.well-known/openid-configuration`;return u(k(`connect`),y`${b([k(`connect.issuer`),h(z,k(`connect.issuer`))],[k(`connect.discovery`),h(i,k(`connect.discovery`))],[k(`clientId`),h(t,k(`clientId`))],n.length>0&&[k(`field.scopes`),h(n.join(` `),k(`field.scopes`))])}
  ${je(e).map(([e,t])=>f(e,t))}`,{lead:k(`connect.lead`)})}function ke({applicationId:e,identifier:t}){return u(k(`connect`),b([k(`connect.issuer`),h(z,k(`connect.issuer`))],[k(`field.identifier`),h(t,k(`field.identifier`))],[k(`connect.keys`),h(`${z}/.well-known/jwks.json`,k(`connect.keys`))],[k(`connect.introspection`),h(`${z}/oauth/introspect`,k(`connect.introspection`))],[k(`clientId`),h(e,k(`clientId`))]),{lead:k(`connect.apiLead`)})}function Ae({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return u(k(`connect`),y`${b([k(`clientId`),h(e,k(`clientId`))],[k(`connect.check`),h(`${z}/gate/check`,k(`connect.check`))],[k(`connect.checkOverGrpc`),h(`envoy.service.auth.v3.Authorization/Check`,k(`connect.checkOverGrpc`))])}
  ${f(k(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${De.map(([e,t])=>f(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:k(`connect.gateLead`)})}function je({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,a=n[0]??`https://app.example.com/callback`;if(t===E.SERVICE)return[[`curl`,`curl ${z}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${z}/oauth/token", grant_type="client_credentials")`]];let o=t===E.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${z}"),\n  "${e}",${o?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${a}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${o?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${z}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${o?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${z}`]]}var Me=/https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g,B=pe.replace(/\/$/,``),Ne=/^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;async function V(){let[{RECIPES:e}]=await Promise.all([me(()=>import(`./recipes-ChHU_lgJ.js`),[],import.meta.url),M(`notes`)]);return e}function Pe({program:e,application:t},n){let r=Object.entries({name:e,...t}).map(([e,t])=>[e,Array.isArray(t)?t.map(e=>H(String(e),n)):H(t,n)]),i=Object.fromEntries(r);if(!Ne.test(n)||i.kind!==`APPLICATION_KIND_WEB`)return i;let{backchannelLogoutUri:a,...o}=i;return{...o,allowsHttp:!0}}function Fe({name:e,settings:t},n,r){let i={"{issuer}":B,"{client_id}":r,"{client_secret}":`CLIENT_SECRET`};return t.map(({where:t,text:r},a)=>[j(`notes`,`where.${e}.${a}`,t).text,H(r,n,i).trim()])}function Ie({name:e,note:t}){return j(`notes`,`recipe.${e}`,t.replaceAll(`{issuer}`,B),{issuer:B})}function H(e,t,n={}){if(typeof e!=`string`)return e;let r={"https://{host}":t.includes(`://`)?t:`https://${t}`,"{host}":t.replace(/^.*:\/\//,``),...n};return e.replace(Me,e=>r[e]??e)}var U=r(T);async function W(e){let[{refusals:t}]=await Promise.all([x(t=>U.listRefusals(e,t)),M(`remedies`)]);return t}function Le(e,{isOfOne:t,mended:r}){return e.length===0?s(k(t?`refusals.none`:`refusals.notFound`)):v(k(`refusals`),[{label:k(`refusals.remedy`),cell:e=>y`${Re(e)}
            <small><code>${e.endpoint} ${e.reason}</code> · ${m(e.refusedAt)} · ${e.count.toString()}×</small>
            ${e.patch&&n(`ApplicationService/PatchApplication`)?y`<button type="button" @click=${()=>ze(e,r)}>${k(`refusals.mend`)}</button>`:i}`},...t?[]:[{label:k(`application`),cell:e=>p(S(e.applicationName),``,[`applications`,e.applicationId])}],{label:k(`requestId`),cell:e=>y`<code>${e.requestId}</code>`,isWide:!0}],e)}function Re({reason:e,parameter:t,value:n,remedy:r}){let{text:i,lang:a}=j(`remedies`,e,r,{parameter:t,value:n});return y`<p class="remedy" lang=${a}>${i}</p>`}function ze({applicationId:e,patch:t,patchMask:n},r){let i=0n,o=e=>U.patchApplication({application:t,updateMask:n},e);A({title:k(`refusals.mendTitle`),action:k(`refusals.set`),consequences:async()=>{let{application:r}=await x(t=>U.getApplication({applicationId:e},t));return i=r.details.sequence,Be(t,r,n.paths)},check:()=>d(o),act:async()=>{await a(o,i),await r()},done:k(`refusals.mended`)})}function Be(e,t,n){return n.flatMap(n=>{let r=n.replace(/_(.)/g,(e,t)=>t.toUpperCase()),[i,a]=[t,e].map(e=>be(D,e)[r]);if(Array.isArray(a))return[...a.filter(e=>!(Array.isArray(i)&&i.includes(e))).map(e=>y`${ie(r)}: + <code>${e}</code>`),y`${k(`refusals.anybody`)}`];let o=typeof a==`string`?C(a):k(a?`yes`:`no`);return[y`${ie(r)}: <strong>${o}</strong>`,y`${k(`refusals.weakens`)}`]})}var G=r(T),Ve=r(de),He=r(o),K=`+`,Ue=`other`;function We({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===K?`keystead-application-new`:`keystead-application`}var q=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),J=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`),Y=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`,`RESOURCE`),X=q(`WEB`,`BROWSER`,`NATIVE`),Ge=q(`WEB`,`SERVICE`,`RESOURCE`),Ke=q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`RESOURCE`);function qe(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:X},{name:`postLogoutRedirectUris`,when:X},{name:`allowsHttp`,when:q(`WEB`)},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`scopes`,when:q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`GATE`)},{name:`requiresEmail`,when:e=>J(e)&&e.scopes?.includes(`email`)===!0},{name:`firstParty`,when:J},{heading:`applications.people`,when:Y},{name:`audience`,when:Y},{name:`admitsGroupsOnly`,when:Y},{name:`allowedGroups`,when:e=>Y(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:q(`WEB`,`SERVICE`,`RESOURCE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:q(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:X},{name:`idTokenAlg`,when:X},{name:`omitsIdTokenClaims`,when:X},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:X},{name:`refreshTokenIdleSeconds`,when:X},{name:`backchannelLogoutUri`,when:X},{name:`gateJwtHeader`,when:q(`GATE`)},{name:`gateIdentityHeaders`,when:q(`GATE`)}]}var Je=class extends L{#e=new I(this,async e=>{let t={query:this.#a,pageToken:e,withTotalSize:e===``},n=await x(e=>G.listApplications(t,e));return e===``&&(this.#t=Se(n)),{items:n.applications,next:n.nextPageToken}});#t=``;#n=new R(this,()=>this.#i?W({requestId:this.#i}):Promise.resolve([]));#r=0;get#i(){return this.route.query.get(`request`)??``}get#a(){return this.route.query.get(`q`)??``}#o=e=>{g(e,this.route),this.#e.reloadSoon()};#s=e=>{g(e,this.route),clearTimeout(this.#r),this.#r=window.setTimeout(()=>void this.#n.reload(),300)};render(){let e=n(`ApplicationService/CreateApplication`)?y`<a class="primary" href=${_([`applications`,K])}>${k(`applications.add`)}</a>`:i;return y`${l(k(`applications`),{lead:k(`applications.lead`),actions:e})}
      <search class="filters"><div class="field"><label for="applications-query">${k(`search`)}</label><input id="applications-query" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" .value=${this.#a} @input=${this.#o} /></div><div class="field">
        <label for="refused-request">${k(`refusals.search`)}</label>
        <input id="refused-request" name="request" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder=${k(`requestId`)} .value=${this.#i} @input=${this.#s} />
      </div></search>
      ${this.#i?u(k(`refusals`),this.#n.render(e=>Le(e,{isOfOne:!1,mended:()=>this.#n.reload()}))):i}
      ${this.#t?y`<p class="total" role="status">${k(`applications.total`,{total:this.#t})}</p>`:i}
      ${this.#e.render(e=>v(k(`applications`),[{label:k(`field.name`),cell:e=>p(S(e.name),e.redirectUris[0]??e.origins[0]??e.identifier,[`applications`,e.applicationId])},{label:k(`field.kind`),cell:e=>Ye(e)},{label:k(`changed`),cell:e=>m(e.details?.changeDate),isWide:!0}],e),s(k(this.#a?`applications.noneFound`:`applications.none`)))}`}};function Ye({kind:e}){return C(`APPLICATION_KIND_${E[e]}`)}var Xe=class extends L{#e=new R(this,V);#t=new R(this,()=>me(()=>import(`./marks-Dny_FLNa.js`),__vite__mapDeps([0,1,2]),import.meta.url));#n=new ve(this);#r=e=>{g(e,this.route),this.requestUpdate()};render(){return this.#e.render(e=>this.#i(e))}#i(e){let{query:t}=this.route,n=t.get(`for`)??``,r=Ze(t),a=e.find(e=>e.name===n),o=[`applications`,K];if(!n)return y`${l(k(`applications.add`),{up:[k(`applications`),_([`applications`])],lead:k(`applications.addLead`)})}
        ${this.#n.render(k(`applications.software`),[{title:k(`applications.otherSoftware`),letter:`+`,second:k(`applications.otherSoftwareLead`),href:_(o,{for:Ue})},...e.map(({name:e,program:t})=>({title:t,mark:this.#t.value?.markOfProgram(e),href:_(o,{for:e})}))])}`;let c=y`<a class="button" href=${_(o)}>${k(`gallery.another`)}</a>`,u=a?y`${_e(a.program,this.#t.value?.markOfProgram(a.name))}${a.program}`:k(`applications.otherSoftware`);return y`${l(u,{up:[k(`applications.add`),_(o)],lead:k(`applications.addLead`),actions:c})}
      ${a?y`<div class="filters"><div class="field"><label for="host">${k(`applications.host`)}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${a.name}.example.com`} .value=${r} @input=${this.#r} /></div></div>`:i}
      ${a&&!r?s(k(`applications.hostLead`)):Ee(r,this.#a(a,r))}`}#a(e,t){return u(k(`details`),w({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:X},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`firstParty`,when:J},{heading:`applications.chosen`,when:Ke},{name:`applicationId`,when:Ke},{name:`secret`,when:Ge}],values:e?Pe(e,t):{},submit:k(`add`),cancel:()=>c([`applications`]),save:async({applicationId:n=``,secret:r=``,...i})=>{let o=P(le,{application:i,applicationId:n,secret:r}),{applicationId:s}=await a(e=>G.createApplication(o,e));c([`applications`,s,`connect`],e?{for:e.name,host:t}:{})}}))}};function Ze(e){return/^(?:[a-z]+:\/\/)?[^/?#]*/i.exec(e.get(`host`)??``)[0]}function Z(e){return JSON.stringify(e??{},void 0,2)}var Q={part:`workloads`,field:`workloadIssuers`,fields:[`issuer`,`audience`,`subject`,`claims`].map(e=>({name:e,texts:`workloads.${e}`})),rowOf:e=>P(ce,e),titleOf:({subject:e})=>e,columns:()=>[{label:k(`field.workloads.subject`),cell:e=>p(y`<code>${e.subject}</code>`,e.issuer)},{label:k(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:k(`field.workloads.audience`),cell:e=>y`<code>${e.audience}</code>`,isWide:!0}]},$={part:`claims`,field:`claims`,fields:[`name`,`attribute`,`text`,`target`].map(e=>({name:e,texts:`claims.${e}`})),rowOf:e=>P(ue,e),titleOf:({name:e})=>e,columns:()=>[{label:k(`field.claims.name`),cell:e=>p(y`<code>${e.name}</code>`,``)},{label:k(`claims.value`),cell:e=>e.attribute?y`<code>${e.attribute}</code>`:e.text},{label:k(`field.claims.target`),cell:({target:e})=>C(`CLAIM_TARGET_${se[e]}`),isWide:!0}]},Qe=class extends L{#e=new R(this,V);#t=new R(this,()=>this.#c());#n=new R(this,()=>W({applicationId:this.#s}));#r;#i;#a=``;#o=new R(this,async()=>n(`GroupService/ListGroups`)?(await fe(e=>x(t=>Ve.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#s(){return this.route.path[1]??``}async#c(){let{application:e}=await x(e=>G.getApplication({applicationId:this.#s},e));return e}render(){return this.#t.render(e=>{let t=this.route.path[2];if(t===`scopes`)return this.route.path[3]?this.#g(e):this.#h(e);if(t===Q.part)return this.#b(Q,e);if(t===$.part)return this.#b($,e);if(t===`people`&&this.route.path[3])return this.#u(e);let r=y`<button type="button" class="quiet danger" @click=${()=>this.#E(e)}>${k(`applications.remove`)}</button>`,a=[`applications`,e.applicationId],o=Y(N(D,e))&&n(`UserService/ListUsers`);return y`${l(S(e.name),{up:[k(`applications`),_([`applications`])],lead:Ye(e),actions:n(`ApplicationService/RemoveApplication`)?r:i})}
        ${ee(e.name,[[k(`settings`),a,t===void 0],...o?[[k(`applications.people`),[...a,`people`],t===`people`]]:[],[k(`connect`),[...a,`connect`],t===`connect`],[k(`refusals`),[...a,`refusals`],t===`refusals`]])}
        ${t===`connect`?y`${this.#C(e)}${this.#f(e)}${Oe(e)}`:t===`refusals`?this.#d():t===`people`?this.#l(e):this.#p(e)}`})}#l({applicationId:e,admitsGroupsOnly:t,kind:n}){let r=X({kind:`APPLICATION_KIND_${E[n]}`});return this.#r??=new I(this,async e=>{let t={filter:`applications:"${this.#s}"`,pageToken:e,withTotalSize:e===``},n=await x(e=>He.listUsers(t,e));return e===``&&(this.#a=`${n.totalSize.toLocaleString()}${n.totalSizeIsMinimum?`+`:``}`),{items:n.users,next:n.nextPageToken}}),u(this.#a?`${k(`applications.people`)} (${this.#a})`:k(`applications.people`),this.#r.render(t=>v(k(`applications.people`),[{label:k(`field.displayName`),cell:e=>p(S(e.displayName||e.userName),S(e.userName),[`users`,e.userId])},{label:k(`field.email`),cell:e=>S(e.email),isWide:!0,isText:!0},{label:k(`state`),cell:ye,isWide:!0},{label:k(`user.enteredLast`),cell:e=>e.enteredApplicationAt?m(e.enteredApplicationAt):`–`,isWide:!0},{label:k(`actions`),isLabelHidden:!0,cell:({userId:t,displayName:n,userName:a})=>r?y`<a class="button" aria-label=${k(`applications.claimsOf`,{name:n||a})} href=${_([`applications`,e,`people`,t])}>${k(`applications.claims`)}</a>`:i}],t),s(k(`applications.nobody`))),{lead:k(t?`applications.groupsEnter`:`applications.allEnter`)})}#u({applicationId:e,name:t}){let n=this.route.path[3]??``;return this.#i??=new R(this,async()=>{let{claims:t}=await x(t=>G.getApplicationClaims({applicationId:e,userId:n},t));return t}),this.#i.render(({isAdmitted:r,idToken:a,userinfo:o})=>y`${l(k(`applications.claimsOf`,{name:String(o?.name??a?.name??n)}),{up:[t,_([`applications`,e,`people`])],lead:k(`applications.claimsLead`)})}
        ${r?i:y`<p class="warning">${k(`applications.notAdmitted`)}</p>`}
        ${a&&Object.keys(a).length>0?u(k(`applications.claims`),y`${f(k(`applications.idToken`),Z(a))}${f(k(`applications.userinfo`),Z(o))}`,{lead:k(`applications.noSignInClaims`)}):s(k(`applications.noOpenid`))}`)}#d(){let e=async()=>{await Promise.all([this.#t.reload(),this.#n.reload()])};return u(k(`refusals`),this.#n.render(t=>Le(t,{isOfOne:!0,mended:e})),{lead:k(`refusals.lead`)})}#f({applicationId:e}){let{query:t}=this.route,n=this.#e.value?.find(e=>e.name===t.get(`for`));if(!n)return i;let r=Ie(n);return u(k(`applications.softwareSettings`,{name:n.program}),y`${Fe(n,Ze(t),e).map(([e,t])=>f(e,t))}
      ${r.text?y`<p class="hint" lang=${r.lang}>${te(r.text)}</p>`:i}`,{lead:k(`applications.softwareLead`)})}#p(e){let t=e=>({values:N(D,e),sequence:e.details.sequence}),{applicationId:r}=e;return y`${u(k(`details`),b([k(`clientId`),h(r,k(`clientId`))],[k(`created`),m(e.details?.creationDate)],[k(`changed`),m(e.details?.changeDate)]))}
      ${n(`ApplicationService/PatchApplication`)?u(k(`settings`),this.#o.render(n=>w({request:`PatchApplicationRequest`,within:`application`,fields:qe(n),...t(e),submit:k(`save`),current:async()=>t(await this.#c()),save:(e,t,n)=>a(n=>G.patchApplication({application:{...P(D,xe(e,t)),applicationId:r},updateMask:F(t)},n),n)}))):i}
      ${e.kind===E.RESOURCE?this.#m(e):i}
      ${e.kind===E.SERVICE?this.#y(Q,e):i}
      ${J(N(D,e))?this.#y($,e):i}`}#m({applicationId:e,resourceScopes:t}){let r=n(`ApplicationService/PatchApplication`),a=[`applications`,e,`scopes`],o=y`<a class="button" href=${_(a)}>${k(`resourceScopes.add`)}</a>`,c=new Map(this.#o.value?.map(({groupId:e,displayName:t})=>[e,t]));return u(k(`resourceScopes`),t.length===0?s(k(`resourceScopes.none`)):v(k(`resourceScopes`),[{label:k(`field.resourceScopes.name`),cell:e=>p(y`<code>${e.name}</code>`,e.description,r?[...a,e.name]:void 0)},{label:k(`field.resourceScopes.allowedGroups`),cell:e=>e.allowedGroups.map(e=>c.get(e)??e).join(`, `),isWide:!0},{label:k(`actions`),isLabelHidden:!0,cell:e=>r?y`<button type="button" class="quiet danger" aria-label=${k(`removeOne`,{name:e.name})} @click=${()=>this.#v(e)}>${k(`remove`)}</button>`:i}],t),{lead:k(`resourceScopes.lead`),actions:r?o:i})}#h({applicationId:e,name:t}){let n=[`applications`,e];return y`${l(k(`resourceScopes.add`),{up:[t,_(n)],lead:k(`resourceScopes.lead`)})}
      ${this.#_({values:{},submit:k(`add`),cancel:()=>c(n),save:async e=>{let t=this.#t.value,r=P(O,e);await this.#x(t,{resourceScopes:[...t.resourceScopes,r]}),c(n)}})}`}#g(t){let n=[`applications`,t.applicationId],r=({resourceScopes:e})=>e.find(({name:e})=>e===this.route.path[3]),i=t=>({values:N(O,r(t)??e(O)),sequence:t.details.sequence}),a=[t.name,_(n)];return r(t)?y`${l(S(this.route.path[3]),{up:a,lead:k(`resourceScopes.oneLead`)})}
      ${this.#_({...i(t),submit:k(`save`),current:async()=>(await this.#t.reload(),i(this.#t.value)),save:async e=>{let t=this.#t.value,n=P(O,e),i=t.resourceScopes.map(e=>e===r(t)?n:e);await this.#x(t,{resourceScopes:i}),this.route=ne(this.route,n.name)}})}`:l(k(`failure.NOT_FOUND`),{up:a,lead:k(`missing.text`)})}#_(e){return u(k(`details`),this.#o.render(t=>w({request:`PatchApplicationRequest`,within:`application.resourceScopes`,fields:[{name:`name`,texts:`resourceScopes.name`},{name:`description`,texts:`resourceScopes.description`},{name:`allowedGroups`,texts:`resourceScopes.allowedGroups`,choices:t.map(({groupId:e,displayName:t})=>[e,t])}],...e})))}#v(e){let t=this.#t.value;A({title:k(`resourceScopes.removeTitle`,{name:e.name}),action:k(`remove`),consequences:async()=>[k(`resourceScopes.remove`)],act:async()=>{await this.#x(t,{resourceScopes:t.resourceScopes.filter(t=>t!==e)}),await this.#t.reload()},done:k(`removed`,{name:e.name})})}#y({part:e,field:t,columns:r,titleOf:a},o){let c=n(`ApplicationService/PatchApplication`),l=y`<a class="button" href=${_([`applications`,o.applicationId,e])}>${k(`${e}.add`)}</a>`,d=o[t];return u(k(e),d.length===0?s(k(`${e}.none`)):v(k(e),[...r(),{label:k(`actions`),isLabelHidden:!0,cell:n=>c?y`<button type="button" class="quiet danger" aria-label=${k(`removeOne`,{name:a(n)})} @click=${()=>this.#S({part:e,field:t,titleOf:a},n)}>${k(`remove`)}</button>`:i}],d),{lead:k(`${e}.lead`),actions:c?l:i})}#b({part:e,field:t,fields:n,rowOf:r},i){let a=[`applications`,i.applicationId];return y`${l(k(`${e}.add`),{up:[i.name,_(a)],lead:k(`${e}.lead`)})}
      ${u(k(`details`),w({request:`PatchApplicationRequest`,within:`application.${t}`,fields:n,values:{},submit:k(`add`),cancel:()=>c(a),save:async e=>{let n=i[t];await this.#x(i,{[t]:[...n,r(e)]}),c(a)}}))}`}async#x({applicationId:e,details:t},n){await a(t=>G.patchApplication({application:{applicationId:e,...n},updateMask:F(Object.keys(n))},t),t.sequence)}#S({part:e,field:t,titleOf:n},r){let i=this.#t.value,a=i[t];A({title:k(`${e}.removeTitle`,{name:n(r)}),action:k(`remove`),consequences:async()=>[k(`${e}.remove`)],act:async()=>{await this.#x(i,{[t]:a.filter(e=>e!==r)}),await this.#t.reload()},done:k(`removed`,{name:n(r)})})}#C(e){if(![E.WEB,E.SERVICE,E.RESOURCE].includes(e.kind))return i;let t=n(`ApplicationService/CreateApplicationSecret`),r=y`<button type="button" @click=${()=>void this.#w(e)}>${k(`applications.createSecret`)}</button>`;return u(k(`applications.secrets`),e.secrets.length===0?s(k(`applications.noSecrets`)):v(k(`applications.secrets`),[{label:`ID`,cell:e=>p(y`<code>${e.secretId}</code>`,``)},{label:k(`created`),cell:e=>m(e.createdAt),isWide:!0},{label:k(`user.lastUsed`),cell:e=>e.lastUsedAt?m(e.lastUsedAt):k(`never`)},{label:k(`actions`),isLabelHidden:!0,cell:n=>t?y`<button type="button" class="quiet danger" aria-label=${k(`removeOne`,{name:n.secretId})} @click=${()=>this.#T(e,n)}>${k(`remove`)}</button>`:i}],e.secrets),{lead:k(`applications.secretsLead`),actions:t?r:i})}async#w({applicationId:e}){try{let{secret:t}=await a(t=>G.createApplicationSecret({applicationId:e},t));ge(k(`secret`),y`<p>${h(t,k(`secret`))}</p>`,()=>void this.#t.reload())}catch(e){re(e)}}#T({applicationId:e,secrets:t},{secretId:n}){A({title:k(`applications.removeSecretTitle`),action:k(`remove`),consequences:async()=>[k(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>d(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await a(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#t.reload()},done:k(`removed`,{name:k(`secret`)})})}#E({applicationId:e,name:t,secrets:n}){A({title:k(`applications.removeTitle`,{name:t}),action:k(`applications.remove`),consequences:async()=>[k(`applications.removeText`),...n.length>0?[he(`applications.endsSecrets`,n.length)]:[]],check:()=>d(t=>G.removeApplication({applicationId:e},t)),act:async()=>{await a(t=>G.removeApplication({applicationId:e},t)),c([`applications`])},done:k(`removed`,{name:t})})}};customElements.define(`keystead-applications`,Je),customElements.define(`keystead-application-new`,Xe),customElements.define(`keystead-application`,Qe);export{We as views};