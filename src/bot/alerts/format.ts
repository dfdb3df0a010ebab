import type { MessageContent } from './message-content.ts';
import type { Alert } from './types.ts';

/** One tool's messages: a folder of `formats/` and a line of its registry. */
export interface Format {
  /** The folder's name; `explain` prints it, and the store keeps it. */
  name: string;
  /** What people call the tool; `null` for the generic format. */
  tool: string | null;
  /** The alert in a message; `null` if the message is not this tool's. Never throws. */
  extract(content: MessageContent): Alert | null;
}
