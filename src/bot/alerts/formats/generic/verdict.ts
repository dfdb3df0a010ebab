import { moodOf } from '../../state.ts';
import { type Fact, nameOf } from '../../facts.ts';
import { SEVERITY_NAMES } from '../../labels.ts';
import type { Reading } from '../../message-content.ts';
import { severityOf } from '../../severity.ts';
import { bare, plain } from '../../slack-text.ts';
import { emojiState, type State } from '../../state.ts';
import { marksOf } from './state-markers.ts';
import { noiseOf } from './noise.ts';
import { retellingOf } from './summary-report.ts';
import { sentenceOf } from './sentence-state.ts';
import type { Verdict } from './state-fields.ts';
import { statedBy } from './state-fields.ts';
import { NOTED, QUOTED } from './vocabulary/noise.ts';
import { WEAK } from './vocabulary/problem.ts';
import { ALERT_BUTTONS, ALERT_FIELDS } from './vocabulary/values.ts';

/** A sign of a state: what it says, and how much it weighs. */
interface Sign {
  state: State | null;
  weight: number;
}

/** An alert weighs as much, and more than what speaks against one. */
const ENOUGH = 2.5;
/** The same where nothing tells of a state. */
const UNTOLD = 3;
/** As much as a state weighs that stands in brackets or in a field of its own. */
const HARD = 7;
/** The same of a severity. */
const GRADED = 4;
const DECISIVE = 100;
const NOTHING: Sign = { state: null, weight: 0 };

/**
 * What a tool's message says of its alert. Whether it is one is weighed: states, sentences, readings, severities and
 * looks against what tells of work, talk and success. Whether it is on or over is said by the surest sign that tells.
 */
export function verdictOf(reading: Reading, heads: readonly string[], facts: readonly Fact[]): Verdict {
  // A program's own name of the event is quoted in the middle of its line.
  const named = facts.filter(({ name }) => name === 'alert name').map(({ value }) => value);
  const lines = [...heads.map((head) => bare(plain(head)).replace(QUOTED, ' ')), ...named];
  if (lines.some((line) => NOTED.test(line))) return 'noted';
  const stated = statedBy(facts, lines);
  if (stated?.verdict === 'noted' || stated?.verdict === 'none') return stated.verdict;

  const field: Sign = stated ? { state: stated.verdict, weight: stated.weight } : NOTHING;
  const mark = markSign(lines);
  const said = saidBy(lines);
  const emoji = emojiSign(heads, lines);
  const color = colorSign(reading);
  const severe = facts.some(
    ({ name, value }) => SEVERITY_NAMES.includes(nameOf(name)) && severityOf(value) !== null,
  );
  const told = field.weight + mark.weight + said.weight;
  const weak = told > 2 ? 0 : Math.min(3, weakSigns(reading, lines) * 1.5);
  if (reading.reply && told < ENOUGH) return 'none';
  // What is said below an alert in a sentence is said about it.
  if (reading.reply && said.state === 'firing' && field.weight + mark.weight < ENOUGH) return 'none';
  const looks = (emoji.state === 'resolved' && told > 2 ? 0 : emoji.weight) + color.weight;
  const weight = told + looks + (severe ? 3 : 0) + weak + structure(reading, lines, facts);
  const noise = noiseOf(reading, lines, facts) + retold(reading, lines, facts, field.weight + mark.weight);
  // What is green is over, though its words repeat what was wrong.
  const green = [emoji, color].filter(({ state }) => state === 'resolved');
  const state = [field, mark, ...green, said, emoji, color].find((sign) => sign.state !== null)?.state;
  if (weight < (state ? ENOUGH : UNTOLD) || weight <= noise) return 'none';
  return state ?? 'firing';
}

/** How much it speaks against an alert that a message tells of one; a state that stands apart is a tool's own. */
function retold(reading: Reading, lines: readonly string[], facts: readonly Fact[], apart: number): number {
  const retelling = retellingOf(reading, lines, facts);
  if (retelling === null) return 0;
  if (retelling === 'guess') return 6;
  const least = { report: Number.POSITIVE_INFINITY, 'follow-up': HARD, table: GRADED }[retelling];
  return apart < least ? DECISIVE : 0;
}

function markSign(lines: readonly string[]): Sign {
  // Below the first line a word behind a label is that label's value.
  const marks = lines
    .slice(0, 8)
    .flatMap((line, at) => marksOf(at === 0 ? line : (/^[^:]{0,60}/u.exec(line)?.[0] ?? '')));
  const state =
    marks.find((mark) => mark.state === 'resolved' && !mark.soft) ??
    marks.find((mark) => mark.state === 'firing' && !mark.soft) ??
    marks.find((mark) => mark.state === 'resolved' || mark.state === 'firing');
  const severity = marks.some(({ state: what }) => what === 'severity');
  const announced = marks.some(({ state: what }) => what === 'announced');
  if (state?.state === 'firing' || state?.state === 'resolved')
    return { state: state.state, weight: state.soft ? 3 : 7 };
  return { state: null, weight: announced ? 5 : severity ? 4 : 0 };
}

/** The first line whose words tell. */
function saidBy(lines: readonly string[]): Sign {
  for (const line of lines) {
    const said = sentenceOf(line);
    if (said) return said;
  }
  return NOTHING;
}

/** A circle or a siren before the name is a state's; a tick is also of whatever went well. */
function emojiSign(heads: readonly string[], lines: readonly string[]): Sign {
  const at = heads.findIndex((head) => emojiState(head) !== null);
  const state = emojiState(heads[at] ?? '');
  if (state === null) return NOTHING;
  const circle = /:(?:large_)?(?:red|green)_circle:|[🔴🟢]/u.test(heads[at] ?? '');
  if (state === 'firing')
    return { state, weight: circle || /🚨|❌|:x:|rotating_light|🔥|:fire:/u.test(heads[at] ?? '') ? 3 : 2 };
  const named = /[\w]-[\w]|\w\.\w|\w_\w|[a-z]\d|`/u.test(lines[at] ?? '');
  return { state, weight: (circle ? 2 : 1) + (named ? 1.5 : 0) };
}

function colorSign(reading: Reading): Sign {
  const moods = reading.attachments.map(({ color }) => moodOf(color));
  if (moods.includes('danger')) return { state: 'firing', weight: 3 };
  if (moods.includes('warning')) return { state: 'firing', weight: 1.5 };
  return moods.includes('good') ? { state: 'resolved', weight: 0.75 } : NOTHING;
}

function weakSigns(reading: Reading, lines: readonly string[]): number {
  const footers = reading.attachments.map(({ footer }) => footer);
  return [...lines, ...footers, ...reading.names].filter((line) => WEAK.test(line.toLowerCase())).length;
}

/** What people have no words like: `orders-db`, `gw_2`, `api.acme.example`. */
const NAME =
  /[\p{L}\d][-_][\p{L}\d]*\d|[a-z]-(?:db|api|svc|service|worker|queue|cluster|prod|dlq|job|gateway|proxy|cache|store|canary|pool|primary|replica|node|broker|lb|web|app|eu|us|staging|dev|sync|export|import|backup|index|main|stream|topic|etl|pipeline|model)\b|[a-z\d]_[a-z\d]|[a-z]{2}\d|\w\.\w+\.\w/u;

function structure(reading: Reading, lines: readonly string[], facts: readonly Fact[]): number {
  const fields = new Set(facts.map(({ name }) => nameOf(name)).filter((name) => ALERT_FIELDS.test(name)))
    .size;
  const buttons = reading.buttons.some(({ label }) => ALERT_BUTTONS.test(label ?? ''));
  const named = lines.slice(0, 3).some((line) => NAME.test(line));
  return Math.min(2, fields / 2) + (buttons ? 2 : 0) + (named ? 1 : 0);
}
