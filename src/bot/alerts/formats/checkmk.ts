import { extractCheckNotification } from '../families.ts';
import type { Format } from '../format.ts';

/** Checkmk's own Slack notification. */
export const checkmk: Format = {
  name: 'checkmk',
  tool: 'Checkmk',
  extract: (content) =>
    content.person ? null : extractCheckNotification(content, 'checkmk', /^check_?mk/iu),
};
