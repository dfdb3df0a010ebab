/** A variable read by the service, or by `npm start` when it embeds the service. */
export interface ServiceVariable {
  name: string;
  /** `null` if there is none. */
  default: string | null;
  example: string;
  /** Without a final full stop. */
  description: string;
  /** `<NAME>_FILE` may name a file that contains it. */
  secret?: true;
}

function ofSource(prefix: string, url: string, what: string): ServiceVariable[] {
  const of = (suffix: string, example: string, description: string): ServiceVariable => ({
    name: `${prefix}_${suffix}`,
    default: null,
    example,
    description,
    ...(suffix === 'TOKEN' || suffix === 'PASSWORD' ? { secret: true } : {}),
  });
  return [
    of('URL', url, `The base address of ${what}; a path prefix is kept`),
    of('TOKEN', 'a-bearer-token', `The bearer token for ${what}, in place of a user and a password`),
    of('USER', 'gumshoe', `The user for ${what}, with its password`),
    of('PASSWORD', 'a-password', `The password of \`${prefix}_USER\``),
    of('ORG_ID', 'acme', `The tenant of ${what}, sent as \`X-Scope-OrgID\``),
  ];
}

/**
 * Telemetry variables of both `npm run service` and `npm start`, in the order of `.env.example` and `docs/service.md`.
 * With a source, `npm start` embeds no simulated shop.
 */
export const TELEMETRY_VARIABLES: readonly ServiceVariable[] = [
  ...ofSource('PROMETHEUS', 'http://prometheus:9090', 'Prometheus, or of what answers as one'),
  ...ofSource('LOKI', 'http://loki:3100', 'Loki'),
  ...ofSource('TEMPO', 'http://tempo:3200', 'Tempo'),
  ...ofSource('JAEGER', 'http://jaeger-query:16686', 'Jaeger'),
  {
    name: 'KUBERNETES',
    default: null,
    example: 'in-cluster',
    description: '`in-cluster`, or the path of a kubeconfig; ReplicaSets, Pods and Events are read',
  },
  {
    name: 'ARGOCD_URL',
    default: null,
    example: 'https://argocd.example.com',
    description: 'The base address of Argo CD, whose deploys are changes',
  },
  {
    name: 'ARGOCD_TOKEN',
    secret: true,
    default: null,
    example: 'a-bearer-token',
    description: 'The token of an Argo CD account that may read applications',
  },
  {
    name: 'GITHUB_REPOSITORIES',
    default: null,
    example: 'acme/cart,acme/search',
    description: 'The repositories whose deployments are changes, separated by commas',
  },
  {
    name: 'GITHUB_TOKEN',
    secret: true,
    default: null,
    example: 'github_pat_…',
    description: 'A GitHub token that may read deployments; public repositories need none',
  },
  {
    name: 'GRAFANA_URL',
    default: null,
    example: 'https://grafana.example.com',
    description: 'The base address of Grafana; metrics then link to its Explore',
  },
  {
    name: 'GRAFANA_TOKEN',
    secret: true,
    default: null,
    example: 'glsa_…',
    description: 'The token of a Grafana service account that may read annotations, which are changes then',
  },
  {
    name: 'CHANGES_TOKEN',
    secret: true,
    default: null,
    example: 'a-long-random-text',
    description:
      'The bearer token with which pipelines report changes at `POST /changes`; without it nothing is taken',
  },
  {
    name: 'TELEMETRY_MAX_REQUESTS',
    default: '300',
    example: '300',
    description:
      'How many requests one investigation, or one answer of the agent, may send to all sources together',
  },
  {
    name: 'TELEMETRY_MAX_SECONDS',
    default: '60',
    example: '60',
    description: 'How long they may take, in seconds',
  },
];

/** Secrets of the service alone, which may be read from files. */
const OWN_SECRETS = ['SERVICE_API_KEYS', 'DATABASE_URL', 'DATABASE_DIRECT_URL'];

/** Whether a variable of the service, or of its telemetry, is a secret. */
export function isServiceSecret(name: string): boolean {
  return OWN_SECRETS.includes(name) || isTelemetrySecret(name);
}

export function isTelemetrySecret(name: string): boolean {
  return TELEMETRY_VARIABLES.some((one) => one.name === name && one.secret === true);
}
