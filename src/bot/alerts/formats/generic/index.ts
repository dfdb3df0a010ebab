import type { Format } from '../../format.ts';
import { extractHumanReport } from './human-report.ts';
import { extractToolMessage } from './tool-message.ts';

/** Other tools' messages, by what tools have in common, and people's own reports. */
export const generic: Format = {
  name: 'generic',
  tool: null,
  extract: (content) => (content.person ? extractHumanReport(content) : extractToolMessage(content)),
};
