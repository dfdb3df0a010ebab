import type { Format } from '../../format.ts';
import { extractReport } from './person.ts';
import { extractTools } from './tool.ts';

/** Any other tool's message, by what messages of tools have in common; and what people report themselves. */
export const generic: Format = {
  name: 'generic',
  tool: null,
  extract: (reading) => (reading.person ? extractReport(reading) : extractTools(reading)),
};
