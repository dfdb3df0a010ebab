import type { KnownBlock } from '@slack/types';
import type {
  ArtifactRef,
  Evidence,
  InvestigationResults,
  RemediationAction,
  TimelineEntry,
} from '../../../contract/answers.ts';
import { bare } from '../bare.ts';
import { date } from '../dates.ts';
import { bold, literal } from '../escape.ts';
import { body, code } from '../links.ts';
import { section } from '../rendered.ts';
import { chainBlocks } from './chain.ts';
import { causeGraph } from './graph.ts';
import { confidence, phrase, tags } from './phrases.ts';
import { type PictureView, pictureBlock } from './picture.ts';
import { isCommand } from './remediation.ts';
import { pieces } from './split.ts';
import { hasRootCause } from './verdict.ts';

const MAX = 2900;

type Text = string | undefined;

/** Everything that an investigation found, in full, as blocks in reading order. */
export function wholeBlocks(results: InvestigationResults, picture: PictureView | null): KnownBlock[] {
  const { rootCause, timeline = [], remediation } = results;
  const said = newSaid();
  return [
    ...(hasRootCause(rootCause)
      ? titled('*Root cause*', text(rootCause?.rootCauseSummary))
      : [section('*No root cause found*')]),
    ...titled('*What happened*', text(rootCause?.incidentOverview)),
    ...part(
      '*Evidence*',
      (rootCause?.relevantEvidence ?? []).flatMap((one) => evidence(one, said)),
    ),
    ...part(
      '*Ruled out*',
      (rootCause?.irrelevantEvidence ?? []).flatMap((one) => evidence(one, said)),
    ),
    ...graphBlocks(results, picture, said),
    ...part(
      '*Timeline*',
      sorted(timeline).flatMap((one) => moment(one, said)),
    ),
    ...part('*Remediation*', (remediation?.actions ?? []).flatMap(action)),
  ];
}

function graphBlocks(results: InvestigationResults, picture: PictureView | null, said: Said): KnownBlock[] {
  const chain = chainBlocks(causeGraph(results));
  const v2 = results.causalTreeV2?.nodes ?? [];
  const nodes =
    v2.length > 0
      ? v2.flatMap((node) => nodeV2(node, said))
      : (results.causalTree?.nodes ?? []).flatMap(nodeV1);
  return [...(picture && chain.length > 0 ? [pictureBlock(picture)] : chain), ...part('*Causes*', nodes)];
}

function evidence(
  { title, status, description, confidence: sure, artifacts = [] }: Evidence,
  said: Said,
): string[] {
  said(title);
  said(description);
  return joined([
    ...heading(title, status, confidence(sure)),
    ...text(description),
    ...references(artifacts, said),
  ]);
}

function nodeV2(
  node: NonNullable<NonNullable<InvestigationResults['causalTreeV2']>['nodes']>[number],
  said: Said,
) {
  said(node.title);
  return joined([
    ...heading(node.title ?? node.id, node.nodeType, confidence(node.confidence)),
    ...(said(node.description) ? text(node.description) : []),
    ...references(node.evidence ?? [], said),
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
  said: Said,
): string[] {
  const at = Date.parse(timestamp ?? '');
  const when = Number.isNaN(at) ? literal(phrase(timestamp, 60)) || 'no time given' : date(at);
  const [first = '', ...more] = heading(title, type);
  return joined([
    first === '' ? when : `${when} – ${first}`,
    ...more,
    ...(said(description) ? text(description) : []),
    ...references(
      some.map((one) => ({ title: one.title, description: one.description })),
      said,
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
        ...pieces(step.content ?? '', MAX, isCommand(step.type) ? code : body),
        ...text(step.helpMarkdown),
      ]);
    }),
  ];
}

/** What is referred to, by what of its name and description was not said above. */
function references(artifacts: readonly ArtifactRef[], said: Said): string[] {
  return artifacts.flatMap(({ title, description }) => {
    const words = [title, description].filter((one) => said(one)).join(': ');
    return pieces(words, MAX, (piece) => `↳ ${literal(piece)}`);
  });
}

/** Whether a text says something, and for the first time on these pages. */
type Said = (text: Text) => boolean;

function newSaid(): Said {
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
  return pieces(value ?? '', MAX, body);
}

/** Lines that belong together, on as few pages as possible. */
function joined(lines: readonly string[]): string[] {
  const done: string[] = [];
  for (const line of lines) {
    const last = done.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= MAX)
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
