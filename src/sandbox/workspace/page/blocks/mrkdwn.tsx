import { prepared } from '../model/prepare.ts';
import { Drawn, isDrawn } from './drawn.tsx';

/** Text in Slack's own markup. Nothing for an empty one. */
export function Mrkdwn({ text }: { text: string }) {
  if (text.trim() === '') return null;
  const block = prepared({ type: 'section', text: { type: 'mrkdwn', text } });
  return isDrawn(block) ? <Drawn block={block} /> : null;
}
