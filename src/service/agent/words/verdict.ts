import { duration, joinNames, timeOfDay } from '../../investigation/format.ts';
import { stem, wordsOfName } from '../catalog/terms.ts';
import { momentOf } from '../moment.ts';
import { type Blame, MAY_LEAD, type Shown, type Verdict } from '../tools/verdict.ts';

const MOST_REASONS = 4;

/**
 * The verdict of a look: how it is, what happened, the cause, and what shows it, or what was compared. Of what is wrong
 * anywhere, the cause comes first: what it takes with it comes after.
 */
export function lookInWords(
  { summary, isUnexplained, overview, confidence, evidence }: Verdict,
  head = '',
  { isCauseFirst = false }: { isCauseFirst?: boolean } = {},
): string {
  const cause =
    summary === null
      ? ''
      : isUnexplained
        ? `**Cause unknown**: ${summary}`
        : `**Most likely cause**${confidence === null ? '' : ` (confidence ${confidence})`}: ${summary}`;
  const how = `${head} ${overview}`.trim();
  const isFirst = isCauseFirst && confidence !== 'low' && !isUnexplained;
  return [...(isFirst ? [cause, how] : [how, cause]), listOf(evidence)]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Why an issue is as it is: the cause, how sure that is, what was seen, and what speaks against others. */
export function reasonsInWords(verdict: Verdict, now: string): string {
  const { summary, confidence, evidence, ruledOut, at } = verdict;
  if (summary === null)
    return [
      `${nameOf(verdict)} ${withoutCause(verdict)}`,
      ...listed(`Checked at ${timeOfDay(at)}`, ruledOut),
    ].join('\n');
  return [
    `${nameOf(verdict)} ${summary} Confidence: **${confidence ?? 'unknown'}**.`,
    ...listed(`Evidence as of ${timeOfDay(at)}`, evidence.slice(0, MOST_REASONS)),
    ...listed('Against other causes', ruledOut),
    '',
    now,
  ].join('\n');
}

/** How sure it is, what could not be checked, and what else was weighed. */
export function certaintyInWords(verdict: Verdict, { others = false } = {}): string {
  const { summary, isUnexplained, confidence, evidence, ruledOut, number } = verdict;
  if (summary === null) return `${nameOf(verdict)} ${withoutCause(verdict)}`;
  const sure = `**${confidence ?? 'unknown'}**`;
  const limits = verdict.limits.map((one) => ` ${one}`).join('');
  if (others)
    return [
      `Nothing else came close to this: ${headlineOf(summary)} (confidence ${sure}).${limits}`,
      ...listed('Looked at and ruled out', ruledOut),
    ].join('\n');
  return [
    isUnexplained
      ? `${causeInWords(verdict)}${limits}`
      : `Confidence in the cause${number === null ? '' : ` of #${number}`} is ${sure}: ${headlineOf(summary)}.${limits}`,
    ...listed('Evidence', evidence.slice(0, MOST_REASONS)),
    ...listed('Ruled out', ruledOut),
  ].join('\n');
}

export function blameInWords({ is, verdict, change, against, services, onset }: Blame): string {
  const summary = verdict.summary ?? withoutCause(verdict);
  if (is === 'ruled_out' && against !== null) return `${against.title}. ${against.description} ${summary}`;
  if (change === null)
    return `I see no change in ${joinNames(services)} in the ${duration(MAY_LEAD)} before it began at ${timeOfDay(onset)}. ${summary}`;
  const when = `${change.title} at ${momentOf(change.at, onset)}`;
  if (is === 'blamed')
    return `The verdict blames ${when} (confidence ${verdict.confidence ?? 'unknown'}): ${summary}`;
  const order = change.at <= onset ? 'before' : 'after';
  return `${when} came ${duration(Math.abs(onset - change.at))} ${order} it began. It is not proven to be the cause, and the investigation did not rule it out. ${summary}`;
}

/** Whether a verdict names what somebody takes for the cause, rules it out, or says nothing of it. */
export function guessInWords(verdict: Verdict, guess: string, seen: string | null): string {
  const { summary, confidence, evidence, ruledOut } = verdict;
  const isNamed = (text: string) => wordsOfName(text).includes(stem(guess));
  const shown = (some: readonly Shown[]) =>
    some.find(({ title, description }) => isNamed(`${title} ${description}`));
  const [own, against] = [shown(evidence), shown(ruledOut)];
  const cause = causeInWords(verdict) ?? withoutCause(verdict);
  const sure = ` Confidence: ${confidence ?? 'unknown'}.`;
  if (summary !== null && !verdict.isUnexplained && isNamed(headlineOf(summary)))
    return `The verdict says so: ${summary}${sure}`;
  const said =
    own !== undefined
      ? `The verdict does not name *${guess}* as the cause, but it is among the evidence: ${own.title}. ${own.description}`
      : against !== undefined
        ? `The verdict speaks against *${guess}*: ${against.title}. ${against.description}`
        : `The verdict does not name *${guess}*.`;
  return [said, ...(seen === null ? [] : [seen]), cause].join(' ');
}

/** `Bad deploy of orders`, of a summary. */
function headlineOf(summary: string): string {
  return (summary.split(': ')[0] ?? summary).replace(/\.$/u, '');
}

function nameOf({ number }: Verdict): string {
  return number === null ? '' : `**#${number}:**`;
}

/** The cause in a few words, beside an answer about something else. */
export function causeInWords({ number, summary, isUnexplained }: Verdict): string | null {
  if (summary === null) return null;
  const of = number === null ? '' : ` of #${number}`;
  if (isUnexplained) return `The cause${of} is unknown: ${headlineOf(summary)}.`;
  return `${number === null ? 'Most likely cause' : `Root cause of #${number}`}: ${headlineOf(summary)}.`;
}

/** That there is no cause, and why not, as of the alert. */
export function withoutCause({ isPending, overview, limits }: Verdict): string {
  if (isPending) return 'It is still being investigated.';
  const told = limits.reduce((text, one) => text.replace(` ${one}`, ''), overview).trim();
  return told === '' ? 'The investigation found no cause.' : told;
}

function listed(heading: string, some: readonly Shown[]): string[] {
  return some.length === 0 ? [] : ['', `**${heading}**`, listOf(some)];
}

function listOf(some: readonly Shown[]): string {
  return some.map(({ title, description }) => `- ${title}. ${description}`).join('\n');
}
