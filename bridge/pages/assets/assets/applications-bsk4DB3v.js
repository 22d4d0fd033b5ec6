import{E as e}from"./service-DNI36Fsq.js";import{$ as t,G as n,H as r,J as i,K as a,Q as o,T as s,U as c,Y as l,_ as ee,d as u,et as te,f as d,h as f,i as p,l as m,m as h,nt as g,o as _,p as ne,r as v,s as y,u as b,z as x}from"./index-CQzd-79y.js";import{a as S,c as re,d as ie,i as C,l as ae,n as w,o as T,r as oe,s as E,t as D}from"./values-D9WQlvuO.js";import{a as se,c as ce,i as O,n as k,o as le,r as A,s as j,t as ue}from"./application_service_pb-C_J6SLy9.js";import{n as de}from"./group_service_pb-Dlj8yCXP.js";import{D as M,it as fe,k as pe}from"./session-CyRfYU0t.js";import{n as N,t as me}from"./view_words-CERFRr0I.js";import{i as he,t as P}from"./dialogs-CPKfAIAG.js";import{n as ge,r as F,t as I}from"./view-CgCLv0U7.js";var{I:_e}=c,ve={},ye=(e,t=ve)=>e._$AH=t,be=re(class extends ae{constructor(){super(...arguments),this.key=x}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(ye(e),this.key=t),n}}),xe=[[`Caddy`,`# An application behind Keystead's gate. The environment of Caddy has the token of the gate as GATE_TOKEN.

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
`]],L=M.replace(/\/$/,``);function Se(e){let{applicationId:t,scopes:n,kind:i}=e;if(i===k.GATE)return we(e);if(i===k.RESOURCE)return Ce(e);let a=`${L}/.well-known/openid-configuration`;return b(N(`connect`),r`${_([N(`connect.issuer`),v(L,N(`connect.issuer`))],[N(`connect.discovery`),v(a,N(`connect.discovery`))],[N(`clientId`),v(t,N(`clientId`))],n.length>0&&[N(`field.scopes`),v(n.join(` `),N(`field.scopes`))])}
  ${Te(e).map(([e,t])=>u(e,t))}`,{lead:N(`connect.lead`)})}function Ce({applicationId:e,identifier:t}){return b(N(`connect`),_([N(`connect.issuer`),v(L,N(`connect.issuer`))],[N(`field.identifier`),v(t,N(`field.identifier`))],[N(`connect.keys`),v(`${L}/.well-known/jwks.json`,N(`connect.keys`))],[N(`connect.introspection`),v(`${L}/oauth/introspect`,N(`connect.introspection`))],[N(`clientId`),v(e,N(`clientId`))]),{lead:N(`connect.apiLead`)})}function we({applicationId:e,origins:t}){let n=new URL(t[0]??`https://app.example.com`).host;return b(N(`connect`),r`${_([N(`clientId`),v(e,N(`clientId`))],[N(`connect.check`),v(`${L}/gate/check`,N(`connect.check`))],[N(`connect.checkOverGrpc`),v(`envoy.service.auth.v3.Authorization/Check`,N(`connect.checkOverGrpc`))])}
  ${u(N(`connect.token`),`keystead user create gate
keystead user grant gate GATE
keystead token create gate --name proxy`)}
  ${xe.map(([e,t])=>u(e,t.replaceAll(`grafana.example.com`,n)))}`,{lead:N(`connect.gateLead`)})}function Te({applicationId:e,kind:t,redirectUris:n,scopes:r}){let i=r.join(` `)||`openid`,a=n[0]??`https://app.example.com/callback`;if(t===k.SERVICE)return[[`curl`,`curl ${L}/oauth/token \\\n  --user "${e}:$CLIENT_SECRET" \\\n  --data grant_type=client_credentials`],[`Python, Authlib`,`from authlib.integrations.requests_client import OAuth2Session\n\nsession = OAuth2Session("${e}", CLIENT_SECRET)\ntoken = session.fetch_token("${L}/oauth/token", grant_type="client_credentials")`]];let o=t===k.WEB;return[[`JavaScript, openid-client`,`import * as client from "openid-client";\n\nconst config = await client.discovery(\n  new URL("${L}"),\n  "${e}",${o?`
  process.env.CLIENT_SECRET,`:``}\n);\nconst verifier = client.randomPKCECodeVerifier();\nconst address = client.buildAuthorizationUrl(config, {\n  redirect_uri: "${a}",\n  scope: "${i}",\n  code_challenge: await client.calculatePKCECodeChallenge(verifier),\n  code_challenge_method: "S256",\n  state: client.randomState(),\n});`],[`Python, Authlib`,`oauth.register(\n    "keystead",\n    client_id="${e}",${o?`
    client_secret=os.environ["CLIENT_SECRET"],`:``}\n    server_metadata_url="${L}/.well-known/openid-configuration",\n    client_kwargs={"scope": "${i}", "code_challenge_method": "S256"},\n)`],[`Spring Boot`,`spring.security.oauth2.client:\n  registration.keystead:\n    client-id: ${e}${o?`
    client-secret: \${CLIENT_SECRET}`:`
    client-authentication-method: none`}\n    scope: ${r.join(`, `)||`openid`}\n  provider.keystead.issuer-uri: ${L}`]]}var Ee=/https:\/\/\{host\}|\{(?:host|issuer|client_id|client_secret)\}/g,De=/^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$))/;async function R(){let{RECIPES:e}=await fe(async()=>{let{RECIPES:e}=await import(`./recipes-ChHU_lgJ.js`);return{RECIPES:e}},[],import.meta.url);return e}function Oe({program:e,application:t},n){let r=Object.entries({name:e,...t}).map(([e,t])=>[e,Array.isArray(t)?t.map(e=>z(String(e),n)):z(t,n)]),i=Object.fromEntries(r);if(!De.test(n)||i.kind!==`APPLICATION_KIND_WEB`)return i;let{backchannelLogoutUri:a,...o}=i;return{...o,allowsHttp:!0}}function ke({settings:e},t,n){let r={"{issuer}":M.replace(/\/$/,``),"{client_id}":n,"{client_secret}":`CLIENT_SECRET`};return e.map(({where:e,text:n})=>[e,z(n,t,r).trim()])}function z(e,t,n={}){if(typeof e!=`string`)return e;let r={"https://{host}":t.includes(`://`)?t:`https://${t}`,"{host}":t.replace(/^.*:\/\//,``),...n};return e.replace(Ee,e=>r[e]??e)}var B=a(O);async function V(e){return(await l(t=>B.listRefusals(e,t))).refusals}function H(e,{isOfOne:t,mended:n}){return e.length===0?p(N(t?`refusals.none`:`refusals.notFound`)):d(N(`refusals`),[{label:N(`refusals.remedy`),cell:e=>r`<p class="remedy" lang="en">${e.remedy}</p>
            <small><code>${e.endpoint} ${e.reason}</code> · ${h(e.refusedAt)} · ${e.count.toString()}×</small>
            ${e.patch&&s(`ApplicationService/PatchApplication`)?r`<button type="button" @click=${()=>Ae(e,n)}>${N(`refusals.mend`)}</button>`:x}`},...t?[]:[{label:N(`application`),cell:e=>f(m(e.applicationName),``,[`applications`,e.applicationId])}],{label:N(`requestId`),cell:e=>r`<code>${e.requestId}</code>`,isWide:!0}],e)}function Ae({applicationId:e,patch:t,patchMask:r},a){let o=0n,s=e=>B.patchApplication({application:t,updateMask:r},e);P({title:N(`refusals.mendTitle`),action:N(`refusals.set`),consequences:async()=>{let{application:n}=await l(t=>B.getApplication({applicationId:e},t));return o=n.details.sequence,je(t,n,r.paths)},check:()=>i(s),act:async()=>{await n(s,o),await a()},done:N(`refusals.mended`)})}function je(e,t,n){return n.flatMap(n=>{let i=n.replace(/_(.)/g,(e,t)=>t.toUpperCase()),[a,o]=[t,e].map(e=>ie(A,e)[i]);if(Array.isArray(o))return[...o.filter(e=>!(Array.isArray(a)&&a.includes(e))).map(e=>r`${T(i)}: + <code>${e}</code>`),r`${N(`refusals.anybody`)}`];let s=typeof o==`string`?E(o):N(o?`yes`:`no`);return[r`${T(i)}: <strong>${s}</strong>`,r`${N(`refusals.weakens`)}`]})}var U=a(O),Me=a(de),W=`+`;function Ne({path:e}){return e[1]===void 0?`keystead-applications`:e[1]===W?`keystead-application-new`:`keystead-application`}var G=(...e)=>({kind:t})=>e.some(e=>t===`APPLICATION_KIND_${e}`),K=G(`WEB`,`BROWSER`,`NATIVE`,`GATE`),q=G(`WEB`,`BROWSER`,`NATIVE`,`GATE`,`RESOURCE`),J=G(`WEB`,`BROWSER`,`NATIVE`),Pe=G(`WEB`,`SERVICE`,`RESOURCE`),Y=G(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`RESOURCE`);function Fe(e){let t=e.map(({groupId:e,displayName:t})=>[e,t]),n=e=>e.tokenEndpointAuthMethod===`TOKEN_ENDPOINT_AUTH_METHOD_PRIVATE_KEY_JWT`;return[`name`,`logo`,{name:`redirectUris`,when:J},{name:`postLogoutRedirectUris`,when:J},{name:`allowsHttp`,when:G(`WEB`)},{name:`origins`,when:G(`GATE`),isRequired:!0},{name:`identifier`,when:G(`RESOURCE`),isRequired:!0},{name:`scopes`,when:G(`WEB`,`BROWSER`,`NATIVE`,`SERVICE`,`GATE`)},{name:`requiresEmail`,when:e=>K(e)&&e.scopes?.includes(`email`)===!0},{name:`firstParty`,when:K},{heading:`applications.people`,when:q},{name:`audience`,when:q},{name:`admitsGroupsOnly`,when:q},{name:`allowedGroups`,when:e=>q(e)&&e.admitsGroupsOnly===!0,choices:t},{heading:`applications.tokens`},{name:`tokenEndpointAuthMethod`,when:G(`WEB`,`SERVICE`,`RESOURCE`)},{name:`jwksUri`,when:n},{name:`jwks`,when:n},{name:`pkce`,when:G(`WEB`)},{name:`requiresPushedAuthorizationRequests`,when:J},{name:`idTokenAlg`,when:J},{name:`omitsIdTokenClaims`,when:J},`accessTokenTyp`,`accessTokenLifetimeSeconds`,{name:`refreshTokenLifetimeSeconds`,when:J},{name:`refreshTokenIdleSeconds`,when:J},{name:`backchannelLogoutUri`,when:J},{name:`gateJwtHeader`,when:G(`GATE`)},{name:`gateIdentityHeaders`,when:G(`GATE`)}]}var Ie=class extends F{#e=new ge(this,async e=>{let t=await l(t=>U.listApplications({pageToken:e},t));return{items:t.applications,next:t.nextPageToken}});#t=new I(this,()=>this.#r?V({requestId:this.#r}):Promise.resolve([]));#n=0;get#r(){return this.route.query.get(`request`)??``}#i=e=>{o(e,this.route),clearTimeout(this.#n),this.#n=window.setTimeout(()=>void this.#t.reload(),300)};render(){let e=s(`ApplicationService/CreateApplication`)?r`<a class="primary" href=${g([`applications`,W])}>${N(`applications.add`)}</a>`:x;return r`${y(N(`applications`),{lead:N(`applications.lead`),actions:e})}
      <search class="filters"><div class="field">
        <label for="refused-request">${N(`refusals.search`)}</label>
        <input id="refused-request" name="request" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder=${N(`requestId`)} .value=${this.#r} @input=${this.#i} />
      </div></search>
      ${this.#r?b(N(`refusals`),this.#t.render(e=>H(e,{isOfOne:!1,mended:()=>this.#t.reload()}))):x}
      ${this.#e.render(e=>d(N(`applications`),[{label:N(`field.name`),cell:e=>f(m(e.name),e.redirectUris[0]??e.origins[0]??e.identifier,[`applications`,e.applicationId])},{label:N(`field.kind`),cell:e=>X(e)},{label:N(`changed`),cell:e=>h(e.details?.changeDate),isWide:!0}],e),p(N(`applications.none`)))}`}};function X({kind:e}){return E(`APPLICATION_KIND_${k[e]}`)}var Le=class extends F{#e=new I(this,R);#t=e=>{o(e,this.route),this.requestUpdate()};render(){return r`${y(N(`applications.add`),{up:[N(`applications`),g([`applications`])],lead:N(`applications.addLead`)})}
      ${this.#e.render(e=>this.#n(e))}`}#n(e){let{query:t}=this.route,n=t.get(`for`)??``,i=Z(t),a=e.find(e=>e.name===n);return r`<div class="filters">
        <div class="field"><label for="software">${N(`applications.software`)}</label><select id="software" name="for" @change=${this.#t}>
          <option value="">${N(`applications.otherSoftware`)}</option>
          ${e.map(e=>r`<option value=${e.name} ?selected=${e.name===n}>${e.program}</option>`)}
        </select></div>
        ${a?r`<div class="field"><label for="host">${N(`applications.host`)}</label><input id="host" name="host" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${`${a.name}.example.com`} .value=${i} @change=${this.#t} /></div>`:x}
      </div>
      ${a&&!i?p(N(`applications.hostLead`)):be(`${n} ${i}`,this.#r(a,i))}`}#r(e,r){return b(N(`details`),S({request:`CreateApplicationRequest`,within:`application`,fields:[`name`,`kind`,{name:`redirectUris`,when:J},{name:`origins`,when:G(`GATE`),isRequired:!0},{name:`identifier`,when:G(`RESOURCE`),isRequired:!0},{name:`firstParty`,when:K},{heading:`applications.chosen`,when:Y},{name:`applicationId`,when:Y},{name:`secret`,when:Pe}],values:e?Oe(e,r):{},submit:N(`add`),cancel:()=>t([`applications`]),save:async({applicationId:i=``,secret:a=``,...o})=>{let s=w(le,{application:o,applicationId:i,secret:a}),{applicationId:c}=await n(e=>U.createApplication(s,e));t([`applications`,c,`connect`],e?{for:e.name,host:r}:{})}}))}};function Z(e){return(e.get(`host`)??``).replace(/\/+$/,``)}var Q={part:`workloads`,field:`workloadIssuers`,fields:[`issuer`,`audience`,`subject`,`claims`].map(e=>({name:e,texts:`workloads.${e}`})),rowOf:e=>w(ce,e),titleOf:({subject:e})=>e,columns:()=>[{label:N(`field.workloads.subject`),cell:e=>f(r`<code>${e.subject}</code>`,e.issuer)},{label:N(`field.workloads.claims`),cell:e=>Object.entries(e.claims).sort().map(([e,t])=>`${e}=${t}`).join(`, `),isWide:!0},{label:N(`field.workloads.audience`),cell:e=>r`<code>${e.audience}</code>`,isWide:!0}]},$={part:`claims`,field:`claims`,fields:[`name`,`attribute`,`text`,`target`].map(e=>({name:e,texts:`claims.${e}`})),rowOf:e=>w(ue,e),titleOf:({name:e})=>e,columns:()=>[{label:N(`field.claims.name`),cell:e=>f(r`<code>${e.name}</code>`,``)},{label:N(`claims.value`),cell:e=>e.attribute?r`<code>${e.attribute}</code>`:e.text},{label:N(`field.claims.target`),cell:({target:e})=>E(`CLAIM_TARGET_${se[e]}`),isWide:!0}]},Re=class extends F{#e=new I(this,R);#t=new I(this,()=>this.#a());#n=new I(this,()=>V({applicationId:this.#i}));#r=new I(this,async()=>s(`GroupService/ListGroups`)?(await pe(e=>l(t=>Me.listGroups(e,t)))).flatMap(e=>e.groups):[]);get#i(){return this.route.path[1]??``}async#a(){let{application:e}=await l(e=>U.getApplication({applicationId:this.#i},e));return e}render(){return this.#t.render(e=>{let t=this.route.path[2];if(t===`scopes`)return this.route.path[3]?this.#d(e):this.#u(e);if(t===Q.part)return this.#h(Q,e);if(t===$.part)return this.#h($,e);let n=r`<button type="button" class="quiet danger" @click=${()=>this.#x(e)}>${N(`applications.remove`)}</button>`,i=[`applications`,e.applicationId];return r`${y(m(e.name),{up:[N(`applications`),g([`applications`])],lead:X(e),actions:s(`ApplicationService/RemoveApplication`)?n:x})}
        ${ne(e.name,[[N(`settings`),i,t===void 0],[N(`connect`),[...i,`connect`],t===`connect`],[N(`refusals`),[...i,`refusals`],t===`refusals`]])}
        ${t===`connect`?r`${this.#v(e)}${this.#s(e)}${Se(e)}`:t===`refusals`?this.#o():this.#c(e)}`})}#o(){let e=async()=>{await Promise.all([this.#t.reload(),this.#n.reload()])};return b(N(`refusals`),this.#n.render(t=>H(t,{isOfOne:!0,mended:e})),{lead:N(`refusals.lead`)})}#s({applicationId:e}){let{query:t}=this.route,n=this.#e.value?.find(e=>e.name===t.get(`for`));return n?b(N(`applications.softwareSettings`,{name:n.program}),r`${ke(n,Z(t),e).map(([e,t])=>u(e,t))}
      ${n.note?r`<p class="hint" lang="en">${n.note}</p>`:x}`,{lead:N(`applications.softwareLead`)}):x}#c(e){let t=e=>({values:C(A,e),sequence:e.details.sequence}),{applicationId:i}=e;return r`${b(N(`details`),_([N(`clientId`),v(i,N(`clientId`))],[N(`created`),h(e.details?.creationDate)],[N(`changed`),h(e.details?.changeDate)]))}
      ${s(`ApplicationService/PatchApplication`)?b(N(`settings`),this.#r.render(r=>S({request:`PatchApplicationRequest`,within:`application`,fields:Fe(r),...t(e),submit:N(`save`),current:async()=>t(await this.#a()),save:(e,t,r)=>n(n=>U.patchApplication({application:{...w(A,oe(e,t)),applicationId:i},updateMask:D(t)},n),r)}))):x}
      ${e.kind===k.RESOURCE?this.#l(e):x}
      ${e.kind===k.SERVICE?this.#m(Q,e):x}
      ${K(C(A,e))?this.#m($,e):x}`}#l({applicationId:e,resourceScopes:t}){let n=s(`ApplicationService/PatchApplication`),i=[`applications`,e,`scopes`],a=r`<a class="button" href=${g(i)}>${N(`resourceScopes.add`)}</a>`,o=new Map(this.#r.value?.map(({groupId:e,displayName:t})=>[e,t]));return b(N(`resourceScopes`),t.length===0?p(N(`resourceScopes.none`)):d(N(`resourceScopes`),[{label:N(`field.resourceScopes.name`),cell:e=>f(r`<code>${e.name}</code>`,e.description,n?[...i,e.name]:void 0)},{label:N(`field.resourceScopes.allowedGroups`),cell:e=>e.allowedGroups.map(e=>o.get(e)??e).join(`, `),isWide:!0},{label:N(`actions`),isLabelHidden:!0,cell:e=>n?r`<button type="button" class="quiet danger" aria-label=${N(`removeOne`,{name:e.name})} @click=${()=>this.#p(e)}>${N(`remove`)}</button>`:x}],t),{lead:N(`resourceScopes.lead`),actions:n?a:x})}#u({applicationId:e,name:n}){let i=[`applications`,e];return r`${y(N(`resourceScopes.add`),{up:[n,g(i)],lead:N(`resourceScopes.lead`)})}
      ${this.#f({values:{},submit:N(`add`),cancel:()=>t(i),save:async e=>{let n=this.#t.value,r=w(j,e);await this.#g(n,{resourceScopes:[...n.resourceScopes,r]}),t(i)}})}`}#d(t){let n=[`applications`,t.applicationId],i=({resourceScopes:e})=>e.find(({name:e})=>e===this.route.path[3]),a=t=>({values:C(j,i(t)??e(j)),sequence:t.details.sequence}),o=[t.name,g(n)];return i(t)?r`${y(m(this.route.path[3]),{up:o,lead:N(`resourceScopes.oneLead`)})}
      ${this.#f({...a(t),submit:N(`save`),current:async()=>(await this.#t.reload(),a(this.#t.value)),save:async e=>{let t=this.#t.value,n=w(j,e),r=t.resourceScopes.map(e=>e===i(t)?n:e);await this.#g(t,{resourceScopes:r}),this.route=te(this.route,n.name)}})}`:y(N(`failure.NOT_FOUND`),{up:o,lead:N(`missing.text`)})}#f(e){return b(N(`details`),this.#r.render(t=>S({request:`PatchApplicationRequest`,within:`application.resourceScopes`,fields:[{name:`name`,texts:`resourceScopes.name`},{name:`description`,texts:`resourceScopes.description`},{name:`allowedGroups`,texts:`resourceScopes.allowedGroups`,choices:t.map(({groupId:e,displayName:t})=>[e,t])}],...e})))}#p(e){let t=this.#t.value;P({title:N(`resourceScopes.removeTitle`,{name:e.name}),action:N(`remove`),consequences:async()=>[N(`resourceScopes.remove`)],act:async()=>{await this.#g(t,{resourceScopes:t.resourceScopes.filter(t=>t!==e)}),await this.#t.reload()},done:N(`removed`,{name:e.name})})}#m({part:e,field:t,columns:n,titleOf:i},a){let o=s(`ApplicationService/PatchApplication`),c=r`<a class="button" href=${g([`applications`,a.applicationId,e])}>${N(`${e}.add`)}</a>`,l=a[t];return b(N(e),l.length===0?p(N(`${e}.none`)):d(N(e),[...n(),{label:N(`actions`),isLabelHidden:!0,cell:n=>o?r`<button type="button" class="quiet danger" aria-label=${N(`removeOne`,{name:i(n)})} @click=${()=>this.#_({part:e,field:t,titleOf:i},n)}>${N(`remove`)}</button>`:x}],l),{lead:N(`${e}.lead`),actions:o?c:x})}#h({part:e,field:n,fields:i,rowOf:a},o){let s=[`applications`,o.applicationId];return r`${y(N(`${e}.add`),{up:[o.name,g(s)],lead:N(`${e}.lead`)})}
      ${b(N(`details`),S({request:`PatchApplicationRequest`,within:`application.${n}`,fields:i,values:{},submit:N(`add`),cancel:()=>t(s),save:async e=>{let r=o[n];await this.#g(o,{[n]:[...r,a(e)]}),t(s)}}))}`}async#g({applicationId:e,details:t},r){await n(t=>U.patchApplication({application:{applicationId:e,...r},updateMask:D(Object.keys(r))},t),t.sequence)}#_({part:e,field:t,titleOf:n},r){let i=this.#t.value,a=i[t];P({title:N(`${e}.removeTitle`,{name:n(r)}),action:N(`remove`),consequences:async()=>[N(`${e}.remove`)],act:async()=>{await this.#g(i,{[t]:a.filter(e=>e!==r)}),await this.#t.reload()},done:N(`removed`,{name:n(r)})})}#v(e){if(![k.WEB,k.SERVICE,k.RESOURCE].includes(e.kind))return x;let t=s(`ApplicationService/CreateApplicationSecret`),n=r`<button type="button" @click=${()=>void this.#y(e)}>${N(`applications.createSecret`)}</button>`;return b(N(`applications.secrets`),e.secrets.length===0?p(N(`applications.noSecrets`)):d(N(`applications.secrets`),[{label:`ID`,cell:e=>f(r`<code>${e.secretId}</code>`,``)},{label:N(`created`),cell:e=>h(e.createdAt),isWide:!0},{label:N(`actions`),isLabelHidden:!0,cell:n=>t?r`<button type="button" class="quiet danger" aria-label=${N(`removeOne`,{name:n.secretId})} @click=${()=>this.#b(e,n)}>${N(`remove`)}</button>`:x}],e.secrets),{lead:N(`applications.secretsLead`),actions:t?n:x})}async#y({applicationId:e}){try{let{secret:t}=await n(t=>U.createApplicationSecret({applicationId:e},t));he(N(`secret`),r`<p>${v(t,N(`secret`))}</p>`,()=>void this.#t.reload())}catch(e){ee(e)}}#b({applicationId:e,secrets:t},{secretId:r}){P({title:N(`applications.removeSecretTitle`),action:N(`remove`),consequences:async()=>[N(t.length===1?`applications.lastSecret`:`applications.removeSecret`)],check:()=>i(t=>U.removeApplicationSecret({applicationId:e,secretId:r},t)),act:async()=>{await n(t=>U.removeApplicationSecret({applicationId:e,secretId:r},t)),await this.#t.reload()},done:N(`removed`,{name:N(`secret`)})})}#x({applicationId:e,name:r,secrets:a}){P({title:N(`applications.removeTitle`,{name:r}),action:N(`applications.remove`),consequences:async()=>[N(`applications.removeText`),...a.length>0?[me(`applications.endsSecret`,`applications.endsSecrets`,a.length)]:[]],check:()=>i(t=>U.removeApplication({applicationId:e},t)),act:async()=>{await n(t=>U.removeApplication({applicationId:e},t)),t([`applications`])},done:N(`removed`,{name:r})})}};customElements.define(`keystead-applications`,Ie),customElements.define(`keystead-application-new`,Le),customElements.define(`keystead-application`,Re);export{Ne as views};