import type { IssueLookup, IssueRecord } from '../../../src/service/agent/types.ts';

const MINUTE = 60_000;

interface Made {
  number: number;
  title: string;
  triggeredAt: number;
  status?: string;
  environment?: string;
  severity?: string;
  service?: string | null;
  /** `null` if nothing was found; undefined while it is being investigated. */
  cause?: { service: string; summary: string; confidence?: string; actions?: string[] } | null;
}

/** An issue as the service stores it, investigated or not. */
export function anIssue({ number, title, triggeredAt, service = null, cause, ...rest }: Made): IssueRecord {
  const names = cause
    ? [cause.service, ...(service === null || service === cause.service ? [] : [service])]
    : [];
  const ref = (name: string) => ({
    documentId: `stored-${name}`,
    title: `${name} error rate`,
    description: '',
    dataType: 'metric',
  });
  const actions = (cause?.actions ?? []).map((action, i) => ({
    id: `action-${i}`,
    uuid: `action-${i}`,
    title: action,
    description: `${action}, since it is needed.`,
    category: i === 0 ? 'immediate' : 'follow_up',
    markdownPrompt: '',
    steps: [step('Verify', 'Verify: it can be done.'), step('Do it', `Do: ${action}.`)],
  }));
  return {
    number,
    title,
    description: title,
    status: 'ready_to_fix',
    environment: 'production',
    severity: 'high',
    visibility: 'public',
    agreedModel: null,
    ...rest,
    triggeredAt,
    service,
    context: {},
    rootCauseSummary: cause?.summary ?? null,
    remediation: actions.map((action) => action.title),
    findings:
      cause === undefined
        ? null
        : {
            facts: [],
            trace: [],
            prediction: null,
            limits: [],
            rootCause: {
              id: 'cause',
              incidentOverview: cause === null ? 'No cause found: nothing moved.' : '',
              ...(cause && { rootCauseSummary: cause.summary }),
              relevantEvidence: names.map((name) => ({
                title: `${name} error rate rose`,
                status: 'relevant',
                description: 'It did.',
                confidence: cause?.confidence ?? 'medium',
                artifacts: [ref(name)],
              })),
              irrelevantEvidence: [],
            },
            causalTree: { nodes: [], edges: [] },
            causalTreeV2: {
              nodes: names.map((name) => ({
                id: name,
                title: name,
                description: name,
                confidence: 'medium',
                nodeType: name === cause?.service ? 'cause' : 'outcome',
                evidence: [ref(name)],
              })),
              edges: [],
            },
            remediation: { actions },
            timeline: names.map((name) => ({
              id: name,
              type: name === cause?.service ? 'onset' : 'effect',
              timestamp: new Date(triggeredAt - 4 * MINUTE).toISOString(),
              title: name,
              description: `${name} error rate rose.`,
              evidence: [],
            })),
          },
  };
}

function step(title: string, content: string) {
  return { id: title, title, required: true, type: 'check', content, helpMarkdown: '', label: 'Check' };
}

/** The issues of an organization. */
export function issuesOf(issues: readonly IssueRecord[]): IssueLookup {
  return {
    byNumber: async (number) => issues.find((one) => one.number === number) ?? null,
    list: async ({ status, environment }) => {
      const newest = issues
        .filter((one) => environment === null || one.environment === environment)
        .filter((one) => (status === 'open' ? one.status !== 'resolved' : one.status === status));
      return { total: newest.length, newest };
    },
  };
}
