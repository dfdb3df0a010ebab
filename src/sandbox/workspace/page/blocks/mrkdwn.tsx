import { Drawn } from './drawn.tsx';

/** Text in Slack's own markup. Nothing for an empty one. */
export function Mrkdwn({ text }: { text: string }) {
  if (text.trim() === '') return null;
  return <Drawn block={{ type: 'section', text: { type: 'mrkdwn', text } }} />;
}
