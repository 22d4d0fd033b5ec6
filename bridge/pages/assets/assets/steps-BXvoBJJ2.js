import{Q as e}from"./session-DROCdhmy.js";import{I as t,M as n,v as r,z as i}from"./index-Dxerpfag.js";import{n as a}from"./view_words-BeAk5y0F.js";var o=e(`Ch5nb29nbGUvcHJvdG9idWYvZHVyYXRpb24ucHJvdG8SD2dvb2dsZS5wcm90b2J1ZiIqCghEdXJhdGlvbhIPCgdzZWNvbmRzGAEgASgDEg0KBW5hbm9zGAIgASgFQoMBChNjb20uZ29vZ2xlLnByb3RvYnVmQg1EdXJhdGlvblByb3RvUAFaMWdvb2dsZS5nb2xhbmcub3JnL3Byb3RvYnVmL3R5cGVzL2tub3duL2R1cmF0aW9ucGL4AQGiAgNHUEKqAh5Hb29nbGUuUHJvdG9idWYuV2VsbEtub3duVHlwZXNiBnByb3RvMw`),s=class{host;run;#e;#t;#n=!1;constructor(e,t){this.host=e,this.run=t}render(e=t){return i`<form novalidate @submit=${this.#r}>${e}
        <div class="actions"><button type="submit" aria-disabled=${this.#n} aria-busy=${this.#n}>${a(`test.run`)}</button></div>
      </form>
      ${this.#t===void 0?t:r(this.#t)}
      ${this.#e?c(this.#e):t}`}#r=async e=>{if(e.preventDefault(),!this.#n){this.#n=!0,[this.#e,this.#t]=[void 0,void 0],this.host.requestUpdate();try{this.#e=(await this.run()).steps}catch(e){this.#t=e}this.#n=!1,this.host.requestUpdate()}}};function c(e){let r=e.some(({succeeded:e})=>!e);return i`<div role="status" class="outcome"><p class=${r?`warning`:`done`}>${a(r?`test.failed`:`test.succeeded`)}</p></div>
    <ol class="steps">${e.map(({name:e,succeeded:r,duration:o,reason:s,message:c})=>i`<li class=${r?``:`failed`}>
      <span class="mark" aria-hidden="true">${r?`✓`:`✕`}</span>
      <p><strong>${n(`step.${e}`)??e}</strong><span class="hidden">: ${a(r?`yes`:`no`)}</span>
        <br /><span lang="en">${c}</span>${s?i` <code>${s}</code>`:t}</p>
      <small>${l(o)}</small>
    </li>`)}</ol>`}function l(e){return e?`${Math.round(Number(e.seconds)*1e3+e.nanos/1e6)} ms`:``}export{o as n,s as t};