import type { AskedFile } from '../../../asking/asked-file.ts';
import { questionIn } from '../../../asking/reply.ts';
import { askedFileOf } from '../../agent-context/slack-file.ts';
import type { MessageEvent } from '../../listening/event-schema.ts';

/** What somebody said in a message, as a question to the agent would put it. */
export interface MessageQuestion {
  /** As Slack sends it, with mentions as `<@U…>`. */
  text: string;
  /** Without the mention of the bot; empty where there are neither words nor files. */
  question: string;
  files: AskedFile[];
}

/** A message that only bears files asks what they say. */
export function questionOf(event: MessageEvent, { botUserId }: { botUserId: string }): MessageQuestion {
  const { text = '' } = event;
  const files = attachedTo(event);
  const question = questionIn(text, botUserId);
  if (question !== '' || files.length === 0) return { text, question, files };
  const about = files.length === 1 ? 'What does the attached file say?' : 'What do the attached files say?';
  return { text: `${text} ${about}`, question: about, files };
}

/** What is attached to a message, without what its author has taken away again. */
export function attachedTo({ files = [] }: Pick<MessageEvent, 'files'>): AskedFile[] {
  return files.flatMap((raw) => askedFileOf(raw) ?? []);
}
