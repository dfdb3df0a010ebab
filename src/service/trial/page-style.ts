/** The look of the page: on a desk a table, on a phone a list of cards. */
export const STYLE = `
:root{color-scheme:light dark;--line:#d8d8de;--soft:#f4f4f7;--dim:#5c5f66;--ink:#1d1c1d;--paper:#fff;--blue:#1264a3;--red:#b3261e;--green:#1a7f4b;--amber:#8a5a00}
@media(prefers-color-scheme:dark){:root{--line:#3a3d42;--soft:#232529;--dim:#a5a8ae;--ink:#e8e8ea;--paper:#1a1d21;--blue:#6cb6ee;--red:#ff8a80;--green:#6fd3a0;--amber:#f0bd63}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1200px;padding:24px 20px 60px;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
h1{font-size:26px;line-height:1.25;margin:0 0 4px}h3{font-size:14px;margin:14px 0 2px}
p,ul{margin:6px 0}small{display:block;color:var(--dim);font-size:12.5px}
header p,footer p,.cost,.quiet{color:var(--dim)}
.figures{list-style:none;display:grid;grid-template-columns:repeat(4,1fr);gap:12px;padding:0;margin:18px 0}
.figures li{border:1px solid var(--line);border-radius:10px;padding:10px 14px}
.figures b{font-size:26px;margin-right:4px}
details{margin:8px 0}summary{cursor:pointer;font-weight:600}
a{color:var(--blue)}code{background:var(--soft);border-radius:4px;padding:0 4px;font-size:13px}
pre{background:var(--soft);border-radius:8px;padding:10px;overflow:auto;font-size:12.5px;white-space:pre-wrap}
button{font:inherit;color:inherit;background:none;border:1px solid var(--line);border-radius:7px;padding:3px 9px;cursor:pointer}
button:focus-visible,summary:focus-visible,a:focus-visible{outline:2px solid var(--blue);outline-offset:2px}
.marks{position:sticky;top:0;z-index:1;display:flex;gap:12px;justify-content:space-between;align-items:center;background:var(--soft);border:1px solid var(--line);border-radius:10px;padding:8px 14px;margin:14px 0}
.marks button{white-space:nowrap}.marks[hidden]{display:none}.marks p{margin:0}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:600;font-size:13px;padding:6px 8px;white-space:nowrap}
th button{border:0;padding:0;font-weight:600}
th[aria-sort=ascending] button::after{content:" ↑"}th[aria-sort=descending] button::after{content:" ↓"}
td{padding:8px;vertical-align:top;border-top:1px solid var(--line)}
.row td:nth-child(1),.row td:nth-child(3),.row td:nth-child(6){white-space:nowrap}
.row td:nth-child(2){min-width:180px;max-width:260px}.row td{overflow-wrap:break-word}
.open{border:0;padding:0;text-align:left}.open::before{content:"▸ ";color:var(--dim)}.open[aria-expanded=true]::before{content:"▾ "}
.verdict{min-width:240px}
.level{border-radius:20px;padding:1px 9px;font-size:13px;font-weight:600;background:var(--soft);white-space:nowrap}
.level.high{color:var(--green)}.level.medium{color:var(--amber)}.level.low{color:var(--red)}.level.none{color:var(--dim);font-weight:400}
.mark{white-space:nowrap}.mark button{font-size:12.5px;padding:2px 7px;margin:0 3px 3px 0}
.mark button[aria-pressed=true]{color:var(--paper);background:var(--ink);border-color:var(--ink)}
.more td{background:var(--soft);padding:4px 16px 16px;border-top:0}.more pre,.more code{background:var(--paper)}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:14px;margin-top:10px}
figure{margin:0}figcaption{font-size:13px}
svg{width:100%;height:auto;background:var(--paper);border:1px solid var(--line);border-radius:8px}
svg path{fill:none;stroke:var(--blue);stroke-width:1.6;stroke-linejoin:round}svg .alert{stroke:var(--red);stroke-dasharray:4 3}
svg text{font-size:10.5px;fill:var(--dim)}svg .end{text-anchor:end}
.wide{overflow-x:auto}.plain td{font-size:14px}
@media(max-width:760px){
body{padding:16px 12px 40px;font-size:16px}h1{font-size:22px}
.figures{grid-template-columns:1fr 1fr}
#alerts,#alerts thead,#alerts tbody,#alerts tr,#alerts td{display:block;max-width:none}
#alerts thead tr{display:flex;flex-wrap:wrap;gap:4px 14px;padding:6px 0}#alerts thead th{padding:4px 0}#alerts thead th:last-child{display:none}
#alerts tr[hidden]{display:none}
#alerts tbody{border:1px solid var(--line);border-radius:10px;margin:10px 0;overflow:hidden}
#alerts td{border:0;padding:3px 12px;min-width:0}#alerts .row td:first-child{padding-top:10px}#alerts .row td:last-child{padding-bottom:10px}
.verdict{min-width:0}.row td:nth-child(6){display:none!important}
.mark button{padding:7px 14px;font-size:14px}
#alerts .more td{padding:6px 12px 14px}
}
@media print{.more[hidden]{display:table-row!important}.mark,.marks{display:none}}
`;
