import type { MessageContent } from './message-content.ts';
import type { Alert } from './types.ts';
import type { WebhookFormat } from './webhook-format.ts';

/** One tool: `formats/<name>.ts` and a line of `formats/index.ts`. */
export interface Format {
  /** The name of its file. */
  name: string;
  /** What people call the tool; `null` if the format reads many tools' messages. */
  tool: string | null;
  /** Understands a message of this tool; `null` for every other message. Never throws. */
  extract(content: MessageContent): Alert | null;
  /** Its webhooks, if they are understood. */
  webhook?: WebhookFormat;
}
