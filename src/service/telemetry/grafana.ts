import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Budget } from './budget.ts';
import type { Repositories } from './changes/deployments.ts';
import { combine, mergeReadings, partialSource } from './combined.ts';
import { askJson, createSourceClient, type SourceSettings } from './http.ts';
import { type Change, type FiredAlert, known, mapped, type Reading, unknown, type Window } from './model.ts';
import type { Explore } from './prometheus/client.ts';
import type { OwnSignal } from './prometheus/own-signals.ts';
import { PAST_MS } from './prometheus/source.ts';
import { comparableName } from './same-name.ts';
import { type OpenSource, oncePerBudget, type SourceHealth, type TelemetrySource } from './source.ts';

/** A kind of source that has an address, and the types of Grafana's data sources that speak its API. */
export interface SourceKind {
  name: string;
  inGrafana: readonly string[];
  open(settings: SourceSettings & { index?: string | undefined }, context: OpenContext): OpenSource;
}

interface OpenContext {
  clock: Clock;
  /** Where links to metrics go. */
  explore?: Explore | null;
  /** What the file `SIGNALS` says of metrics. */
  signals?: readonly OwnSignal[];
  /** The label that names a customer. */
  tenantLabel?: string | null;
  /** Where what was deployed can be read. */
  repositories?: readonly Repositories[];
}

interface GrafanaSettings {
  url: string;
  /** Where people open it; `null` if they cannot. */
  publicUrl: string | null;
  token: string;
  /** Names or uids of the data sources to read; `null` for all. */
  datasources: readonly string[] | null;
  /** What the file `SIGNALS` says of metrics. */
  signals?: readonly OwnSignal[];
  tenantLabel?: string | null;
}

/** So many data sources of one kind are read, if nothing decides between them. */
const MOST_OF_A_KIND = 3;
const DAY = 24 * 3_600_000;

/**
 * What a Grafana reads, through it: its data sources of a known type, each as if it were configured by itself, and its
 * annotations as changes.
 *
 * @param context.configured the kinds that are configured by themselves: those win
 */
export function createGrafanaSource(
  { url, publicUrl, token, datasources, signals = [], tenantLabel = null }: GrafanaSettings,
  {
    clock,
    kinds,
    configured,
  }: { clock: Clock; kinds: readonly SourceKind[]; configured: ReadonlySet<string> },
): OpenSource {
  const address = {
    title: 'Grafana',
    variable: 'GRAFANA',
    credentials: 'GRAFANA_TOKEN, and that its service account has the role Viewer (datasources:read)',
    url,
    token,
  };
  const http = createSourceClient(address, clock);
  const source = { http, address };
  const opened = new Map<string, OpenSource>();
  const focused = new WeakMap<
    Budget,
    { labels: Readonly<Record<string, string>>; window: Window; text: string | undefined }
  >();

  const open = (kind: SourceKind, { uid, name, database, jsonData }: DataSource): OpenSource => {
    const path = `/api/datasources/proxy/uid/${encodeURIComponent(uid)}`;
    const index = jsonData?.index || database;
    const one =
      opened.get(uid) ??
      kind.open(
        {
          title: `“${name.slice(0, 60)}” in Grafana`,
          variable: 'GRAFANA',
          credentials: 'that the service account of GRAFANA_TOKEN may query this data source',
          url: `${http.base}${path}`,
          otherPath: `${new URL(http.base).pathname.replace(/\/$/u, '')}/api/datasources/uid/${encodeURIComponent(uid)}/resources`,
          token,
          ...(index && { index }),
        },
        {
          clock,
          explore: publicUrl === null ? null : { url: publicUrl, datasource: uid },
          ...{ signals, tenantLabel },
        },
      );
    opened.set(uid, one);
    return one;
  };

  /** Every data source, with what reads it or why nothing does. */
  const listed = oncePerBudget(async (_key, budget): Promise<Reading<Listed[]>> => {
    const reading = await askJson(source, { path: '/api/datasources' }, DataSources, budget);
    if (!reading.known) return reading;
    const addresses = new Set<string>();
    const defaultFirst = reading.value.toSorted(
      (a, b) => Number(b.isDefault ?? false) - Number(a.isDefault ?? false),
    );
    const all = defaultFirst.map((found): Listed => {
      const kind = kinds.find(({ inGrafana }) => inGrafana.includes(found.type));
      const same = `${found.type} ${found.url} ${found.database} ${found.jsonData?.index}`;
      const isSame = Boolean(found.url) && addresses.has(same);
      const skipped =
        kind === undefined
          ? 'nothing reads this type'
          : configured.has(kind.name)
            ? `${kind.name} is configured by itself`
            : datasources !== null && !datasources.includes(found.name) && !datasources.includes(found.uid)
              ? 'GRAFANA_DATASOURCES does not name it'
              : isSame
                ? 'another data source has the same address'
                : null;
      if (kind === undefined || skipped !== null) return { found, kind: kind?.name ?? '', skipped };
      addresses.add(same);
      return { found, kind: kind.name, source: open(kind, found) };
    });
    return known(all, reading.caveats);
  });

  /** Of several of a kind, those that know most of the alert's labels. */
  async function chosen(all: readonly OpenSource[], budget: Budget): Promise<readonly TelemetrySource[]> {
    const subject = focused.get(budget);
    if (all.length < 2 || datasources !== null) return all;
    if (subject === undefined) return all.slice(0, MOST_OF_A_KIND);
    const { labels, window } = subject;
    const counts = await Promise.all(
      all.map((one) => one.knows?.(labels, window, budget) ?? namesOf(one, labels, window, budget)),
    );
    const most = Math.max(...counts);
    return all.filter((_one, i) => counts[i] === most).slice(0, MOST_OF_A_KIND);
  }

  const system = oncePerBudget(async (_key, budget): Promise<Reading<TelemetrySource>> => {
    const all = await listed('', budget);
    if (!all.known) return all;
    const byKind = Map.groupBy(
      all.value.flatMap((one) => ('source' in one ? [one] : [])),
      ({ kind }) => kind,
    );
    // In the order of the kinds: the first names the services.
    const groups = kinds.flatMap(({ name }) => {
      const some = byKind.get(name);
      return some === undefined
        ? []
        : [
            chosen(
              some.map((one) => one.source),
              budget,
            ),
          ];
    });
    const found = (await Promise.all(groups)).flat();
    const subject = focused.get(budget);
    if (subject !== undefined)
      for (const one of found) one.focus?.(subject.labels, subject.window, budget, subject.text);
    return found.length > 0
      ? known(combine([...found, annotations]))
      : unknown(`Grafana at ${http.base} has no data source that can be read: run npm run doctor.`);
  });

  /** What the whole system answers. */
  async function from<T>(
    budget: Budget,
    ask: (whole: TelemetrySource) => Promise<Reading<T>>,
  ): Promise<Reading<T>> {
    const whole = await system('', budget);
    return whole.known ? ask(whole.value) : whole;
  }

  const readAnnotations = async (window: Window, budget: Budget): Promise<Reading<Change[]>> => {
    const parameters = [
      ['from', String(Math.floor(window.from))],
      ['to', String(Math.floor(window.to))],
      ['type', 'annotation'],
      ['limit', '200'],
    ] as const;
    const reading = await askJson(source, { path: '/api/annotations', parameters }, Annotations, budget);
    return mapped(reading, (all) =>
      all
        .filter(({ alertId, time }) => !alertId && time >= window.from && time < window.to)
        .map((annotation) => annotated(annotation, http.base))
        .sort((a, b) => a.at - b.at),
    );
  };
  const annotations = partialSource({
    name: 'grafana',
    changes: readAnnotations,
    check: async () => ({ name: 'grafana', ok: true, summary: '', details: [] }),
  });

  async function check(budget: Budget): Promise<SourceHealth> {
    const now = clock.now();
    const [all, changes] = await Promise.all([
      listed('', budget),
      readAnnotations({ from: now - DAY, to: now }, budget),
    ]);
    const noted = changes.known
      ? `Annotations: ${changes.value.length} within a day.`
      : `Annotations are not read: ${changes.reason}`;
    if (!all.known) return { name: 'grafana', ok: false, summary: all.reason, details: [noted] };
    const missing = (datasources ?? []).filter(
      (wanted) => !all.value.some(({ found: { name, uid } }) => wanted === name || wanted === uid),
    );
    const reports = await Promise.all(
      all.value.map(async (one) => {
        const what = `“${one.found.name.slice(0, 60)}” (${one.found.type})`;
        if (!('source' in one))
          return { ok: true, isRead: false, lines: [`Not read: ${what}: ${one.skipped}.`] };
        const { ok, summary, details } = await one.source.check(budget);
        return {
          ok,
          isRead: true,
          lines: [`Read: ${what}: ${summary}`, ...details.map((line) => `${what}: ${line}`)],
        };
      }),
    );
    const read = reports.filter(({ isRead }) => isRead);
    const has = `Grafana at ${http.base} answers: ${reports.length} data sources, of which ${read.length} are read.`;
    const lacking = missing.map((name) => `It has no data source ${name}: correct GRAFANA_DATASOURCES.`);
    const broken = read.filter(({ ok }) => !ok).map(({ lines }) => lines[0] ?? '');
    return {
      name: 'grafana',
      ok: read.length > 0 && lacking.length === 0 && broken.length === 0,
      summary: [has, ...lacking, ...broken].join(' '),
      details: [...reports.flatMap(({ lines }) => lines), noted],
    };
  }

  return {
    name: 'grafana',
    pastMs: PAST_MS,
    services: (window, budget) => from(budget, (whole) => whole.services(window, budget)),
    edges: (window, budget) => from(budget, (whole) => whole.edges(window, budget)),
    signals: (window, budget) => from(budget, (whole) => whole.signals(window, budget)),
    series: (query, window, budget) => from(budget, (whole) => whole.series(query, window, budget)),
    unusual: (window, budget) =>
      from(budget, async (whole) => (await whole.unusual?.(window, budget)) ?? known(null)),
    logs: (service, window, budget, text) =>
      from(budget, (whole) => whole.logs(service, window, budget, text)),
    spans: (service, window, budget) => from(budget, (whole) => whole.spans(service, window, budget)),
    changes: async (window, budget) => {
      const whole = await system('', budget);
      return (whole.known ? whole.value : annotations).changes(window, budget);
    },
    alertRule: (alert, budget) =>
      from(budget, async (whole) => (await whole.alertRule?.(alert, budget)) ?? known(null)),
    alertRules: (budget) => from(budget, async (whole) => (await whole.alertRules?.(budget)) ?? known([])),
    evaluate: (expression, window, budget) =>
      from(budget, async (whole) => (await whole.evaluate?.(expression, window, budget)) ?? known([])),
    objectives: (service, window, budget) =>
      from(budget, async (whole) => (await whole.objectives?.(service, window, budget)) ?? known([])),
    fired: async (window, budget) => {
      const [whole, own] = await Promise.all([
        from(budget, async (one) => (await one.fired?.(window, budget)) ?? known([])),
        firedAnnotations(source, window, budget),
      ]);
      return mergeReadings([whole, own]);
    },
    copies: (labels, window, budget) =>
      from(budget, async (whole) => (await whole.copies?.(labels, window, budget)) ?? known([])),
    focus: (labels, window, budget, text) => void focused.set(budget, { labels, window, text }),
    check,
    close: async () => {
      await Promise.all([http.close(), ...[...opened.values()].map((one) => one.close())]);
    },
  };
}

type Listed = { found: DataSource; kind: string } & ({ source: OpenSource } | { skipped: string | null });

/** How many of an alert's labels are names of a source's services. */
async function namesOf(
  source: TelemetrySource,
  labels: Readonly<Record<string, string>>,
  window: Window,
  budget: Budget,
): Promise<number> {
  const reading = await source.services(window, budget);
  if (!reading.known) return 0;
  const names = new Set(reading.value.flatMap(({ name, aliases }) => [name, ...aliases].map(comparableName)));
  return Object.values(labels).filter((value) => names.has(comparableName(value))).length;
}

/** The parts that are read of Grafana's answers. */
type DataSource = z.infer<typeof DataSources>[number];
const DataSources = z.array(
  z.looseObject({
    uid: z.string(),
    name: z.string(),
    type: z.string(),
    url: z.string().nullish(),
    /** The index of older versions. */
    database: z.string().nullish(),
    isDefault: z.boolean().nullish(),
    jsonData: z.looseObject({ index: z.string().nullish() }).nullish(),
  }),
);

const Annotations = z.array(
  z.looseObject({
    time: z.number(),
    text: z.string().nullish(),
    tags: z.array(z.string()).nullish(),
    alertId: z.number().nullish(),
    dashboardUID: z.string().nullish(),
  }),
);

/** Kinds of change by an annotation's tags. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:deploy(?:ment)?|release|rollout)$/iu, 'deploy'],
  [/^config(?:uration)?$/iu, 'config'],
  [/^(?:feature-?)?flag$/iu, 'flag'],
  [/^scal(?:e|ing)$/iu, 'scale'],
];

function annotated(
  { time, text, tags, dashboardUID }: z.infer<typeof Annotations>[number],
  base: string,
): Change {
  const tagged = (name: string) =>
    tags?.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1) ?? null;
  // Grafana stores the text as HTML.
  const words = (text ?? '')
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return {
    at: time,
    service: tagged('service') ?? tagged('app'),
    kind: KINDS.find(([pattern]) => tags?.some((tag) => pattern.test(tag)))?.[1] ?? 'annotation',
    title: words === '' ? `Annotation: ${(tags ?? []).join(', ')}` : words.slice(0, 200),
    version: tagged('version'),
    ref: null,
    url: dashboardUID ? `${base}/d/${dashboardUID}` : null,
    details: words.length > 200 ? words : null,
  };
}

const Transitions = z.array(
  z.looseObject({
    time: z.number(),
    text: z.string().nullish(),
    alertName: z.string().nullish(),
    newState: z.string().nullish(),
  }),
);
type Transition = z.infer<typeof Transitions>[number];

/** So many are read at a time, and so many times. */
const PAGE = 1_000;
const MOST_PAGES = 20;

/** Which alerts of Grafana's own fired: each change of an alert's state is an annotation. */
async function firedAnnotations(
  source: Parameters<typeof askJson>[0],
  window: Window,
  budget: Budget,
): Promise<Reading<FiredAlert[]>> {
  const all: Transition[] = [];
  let to = Math.floor(window.to);
  for (let page = 0; page < MOST_PAGES; page++) {
    const parameters = [
      ['type', 'alert'],
      ['from', String(Math.floor(window.from))],
      ['to', String(to)],
      ['limit', String(PAGE)],
    ] as const;
    const reading = await askJson(source, { path: '/api/annotations', parameters }, Transitions, budget);
    if (!reading.known) return reading;
    all.push(...reading.value);
    const oldest = Math.min(...reading.value.map(({ time }) => time));
    if (reading.value.length < PAGE || oldest >= to) break;
    to = oldest - 1;
  }
  const byAlert = Map.groupBy(
    all.sort((a, b) => a.time - b.time),
    (one) => JSON.stringify(alertOf(one)),
  );
  return known([...byAlert.values()].flatMap(firingsOf).sort((a, b) => a.from - b.from));
}

function firingsOf(transitions: readonly Transition[]): FiredAlert[] {
  const firings: FiredAlert[] = [];
  let from: number | null = null;
  for (const one of transitions) {
    const isFiring = /^alerting/iu.test(one.newState ?? '');
    if (isFiring) from ??= one.time;
    else if (from !== null) {
      firings.push({ ...alertOf(one), from, to: one.time });
      from = null;
    }
  }
  const last = transitions.at(-1);
  return from === null || last === undefined ? firings : [...firings, { ...alertOf(last), from, to: null }];
}

/** `High errors {instance=a, job=b} - Alerting`: the rule with the alert's labels, as Grafana writes it. */
function alertOf({ text, alertName }: Transition): Pick<FiredAlert, 'name' | 'labels'> {
  const words = (text ?? '').replaceAll(/<[^>]*>/gu, ' ');
  const { name, inner } = /^(?<name>.*?)\s*\{(?<inner>[^}]*)\}\s*-/su.exec(words)?.groups ?? {};
  const pairs = (inner ?? '').split(/,\s*/u).flatMap((pair) => {
    const [label = '', ...value] = pair.split('=');
    return value.length === 0 ? [] : [[label.trim(), value.join('=').trim()] as const];
  });
  const labels: Record<string, string> = Object.fromEntries(pairs);
  return {
    name: (alertName || name || labels.alertname || words.trim() || 'alert without a name').slice(0, 200),
    labels,
  };
}
