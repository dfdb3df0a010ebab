import type { SectionBlock } from '@slack/types';
import type { InvestigationResults, RemediationStep, TimelineEntry } from '../../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { actionIds } from '../action-ids.ts';
import { bare } from '../bare.ts';
import { clean, literal } from '../escape.ts';
import { body, codeBlock } from '../links.ts';
import { button, section } from '../rendered.ts';
import type { ChecklistView } from '../views.ts';
import { type About, stepValue } from './checklist.ts';
import { phrase } from './phrases.ts';
import { isCommand, stepText } from './sections.ts';

const MAX_FIRST = 300;
/** Escaped: longer commands are read in the checklist, where they are whole. */
const MAX_PREPARED = 600;

interface DoFirst {
  blocks: SectionBlock[];
  /** The step whose command or link they show. */
  shown: RemediationStep | null;
}

/**
 * The first step that nobody has done, a required one if there is any, with the button that marks it done, and below it the command or the link by which
 * its action is done: what to do is read and copied without scrolling. Every checklist has this line, so that where a
 * message ends does not depend on ticks.
 */
export function doFirstBlocks(
  { remediation, timeline }: Pick<InvestigationResults, 'remediation' | 'timeline'>,
  checklist: ChecklistView | undefined,
  about: About,
): DoFirst {
  if (checklist === undefined) return { blocks: [], shown: null };
  const lines = (remediation?.actions ?? []).flatMap((action, index) =>
    (action.steps ?? []).flatMap((step, position) => {
      const view = checklist.steps[index]?.[position];
      return view === undefined || stepText(step) === '' ? [] : [{ action, step, view }];
    }),
  );
  if (lines.length === 0) return { blocks: [], shown: null };
  const left = lines.filter(({ view }) => view.done === null);
  const next = left.find(({ step }) => step.required) ?? left[0];
  if (next === undefined) return { blocks: [section('✅ *All steps are done*')], shown: null };
  const isFirst = left.length === lines.length;
  const [action = '', step = ''] = [withVersion(next.action.title, timeline), stepName(next.step)].map(
    (text) => phrase(text, MAX_FIRST),
  );
  // “Roll back payments: Roll back” says it twice.
  const isRepeated = step === '' || bare(action).includes(bare(step));
  const what = action === '' ? step : isRepeated ? action : `${action}: ${step}`;
  const ofAction = left.filter((line) => line.action === next.action && line !== next);
  const ready = [next, ...ofAction]
    .map((line) => ({ line, text: prepared(line.step) }))
    .find(({ text }) => text !== '');
  const then = ready === undefined ? '' : `${ready.line === next ? '' : '\nThen:'}\n${ready.text}`;
  const accessory = button('Done', actionIds.tick, stepValue(next.view, about));
  const words = `*Do ${isFirst ? 'first' : 'next'}:* ${literal(cutAtWord(what, MAX_FIRST))}${then}`;
  return { blocks: [{ ...section(words), accessory }], shown: ready?.line.step ?? null };
}

/** The line at its longest. */
export function longestFirst(blocks: readonly SectionBlock[]): SectionBlock[] {
  return blocks.map((block) => ({ ...block, ...section('x'.repeat(3 * MAX_FIRST + MAX_PREPARED)) }));
}

/** What a step has to copy or to open; empty if nothing, or if it is too long for one line. */
function prepared({ type, content = '' }: RemediationStep): string {
  if (content.length > MAX_PREPARED) return '';
  const text = clean(content).trim();
  const ready = isCommand(type) ? codeBlock(text) : /https?:\/\//u.test(text) ? body(oneLine(text)) : '';
  return ready.length > MAX_PREPARED ? '' : ready;
}

/** `Roll back payments to 1.183.47`, where the timeline says which version ran before: `payments 1.184.0 (was 1.183.47)`. */
function withVersion(title: string | undefined, timeline: readonly TimelineEntry[] = []): string | undefined {
  const service = /^roll back (?<service>\S+)$/iu.exec(title?.trim() ?? '')?.groups?.service;
  if (service === undefined) return title;
  const changes = timeline.flatMap(({ title: change = '' }) =>
    change.includes(`${service} `) ? [change] : [],
  );
  const before = changes.map((change) => /\(was (?<version>[^()\s]+)\)/u.exec(change)?.groups?.version);
  const [version, ...others] = new Set(before.filter((one) => one !== undefined));
  return version === undefined || others.length > 0 ? title : `${title} to ${version}`;
}

function stepName({ title, label, content }: RemediationStep): string {
  return [title, label, content].find((text) => phrase(text, MAX_FIRST) !== '') ?? '';
}
