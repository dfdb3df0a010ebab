import { moodOf } from '../../color.ts';
import { type Fact, nameOf } from '../../facts.ts';
import { SEVERITY_NAMES } from '../../labels.ts';
import type { Reading } from '../../reading.ts';
import { severityOf } from '../../severity.ts';
import { bare, plain } from '../../slack-text.ts';
import { emojiState } from '../../state.ts';

/** `noted` is an acknowledgement, a downtime, an update: about an alert, and neither its start nor its end. */
export type Verdict = 'firing' | 'resolved' | 'noted' | 'none';

const STATE_NAMES =
  /^(?:(?:current|new|alarm|alert|incident|issue|monitor|problem|check) )?(?:state|status)$|^state change$|^transition$/u;
const OVER_VALUE =
  /^(?:ok|up|resolved|recovered|recovery|closed|normal|healthy|cleared|inactive|fixed|back to normal)\b/u;
const ON_VALUE =
  /^(?:alarm|firing|alerting|fired|triggered|re-?triggered|critical|crit|warning|warn|down|problem|open|opened|activated|active|new|created|ongoing|escalating|regressed|error|failed|failing|failure|unreachable|unknown|degraded|unhealthy|major|partial outage|no data)\b/u;
const NOTED_VALUE =
  /^(?:ack|acknowledged|acked|snoozed|silenced|muted|in progress|investigating|merged|downtime)\b/u;
const NONE_VALUE =
  /^(?:insufficient[ _]data|pending|queued|success|succeeded|passed|completed|running|synced)\b/u;

const NOTED =
  /^(?:acknowledged|ack(?:ed)?|merged|snoozed|silenced|updated problem|assigned|reassigned|escalated|status changed)\b|\b(?:ACKNOWLEDGE?MENT|DOWNTIME\w*|FLAPPING\w*|CUSTOM) notification\b|\bSTATE: (?:ACKNOWLEDGE|DOWNTIME)|\bhas been acknowledged\b|\backnowledged (?:by|the|this|problem)\b/iu;
const NOISE =
  /\b(?:to|now|→|->) insufficient[ _]data\b|\b(?:recap|digest|round-?up|hand-?over|hand-off|scorecard|stand-?up|changelog|release notes|week \d{1,2}|alert\(s\) posted)\b|\b(?:daily|weekly|monthly|quarterly)\b.{0,40}\b(?:report|summary|stats|statistics|review|overview)\b|\b(?:report|summary|statistics) for\b|\b(?:on-?call|shift|rotation) (?:schedule|summary|starts|started|ends|ended|changed)\b/iu;
const NOTICE =
  /\b(?:deployed|deploying|released|merged|pull request|completed|successfully|succeeded|success|passed|finished|created|updated|deleted|running new version|now running|started|scaled|scheduled|cancell?ed|aborted|skipped|opened issue)\b/iu;

/** What Kubernetes' watchers say of every object, in a field of their own. */
const CHANGED = /\bhas been `?(?:created|updated|deleted|scaled)\b/u;

const NEGATED =
  /\b(?:not|n't|never|un(?=-)|isn't|wasn't|hasn't)(?: been| yet| fully| quite)?[ -]?(?=resolved|recovered|fixed|closed|cleared|ok\b|healthy)\w+/giu;
const NOTHING =
  /\b(?:0|no|zero|without|any) (?:new |more )?(?:errors?|fail\w+|problems?|alerts?|issues?|incidents?)\b/giu;

const OVER =
  /\b(?:resolved|recovered|recovery|recovers|cleared|back to normal|all clear|healthy again|normal again|working again|up again|is (?:now |back )?(?:up|ok|okay|healthy)|(?:state|status)(?: is| is now| changed)?(?: to)?:? (?:OK|UP)\b|changed(?: from \w{2,20})? to (?:ok|up|healthy|normal)\b|(?:alert|alarm|incident|issue|problem)\b.{0,60}\b(?:closed|ended|is over))\b|^(?:ok|up|closed|fixed)\b|\[\W{0,3}(?:ok|up|resolved)\]|(?:→|->|=>) ?(?:ok|up|normal)\b|: (?:ok|up)$/iu;
const ON_STRONG =
  /\b(?:firing|fired|triggered|alerting|activated|is active|ongoing|(?:is|are|went|gone|goes) (?:\w+ )?(?:down|failing|critical|unhealthy|unreachable|unavailable|degraded|offline)|(?:has|have) (?:failed|degraded)|failed|failing|failure|(?:alert|alarm|incident|problem) (?:re-?)?(?:opened|raised|declared|detected)|(?:state|changed|now|entered|in)(?: state)?(?: from \w{2,20})?(?: is| to)?(?: now)?:? (?:the )?(?:ALARM|DOWN|CRITICAL|WARNING|PROBLEM|UNKNOWN|UNREACHABLE|UNHEALTHY)|new (?:alert|incident|problem|issue|error|exception)|unstable|needs attention|missed|crashed|crashing|crash ?loop\w*|PROBLEM|regressed|escalating|timed out)\b|^(?:alarm|alert|critical|crit|error|fatal|incident|down|open|opened|problem|warn|warning|p[1-5]|sev ?[0-4])\b ?[:!\]|#-]|^open\b|^\[?(?:p[1-5]|critical|warning|alert|alarm|down|error|high|sev ?[0-4])\]|\[\W{0,3}(?:down|alerting|no data)\]|(?:→|->|=>) ?(?:alarm|critical|warning|down|problem)\b/iu;
const ON_WEAK =
  /\b(?:alert|alarm|critical|error|errors|exception|outage|incident|down|unavailable|degraded|unreachable|breach(?:ed)?|exceed(?:s|ed)|above|below|threshold|anomaly|timeout|warning|unhealthy|spike)\b/iu;

/** States that are shouted in the middle of a sentence. In small letters they are words like any other. */
const SHOUTED = /^\w[^:]{0,60} (ALARM|CRITICAL|OK)(?: (?:in|on|at|of|for)\b|: )/u;

/** What a tool's message says of its alert: stated states first, then the words of its heads, then the looks. */
export function verdictOf(reading: Reading, heads: readonly string[]): Verdict {
  const lines = heads.map((head) => bare(plain(head)).replace(NEGATED, ' ').replace(NOTHING, ' ').trim());
  if (lines.some((line) => NOTED.test(line))) return 'noted';
  if (lines.some((line) => NOISE.test(line))) return 'none';
  const stated = reading.facts.filter(({ name }) => STATE_NAMES.test(nameOf(name))).map(statedBy);
  const clear =
    stated.find((verdict) => verdict !== null) ?? lines.map(saidBy).find((verdict) => verdict !== null);
  if (clear) return clear;
  return reading.reply || lines.some((line) => NOTICE.test(line)) || CHANGED.test(reading.body)
    ? 'none'
    : looks(reading, heads, lines);
}

function statedBy({ value }: Fact): Verdict | null {
  const word = bare(value.split(/→|->|=>/u).at(-1) ?? '').toLowerCase();
  if (OVER_VALUE.test(word)) return 'resolved';
  if (ON_VALUE.test(word)) return 'firing';
  if (NOTED_VALUE.test(word)) return 'noted';
  return NONE_VALUE.test(word) ? 'none' : null;
}

// "Problem resolved" and "was down, is up" are over; "firing, was resolved" is on: the first that is sure counts.
function saidBy(line: string): Verdict | null {
  const over = line.search(OVER);
  const on = line.search(ON_STRONG);
  if (over < 0 && on < 0) return shouted(line);
  if (over < 0) return 'firing';
  return on >= 0 && on < over && !/^\W*(?:alert|alarm|problem|incident|issue|failure|error)\b/iu.test(line)
    ? 'firing'
    : 'resolved';
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
  if (emoji === 'resolved' || (moods.includes('good') && !moods.includes('danger'))) return 'none';
  if (moods.includes('danger') || severe) return 'firing';
  return worded &&
    (emoji === 'firing' || moods.includes('warning') || footers.some((line) => ON_WEAK.test(line)))
    ? 'firing'
    : 'none';
}
