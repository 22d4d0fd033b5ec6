import{Q as e}from"./session-CFmU2F3t.js";import{B as t,L as n,M as r,v as i}from"./index-DndOXDiy.js";import{n as a}from"./view_words-BWnJquue.js";var o=e(`Ch5nb29nbGUvcHJvdG9idWYvZHVyYXRpb24ucHJvdG8SD2dvb2dsZS5wcm90b2J1ZiIqCghEdXJhdGlvbhIPCgdzZWNvbmRzGAEgASgDEg0KBW5hbm9zGAIgASgFQoMBChNjb20uZ29vZ2xlLnByb3RvYnVmQg1EdXJhdGlvblByb3RvUAFaMWdvb2dsZS5nb2xhbmcub3JnL3Byb3RvYnVmL3R5cGVzL2tub3duL2R1cmF0aW9ucGL4AQGiAgNHUEKqAh5Hb29nbGUuUHJvdG9idWYuV2VsbEtub3duVHlwZXNiBnByb3RvMw`),s=class{host;run;#e;#t;#n=!1;constructor(e,t){this.host=e,this.run=t}render(e=n){return t`<form novalidate @submit=${this.#r}>${e}
        <div class="actions"><button type="submit" aria-disabled=${this.#n} aria-busy=${this.#n}>${a(`test.run`)}</button></div>
      </form>
      ${this.#t===void 0?n:i(this.#t)}
      ${this.#e?c(this.#e):n}`}#r=async e=>{if(e.preventDefault(),!this.#n){this.#n=!0,[this.#e,this.#t]=[void 0,void 0],this.host.requestUpdate();try{this.#e=(await this.run()).steps}catch(e){this.#t=e}this.#n=!1,this.host.requestUpdate()}}};function c(e){let i=e.some(({succeeded:e})=>!e);return t`<div role="status" class="outcome"><p class=${i?`warning`:`done`}>${a(i?`test.failed`:`test.succeeded`)}</p></div>
    <ol class="steps">${e.map(({name:e,succeeded:i,duration:o,reason:s,message:c})=>t`<li class=${i?``:`failed`}>
      <span class="mark" aria-hidden="true">${i?`✓`:`✕`}</span>
      <p><strong>${r(`step.${e}`)??e}</strong><span class="hidden">: ${a(i?`yes`:`no`)}</span>
        <br /><span lang="en">${c}</span>${s?t` <code>${s}</code>`:n}</p>
      <small>${l(o)}</small>
    </li>`)}</ol>`}function l(e){return e?`${Math.round(Number(e.seconds)*1e3+e.nanos/1e6)} ms`:``}export{o as n,s as t};