import type { Dispatcher } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import {
  type LanguageModel,
  LanguageModelAnswer,
  SourcesAnswer,
  SystemsAnswer,
  TemplateAnswer,
  type TemplateRequest,
  TrialAnswer,
} from '../schema.ts';
import { beyondContract } from './beyond.ts';
import { type KeyVariable, MissingKeyError } from './errors.ts';
import type { CallReport, ServiceHealth } from './guard.ts';
import { createHttp, type DropReport, type Http } from './http.ts';
import { type Artifacts, createArtifacts, createIssues, type Issues } from './issues.ts';
import { createQuery, type Query } from './query.ts';
import type { Deadline, Origin } from './transport.ts';

/** The organization of the service that an issue belongs to; each has its own API key. */
export type Organization = 'default' | 'private';

export interface ServiceClientOptions {
  /** The base address, including `/api/v2`. */
  url: string;
  apiKey: string;
  /** The variable that the key comes from, for error messages; `ISSUE_SERVICE_API_KEY` by default. */
  keyVariable?: KeyVariable;
  /** Sent as `Service-Version`. */
  version: string;
  clock: Clock;
  /** Uniform in [0, 1), for the jitter of retries. */
  random?: () => number;
  /** Used instead of a connection pool of the client's own; its owner closes it. */
  dispatcher?: Dispatcher;
  /** For each attempt of a call, from first to last byte; 30 seconds by default. Questions have their own limits. */
  timeoutMs?: number;
  /** Used instead of the machine's timer, for `timeoutMs`. */
  deadline?: Deadline;
  onCall?: (call: CallReport) => void;
  /** Called for unusable parts of answers that were dropped. */
  onDropped?: (drop: DropReport) => void;
}

/** The Issue Investigation Service. Every method rejects with some `ServiceError`. */
export interface ServiceClient {
  issues: Issues;
  artifacts: Artifacts;
  query: Query;
  /** The language model that it uses; `null` if it has none, or is not this project's own service, which is not asked. */
  languageModel(signal?: AbortSignal): Promise<LanguageModel | null>;
  /** What the model supposes of a sender's messages; `null` of a service that is not ours, which is not asked. */
  readTemplate(
    request: TemplateRequest,
    origin: Origin,
    signal?: AbortSignal,
  ): Promise<TemplateAnswer | null>;
  /** What is seen of each service; `null` of a service that is not ours. */
  systems(signal?: AbortSignal): Promise<SystemsAnswer | null>;
  /** The last days' alerts, investigated as of then, or how far that is; `null` of a service that is not ours. */
  trial(days: number, signal?: AbortSignal): Promise<TrialAnswer | null>;
  /** Whether its sources answer; `null` of a service that is not ours. */
  sources(signal?: AbortSignal): Promise<SourcesAnswer | null>;
  /** The service's health, judging by the calls so far. */
  health(): ServiceHealth;
  /** Cancels calls in progress and closes the connections. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
/** `MODEL_MAX_SECONDS` is no more than 300. */
const TEMPLATE_TIMEOUT_MS = 310_000;
const MODEL_GET = 'model.get';
const TEMPLATE_READ = 'model.alerts';
const SYSTEMS_GET = 'systems.get';
const SOURCES_GET = 'sources.get';
const TRIAL_GET = 'trial.get';
/** Not part of the contract, so they say nothing of how the service is. */
export const BEYOND_CONTRACT: ReadonlySet<string> = new Set([
  MODEL_GET,
  TEMPLATE_READ,
  SYSTEMS_GET,
  SOURCES_GET,
  TRIAL_GET,
]);

/** Creates a client of one deployment, with one connection pool until it is closed. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const http = createHttp({
    ...options,
    random: options.random ?? Math.random,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  });
  return {
    issues: createIssues(http),
    artifacts: createArtifacts(http),
    query: createQuery(http),
    languageModel: (signal) => askForModel(http, signal),
    readTemplate: (body, origin, signal) => {
      const call = { operation: TEMPLATE_READ, method: 'POST', path: '/model/alerts', body, origin } as const;
      const timeoutMs = TEMPLATE_TIMEOUT_MS;
      const ask = () => http.json({ ...call, timeoutMs, signal }, TemplateAnswer);
      return beyondContract(http, { ask, none: null, signal });
    },
    systems: (signal) =>
      beyondContract(http, {
        ask: () => http.json({ operation: SYSTEMS_GET, path: '/systems', signal }, SystemsAnswer),
        none: null,
        signal,
      }),
    sources: (signal) =>
      beyondContract(http, {
        ask: () => http.json({ operation: SOURCES_GET, path: '/sources', signal }, SourcesAnswer),
        none: null,
        signal,
      }),
    trial: (days, signal) =>
      beyondContract(http, {
        ask: () =>
          http.json({ operation: TRIAL_GET, path: '/trial', query: [['days', days]], signal }, TrialAnswer),
        none: null,
        signal,
      }),
    health: () => http.health(),
    close: () => http.close(),
  };
}

function askForModel(http: Http, signal?: AbortSignal): Promise<LanguageModel | null> {
  const ask = async () =>
    (await http.json({ operation: MODEL_GET, path: '/model', signal }, LanguageModelAnswer)).model;
  return beyondContract(http, { ask, none: null, signal });
}

/** The service, once for each organization that Gumshoe has an API key of. */
export interface Services {
  /** Every call about an issue goes through here; without a key for its organization, each rejects with `MissingKeyError`. */
  for(organization: Organization): ServiceClient;
  has(organization: Organization): boolean;
}

/** @param clients `private` is `null` without a key for private channels. */
export function createServices(clients: {
  default: ServiceClient;
  private?: ServiceClient | null;
}): Services {
  const { default: main, private: second = null } = clients;
  const ofPrivate = second ?? withoutKey();
  return {
    for: (organization) => (organization === 'private' ? ofPrivate : main),
    has: (organization) => organization === 'default' || second !== null,
  };
}

/** Stands in for the private organization while there is no key for it: nothing of it goes anywhere else. */
function withoutKey(): ServiceClient {
  const refuse = (operation: string) => () => Promise.reject(new MissingKeyError({ operation }));
  return {
    issues: {
      create: refuse('issues.create'),
      page: refuse('issues.page'),
      list: () => failing('issues.page'),
      get: refuse('issues.get'),
      byNumber: refuse('issues.byNumber'),
      update: refuse('issues.update'),
      results: refuse('issues.results'),
      facts: refuse('issues.facts'),
      prediction: refuse('issues.prediction'),
      delete: refuse('issues.delete'),
    },
    artifacts: { get: refuse('artifacts.get') },
    query: { ask: refuse('query.ask'), stream: () => failing('query.stream') },
    languageModel: refuse(MODEL_GET),
    readTemplate: refuse(TEMPLATE_READ),
    systems: refuse(SYSTEMS_GET),
    sources: refuse(SOURCES_GET),
    trial: refuse(TRIAL_GET),
    health: () => ({ key: null, refused: new Map(), working: new Set(), filing: null, reading: null }),
    close: () => Promise.resolve(),
  };
}

/** Rejects at the first step. */
async function* failing(operation: string): AsyncGenerator<never> {
  yield Promise.reject<never>(new MissingKeyError({ operation }));
}

export const keyVariables: Record<Organization, KeyVariable> = {
  default: 'ISSUE_SERVICE_API_KEY',
  private: 'ISSUE_SERVICE_PRIVATE_API_KEY',
};

/** One organization, and the client with its key. */
interface OfOrganization {
  organization: Organization;
  service: ServiceClient;
}

interface OrganizationOptions
  extends Omit<ServiceClientOptions, 'keyVariable' | 'dispatcher' | 'timeoutMs' | 'onCall' | 'onDropped'> {
  privateApiKey?: string;
  onCall: (call: CallReport, organization: Organization) => void;
  onDropped: (drop: DropReport, organization: Organization) => void;
}

/**
 * A client for each organization, with a breaker and a guard of its key of its own. Without a key for the private one
 * a stand-in refuses its calls, so that what is still stored for it says why it waits.
 */
export function createOrganizations({ privateApiKey, onCall, onDropped, ...options }: OrganizationOptions): {
  services: Services;
  organizations: OfOrganization[];
} {
  const client = (organization: Organization, apiKey: string): ServiceClient =>
    createServiceClient({
      ...options,
      apiKey,
      keyVariable: keyVariables[organization],
      onCall: (call) => onCall(call, organization),
      onDropped: (drop) => onDropped(drop, organization),
    });
  const services = createServices({
    default: client('default', options.apiKey),
    private: privateApiKey === undefined ? null : client('private', privateApiKey),
  });
  const of = (organization: Organization): OfOrganization => ({
    organization,
    service: services.for(organization),
  });
  return { services, organizations: [of('default'), of('private')] };
}
