import{R as e,W as t,q as n,y as r}from"./index-h55ylQiN.js";import{n as i}from"./view_words-DvQY9xX_.js";var a=class{host;run;#e;#t;#n=!1;constructor(e,t){this.host=e,this.run=t}render(e=t){return n`<form novalidate @submit=${this.#r}>${e}
        <div class="actions"><button type="submit" aria-disabled=${this.#n} aria-busy=${this.#n}>${i(`test.run`)}</button></div>
      </form>
      ${this.#t===void 0?t:r(this.#t)}
      ${this.#e?o(this.#e):t}`}#r=async e=>{if(e.preventDefault(),!this.#n){this.#n=!0,[this.#e,this.#t]=[void 0,void 0],this.host.requestUpdate();try{this.#e=(await this.run()).steps}catch(e){this.#t=e}this.#n=!1,this.host.requestUpdate()}}};function o(r){let a=r.some(({succeeded:e})=>!e);return n`<div role="status" class="outcome"><p class=${a?`warning`:`done`}>${i(a?`test.failed`:`test.succeeded`)}</p></div>
    <ol class="steps">${r.map(({name:r,succeeded:a,duration:o,reason:c,message:l})=>n`<li class=${a?``:`failed`}>
      <span class="mark" aria-hidden="true">${a?`✓`:`✕`}</span>
      <p><strong>${e(`step.${r}`)??r}</strong><span class="hidden">: ${i(a?`yes`:`no`)}</span>
        <br /><span lang="en">${l}</span>${c?n` <code>${c}</code>`:t}</p>
      <small>${s(o)}</small>
    </li>`)}</ol>`}function s(e){return e?`${Math.round(Number(e.seconds)*1e3+e.nanos/1e6)} ms`:``}export{a as t};