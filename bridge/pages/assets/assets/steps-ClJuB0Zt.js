import{A as e,I as t,N as n,j as r}from"./index-BLZ9FUfg.js";function i(i){let o=i.some(({succeeded:e})=>!e);return t`<div role="status" class="outcome"><p class=${o?`warning`:`done`}>${r(o?`test.failed`:`test.succeeded`)}</p></div>
    <ol class="steps">${i.map(({name:i,succeeded:o,duration:s,reason:c,message:l})=>t`<li class=${o?``:`failed`}>
      <span class="mark" aria-hidden="true">${o?`✓`:`✕`}</span>
      <p><strong>${e(`step.${i}`)??i}</strong><span class="hidden">: ${r(o?`yes`:`no`)}</span>
        <br /><span lang="en">${l}</span>${c?t` <code>${c}</code>`:n}</p>
      <small>${a(s)}</small>
    </li>`)}</ol>`}function a(e){return e?`${Math.round(Number(e.seconds)*1e3+e.nanos/1e6)} ms`:``}export{i as t};