import type { Format } from '../../format.ts';
import { extractReport } from './human-report.ts';
import { extractTools } from './tool-message.ts';

/** Any other tool's message, by what messages of tools have in common; and what people report themselves. */
export const generic: Format = {
  name: 'generic',
  tool: null,
  extract: (reading) => (reading.person ? extractReport(reading) : extractTools(reading)),
};
