import { capitalize, duration, timeOfDay } from '../investigation/format.ts';
import { expressionIn } from '../telemetry/exported/alerted.ts';
import { yesOrNo } from './about-issue.ts';
import type { Facts, IssueScope } from './types.ts';
import type { Expects } from './understand.ts';

/** What was returned so many samples ago is returned now: the newest may be on their way. */
const NEWEST = 3;
const BEFORE = 5 * 60_000;

/**
 * Whether what the alert of an issue measures still fires, by its own expression: where no other metric shows what it is
 * about. `null` if the alert does not say what it measures, or it returned nothing.
 */
export async function ownAlertOf(
  { issue, onset }: IssueScope,
  { evaluate, now }: Facts,
  expects: Expects,
): Promise<string | null> {
  const expression = expressionIn(`${String(issue.context.alertUrl ?? '')} ${issue.description}`);
  // Only a comparison leaves out what does not fire.
  if (expression === null || !/[<>]|[=!]=/u.test(expression.replaceAll(/\{[^}]*\}/gu, ''))) return null;
  const reading = await evaluate(expression, { from: onset - BEFORE, to: now + 1 });
  if (!reading.known) return null;
  const last = Math.max(...reading.value.map(({ points }) => points.times.at(-1) ?? 0));
  if (!(last > 0)) return null;
  const head = (is: 'ongoing' | 'over', since: string) =>
    `**${capitalize(`${yesOrNo(expects, is)}${is}`)}${since}**`;
  const steps = reading.value.flatMap(({ points: { times } }) => last - (times.at(-2) ?? 0));
  return last >= now - NEWEST * Math.min(60_000, ...steps)
    ? `${head('ongoing', '')}: what its alert measures, \`${expression}\`, still fires.`
    : `${head('over', ` since ${timeOfDay(last)}`)}, after ${duration(last - onset)}: what its alert measures, \`${expression}\`, has not fired since.`;
}
