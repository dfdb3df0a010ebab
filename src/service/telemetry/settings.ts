import { z } from 'zod';
import { readSecretFiles } from '../../lib/secret-files.ts';
import { isTelemetrySecret } from '../variables.ts';

/** The telemetry sources, and the limits for an investigation. */
export interface TelemetrySettings {
  prometheus: SourceSettings | null;
  loki: SourceSettings | null;
  tempo: SourceSettings | null;
  jaeger: SourceSettings | null;
  /** `in-cluster`, or the path of a kubeconfig. */
  kubernetes: string | null;
  argocd: SourceSettings | null;
  github: { repositories: readonly string[]; token: string | null } | null;
  /** With a token, this Grafana's annotations are read as changes. */
  grafanaToken: string | null;
  /** If set, links open in Grafana's Explore. */
  grafanaUrl: string | null;
  /** The token for pipelines to report changes; `null` disables that. */
  changesToken: string | null;
  limits: { requests: number; ms: number };
}

interface SourceSettings {
  url: string;
  token?: string | undefined;
  user?: string | undefined;
  password?: string | undefined;
  orgId?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const Address = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === '';
});

/** Reads the variables of the sources, or returns one line per problem. A line never contains a secret. */
export function readTelemetrySettings(
  given: Environment,
): { settings: TelemetrySettings } | { problems: string[] } {
  const { env: environment, problems } = readSecretFiles(given, isTelemetrySecret);
  const prometheus = readSource(environment, 'PROMETHEUS', 'http://prometheus:9090', problems);
  const loki = readSource(environment, 'LOKI', 'http://loki:3100', problems);
  const tempo = readSource(environment, 'TEMPO', 'http://tempo:3200', problems);
  const jaeger = readSource(environment, 'JAEGER', 'http://jaeger-query:16686', problems);
  const argocd = readSource(environment, 'ARGOCD', 'https://argocd.example.com', problems);
  const github = readGitHub(environment, problems);
  const grafana = value(environment, 'GRAFANA_URL');
  const grafanaToken = value(environment, 'GRAFANA_TOKEN');
  if (grafanaToken !== null && grafana === null)
    problems.push(
      'GRAFANA_URL is missing while GRAFANA_TOKEN is set; for example GRAFANA_URL=https://grafana.example.com',
    );
  if (grafana !== null && !Address.safeParse(grafana).success)
    problems.push('GRAFANA_URL must be an address such as GRAFANA_URL=https://grafana.example.com');
  const requests = readCount(environment, 'TELEMETRY_MAX_REQUESTS', 300, problems);
  const seconds = readCount(environment, 'TELEMETRY_MAX_SECONDS', 60, problems);
  const changesToken = value(environment, 'CHANGES_TOKEN');
  if (changesToken !== null && !/^[\x21-\x7e]+$/u.test(changesToken))
    problems.push('CHANGES_TOKEN must be printable ASCII without spaces');
  if (problems.length > 0) return { problems };
  return {
    settings: {
      prometheus,
      loki,
      tempo,
      jaeger,
      kubernetes: value(environment, 'KUBERNETES'),
      argocd,
      github,
      grafanaUrl: grafana,
      grafanaToken,
      changesToken,
      limits: { requests, ms: seconds * 1000 },
    },
  };
}

/** Whether there is anything to investigate: changes alone are not enough. */
export function hasSource({ prometheus, loki, tempo, jaeger, kubernetes }: TelemetrySettings): boolean {
  return [prometheus, loki, tempo, jaeger, kubernetes].some((source) => source !== null);
}

function readGitHub(environment: Environment, problems: string[]): TelemetrySettings['github'] {
  const text = value(environment, 'GITHUB_REPOSITORIES');
  const token = value(environment, 'GITHUB_TOKEN');
  // A token alone is not an error: many machines have one for other reasons.
  if (text === null) return null;
  const repositories = text.split(',').map((repository) => repository.trim());
  const wrong = repositories.findIndex((repository) => !/^[\w.-]+\/[\w.-]+$/u.test(repository));
  if (wrong >= 0) {
    problems.push(
      `GITHUB_REPOSITORIES must be repositories apart by commas, such as GITHUB_REPOSITORIES=acme/cart,acme/search (number ${wrong + 1} is malformed)`,
    );
    return null;
  }
  return { repositories, token };
}

function value(environment: Environment, name: string): string | null {
  const text = environment[name]?.trim();
  return text === undefined || text === '' ? null : text;
}

function readSource(
  environment: Environment,
  prefix: string,
  example: string,
  problems: string[],
): SourceSettings | null {
  const read = (suffix: string) => value(environment, `${prefix}_${suffix}`);
  const [url, token, user, password, orgId] = [
    read('URL'),
    read('TOKEN'),
    read('USER'),
    read('PASSWORD'),
    read('ORG_ID'),
  ];
  if (url === null) {
    const given = ['TOKEN', 'USER', 'PASSWORD', 'ORG_ID'].find((suffix) => read(suffix) !== null);
    if (given !== undefined)
      problems.push(
        `${prefix}_URL is missing while ${prefix}_${given} is set; for example ${prefix}_URL=${example}`,
      );
    return null;
  }
  const before = problems.length;
  if (!Address.safeParse(url).success)
    problems.push(
      `${prefix}_URL must be an http:// or https:// address without a query, such as ${prefix}_URL=${example}`,
    );
  if (token !== null && user !== null)
    problems.push(`${prefix}_TOKEN and ${prefix}_USER are both set: remove one of them`);
  if ((user === null) !== (password === null))
    problems.push(`${prefix}_USER and ${prefix}_PASSWORD belong together: set both, or neither`);
  if ([token, user, password, orgId].some((text) => text !== null && !/^[\x20-\x7e]+$/u.test(text)))
    problems.push(`${prefix}_TOKEN, _USER, _PASSWORD and _ORG_ID must be printable ASCII`);
  if (problems.length > before) return null;
  return {
    url,
    token: token ?? undefined,
    user: user ?? undefined,
    password: password ?? undefined,
    orgId: orgId ?? undefined,
  };
}

function readCount(environment: Environment, name: string, fallback: number, problems: string[]): number {
  const text = value(environment, name);
  if (text === null) return fallback;
  if (/^[1-9]\d{0,4}$/u.test(text)) return Number(text);
  problems.push(`${name} must be a whole number from 1 to 99999, such as ${name}=${fallback}`);
  return fallback;
}
