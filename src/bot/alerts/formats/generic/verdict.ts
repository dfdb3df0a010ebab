import { compoundState } from '../../compounds.ts';
import { type Fact, normalizedName, SEVERITY_NAMES } from '../../facts.ts';
import type { MessageContent } from '../../message.ts';
import { plainText, withoutMarkup } from '../../slack-text.ts';
import { emojiState, type State, severityOf, slackColorOf, titledState } from '../../state.ts';
import { isFormer, kindOf } from '../../values.ts';
import {
  ALERT_BUTTONS,
  ALERT_FIELDS,
  FIRING_MARKERS,
  NOTED,
  NOTED_LOUD,
  QUOTED,
  RESOLVED_MARKERS,
  WEAK,
  WEAK_FIRING_MARKERS,
  WEAK_RESOLVED_MARKERS,
} from '../../vocabulary.ts';
import { markersOf, sentenceState, stateFromFields, stateNamed, type Verdict } from '../../wording.ts';
import { told } from './layout.ts';
import { DECISIVE, isWork, noiseWeight, summaryKind } from './noise.ts';

/** A signal of a state, and its weight. */
interface Sign {
  state: State | null;
  weight: number;
  isMeasured?: true;
}

/** The least weight of an alert; it must also exceed the noise. */
const ENOUGH = 2.5;
/** The same if nothing states a state. */
const WITHOUT_STATE = 3;
/** The weight of a state in brackets or in a field of its own. */
const HARD = 7;
/** The same for a severity. */
const GRADED = 4;
const NOTHING: Sign = { state: null, weight: 0 };

/**
 * What a tool's message says about its alert. Whether it is one is weighed: states, sentences, measurements, severities and
 * appearance against signs of work, talk and success. The most reliable signal decides whether it is firing or resolved.
 */
export function verdictOf(
  content: MessageContent,
  heads: readonly string[],
  facts: readonly Fact[],
): { verdict: Verdict; isContradicted: boolean } {
  // A program's own name of the event is quoted in the middle of its line.
  const named = facts.filter(({ name }) => name === 'alert name').map(({ value }) => value);
  const lines = [...heads.map((head) => withoutMarkup(plainText(head)).replace(QUOTED, ' ')), ...named];
  const isNoted = (line: string) =>
    !line.includes(':') && kindOf(line) === 'state' && stateNamed(line) === 'noted';
  if (lines.some((line) => NOTED.test(line) || NOTED_LOUD.test(line) || isNoted(line)))
    return { verdict: 'noted', isContradicted: false };
  const stated = stateFromFields(facts, lines) ?? stateFromFields(facts.flatMap(asState), []);
  const verdict = weighed(content, heads, facts, lines, stated);
  const isContradicted =
    (verdict === 'firing' || verdict === 'resolved') &&
    (stated?.contradicted === true || isOpposed(content, lines, stated) || isOfTwo(lines));
  return { verdict: isContradicted ? 'firing' : verdict, isContradicted };
}

/** A field whose value is a word for a state alone, whatever the field is called; one with other meanings is shouted: `Lage: UP`. */
function asState(fact: Fact): Fact[] {
  const word = withoutMarkup(fact.value);
  const isLoud = /^\p{Lu}{2,}$/u.test(word);
  const isState = [
    ...[FIRING_MARKERS, RESOLVED_MARKERS],
    ...(isLoud ? [WEAK_FIRING_MARKERS, WEAK_RESOLVED_MARKERS] : []),
  ].some((words) => words.has(word.toLowerCase()));
  return isState && !isFormer(normalizedName(fact.name)) ? [{ ...fact, name: 'state' }] : [];
}

/** Whether the title and a field state opposite states, and the color does not agree with the field. */
function isOpposed(
  content: MessageContent,
  lines: readonly string[],
  stated: ReturnType<typeof stateFromFields>,
): boolean {
  const mark = markSign(lines);
  const over = mark.state === 'resolved' && mark.weight === HARD ? mark.state : null;
  const title = titledState(lines[0] ?? '')?.state ?? over;
  if (title === null || stated === null || stated.verdict === title) return false;
  const isState = stated.verdict === 'firing' || stated.verdict === 'resolved';
  return isState && colorSign(content).state !== stated.verdict;
}

/** Where one clause ends and the next begins; a dot or a comma within a name or a number does not. */
const CLAUSES = /[,;.!]\s+/u;

/** Whether one object fails and then, of another, it is said that it is well: `db-1 is critical, db-2 is OK again`. */
function isOfTwo(lines: readonly string[]): boolean {
  const failing = new Set<string>();
  for (const clause of lines.flatMap((line) => line.split(CLAUSES))) {
    const names = namesIn(clause);
    const marks = markersOf(clause).map(({ state }) => state);
    const mark = marks.find((one) => one === 'firing' || one === 'resolved');
    const state = mark ?? sentenceState(clause)?.state ?? (marks.includes('severity') ? 'firing' : null);
    if (state === 'firing') for (const name of names) failing.add(name);
    const isWell = state === 'resolved' && names.length > 0;
    if (isWell && failing.size > 0 && names.every((name) => !failing.has(name))) return true;
    // Below a recovery stands what was wrong.
    if (state === 'resolved' && failing.size === 0) return false;
  }
  return false;
}

function weighed(
  content: MessageContent,
  heads: readonly string[],
  facts: readonly Fact[],
  lines: readonly string[],
  stated: ReturnType<typeof stateFromFields>,
): Verdict {
  if (stated?.verdict === 'noted' || stated?.verdict === 'none') return stated.verdict;

  const field: Sign = stated ? { state: stated.verdict, weight: stated.weight } : NOTHING;
  const mark = markSign(lines);
  const sentence = sentenceSign([...lines, ...told(facts)]);
  const emoji = emojiSign(content, heads, lines);
  const color = colorSign(content);
  const severe = facts.some(
    ({ name, value }) => SEVERITY_NAMES.includes(normalizedName(name)) && severityOf(value) !== null,
  );
  // A form of the Workflow Builder that asks for a severity is a report.
  if (content.message.workflow_id !== '' && severe) return field.state ?? 'firing';
  const certainty = field.weight + mark.weight + sentence.weight;
  const weak = certainty > 2 ? 0 : Math.min(3, weakSigns(content, lines) * 1.5);
  if (content.reply && certainty < ENOUGH) return 'none';
  // What is said below an alert in a sentence is said about it.
  if (content.reply && sentence.state === 'firing' && field.weight + mark.weight < ENOUGH) return 'none';
  const looks = (emoji.state === 'resolved' && certainty > 2 ? 0 : emoji.weight) + color.weight;
  const words = [field, mark, sentence, emoji, color].every(({ state }) => state === null)
    ? compoundSign(lines)
    : NOTHING;
  const weight =
    certainty + looks + words.weight + (severe ? 3 : 0) + weak + structure(content, lines, facts);
  const noise = noiseWeight(lines, facts) + summaryNoise(content, lines, facts, field.weight + mark.weight);
  // What is green is over, though its words repeat what was wrong. Numbers are compared last: a word or a sign knows better.
  const green = [emoji, color].filter(({ state }) => state === 'resolved');
  const wording = sentence.isMeasured ? [emoji, color, sentence] : [sentence, emoji, color];
  const state = [field, mark, ...green, ...wording, words].find((sign) => sign.state !== null)?.state;
  if (weight < (state ? ENOUGH : WITHOUT_STATE) || weight <= noise) return 'none';
  return state ?? 'firing';
}

/** The noise of a message that only reports on alerts; a state set apart is a tool's own. */
function summaryNoise(
  content: MessageContent,
  lines: readonly string[],
  facts: readonly Fact[],
  apart: number,
): number {
  const summary = summaryKind(content, lines, facts);
  if (summary === null) return 0;
  if (summary === 'guess') return 6;
  const least = { report: Number.POSITIVE_INFINITY, 'follow-up': HARD, table: GRADED }[summary];
  return apart < least ? DECISIVE : 0;
}

function markSign(lines: readonly string[]): Sign {
  const counted = lines.slice(0, 3).flatMap((line) => (/\d/u.test(line) ? (titledState(line) ?? []) : []))[0];
  if (counted !== undefined) return { state: counted.state, weight: HARD };
  // Below the first line a word behind a label is that label's value.
  const marked = lines
    .slice(0, 8)
    .map((line, at) => markersOf(at === 0 ? line : (/^[^:]{0,60}/u.exec(line)?.[0] ?? '')));
  const marks = marked.flat();
  const first =
    marked.find((found) => found.some(({ state: what }) => what === 'firing' || what === 'resolved')) ?? [];
  const state =
    first.find((mark) => mark.state === 'resolved' && !mark.soft) ??
    first.find((mark) => mark.state === 'firing' && !mark.soft) ??
    first.find((mark) => mark.state === 'resolved' || mark.state === 'firing');
  if (isListOfRecoveries(lines)) return { state: 'resolved', weight: HARD };
  const severity = marks.some(({ state: what }) => what === 'severity');
  const announced = marks.some(({ state: what }) => what === 'announced');
  if (state?.state === 'firing' || state?.state === 'resolved')
    return { state: state.state, weight: state.soft ? 3 : HARD };
  return { state: null, weight: announced ? 5 : severity ? 4 : 0 };
}

/** `The following alerts have been cleared:`, above what was wrong. */
function isListOfRecoveries(lines: readonly string[]): boolean {
  const headings = lines.filter((line) => /:\s*$/u.test(line));
  return (
    headings.some((line) => sentenceState(line)?.state === 'resolved') &&
    !headings.some((line) => /\bnew\b/iu.test(line) || sentenceState(line)?.state === 'firing')
  );
}

/** The state in the first line that has one in words, else in numbers. */
function sentenceSign(lines: readonly string[]): Sign {
  const signs = lines.flatMap((line) => sentenceState(line) ?? []);
  return signs.find(({ isMeasured }) => isMeasured !== true) ?? signs[0] ?? NOTHING;
}

/** The state that an identifier in the first lines says, where nothing else says one. */
function compoundSign(lines: readonly string[]): Sign {
  const state = lines
    .slice(0, 3)
    .filter((line) => !isWork(line))
    .map(compoundState)
    .find((found) => found !== null);
  return state === undefined ? NOTHING : { state, weight: 3 };
}

/** A circle or a siren before the name signals a state; a tick may be for any success, or a bullet. */
function emojiSign(content: MessageContent, heads: readonly string[], lines: readonly string[]): Sign {
  const at = heads.findIndex((head) => emojiState(head) !== null);
  const state = emojiState(heads[at] ?? '');
  if (state === null) return NOTHING;
  const circle = /:(?:large_)?(?:red|green)_circle:|[🔴🟢]/u.test(heads[at] ?? '');
  // A tick beside words of a failure is decoration, and so is what stands before each line.
  const sign = LEADING.exec(heads[at] ?? '')?.[1];
  if (sign !== undefined && isBullet(sign, content)) return NOTHING;
  if (state === 'firing')
    return { state, weight: circle || /🚨|❌|:x:|rotating_light|🔥|:fire:/u.test(heads[at] ?? '') ? 3 : 2 };
  const named = /[\w]-[\w]|\w\.\w|\w_\w|[a-z]\d|`/u.test(lines[at] ?? '');
  return { state, weight: (circle ? 2 : 1) + (named ? 1.5 : 0) };
}

/** The sign at the start of a line, behind marks of a list. */
const LEADING = /^[\s>*_•-]*(:[\w+-]{2,40}:|\p{Extended_Pictographic})/u;

/** Whether a sign below the first line is one of several that stand before its lines. */
function isBullet(sign: string, { body }: MessageContent): boolean {
  const [first = '', ...others] = body.split('\n').filter((line) => line.trim() !== '');
  const leads = others.flatMap((line) => LEADING.exec(line)?.[1] ?? []);
  return LEADING.exec(first)?.[1] !== sign && leads.length > 1 && leads.includes(sign);
}

function colorSign(content: MessageContent): Sign {
  const moods = content.attachments.map(({ color }) => slackColorOf(color));
  if (moods.includes('danger')) return { state: 'firing', weight: 3 };
  if (moods.includes('warning')) return { state: 'firing', weight: 1.5 };
  return moods.includes('good') ? { state: 'resolved', weight: 0.75 } : NOTHING;
}

function weakSigns(content: MessageContent, lines: readonly string[]): number {
  const footers = content.attachments.map(({ footer }) => footer);
  return [...lines, ...footers, ...content.names].filter((line) => WEAK.test(line.toLowerCase())).length;
}

/** Words among which names of objects are those with a separator inside: `db-1`, `orders_db`. */
const WORDS = /(?<![\w/.-])[\p{L}\d][\p{L}\d._-]*(?![\w/-])/gu;
const JOINED = /[\p{L}\d][-_.]+[\p{L}\d]/u;

function namesIn(clause: string): string[] {
  const words = [...clause.matchAll(WORDS)].map(([word]) =>
    word.toLowerCase().replace(/(?<=[\p{L}\d])[-_.]+$/u, ''),
  );
  return words.filter((word) => JOINED.test(word));
}

/** Names unlike ordinary words: `orders-db`, `gw_2`, `api.acme.example`. */
const NAME =
  /[\p{L}\d][-_][\p{L}\d]*\d|[a-z]-(?:db|api|svc|service|worker|queue|cluster|prod|dlq|job|gateway|proxy|cache|store|canary|pool|primary|replica|node|broker|lb|web|app|eu|us|staging|dev|sync|export|import|backup|index|main|stream|topic|etl|pipeline|model)\b|[a-z\d]_[a-z\d]|[a-z]{2}\d|\w\.\w+\.\w/u;

function structure(content: MessageContent, lines: readonly string[], facts: readonly Fact[]): number {
  const fields = new Set(
    facts.map(({ name }) => normalizedName(name)).filter((name) => ALERT_FIELDS.test(name)),
  ).size;
  const buttons = content.buttons.some(({ label }) => ALERT_BUTTONS.test(label ?? ''));
  const named = lines.slice(0, 3).some((line) => NAME.test(line));
  return Math.min(2, fields / 2) + (buttons ? 2 : 0) + (named ? 1 : 0);
}
