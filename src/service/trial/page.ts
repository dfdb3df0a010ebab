import { createHash } from 'node:crypto';
import { duration, joinNames } from '../investigation/format.ts';
import { chartOf } from './chart.ts';
import { esc, linked } from './html.ts';
import { SCRIPT } from './page-script.ts';
import { STYLE } from './page-style.ts';
import { lately, type NoisyRule, type Report } from './report.ts';
import type { Row } from './row.ts';

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
