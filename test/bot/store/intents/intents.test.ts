import { describe, expect, it } from 'vitest';
import {
  backfilledIntent,
  changeIntent,
  digestIntent,
  digestNowIntent,
  problemIntent,
  problemNow,
  queuedLine,
  queuedLineIntent,
  sharedChangeIntent,
  trialOverIntent,
  unreadableIntent,
} from '../../../../src/bot/store/intents/channel-intents.ts';
import type { Intent, Revision } from '../../../../src/bot/store/intents/intent.ts';
import {
  askHereIntent,
  cardIntent,
  endedIntent,
  eyesIntent,
  filedSuggestion,
  heldIntent,
  rawJsonIntent,
  resultIntent,
  resultsFileIntent,
  shortCardIntent,
  slowIntent,
  suggestionIntent,
  trialIntent,
  verdictIntent,
  writeupIntent,
} from '../../../../src/bot/store/intents/issue-intents.ts';
import { lateKey, queuedLineKey } from '../../../../src/bot/store/intents/keys.ts';
import {
  encodePayload,
  endingOf,
  payloadOf,
  personOf,
  queuedLineOf,
  readablePayloadOf,
} from '../../../../src/bot/store/intents/payloads.ts';
import {
  answerIntent,
  lateAnswersWanted,
  lateIntent,
  notListeningIntent,
} from '../../../../src/bot/store/intents/thread-intents.ts';

const THREAD = { channel: 'C1', threadTs: '1.0' };
const ISSUE = { id: 'i', ...THREAD };
const ALERT = { channel: 'C2', ts: '2.0', threadTs: null };
const CARD = { key: 'short:i:C2:2.0', channel: 'C2', threadTs: '2.0' } as const;
const LINE = { key: queuedLineKey('i'), channel: 'C1', since: 3 };
const PROBLEM = { name: 'channel:C1', reason: 'is_archived', since: 5 };

/** An intent of every constructor, with its key and payload as they are stored. */
const stored: [Intent, string, string][] = [
  [cardIntent({ ...ISSUE, requestedBy: null }, 9), 'card:i', '{}'],
  [cardIntent({ ...ISSUE, id: 'j', requestedBy: 'U1' }, 9), 'card:j', '{"requester":"U1"}'],
  [shortCardIntent('i', ALERT, 9), 'short:i:C2:2.0', '{"alert":{"channel":"C2","ts":"2.0"}}'],
  [suggestionIntent(ALERT, 9), 'suggestion:C2:2.0', '{"alert":{"channel":"C2","ts":"2.0"}}'],
  [eyesIntent('i', ALERT, 9), 'reaction:C2:2.0:eyes', '{"name":"eyes","ts":"2.0"}'],
  [heldIntent('h', 'C1', 9), 'held:h', '{"hold":"h"}'],
  [resultIntent(ISSUE, 1, 9), 'result:i:1', '{"version":1,"notice":"result"}'],
  [endedIntent(ISSUE, 1, { notice: 'failed' }, 9), 'notice:ended:i:1', '{"version":1,"notice":"failed"}'],
  [slowIntent(ISSUE, 1, 9), 'notice:slow:i:1', '{"version":1,"notice":"slow"}'],
  [askHereIntent(ISSUE, 'c', null, 9), 'notice:ask:c', '{"notice":"ask_here"}'],
  [askHereIntent(ISSUE, 'c', '4.5.6', 9), 'notice:ask:c:4.5.6', '{"notice":"ask_here"}'],
  [verdictIntent('i', CARD, 1, 9), 'verdict:short:i:C2:2.0:1', '{"version":1,"card":"short:i:C2:2.0"}'],
  [
    resultsFileIntent(ISSUE, 1, 9),
    'file:results:i:1',
    '{"file":"results","issue":"i","version":1,"after":"result:i:1"}',
  ],
  [
    rawJsonIntent({ owner: 'i', id: 'a' }, THREAD, 'i', 9),
    'file:artifact:i:a',
    '{"file":"artifact","owner":"i","id":"a"}',
  ],
  [trialIntent('D1', { days: 7, cause: 'press' }, 9), 'file:trial:press', '{"file":"trial","days":7}'],
  [trialOverIntent('C1', 5, 9), 'announcement:trial:C1:5', '{"what":"trial_over","since":5}'],
  [writeupIntent(ISSUE, 'press', 9), 'file:writeup:i:press', '{"file":"writeup","issue":"i"}'],
  [
    answerIntent({ questionId: 'q', ...THREAD, asker: 'U1', shown: 'why?' }, 9),
    'answer:q',
    '{"requester":"U1","shown":"why?"}',
  ],
  [answerIntent({ questionId: 'r', ...THREAD, asker: 'U1' }, 9), 'answer:r', '{"requester":"U1"}'],
  [lateIntent(lateKey('q'), THREAD, 'c', 9), 'late:q', '{"aside":"late","conversation":"c"}'],
  [
    notListeningIntent('press', { id: 'c', ...THREAD }, 'U1', 9),
    'not_listening:press',
    '{"aside":"not_listening","conversation":"c","who":"U1"}',
  ],
  [
    changeIntent('save', 'C1', { what: 'digest', by: 'U1', when: null }, 9),
    'announcement:save',
    '{"what":"digest","by":"U1","when":null}',
  ],
  [
    changeIntent('watch', 'C1', { what: 'watched', by: 'U1', suggests: true, changes: ['x'] }, 9),
    'announcement:watch',
    '{"what":"watched","by":"U1","suggests":true,"changes":["x"]}',
  ],
  [
    sharedChangeIntent('pause', 'C1', { what: 'paused', by: 'U1' }, 9),
    'announcement:pause:C1',
    '{"what":"paused","by":"U1"}',
  ],
  [
    backfilledIntent('C1', '1.5', { messages: 3, older: 2, isMore: false }, 9),
    'backfilled:C1:1.5',
    '{"what":"backfilled","from":1500,"to":9,"messages":3,"older":2,"isMore":false}',
  ],
  [
    problemIntent(PROBLEM, 'U1', 'D1', 9),
    'trouble:channel:C1:5:U1',
    '{"what":"trouble","name":"channel:C1","reason":"is_archived","since":5,"mendedAt":null}',
  ],
  [unreadableIntent(THREAD, 9, 8), 'unreadable:C1:1.0', '{"what":"unreadable"}'],
  [unreadableIntent({ ...THREAD, threadTs: null }, 9, 8), 'unreadable:C1:', '{"what":"unreadable"}'],
  [
    queuedLineIntent(LINE, { cause: 'service:down', since: 5, back: null }, 9),
    'waiting:i',
    '{"what":"waiting","cause":"service:down","since":5,"back":null}',
  ],
  [
    digestIntent('C1', { since: 1, until: 9, due: 8, by: null }),
    'digest:C1:8',
    '{"since":1,"until":9,"due":8,"by":null}',
  ],
  [
    digestNowIntent('C1', 'press', { since: 1, until: 9, by: 'U1' }),
    'digest:C1:now:press',
    '{"since":1,"until":9,"due":null,"by":"U1"}',
  ],
];

/** What a message says later on. */
const revised: [Revision, string, string][] = [
  [
    filedSuggestion(ALERT, { by: 'U1', counted: true }),
    'suggestion:C2:2.0',
    '{"alert":{"channel":"C2","ts":"2.0"},"by":"U1","counted":true}',
  ],
  [lateAnswersWanted('late:q', 'c', 'U1'), 'late:q', '{"aside":"late","conversation":"c","by":"U1"}'],
  [
    problemNow('trouble:channel:C1:5:U1', PROBLEM, 7),
    'trouble:channel:C1:5:U1',
    '{"what":"trouble","name":"channel:C1","reason":"is_archived","since":5,"mendedAt":7}',
  ],
  [
    queuedLine('waiting:i', { cause: 'service:key', since: 5, back: 6 }),
    'waiting:i',
    '{"what":"waiting","cause":"service:key","since":5,"back":6}',
  ],
];

const kinds = [
  'announcement',
  'answer',
  'aside',
  'card',
  'digest',
  'file',
  'held',
  'notice',
  'reaction',
  'result',
  'short_card',
  'suggestion',
  'verdict',
];

describe('an intent', () => {
  it.each([...stored, ...revised])('%# is stored under its key, with its payload', (intent, key, payload) => {
    expect([intent.key, encodePayload(intent.payload)]).toEqual([key, payload]);
  });

  it.each([...stored, ...revised])('%# is read as it was written', (intent, _key, payload) => {
    expect(payloadOf(intent.kind, { payload })).toMatchObject(JSON.parse(payload));
    expect(readablePayloadOf(intent.kind, { payload })).toEqual(payloadOf(intent.kind, { payload }));
  });

  it('has a constructor for each kind', () => {
    expect([...new Set(stored.map(([{ kind }]) => kind))].sort()).toEqual(kinds);
  });

  it('shares its key with no other', () => {
    const keys = stored.map(([{ key }]) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('of one kind begins its keys as no other kind does', () => {
    const kindsOf = Map.groupBy(stored, ([{ key }]) => key.split(':')[0]);
    const shared = [...kindsOf].filter(([, them]) => new Set(them.map(([{ kind }]) => kind)).size > 1);
    expect(shared).toEqual([]);
  });
});

describe('a damaged payload', () => {
  it.each(['', '{', '[]', '{"what":1}'])(
    '%s is refused, or read as nothing where that will do',
    (payload) => {
      expect(() => payloadOf('announcement', { payload })).toThrow();
      expect(readablePayloadOf('verdict', { payload })).toBeNull();
      expect([queuedLineOf({ payload }), endingOf({ payload })]).toEqual([null, null]);
      expect(personOf({ payload }).requester).toBeUndefined();
    },
  );

  it('with more in it than this version knows is read all the same', () => {
    const payload = '{"version":2,"notice":"result","later":true}';
    expect(payloadOf('result', { payload })).toMatchObject({ version: 2 });
    expect(endingOf({ payload })).toBe('result');
  });
});
