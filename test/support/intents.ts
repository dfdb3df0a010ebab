import Sqlite from 'better-sqlite3';
import type { Intent, IntentOf } from '../../src/bot/store/intents/intent.ts';
import type { IntentKind } from '../../src/bot/store/intents/payloads.ts';

/** What an intent of each kind says at least. */
const payloads: { [K in IntentKind]: Pick<IntentOf<K>, 'kind' | 'payload'> } = {
  alert: { kind: 'alert', payload: { received: 'w1:0' } },
  announcement: { kind: 'announcement', payload: { what: 'paused', by: 'U1' } },
  answer: { kind: 'answer', payload: {} },
  aside: { kind: 'aside', payload: { aside: 'late' } },
  card: { kind: 'card', payload: {} },
  digest: { kind: 'digest', payload: { since: 0, until: 1, due: 1, by: null } },
  file: { kind: 'file', payload: { file: 'artifact', owner: 'issue-1', id: 'a1' } },
  held: { kind: 'held', payload: { hold: 'hold-1' } },
  notice: { kind: 'notice', payload: { notice: 'slow' } },
  reaction: { kind: 'reaction', payload: { name: 'eyes', ts: '1.0' } },
  result: { kind: 'result', payload: { version: 1 } },
  short_card: { kind: 'short_card', payload: { alert: { channel: 'C1', ts: '1.0' } } },
  sign: { kind: 'sign', payload: { alert: { channel: 'C1', ts: '1.0' } } },
  suggestion: { kind: 'suggestion', payload: { alert: { channel: 'C1', ts: '1.0' } } },
  verdict: { kind: 'verdict', payload: { version: 1, card: 'short:issue-1' } },
};

/** Everything of an intent but what it says. */
export type IntentOverrides = Partial<Omit<IntentOf<'card'>, 'kind' | 'payload'>> & { kind?: IntentKind };

/** An intent where only its place in the outbox matters; a card in a thread, if not said. */
export function anIntent({ kind = 'card', ...overrides }: IntentOverrides = {}): Intent {
  return { key: 'card:1', channel: 'C1', threadTs: '1.0', at: 10, ...payloads[kind], ...overrides };
}

/** Puts something into the database as the payload of an intent that is there: damage, or what an older version wrote. */
export function storePayload(file: string, key: string, payload: string): void {
  const db = new Sqlite(file);
  try {
    db.prepare('update outbox set payload = ? where key = ?').run(payload, key);
  } finally {
    db.close();
  }
}
