import type { ActionsBlock, KnownBlock, ModalView, PlainTextOption, StaticSelect } from '@slack/types';
import type { Artifact } from '../../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { bare, bold, clean, cutEscaped, label, literal } from '../escape.ts';
import { notice } from '../fit.ts';
import { limits } from '../limits.ts';
import { body, link } from '../links.ts';
import { fitModal } from '../modal.ts';
import { blockInReadersTime } from '../readers-time.ts';
import { actions, button, context, preformatted, type Rendered, section } from '../rendered.ts';
import { passage, phrase } from '../results/phrases.ts';
import { SIMULATED } from '../words.ts';
import { askedOf, pageOf, providerName } from './asked.ts';
import { kindName, summaryBlocks } from './kinds.ts';

/** Which piece of evidence is shown, and where the modal was opened: what the modal remembers. */
export interface EvidencePlace {
  /** An issue's id, or `question:<id>`. */
  owner: string;
  /** Of the results; 0 for an answer. */
  version: number;
  index: number;
  channel: string;
}

type EvidenceGroup = 'counts' | 'ruled_out' | 'graph' | 'timeline' | 'answer';

/** A reference to a piece of evidence; untrusted. */
export interface EvidenceEntry {
  use: EvidenceGroup;
  title: string;
  description: string;
  dataType: string;
  about: string;
}

/** What there is of the one that is shown. `problem` is a sentence of ours. */
export type ShownEvidence =
  | { state: 'kept'; artifact: Artifact }
  | { state: 'awaited' }
  | { state: 'missing' }
  | { state: 'failed'; problem: string };

export interface EvidenceView {
  place: EvidencePlace;
  /** `null` for an answer. */
  number: IssueNumber | null;
  title: string;
  /** At least one. */
  entries: readonly EvidenceEntry[];
  /** When it happened, in milliseconds: what it says in UTC is shown in the reader's time. */
  near?: number | null;
  shown: ShownEvidence;
  /** Whether its JSON is in the thread, is offered as a file, or cannot be had. */
  rawJson: 'offered' | 'asked' | null;
  simulated: boolean;
}

const groups: Record<EvidenceGroup, string> = {
  counts: 'Evidence',
  ruled_out: 'Ruled out',
  graph: 'Causes',
  timeline: 'Timeline',
  answer: 'Also found',
};

const MAX_TITLE = 200;
const MAX_TEXT = 1500;
/** Fields of the data that often repeat the piece's name. */
const TITLES = new Set(['title', 'message', 'name', 'summary', 'description']);

export function evidenceModal(view: EvidenceView): ModalView {
  const { place, number, entries } = view;
  const index = Math.min(Math.max(0, place.index), entries.length - 1);
  const entry = entries[index];
  return fitModal({
    callbackId: 'evidence',
    title: number === null ? 'Evidence' : `Evidence of #${number}`,
    privateMetadata: JSON.stringify({ ...place, index }),
    blocks: [
      ...(view.simulated ? [context(SIMULATED)] : []),
      context(subject(view)),
      ...navigation(entries, index),
      ...(entry ? [context(`${groups[entry.use]} · ${index + 1} of ${entries.length}`)] : []),
      ...[...(entry ? entryBlocks(entry, view.shown) : []), ...shownBlocks(view.shown, entry)].map((block) =>
        blockInReadersTime(block, view.near ?? null),
      ),
      ...fileButton(view),
    ],
  });
}

function subject({ title, place }: EvidenceView): string {
  const version = place.version > 1 ? ` · version ${place.version}` : '';
  return `${bold(phrase(title, MAX_TITLE)) || '*Untitled*'}${version}`;
}

function navigation(entries: readonly EvidenceEntry[], index: number): ActionsBlock[] {
  if (entries.length < 2) return [];
  return [
    {
      // A page's own: under the same name Slack would keep what was chosen on another one.
      block_id: `page:${index}`,
      ...actions([
        jump(entries, index),
        ...(index > 0 ? [button('‹ Previous', actionIds.evidenceBack, String(index - 1))] : []),
        ...(index < entries.length - 1 ? [button('Next ›', actionIds.evidenceOn, String(index + 1))] : []),
      ]),
    },
  ];
}

/** Grouped by use. Each of Slack's option groups holds a hundred; *Next* leads to the rest. */
function jump(entries: readonly EvidenceEntry[], index: number): StaticSelect {
  const options = entries.map((entry, at) => ({ use: entry.use, option: option(entry, at) }));
  const byGroup = Map.groupBy(options, ({ use }) => use);
  const shown = [...byGroup].map(([use, some]) => ({
    label: { type: 'plain_text' as const, text: groups[use] },
    options: some.map(({ option: one }) => one).slice(0, limits.options),
  }));
  const initial = shown.flatMap((group) => group.options).find(({ value }) => value === String(index));
  return {
    type: 'static_select',
    action_id: actionIds.evidenceJump,
    placeholder: { type: 'plain_text', text: 'Go to' },
    option_groups: shown,
    ...(initial ? { initial_option: initial } : {}),
  };
}

function option({ title, about, dataType }: EvidenceEntry, index: number): PlainTextOption {
  const name = [title, about, kindName(dataType)].map((one) => oneLine(clean(one))).find((one) => one !== '');
  const text = cutAtWord(`${index + 1}. ${name ?? 'Untitled'}`, limits.optionText);
  return { text: { type: 'plain_text', text: label(text), emoji: false }, value: String(index) };
}

function entryBlocks({ title, description, about }: EvidenceEntry, shown: ShownEvidence): KnownBlock[] {
  const summary = shown.state === 'kept' ? shown.artifact.summary : undefined;
  const heading = bold(phrase(title, MAX_TITLE)) || bold(phrase(summary, MAX_TITLE)) || '*Untitled*';
  const reason = phrase(about, MAX_TITLE);
  const text = passage(description, MAX_TEXT);
  return [
    section(
      [
        heading,
        ...(bare(title).includes(bare(text)) ? [] : [cutEscaped(body(text), MAX_TEXT)]),
        ...(reason === '' || reason === phrase(title, MAX_TITLE) ? [] : [`↳ supports: ${literal(reason)}`]),
      ].join('\n'),
    ),
  ];
}

function shownBlocks(shown: ShownEvidence, entry: EvidenceEntry | undefined): KnownBlock[] {
  switch (shown.state) {
    case 'awaited':
      return [context('… fetching from the investigation service')];
    case 'missing':
      return [section('The investigation service no longer has this piece of evidence.')];
    case 'failed':
      return [section(`⚠️ ${literal(shown.problem)} Come back to this page to fetch it again.`)];
    case 'kept':
      return keptBlocks(shown, entry);
  }
}

function keptBlocks(
  { artifact }: ShownEvidence & { state: 'kept' },
  entry: EvidenceEntry | undefined,
): KnownBlock[] {
  const summary = newWords(artifact.summary, entry);
  return [
    ...(summary === '' ? [] : [section(cutEscaped(body(summary), MAX_TEXT))]),
    ...summaryBlocks({ ...artifact, data: withoutRepeats(artifact.data, entry) }),
    ...askedBlocks(artifact),
    context(originOf(artifact)),
  ];
}

/** Nobody reads more of a query here. */
const MAX_QUERY = 8_000;

/** What asks for the same numbers again, to copy. */
function askedBlocks(artifact: Artifact): KnownBlock[] {
  const asked = askedOf(artifact);
  if (asked === null) return [];
  return [
    asked.query.length > MAX_QUERY
      ? context('Its query is too long to be shown here: *Get the raw JSON* has it.')
      : preformatted(asked.query),
    ...(asked.when === '' ? [] : [context(`To query it yourself: ${asked.when}`)]),
  ];
}

/** The data without what the title or the description says already: a deploy’s own title. */
function withoutRepeats(data: Artifact['data'], entry: EvidenceEntry | undefined): Artifact['data'] {
  const known = knownOf(entry);
  const isRepeated = ([key, value]: [string, unknown]) =>
    TITLES.has(key) && typeof value === 'string' && known.includes(bare(value));
  return data && Object.fromEntries(Object.entries(data).filter((field) => !isRepeated(field)));
}

/** Many summaries only repeat the title and the description. */
function newWords(summary: string | undefined, entry: EvidenceEntry | undefined): string {
  const text = passage(summary, MAX_TEXT);
  return knownOf(entry).includes(bare(text)) ? '' : text;
}

function knownOf(entry: EvidenceEntry | undefined): string {
  return [entry?.title, entry?.description].map(bare).join('');
}

function originOf({ type, provider, providerUrl, createdAt, data }: Artifact): string {
  const tool = providerName(provider);
  const kind = literal(phrase(kindName(type), 60));
  const at = Date.parse(createdAt ?? '');
  const page = pageOf({ providerUrl });
  const isEmpty = Object.keys(data ?? {}).length === 0;
  return [
    kind || 'evidence',
    tool === '' ? '' : `from ${literal(tool)}`,
    Number.isNaN(at) ? '' : date(at),
    page === null ? '' : link(page, tool === '' ? 'Open at source' : `Open in ${tool}`),
    isEmpty ? 'no data' : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function fileButton({ rawJson, place, shown }: EvidenceView): KnownBlock[] {
  if (shown.state !== 'kept' || rawJson === null) return [];
  if (rawJson === 'asked') return [context('Raw JSON posted in the thread.')];
  const get = button('Get the raw JSON', actionIds.rawJson, String(place.index));
  return [{ block_id: `file:${place.index}`, ...actions([get]) }];
}

export function noEvidence(): Rendered {
  return notice('No evidence to show: the results do not reference any.');
}

/** A downloadable file; `title` is a single line. */
interface RawJson {
  name: string;
  title: string;
  bytes: Uint8Array;
}

const MAX_FILE_TITLE = 150;
const MAX_FILE_NAME = 60;

/** A piece of evidence exactly as the service sent it (contract 2.8). */
export function rawJsonOf(artifact: Artifact): RawJson {
  const kind = kindName(artifact.type) || 'evidence';
  const plain = `${kind}-${artifact.id ?? ''}`.replace(/[^A-Za-z0-9]+/gu, '-').slice(0, MAX_FILE_NAME);
  const about = cutAtWord(oneLine(clean(artifact.summary ?? '')), MAX_FILE_TITLE);
  return {
    name: `${plain.replace(/^-+|-+$/gu, '') || 'evidence'}.json`,
    title: about === '' ? 'Raw JSON' : `Raw JSON: ${about}`,
    bytes: new TextEncoder().encode(`${JSON.stringify(artifact, null, 2)}\n`),
  };
}
