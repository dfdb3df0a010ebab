import type { InvestigationResults } from '../../../contract/answers.ts';
import { cutAtWord, displayName, oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { changesIn } from '../charts/changes.ts';
import { date, utc } from '../dates.ts';
import { duration } from '../digest/digest.ts';
import { clean, literal, userMention } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { codeBlock } from '../links.ts';
import { context, inSections, type Rendered, section } from '../rendered.ts';
import { isExplained, verdictLine } from '../results/verdict.ts';
import { count, SIMULATED, severityWords, statusWords } from '../words.ts';
import { stepsWords } from './card-lines.ts';
import { type NoteView, noteLines } from './notes.ts';

/** What is stored of an issue, for somebody who joins late. Texts are untrusted, times in milliseconds. */
export interface CatchUpView {
  number: IssueNumber | null;
  title: string;
  service: string | null;
  /** What the alert calls a host or a version: never repeated for the status page. */
  unnamed: readonly string[];
  severity: string;
  environment: string;
  status: string;
  statusSince: number;
  /** When the alert fired or a person reported it. */
  firedAt: number;
  /** The first sign in the telemetry, where an investigation found one. */
  firstSignAt: number | null;
  requestedBy: string | null;
  repeats: number;
  lastRepeatAt: number | null;
  recoveredAt: number | null;
  /** The issue that it was attached to, whose investigation counts. */
  attachedTo: IssueNumber | null;
  /** The newest results; `null` while there are none. */
  verdict: { results: InvestigationResults; at: number | null } | null;
  isInvestigating: boolean;
  failure: string | null;
  steps: readonly { name: string; required: boolean; done: { by: string; at: number } | null }[];
  /** What people did to its status, oldest first. */
  acts: readonly { at: number; who: string; what: string }[];
  notes: readonly NoteView[];
  votes: { up: number; down: number };
  simulated: boolean;
}

const MAX_TITLE = 200;
const MAX_STEP = 100;
const NEWEST = 4;

/** Where an issue is now, in eight lines; then three sentences for a status page, to edit before they are posted. */
export function renderCatchUp(view: CatchUpView, now: number): Rendered {
  const of = view.number === null ? 'this issue' : `#${view.number}`;
  const lines = [
    `*Broken:* ${brokenLine(view)}`,
    `*Since:* ${sinceLine(view)}`,
    `*Status:* ${statusWords(view.status)} since ${date(view.statusSince)}`,
    `*Known:* ${knownLine(view)}`,
    `*From people:* ${peopleLine(view)}`,
    `*Tried:* ${triedLine(view)}`,
    `*Helped:* ${helpedLine(view)}`,
    `*Open:* ${openLine(view)}`,
  ];
  return fitMessage({
    text: `${view.simulated ? `${SIMULATED}. ` : ''}Where ${of} is now`,
    blocks: [
      ...(view.simulated ? [context(SIMULATED)] : []),
      section(`*Where ${of} is now* · ${date(now)}`),
      ...inSections(lines),
      section(`*For the status page* (a draft)\n${codeBlock(statusPage(view).join('\n'))}`),
    ],
  });
}

function brokenLine({ title, service, severity, environment }: CatchUpView): string {
  const name = literal(words(displayName({ title, service }), MAX_TITLE)) || 'an issue without a title';
  const at = service === null || title.includes(service) ? '' : ` · ${literal(words(service, MAX_STEP))}`;
  return `${name}${at} · ${literal(words(environment, MAX_STEP))} · ${severityWords(severity)}`;
}

function sinceLine(view: CatchUpView): string {
  const { firstSignAt, firedAt, requestedBy, repeats, lastRepeatAt, recoveredAt } = view;
  const began = requestedBy === null ? 'the alert fired' : 'reported';
  return [
    ...(firstSignAt !== null && firstSignAt < firedAt
      ? [`first sign in the telemetry ${date(firstSignAt)}`]
      : []),
    `${began} ${date(firedAt)}`,
    ...(repeats === 0
      ? []
      : [
          `fired again ${count(repeats, 'time')}${lastRepeatAt === null ? '' : `, last ${date(lastRepeatAt)}`}`,
        ]),
    ...(recoveredAt === null ? [] : [`recovered ${date(recoveredAt)}`]),
  ].join(' · ');
}

function knownLine({ verdict, attachedTo, isInvestigating, failure }: CatchUpView): string {
  if (attachedTo !== null) return `attached to #${attachedTo}: see its investigation`;
  if (failure !== null) return literal(words(failure, MAX_TITLE));
  if (verdict === null) {
    return isInvestigating
      ? 'nothing yet: the investigation is running'
      : 'the investigation left no results';
  }
  const again = isInvestigating ? ' · another investigation is running' : '';
  const at = verdict.at === null ? '' : ` · ${date(verdict.at)}`;
  return `${verdictLine(verdict.results, false)}${at}${again}`;
}

function peopleLine({ notes, votes }: CatchUpView): string {
  const parts = [
    ...(votes.up > 0 ? [`👍 ${votes.up}`] : []),
    ...(votes.down > 0 ? [`👎 ${votes.down}`] : []),
    ...noteLines(notes.slice(-1)),
    ...(notes.length > 1 ? [`${count(notes.length - 1, 'earlier note')}`] : []),
  ];
  return parts.length === 0 ? 'no notes or votes' : parts.join(' · ');
}

function triedLine({ steps, acts }: CatchUpView): string {
  const tried = [
    ...steps.flatMap(({ name, done }) =>
      done === null ? [] : [{ at: done.at, words: `_${stepWords(name)}_, ${userMention(done.by)}` }],
    ),
    ...acts.map(({ at, who, what }) => ({
      at,
      words: `${userMention(who)} ${literal(words(what, MAX_STEP))}`,
    })),
  ].toSorted((a, b) => a.at - b.at);
  if (tried.length === 0) return 'nothing is recorded';
  const earlier = tried.length > NEWEST ? `${tried.length - NEWEST} earlier · ` : '';
  return `${earlier}${tried
    .slice(-NEWEST)
    .map((one) => `${one.words} ${date(one.at)}`)
    .join(' · ')}`;
}

/** Only what came after what: that a step was the reason is nowhere known. */
function helpedLine({ steps, recoveredAt, repeats, verdict }: CatchUpView): string {
  if (recoveredAt === null)
    return repeats > 0 ? 'nothing that lasted: it has fired again' : 'nothing yet: no recovery was reported';
  const foundAt = verdict?.at ?? recoveredAt;
  const changed = changesIn(verdict?.results ?? {}).filter(({ at }) => at > foundAt);
  const last = [
    ...steps.flatMap(({ name, done }) =>
      done === null ? [] : [{ name, at: done.at, by: userMention(done.by) }],
    ),
    ...changed.map(({ title, at }) => ({ name: title, at, by: 'seen in telemetry' })),
  ]
    .filter(({ at }) => at <= recoveredAt)
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
  const recovered = `the alert recovered ${date(recoveredAt)}`;
  return last === undefined
    ? `${recovered}; no step was marked as done before`
    : `${recovered}, ${duration(recoveredAt - last.at)} after _${stepWords(last.name)}_ (${last.by})`;
}

function openLine({ steps, status, verdict, isInvestigating }: CatchUpView): string {
  const left = steps.filter(({ done }) => done === null);
  const required = left.filter((step) => step.required).length;
  const [next] = [...left].sort((a, b) => Number(b.required) - Number(a.required));
  const open = [
    ...(isInvestigating ? ['the investigation'] : []),
    ...(!isInvestigating && verdict !== null && !isExplained(verdict.results.rootCause) ? ['the cause'] : []),
    ...(next === undefined ? [] : [`${stepsWords(left.length, required)}; next: _${stepWords(next.name)}_`]),
  ];
  if (open.length > 0) return open.join(' · ');
  return status === 'resolved' ? 'nothing' : 'to resolve it';
}

/**
 * The service is named where it is plain words: digits and dots may be a host or a version. All else is our own wording, so
 * that nothing from an alert, a result or a note can be in it.
 */
function statusPage(view: CatchUpView): [string, string, string] {
  const { firstSignAt, firedAt, verdict, steps, status, statusSince, recoveredAt, isInvestigating } = view;
  const since = utc(Math.min(firstSignAt ?? firedAt, firedAt));
  const isOver = status === 'resolved';
  const isKnown = verdict !== null && isExplained(verdict.results.rootCause);
  const begun = steps.some(({ done }) => done !== null) ? ' and have begun to fix it' : '';
  const cause = isKnown
    ? isOver
      ? 'We found the likely cause.'
      : `We have found the likely cause${begun}.`
    : isOver
      ? 'The cause is unknown.'
      : isInvestigating
        ? 'We are investigating the cause.'
        : 'The cause is not known yet.';
  const quiet = recoveredAt === null ? null : `Our monitoring has not reported it since ${utc(recoveredAt)}`;
  const ending = isOver
    ? quiet === null
      ? `It was resolved at ${utc(statusSince)}.`
      : `${quiet}, and it is resolved.`
    : quiet === null
      ? 'It is not resolved yet.'
      : `${quiet}; we have not closed it yet.`;
  return [`At ${since} a problem with ${nameForPublic(view)} began.`, cause, ending];
}

function nameForPublic({ service, unnamed }: CatchUpView): string {
  const name = oneLine(service ?? '');
  const isPlain = /^\p{L}+(?:[\s_-]\p{L}+)*$/u.test(name) && name.length <= 40;
  const isNamed = isPlain && !unnamed.some((other) => other.toLowerCase() === name.toLowerCase());
  return isNamed ? name : 'one of our services';
}

function stepWords(name: string): string {
  return literal(words(name, MAX_STEP)).replaceAll('_', '\u02cd');
}

function words(text: string, max: number): string {
  return cutAtWord(oneLine(clean(text)), max);
}
