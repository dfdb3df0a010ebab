import type { ActionsBlock, ContextBlock, SectionBlock } from '@slack/types';
import type { InvestigationResults, RemediationStep, TimelineEntry } from '../../../contract/answers.ts';
import { oneLine } from '../../../lib/text.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { bare, clean, literal, userMention } from '../escape.ts';
import { body, codeBlock } from '../links.ts';
import { actions, button, context, section } from '../rendered.ts';
import type { ChecklistView } from '../views.ts';
import {
  type About,
  hasPrompt,
  type Line,
  linesOf,
  promptButton,
  rowElements,
  stepValue,
} from './checklist.ts';
import { passage, phrase } from './phrases.ts';
import { isCommand } from './sections.ts';

const MAX_FIRST = 300;
/** Escaped: longer commands are read in the checklist, where they are whole. */
const MAX_PREPARED = 600;
const MOST_LINES = 3;
/** Of all its lines, escaped. */
const MAX_LONGEST = 2_900;

type DoFirst = (SectionBlock | ActionsBlock | ContextBlock)[];

/**
 * What to do first: the action of the first step that nobody has done, a required one if there is any, that step with the
 * button that marks it done, and the command or the link by which the action is done: read and copied without scrolling.
 * A remediation of one step is this and nothing else. Every checklist has it, as many blocks whatever is ticked.
 */
export function doFirstBlocks(
  { remediation, timeline }: Pick<InvestigationResults, 'remediation' | 'timeline'>,
  checklist: ChecklistView,
  about: About,
): DoFirst {
  const lines = linesOf(remediation, checklist);
  const [only, ...others] = lines;
  if (only === undefined) return [];
  const resolve = checklist.offersResolve
    ? [button('Resolve', actionIds.resolve, about.issueId, 'primary')]
    : [];
  if (others.length === 0) {
    const first = only.view.done === null ? alone(only, timeline) : doneLine(only);
    const index = remediation?.actions?.indexOf(only.action) ?? 0;
    const prompt = hasPrompt(only.action) ? [promptButton(index, about)] : [];
    const row = [tickButton(only, 'Done', about), ...resolve, ...rowElements([only], about), ...prompt];
    return [section(first), actions(row)];
  }
  const left = lines.filter(({ view }) => view.done === null);
  const next = left.find(({ step }) => step.required) ?? left[0];
  if (next === undefined || resolve.length > 0) {
    const words = left.length === 0 ? 'All steps are done' : 'All required steps are done';
    return [
      section(`✅ *${words}*`),
      resolve.length > 0 ? actions(resolve) : context('Who did them, and *Undo*, are in the steps below.'),
    ];
  }
  const counts = ({ step }: Line) => step.required === next.step.required || prepared(step) !== '';
  const further = left.filter((line) => line.action === next.action && line !== next && counts(line));
  const ofAction = [next, ...further];
  const ready = ofAction.findIndex(({ step }) => prepared(step) !== '');
  const shown = ready >= MOST_LINES ? [next] : ofAction.slice(0, Math.max(0, ready) + 1);
  const words = toDo(shown, left.length === lines.length ? 'first' : 'next', timeline);
  return [section(words), actions([tickButton(next, shown.length === 1 ? 'Done' : 'Step 1 is done', about)])];
}

/** The same at its longest. */
export function longestFirst(blocks: DoFirst): DoFirst {
  return blocks.map((block) =>
    block.type === 'section' ? { ...block, ...section('x'.repeat(MAX_LONGEST)) } : block,
  );
}

/** `*Do first:* Roll back payments to 1.185.95`, below it its steps if they say more, and the command. */
function toDo(
  shown: readonly Line[],
  when: 'first' | 'next',
  timeline: readonly TimelineEntry[] = [],
): string {
  const [first] = shown;
  const action = phrase(withVersion(first?.action.title, timeline), MAX_FIRST);
  const names = shown.map(({ step }) => phrase(stepName(step), MAX_FIRST));
  const ready = shown.map(({ step }) => prepared(step)).findLast((text) => text !== '') ?? '';
  const isPlain = names.length === 1 && (action === '' || isSaid(names[0] ?? '', action, shown[0]?.step));
  const heading = action === '' ? (names[0] ?? '') : action;
  const steps = isPlain
    ? []
    : names.map((name, at) => `${names.length > 1 ? `${at + 1}. ` : ''}${literal(name)}`);
  return [`*Do ${when}:* ${literal(heading)}`, ...steps, ...(ready === '' ? [] : [ready])].join('\n');
}

/** The only step, with what it says. */
function alone(line: Line, timeline: readonly TimelineEntry[] | undefined): string {
  const said = toDo([line], 'first', timeline);
  const texts = [line.action.description, isCommand(line.step.type) ? '' : line.step.content];
  const more = texts.map((text) => body(passage(text, MAX_FIRST)));
  return [said, ...more.filter((text) => text !== '' && !bare(said).includes(bare(text)))].join('\n');
}

/** “Roll back payments: Roll back” says it twice, and so does a step whose content is shown as the command. */
function isSaid(name: string, action: string, step: RemediationStep | undefined): boolean {
  return name === '' || bare(action).includes(bare(name)) || name === phrase(step?.content, MAX_FIRST);
}

function doneLine({ step, action, view: { done } }: Line): string {
  const name = phrase(action.title, MAX_FIRST) || phrase(stepName(step), MAX_FIRST);
  const by = done === null || done.by === null ? '' : ` by ${userMention(done.by)}`;
  return `✅ *${literal(name)}*\n_Done${by}_${done === null ? '' : ` · ${date(done.at)}`}`;
}

function tickButton({ view }: Line, label: string, about: About) {
  return view.done === null
    ? button(label, actionIds.tick, stepValue(view, about))
    : button('Undo', actionIds.untick, stepValue(view, about, view.done.at));
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
