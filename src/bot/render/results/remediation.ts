import type { KnownBlock } from '@slack/types';
import type { Remediation, RemediationAction, RemediationStep } from '../../../contract/answers.ts';
import { bold, literal } from '../escape.ts';
import { body, code } from '../links.ts';
import { context, section } from '../rendered.ts';
import { count } from '../words.ts';
import { itemsOf, pages } from './pages.ts';
import { passage, phrase, tags } from './phrases.ts';

const PAGE = 2400;
const PAGES_PER_ACTION = 2;
const MAX_TITLE = 200;
const MAX_TEXT = 400;
/** A truncated command cannot be run. */
const MAX_COMMAND = 1500;
/** For all actions together: a small part of three messages, so that they are never left off. */
const MAX_TOTAL = 15_000;
const MAX_BLOCKS = 25;

/** The remediation actions, each with its steps as a numbered list; required steps are marked. */
export function remediationBlocks(remediation: Remediation | undefined): KnownBlock[] {
  const list = (remediation?.actions ?? []).map(actionPages).filter((texts) => texts.length > 0);
  if (list.length === 0) return [];
  const blocks: KnownBlock[] = [section('*Remediation*')];
  let total = 0;
  for (const [index, texts] of list.entries()) {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (total + length > MAX_TOTAL || blocks.length + texts.length > MAX_BLOCKS) {
      blocks.push(context(`… shortened: ${count(list.length - index, 'more action')}`));
      break;
    }
    total += length;
    blocks.push(...texts.map((text) => section(text)));
  }
  return blocks;
}

function actionPages(action: RemediationAction, index: number): string[] {
  const heading = actionHeading(action, index);
  const steps = itemsOf(action.steps ?? [], stepText, ({ title, label, content }) =>
    [title, label, content].some((text) => /\S/u.test(text ?? '')),
  );
  if (heading === '' && steps.length === 0) return [];
  const numbered = steps.map((text, position) => `${position + 1}. ${text}`);
  return pages([heading || untitled(index), ...numbered], PAGE, PAGES_PER_ACTION);
}

/** What an action is for, in safe mrkdwn; empty if it says nothing. */
export function actionHeading(action: RemediationAction, index: number): string {
  const title = phrase(action.title, MAX_TITLE);
  const description = body(passage(action.description, MAX_TEXT));
  if (title === '' && description === '') return '';
  const name = `${title === '' ? untitled(index) : bold(`${index + 1}. ${title}`)}${tags(action.category)}`;
  return description === '' ? name : `${name}\n${description}`;
}

export function untitled(index: number): string {
  return bold(`${index + 1}. Untitled action`);
}

/** A step in safe mrkdwn, required ones marked; empty if it says nothing. */
export function stepText(view: RemediationStep): string {
  const title = phrase(view.title, MAX_TITLE) || phrase(view.label, MAX_TITLE);
  const isCode = isCommand(view.type);
  const text = passage(view.content, isCode ? MAX_COMMAND : MAX_TEXT);
  const content = isCode && !/^`[^`]+`$/u.test(text) ? code(text) : body(text);
  if (title === '' && content === '') return '';
  const required = view.required === true ? ' *required*' : '';
  const first = `${title === '' ? content : literal(title)}${required}${tags(kind(view.type))}`;
  return title === '' || content === '' ? first : `${first}\n${content}`;
}

export function isCommand(type: string | undefined): boolean {
  return /command|shell|script|code|sql|query/iu.test(type ?? '');
}

// The commonest kind says nothing that the step does not.
function kind(type: string | undefined): string | undefined {
  return type?.trim().toLowerCase() === 'info' ? undefined : type;
}
