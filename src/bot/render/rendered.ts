import type {
  ActionsBlock,
  Button,
  ContextBlock,
  MrkdwnElement,
  Overflow,
  SectionBlock,
  StaticSelect,
} from '@slack/types';
import { label as labelled } from './escape.ts';
import type { MessageBlock } from './newer-blocks.ts';

/** A message as Slack takes it: `text` is the notification and what clients without blocks show. */
export interface Rendered {
  text: string;
  blocks: MessageBlock[];
  /** The same message without what Slack may refuse (a picture that it cannot show). */
  plainer?: MessageBlock[];
}

/** A section of safe mrkdwn. */
export function section(text: string): SectionBlock {
  return { type: 'section', text: mrkdwn(text) };
}

/** A section with two columns, filled row by row. */
export function columns(texts: readonly string[]): SectionBlock {
  return { type: 'section', fields: texts.map(mrkdwn) };
}

export function context(...texts: string[]): ContextBlock {
  return { type: 'context', elements: texts.map(mrkdwn) };
}

/** A button without a link; `actionId` is one of `actionIds`. */
export function button(label: string, actionId: string, value: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    text: { type: 'plain_text', text: labelled(label), emoji: true },
    action_id: actionId,
    value,
    ...(style ? { style } : {}),
  };
}

/** A row of buttons, optionally with a menu. */
export function actions(buttons: (Button | Overflow | StaticSelect)[]): ActionsBlock {
  return { type: 'actions', elements: buttons };
}

// Verbatim: without it Slack reads bare names in untrusted text, such as `#general`, as references.
function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}
