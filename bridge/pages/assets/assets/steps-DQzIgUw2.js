import{F as e,M as t,N as n,R as r,b as i}from"./index-2tDkwn0u.js";var a=class{host;run;#e;#t;#n=!1;constructor(e,t){this.host=e,this.run=t}render(t=e){return r`<form novalidate @submit=${this.#r}>${t}
        <div class="actions"><button type="submit" aria-disabled=${this.#n} aria-busy=${this.#n}>${n(`test.run`)}</button></div>
      </form>
      ${this.#t===void 0?e:i(this.#t)}
      ${this.#e?o(this.#e):e}`}#r=async e=>{if(e.preventDefault(),!this.#n){this.#n=!0,[this.#e,this.#t]=[void 0,void 0],this.host.requestUpdate();try{this.#e=(await this.run()).steps}catch(e){this.#t=e}this.#n=!1,this.host.requestUpdate()}}};function o(i){let a=i.some(({succeeded:e})=>!e);return r`<div role="status" class="outcome"><p class=${a?`warning`:`done`}>${n(a?`test.failed`:`test.succeeded`)}</p></div>
    <ol class="steps">${i.map(({name:i,succeeded:a,duration:o,reason:c,message:l})=>r`<li class=${a?``:`failed`}>
      <span class="mark" aria-hidden="true">${a?`✓`:`✕`}</span>
      <p><strong>${t(`step.${i}`)??i}</strong><span class="hidden">: ${n(a?`yes`:`no`)}</span>
        <br /><span lang="en">${l}</span>${c?r` <code>${c}</code>`:e}</p>
      <small>${s(o)}</small>
    </li>`)}</ol>`}function s(e){return e?`${Math.round(Number(e.seconds)*1e3+e.nanos/1e6)} ms`:``}export{a as t};