import{E as e}from"./service-DNI36Fsq.js";import{$ as t,E as n,G as r,H as i,K as a,Q as o,X as s,Y as c,_ as l,at as u,d,f,h as p,i as m,l as h,m as g,nt as _,o as v,p as ee,r as y,rt as b,s as x,st as S,u as C}from"./index-BObwN6c7.js";import{a as w,c as te,d as ne,i as T,l as re,n as E,o as D,r as ie,s as O,t as k}from"./values-DHx4NvQ1.js";import{a as ae,c as oe,i as A,n as j,o as se,r as M,s as N,t as ce}from"./application_service_pb-CPEqbMaa.js";import{GroupService as le}from"./group_service_pb-D3I5to7D.js";import{D as P,k as ue,ut as de}from"./session-_N1IPf0j.js";import{n as F,t as fe}from"./view_words-BBPypM0O.js";import{i as pe,t as I}from"./dialogs-TXmYUW9v.js";import{i as me,n as he,r as L,t as R}from"./view-ZwiLaDbr.js";var{I:ge}=a,_e={},ve=(e,t=_e)=>e._$AH=t,ye=te(class extends re{constructor(){super(...arguments),this.key=i}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(ve(e),this.key=t),n}}),be=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

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
`]],z=P.replace(/\/$/,``);function xe(e){let{applicationId:t,scopes:n,kind:i}=e;if(i===j.GATE)return Ce(e);if(i===j.RESOURCE)return Se(e);let a=`${z}/.well-known/openid-configuration`;return C(F(`connect`),r`${v([F(`connect.issuer`),y(z,F(`connect.issuer`))],[F(`connect.discovery`),y(a,F(`connect.discovery`))],[F(`clientId`),y(t,F(`clientId`))],n.length>0&&[F(`field.scopes`),y(n.join(` `),F(`field.scopes`))])}
  ${we(e).map(([e,t])=>d(e,t))}`,{lead:F(`connect.lead`)})}function Se({applicationId:e,identifier:t}){return C(F(`connect`),v([F(`connect.issuer`),y(z,F(`connect.issuer`))],[F(`field.identifier`),y(t,F(`field.identifier`))],[F(`connect.keys`),y(`${z}/.well-known/jwks.json`,F(`connect.keys`))],[F(`connect.introspection`),y(`${z}/oauth/introspect`,F(`connect.introspection`))],[F(`clientId`),y(e,F(`clientId`))]),{lead:F(`connect.apiLead`)})}function Ce({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return C(F(`connect`),r`${v([F(`clientId`),y(e,F(`clientId`))],[F(`connect.check`),y(`${z}/gate/check`,F(`connect.check`))],[F(`connect.checkOverGrpc`),y(`envoy.service.auth.v3.Authorization/Check`,F(`connect.checkOverGrpc`))])}
  ${d(F(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${be.map(([e,t])=>d(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:F(`connect.gateLead`)})}function we({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,a=n[0]??`https://app.example.com/callback`;if(t===j.SERVICE)return[[`curl`,`curl ${z}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${z}/oauth/token", grant_type="client_credentials")`]];let o=t===j.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${z}"),\n  "${e}",${o?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${a}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${o?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${z}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${o?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${z}`]]}var Te=/https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g,Ee=/^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;async function B(){let{RECIPES:e}=await de(async()=>{let{RECIPES:e}=await import(`./recipes-ChHU_lgJ.js`);return{RECIPES:e}},[],import.meta.url);return e}function De({program:e,application:t},n){let r=Object.entries({name:e,...t}).map(([e,t])=>[e,Array.isArray(t)?t.map(e=>V(String(e),n)):V(t,n)]),i=Object.fromEntries(r);if(!Ee.test(n)||i.kind!==`APPLICATION_KIND_WEB`)return i;let{backchannelLogoutUri:a,...o}=i;return{...o,allowsHttp:!0}}function Oe({settings:e},t,n){let r={"{issuer}":P.replace(/\/$/,``),"{client_id}":n,"{client_secret}":`CLIENT_SECRET`};return e.map(({where:e,text:n})=>[e,V(n,t,r).trim()])}function V(e,t,n={}){if(typeof e!=`string`)return e;let r={"https://{host}":t.includes(`://`)?t:`https://${t}`,"{host}":t.replace(/^.*:\/\//,``),...n};return e.replace(Te,e=>r[e]??e)}var H=s(A);async function U(e){return(await t(t=>H.listRefusals(e,t))).refusals}function W(e,{isOfOne:t,mended:a}){return e.length===0?m(F(t?`refusals.none`:`refusals.notFound`)):f(F(`refusals`),[{label:F(`refusals.remedy`),cell:e=>r`<p class="remedy" lang="en">${e.remedy}</p>
            <small><code>${e.endpoint} ${e.reason}</code> · ${g(e.refusedAt)} · ${e.count.toString()}×</small>
            ${e.patch&&n(`ApplicationService/PatchApplication`)?r`<button type="button" @click=${()=>ke(e,a)}>${F(`refusals.mend`)}</button>`:i}`},...t?[]:[{label:F(`application`),cell:e=>p(h(e.applicationName),``,[`applications`,e.applicationId])}],{label:F(`requestId`),cell:e=>r`<code>${e.requestId}</code>`,isWide:!0}],e)}function ke({applicationId:e,patch:n,patchMask:r},i){let a=0n,s=e=>H.patchApplication({application:n,updateMask:r},e);I({title:F(`refusals.mendTitle`),action:F(`refusals.set`),consequences:async()=>{let{application:i}=await t(t=>H.getApplication({applicationId:e},t));return a=i.details.sequence,Ae(n,i,r.paths)},check:()=>o(s),act:async()=>{await c(s,a),await i()},done:F(`refusals.mended`)})}function Ae(e,t,n){return n.flatMap(n=>{let i=n.replace(/_(.)/g,(e,t)=>t.toUpperCase()),[a,o]=[t,e].map(e=>ne(M,e)[i]);if(Array.isArray(o))return[...o.filter(e=>!(Array.isArray(a)&&a.includes(e))).map(e=>r`${D(i)}: + <code>${e}</code>`),r`${F(`refusals.anybody`)}`];let s=typeof o==`string`?O(o):F(o?`yes`:`no`);return[r`${D(i)}: <strong>${s}</strong>`,r`${F(`refusals.weakens`)}`]})}var G=s(A),je=s(le),K=`+`;function Me({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===K?`keystead-application-new`:`keystead-application`}var q=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),J=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`),Y=q(`WEB`,`BROWSER`,`NATIVE`,`GATE`,`RESOURCE`),X=q(`WEB`,`BROWSER`,`NATIVE`),Ne=q(`WEB`,`SERVICE`,`RESOURCE`),Z=q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`RESOURCE`);function Pe(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:X},{name:`postLogoutRedirectUris`,when:X},{name:`allowsHttp`,when:q(`WEB`)},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`scopes`,when:q(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`GATE`)},{name:`requiresEmail`,when:e=>J(e)&&e.scopes?.includes(`email`)===!0},{name:`firstParty`,when:J},{heading:`applications.people`,when:Y},{name:`audience`,when:Y},{name:`admitsGroupsOnly`,when:Y},{name:`allowedGroups`,when:e=>Y(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:q(`WEB`,`SERVICE`,`RESOURCE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:q(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:X},{name:`idTokenAlg`,when:X},{name:`omitsIdTokenClaims`,when:X},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:X},{name:`refreshTokenIdleSeconds`,when:X},{name:`backchannelLogoutUri`,when:X},{name:`gateJwtHeader`,when:q(`GATE`)},{name:`gateIdentityHeaders`,when:q(`GATE`)}]}var Fe=class extends L{#e=new he(this,async e=>{let n={query:this.#a,pageToken:e,withTotalSize:e===``},r=await t(e=>G.listApplications(n,e));return e===``&&(this.#t=me(r)),{items:r.applications,next:r.nextPageToken}});#t=``;#n=new R(this,()=>this.#i?U({requestId:this.#i}):Promise.resolve([]));#r=0;get#i(){return this.route.query.get(`request`)??``}get#a(){return this.route.query.get(`q`)??``}#o=e=>{_(e,this.route),this.#e.reloadSoon()};#s=e=>{_(e,this.route),clearTimeout(this.#r),this.#r=window.setTimeout(()=>void this.#n.reload(),300)};render(){let e=n(`ApplicationService/CreateApplication`)?r`<a class="primary" href=${S([`applications`,K])}>${F(`applications.add`)}</a>`:i;return r`${x(F(`applications`),{lead:F(`applications.lead`),actions:e})}
      <search class="filters"><div class="field"><label for="applications-query">${F(`search`)}</label><input id="applications-query" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" .value=${this.#a} @input=${this.#o} /></div><div class="field">
        <label for="refused-request">${F(`refusals.search`)}</label>
        <input id="refused-request" name="request" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder=${F(`requestId`)} .value=${this.#i} @input=${this.#s} />
      </div></search>
      ${this.#i?C(F(`refusals`),this.#n.render(e=>W(e,{isOfOne:!1,mended:()=>this.#n.reload()}))):i}
      ${this.#t?r`<p class="total" role="status">${F(`applications.total`,{total:this.#t})}</p>`:i}
      ${this.#e.render(e=>f(F(`applications`),[{label:F(`field.name`),cell:e=>p(h(e.name),e.redirectUris[0]??e.origins[0]??e.identifier,[`applications`,e.applicationId])},{label:F(`field.kind`),cell:e=>Ie(e)},{label:F(`changed`),cell:e=>g(e.details?.changeDate),isWide:!0}],e),m(F(this.#a?`applications.noneFound`:`applications.none`)))}`}};function Ie({kind:e}){return O(`APPLICATION_KIND_${j[e]}`)}var Le=class extends L{#e=new R(this,B);#t=e=>{_(e,this.route),this.requestUpdate()};render(){return r`${x(F(`applications.add`),{up:[F(`applications`),S([`applications`])],lead:F(`applications.addLead`)})}
      ${this.#e.render(e=>this.#n(e))}`}#n(e){let{query:t}=this.route,n=t.get(`for`)??``,a=Re(t),o=e.find(e=>e.name===n);return r`<div class="filters">
        <div class="field"><label for="software">${F(`applications.software`)}</label><select id="software" name="for" @change=${this.#t}>
          <option value="">${F(`applications.otherSoftware`)}</option>
          ${e.map(e=>r`<option value=${e.name} ?selected=${e.name===n}>${e.program}</option>`)}
        </select></div>
        ${o?r`<div class="field"><label for="host">${F(`applications.host`)}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${o.name}.example.com`} .value=${a} @change=${this.#t} /></div>`:i}
      </div>
      ${o&&!a?m(F(`applications.hostLead`)):ye(`${n} ${a}`,this.#r(o,a))}`}#r(e,t){return C(F(`details`),w({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:X},{name:`origins`,when:q(`GATE`),isRequired:!0},{name:`identifier`,when:q(`RESOURCE`),isRequired:!0},{name:`firstParty`,when:J},{heading:`applications.chosen`,when:Z},{name:`applicationId`,when:Z},{name:`secret`,when:Ne}],values:e?De(e,t):{},submit:F(`add`),cancel:()=>b([`applications`]),save:async({applicationId:n=``,secret:r=``,...i})=>{let a=E(se,{application:i,applicationId:n,secret:r}),{applicationId:o}=await c(e=>G.createApplication(a,e));b([`applications`,o,`connect`],e?{for:e.name,host:t}:{})}}))}};function Re(e){return(e.get(`host`)??``).replace(/\/+$/,``)}var Q={part:`workloads`,field:`workloadIssuers`,fields:[`issuer`,`audience`,`subject`,`claims`].map(e=>({name:e,texts:`workloads.${e}`})),rowOf:e=>E(oe,e),titleOf:({subject:e})=>e,columns:()=>[{label:F(`field.workloads.subject`),cell:e=>p(r`<code>${e.subject}</code>`,e.issuer)},{label:F(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:F(`field.workloads.audience`),cell:e=>r`<code>${e.audience}</code>`,isWide:!0}]},$={part:`claims`,field:`claims`,fields:[`name`,`attribute`,`text`,`target`].map(e=>({name:e,texts:`claims.${e}`})),rowOf:e=>E(ce,e),titleOf:({name:e})=>e,columns:()=>[{label:F(`field.claims.name`),cell:e=>p(r`<code>${e.name}</code>`,``)},{label:F(`claims.value`),cell:e=>e.attribute?r`<code>${e.attribute}</code>`:e.text},{label:F(`field.claims.target`),cell:({target:e})=>O(`CLAIM_TARGET_${ae[e]}`),isWide:!0}]},ze=class extends L{#e=new R(this,B);#t=new R(this,()=>this.#a());#n=new R(this,()=>U({applicationId:this.#i}));#r=new R(this,async()=>n(`GroupService/ListGroups`)?(await ue(e=>t(t=>je.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#i(){return this.route.path[1]??``}async#a(){let{application:e}=await t(e=>G.getApplication({applicationId:this.#i},e));return e}render(){return this.#t.render(e=>{let t=this.route.path[2];if(t===`scopes`)return this.route.path[3]?this.#d(e):this.#u(e);if(t===Q.part)return this.#h(Q,e);if(t===$.part)return this.#h($,e);let a=r`<button type="button" class="quiet danger" @click=${()=>this.#x(e)}>${F(`applications.remove`)}</button>`,o=[`applications`,e.applicationId];return r`${x(h(e.name),{up:[F(`applications`),S([`applications`])],lead:Ie(e),actions:n(`ApplicationService/RemoveApplication`)?a:i})}
        ${ee(e.name,[[F(`settings`),o,t===void 0],[F(`connect`),[...o,`connect`],t===`connect`],[F(`refusals`),[...o,`refusals`],t===`refusals`]])}
        ${t===`connect`?r`${this.#v(e)}${this.#s(e)}${xe(e)}`:t===`refusals`?this.#o():this.#c(e)}`})}#o(){let e=async()=>{await Promise.all([this.#t.reload(),this.#n.reload()])};return C(F(`refusals`),this.#n.render(t=>W(t,{isOfOne:!0,mended:e})),{lead:F(`refusals.lead`)})}#s({applicationId:e}){let{query:t}=this.route,n=this.#e.value?.find(e=>e.name===t.get(`for`));return n?C(F(`applications.softwareSettings`,{name:n.program}),r`${Oe(n,Re(t),e).map(([e,t])=>d(e,t))}
      ${n.note?r`<p class="hint" lang="en">${n.note}</p>`:i}`,{lead:F(`applications.softwareLead`)}):i}#c(e){let t=e=>({values:T(M,e),sequence:e.details.sequence}),{applicationId:a}=e;return r`${C(F(`details`),v([F(`clientId`),y(a,F(`clientId`))],[F(`created`),g(e.details?.creationDate)],[F(`changed`),g(e.details?.changeDate)]))}
      ${n(`ApplicationService/PatchApplication`)?C(F(`settings`),this.#r.render(n=>w({request:`PatchApplicationRequest`,within:`application`,fields:Pe(n),...t(e),submit:F(`save`),current:async()=>t(await this.#a()),save:(e,t,n)=>c(n=>G.patchApplication({application:{...E(M,ie(e,t)),applicationId:a},updateMask:k(t)},n),n)}))):i}
      ${e.kind===j.RESOURCE?this.#l(e):i}
      ${e.kind===j.SERVICE?this.#m(Q,e):i}
      ${J(T(M,e))?this.#m($,e):i}`}#l({applicationId:e,resourceScopes:t}){let a=n(`ApplicationService/PatchApplication`),o=[`applications`,e,`scopes`],s=r`<a class="button" href=${S(o)}>${F(`resourceScopes.add`)}</a>`,c=new Map(this.#r.value?.map(({groupId:e,displayName:t})=>[e,t]));return C(F(`resourceScopes`),t.length===0?m(F(`resourceScopes.none`)):f(F(`resourceScopes`),[{label:F(`field.resourceScopes.name`),cell:e=>p(r`<code>${e.name}</code>`,e.description,a?[...o,e.name]:void 0)},{label:F(`field.resourceScopes.allowedGroups`),cell:e=>e.allowedGroups.map(e=>c.get(e)??e).join(`, `),isWide:!0},{label:F(`actions`),isLabelHidden:!0,cell:e=>a?r`<button type="button" class="quiet danger" aria-label=${F(`removeOne`,{name:e.name})} @click=${()=>this.#p(e)}>${F(`remove`)}</button>`:i}],t),{lead:F(`resourceScopes.lead`),actions:a?s:i})}#u({applicationId:e,name:t}){let n=[`applications`,e];return r`${x(F(`resourceScopes.add`),{up:[t,S(n)],lead:F(`resourceScopes.lead`)})}
      ${this.#f({values:{},submit:F(`add`),cancel:()=>b(n),save:async e=>{let t=this.#t.value,r=E(N,e);await this.#g(t,{resourceScopes:[...t.resourceScopes,r]}),b(n)}})}`}#d(t){let n=[`applications`,t.applicationId],i=({resourceScopes:e})=>e.find(({name:e})=>e===this.route.path[3]),a=t=>({values:T(N,i(t)??e(N)),sequence:t.details.sequence}),o=[t.name,S(n)];return i(t)?r`${x(h(this.route.path[3]),{up:o,lead:F(`resourceScopes.oneLead`)})}
      ${this.#f({...a(t),submit:F(`save`),current:async()=>(await this.#t.reload(),a(this.#t.value)),save:async e=>{let t=this.#t.value,n=E(N,e),r=t.resourceScopes.map(e=>e===i(t)?n:e);await this.#g(t,{resourceScopes:r}),this.route=u(this.route,n.name)}})}`:x(F(`failure.NOT_FOUND`),{up:o,lead:F(`missing.text`)})}#f(e){return C(F(`details`),this.#r.render(t=>w({request:`PatchApplicationRequest`,within:`application.resourceScopes`,fields:[{name:`name`,texts:`resourceScopes.name`},{name:`description`,texts:`resourceScopes.description`},{name:`allowedGroups`,texts:`resourceScopes.allowedGroups`,choices:t.map(({groupId:e,displayName:t})=>[e,t])}],...e})))}#p(e){let t=this.#t.value;I({title:F(`resourceScopes.removeTitle`,{name:e.name}),action:F(`remove`),consequences:async()=>[F(`resourceScopes.remove`)],act:async()=>{await this.#g(t,{resourceScopes:t.resourceScopes.filter(t=>t!==e)}),await this.#t.reload()},done:F(`removed`,{name:e.name})})}#m({part:e,field:t,columns:a,titleOf:o},s){let c=n(`ApplicationService/PatchApplication`),l=r`<a class="button" href=${S([`applications`,s.applicationId,e])}>${F(`${e}.add`)}</a>`,u=s[t];return C(F(e),u.length===0?m(F(`${e}.none`)):f(F(e),[...a(),{label:F(`actions`),isLabelHidden:!0,cell:n=>c?r`<button type="button" class="quiet danger" aria-label=${F(`removeOne`,{name:o(n)})} @click=${()=>this.#_({part:e,field:t,titleOf:o},n)}>${F(`remove`)}</button>`:i}],u),{lead:F(`${e}.lead`),actions:c?l:i})}#h({part:e,field:t,fields:n,rowOf:i},a){let o=[`applications`,a.applicationId];return r`${x(F(`${e}.add`),{up:[a.name,S(o)],lead:F(`${e}.lead`)})}
      ${C(F(`details`),w({request:`PatchApplicationRequest`,within:`application.${t}`,fields:n,values:{},submit:F(`add`),cancel:()=>b(o),save:async e=>{let n=a[t];await this.#g(a,{[t]:[...n,i(e)]}),b(o)}}))}`}async#g({applicationId:e,details:t},n){await c(t=>G.patchApplication({application:{applicationId:e,...n},updateMask:k(Object.keys(n))},t),t.sequence)}#_({part:e,field:t,titleOf:n},r){let i=this.#t.value,a=i[t];I({title:F(`${e}.removeTitle`,{name:n(r)}),action:F(`remove`),consequences:async()=>[F(`${e}.remove`)],act:async()=>{await this.#g(i,{[t]:a.filter(e=>e!==r)}),await this.#t.reload()},done:F(`removed`,{name:n(r)})})}#v(e){if(![j.WEB,j.SERVICE,j.RESOURCE].includes(e.kind))return i;let t=n(`ApplicationService/CreateApplicationSecret`),a=r`<button type="button" @click=${()=>void this.#y(e)}>${F(`applications.createSecret`)}</button>`;return C(F(`applications.secrets`),e.secrets.length===0?m(F(`applications.noSecrets`)):f(F(`applications.secrets`),[{label:`ID`,cell:e=>p(r`<code>${e.secretId}</code>`,``)},{label:F(`created`),cell:e=>g(e.createdAt),isWide:!0},{label:F(`actions`),isLabelHidden:!0,cell:n=>t?r`<button type="button" class="quiet danger" aria-label=${F(`removeOne`,{name:n.secretId})} @click=${()=>this.#b(e,n)}>${F(`remove`)}</button>`:i}],e.secrets),{lead:F(`applications.secretsLead`),actions:t?a:i})}async#y({applicationId:e}){try{let{secret:t}=await c(t=>G.createApplicationSecret({applicationId:e},t));pe(F(`secret`),r`<p>${y(t,F(`secret`))}</p>`,()=>void this.#t.reload())}catch(e){l(e)}}#b({applicationId:e,secrets:t},{secretId:n}){I({title:F(`applications.removeSecretTitle`),action:F(`remove`),consequences:async()=>[F(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>o(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),act:async()=>{await c(t=>G.removeApplicationSecret({applicationId:e,secretId:n},t)),await this.#t.reload()},done:F(`removed`,{name:F(`secret`)})})}#x({applicationId:e,name:t,secrets:n}){I({title:F(`applications.removeTitle`,{name:t}),action:F(`applications.remove`),consequences:async()=>[F(`applications.removeText`),...n.length>0?[fe(`applications.endsSecrets`,n.length)]:[]],check:()=>o(t=>G.removeApplication({applicationId:e},t)),act:async()=>{await c(t=>G.removeApplication({applicationId:e},t)),b([`applications`])},done:F(`removed`,{name:t})})}};customElements.define(`keystead-applications`,Fe),customElements.define(`keystead-application-new`,Le),customElements.define(`keystead-application`,ze);export{Me as views};