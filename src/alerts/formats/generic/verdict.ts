import { moodOf } from '../../color.ts';
import { nameOf } from '../../facts.ts';
import { SEVERITY_NAMES } from '../../labels.ts';
import type { Reading } from '../../reading.ts';
import { severityOf } from '../../severity.ts';
import { bare, plain } from '../../slack-text.ts';
import { emojiState } from '../../state.ts';
import {
  FIRST_WORD,
  NEGATED,
  NOISE,
  NOTED,
  NOTHING,
  NOTICE,
  ON,
  ON_WEAK,
  OVER,
  QUOTED,
  SHOUTED,
} from './states.ts';

/** `noted` is an acknowledgement, a downtime, an update: about an alert, and neither its start nor its end. */
export type Verdict = 'firing' | 'resolved' | 'noted' | 'none';

const STATE_NAMES =
  /^(?:(?:current|new|alarm|alert|incident|issue|monitor|problem|check) )?(?:state|status)$|^state change$|^transition$/u;
const ARROW = /→|->|=>/u;
const OVER_VALUE =
  /^(?:ok|up|resolved|recovered|recovery|closed|normal|healthy|cleared|inactive|fixed|back to normal)\b/u;
const ON_VALUE =
  /^(?:alarm|firing|alerting|fired|triggered|re-?triggered|critical|crit|warning|warn|down|problem|open|opened|activated|active|new|created|ongoing|escalating|regressed|error|failed|failing|failure|unreachable|unknown|degraded|unhealthy|major|partial outage|no data)\b/u;
const NOTED_VALUE =
  /^(?:ack|acknowledged|acked|snoozed|silenced|muted|in progress|investigating|merged|downtime)\b/u;
const NONE_VALUE =
  /^(?:insufficient[ _]data|pending|queued|success|succeeded|passed|completed|running|synced)\b/u;

/** What Kubernetes' watchers say of every object, in a field of their own. */
const CHANGED = /\bhas been `?(?:created|updated|deleted|scaled)\b/u;

/** What a tool's message says of its alert: stated states first, then the words of its heads, then the looks. */
export function verdictOf(reading: Reading, heads: readonly string[]): Verdict {
  const lines = heads.map((head) => statement(bare(plain(head))));
  if (lines.some((line) => NOTED.test(line))) return 'noted';
  if (lines.some((line) => NOISE.test(line))) return 'none';
  const stated = reading.facts
    .filter(({ name }) => STATE_NAMES.test(nameOf(name)))
    .map(({ value }) => statedBy(value));
  const clear =
    stated.find((verdict) => verdict !== null) ??
    lines.map((line, at) => saidBy(line, heads[at] ?? '')).find((verdict) => verdict !== null);
  if (clear) return clear;
  return reading.reply || lines.some((line) => NOTICE.test(line)) || CHANGED.test(reading.body)
    ? 'none'
    : looks(reading, heads, lines);
}

function statedBy(value: string): Verdict | null {
  const word = bare(value.split(ARROW).at(-1) ?? '').toLowerCase();
  if (OVER_VALUE.test(word)) return 'resolved';
  if (ON_VALUE.test(word)) return 'firing';
  if (NOTED_VALUE.test(word)) return 'noted';
  return NONE_VALUE.test(word) ? 'none' : null;
}

/** A line without the names that it quotes, and without what it says is not the case. */
function statement(line: string): string {
  return line.replace(QUOTED, ' ').replace(NEGATED, ' ').replace(NOTHING, ' ').trim();
}

// "Problem resolved" and "was down, is up" are over; "firing, was resolved" is on: the first that is sure counts.
function saidBy(line: string, head: string): Verdict | null {
  // `status: resolved` in a sentence, and what stands behind an arrow, are stated as in a field.
  const words = /[\s(](?:status|state): (.{1,40})/iu.exec(line)?.[1] ?? (ARROW.test(line) ? line : '');
  const stated = statedBy(words);
  if (stated === 'firing' || stated === 'resolved') return stated;
  const over = line.search(OVER);
  const on = line.search(ON);
  if (over < 0 && on < 0) return shouted(line);
  if (over < 0) return on === 0 && FIRST_WORD.test(line) && endsSo(head) ? 'resolved' : 'firing';
  return on >= 0 && on < over && !/^\W*(?:alert|alarm|problem|incident|issue|failure|error)\b/iu.test(line)
    ? 'firing'
    : 'resolved';
}

/** A severity before the name stays there in the recovery, where the mark before it tells. */
function endsSo(head: string): boolean {
  return /^[\s*_]*[^\w\s*_]/u.test(head) && emojiState(head) === 'resolved';
}

function shouted(line: string): Verdict | null {
  const state = SHOUTED.exec(line)?.[1];
  if (state === undefined) return null;
  return state === 'OK' ? 'resolved' : 'firing';
}

function looks(reading: Reading, heads: readonly string[], lines: readonly string[]): Verdict {
  const emoji = heads.map(emojiState).find((state) => state !== null);
  const moods = reading.attachments.map(({ color }) => moodOf(color));
  const footers = reading.attachments.map(({ footer }) => footer);
  const severe = reading.facts.some(
    ({ name, value }) => SEVERITY_NAMES.includes(nameOf(name)) && severityOf(value) !== null,
  );
  const worded = [...lines, ...footers].some((line) => ON_WEAK.test(line));
  if (emoji === 'resolved') return worded ? 'resolved' : 'none';
  if (moods.includes('good') && !moods.includes('danger')) return 'none';
  if (moods.includes('danger') || severe) return 'firing';
  return worded &&
    (emoji === 'firing' || moods.includes('warning') || footers.some((line) => ON_WEAK.test(line)))
    ? 'firing'
    : 'none';
}
