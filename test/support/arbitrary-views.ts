import fc from 'fast-check';
import type {
  AnswerView,
  CardView,
  ProgressView,
  ResultsView,
  ShortCardView,
  VerdictView,
} from '../../src/bot/render/views.ts';
import type { InvestigationResults } from '../../src/contract/answers.ts';
import { anyCodePoint } from './code-point.ts';

const HOSTILE = [
  '<!channel>',
  '<!here|x>',
  '<!everyone>',
  '<@U0BAD>',
  '<#C0BAD|x>',
  '<!subteam^S1>',
  '<https://evil.example|https://bank.example>',
  '<javascript:alert(1)>',
  '[ok](javascript:alert(1))',
  '[x](<javascript:a>)',
  '![p](http://a.example/p.png)',
  '[https://bank.example](https://evil.example)',
  '[x]: javascript:a',
  '[x][1]',
  '](',
  ']:',
  '&lt;!channel&gt;',
  '&',
  '<',
  '>',
  '|',
  '```',
  '`',
  '*',
  '_',
  '~~~',
  '\n',
  '\n\n',
  '\r\n',
  ' ',
  '# ',
  '\n# ',
  '---\n',
  '> ',
  '\u202e',
  '\u0000',
  '\ud83d',
  '👩‍👩‍👧',
  'سلام',
  '日本語',
  'http://ok.example/a?b=1&c=2',
  'https://u:p@evil.example/',
  'checkout_errors_total',
  'word ',
  'javascript:alert(1)',
  '<!date^1^{time}|x>',
  '\\',
  '"',
  '#12',
  ' #12 ',
  '[#12](',
];

/** Any text: hostile, in any script, empty, or long. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: anyCodePoint })), { maxLength: 12 })
      .map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...HOSTILE), fc.integer({ min: 100, max: 4000 }))
      .map(([part, times]) => part.repeat(times)),
  },
);

const time = fc.oneof(
  fc.integer({ min: 0, max: 4_000_000_000_000 }),
  fc.constantFrom(-1, Number.NaN, Number.POSITIVE_INFINITY, 1e18),
);
const timestamp = fc.oneof(
  fc.constantFrom('2026-11-20T08:15:00Z', '2026-11-20T08:15Z', '2026-99-99T00:00Z'),
  anyText,
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });
const userId = fc.oneof(fc.constant('U0ALICE'), anyText);

const anyProgress: fc.Arbitrary<ProgressView> = fc.record({
  done: fc.nat(),
  total: fc.nat(),
  requiredDone: fc.nat(),
  required: fc.nat(),
  complete: fc.boolean(),
  last: maybe(fc.record({ by: userId, at: time })),
});

const list = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof(fc.array(item, { maxLength: 4 }), fc.array(item, { maxLength: 40, size: 'max' }));
const sparse = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });

const references = fc.array(
  sparse({ documentId: anyText, title: anyText, description: anyText, dataType: anyText }),
  { maxLength: 3 },
);
const moments = fc.array(sparse({ artifactId: anyText, timestamp, title: anyText, description: anyText }), {
  maxLength: 3,
});
const evidence = list(
  sparse({
    title: anyText,
    status: anyText,
    description: anyText,
    confidence: anyText,
    artifacts: references,
  }),
);
const nodeId = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd', 'e'), anyText);
const step = sparse({
  title: anyText,
  required: fc.boolean(),
  type: anyText,
  content: anyText,
  helpMarkdown: anyText,
  label: anyText,
});

/** Any results: any length, any count, any field missing. */
export const anyResults: fc.Arbitrary<InvestigationResults> = sparse({
  rootCause: sparse({
    incidentOverview: anyText,
    rootCauseSummary: anyText,
    relevantEvidence: evidence,
    irrelevantEvidence: evidence,
  }),
  causalTree: sparse({
    nodes: list(
      sparse({ id: nodeId, type: anyText, title: anyText, description: anyText, expandedContent: anyText }),
    ),
    edges: list(sparse({ source: nodeId, target: nodeId })),
  }),
  causalTreeV2: sparse({
    nodes: list(
      sparse({
        id: nodeId,
        nodeType: fc.oneof(fc.constant('outcome'), anyText),
        title: anyText,
        description: anyText,
        confidence: anyText,
        evidence: references,
      }),
    ),
    edges: list(sparse({ from: nodeId, to: nodeId })),
  }),
  remediation: sparse({
    actions: list(
      sparse({
        title: anyText,
        description: anyText,
        category: anyText,
        markdownPrompt: anyText,
        steps: list(step),
      }),
    ),
  }),
  timeline: list(
    sparse({ title: anyText, description: anyText, type: anyText, timestamp, evidence: moments }),
  ),
});

/** Any card. */
export const anyCard: fc.Arbitrary<CardView> = fc.record({
  issueId: fc.oneof(fc.uuid(), fc.constantFrom('', 'x'.repeat(2001))),
  number: maybe(fc.nat()),
  title: anyText,
  severity: fc.oneof(fc.constantFrom('low', 'high', 'constructor'), anyText),
  environment: anyText,
  service: maybe(anyText),
  status: fc.oneof(
    fc.constantFrom('filing', 'investigating', 'ready_to_fix', 'resolved', 'muted', 'failed', 'deleted'),
    anyText,
  ),
  failure: maybe(anyText),
  statusSince: time,
  source: maybe(anyText),
  alertUrl: maybe(fc.oneof(fc.webUrl(), anyText)),
  repeats: fc.nat(),
  lastRepeatAt: maybe(time),
  recoveredAt: maybe(time),
  lastAction: maybe(fc.record({ userId, what: anyText, at: time })),
  raisedFrom: maybe(anyText),
  note: maybe(fc.record({ text: anyText, at: time })),
  mutedUntil: maybe(time),
  hidden: fc.nat(),
  earlier: maybe(fc.record({ number: fc.nat(), resolvedAt: time, rootCause: maybe(anyText) })),
  relations: fc.record({
    attachedTo: maybe(fc.nat()),
    attached: fc.array(fc.nat()),
    apartFrom: maybe(fc.nat()),
    apart: fc.array(fc.nat()),
  }),
  incident: fc.record({
    head: maybe(
      fc.record({
        number: maybe(fc.nat()),
        title: anyText,
        cause: maybe(anyText),
        url: maybe(fc.webUrl()),
        resolvedAt: maybe(time),
      }),
    ),
    members: list(
      fc.record({
        name: anyText,
        number: maybe(fc.nat()),
        isAlert: fc.boolean(),
        isFiring: fc.boolean(),
        hasRecovered: fc.boolean(),
      }),
    ),
  }),
  flapping: maybe(fc.record({ times: fc.nat(), minutes: fc.nat(), causes: list(anyText) })),
  runbooks: list(fc.record({ title: maybe(anyText), url: fc.oneof(anyText, fc.webUrl()) })),
  progress: maybe(anyProgress),
  investigation: maybe(
    fc.oneof(
      fc.record({
        found: fc.record({
          overview: fc.boolean(),
          evidence: fc.nat(),
          ruledOut: fc.nat(),
          causes: fc.nat(),
        }),
      }),
      fc.record({ results: anyResults }),
    ),
  ),
  requestedBy: maybe(userId),
  offers: fc.record({
    notSame: fc.boolean(),
    attach: fc.boolean(),
    investigateAgain: fc.boolean(),
    delete: fc.boolean(),
    evidence: fc.boolean(),
    attachTo: maybe(fc.nat()),
  }),
  simulated: fc.boolean(),
});

/** Any finished investigation. */
export const anyResultsView: fc.Arbitrary<ResultsView> = fc.record({
  issueId: fc.uuid(),
  number: fc.nat(),
  version: fc.nat(),
  title: anyText,
  results: anyResults,
  before: maybe(fc.record({ version: fc.nat(), results: anyResults })),
  // As many as are read: two pages of forty steps.
  runbooks: fc.array(
    fc.record({
      title: anyText,
      url: maybe(anyText),
      steps: fc.array(
        fc.record({
          heading: anyText,
          number: anyText,
          text: anyText,
          answers: fc.array(anyText, { maxLength: 2 }),
        }),
        { maxLength: 40 },
      ),
    }),
    { maxLength: 2 },
  ),
  simulated: fc.boolean(),
});

/** Any answer, growing or whole. */
export const anyAnswer: fc.Arbitrary<AnswerView> = fc.record({
  questionId: fc.uuid(),
  askedBy: maybe(userId),
  question: maybe(anyText),
  answer: fc.oneof(
    anyText,
    fc.array(anyText, { maxLength: 60 }).map((parts) => parts.join('\n')),
  ),
  artifacts: list(
    sparse({ id: anyText, tool_name: anyText, data_type: anyText, provider: anyText, summary: anyText }),
  ),
  state: fc.constantFrom('queued', 'growing', 'complete', 'failed', 'stopped'),
  ahead: fc.nat(20),
  elapsedMs: fc.nat(200_000),
  stoppedBy: maybe(userId),
  listening: fc.boolean(),
  issueLinks: fc.dictionary(
    fc.oneof(fc.constant('12'), fc.nat(99).map(String)),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  ),
  note: maybe(anyText),
  simulated: fc.boolean(),
});

const home = maybe(fc.record({ channel: fc.oneof(fc.constant('C0HOME'), anyText), url: maybe(fc.webUrl()) }));

/** Any short card. */
export const anyShortCard: fc.Arbitrary<ShortCardView> = fc.record({
  issueId: fc.oneof(fc.uuid(), fc.constantFrom('', 'x'.repeat(2001))),
  number: maybe(fc.nat()),
  title: anyText,
  severity: anyText,
  raisedFrom: maybe(anyText),
  status: fc.oneof(fc.constantFrom('investigating', 'ready_to_fix', 'resolved', 'muted'), anyText),
  statusSince: time,
  mutedUntil: maybe(time),
  fired: fc.nat(),
  lastFiredAt: maybe(time),
  recoveredAt: maybe(time),
  note: maybe(fc.record({ text: anyText, at: time })),
  home,
  lastAction: maybe(fc.record({ userId, what: anyText, at: time })),
  notSame: fc.boolean(),
  simulated: fc.boolean(),
});

/** Any verdict. */
export const anyVerdict: fc.Arbitrary<VerdictView> = fc.record({
  number: fc.nat(),
  version: fc.nat(),
  results: maybe(anyResults),
  failed: fc.boolean(),
  home,
  withheld: fc.array(anyText, { maxLength: 2 }),
  simulated: fc.boolean(),
});
