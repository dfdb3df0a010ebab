import { z } from 'zod';
import type { ContentSource } from './source.ts';

const Payload = z.looseObject({ name: z.string(), ts: z.string() });

export const reaction: ContentSource = async (row) => {
  const { name, ts } = Payload.parse(JSON.parse(row.payload));
  return { kind: 'reaction', name, ts };
};
