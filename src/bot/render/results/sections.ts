import type { ContainerBlock } from '@slack/types';
import type {
  Evidence,
  InvestigationResults,
  RemediationStep,
  RootCause,
  TimelineEntry,
} from '../../../contract/answers.ts';
import { exactDate, HALF_A_DAY_MS } from '../dates.ts';
import { bare, bold, clean, cutEscaped, literal } from '../escape.ts';
import { body, codeBlock } from '../links.ts';
import { folded, section } from '../rendered.ts';
import { confidence, itemsOf, pages, passage, phrase, tags } from './phrases.ts';
import { isExplained } from './verdict.ts';

/** Unescaped; of names in the timeline and among the changes, the shorter one. */
const MAX_TITLE = 200;
const MAX_NAME = 160;
const PAGE = 2400;
const EVIDENCE_PAGE = 1700;
const EVIDENCE_PAGES = 2;
const MAX_EVIDENCE = 320;
/** Far more than is shown; and a sentence of fewer letters may say the same of something else. */
const MAX_READ = 20_000;
const LEAST_REPEATED = 20;
const MAX_COMPARED = 15;

/** Supporting evidence, then evidence ruled out, both folded: the verdict comes first. */
export function evidenceBlocks(rootCause: RootCause | undefined): ContainerBlock[] {
  const { relevantEvidence = [], irrelevantEvidence = [] } = rootCause ?? {};
  const all = withoutRepeats(rootCause, [...relevantEvidence, ...irrelevantEvidence]);
  return [
    ...evidenceList('Evidence', all.slice(0, relevantEvidence.length)),
    ...evidenceList('Ruled out', all.slice(relevantEvidence.length)),
  ];
}

/** Evidence without the sentences that the verdict or earlier evidence has said: each fact is said once. */
export function withoutRepeats(rootCause: RootCause | undefined, evidence: readonly Evidence[]): Evidence[] {
  const beginning = (text: string | undefined) => (text ?? '').slice(0, MAX_READ);
  const shown = [rootCause?.rootCauseSummary, rootCause?.incidentOverview].map((text) =>
    bare(beginning(text)),
  );
  return evidence.map((one, index) => {
    if (index >= MAX_COMPARED) return one;
    const sentences = beginning(one.description).split(/(?<=[.!?])\s+/u);
    const fresh = sentences.filter((sentence) => {
      const words = bare(sentence);
      return words.length < LEAST_REPEATED || !shown.some((text) => text.includes(words));
    });
    shown.push(bare(beginning(one.description)));
    return fresh.length === sentences.length ? one : { ...one, description: fresh.join(' ') };
  });
}

function evidenceList(heading: string, evidence: readonly Evidence[]): ContainerBlock[] {
  const shared = sharedConfidence(evidence);
  const items = itemsOf(
    evidence,
    (one) => evidenceItem(one, shared),
    (one) => /\S/u.test(one.title ?? '') || /\S/u.test(one.description ?? ''),
  );
  const title = [heading, String(items.length), ...(shared === undefined ? [] : [shared])].join(' · ');
  return folded(title, pages(items, EVIDENCE_PAGE, EVIDENCE_PAGES).map(section));
}

/** Stated once above, if it is the same for all. */
function sharedConfidence([first, ...others]: readonly Evidence[]): string | undefined {
  const shared = confidence(first?.confidence);
  const isShared = others.length > 0 && others.every((one) => confidence(one.confidence) === shared);
  return isShared ? shared : undefined;
}

function evidenceItem(evidence: Evidence, shared: string | undefined): string {
  const title = bold(phrase(evidence.title, MAX_TITLE));
  const description = body(passage(evidence.description, MAX_EVIDENCE));
  const sure = confidence(evidence.confidence);
  const stated = tags(statusMark(evidence.status), sure === shared ? undefined : sure);
  if (title === '') return description === '' ? '' : `• ${description}${stated}`;
  return `• ${title}${stated}${description === '' ? '' : `\n${description}`}`;
}

// The column says as much already.
function statusMark(status: string | undefined): string | undefined {
  return /^(ir)?relevant$/iu.test(status?.trim() ?? '') ? undefined : status;
}

const TIMELINE_PAGE = 2500;
const MAX_ENTRIES = 12;

/** The timeline, folded away, earliest first, short: titles only, and the first dozen of them. */
export function timelineBlocks(timeline: readonly TimelineEntry[]): ContainerBlock[] {
  const sorted = timeline
    .map((entry) => ({ entry, at: Date.parse(entry.timestamp ?? '') }))
    .toSorted((a, b) => order(a.at) - order(b.at));
  const entries = itemsOf(
    sorted,
    ({ entry, at }, index) => entryLine(entry, at, sorted[index - 1]?.at),
    ({ entry }) => /\S/u.test(entry.title ?? '') || /\S/u.test(entry.description ?? ''),
  );
  if (entries.length === 0) return [];
  const more = entries.length - MAX_ENTRIES;
  const note = more > 0 ? [`… shortened: ${more} more`] : [];
  const lines = [...entries.slice(0, MAX_ENTRIES), ...note];
  return folded(`Timeline · ${entries.length}`, pages(lines, TIMELINE_PAGE, 1).map(section));
}

/** Kinds of entries whose titles say what began, followed or ended. */
const SAID_BY_TITLES = /^(?:onset|effect|outcome)$/iu;

/** The day is said once, and again after half a day. */
function entryLine(entry: TimelineEntry, at: number, before = 0): string {
  const title = literal(phrase(entry.title, MAX_NAME) || phrase(entry.description, MAX_NAME));
  if (title === '') return '';
  const moment = Number.isNaN(at)
    ? literal(phrase(entry.timestamp, 60)) || 'no time given'
    : exactDate(at, { withDay: at - before >= HALF_A_DAY_MS });
  const isSaid = SAID_BY_TITLES.test(entry.type ?? '') || bare(title).includes(bare(entry.type ?? ''));
  return `${moment} – ${title}${isSaid ? '' : tags(entry.type)}`;
}

function order(at: number): number {
  return Number.isNaN(at) ? Number.MAX_SAFE_INTEGER : at;
}

const MAX_TEXT = 400;
/** A truncated command cannot be run. */
const MAX_COMMAND = 1500;

/** A step in safe mrkdwn, required ones marked; empty if it says nothing. */
export function stepText(view: RemediationStep): string {
  const title = phrase(view.title, MAX_TITLE) || phrase(view.label, MAX_TITLE);
  const isCode = isCommand(view.type);
  const text = passage(view.content, isCode ? MAX_COMMAND : MAX_TEXT);
  const content = isCode && !/^`[^`]+`$/u.test(text) ? codeBlock(text) : body(text);
  if (title === '' && content === '') return '';
  const marks = tags(view.required === true ? 'required' : undefined, kind(view.type));
  const first = `${title === '' ? content : literal(title)}${marks}`;
  return title === '' || content === '' ? first : `${first}\n${content}`;
}

export function isCommand(type: string | undefined): boolean {
  return /command|shell|script|code|sql|query/iu.test(type ?? '');
}

// A command is seen to be one, and of the other two the step's own words say as much.
function kind(type: string | undefined): string | undefined {
  return isCommand(type) || /^(?:info|check)$/iu.test(type?.trim() ?? '') ? undefined : type;
}

const MAX_ITEMS = 5;
const MAX_CAUSE = 400;

/**
 * What changed since an older version, folded away: root cause, evidence, steps.
 *
 * @param isSame whether the cause is the same one, in whatever words
 */
export function whatsNew(
  before: { version: number; results: InvestigationResults },
  now: InvestigationResults,
  isSame = false,
): ContainerBlock[] {
  const lines = [
    ...(isSame ? [] : cause(before.results, now)),
    ...evidence(before.results, now),
    ...listed('Steps', stepsOf(before.results), stepsOf(now)),
  ];
  return folded(`What changed since version ${before.version}`, pages(lines, PAGE, 1).map(section));
}

function cause(before: InvestigationResults, now: InvestigationResults): string[] {
  const [was, is] = [before, now].map(({ rootCause }) => clean(rootCause?.rootCauseSummary ?? '').trim());
  if (was === is) return [];
  if (!isExplained(before.rootCause))
    return isExplained(now.rootCause) ? ['• Root cause found; there was none before.'] : [];
  const old = cutEscaped(body(passage(was, MAX_CAUSE * 4)), MAX_CAUSE);
  return [
    isExplained(now.rootCause) ? `• Different root cause. Before: ${old}` : `• Root cause withdrawn: ${old}`,
  ];
}

function evidence(before: InvestigationResults, now: InvestigationResults): string[] {
  const sides = (results: InvestigationResults) => ({
    counts: named(results.rootCause?.relevantEvidence ?? []),
    ruledOut: named(results.rootCause?.irrelevantEvidence ?? []),
  });
  const [was, is] = [sides(before), sides(now)];
  return [...listed('Evidence', was.counts, is.counts), ...listed('Ruled out', was.ruledOut, is.ruledOut)];
}

function named(list: readonly { title?: string | undefined; description?: string | undefined }[]): string[] {
  return list
    .map(({ title, description }) => phrase(title, MAX_NAME) || phrase(description, MAX_NAME))
    .filter((name) => name !== '');
}

function stepsOf({ remediation }: InvestigationResults): string[] {
  return (remediation?.actions ?? []).flatMap(({ title, steps = [] }) => {
    const action = phrase(title, MAX_NAME);
    const names = steps.map((step) => phrase(step.title, MAX_NAME) || phrase(step.content, MAX_NAME));
    const shown = names.filter((name) => name !== '');
    if (shown.length === 0) return action === '' ? [] : [action];
    return shown.map((name) => (action === '' ? name : `${action}: ${name}`));
  });
}

/** One line for what is new, one for what is gone. */
function listed(what: string, was: readonly string[], is: readonly string[]): string[] {
  const side = (words: string, some: readonly string[]) => {
    if (some.length === 0) return [];
    const more = some.length > MAX_ITEMS ? ` … and ${some.length - MAX_ITEMS} more` : '';
    return [`• ${what} ${words}: ${some.slice(0, MAX_ITEMS).map(literal).join('; ')}${more}`];
  };
  const added = [...new Set(is)].filter((name) => !was.includes(name));
  const gone = [...new Set(was)].filter((name) => !is.includes(name));
  return [...side('added', added), ...side('dropped', gone)];
}
