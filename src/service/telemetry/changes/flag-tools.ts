import { z } from 'zod';

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
  /** The flag's page below the tool's own address, where its webhooks do not say it. */
  pageBelow?(address: string, change: Pick<FlagChange, 'project' | 'flag'>): string;
}

/** What a webhook has to say of a flag; the rest is not known. */
type Told = Pick<FlagChange, 'flag' | 'title'> & {
  [K in keyof FlagChange]?: FlagChange[K] | null | undefined;
};

function flagTool<T>(
  signing: Signing | null,
  schema: z.ZodType<T>,
  toldIn: (webhook: T) => readonly Told[],
): FlagTool {
  return {
    signing,
    read: (payload) => {
      const { data, success } = schema.safeParse(payload);
      if (!success) return null;
      return toldIn(data).map(({ flag, title, at, tags, project, url, author }) => ({
        ...{ flag, title, at: at ?? null, tags: tags ?? [] },
        ...{ project: project ?? null, url: url ?? null, author: author ?? null },
      }));
    },
  };
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

const launchdarkly = flagTool({ header: 'x-ld-signature' }, LaunchDarkly, (webhook) => {
  const { kind, name, date, titleVerb, member, target, _links } = webhook;
  if (kind !== 'flag') return [];
  const { project, environment, flag = name, tags } = RESOURCE.exec(target?.resources[0] ?? '')?.groups ?? {};
  return [
    {
      ...{ at: date, flag, project, tags: tags?.split(','), author: member?.email },
      title: titled(flag, titleVerb ?? 'changed the flag', environment),
      url: URL.parse(_links?.site?.href ?? '', 'https://app.launchdarkly.com')?.href,
    },
  ];
});

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

const unleashWebhook = flagTool(null, Unleash, (webhook) => {
  const { type, createdAt: at, createdBy: author, project, environment, featureName: flag, tags } = webhook;
  if (!flag || !SERVED.test(type)) return [];
  const title = titled(flag, type.replaceAll('-', ' '), environment);
  return [{ at, flag, title, project, author, tags: tags?.map(({ value }) => value) }];
});
const unleash: FlagTool = {
  ...unleashWebhook,
  pageBelow: (address, { project, flag }) =>
    `${address}/projects/${encodeURIComponent(project ?? 'default')}/features/${encodeURIComponent(flag)}`,
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

const flagsmith = flagTool({ header: 'x-flagsmith-signature' }, Flagsmith, ({ event_type: type, data }) => {
  const { new_state: now, previous_state: before, timestamp: at, changed_by: author } = data;
  const state = now ?? before;
  if (!state || !type.startsWith('FLAG_')) return [];
  const { name: flag, project } = state.feature;
  const turned = now && before && now.enabled !== before.enabled;
  const verb = !now ? 'deleted' : turned ? `turned ${now.enabled ? 'on' : 'off'}` : 'updated';
  return [{ at, flag, title: titled(flag, verb, state.environment.name), project: project.name, author }];
});

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

const flipt = flagTool({ header: 'x-flipt-webhook-signature' }, Flipt, (webhook) => {
  const { type, action, timestamp: at, metadata, payload } = webhook;
  const { key, flag_key: of, namespace_key: project, enabled } = payload;
  const flag = of ?? (type === 'flag' ? key : null);
  if (!flag) return [];
  const state = type === 'flag' && typeof enabled === 'boolean' ? `, which is ${enabled ? 'on' : 'off'}` : '';
  const title = `${titled(flag, type === 'flag' ? action : `${type} ${action}`, project)}${state}`;
  return [{ at, flag, title, project, author: metadata?.actor?.email ?? metadata?.actor?.name }];
});

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

const STATSIG_SIGNING: Signing = {
  header: 'x-statsig-signature',
  prefix: 'v0=',
  timestamp: { header: 'x-statsig-request-timestamp', signed: (timestamp) => `v0:${timestamp}:` },
};
const statsig = flagTool(STATSIG_SIGNING, Statsig, ({ data }) =>
  data.flatMap(({ eventName, timestamp: at, user, metadata }) => {
    const flag = metadata?.name;
    if (eventName !== 'statsig::config_change' || !flag) return [];
    const { type, projectID, projectName: project, description, tags } = metadata;
    const page = PAGES[(type ?? '').toLowerCase().replaceAll(/[\s_]/gu, '')];
    const path = [projectID ?? '', page ?? '', flag].map(encodeURIComponent).join('/');
    const url = page && projectID ? `https://console.statsig.com/${path}` : null;
    const title = titled(flag, description ?? 'changed');
    return [{ at, flag, title, tags, project, url, author: user?.email ?? user?.name }];
  }),
);

export const FLAG_TOOLS: ReadonlyMap<string, FlagTool> = new Map(
  Object.entries({ launchdarkly, unleash, flagsmith, flipt, statsig }),
);

function titled(flag: string, verb: string, environment?: string | null): string {
  const where = environment ? ` in ${environment}` : '';
  return `Flag ${flag}: ${verb.replace(/\s+/gu, ' ').trim()}${where}`.slice(0, 500).toWellFormed();
}
