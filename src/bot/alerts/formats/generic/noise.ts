import { type Fact, normalizedName } from '../../facts.ts';
import type { MessageContent } from '../../message-content.ts';
import { COUNTS, NOISE, NOTICE, PERSON_DID, TOPIC, WELL, WORK_FIELDS } from './vocabulary/noise.ts';
import { INFO_MARKERS } from './vocabulary/state-markers.ts';

/** Reports, reminders and tests are never alerts. */
const DECISIVE = 100;
/** What Kubernetes watchers report about every object. */
const CHANGED = /\bhas been `?(?:created|updated|deleted|scaled)\b/u;

/** The weight against an alert: talk, work, successes, summaries. */
export function noiseWeight(
  content: MessageContent,
  written: readonly string[],
  facts: readonly Fact[],
): number {
  const lines = written.map((line) => line.toLowerCase());
  if (lines.some((line) => NOISE.test(line))) return DECISIVE;
  const topic = lines.some((line) => TOPIC.test(line)) ? 6 : 0;
  const notice = lines.some((line) => NOTICE.test(line)) || CHANGED.test(content.body) ? 3.5 : 0;
  const counts = lines.some((line) => COUNTS.test(line) && WELL.test(line)) ? 4.5 : 0;
  const info = lines.some((line) =>
    INFO_MARKERS.has((/^\W*(\w+)\W*[:|\]]/u.exec(line)?.[1] ?? '').toLowerCase()),
  )
    ? 3.5
    : 0;
  const person = written.some((line) => PERSON_DID.test(line)) ? 6 : 0;
  const question = lines.some((line) => /[^\s\d]\?$/u.test(line)) ? 3 : 0;
  const work = new Set(facts.map(({ name }) => normalizedName(name)).filter((name) => WORK_FIELDS.test(name)))
    .size;
  return Math.max(topic, notice, counts, info, question, person) + Math.min(4, work * 1.5);
}
