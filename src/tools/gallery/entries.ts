import { renderCard } from '../../bot/render/issues/card.ts';
import type { Rendered } from '../../bot/render/rendered.ts';
import { renderResults } from '../../bot/render/results/results.ts';
import { type CardView, type ResultsView, UNTOUCHED } from '../../bot/render/views.ts';
import type { Artifact, InvestigationResults } from '../../contract/answers.ts';
import { FAULT_PLACES, type Fault, type FaultKind } from '../../demo/shop/faults.ts';
import { createShop } from '../../demo/shop/shop.ts';
import { investigate } from '../../service/investigation/investigate.ts';
import { UNLIMITED } from '../../service/telemetry/budget.ts';

/** One kind of results, as a thread shows it. */
export interface GalleryEntry {
  name: string;
  view: ResultsView;
  /** What the results were found in. */
  artifacts: readonly Artifact[];
  triggeredAt: number;
}

const AT = Date.UTC(2026, 5, 2, 14, 28);

/** Results of every kind: as the embedded service finds them, and as a service may answer them on a bad day. */
export async function galleryEntries(): Promise<GalleryEntry[]> {
  const found = (await investigations()).map(({ kind, results, artifacts, triggeredAt }) => ({
    name: kind.replaceAll('_', ' '),
    view: view(results, { title: 'Checkout is slow', simulated: true }),
    artifacts,
    triggeredAt,
  }));
  const hard = Object.entries(HARD_RESULTS).map(([name, results]) => ({
    name,
    view: view(results, name === 'hostile' ? { title: '<!channel> *Checkout* is slow' } : {}),
    artifacts: [],
    triggeredAt: AT,
  }));
  const [first, second] = found;
  if (!first || !second) throw new Error('The shop has no faults.');
  const newer = {
    ...first,
    name: 'a second version',
    view: { ...first.view, version: 2, before: { version: 1, results: second.view.results } },
  };
  return [...found, newer, ...hard];
}

export function renderEntry({ view: shown, triggeredAt }: GalleryEntry): Rendered[] {
  return [renderCard(cardOf(shown, triggeredAt), triggeredAt + 5 * 60_000), ...renderResults(shown)];
}

function view(results: InvestigationResults, more: Partial<ResultsView>): ResultsView {
  return {
    issueId: 'issue-12',
    number: 12,
    version: 1,
    title: 'Checkout answers 502',
    results,
    simulated: false,
    ...more,
  };
}

function cardOf({ issueId, number, title, simulated }: ResultsView, at: number): CardView {
  return {
    ...UNTOUCHED,
    issueId,
    number,
    title,
    severity: 'high',
    environment: 'production',
    service: 'checkout',
    status: 'ready_to_fix',
    statusSince: at + 4 * 60_000,
    source: 'Alertmanager',
    alertUrl: 'https://alerts.example/12',
    repeats: 3,
    lastRepeatAt: at + 3 * 60_000,
    offers: {
      evidence: true,
      notSame: false,
      attach: false,
      investigateAgain: true,
      delete: true,
      attachTo: null,
    },
    simulated,
  };
}

const STAGES = [
  { overview: false, evidence: 0, ruledOut: 0, causes: 0 },
  { overview: true, evidence: 0, ruledOut: 0, causes: 0 },
  { overview: true, evidence: 5, ruledOut: 7, causes: 4 },
];

/** The card of an investigation that somebody asked for, step by step; results with charts. */
export function newerBlockEntries(found: GalleryEntry): { name: string; messages: Rendered[] }[] {
  const { view, artifacts, triggeredAt } = found;
  const now = triggeredAt + 5 * 60_000;
  const card = { ...cardOf(view, triggeredAt), requestedBy: 'U0ALICE' };
  const metrics = artifacts.filter(({ type }) => type === 'metric');
  return [
    {
      name: 'an investigation step by step',
      messages: [
        ...STAGES.map((stage) =>
          renderCard({ ...card, status: 'investigating', investigation: { found: stage } }, now),
        ),
        renderCard({ ...card, investigation: { results: view.results } }, now),
      ],
    },
    { name: 'results with charts', messages: renderResults({ ...view, metrics }) },
  ];
}

const HOSTILE =
  '<!channel> <!here|x> <@U0BAD> <#C0BAD> <!subteam^S1> <https://evil.example|https://bank.example> ' +
  '[x](javascript:alert(1)) [a](<!channel>) &lt;!channel&gt; `tick` *bold* _slanted_ | a | b | \u202egnp.exe ' +
  '```\nnot code\n```';
const LONG = 'Requests wait for a connection of the pool, and each that waits holds a worker. '.repeat(60);
const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(4);

const small: InvestigationResults = {
  rootCause: { rootCauseSummary: 'The disk of orders-db is full.' },
};

/** Results as a service may answer them, by what is hard about them. */
const HARD_RESULTS: Readonly<Record<string, InvestigationResults>> = {
  small,
  empty: {},
  partial: {
    rootCause: { incidentOverview: 'Checkout failed for some customers from 14:20 UTC on.' },
    causalTreeV2: { nodes: [{ id: 'a', title: 'Checkout fails' }] },
    timeline: [{ title: 'The alert fired' }, { timestamp: 'around noon', description: 'Somebody called.' }],
    remediation: { actions: [{ steps: [{ content: 'kubectl get pods', type: 'command' }, {}] }] },
  },
  'values that are unknown': {
    rootCause: {
      rootCauseSummary: 'A new kind of cause.',
      relevantEvidence: [{ title: 'A hint', status: 'perhaps_related', confidence: 'very_high' }],
      irrelevantEvidence: [{ title: 'Another', status: 'moot', confidence: '0.12' }],
    },
    causalTreeV2: {
      nodes: [
        { id: 'a', nodeType: 'omen', title: 'Something moved', confidence: 'astronomic' },
        { id: 'b', nodeType: 'echo', title: 'Something else followed' },
      ],
      edges: [{ from: 'a', to: 'b', confidence: 0.7 }],
    },
    timeline: [{ timestamp: '2026-06-02T14:21:00Z', type: 'eclipse', title: 'It became dark' }],
    remediation: {
      actions: [
        {
          title: 'Wait',
          category: 'patience',
          steps: [{ title: 'Sit down', type: 'ritual', required: true }],
        },
      ],
    },
  },
  hostile: {
    rootCause: {
      rootCauseSummary: HOSTILE,
      incidentOverview: HOSTILE,
      relevantEvidence: [{ title: HOSTILE, description: HOSTILE, status: HOSTILE, confidence: HOSTILE }],
      irrelevantEvidence: [{ title: HOSTILE, description: HOSTILE }],
    },
    causalTreeV2: {
      nodes: [
        { id: HOSTILE, title: HOSTILE, description: HOSTILE, nodeType: HOSTILE, confidence: HOSTILE },
        { id: 'b', title: 'سلام <@U0BAD> 👩‍👩‍👧', nodeType: 'outcome' },
      ],
      edges: [{ from: HOSTILE, to: 'b', confidence: Number.NaN }],
    },
    timeline: [{ timestamp: HOSTILE, title: HOSTILE, type: HOSTILE, description: HOSTILE }],
    remediation: {
      actions: [
        {
          title: HOSTILE,
          description: HOSTILE,
          category: HOSTILE,
          markdownPrompt: HOSTILE,
          steps: [{ title: HOSTILE, content: HOSTILE, type: 'command', required: true }],
        },
      ],
    },
  },
  huge: {
    rootCause: {
      rootCauseSummary: LONG,
      incidentOverview: LONG,
      relevantEvidence: many(40, (n) => ({ title: `Finding ${n}`, description: LONG, confidence: 'high' })),
      irrelevantEvidence: many(40, (n) => ({ title: `Dead end ${n}: ${WORD}`, description: LONG })),
    },
    causalTreeV2: {
      nodes: many(60, (n) => ({
        id: `${n}`,
        title: `Finding ${n}`,
        description: LONG,
        confidence: 'medium',
      })),
      edges: many(59, (n) => ({ from: `${n}`, to: `${n + 1}`, confidence: n / 60 })),
    },
    timeline: many(80, (n) => ({
      timestamp: new Date(Date.UTC(2026, 5, 2, 14, n)).toISOString(),
      title: `Moment ${n}`,
      description: LONG,
    })),
    remediation: {
      actions: many(12, (n) => ({
        title: `Action ${n}`,
        description: LONG,
        steps: many(9, (step) => ({
          title: `Step ${step}`,
          content: LONG,
          type: step % 2 === 0 ? 'command' : 'info',
          required: step === 1,
        })),
      })),
    },
  },
};

function many<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}

const MINUTE = 60_000;
const FROM = Date.UTC(2026, 5, 2, 14, 20);

/** A fault of the shop, as the embedded service understands it. */
interface Investigated {
  kind: FaultKind;
  triggeredAt: number;
  results: InvestigationResults;
  artifacts: Artifact[];
}

/** One investigation for each kind of fault, felt by the service that people see. */
async function investigations(): Promise<Investigated[]> {
  const kinds: FaultKind[] = [
    'bad_deploy',
    'connection_pool',
    'memory_leak',
    'slow_query',
    'disk_full',
    'certificate_expiry',
    'queue_backlog',
    'config_change',
  ];
  return Promise.all(
    kinds.map(async (kind, index) => {
      const fault: Fault = { kind, service: FAULT_PLACES[kind][0], from: FROM, to: FROM + 25 * MINUTE };
      const shop = createShop({ seed: 7 + index, injected: () => [fault], recurring: false });
      const triggeredAt = FROM + 8 * MINUTE;
      let count = 0;
      const { results, artifacts } = await investigate(
        {
          title: 'Checkout is slow',
          description: 'An alert.',
          environment: 'production',
          triggeredAt,
          service: kind === 'queue_backlog' ? 'order-queue' : 'gateway',
          context: {},
        },
        shop,
        { id: () => `${kind} ${++count}`, now: triggeredAt + 5 * MINUTE, budget: UNLIMITED },
      );
      return { kind, triggeredAt, results: { ...results }, artifacts: artifacts.map((one) => ({ ...one })) };
    }),
  );
}
