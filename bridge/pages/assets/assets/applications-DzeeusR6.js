const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./marks-Dny_FLNa.js","./simple-icons-D-iDgx3b.js","./icons-J7Rno7Z4.js"])))=>i.map(i=>d[i]);
import{E as e}from"./service-DNI36Fsq.js";import{$ as t,G as n,J as r,O as i,Q as a,Y as o,a as s,at as c,c as l,ct as u,d,f,g as p,h as m,i as h,m as ee,nt as g,ot as _,p as v,r as te,s as y,tt as b,u as x,ut as S,v as ne,vt as re}from"./index-C12TmTBh.js";import{i as C,n as ie,o as ae,s as oe,t as w}from"./form-Dk9LsnX-.js";import{a as se,c as ce,i as T,n as E,o as le,r as D,s as O,t as ue}from"./application_service_pb-C-IFxAOc.js";import{GroupService as de}from"./group_service_pb-DLBuTite.js";import{A as fe,O as pe,st as me}from"./session-Bu3Bcvze.js";import{n as k,t as he}from"./view_words-CP55I3MY.js";import{i as ge,t as A}from"./dialogs-D54JDCck.js";import{n as _e,t as ve}from"./gallery-4xYCc9cm.js";import{t as ye}from"./roles-g16dAh2-.js";import{n as j,t as M}from"./translations-Cm4C9rlB.js";import{a as be,i as N,n as P,r as xe,t as F}from"./values-DGc3PrXz.js";import{i as Se,n as I,r as L,t as R}from"./view-dun7ig0R.js";var{I:Ce}=o,we={},Te=(e,t=we)=>e._$AH=t,Ee=ae(class extends oe{constructor(){super(...arguments),this.key=n}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(Te(e),this.key=t),n}}),De=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

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
`]],z=pe.replace(/\/$/,``);function Oe(e){let{applicationId:t,scopes:n,kind:i}=e;if(i===E.GATE)return Ae(e);if(i===E.RESOURCE)return ke(e);let a=`${z}/.well-known/openid-configuration`;return d(k(`connect`),r`${y([k(`connect.issuer`),h(z,k(`connect.issuer`))],[k(`connect.discovery`),h(a,k(`connect.discovery`))],[k(`clientId`),h(t,k(`clientId`))],n.length>0&&[k(`field.scopes`),h(n.join(` `),k(`field.scopes`))])}
  ${je(e).map(([e,t])=>f(e,t))}`,{lead:k(`connect.lead`)})}function ke({applicationId:e,identifier:t}){return d(k(`connect`),y([k(`connect.issuer`),h(z,k(`connect.issuer`))],[k(`field.identifier`),h(t,k(`field.identifier`))],[k(`connect.keys`),h(`${z}/.well-known/jwks.json`,k(`connect.keys`))],[k(`connect.introspection`),h(`${z}/oauth/introspect`,k(`connect.introspection`))],[k(`clientId`),h(e,k(`clientId`))]),{lead:k(`connect.apiLead`)})}function Ae({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return d(k(`connect`),r`${y([k(`clientId`),h(e,k(`clientId`))],[k(`connect.check`),h(`${z}/gate/check`,k(`connect.check`))],[k(`connect.checkOverGrpc`),h(`envoy.service.auth.v3.Authorization/Check`,k(`connect.checkOverGrpc`))])}
  ${f(k(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${De.map(([e,t])=>f(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:k(`connect.gateLead`)})}function je({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,a=n[0]??`https://app.example.com/callback`;if(t===E.SERVICE)return[[`curl`,`curl ${z}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${z}/oauth/token", grant_type="client_credentials")`]];let o=t===E.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${z}"),\n  "${e}",${o?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${a}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${o?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${z}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${o?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${z}`]]}var Me=/https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g,B=pe.replace(/\/$/,``),Ne=/^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;async function V(){let[{RECIPES:e}]=await Promise.all([me(()=>import(`./recipes-ChHU_lgJ.js`),[],import.meta.url),M(`notes`)]);return e}function Pe({program:e,application:t},n){let r=Object.entries({name:e,...t}).map(([e,t])=>[e,Array.isArray(t)?t.map(e=>H(String(e),n)):H(t,n)]),i=Object.fromEntries(r);if(!Ne.test(n)||i.kind!==`APPLICATION_KIND_WEB`)return i;let{backchannelLogoutUri:a,...o}=i;return{...o,allowsHttp:!0}}function Fe({name:e,settings:t},n,r){let i={"{issuer}":B,"{client_id}":r,"{client_secret}":`CLIENT_SECRET`};return t.map(({where:t,text:r},a)=>[j(`notes`,`where.${e}.${a}`,t).text,H(r,n,i).trim()])}function Ie({name:e,note:t}){return j(`notes`,`recipe.${e}`,t.replaceAll(`{issuer}`,B),{issuer:B})}function H(e,t,n={}){if(typeof e!=`string`)return e;let r={"https://{host}":t.includes(`://`)?t:`https://${t}`,"{host}":t.replace(/^.*:\/\//,``),...n};return e.replace(Me,e=>r[e]??e)}var U=t(T);async function W(e){let[{refusals:t}]=await Promise.all([g(t=>U.listRefusals(e,t)),M(`remedies`)]);return t}function Le(e,{isOfOne:t,mended:a}){return e.length===0?s(k(t?`refusals.none`:`refusals.notFound`)):v(k(`refusals`),[{label:k(`refusals.remedy`),cell:e=>r`${Re(e)}
            <small><code>${e.endpoint} ${e.reason}</code> · ${m(e.refusedAt)} · ${e.count.toString()}×</small>
            ${e.patch&&i(`ApplicationService/PatchApplication`)?r`<button type="button" @click=${()=>ze(e,a)}>${k(`refusals.mend`)}</button>`:n}`},...t?[]:[{label:k(`application`),cell:e=>p(x(e.applicationName),``,[`applications`,e.applicationId])}],{label:k(`requestId`),cell:e=>r`<code>${e.requestId}</code>`,isWide:!0}],e)}function Re({reason:e,parameter:t,value:n,remedy:i}){let{text:a,lang:o}=j(`remedies`,e,i,{parameter:t,value:n});return r`<p class="remedy" lang=${o}>${a}</p>`}function ze({applicationId:e,patch:t,patchMask:n},r){let i=0n,o=e=>U.patchApplication({application:t,updateMask:n},e);A({title:k(`refusals.mendTitle`),action:k(`refusals.set`),consequences:async()=>{let{application:r}=await g(t=>U.getApplication({applicationId:e},t));return i=r.details.sequence,Be(t,r,n.paths)},check:()=>b(o),act:async()=>{await a(o,i),await r()},done:k(`refusals.mended`)})}function Be(e,t,n){return n.flatMap(n=>{let i=n.replace(/_(.)/g,(e,t)=>t.toUpperCase()),[a,o]=[t,e].map(e=>be(D,e)[i]);if(Array.isArray(o))return[...o.filter(e=>!(Array.isArray(a)&&a.includes(e))).map(e=>r`${ie(i)}: + <code>${e}</code>`),r`${k(`refusals.anybody`)}`];let s=typeof o==`string`?C(o):k(o?`yes`:`no`);return[r`${ie(i)}: <strong>${s}</strong>`,r`${k(`refusals.weakens`)}`]})}var G=t(T),Ve=t(de),He=t(re),K=`+`,Ue=`other`;function We({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===K?`keystead-application-new`:`keystead-application`}var q=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),J=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`),Y=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`,`RESOURCE`),X=q(`WEB`,`BROWSER`,`NATIVE`),Ge=q(`WEB`,`SERVICE`,`RESOURCE`),Ke=q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`RESOURCE`);function qe(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:X},{name:`postLogoutRedirectUris`,when:X},{name:`allowsHttp`,when:q(`WEB`)},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`scopes`,when:q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`GATE`)},{name:`requiresEmail`,when:e=>J(e)&&e.scopes?.includes(`email`)===!0},{name:`firstParty`,when:J},{heading:`applications.people`,when:Y},{name:`audience`,when:Y},{name:`admitsGroupsOnly`,when:Y},{name:`allowedGroups`,when:e=>Y(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:q(`WEB`,`SERVICE`,`RESOURCE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:q(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:X},{name:`idTokenAlg`,when:X},{name:`omitsIdTokenClaims`,when:X},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:X},{name:`refreshTokenIdleSeconds`,when:X},{name:`backchannelLogoutUri`,when:X},{name:`gateJwtHeader`,when:q(`GATE`)},{name:`gateIdentityHeaders`,when:q(`GATE`)}]}var Je=class extends L{#e=new I(this,async e=>{let t={query:this.#a,pageToken:e,withTotalSize:e===``},n=await g(e=>G.listApplications(t,e));return e===``&&(this.#t=Se(n)),{items:n.applications,next:n.nextPageToken}});#t=``;#n=new R(this,()=>this.#i?W({requestId:this.#i}):Promise.resolve([]));#r=0;get#i(){return this.route.query.get(`request`)??``}get#a(){return this.route.query.get(`q`)??``}#o=e=>{c(e,this.route),this.#e.reloadSoon()};#s=e=>{c(e,this.route),clearTimeout(this.#r),this.#r=window.setTimeout(()=>void this.#n.reload(),300)};render(){let e=i(`ApplicationService/CreateApplication`)?r`<a class="primary" href=${S([`applications`,K])}>${k(`applications.add`)}</a>`:n;return r`${l(k(`applications`),{lead:k(`applications.lead`),actions:e})}
      <search class="filters"><div class="field"><label for="applications-query">${k(`search`)}</label><input id="applications-query" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" .value=${this.#a} @input=${this.#o} /></div><div class="field">
        <label for="refused-request">${k(`refusals.search`)}</label>
        <input id="refused-request" name="request" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder=${k(`requestId`)} .value=${this.#i} @input=${this.#s} />
      </div></search>
      ${this.#i?d(k(`refusals`),this.#n.render(e=>Le(e,{isOfOne:!1,mended:()=>this.#n.reload()}))):n}
      ${this.#t?r`<p class="total" role="status">${k(`applications.total`,{total:this.#t})}</p>`:n}
      ${this.#e.render(e=>v(k(`applications`),[{label:k(`field.name`),cell:e=>p(x(e.name),e.redirectUris[0]??e.origins[0]??e.identifier,[`applications`,e.applicationId])},{label:k(`field.kind`),cell:e=>Ye(e)},{label:k(`changed`),cell:e=>m(e.details?.changeDate),isWide:!0}],e),s(k(this.#a?`applications.noneFound`:`applications.none`)))}`}};function Ye({kind:e}){return C(`APPLICATION_KIND_${E[e]}`)}var Xe=class extends L{#e=new R(this,V);#t=new R(this,()=>me(()=>import(`./marks-Dny_FLNa.js`),__vite__mapDeps([0,1,2]),import.meta.url));#n=new ve(this);#r=e=>{c(e,this.route),this.requestUpdate()};render(){return this.#e.render(e=>this.#i(e))}#i(e){let{query:t}=this.route,i=t.get(`for`)??``,a=Ze(t),o=e.find(e=>e.name===i),c=[`applications`,K];if(!i)return r`${l(k(`applications.add`),{up:[k(`applications`),S([`applications`])],lead:k(`applications.addLead`)})}
        ${this.#n.render(k(`applications.software`),[{title:k(`applications.otherSoftware`),letter:`+`,second:k(`applications.otherSoftwareLead`),href:S(c,{for:Ue})},...e.map(({name:e,program:t})=>({title:t,mark:this.#t.value?.markOfProgram(e),href:S(c,{for:e})}))])}`;let u=r`<a class="button" href=${S(c)}>${k(`gallery.another`)}</a>`,d=o?r`${_e(o.program,this.#t.value?.markOfProgram(o.name))}${o.program}`:k(`applications.otherSoftware`);return r`${l(d,{up:[k(`applications.add`),S(c)],lead:k(`applications.addLead`),actions:u})}
      ${o?r`<div class="filters"><div class="field"><label for="host">${k(`applications.host`)}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${o.name}.example.com`} .value=${a} @change=${this.#r} /></div></div>`:n}
      ${o&&!a?s(k(`applications.hostLead`)):Ee(a,this.#a(o,a))}`}#a(e,t){return d(k(`details`),w({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:X},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`firstParty`,when:J},{heading:`applications.chosen`,when:Ke},{name:`applicationId`,when:Ke},{name:`secret`,when:Ge}],values:e?Pe(e,t):{},submit:k(`add`),cancel:()=>_([`applications`]),save:async({applicationId:n=``,secret:r=``,...i})=>{let o=P(le,{application:i,applicationId:n,secret:r}),{applicationId:s}=await a(e=>G.createApplication(o,e));_([`applications`,s,`connect`],e?{for:e.name,host:t}:{})}}))}};function Ze(e){return(e.get(`host`)??``).replace(/\/+$/,``)}function Z(e){return JSON.stringify(e??{},void 0,2)}var Q={part:`workloads`,field:`workloadIssuers`,fields:[`issuer`,`audience`,`subject`,`claims`].map(e=>({name:e,texts:`workloads.${e}`})),rowOf:e=>P(ce,e),titleOf:({subject:e})=>e,columns:()=>[{label:k(`field.workloads.subject`),cell:e=>p(r`<code>${e.subject}</code>`,e.issuer)},{label:k(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:k(`field.workloads.audience`),cell:e=>r`<code>${e.audience}</code>`,isWide:!0}]},$={part:`claims`,field:`claims`,fields:[`name`,`attribute`,`text`,`target`].map(e=>({name:e,texts:`claims.${e}`})),rowOf:e=>P(ue,e),titleOf:({name:e})=>e,columns:()=>[{label:k(`field.claims.name`),cell:e=>p(r`<code>${e.name}</code>`,``)},{label:k(`claims.value`),cell:e=>e.attribute?r`<code>${e.attribute}</code>`:e.text},{label:k(`field.claims.target`),cell:({target:e})=>C(`CLAIM_TARGET_${se[e]}`),isWide:!0}]},Qe=class extends L{#e=new R(this,V);#t=new R(this,()=>this.#c());#n=new R(this,()=>W({applicationId:this.#s}));#r;#i;#a=``;#o=new R(this,async()=>i(`GroupService/ListGroups`)?(await fe(e=>g(t=>Ve.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#s(){return this.route.path[1]??``}async#c(){let{application:e}=await g(e=>G.getApplication({applicationId:this.#s},e));return e}render(){return this.#t.render(e=>{let t=this.route.path[2];if(t===`scopes`)return this.route.path[3]?this.#g(e):this.#h(e);if(t===Q.part)return this.#b(Q,e);if(t===$.part)return this.#b($,e);if(t===`people`&&this.route.path[3])return this.#u(e);let a=r`<button type="button" class="quiet danger" @click=${()=>this.#E(e)}>${k(`applications.remove`)}</button>`,o=[`applications`,e.applicationId],s=Y(N(D,e))&&i(`UserService/ListUsers`);return r`${l(x(e.name),{up:[k(`applications`),S([`applications`])],lead:Ye(e),actions:i(`ApplicationService/RemoveApplication`)?a:n})}
        ${ee(e.name,[[k(`settings`),o,t===void 0],...s?[[k(`applications.people`),[...o,`people`],t===`people`]]:[],[k(`connect`),[...o,`connect`],t===`connect`],[k(`refusals`),[...o,`refusals`],t===`refusals`]])}
        ${t===`connect`?r`${this.#C(e)}${this.#f(e)}${Oe(e)}`:t===`refusals`?this.#d():t===`people`?this.#l(e):this.#p(e)}`})}#l({applicationId:e,admitsGroupsOnly:t,kind:i}){let a=X({kind:`APPLICATION_KIND_${E[i]}`});return this.#r??=new I(this,async e=>{let t={filter:`applications:"${this.#s}"`,pageToken:e,withTotalSize:e===``},n=await g(e=>He.listUsers(t,e));return e===``&&(this.#a=`${n.totalSize.toLocaleString()}${n.totalSizeIsMinimum?`+`:``}`),{items:n.users,next:n.nextPageToken}}),d(this.#a?`${k(`applications.people`)} (${this.#a})`:k(`applications.people`),this.#r.render(t=>v(k(`applications.people`),[{label:k(`field.displayName`),cell:e=>p(x(e.displayName||e.userName),x(e.userName),[`users`,e.userId])},{label:k(`field.email`),cell:e=>x(e.email),isWide:!0,isText:!0},{label:k(`state`),cell:ye,isWide:!0},{label:k(`user.enteredLast`),cell:e=>e.enteredApplicationAt?m(e.enteredApplicationAt):`–`,isWide:!0},{label:k(`actions`),isLabelHidden:!0,cell:({userId:t,displayName:i,userName:o})=>a?r`<a class="button" aria-label=${k(`applications.claimsOf`,{name:i||o})} href=${S([`applications`,e,`people`,t])}>${k(`applications.claims`)}</a>`:n}],t),s(k(`applications.nobody`))),{lead:k(t?`applications.groupsEnter`:`applications.allEnter`)})}#u({applicationId:e,name:t}){let i=this.route.path[3]??``;return this.#i??=new R(this,async()=>{let{claims:t}=await g(t=>G.getApplicationClaims({applicationId:e,userId:i},t));return t}),this.#i.render(({isAdmitted:a,idToken:o,userinfo:c})=>r`${l(k(`applications.claimsOf`,{name:String(c?.name??o?.name??i)}),{up:[t,S([`applications`,e,`people`])],lead:k(`applications.claimsLead`)})}
        ${a?n:r`<p class="warning">${k(`applications.notAdmitted`)}</p>`}
        ${o&&Object.keys(o).length>0?d(k(`applications.claims`),r`${f(k(`applications.idToken`),Z(o))}${f(k(`applications.userinfo`),Z(c))}`,{lead:k(`applications.noSignInClaims`)}):s(k(`applications.noOpenid`))}`)}#d(){let e=async()=>{await Promise.all([this.#t.reload(),this.#n.reload()])};return d(k(`refusals`),this.#n.render(t=>Le(t,{isOfOne:!0,mended:e})),{lead:k(`refusals.lead`)})}#f({applicationId:e}){let{query:t}=this.route,i=this.#e.value?.find(e=>e.name===t.get(`for`));if(!i)return n;let a=Ie(i);return d(k(`applications.softwareSettings`,{name:i.program}),r`${Fe(i,Ze(t),e).map(([e,t])=>f(e,t))}
      ${a.text?r`<p class="hint" lang=${a.lang}>${te(a.text)}</p>`:n}`,{lead:k(`applications.softwareLead`)})}#p(e){let t=e=>({values:N(D,e),sequence:e.details.sequence}),{applicationId:o}=e;return r`${d(k(`details`),y([k(`clientId`),h(o,k(`clientId`))],[k(`created`),m(e.details?.creationDate)],[k(`changed`),m(e.details?.changeDate)]))}
      ${i(`ApplicationService/PatchApplication`)?d(k(`settings`),this.#o.render(n=>w({request:`PatchApplicationRequest`,within:`application`,fields:qe(n),...t(e),submit:k(`save`),current:async()=>t(await this.#c()),save:(e,t,n)=>a(n=>G.patchApplication({application:{...P(D,xe(e,t)),applicationId:o},updateMask:F(t)},n),n)}))):n}
      ${e.kind===E.RESOURCE?this.#m(e):n}
      ${e.kind===E.SERVICE?this.#y(Q,e):n}
      ${J(N(D,e))?this.#y($,e):n}`}#m({applicationId:e,resourceScopes:t}){let a=i(`ApplicationService/PatchApplication`),o=[`applications`,e,`scopes`],c=r`<a class="button" href=${S(o)}>${k(`resourceScopes.add`)}</a>`,l=new Map(this.#o.value?.map(({groupId:e,displayName:t})=>[e,t]));return d(k(`resourceScopes`),t.length===0?s(k(`resourceScopes.none`)):v(k(`resourceScopes`),[{label:k(`field.resourceScopes.name`),cell:e=>p(r`<code>${e.name}</code>`,e.description,a?[...o,e.name]:void 0)},{label:k(`field.resourceScopes.allowedGroups`),cell:e=>e.allowedGroups.map(e=>l.get(e)??e).join(`, `),isWide:!0},{label:k(`actions`),isLabelHidden:!0,cell:e=>a?r`<button type="button" class="quiet danger" aria-label=${k(`removeOne`,{name:e.name})} @click=${()=>this.#v(e)}>${k(`remove`)}</button>`:n}],t),{lead:k(`resourceScopes.lead`),actions:a?c:n})}#h({applicationId:e,name:t}){let n=[`applications`,e];return r`${l(k(`resourceScopes.add`),{up:[t,S(n)],lead:k(`resourceScopes.lead`)})}
      ${this.#_({values:{},submit:k(`add`),cancel:()=>_(n),save:async e=>{let t=this.#t.value,r=P(O,e);await this.#x(t,{resourceScopes:[...t.resourceScopes,r]}),_(n)}})}`}#g(t){let n=[`applications`,t.applicationId],i=({resourceScopes:e})=>e.find(({name:e})=>e===this.route.path[3]),a=t=>({values:N(O,i(t)??e(O)),sequence:t.details.sequence}),o=[t.name,S(n)];return i(t)?r`${l(x(this.route.path[3]),{up:o,lead:k(`resourceScopes.oneLead`)})}
      ${this.#_({...a(t),submit:k(`save`),current:async()=>(await this.#t.reload(),a(this.#t.value)),save:async e=>{let t=this.#t.value,n=P(O,e),r=t.resourceScopes.map(e=>e===i(t)?n:e);await this.#x(t,{resourceScopes:r}),this.route=u(this.route,n.name)}})}`:l(k(`failure.NOT_FOUND`),{up:o,lead:k(`missing.text`)})}#_(e){return d(k(`details`),this.#o.render(t=>w({request:`PatchApplicationRequest`,within:`application.resourceScopes`,fields:[{name:`name`,texts:`resourceScopes.name`},{name:`description`,texts:`resourceScopes.description`},{name:`allowedGroups`,texts:`resourceScopes.allowedGroups`,choices:t.map(({groupId:e,displayName:t})=>[e,t])}],...e})))}#v(e){let t=this.#t.value;A({title:k(`resourceScopes.removeTitle`,{name:e.name}),action:k(`remove`),consequences:async()=>[k(`resourceScopes.remove`)],act:async()=>{await this.#x(t,{resourceScopes:t.resourceScopes.filter(t=>t!==e)}),await this.#t.reload()},done:k(`removed`,{name:e.name})})}#y({part:e,field:t,columns:a,titleOf:o},c){let l=i(`ApplicationService/PatchApplication`),u=r`<a class="button" href=${S([`applications`,c.applicationId,e])}>${k(`${e}.add`)}</a>`,f=c[t];return d(k(e),f.length===0?s(k(`${e}.none`)):v(k(e),[...a(),{label:k(`actions`),isLabelHidden:!0,cell:i=>l?r`<button type="button" class="quiet danger" aria-label=${k(`removeOne`,{name:o(i)})} @click=${()=>this.#S({part:e,field:t,titleOf:o},i)}>${k(`remove`)}</button>`:n}],f),{lead:k(`${e}.lead`),actions:l?u:n})}#b({part:e,field:t,fields:n,rowOf:i},a){let o=[`applications`,a.applicationId];return r`${l(k(`${e}.add`),{up:[a.name,S(o)],lead:k(`${e}.lead`)})}
      ${d(k(`details`),w({request:`PatchApplicationRequest`,within:`application.${t}`,fields:n,values:{},submit:k(`add`),cancel:()=>_(o),save:async e=>{let n=a[t];await this.#x(a,{[t]:[...n,i(e)]}),_(o)}}))}`}async#x({applicationId:e,details:t},n){await a(t=>G.patchApplication({application:{applicationId:e,...n},updateMask:F(Object.keys(n))},t),t.sequence)}#S({part:e,field:t,titleOf:n},r){let i=this.#t.value,a=i[t];A({title:k(`${e}.removeTitle`,{name:n(r)}),action:k(`remove`),consequences:async()=>[k(`${e}.remove`)],act:async()=>{await this.#x(i,{[t]:a.filter(e=>e!==r)}),await this.#t.reload()},done:k(`removed`,{name:n(r)})})}#C(e){if(![E.WEB,E.SERVICE,E.RESOURCE].includes(e.kind))return n;let t=i(`ApplicationService/CreateApplicationSecret`),a=r`<button type="button" @click=${()=>void this.#w(e)}>${k(`applications.createSecret`)}</button>`;return d(k(`applications.secrets`),e.secrets.length===0?s(k(`applications.noSecrets`)):v(k(`applications.secrets`),[{label:`ID`,cell:e=>p(r`<code>${e.secretId}</code>`,``)},{label:k(`created`),cell:e=>m(e.createdAt),isWide:!0},{label:k(`user.lastUsed`),cell:e=>e.lastUsedAt?m(e.lastUsedAt):k(`never`)},{label:k(`actions`),isLabelHidden:!0,cell:i=>t?r`<button type="button" class="quiet danger" aria-label=${k(`removeOne`,{name:i.secretId})} @click=${()=>this.#T(e,i)}>${k(`remove`)}</button>`:n}],e.secrets),{lead:k(`applications.secretsLead`),actions:t?a:n})}async#w({applicationId:e}){try{let{secret:t}=await a(t=>G.createApplicationSecret({applicationId:e},t));ge(k(`secret`),r`<p>${h(t,k(`secret`))}</p>`,()=>void this.#t.reload())}catch(e){ne(e)}}#T({applicationId:e,secrets:t},{secretId:n}){A({title:k(`applications.removeSecretTitle`),action:k(`remove`),consequences:async()=>[k(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>b(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await a(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#t.reload()},done:k(`removed`,{name:k(`secret`)})})}#E({applicationId:e,name:t,secrets:n}){A({title:k(`applications.removeTitle`,{name:t}),action:k(`applications.remove`),consequences:async()=>[k(`applications.removeText`),...n.length>0?[he(`applications.endsSecrets`,n.length)]:[]],check:()=>b(t=>G.removeApplication({applicationId:e},t)),act:async()=>{await a(t=>G.removeApplication({applicationId:e},t)),_([`applications`])},done:k(`removed`,{name:t})})}};customElements.define(`keystead-applications`,Je),customElements.define(`keystead-application-new`,Xe),customElements.define(`keystead-application`,Qe);export{We as views};