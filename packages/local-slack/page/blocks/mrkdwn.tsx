import { plainText } from '../model/plain.ts';
import { prepared } from '../model/prepare.ts';
import { Drawn, isDrawn } from './drawn.tsx';

// Beyond this the library takes seconds for a text of nothing but markup characters.
const LONGEST_DRAWN = 6_000;

/** Text in Slack's own markup; a very long one is plain and scrolls. Nothing for an empty one. */
export function Mrkdwn({ text }: { text: string }) {
  if (text.trim() === '') return null;
  if (text.length > LONGEST_DRAWN) return <p className="plain-text long">{plainText(text)}</p>;
  const block = prepared({ type: 'section', text: { type: 'mrkdwn', text } });
  return isDrawn(block) ? <Drawn block={block} /> : null;
}
