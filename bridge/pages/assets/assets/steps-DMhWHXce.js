import{G as e,J as t,y as n,z as r}from"./index-C12TmTBh.js";import{n as i}from"./view_words-CP55I3MY.js";var a=class{host;run;#e;#t;#n=!1;constructor(e,t){this.host=e,this.run=t}render(r=e){return t`<form novalidate @submit=${this.#r}>${r}
        <div class="actions"><button type="submit" aria-disabled=${this.#n} aria-busy=${this.#n}>${i(`test.run`)}</button></div>
      </form>
      ${this.#t===void 0?e:n(this.#t)}
      ${this.#e?o(this.#e):e}`}#r=async e=>{if(e.preventDefault(),!this.#n){this.#n=!0,[this.#e,this.#t]=[void 0,void 0],this.host.requestUpdate();try{this.#e=(await this.run()).steps}catch(e){this.#t=e}this.#n=!1,this.host.requestUpdate()}}};function o(n){let a=n.some(({succeeded:e})=>!e);return t`<div role="status" class="outcome"><p class=${a?`warning`:`done`}>${i(a?`test.failed`:`test.succeeded`)}</p></div>
    <ol class="steps">${n.map(({name:n,succeeded:a,duration:o,reason:c,message:l})=>t`<li class=${a?``:`failed`}>
      <span class="mark" aria-hidden="true">${a?`✓`:`✕`}</span>
      <p><strong>${r(`step.${n}`)??n}</strong><span class="hidden">: ${i(a?`yes`:`no`)}</span>
        <br /><span lang="en">${l}</span>${c?t` <code>${c}</code>`:e}</p>
      <small>${s(o)}</small>
    </li>`)}</ol>`}function s(e){return e?`${Math.round(Number(e.seconds)*1e3+e.nanos/1e6)} ms`:``}export{a as t};