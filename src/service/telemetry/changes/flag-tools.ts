import { z } from 'zod';

/** A change of a feature flag, as the tool that has the flag reports it. */
export interface FlagChange {
  /** Milliseconds; `null` if the tool does not say. */
  at: number | null;
  flag: string;
  title: string;
  /** What may name the service, beside the flag itself. */
  tags: readonly string[];
  project: string | null;
  /** The flag's page, where it is set back. */
  url: string | null;
  author: string | null;
}

/** How a tool signs its webhooks: which header has HMAC-SHA256 in hexadecimal digits, and over what. */
interface Signing {
  header: string;
  prefix?: string;
  /** The header with the seconds or milliseconds since the epoch that are signed before the body. */
  timestamp?: { header: string; signed: (timestamp: string) => string };
}

/** A tool that keeps feature flags, and calls `POST /changes/<source>` when one is changed. */
interface FlagTool {
  /** `null` if it signs nothing, and sends a header that is set in it. */
  signing: Signing | null;
  /** None for what changes no flag; `null` if it is no webhook of this tool's. */
  read(payload: unknown): FlagChange[] | null;
}

const text = z.string().trim().min(1).max(500);
const optional = text.nullish().catch(null);
const time = z.union([z.number(), z.string()]).transform((value) => {
  const at = typeof value === 'number' ? value : Date.parse(value);
  return Number.isFinite(at) && at > 0 ? at : null;
});
const at = time.nullish().catch(null);

const LaunchDarkly = z.object({
  kind: text,
  name: text,
  date: at,
  titleVerb: optional,
  _links: z
    .object({ site: z.object({ href: z.string().max(2_000) }).nullish() })
    .nullish()
    .catch(null),
  member: z.object({ email: optional }).nullish().catch(null),
  target: z
    .object({ resources: z.array(z.string().max(500)).max(50) })
    .nullish()
    .catch(null),
});

/** `proj/shop:env/production:flag/new-cart;payments,web` */
const RESOURCE =
  /^proj\/(?<project>[^:;]+)(?:;[^:]*)?:env\/(?<environment>[^:;]+)(?:;[^:]*)?:flag\/(?<flag>[^:;]+)(?:;(?<tags>.*))?$/u;

const launchdarkly: FlagTool = {
  signing: { header: 'x-ld-signature' },
  read: (payload) => {
    const found = LaunchDarkly.safeParse(payload).data;
    if (found === undefined) return null;
    if (found.kind !== 'flag') return [];
    const { project, environment, flag, tags } =
      RESOURCE.exec(found.target?.resources[0] ?? '')?.groups ?? {};
    const key = flag ?? found.name;
    return [
      {
        at: found.date ?? null,
        flag: key,
        title: titled(key, found.titleVerb ?? 'changed the flag', environment),
        tags: (tags ?? '').split(','),
        project: project ?? null,
        url: URL.parse(found._links?.site?.href ?? '', 'https://app.launchdarkly.com')?.href ?? null,
        author: found.member?.email ?? null,
      },
    ];
  },
};

const Unleash = z.object({
  type: text,
  createdBy: optional,
  createdAt: at,
  project: optional,
  environment: optional,
  featureName: optional,
  tags: z
    .array(z.object({ value: z.string().max(200) }))
    .nullish()
    .catch(null),
});
/** What changes what a flag answers; its description and its tags do not. */
const SERVED = /^feature-(?:updated|environment-|strategy-|variants?-|archived|revived|deleted|dependency-)/u;

const unleash: FlagTool = {
  signing: null,
  read: (payload) => {
    const found = Unleash.safeParse(payload).data;
    if (found === undefined) return null;
    const { featureName: flag } = found;
    if (!flag || !SERVED.test(found.type)) return [];
    return [
      {
        at: found.createdAt ?? null,
        flag,
        title: titled(flag, found.type.replaceAll('-', ' '), found.environment),
        tags: (found.tags ?? []).map(({ value }) => value),
        project: found.project ?? null,
        url: null,
        author: found.createdBy ?? null,
      },
    ];
  },
};

const FlagState = z.object({
  enabled: z.boolean().nullish(),
  environment: z.object({ name: text }),
  feature: z.object({ name: text, project: z.object({ name: text }) }),
});
const Flagsmith = z.object({
  event_type: text,
  data: z.object({
    changed_by: optional,
    timestamp: at,
    new_state: FlagState.nullish(),
    previous_state: FlagState.nullish(),
  }),
});

const flagsmith: FlagTool = {
  signing: { header: 'x-flagsmith-signature' },
  read: (payload) => {
    const found = Flagsmith.safeParse(payload).data;
    if (found === undefined) return null;
    const { new_state: now, previous_state: before, timestamp, changed_by: author } = found.data;
    const state = now ?? before;
    if (!state || !found.event_type.startsWith('FLAG_')) return [];
    const { name, project } = state.feature;
    const turned = now && before && now.enabled !== before.enabled;
    const verb = !now ? 'deleted' : turned ? `turned ${now.enabled ? 'on' : 'off'}` : 'updated';
    return [
      {
        at: timestamp ?? null,
        flag: name,
        title: titled(name, verb, state.environment.name),
        tags: [],
        project: project.name,
        url: null,
        author: author ?? null,
      },
    ];
  },
};

const Flipt = z.object({
  type: text,
  action: text,
  timestamp: at,
  metadata: z
    .object({ actor: z.object({ name: optional, email: optional }).nullish().catch(null) })
    .nullish()
    .catch(null),
  payload: z.object({
    key: optional,
    flag_key: optional,
    namespace_key: optional,
    enabled: z.boolean().nullish().catch(null),
  }),
});

const flipt: FlagTool = {
  signing: { header: 'x-flipt-webhook-signature' },
  read: (payload) => {
    const found = Flipt.safeParse(payload).data;
    if (found === undefined) return null;
    const { key, flag_key: of, namespace_key: namespace, enabled } = found.payload;
    const flag = of ?? (found.type === 'flag' ? key : null);
    if (!flag) return [];
    const state =
      found.type === 'flag' && typeof enabled === 'boolean' ? `, which is ${enabled ? 'on' : 'off'}` : '';
    const what = found.type === 'flag' ? found.action : `${found.type} ${found.action}`;
    const { actor } = found.metadata ?? {};
    return [
      {
        at: found.timestamp ?? null,
        flag,
        title: `${titled(flag, what, namespace)}${state}`,
        tags: [],
        project: namespace ?? null,
        url: null,
        author: actor?.email ?? actor?.name ?? null,
      },
    ];
  },
};

const Statsig = z.object({
  data: z
    .array(
      z.object({
        eventName: text,
        timestamp: at,
        user: z.object({ email: optional, name: optional }).nullish().catch(null),
        metadata: z
          .object({
            type: optional,
            name: optional,
            projectID: optional,
            projectName: optional,
            description: optional,
            tags: z.array(z.string().max(200)).max(50).nullish().catch(null),
          })
          .nullish()
          .catch(null),
      }),
    )
    .max(1_000),
});
const PAGES: Readonly<Record<string, string>> = {
  gate: 'gates',
  dynamicconfig: 'dynamic_configs',
  experiment: 'experiments',
};

const statsig: FlagTool = {
  signing: {
    header: 'x-statsig-signature',
    prefix: 'v0=',
    timestamp: { header: 'x-statsig-request-timestamp', signed: (timestamp) => `v0:${timestamp}:` },
  },
  read: (payload) => {
    const found = Statsig.safeParse(payload).data;
    if (found === undefined) return null;
    return found.data.flatMap(({ eventName, timestamp, user, metadata }) => {
      const flag = metadata?.name;
      if (eventName !== 'statsig::config_change' || !flag) return [];
      const { type, projectID, projectName, description, tags } = metadata;
      const page = PAGES[(type ?? '').toLowerCase().replaceAll(/[\s_]/gu, '')];
      const path = [projectID ?? '', page ?? '', flag].map(encodeURIComponent).join('/');
      return [
        {
          at: timestamp ?? null,
          flag,
          title: titled(flag, description ?? 'changed'),
          tags: tags ?? [],
          project: projectName ?? null,
          url: page && projectID ? `https://console.statsig.com/${path}` : null,
          author: user?.email ?? user?.name ?? null,
        },
      ];
    });
  },
};

export const FLAG_TOOLS: ReadonlyMap<string, FlagTool> = new Map(
  Object.entries({ launchdarkly, unleash, flagsmith, flipt, statsig }),
);

function titled(flag: string, verb: string, environment?: string | null): string {
  const where = environment ? ` in ${environment}` : '';
  return `Flag ${flag}: ${verb.replace(/\s+/gu, ' ').trim()}${where}`.slice(0, 500).toWellFormed();
}

/**
 * The service that a flag is about, among those that there are: a tag is its name, else the project, else the flag's name
 * begins with it (of several the longest). `null` where nothing names one, or two tags name two.
 */
export function serviceOfFlag(
  { tags, project, flag }: Pick<FlagChange, 'tags' | 'project' | 'flag'>,
  services: readonly string[],
): string | null {
  const known = services
    .map((service) => ({ service, words: wordsOf(service) }))
    .filter(({ words }) => words);
  const called = (names: readonly string[]) => {
    const all = names.map((name) => wordsOf(name.replace(/^service[:=]/iu, '')));
    return known.filter(({ words }) => all.includes(words));
  };
  const begun = known.filter(({ words }) => `${wordsOf(flag)}-`.startsWith(`${words}-`));
  const longest = Math.max(...begun.map(({ words }) => words.length));
  const levels = [
    called(tags),
    called([project ?? '']),
    begun.filter(({ words }) => words.length === longest),
  ];
  const [first, second] = levels.find((level) => level.length > 0) ?? [];
  return first === undefined || second !== undefined ? null : first.service;
}

/** `CheckoutApi`, `checkout_api` and `checkout.api` are `checkout-api`. */
function wordsOf(name: string): string {
  return name
    .replace(/(?<=[a-z\d])(?=[A-Z])/gu, '-')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/gu, '');
}
