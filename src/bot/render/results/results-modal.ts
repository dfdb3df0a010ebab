import type { ActionsBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import type {
  ArtifactRef,
  Evidence,
  InvestigationResults,
  RemediationAction,
  TimelineEntry,
} from '../../../contract/answers.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { bare, bold, clean, cutEscaped, literal } from '../escape.ts';
import { limits } from '../limits.ts';
import { body, codeBlock } from '../links.ts';
import { fitModal } from '../modal.ts';
import { blockInReadersTime, momentOf } from '../readers-time.ts';
import { button, context, section, verbatimContext, verbatimSection } from '../rendered.ts';
import type { ResultsView } from '../views.ts';
import { SIMULATED } from '../words.ts';
import { CHAIN, causeGraph, chainBlocks } from './causal-chain.ts';
import { confidence, phrase, pieces, tags } from './phrases.ts';
import { isCommand } from './sections.ts';
import { hasRootCause, isExplained } from './verdict.ts';

const MAX_TITLE = 150;
/** Keeps a page readable, and far below what a modal can hold. */
const PAGE_BLOCKS = 60;
const PAGE_BYTES = 30_000;

/** Which page of which results a modal shows, and where it was opened. */
export interface ResultsPlace {
  issueId: string;
  version: number;
  /** From 0. */
  page: number;
  channel: string;
}

/** *Everything*: all of an investigation's results, page by page, with the other versions to choose from. */
export function resultsModal(
  view: Omit<ResultsView, 'results'> & { results: ResultsView['results'] | null },
  { page, channel, latest }: { page: number; channel: string; latest: number },
): ModalView {
  const { issueId, number, version, results } = view;
  const pages =
    results === null ? [[section('I no longer have this version.')]] : paged(wholeBlocks(results));
  const shown = Math.min(Math.max(0, page), pages.length - 1);
  const place: ResultsPlace = { issueId, version, page: shown, channel };
  const controls = navigation(place, pages.length, latest);
  return fitModal({
    callbackId: 'results',
    title: `Results of #${number}`,
    privateMetadata: JSON.stringify(place),
    blocks: [
      ...(view.simulated ? [context(SIMULATED)] : []),
      context(subject(view, shown, pages.length)),
      ...controls,
      ...(pages[shown] ?? []),
      // Below a long page too.
      ...(pages.length > 1 ? turning(place, pages.length, 'below') : []),
    ],
  });
}

function subject({ title, version }: Pick<ResultsView, 'title' | 'version'>, page: number, pages: number) {
  const where = pages > 1 ? ` · page ${page + 1} of ${pages}` : '';
  return cutEscaped(`${bold(phrase(title, MAX_TITLE))} · version ${version}${where}`, limits.sectionText);
}

function navigation(place: ResultsPlace, pages: number, latest: number): ActionsBlock[] {
  const versions = latest > 1 ? [versionSelect(place.version, latest)] : [];
  const [turn] = pages > 1 ? turning(place, pages, 'above') : [];
  const elements = [...versions, ...(turn?.elements ?? [])];
  return elements.length === 0 ? [] : [{ type: 'actions', block_id: 'above', elements }];
}

function versionSelect(version: number, latest: number): ActionsBlock['elements'][number] {
  const options = Array.from({ length: Math.min(latest, limits.options) }, (_, index) =>
    option(latest - index),
  );
  const initial = options.find(({ value }) => value === String(version));
  return {
    type: 'static_select',
    action_id: actionIds.showVersion,
    options,
    placeholder: { type: 'plain_text', text: 'Version' },
    ...(initial ? { initial_option: initial } : {}),
  };
}

function option(version: number): PlainTextOption {
  return { text: { type: 'plain_text', text: `Version ${version}` }, value: String(version) };
}

function turning({ page }: ResultsPlace, pages: number, where: string): ActionsBlock[] {
  const elements = [
    ...(page > 0 ? [button('‹ Previous', actionIds.resultsBack, String(page - 1))] : []),
    ...(page < pages - 1 ? [button('Next ›', actionIds.resultsOn, String(page + 1))] : []),
  ];
  return [{ type: 'actions', block_id: where, elements }];
}

function paged(blocks: readonly KnownBlock[]): KnownBlock[][] {
  const pages: KnownBlock[][] = [];
  let bytes = PAGE_BYTES;
  for (const block of blocks) {
    const size = Buffer.byteLength(JSON.stringify(block));
    const current = pages.at(-1);
    if (current && bytes + size <= PAGE_BYTES && current.length < PAGE_BLOCKS) {
      current.push(block);
      bytes += size;
    } else {
      pages.push([block]);
      bytes = size;
    }
  }
  return pages.length === 0 ? [[]] : pages;
}

const MAX_PART = 2900;

type Text = string | undefined;

/** Everything that an investigation found, in full, as blocks in reading order. */
export function wholeBlocks(results: InvestigationResults): KnownBlock[] {
  const { rootCause, timeline = [], remediation } = results;
  const isNew = trackTexts();
  const near = momentOf(results);
  const blocks = [
    ...(hasRootCause(rootCause)
      ? titled(
          isExplained(rootCause) ? '*Root cause*' : '*Root cause unknown*',
          text(rootCause?.rootCauseSummary),
        )
      : [section('*No root cause found*')]),
    ...titled('*What happened*', text(rootCause?.incidentOverview)),
    ...part(
      '*Evidence*',
      (rootCause?.relevantEvidence ?? []).flatMap((one) => evidence(one, isNew)),
    ),
    ...part(
      '*Ruled out*',
      (rootCause?.irrelevantEvidence ?? []).flatMap((one) => evidence(one, isNew)),
    ),
    ...graphBlocks(results, isNew),
    ...part(
      '*Timeline*',
      sorted(timeline).flatMap((one) => moment(one, isNew)),
    ),
    ...part('*Remediation*', (remediation?.actions ?? []).flatMap(action)),
  ];
  return blocks.map((block) => blockInReadersTime(block, near));
}

function graphBlocks(results: InvestigationResults, isNew: IsNew): KnownBlock[] {
  const chain = chainBlocks(causeGraph(results));
  const v2 = results.causalTreeV2?.nodes ?? [];
  const nodes =
    v2.length > 0
      ? v2.flatMap((node) => nodeV2(node, isNew))
      : (results.causalTree?.nodes ?? []).flatMap(nodeV1);
  return [...(chain.length === 0 ? [] : [section(`*${CHAIN}*`)]), ...chain, ...part('*Causes*', nodes)];
}

function evidence(
  { title, status, description, confidence: sure, artifacts = [] }: Evidence,
  isNew: IsNew,
): string[] {
  isNew(title);
  isNew(description);
  return joined([
    ...heading(title, status, confidence(sure)),
    ...text(description),
    ...references(artifacts, isNew),
  ]);
}

function nodeV2(
  node: NonNullable<NonNullable<InvestigationResults['causalTreeV2']>['nodes']>[number],
  isNew: IsNew,
) {
  isNew(node.title);
  return joined([
    ...heading(node.title ?? node.id, node.nodeType, confidence(node.confidence)),
    ...(isNew(node.description) ? text(node.description) : []),
    ...references(node.evidence ?? [], isNew),
  ]);
}

function nodeV1(node: NonNullable<NonNullable<InvestigationResults['causalTree']>['nodes']>[number]) {
  return joined([
    ...heading(node.title ?? node.id, node.type),
    ...text(node.description),
    ...text(node.expandedContent),
  ]);
}

function sorted(timeline: readonly TimelineEntry[]): TimelineEntry[] {
  const at = ({ timestamp }: TimelineEntry) => Date.parse(timestamp ?? '') || Number.MAX_SAFE_INTEGER;
  return timeline.toSorted((a, b) => at(a) - at(b));
}

function moment(
  { timestamp, title, type, description, evidence: some = [] }: TimelineEntry,
  isNew: IsNew,
): string[] {
  const at = Date.parse(timestamp ?? '');
  const when = Number.isNaN(at) ? literal(phrase(timestamp, 60)) || 'no time given' : date(at);
  const [first = '', ...more] = heading(title, type);
  return joined([
    first === '' ? when : `${when} – ${first}`,
    ...more,
    ...(isNew(description) ? text(description) : []),
    ...references(
      some.map((one) => ({ title: one.title, description: one.description })),
      isNew,
    ),
  ]);
}

function action(view: RemediationAction, index: number): string[] {
  const [first, ...more] = heading(view.title, view.category);
  return [
    ...joined([`*${index + 1}.* ${first ?? 'Untitled action'}`, ...more, ...text(view.description)]),
    ...(view.steps ?? []).flatMap((step, position) => {
      const required = step.required === true ? 'required' : undefined;
      const [name, ...rest] = heading(step.title || step.label, required, step.type);
      return joined([
        `${index + 1}.${position + 1} ${name ?? 'Untitled step'}`,
        ...rest,
        ...pieces(step.content ?? '', MAX_PART, isCommand(step.type) ? codeBlock : body),
        ...text(step.helpMarkdown),
      ]);
    }),
  ];
}

/** What is referred to, by what of its name and description was not said above. */
function references(artifacts: readonly ArtifactRef[], isNew: IsNew): string[] {
  return artifacts.flatMap(({ title, description }) => {
    const words = [title, description].filter((one) => isNew(one)).join(': ');
    return pieces(words, MAX_PART, (piece) => `↳ ${literal(piece)}`);
  });
}

/** Whether a text says something, and for the first time on these pages. */
type IsNew = (text: Text) => boolean;

function trackTexts(): IsNew {
  const known = new Set<string>();
  return (text) => {
    const words = bare(text);
    if (known.has(words)) return false;
    known.add(words);
    return (text ?? '').trim() !== '';
  };
}

/** A title with what is stated beside it; a long one continues below. */
function heading(title: Text, ...stated: Text[]): string[] {
  const shown = pieces(title ?? '', 1500, bold);
  return shown.map((piece, index) => (index === shown.length - 1 ? `${piece}${tags(...stated)}` : piece));
}

function text(value: Text): string[] {
  return pieces(value ?? '', MAX_PART, body);
}

/** Lines that belong together, on as few pages as possible. */
function joined(lines: readonly string[]): string[] {
  const done: string[] = [];
  for (const line of lines) {
    const last = done.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= MAX_PART)
      done[done.length - 1] = `${last}\n${line}`;
    else done.push(line);
  }
  return done;
}

function titled(title: string, texts: readonly string[]): KnownBlock[] {
  return texts.length === 0 ? [] : joined([title, ...texts]).map(section);
}

function part(title: string, texts: readonly string[]): KnownBlock[] {
  return texts.length === 0 ? [] : [{ type: 'divider' }, section(title), ...texts.map(section)];
}

/** There is nothing to submit, so it has no listener. */
const CALLBACK_ID = 'step:prompt';

/** The prompt of a remediation action; all texts are untrusted. */
interface PromptView {
  number: IssueNumber | null;
  action: string;
  prompt: string;
}

/** The prompt exactly as the service gave it, in as many parts as Slack needs, to be copied. */
export function promptModal({ number, action, prompt }: PromptView): ModalView {
  const title = number === null ? 'Prompt' : `Prompt of #${number}`;
  const name = clean(action).trim();
  return fitModal({
    callbackId: CALLBACK_ID,
    title,
    blocks: [
      context('Copy this for a coding agent or a colleague.'),
      ...(name === '' ? [] : [verbatimContext(name.slice(0, 500))]),
      ...inParts(clean(prompt), limits.sectionText).map(verbatimSection),
    ],
  });
}

/** Cut at line ends if possible; only the line ends at the cuts are lost. */
function inParts(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const line = rest.lastIndexOf('\n', max);
    const half = /[\ud800-\udbff]/u.test(rest.charAt(max - 1)) ? max - 1 : max;
    const end = line > 0 ? line : half;
    parts.push(rest.slice(0, end));
    rest = rest.slice(line > 0 ? end + 1 : end);
  }
  return [...parts, rest].filter((part) => part.trim() !== '');
}
