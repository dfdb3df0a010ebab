import { amount, joinNames, timeOfDay } from '../../investigation/format.ts';
import type { Unanswered } from '../coverage.ts';
import { echo } from '../echo.ts';
import { nearestTo } from '../examples.ts';
import { momentOf } from '../moment.ts';
import { isRunOf } from '../names.ts';
import type { Question } from '../question.ts';
import type { Systems } from '../systems.ts';
import type { Choice, Found } from '../tool.ts';
import type { Mentions } from '../tools/mentions.ts';
import { verdictOf } from '../tools/verdict.ts';
import type { IssueRecord } from '../types.ts';
import { RECURS, type Relation, type Turn } from '../understand.ts';
import { knownInWords } from './health.ts';
import { quantityInWords } from './quantity.ts';
import { sharesInWords } from './shares.ts';
import { withoutCause } from './verdict.ts';

/** What was found, after the yes or no that is asked for, by who computed just that. */
export function headed(
  { text, says, isUnknown }: Pick<Found, 'text' | 'says' | 'isUnknown'>,
  asked: readonly Relation[],
  question: string,
): string {
  const own = says != null && isUnknown !== true && asked.includes(says.relation) ? says : null;
  if (own === null && asked.includes('recurs'))
    return `I can’t tell: “${RECURS.exec(question)?.[0]}” takes a comparison over time that I can’t make. What I see:\n\n${text}`;
  const head = own?.text ?? (own?.holds == null ? '' : own.holds ? 'Yes.' : 'No.');
  return `${head} ${text}`.trimStart();
}

/** What the verdict says, where telemetry cannot be reached now. */
export function withoutTelemetry(
  reason: string,
  issue: IssueRecord | null,
  { context, number }: Turn,
): string {
  const cannot = `I can’t tell: telemetry can’t be read right now. ${reason}`;
  if (issue !== null)
    return `${cannot}\n\nWhat the investigation of #${issue.number} found: ${issue.rootCauseSummary ?? withoutCause(verdictOf({ issue }))}`;
  return context?.rootCause ? `${cannot}\n\nWhat is known of #${number}: ${context.rootCause}` : cannot;
}

/** That nothing is known by a name, or several things by a part of theirs, which is no more than what could be read. */
export function unknownInWords(
  name: string,
  services: readonly string[],
  caveats: readonly string[],
): string {
  const called = services.filter((service) => isRunOf(name, service));
  if (called.length > 0) return `I can’t tell which ${name} you mean. ${knownInWords(called)}`;
  return caveats.length === 0
    ? `I know no service called ${name}: there are no metrics for it. ${knownInWords(services)}`
    : `No source that I can read right now knows a service called ${name}. ${caveats.join(' ')}`;
}

/** `Looking at payments, 10:00 to 10:15 UTC …` */
export function progressOf(services: readonly string[], { window: { from, to } }: Turn): string {
  const which = services.length === 0 ? 'all services' : joinNames(services.slice(0, 3));
  return `Looking at ${which}, ${timeOfDay(from).replace(' UTC', '')} to ${timeOfDay(to)} …`;
}

export function onlyThere(named: Systems['each'], ill: readonly string[]): string {
  const names = named.flatMap(({ name }) => name ?? []);
  if (ill.length === 0) return 'I can’t tell: I see nothing wrong in any of them right now.';
  const isOnly = ill.every((name) => names.includes(name));
  return isOnly ? `Yes, only ${joinNames([...ill])}.` : `No: ${joinNames([...ill])}.`;
}

/** Precedes an answer whose subject was inferred; `null` if the question named it, or has no subject. */
function inferredSubjectNote(
  { subjectSource, services, number }: Turn,
  choices: readonly Choice[],
): string | null {
  if (subjectSource === null || choices.some(({ tool }) => tool.isOffline)) return null;
  const subject =
    services.length > 0 ? joinNames(services.slice(0, 3)) : number === null ? null : `#${number}`;
  const where = subjectSource === 'thread' ? 'this thread' : 'the attached file';
  return subject === null ? null : `Answering about ${subject}, which ${where} mentions.`;
}

/** What can be asked about an issue, in the words that are understood. */
const ABOUT_ISSUE =
  'why, how sure that is, since when, whether it is over, who is affected, what changed, what to do, or a metric (“error rate of {service}”)';

/** Says what of a question no part of the answer is about. */
export function withUnanswered(
  { text: answer, isUnknown = false }: Pick<Found, 'text' | 'isUnknown'>,
  unanswered: Unanswered,
): string {
  const { words, known, unknown, isAll, isOfOther, isOfChanges, isOfNothing } = unanswered;
  if (words.length === 0 || (isUnknown && !isOfNothing)) return answer;
  // A word that stands for nothing may be a slip; several are another question.
  const isSlip = known.length + unknown.length === 0 && words.length === 1 && !isOfChanges;
  if (isOfNothing && !isSlip && known.length === 0)
    return `I can’t tell: nothing that I read here says anything of ${emphasized(words, 'or')}.`;
  const nothing = unknown.length === 0 ? null : nothingCalled(unanswered);
  if (isAll && nothing !== null) return `${nothing}. What I see:\n\n${answer}`;
  // A card of what the thread is about is no answer about something else.
  if (isOfOther && !isSlip)
    return `I can’t tell about ${emphasized(words, 'and')}. What I know:\n\n${answer}`;
  const left = [
    ...(known.length === 0 ? [] : [`This is not limited to ${emphasized(known, 'and')}.`]),
    ...(nothing === null ? [] : [`${nothing}.`]),
  ];
  return left.length === 0 ? answer : `${left.join(' ')}\n\n${answer}`;
}

/** No more than what was read: of a large system the values of labels are not. */
function nothingCalled({ unknown, isWhole }: Pick<Unanswered, 'unknown' | 'isWhole'>): string {
  return `I found no metric${isWhole ? ', object or label' : ''} here named ${emphasized(unknown, 'or')}`;
}

/** `I can’t tell about *tested*. What I found about *binlog*:` with the metrics, changes, evidence or lines that have the word. */
export function mentionsInWords(
  { words, left, shares, metrics, look, changes, evidence, lines }: Mentions,
  now: number,
): string {
  const listed = (head: string, rows: readonly string[]) =>
    rows.length === 0 ? [] : [[head, '', ...rows.map((row) => `- ${row}`)].join('\n')];
  return [
    `${left.length === 0 ? '' : `I can’t tell about ${emphasized(left, 'and')}. `}What I found about ${emphasized(words, 'and')}:`,
    ...(shares === null ? [] : [sharesInWords(shares)]),
    ...(metrics === null ? [] : [quantityInWords(metrics, look, now)]),
    ...listed(
      'Changes:',
      changes.map(
        ({ at, title, authors = [] }) =>
          `${momentOf(at, now)}: ${title}${authors.length === 0 ? '' : ` (by ${joinNames([...authors])})`}`,
      ),
    ),
    ...listed(
      'Among the evidence:',
      evidence.map(({ title, description }) => `${title}. ${description}`),
    ),
    ...listed(
      `${amount(lines.count, '{line}')} in the last hour, the most frequent first:`,
      lines.newest.map(({ at, service, message }) => `${timeOfDay(at)} ${service}: ${echo(message)}`),
    ),
  ].join('\n\n');
}

const MOST_NAMED = 4;

function emphasized(words: readonly string[], joined: 'and' | 'or'): string {
  return words
    .slice(0, MOST_NAMED)
    .map((word) => `*${word}*`)
    .join(` ${joined} `);
}

/** Says that it is not sure what is asked, with the nearest questions that it answers. */
export function notUnderstood(
  turn: Turn,
  issue: IssueRecord | null,
  services: readonly string[],
  unanswered: Pick<Unanswered, 'unknown' | 'isWhole'>,
): string {
  const service = turn.named[0] ?? issue?.service ?? services[0] ?? 'checkout';
  const first =
    unanswered.unknown.length > 0
      ? `I can’t tell: ${nothingCalled(unanswered)}.`
      : 'I can’t tell what that asks for.';
  const nearest = nearestTo(turn).map((question) => `“${question.replace('·', service)}”`);
  if (nearest.length > 0) return `${first} Did you mean ${nearest.join(' or ')}?`;
  if (issue !== null)
    return `${first} About #${issue.number} you can ask me: ${ABOUT_ISSUE.replace('{service}', service)}.`;
  return `${first} Ask me, for example: “Why is ${service} slow?”, “What changed in the last hour?”, “What is open?”, or “help” for more.`;
}

/** What of a question is understood otherwise than it may be meant. */
export function notesOn(
  { asked, turn }: Pick<Question, 'asked' | 'turn'>,
  services: readonly string[],
  choices: readonly Choice[],
): string[] {
  const { instance, except } = turn;
  const isTold = asked.said.length + asked.files.length > 0;
  return [
    isTold ? inferredSubjectNote({ ...turn, services }, choices) : null,
    instance === null ? null : `${instance.name} is part of ${instance.service}.`,
    except.length === 0 || choices.every(({ tool }) => ['metric', 'outlook'].includes(tool.name))
      ? null
      : `I can’t leave ${joinNames(except)} out: this answer covers everything.`,
  ].filter((one) => one !== null);
}
