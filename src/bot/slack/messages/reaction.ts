import { payloadOf } from '../../store/intents/payloads.ts';
import type { ContentSource } from './source.ts';

export const reaction: ContentSource = async (row) => {
  const { name, ts } = payloadOf('reaction', row);
  return { kind: 'reaction', name, ts };
};
