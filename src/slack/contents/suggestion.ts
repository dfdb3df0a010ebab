import { z } from 'zod';
import { suggestFiling } from '../../render/suggestion.ts';
import type { ContentSource } from './source.ts';

const Payload = z.looseObject({ alert: z.object({ channel: z.string(), ts: z.string() }) });

export const suggestion: ContentSource = async (row) => {
  const { alert } = Payload.parse(JSON.parse(row.payload));
  return { kind: 'messages', parts: [suggestFiling(alert)], channel: row.channel, threadTs: row.thread_ts };
};
