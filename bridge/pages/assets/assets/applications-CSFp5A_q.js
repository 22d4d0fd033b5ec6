const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./marks-Dny_FLNa.js","./simple-icons-D-iDgx3b.js","./icons-J7Rno7Z4.js"])))=>i.map(i=>d[i]);
import{E as e}from"./service-DNI36Fsq.js";import{J as t,O as n,Q as r,W as i,Z as a,_t as o,a as s,at as c,c as l,d as u,et as d,f,g as p,h as m,i as h,it as g,lt as _,m as ee,p as v,q as y,s as b,st as te,tt as x,u as S,v as ne}from"./index-BP_Q0JVR.js";import{i as C,n as w,o as re,s as ie,t as T}from"./form-DZtTZN5T.js";import{a as ae,c as oe,i as E,n as D,o as se,r as O,s as k,t as ce}from"./application_service_pb-C-IFxAOc.js";import{GroupService as le}from"./group_service_pb-GSxMxeSU.js";import{A as ue,O as de,st as fe}from"./session-Bu3Bcvze.js";import{n as A,t as pe}from"./view_words-DrcRX6I6.js";import{i as me,t as j}from"./dialogs-D1LLU3oz.js";import{n as he,t as ge}from"./gallery-CxJkATDR.js";import{t as _e}from"./roles-CrYEK7fq.js";import{a as ve,i as M,n as N,r as ye,t as P}from"./values-DGc3PrXz.js";import{i as be,n as F,r as I,t as L}from"./view-CZ9Vf4DB.js";var{I:xe}=t,Se={},Ce=(e,t=Se)=>e._$AH=t,we=re(class extends ie{constructor(){super(...arguments),this.key=i}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(Ce(e),this.key=t),n}}),Te=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

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
`]],R=de.replace(/\/$/,``);function Ee(e){let{applicationId:t,scopes:n,kind:r}=e;if(r===D.GATE)return Oe(e);if(r===D.RESOURCE)return De(e);let i=`${R}/.well-known/openid-configuration`;return u(A(`connect`),y`${b([A(`connect.issuer`),h(R,A(`connect.issuer`))],[A(`connect.discovery`),h(i,A(`connect.discovery`))],[A(`clientId`),h(t,A(`clientId`))],n.length>0&&[A(`field.scopes`),h(n.join(` `),A(`field.scopes`))])}
  ${ke(e).map(([e,t])=>f(e,t))}`,{lead:A(`connect.lead`)})}function De({applicationId:e,identifier:t}){return u(A(`connect`),b([A(`connect.issuer`),h(R,A(`connect.issuer`))],[A(`field.identifier`),h(t,A(`field.identifier`))],[A(`connect.keys`),h(`${R}/.well-known/jwks.json`,A(`connect.keys`))],[A(`connect.introspection`),h(`${R}/oauth/introspect`,A(`connect.introspection`))],[A(`clientId`),h(e,A(`clientId`))]),{lead:A(`connect.apiLead`)})}function Oe({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return u(A(`connect`),y`${b([A(`clientId`),h(e,A(`clientId`))],[A(`connect.check`),h(`${R}/gate/check`,A(`connect.check`))],[A(`connect.checkOverGrpc`),h(`envoy.service.auth.v3.Authorization/Check`,A(`connect.checkOverGrpc`))])}
  ${f(A(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${Te.map(([e,t])=>f(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:A(`connect.gateLead`)})}function ke({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,a=n[0]??`https://app.example.com/callback`;if(t===D.SERVICE)return[[`curl`,`curl ${R}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${R}/oauth/token", grant_type="client_credentials")`]];let o=t===D.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${R}"),\n  "${e}",${o?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${a}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${o?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${R}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${o?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${R}`]]}var Ae=/https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g,je=/^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;async function z(){let{RECIPES:e}=await fe(async()=>{let{RECIPES:e}=await import(`./recipes-ChHU_lgJ.js`);return{RECIPES:e}},[],import.meta.url);return e}function Me({program:e,application:t},n){let r=Object.entries({name:e,...t}).map(([e,t])=>[e,Array.isArray(t)?t.map(e=>B(String(e),n)):B(t,n)]),i=Object.fromEntries(r);if(!je.test(n)||i.kind!==`APPLICATION_KIND_WEB`)return i;let{backchannelLogoutUri:a,...o}=i;return{...o,allowsHttp:!0}}function Ne({settings:e},t,n){let r={"{issuer}":de.replace(/\/$/,``),"{client_id}":n,"{client_secret}":`CLIENT_SECRET`};return e.map(({where:e,text:n})=>[e,B(n,t,r).trim()])}function B(e,t,n={}){if(typeof e!=`string`)return e;let r={"https://{host}":t.includes(`://`)?t:`https://${t}`,"{host}":t.replace(/^.*:\/\//,``),...n};return e.replace(Ae,e=>r[e]??e)}var V=r(E);async function H(e){return(await x(t=>V.listRefusals(e,t))).refusals}function U(e,{isOfOne:t,mended:r}){return e.length===0?s(A(t?`refusals.none`:`refusals.notFound`)):v(A(`refusals`),[{label:A(`refusals.remedy`),cell:e=>y`<p class="remedy" lang="en">${e.remedy}</p>
            <small><code>${e.endpoint} ${e.reason}</code> · ${m(e.refusedAt)} · ${e.count.toString()}×</small>
            ${e.patch&&n(`ApplicationService/PatchApplication`)?y`<button type="button" @click=${()=>Pe(e,r)}>${A(`refusals.mend`)}</button>`:i}`},...t?[]:[{label:A(`application`),cell:e=>p(S(e.applicationName),``,[`applications`,e.applicationId])}],{label:A(`requestId`),cell:e=>y`<code>${e.requestId}</code>`,isWide:!0}],e)}function Pe({applicationId:e,patch:t,patchMask:n},r){let i=0n,o=e=>V.patchApplication({application:t,updateMask:n},e);j({title:A(`refusals.mendTitle`),action:A(`refusals.set`),consequences:async()=>{let{application:r}=await x(t=>V.getApplication({applicationId:e},t));return i=r.details.sequence,Fe(t,r,n.paths)},check:()=>d(o),act:async()=>{await a(o,i),await r()},done:A(`refusals.mended`)})}function Fe(e,t,n){return n.flatMap(n=>{let r=n.replace(/_(.)/g,(e,t)=>t.toUpperCase()),[i,a]=[t,e].map(e=>ve(O,e)[r]);if(Array.isArray(a))return[...a.filter(e=>!(Array.isArray(i)&&i.includes(e))).map(e=>y`${w(r)}: + <code>${e}</code>`),y`${A(`refusals.anybody`)}`];let o=typeof a==`string`?C(a):A(a?`yes`:`no`);return[y`${w(r)}: <strong>${o}</strong>`,y`${A(`refusals.weakens`)}`]})}var W=r(E),Ie=r(le),Le=r(o),G=`+`,Re=`other`;function ze({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===G?`keystead-application-new`:`keystead-application`}var K=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),q=K(`WEB`,`BROWSER`,`NATIVE`,`GATE`),J=K(`WEB`,`BROWSER`,`NATIVE`,`GATE`,`RESOURCE`),Y=K(`WEB`,`BROWSER`,`NATIVE`),Be=K(`WEB`,`SERVICE`,`RESOURCE`),X=K(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`RESOURCE`);function Ve(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:Y},{name:`postLogoutRedirectUris`,when:Y},{name:`allowsHttp`,when:K(`WEB`)},{name:`origins`,when:K(`GATE`),isRequired:!0},{name:`identifier`,when:K(`RESOURCE`),isRequired:!0},{name:`scopes`,when:K(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`GATE`)},{name:`requiresEmail`,when:e=>q(e)&&e.scopes?.includes(`email`)===!0},{name:`firstParty`,when:q},{heading:`applications.people`,when:J},{name:`audience`,when:J},{name:`admitsGroupsOnly`,when:J},{name:`allowedGroups`,when:e=>J(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:K(`WEB`,`SERVICE`,`RESOURCE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:K(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:Y},{name:`idTokenAlg`,when:Y},{name:`omitsIdTokenClaims`,when:Y},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:Y},{name:`refreshTokenIdleSeconds`,when:Y},{name:`backchannelLogoutUri`,when:Y},{name:`gateJwtHeader`,when:K(`GATE`)},{name:`gateIdentityHeaders`,when:K(`GATE`)}]}var He=class extends I{#e=new F(this,async e=>{let t={query:this.#a,pageToken:e,withTotalSize:e===``},n=await x(e=>W.listApplications(t,e));return e===``&&(this.#t=be(n)),{items:n.applications,next:n.nextPageToken}});#t=``;#n=new L(this,()=>this.#i?H({requestId:this.#i}):Promise.resolve([]));#r=0;get#i(){return this.route.query.get(`request`)??``}get#a(){return this.route.query.get(`q`)??``}#o=e=>{g(e,this.route),this.#e.reloadSoon()};#s=e=>{g(e,this.route),clearTimeout(this.#r),this.#r=window.setTimeout(()=>void this.#n.reload(),300)};render(){let e=n(`ApplicationService/CreateApplication`)?y`<a class="primary" href=${_([`applications`,G])}>${A(`applications.add`)}</a>`:i;return y`${l(A(`applications`),{lead:A(`applications.lead`),actions:e})}
      <search class="filters"><div class="field"><label for="applications-query">${A(`search`)}</label><input id="applications-query" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" .value=${this.#a} @input=${this.#o} /></div><div class="field">
        <label for="refused-request">${A(`refusals.search`)}</label>
        <input id="refused-request" name="request" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder=${A(`requestId`)} .value=${this.#i} @input=${this.#s} />
      </div></search>
      ${this.#i?u(A(`refusals`),this.#n.render(e=>U(e,{isOfOne:!1,mended:()=>this.#n.reload()}))):i}
      ${this.#t?y`<p class="total" role="status">${A(`applications.total`,{total:this.#t})}</p>`:i}
      ${this.#e.render(e=>v(A(`applications`),[{label:A(`field.name`),cell:e=>p(S(e.name),e.redirectUris[0]??e.origins[0]??e.identifier,[`applications`,e.applicationId])},{label:A(`field.kind`),cell:e=>Ue(e)},{label:A(`changed`),cell:e=>m(e.details?.changeDate),isWide:!0}],e),s(A(this.#a?`applications.noneFound`:`applications.none`)))}`}};function Ue({kind:e}){return C(`APPLICATION_KIND_${D[e]}`)}var We=class extends I{#e=new L(this,z);#t=new L(this,()=>fe(()=>import(`./marks-Dny_FLNa.js`),__vite__mapDeps([0,1,2]),import.meta.url));#n=new ge(this);#r=e=>{g(e,this.route),this.requestUpdate()};render(){return this.#e.render(e=>this.#i(e))}#i(e){let{query:t}=this.route,n=t.get(`for`)??``,r=Ge(t),a=e.find(e=>e.name===n),o=[`applications`,G];if(!n)return y`${l(A(`applications.add`),{up:[A(`applications`),_([`applications`])],lead:A(`applications.addLead`)})}
        ${this.#n.render(A(`applications.software`),[{title:A(`applications.otherSoftware`),letter:`+`,second:A(`applications.otherSoftwareLead`),href:_(o,{for:Re})},...e.map(({name:e,program:t})=>({title:t,mark:this.#t.value?.markOfProgram(e),href:_(o,{for:e})}))])}`;let c=y`<a class="button" href=${_(o)}>${A(`gallery.another`)}</a>`,u=a?y`${he(a.program,this.#t.value?.markOfProgram(a.name))}${a.program}`:A(`applications.otherSoftware`);return y`${l(u,{up:[A(`applications.add`),_(o)],lead:A(`applications.addLead`),actions:c})}
      ${a?y`<div class="filters"><div class="field"><label for="host">${A(`applications.host`)}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${a.name}.example.com`} .value=${r} @change=${this.#r} /></div></div>`:i}
      ${a&&!r?s(A(`applications.hostLead`)):we(r,this.#a(a,r))}`}#a(e,t){return u(A(`details`),T({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:Y},{name:`origins`,when:K(`GATE`),isRequired:!0},{name:`identifier`,when:K(`RESOURCE`),isRequired:!0},{name:`firstParty`,when:q},{heading:`applications.chosen`,when:X},{name:`applicationId`,when:X},{name:`secret`,when:Be}],values:e?Me(e,t):{},submit:A(`add`),cancel:()=>c([`applications`]),save:async({applicationId:n=``,secret:r=``,...i})=>{let o=N(se,{application:i,applicationId:n,secret:r}),{applicationId:s}=await a(e=>W.createApplication(o,e));c([`applications`,s,`connect`],e?{for:e.name,host:t}:{})}}))}};function Ge(e){return(e.get(`host`)??``).replace(/\/+$/,``)}function Z(e){return JSON.stringify(e??{},void 0,2)}var Q={part:`workloads`,field:`workloadIssuers`,fields:[`issuer`,`audience`,`subject`,`claims`].map(e=>({name:e,texts:`workloads.${e}`})),rowOf:e=>N(oe,e),titleOf:({subject:e})=>e,columns:()=>[{label:A(`field.workloads.subject`),cell:e=>p(y`<code>${e.subject}</code>`,e.issuer)},{label:A(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:A(`field.workloads.audience`),cell:e=>y`<code>${e.audience}</code>`,isWide:!0}]},$={part:`claims`,field:`claims`,fields:[`name`,`attribute`,`text`,`target`].map(e=>({name:e,texts:`claims.${e}`})),rowOf:e=>N(ce,e),titleOf:({name:e})=>e,columns:()=>[{label:A(`field.claims.name`),cell:e=>p(y`<code>${e.name}</code>`,``)},{label:A(`claims.value`),cell:e=>e.attribute?y`<code>${e.attribute}</code>`:e.text},{label:A(`field.claims.target`),cell:({target:e})=>C(`CLAIM_TARGET_${ae[e]}`),isWide:!0}]},Ke=class extends I{#e=new L(this,z);#t=new L(this,()=>this.#c());#n=new L(this,()=>H({applicationId:this.#s}));#r;#i;#a=``;#o=new L(this,async()=>n(`GroupService/ListGroups`)?(await ue(e=>x(t=>Ie.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#s(){return this.route.path[1]??``}async#c(){let{application:e}=await x(e=>W.getApplication({applicationId:this.#s},e));return e}render(){return this.#t.render(e=>{let t=this.route.path[2];if(t===`scopes`)return this.route.path[3]?this.#g(e):this.#h(e);if(t===Q.part)return this.#b(Q,e);if(t===$.part)return this.#b($,e);if(t===`people`&&this.route.path[3])return this.#u(e);let r=y`<button type="button" class="quiet danger" @click=${()=>this.#E(e)}>${A(`applications.remove`)}</button>`,a=[`applications`,e.applicationId],o=J(M(O,e))&&n(`UserService/ListUsers`);return y`${l(S(e.name),{up:[A(`applications`),_([`applications`])],lead:Ue(e),actions:n(`ApplicationService/RemoveApplication`)?r:i})}
        ${ee(e.name,[[A(`settings`),a,t===void 0],...o?[[A(`applications.people`),[...a,`people`],t===`people`]]:[],[A(`connect`),[...a,`connect`],t===`connect`],[A(`refusals`),[...a,`refusals`],t===`refusals`]])}
        ${t===`connect`?y`${this.#C(e)}${this.#f(e)}${Ee(e)}`:t===`refusals`?this.#d():t===`people`?this.#l(e):this.#p(e)}`})}#l({applicationId:e,admitsGroupsOnly:t,kind:n}){let r=Y({kind:`APPLICATION_KIND_${D[n]}`});return this.#r??=new F(this,async e=>{let t={filter:`applications:"${this.#s}"`,pageToken:e,withTotalSize:e===``},n=await x(e=>Le.listUsers(t,e));return e===``&&(this.#a=`${n.totalSize.toLocaleString()}${n.totalSizeIsMinimum?`+`:``}`),{items:n.users,next:n.nextPageToken}}),u(this.#a?`${A(`applications.people`)} (${this.#a})`:A(`applications.people`),this.#r.render(t=>v(A(`applications.people`),[{label:A(`field.displayName`),cell:e=>p(S(e.displayName||e.userName),S(e.userName),[`users`,e.userId])},{label:A(`field.email`),cell:e=>S(e.email),isWide:!0,isText:!0},{label:A(`state`),cell:_e,isWide:!0},{label:A(`user.enteredLast`),cell:e=>e.enteredApplicationAt?m(e.enteredApplicationAt):`–`,isWide:!0},{label:A(`actions`),isLabelHidden:!0,cell:({userId:t,displayName:n,userName:a})=>r?y`<a class="button" aria-label=${A(`applications.claimsOf`,{name:n||a})} href=${_([`applications`,e,`people`,t])}>${A(`applications.claims`)}</a>`:i}],t),s(A(`applications.nobody`))),{lead:A(t?`applications.groupsEnter`:`applications.allEnter`)})}#u({applicationId:e,name:t}){let n=this.route.path[3]??``;return this.#i??=new L(this,async()=>{let{claims:t}=await x(t=>W.getApplicationClaims({applicationId:e,userId:n},t));return t}),this.#i.render(({isAdmitted:r,idToken:a,userinfo:o})=>y`${l(A(`applications.claimsOf`,{name:String(o?.name??a?.name??n)}),{up:[t,_([`applications`,e,`people`])],lead:A(`applications.claimsLead`)})}
        ${r?i:y`<p class="warning">${A(`applications.notAdmitted`)}</p>`}
        ${a&&Object.keys(a).length>0?u(A(`applications.claims`),y`${f(A(`applications.idToken`),Z(a))}${f(A(`applications.userinfo`),Z(o))}`,{lead:A(`applications.noSignInClaims`)}):s(A(`applications.noOpenid`))}`)}#d(){let e=async()=>{await Promise.all([this.#t.reload(),this.#n.reload()])};return u(A(`refusals`),this.#n.render(t=>U(t,{isOfOne:!0,mended:e})),{lead:A(`refusals.lead`)})}#f({applicationId:e}){let{query:t}=this.route,n=this.#e.value?.find(e=>e.name===t.get(`for`));return n?u(A(`applications.softwareSettings`,{name:n.program}),y`${Ne(n,Ge(t),e).map(([e,t])=>f(e,t))}
      ${n.note?y`<p class="hint" lang="en">${n.note}</p>`:i}`,{lead:A(`applications.softwareLead`)}):i}#p(e){let t=e=>({values:M(O,e),sequence:e.details.sequence}),{applicationId:r}=e;return y`${u(A(`details`),b([A(`clientId`),h(r,A(`clientId`))],[A(`created`),m(e.details?.creationDate)],[A(`changed`),m(e.details?.changeDate)]))}
      ${n(`ApplicationService/PatchApplication`)?u(A(`settings`),this.#o.render(n=>T({request:`PatchApplicationRequest`,within:`application`,fields:Ve(n),...t(e),submit:A(`save`),current:async()=>t(await this.#c()),save:(e,t,n)=>a(n=>W.patchApplication({application:{...N(O,ye(e,t)),applicationId:r},updateMask:P(t)},n),n)}))):i}
      ${e.kind===D.RESOURCE?this.#m(e):i}
      ${e.kind===D.SERVICE?this.#y(Q,e):i}
      ${q(M(O,e))?this.#y($,e):i}`}#m({applicationId:e,resourceScopes:t}){let r=n(`ApplicationService/PatchApplication`),a=[`applications`,e,`scopes`],o=y`<a class="button" href=${_(a)}>${A(`resourceScopes.add`)}</a>`,c=new Map(this.#o.value?.map(({groupId:e,displayName:t})=>[e,t]));return u(A(`resourceScopes`),t.length===0?s(A(`resourceScopes.none`)):v(A(`resourceScopes`),[{label:A(`field.resourceScopes.name`),cell:e=>p(y`<code>${e.name}</code>`,e.description,r?[...a,e.name]:void 0)},{label:A(`field.resourceScopes.allowedGroups`),cell:e=>e.allowedGroups.map(e=>c.get(e)??e).join(`, `),isWide:!0},{label:A(`actions`),isLabelHidden:!0,cell:e=>r?y`<button type="button" class="quiet danger" aria-label=${A(`removeOne`,{name:e.name})} @click=${()=>this.#v(e)}>${A(`remove`)}</button>`:i}],t),{lead:A(`resourceScopes.lead`),actions:r?o:i})}#h({applicationId:e,name:t}){let n=[`applications`,e];return y`${l(A(`resourceScopes.add`),{up:[t,_(n)],lead:A(`resourceScopes.lead`)})}
      ${this.#_({values:{},submit:A(`add`),cancel:()=>c(n),save:async e=>{let t=this.#t.value,r=N(k,e);await this.#x(t,{resourceScopes:[...t.resourceScopes,r]}),c(n)}})}`}#g(t){let n=[`applications`,t.applicationId],r=({resourceScopes:e})=>e.find(({name:e})=>e===this.route.path[3]),i=t=>({values:M(k,r(t)??e(k)),sequence:t.details.sequence}),a=[t.name,_(n)];return r(t)?y`${l(S(this.route.path[3]),{up:a,lead:A(`resourceScopes.oneLead`)})}
      ${this.#_({...i(t),submit:A(`save`),current:async()=>(await this.#t.reload(),i(this.#t.value)),save:async e=>{let t=this.#t.value,n=N(k,e),i=t.resourceScopes.map(e=>e===r(t)?n:e);await this.#x(t,{resourceScopes:i}),this.route=te(this.route,n.name)}})}`:l(A(`failure.NOT_FOUND`),{up:a,lead:A(`missing.text`)})}#_(e){return u(A(`details`),this.#o.render(t=>T({request:`PatchApplicationRequest`,within:`application.resourceScopes`,fields:[{name:`name`,texts:`resourceScopes.name`},{name:`description`,texts:`resourceScopes.description`},{name:`allowedGroups`,texts:`resourceScopes.allowedGroups`,choices:t.map(({groupId:e,displayName:t})=>[e,t])}],...e})))}#v(e){let t=this.#t.value;j({title:A(`resourceScopes.removeTitle`,{name:e.name}),action:A(`remove`),consequences:async()=>[A(`resourceScopes.remove`)],act:async()=>{await this.#x(t,{resourceScopes:t.resourceScopes.filter(t=>t!==e)}),await this.#t.reload()},done:A(`removed`,{name:e.name})})}#y({part:e,field:t,columns:r,titleOf:a},o){let c=n(`ApplicationService/PatchApplication`),l=y`<a class="button" href=${_([`applications`,o.applicationId,e])}>${A(`${e}.add`)}</a>`,d=o[t];return u(A(e),d.length===0?s(A(`${e}.none`)):v(A(e),[...r(),{label:A(`actions`),isLabelHidden:!0,cell:n=>c?y`<button type="button" class="quiet danger" aria-label=${A(`removeOne`,{name:a(n)})} @click=${()=>this.#S({part:e,field:t,titleOf:a},n)}>${A(`remove`)}</button>`:i}],d),{lead:A(`${e}.lead`),actions:c?l:i})}#b({part:e,field:t,fields:n,rowOf:r},i){let a=[`applications`,i.applicationId];return y`${l(A(`${e}.add`),{up:[i.name,_(a)],lead:A(`${e}.lead`)})}
      ${u(A(`details`),T({request:`PatchApplicationRequest`,within:`application.${t}`,fields:n,values:{},submit:A(`add`),cancel:()=>c(a),save:async e=>{let n=i[t];await this.#x(i,{[t]:[...n,r(e)]}),c(a)}}))}`}async#x({applicationId:e,details:t},n){await a(t=>W.patchApplication({application:{applicationId:e,...n},updateMask:P(Object.keys(n))},t),t.sequence)}#S({part:e,field:t,titleOf:n},r){let i=this.#t.value,a=i[t];j({title:A(`${e}.removeTitle`,{name:n(r)}),action:A(`remove`),consequences:async()=>[A(`${e}.remove`)],act:async()=>{await this.#x(i,{[t]:a.filter(e=>e!==r)}),await this.#t.reload()},done:A(`removed`,{name:n(r)})})}#C(e){if(![D.WEB,D.SERVICE,D.RESOURCE].includes(e.kind))return i;let t=n(`ApplicationService/CreateApplicationSecret`),r=y`<button type="button" @click=${()=>void this.#w(e)}>${A(`applications.createSecret`)}</button>`;return u(A(`applications.secrets`),e.secrets.length===0?s(A(`applications.noSecrets`)):v(A(`applications.secrets`),[{label:`ID`,cell:e=>p(y`<code>${e.secretId}</code>`,``)},{label:A(`created`),cell:e=>m(e.createdAt),isWide:!0},{label:A(`user.lastUsed`),cell:e=>e.lastUsedAt?m(e.lastUsedAt):A(`never`)},{label:A(`actions`),isLabelHidden:!0,cell:n=>t?y`<button type="button" class="quiet danger" aria-label=${A(`removeOne`,{name:n.secretId})} @click=${()=>this.#T(e,n)}>${A(`remove`)}</button>`:i}],e.secrets),{lead:A(`applications.secretsLead`),actions:t?r:i})}async#w({applicationId:e}){try{let{secret:t}=await a(t=>W.createApplicationSecret({applicationId:e},t));me(A(`secret`),y`<p>${h(t,A(`secret`))}</p>`,()=>void this.#t.reload())}catch(e){ne(e)}}#T({applicationId:e,secrets:t},{secretId:n}){j({title:A(`applications.removeSecretTitle`),action:A(`remove`),consequences:async()=>[A(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>d(t=>W.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await a(t=>W.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#t.reload()},done:A(`removed`,{name:A(`secret`)})})}#E({applicationId:e,name:t,secrets:n}){j({title:A(`applications.removeTitle`,{name:t}),action:A(`applications.remove`),consequences:async()=>[A(`applications.removeText`),...n.length>0?[pe(`applications.endsSecrets`,n.length)]:[]],check:()=>d(t=>W.removeApplication({applicationId:e},t)),act:async()=>{await a(t=>W.removeApplication({applicationId:e},t)),c([`applications`])},done:A(`removed`,{name:t})})}};customElements.define(`keystead-applications`,He),customElements.define(`keystead-application-new`,We),customElements.define(`keystead-application`,Ke);export{ze as views};