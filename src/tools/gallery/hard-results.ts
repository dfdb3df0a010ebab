import type { InvestigationResults } from '../../contract/answers.ts';

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
export const HARD_RESULTS: Readonly<Record<string, InvestigationResults>> = {
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
