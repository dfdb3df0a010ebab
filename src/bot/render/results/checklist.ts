import type { ActionsBlock, Button, KnownBlock, SectionBlock, StaticSelect } from '@slack/types';
import type { Remediation, RemediationAction, RemediationStep } from '../../../contract/answers.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { clean, cutEscaped, userMention } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { progressWords } from '../issues/card-lines.ts';
import { blockCost } from '../measure.ts';
import { actions, button, context, type Rendered, section } from '../rendered.ts';
import type { ChecklistView, StepView } from '../views.ts';
import { count } from '../words.ts';
import { phrase } from './phrases.ts';
import { actionHeading, stepText, untitled } from './sections.ts';

/** Leaves room for who did it. */
const MAX_STEP = 2700;
const MAX_HEADING = 2400;
/** All of it: no more than what five messages hold. */
const MAX_TOTAL = 45_000;
const MAX_BLOCKS = 160;
/** How many steps share one menu: its options count towards what a message holds. */
const PER_MENU = 20;
const MAX_OPTION = 60;

/** Whose results the buttons act on. */
export interface About {
  issueId: string;
  version: number;
}

/** A step and its state; empty steps are skipped. */
interface Line {
  step: RemediationStep;
  view: StepView;
  text: string;
}

/**
 * The remediation as a checklist: a section a step, with its button. A button says what it does (*Done*, *Undo*) and
 * never toggles, so that two people who press at once both count.
 *
 * @param above the step whose command is shown above the checklist, and not again in it
 */
export function checklistBlocks(
  remediation: Remediation,
  checklist: ChecklistView,
  about: About,
  above: RemediationStep | null = null,
): KnownBlock[] {
  const blocksFor = (view: ChecklistView, above: RemediationStep | null) =>
    (remediation.actions ?? []).flatMap((action, index) =>
      actionBlocks(action, index, view.steps[index] ?? [], { ...about, above }),
    );
  const blocks = blocksFor(checklist, above);
  if (blocks.length === 0) return [];
  // What finds room must not depend on ticks either.
  const room = roomFor(blocksFor(allDone(checklist), null));
  const left = blocks.slice(room).filter((block) => block.type === 'section' && block.accessory).length;
  return [
    headline(checklist, about),
    ...blocks.slice(0, room),
    ...(left > 0 ? [context(`… shortened: ${count(left, 'more step')}`)] : []),
  ];
}

/** Its greatest possible length: where a message ends must not depend on ticks. */
export function allDone(checklist: ChecklistView): ChecklistView {
  const done = { by: 'U00000000000000', at: 1_700_000_000_000 };
  return {
    ...checklist,
    steps: checklist.steps.map((steps) => steps.map((step) => ({ ...step, done }))),
    // In the longest words that there are for it.
    progress: checklist.progress && {
      ...checklist.progress,
      done: checklist.progress.total - 1,
      requiredDone: checklist.progress.required,
    },
    offersResolve: true,
  };
}

/** All required steps are done: *Resolve* is offered beside it. */
function headline({ progress, offersResolve }: ChecklistView, { issueId }: About): SectionBlock {
  const line = section(`*Remediation*${progress === null ? '' : ` · ${progressWords(progress)}`}`);
  if (!offersResolve) return line;
  return { ...line, accessory: button('Resolve', actionIds.resolve, issueId, 'primary') };
}

/** How many of the blocks there is room for. */
function roomFor(blocks: readonly KnownBlock[]): number {
  let cost = 0;
  const end = blocks.findIndex((block, index) => {
    cost += blockCost(block);
    return cost > MAX_TOTAL || index >= MAX_BLOCKS;
  });
  return end < 0 ? blocks.length : end;
}

function actionBlocks(
  action: RemediationAction,
  index: number,
  views: readonly StepView[],
  { above, ...about }: About & { above: RemediationStep | null },
): KnownBlock[] {
  const lines = (action.steps ?? []).flatMap((step, position) => {
    const text = stepText(step, step === above);
    const view = views[position];
    return text === '' || view === undefined ? [] : [{ step, view, text }];
  });
  const heading = actionHeading(action, index);
  if (heading === '' && lines.length === 0) return [];
  const chunks = Array.from({ length: Math.max(1, Math.ceil(lines.length / PER_MENU)) }, (_, n) =>
    lines.slice(n * PER_MENU, (n + 1) * PER_MENU),
  );
  return [
    section(cutEscaped(heading || untitled(index), MAX_HEADING)),
    ...chunks.flatMap((chunk, n) => [
      ...chunk.map((line) => stepBlock(line, about)),
      ...row(chunk, n === chunks.length - 1 && hasPrompt(action) ? index : null, about),
    ]),
  ];
}

function stepBlock({ view, text }: Line, about: About): SectionBlock {
  const cut = cutEscaped(text, MAX_STEP);
  const { done } = view;
  if (done === null) {
    const accessory = button('Done', actionIds.tick, stepValue(view, about));
    return { ...section(`⬜ ${cut}`), accessory };
  }
  const by = done.by === null ? '' : ` by ${userMention(done.by)}`;
  const accessory = button('Undo', actionIds.untick, stepValue(view, about, done.at));
  return { ...section(`✅ ${cut}\n_Done${by}_ · ${date(done.at)}`), accessory };
}

/** Below the steps: *Ask about this step* and *Copy prompt*, whichever there is. */
function row(chunk: readonly Line[], promptOf: number | null, about: About): ActionsBlock[] {
  const elements = [
    ...askElement(chunk, about),
    ...(promptOf === null
      ? []
      : [button('Copy prompt', actionIds.copyPrompt, `${about.version}.${promptOf}:${about.issueId}`)]),
  ];
  return elements.length === 0 ? [] : [actions(elements)];
}

function askElement(chunk: readonly Line[], about: About): (Button | StaticSelect)[] {
  const [only, ...others] = chunk;
  if (only === undefined) return [];
  if (others.length === 0) {
    return [button('Ask about this step', actionIds.askAboutStep, stepValue(only.view, about))];
  }
  return [
    {
      type: 'static_select',
      action_id: actionIds.askAboutStep,
      placeholder: { type: 'plain_text', text: 'Ask about this step…', emoji: true },
      options: chunk.map(({ step, view }) => ({
        text: { type: 'plain_text', text: optionText(step), emoji: false },
        value: stepValue(view, about),
      })),
    },
  ];
}

function optionText({ title, label, content }: RemediationStep): string {
  const words = [title, label, content].map((text) => phrase(text, MAX_OPTION)).find((text) => text !== '');
  return (words ?? 'This step').replaceAll('<', '‹').replaceAll('>', '›');
}

export function stepValue({ key }: StepView, { issueId, version }: About, at?: number): string {
  return `${[version, key, ...(at === undefined ? [] : [at])].join('.')}:${issueId}`;
}

function hasPrompt({ markdownPrompt }: RemediationAction): boolean {
  return clean(markdownPrompt ?? '').trim() !== '';
}

/** The results that a button is under are gone, or have changed. */
export function stepUnknown(): Rendered {
  return sentence('This step no longer exists. See the latest results of the issue.');
}

/** There is no thread yet in which the question could stand. */
export function noThreadYet(): Rendered {
  return sentence('The issue has no thread yet. Try again in a moment.');
}

function sentence(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
