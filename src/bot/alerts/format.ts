import type { Reading } from './message-content.ts';
import type { Alert } from './types.ts';

/** One tool's messages: a folder of `formats/` and a line of its registry. */
export interface Format {
  /** As `explain` prints it, and as it is stored: the folder's name. */
  name: string;
  /** What people call the tool; `null` for the format of no tool in particular. */
  tool: string | null;
  /** What the message says, or `null` where it is not this tool's. Never throws. */
  extract(reading: Reading): Alert | null;
}
