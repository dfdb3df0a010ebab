import type { Reading } from './reading.ts';
import type { Alert } from './types.ts';

/** One tool's messages: a folder of `formats/` and a line of its registry. */
export interface Format {
  name: string;
  /** What the message says, or `null` where it is not this tool's. Never throws. */
  extract(reading: Reading): Alert | null;
}
