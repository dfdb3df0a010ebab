import type { AskedFile } from '../../../asking/question.ts';
import { questionIn } from '../../../asking/reply.ts';
import { askedFileOf } from '../../agent-context/slack-file.ts';
import type { MessageEvent } from '../../listening/event-schema.ts';

/** A message as a question to the agent. */
export interface MessageQuestion {
  /** As Slack sends it, with mentions as `<@U…>`. */
  text: string;
  /** The text without the mention of the bot; empty if there is neither text nor a file. */
  question: string;
  files: AskedFile[];
}

/** A message with only files asks what is in them. */
export function questionOf(event: MessageEvent, { botUserId }: { botUserId: string }): MessageQuestion {
  const { text = '' } = event;
  const files = attachedTo(event);
  const question = questionIn(text, botUserId);
  if (question !== '' || files.length === 0) return { text, question, files };
  const about = files.length === 1 ? 'What does the attached file say?' : 'What do the attached files say?';
  return { text: `${text} ${about}`, question: about, files };
}

/** A message's attachments, except those that its author has deleted. */
export function attachedTo({ files = [] }: Pick<MessageEvent, 'files'>): AskedFile[] {
  return files.flatMap((raw) => askedFileOf(raw) ?? []);
}
