import type { IntentKind } from '../../store/intents/payloads.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Content, ContentOf } from '../delivery/content.ts';
import { answer, threadNotice } from './answers.ts';
import { card, shortCard, verdict } from './cards.ts';
import { alert, announcement, digest, held, reaction, suggestion } from './in-channels.ts';
import { file, notice, result } from './results.ts';
import { sign } from './signs.ts';
import type { ContentDeps, ContentSource } from './source.ts';

const sources: Partial<Record<IntentKind, ContentSource>> = {
  alert,
  announcement,
  answer,
  aside: threadNotice,
  card,
  digest,
  file,
  held,
  notice,
  reaction,
  result,
  short_card: shortCard,
  sign,
  suggestion,
  verdict,
};

/** Renders each kind of intent at the moment it is sent. */
export function createMessages(deps: ContentDeps): ContentOf {
  return async (row: OutboxRow): Promise<Content> => {
    const source = sources[row.kind];
    return source ? source(row, deps) : { kind: 'nothing' };
  };
}
