import { setImmediate as turn } from 'node:timers/promises';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { contentOf, senderOf } from '../../alerts/message.ts';
import { parseAlert } from '../../alerts/parse.ts';
import { plainText } from '../../alerts/slack-text.ts';
import type { ThreadMessage } from '../../asking/agent-context.ts';
import type { Naming } from './naming.ts';
import type { Written } from './thread.ts';
import { plainWords } from './words.ts';

/** In UTF-16 units: what a tool says, what a person says, and all of it. */
const MAX_NOTICE = 300;
const MAX_WORDS = 2_000;
const MAX_TALK = 12_000;

/**
 * What was said, in a size that leaves room for the question: of more than that, the newest. Each message may be as long
 * as Slack takes them: others have their turn between two.
 */
export async function talkOf(messages: readonly Written[], naming: Naming): Promise<ThreadMessage[]> {
  const kept: ThreadMessage[] = [];
  let size = 0;
  for (const message of [...messages].reverse()) {
    await turn();
    const spoken = spokenBy(message, naming);
    if (spoken.text === '') continue;
    size += spoken.text.length;
    if (size > MAX_TALK) break;
    kept.unshift(spoken);
  }
  return kept;
}

function spokenBy({ message, person, files }: Written, naming: Naming): ThreadMessage {
  if (person === null) {
    const title = parseAlert(message).title ?? oneLine(plainText(contentOf(message).body));
    const speaker = naming.scrub(senderOf(message) ?? 'A tool');
    return { speaker, text: cutAtWord(oneLine(naming.scrub(title)), MAX_NOTICE) };
  }
  const words = plainWords(contentOf(message).body, naming);
  // Blank lines part what the agent is told: none within what somebody said.
  const lines = words.split('\n').flatMap((line) => line.trimEnd() || []);
  const attached = files.map((name) => `[attached: ${oneLine(naming.scrub(name))}]`);
  return {
    speaker: naming.of(person),
    text: cutAtWord([...lines, ...attached].join('\n'), MAX_WORDS),
  };
}
