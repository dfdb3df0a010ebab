import type { Button, ContainerBlock, SectionBlock, StaticSelect } from '@slack/types';
import type {
  InvestigationResults,
  Remediation,
  RemediationAction,
  RemediationStep,
} from '../../../contract/answers.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { bold, clean, cutEscaped, userMention } from '../escape.ts';
import { notice } from '../fit.ts';
import { progressWords } from '../issues/card-lines.ts';
import { body } from '../links.ts';
import { blockCost } from '../measure.ts';
import { actions, button, context, folded, type Rendered, section } from '../rendered.ts';
import type { ChecklistView, StepView } from '../views.ts';
import { count } from '../words.ts';
import { passage, phrase } from './phrases.ts';
import { stepText } from './sections.ts';

/** Leaves room for who did it. */
const MAX_STEP = 2700;
const MAX_ABOUT = 400;
/** Steps in one fold, with what the action is for above and the row below; escaped characters of all of them. */
const PER_FOLD = 8;
const MAX_FOLD = 7_000;
/** In all folds together: as much as five messages hold. */
const MAX_TOTAL = 45_000;
const MOST_FOLDS = 30;
const MAX_OPTION = 60;
const MAX_TITLE = 80;
const MAX_NAME = 200;

/** Whose results the buttons act on. */
export interface About {
  issueId: string;
  version: number;
}

/** A step and its state; empty steps are skipped. */
export interface Line {
  action: RemediationAction;
  step: RemediationStep;
  view: StepView;
  text: string;
}

/** The steps that say something, in their order. */
export function linesOf(remediation: Remediation | undefined, { steps }: ChecklistView): Line[] {
  return (remediation?.actions ?? []).flatMap((action, index) =>
    (action.steps ?? []).flatMap((step, position) => {
      const view = steps[index]?.[position];
      const text = view === undefined ? '' : cutEscaped(stepText(step), MAX_STEP);
      return view === undefined || text === '' ? [] : [{ action, step, view, text }];
    }),
  );
}

/**
 * The remediation as checklists, an action each, folded until somebody has begun: a section a step, with its button. A
 * button says what it does (*Done*, *Undo*) and never toggles, so that two people who press at once both count. One step
 * alone is said by *Do first*.
 */
export function checklistBlocks(
  remediation: Remediation,
  checklist: ChecklistView,
  about: About,
): (ContainerBlock | ReturnType<typeof context>)[] {
  const folds = foldsOf(remediation, checklist, about);
  // What finds room must not depend on ticks.
  const room = roomFor(foldsOf(remediation, allDone(checklist), about));
  const left = folds.slice(room).reduce((steps, one) => steps + one.steps, 0);
  return [
    ...folds.slice(0, room).map(({ block }) => block),
    ...(left > 0 ? [context(`… shortened: ${count(left, 'more step')}`)] : []),
  ];
}

interface Fold {
  block: ContainerBlock;
  /** How many can be ticked in it. */
  steps: number;
}

function foldsOf(remediation: Remediation, checklist: ChecklistView, about: About): Fold[] {
  const lines = linesOf(remediation, checklist);
  return (remediation.actions ?? []).flatMap((action, index) => {
    const own = lines.filter((line) => line.action === action);
    if (own.length === 0)
      return folded(titleOf(action, index, [], false), aboutBlocks(action)).map((block) => ({
        block,
        steps: 0,
      }));
    return inFolds(lines.length === 1 ? [] : own).flatMap((chunk, n, all) => {
      const prompt = n === all.length - 1 && hasPrompt(action) ? [promptButton(index, about)] : [];
      const row = [...rowElements(chunk, about), ...prompt];
      const isBegun = chunk.some(({ view }) => view.done !== null);
      const isLeft = chunk.some(({ view }) => view.done === null);
      const children = [
        ...(n === 0 ? aboutBlocks(action) : []),
        ...chunk.map((line) => stepBlock(line, about)),
        ...(row.length === 0 ? [] : [actions(row)]),
      ];
      return folded(titleOf(action, index, chunk, n > 0), children, isBegun && isLeft).map((block) => ({
        block,
        steps: chunk.length,
      }));
    });
  });
}

/** The checklist of which nobody has done a step. */
export function untouched({ remediation }: Pick<InvestigationResults, 'remediation'>): ChecklistView {
  const steps = (remediation?.actions ?? []).map(({ steps = [] }, index) =>
    steps.map((_, position) => ({ key: `${index}-${position}`, done: null })),
  );
  return { steps, progress: null, offersResolve: false };
}

/** Its greatest possible length: where a message ends must not depend on ticks. */
export function allDone(checklist: ChecklistView): ChecklistView {
  const done = { by: 'U00000000000000', at: 1_700_000_000_000 };
  return {
    ...checklist,
    steps: checklist.steps.map((steps) => steps.map((step) => ({ ...step, done }))),
  };
}

/** `Steps · 1. Roll back payments · 3 steps, 2 required · immediate`. */
function titleOf(action: RemediationAction, index: number, lines: readonly Line[], isMore: boolean): string {
  const name = `${index + 1}. ${phrase(action.title, MAX_TITLE) || 'Untitled action'}`;
  if (lines.length === 0) return name;
  const required = lines.filter(({ step }) => step.required === true);
  const isDone = ({ view }: Line) => view.done !== null;
  const words = progressWords({
    done: lines.filter(isDone).length,
    total: lines.length,
    required: required.length,
    requiredDone: required.filter(isDone).length,
    complete: required.every(isDone),
    last: null,
  });
  const category = phrase(action.category?.replaceAll('_', ' '), 40);
  return [
    'Steps',
    name,
    ...(isMore ? ['continued'] : []),
    words,
    ...(category === '' ? [] : [category]),
  ].join(' · ');
}

/** What the action is for, and its name where the title has cut it. */
function aboutBlocks({ title, description }: RemediationAction): SectionBlock[] {
  const isCut = phrase(title, MAX_TITLE + 1).length > MAX_TITLE;
  const texts = [isCut ? bold(phrase(title, MAX_NAME)) : '', body(passage(description, MAX_ABOUT))];
  const text = texts.filter((part) => part !== '').join('\n');
  return text === '' ? [] : [section(text)];
}

/** How many of the folds there is room for. */
function roomFor(folds: readonly Fold[]): number {
  let cost = 0;
  const end = folds.findIndex(({ block }, index) => {
    cost += blockCost(block);
    return cost > MAX_TOTAL || index >= MOST_FOLDS;
  });
  return end < 0 ? folds.length : end;
}

function inFolds(lines: readonly Line[]): Line[][] {
  const folds: Line[][] = [];
  let size = 0;
  for (const line of lines) {
    const current = folds.at(-1);
    size += line.text.length;
    if (current !== undefined && current.length < PER_FOLD && size <= MAX_FOLD) current.push(line);
    else {
      folds.push([line]);
      size = line.text.length;
    }
  }
  return folds;
}

function stepBlock({ view, text }: Line, about: About): SectionBlock {
  const { done } = view;
  if (done === null) {
    const accessory = button('Done', actionIds.tick, stepValue(view, about));
    return { ...section(`⬜ ${text}`), accessory };
  }
  const by = done.by === null ? '' : ` by ${userMention(done.by)}`;
  const accessory = button('Undo', actionIds.untick, stepValue(view, about, done.at));
  return { ...section(`✅ ${text}\n_Done${by}_ · ${date(done.at)}`), accessory };
}

export function promptButton(index: number, { version, issueId }: About): Button {
  return button('Copy prompt', actionIds.copyPrompt, `${version}.${index}:${issueId}`);
}

/** Below steps: *Ask about this step*, and of one alone its prompt. */
export function rowElements(chunk: readonly Line[], about: About): (Button | StaticSelect)[] {
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

export function hasPrompt({ markdownPrompt }: RemediationAction): boolean {
  return clean(markdownPrompt ?? '').trim() !== '';
}

/** The results that a button is under are gone, or have changed. */
export function stepUnknown(): Rendered {
  return notice('This step no longer exists. See the latest results of the issue.');
}

/** There is no thread yet to ask the question in. */
export function noThreadYet(): Rendered {
  return notice('The issue has no thread yet. Try again in a moment.');
}
