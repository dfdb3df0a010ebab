import type { ContextBlock, PlainTextElement, SectionBlock } from '@slack/types';
import { clean } from './escape.ts';

/** Untrusted text exactly as it is, for what people copy (a pattern): Slack reads nothing in plain text. */
export function verbatimSection(text: string): SectionBlock {
  return { type: 'section', text: verbatim(text) };
}

/** The same in small print. */
export function verbatimContext(text: string): ContextBlock {
  return { type: 'context', elements: [verbatim(text)] };
}

function verbatim(text: string): PlainTextElement {
  return { type: 'plain_text', text: clean(text), emoji: false };
}
