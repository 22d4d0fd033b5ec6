import{L as e,M as t,P as n,j as r}from"./index-C5vzxavl.js";function i(i){let o=i.some(({succeeded:e})=>!e);return e`<div role="status" class="outcome"><p class=${o?`warning`:`done`}>${t(o?`test.failed`:`test.succeeded`)}</p></div>
    <ol class="steps">${i.map(({name:i,succeeded:o,duration:s,reason:c,message:l})=>e`<li class=${o?``:`failed`}>
      <span class="mark" aria-hidden="true">${o?`✓`:`✕`}</span>
      <p><strong>${r(`step.${i}`)??i}</strong><span class="hidden">: ${t(o?`yes`:`no`)}</span>
        <br /><span lang="en">${l}</span>${c?e` <code>${c}</code>`:n}</p>
      <small>${a(s)}</small>
    </li>`)}</ol>`}function a(e){return e?`${Math.round(Number(e.seconds)*1e3+e.nanos/1e6)} ms`:``}export{i as t};