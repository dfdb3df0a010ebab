import { createHash } from 'node:crypto';
import { withoutHidden } from '../../lib/text.ts';
import { amount, duration, joinNames } from '../investigation/format.ts';
import { lately, type NoisyRule, type Report } from './report.ts';
import type { Chart, Row } from './row.ts';

/**
 * The report as one HTML file that loads nothing: its only script and style are allowed by their hashes, so that nothing
 * that an alert or a log line says can run.
 */
export function pageOf(report: Report, { program }: { program: string }): string {
  const { past, rows } = report;
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(SCRIPT)}'`,
    `style-src '${hashOf(STYLE)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Gumshoe on your ${lately(past.days)}</title>
<style>${STYLE}</style>
</head>
<body data-trial="${past.from}-${past.to}" data-days="${past.days}" data-program="${esc(program)}">
<header>
<h1>Your ${lately(past.days)}, investigated as of then</h1>
<p>${dayAndTime(past.from)} to ${dayAndTime(past.to)}, all times UTC. Of each alert, nothing was read that came later than two minutes after its start. Compare it with what you remember, and mark each.</p>
</header>
${summaryOf(report)}
<section aria-label="Your marks" class="marks" hidden>
<p><b>Your marks</b> <span id="tally">none yet</span></p>
<button type="button" id="save">Save as JSON</button>
</section>
<section aria-label="Alerts">
<table id="alerts">
<thead><tr>${HEADS.map(([key, words]) => `<th scope="col" aria-sort="${key === 'from' ? 'ascending' : 'none'}"><button type="button" data-key="${key}">${words}</button></th>`).join('')}<th scope="col">Your mark</th></tr></thead>
${rows.map((row, i) => rowsOf(row, i, past.to)).join('\n')}
</table>
</section>
<footer>
<p>What limits this: how long your telemetry keeps its samples; alert rules, names and owners are those of today; a cluster’s own state in the past is not known; what was alerted on elsewhere is not here. Made by Gumshoe ${esc(program)}.</p>
</footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

const HEADS = [
  ['from', 'When'],
  ['name', 'Alert'],
  ['long', 'How long'],
  ['verdict', 'Verdict'],
  ['confidence', 'Confidence'],
  ['seconds', 'Took'],
] as const;
const RANKS: Readonly<Record<string, number>> = { high: 3, medium: 2, low: 1 };

function summaryOf({ past, rows, problems, named, quiet, unseen, noisy, spent }: Report): string {
  const causes = named.map(({ confidence, count }) => `${count} ${esc(confidence)}`).join(' · ');
  const figures = [
    [past.alerts, 'alerts', `${rows.length} without repeats within half an hour`],
    [problems, 'problems', 'alerts with one cause at one time are one'],
    [rows.length - quiet, 'with a cause named', causes],
    [quiet, 'without', 'nothing was found that explains them'],
  ] as const;
  const more = [
    past.left > 0 && `${past.left} older problems were left out: --limit takes more.`,
    past.before.length > 0 &&
      `Firing since before these days, so not investigated: ${esc(joinNames(past.before.slice(0, 10)))}.`,
    past.problem !== null && `Not all alerts may be here: ${esc(past.problem)}`,
  ].filter((line) => line !== false);
  return `<section aria-label="Summary">
<ul class="figures">${figures.map(([count, what, note]) => `<li><b>${count}</b> ${what}<small>${note}</small></li>`).join('')}</ul>
${more.map((line) => `<p>${line}</p>`).join('\n')}
<details${unseen.length > 0 ? ' open' : ''}><summary>What it could not see, and what would show it</summary>
${unseen.length === 0 ? '<p>Everything that was asked for could be read.</p>' : `<ul>${unseen.map((line) => `<li>${inline(line)}</li>`).join('')}</ul>`}</details>
${noisy.length === 0 ? '' : noisyTable(noisy)}
<p class="cost">${spent.requests.toLocaleString('en-US')} requests, one alert at a time; for ${duration(spent.busySeconds * 1000)} of ${duration(spent.seconds * 1000)} the sources were working on one.</p>
</section>`;
}

function noisyTable(rules: readonly NoisyRule[]): string {
  const lines = rules.map(({ name, firings, withCause, total, median, longer }) => {
    const better =
      longer === null
        ? 'no <code>for</code> that was tried is better'
        : `<code>for: ${Math.round(longer.heldFor / 60_000)}m</code> would have fired ${longer.firings === 0 ? 'never' : times(longer.firings)}, and lost none with a cause`;
    return `<tr><td>${esc(name)}</td><td>${times(firings)}</td><td>${withCause}</td><td>${duration(total * 60_000)}; half within ${duration(median * 60_000)}</td><td>${better}</td></tr>`;
  });
  return `<details><summary>Noisy rules: ${rules.length}, replayed with a longer <code>for</code></summary>
<div class="wide"><table class="plain"><thead><tr><th>Rule</th><th>Fired</th><th>With a cause</th><th>In all</th><th>Replayed</th></tr></thead><tbody>${lines.join('')}</tbody></table></div></details>`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** A row and, behind it, all that it rests on. */
function rowsOf(row: Row, i: number, now: number): string {
  const { name, identity, from, to, again, verdict, overview, confidence, place, seconds } = row;
  const long = (to ?? now) - from;
  const said = verdict ?? overview;
  const level = confidence ?? 'none';
  const labels = row.tags.filter((tag) => !tag.startsWith('alertname:')).slice(0, 8);
  const data = { from, name, long, verdict: verdict ?? '~', confidence: RANKS[level] ?? 0, seconds };
  const attributes = Object.entries(data).map(([key, value]) => `data-${key}="${esc(String(value))}"`);
  return `<tbody ${attributes.join(' ')} data-id="${esc(`${identity} ${from}`)}" data-level="${esc(level)}" data-said="${esc(said)}">
<tr class="row"><td><button type="button" class="open" aria-expanded="false" aria-controls="more-${i}"><time datetime="${new Date(from).toISOString()}">${dayAndTime(from)}</time></button></td>
<td><b>${esc(name)}</b>${labels.length === 0 ? '' : `<small>${esc(labels.join(' '))}</small>`}</td>
<td>${to === null ? 'still firing' : duration(long)}${again.length === 0 ? '' : `<small>and ${times(again.length)} more</small>`}</td>
<td class="verdict">${verdict === null ? `<span class="quiet">${inline(firstSentence(overview))}</span>` : inline(firstSentence(verdict))}</td>
<td><span class="level ${RANKS[level] === undefined ? 'none' : level}">${verdict === null ? 'no cause' : esc(level)}</span></td>
<td>${seconds.toFixed(1)} s</td>
<td class="mark" role="group" aria-label="Your mark">${['right', 'near', 'wrong'].map((mark) => `<button type="button" data-mark="${mark}" aria-pressed="false">${mark}</button>`).join('')}</td></tr>
<tr class="more" id="more-${i}" hidden><td colspan="7">
${verdict === null || verdict === firstSentence(verdict) ? '' : `<p>${inline(verdict)}</p>`}<p>${inline(overview)}</p>
${place === null && row.evidence.length === 0 ? '' : listOf('Evidence', row.evidence, row)}
${listOf('Looked at, and not the cause', row.ruledOut, row)}
<div class="charts">${row.charts.map((chart) => chartOf(chart, { at: from, link: addressOf(row, chart.artifact) })).join('')}</div>
${row.actions.length === 0 ? '' : `<h3>What to do</h3><ul>${row.actions.map((action) => `<li>${inline(action)}</li>`).join('')}</ul>`}
${row.sources
  .filter(({ lines }) => lines.length > 0)
  .map(
    ({ summary, lines }) =>
      `<details><summary>${esc(summary.slice(0, 200))}</summary><pre>${esc(lines.join('\n'))}</pre></details>`,
  )
  .join('')}
${row.gaps.length === 0 ? '' : `<h3>Not seen</h3><ul>${row.gaps.map((gap) => `<li>${esc(gap)}</li>`).join('')}</ul>`}
${row.url === null ? '' : `<p>${linked(row.url, 'The alert')}</p>`}
</td></tr></tbody>`;
}

function listOf(title: string, items: Row['evidence'], row: Row): string {
  if (items.length === 0) return '';
  const lines = items.map((item) => {
    const links = item.artifacts.flatMap((id) => {
      const address = addressOf(row, id);
      return address === null ? [] : [linked(address, 'open')];
    });
    return `<li><b>${inline(item.title)}</b> ${inline(item.description)} ${links.join(' ')}</li>`;
  });
  return `<h3>${title}</h3><ul>${lines.join('')}</ul>`;
}

function addressOf(row: Row, artifact: string): string | null {
  return row.sources.find((one) => one.artifact === artifact)?.url || null;
}

/** The same, with what stands in backticks as code. */
function inline(text: string): string {
  return esc(text).replaceAll(/`([^`]+)`/gu, '<code>$1</code>');
}

function firstSentence(text: string): string {
  const end = text.search(/\. |\n/u);
  return end < 0 ? text : text.slice(0, end + 1);
}

function dayAndTime(at: number): string {
  return new Date(at).toLocaleString('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

const WIDTH = 420;
const HEIGHT = 110;
const LEFT = 4;
const TOP = 16;
const BOTTOM = 18;

/** A series as a line, with the moment of the alert. */
function chartOf({ title, unit, points }: Chart, { at, link }: { at: number; link: string | null }): string {
  const times = points.map(([time]) => time);
  const values = points.map(([, value]) => value);
  const [first, last] = [Math.min(...times), Math.max(...times, at)];
  const [low, high] = [Math.min(0, ...values), Math.max(...values)];
  const x = (time: number) => LEFT + ((time - first) / Math.max(1, last - first)) * (WIDTH - 2 * LEFT);
  const y = (value: number) =>
    HEIGHT - BOTTOM - ((value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const path = points
    .map(([time, value], i) => `${i === 0 ? 'M' : 'L'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('');
  const alert = x(at).toFixed(1);
  const [name = ''] = title.split('. ');
  const clock = (time: number) => new Date(time).toISOString().slice(11, 16);
  return `<figure><figcaption>${esc(name)} ${link === null ? '' : linked(link, 'open')}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${esc(title)}"><line class="alert" x1="${alert}" x2="${alert}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/><path d="${path}"/><text x="${LEFT}" y="11">${esc(amount(high, unit))}</text><text x="${LEFT}" y="${HEIGHT - 4}">${clock(first)}</text><text class="end" x="${WIDTH - LEFT}" y="${HEIGHT - 4}">${clock(last)}</text></svg></figure>`;
}

/** The look of the page: on a desk a table, on a phone a list of cards. */
const STYLE = `
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

/** What the page does by itself: sorting, opening, and marks that add up, are kept in the browser, and are saved. */
const SCRIPT = `
'use strict';
const table = document.getElementById('alerts');
const bodies = () => [...table.tBodies];
const { trial, days, program } = document.body.dataset;
const kept = 'gumshoe-trial-' + trial;
let marks = new Map();
try { marks = new Map(JSON.parse(localStorage.getItem(kept) ?? '[]')); } catch { /* A browser may keep nothing for a file. */ }

function sort(button) {
  const head = button.closest('th');
  const up = head.getAttribute('aria-sort') !== 'ascending';
  for (const other of table.tHead.querySelectorAll('th')) other.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const { key } = button.dataset;
  const isText = key === 'name' || key === 'verdict';
  const order = (a, b) => isText ? a.dataset[key].localeCompare(b.dataset[key]) : a.dataset[key] - b.dataset[key];
  table.append(...bodies().sort((a, b) => up ? order(a, b) : order(b, a)));
}

function open(body) {
  const button = body.querySelector('.open');
  const isOpen = button.getAttribute('aria-expanded') === 'true';
  button.setAttribute('aria-expanded', String(!isOpen));
  body.querySelector('.more').hidden = isOpen;
}

function counted(list) {
  const of = (mark) => list.filter((body) => marks.get(body.dataset.id) === mark).length;
  return of('right') + ' right, ' + of('near') + ' near, ' + of('wrong') + ' wrong';
}

function show() {
  for (const body of bodies())
    for (const button of body.querySelectorAll('[data-mark]'))
      button.setAttribute('aria-pressed', String(marks.get(body.dataset.id) === button.dataset.mark));
  const marked = bodies().filter((body) => marks.has(body.dataset.id));
  const high = marked.filter((body) => body.dataset.level === 'high');
  const rest = bodies().length - marked.length;
  document.getElementById('tally').textContent = marked.length === 0
    ? 'none yet: was each verdict right, near or wrong?'
    : counted(marked) + '; ' + rest + ' not marked' + (high.length === 0 ? '' : '. With high confidence: ' + counted(high));
}

function mark(button) {
  const { id } = button.closest('tbody').dataset;
  if (marks.get(id) === button.dataset.mark) marks.delete(id);
  else marks.set(id, button.dataset.mark);
  try { localStorage.setItem(kept, JSON.stringify([...marks])); } catch { /* Saving them as a file still works. */ }
  show();
}

function save() {
  const rows = bodies().map((body) => ({
    at: new Date(Number(body.dataset.from)).toISOString(),
    alert: body.dataset.name,
    verdict: body.dataset.verdict === '~' ? null : body.dataset.verdict,
    confidence: body.dataset.level === 'none' ? null : body.dataset.level,
    mark: marks.get(body.dataset.id) ?? null,
  }));
  const text = JSON.stringify({ program, days: Number(days), rows }, null, 2);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = 'gumshoe-trial-marks.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  if (button?.dataset.key) sort(button);
  else if (button?.dataset.mark) mark(button);
  else if (button?.id === 'save') save();
  else if (target.closest('.row') && !target.closest('a') && String(getSelection()) === '') open(target.closest('tbody'));
});
document.querySelector('.marks').hidden = bodies().length === 0;
show();
`;

/** A link to a web page; of any other address the words alone. */
function linked(address: string, words: string): string {
  const isWeb = URL.canParse(address) && /^https?:$/u.test(new URL(address).protocol);
  return isWeb ? `<a href="${esc(address)}" rel="noopener noreferrer" target="_blank">${esc(words)}</a>` : '';
}

/** Text that somebody else wrote, as text. */
function esc(text: string): string {
  return withoutHidden(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
