import type { IntentKind } from '../../store/intents/payloads.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Content, ContentOf } from '../delivery/content.ts';
import { alert } from './alert.ts';
import { announcement } from './announcement.ts';
import { answer } from './answer.ts';
import { card } from './card.ts';
import { digest } from './digest.ts';
import { file } from './file.ts';
import { held } from './held.ts';
import { notice } from './notice.ts';
import { reaction } from './reaction.ts';
import { result } from './result.ts';
import { shortCard } from './short-card.ts';
import type { ContentDeps, ContentSource } from './source.ts';
import { suggestion } from './suggestion.ts';
import { threadNotice } from './thread-notice.ts';
import { verdict } from './verdict.ts';

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
