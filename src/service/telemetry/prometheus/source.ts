import type { Clock } from '../../../lib/clock.ts';
import type { Budget } from '../budget.ts';
import { statesIn } from '../exported/states.ts';
import type { SourceSettings } from '../http.ts';
import {
  ALERT_RULE_SIGNAL,
  type AlertRule,
  type Exported,
  known,
  mapped,
  NO_POINTS,
  type Reading,
  type Series,
  unknown,
  type Window,
} from '../model.ts';
import { joined } from '../samples.ts';
import { cachePerBudget, type OpenSource, type TelemetrySource } from '../source.ts';
import { catalogOf } from './catalog.ts';
import { askedOf, createPrometheusClient, type Explore, linkTo, type Rule } from './client.ts';
import { nameOf } from './copies.ts';
import { departuresIn } from './departures.ts';
import { type Directory, directoryOf, recognitionAmong } from './directory.ts';
import { exportedBy } from './exported.ts';
import { measuredBy, regrouped } from './expression.ts';
import { firedIn } from './fired.ts';
import { healthOf, historyOf } from './health.ts';
import { scrapedIdentity } from './naming.ts';
import { objectivesOf } from './objectives.ts';
import { idleSignals, type OwnSignal } from './own-signals.ts';
import { INSTANCE_LABELS, instanceIn, labelsOf } from './promql.ts';
import { type Recognition, recognise } from './recognition.ts';
import { rolloutsIn } from './rollouts.ts';
import {
  isAmong,
  keyOf,
  RECENT_MS,
  recentSeries,
  type Surveyed,
  type SurveyOptions,
  survey,
  surveyAmong,
} from './survey.ts';
import { askedTogether } from './together.ts';

type Labels = Readonly<Record<string, string>>;

const NAME = 'prometheus';
const MINUTE = 60_000;
/** A week shows what is usual at this time of day, on working days and weekends. */
export const PAST_MS = 7 * 24 * 60 * MINUTE;
/** With more services than this, not all are read. */
const MOST_READ_WHOLE = 100;
/** Rules that return more series than this are not read. */
const MOST_EVALUATED = 500;
/** Labels that alerts have, and series do not. */
const OF_ALERTS = ['alertname', 'severity', 'priority', 'team'];
const MOST_LABELS = 5;
/** The number of samples sufficient to see a series' behavior. */
const SAMPLES = 180;

/**
 * Prometheus, or a compatible server (Thanos, Mimir, VictoriaMetrics): services, dependencies and signals are found by
 * the conventions it contains (`conventions.ts`), with one query per signal for all services.
 */
export function createPrometheusSource(
  settings: SourceSettings,
  {
    clock,
    explore = null,
    signals = [],
    tenantLabel = null,
  }: {
    clock: Clock;
    explore?: Explore | null;
    signals?: readonly OwnSignal[];
    tenantLabel?: string | null;
  },
): OpenSource {
  const client = createPrometheusClient({ title: 'Prometheus', variable: 'PROMETHEUS', ...settings }, clock);
  /** Data read on a budget: services, edges and series of one window come from the same queries. */
  const readings = new WeakMap<Budget, Map<string, Promise<Reading<Surveyed>>>>();
  /** What the server has: the same for its copies and for one of them. */
  const recognitions = cachePerBudget<Reading<Recognition>>();
  /** The labels of the alert that the work on a budget is about. */
  const focused = new WeakMap<Budget, Labels>();
  /** The names in its text: with a hyphen or the like, no word of a language. */
  const texts = new WeakMap<Budget, readonly string[]>();

  const recognised = (window: Window, alert: Labels, budget: Budget) =>
    recognitions(JSON.stringify([window.from, window.to, alert]), budget, () =>
      recognise(client, window, { alert, budget, signals }),
    );

  /** Of a large system, who there is, found once for a budget; `null` if it is small enough to read all of it. */
  const directories = cachePerBudget<Reading<Directory | null>>();
  const directory = (window: Window, budget: Budget) =>
    directories('', budget, async () => {
      const recognition = await recognised(window, focused.get(budget) ?? {}, budget);
      if (!recognition.known) return recognition;
      const { sampled, targets } = recognition.value;
      const services = new Set(targets.map(({ service: { name, namespace } }) => `${namespace}/${name}`));
      if (targets.length > 0 && services.size <= MOST_READ_WHOLE) return known(null);
      const found = await directoryOf(recognition.value, { window: sampled, budget });
      return known(found.services.length <= MOST_READ_WHOLE ? null : found);
    });

  /** @param services those to read of a large system; of a small one all are read together */
  async function surveyOf(
    window: Window,
    wanted: number,
    budget: Budget,
    services?: readonly string[],
  ): Promise<Reading<Surveyed>> {
    const stepMs = Math.max(wanted, Math.ceil((window.to - window.from) / SAMPLES / MINUTE) * MINUTE);
    const large = services === undefined ? null : await directory(window, budget);
    if (large?.known === false) return large;
    const some =
      large === null || large.value === null ? null : { of: large.value, services: new Set(services) };
    const key = JSON.stringify([window.from, window.to, stepMs, some && services]);
    const done = readings.get(budget) ?? new Map<string, Promise<Reading<Surveyed>>>();
    readings.set(budget, done);
    const begun = done.get(key) ?? read(window, stepMs, budget, some);
    done.set(key, begun);
    return begun;
  }

  async function read(
    window: Window,
    stepMs: number,
    budget: Budget,
    some: { of: Directory; services: ReadonlySet<string> } | null,
  ): Promise<Reading<Surveyed>> {
    if (some !== null) {
      const { sampled } = some.of.recognition;
      const within = { from: window.from, to: Math.min(window.to, Math.max(window.from + 1, sampled.to)) };
      const options = { client, window: within, stepMs, budget, explore };
      const surveyed = await surveyAmong(some.of, some.services, options);
      return known(surveyed, [...some.of.caveats, ...surveyed.caveats]);
    }
    const recognition = await recognised(window, focused.get(budget) ?? {}, budget);
    if (!recognition.known) return recognition;
    const surveyed = await survey(recognition.value, {
      client,
      window: recognition.value.sampled,
      stepMs,
      budget,
      explore,
    });
    return known(surveyed, [...recognition.caveats, ...surveyed.caveats]);
  }

  /** Who there is and who calls whom, from whichever reading knows. */
  async function namesIn(window: Window, budget: Budget): Promise<Reading<Surveyed | Directory>> {
    const large = await directory(window, budget);
    if (!large.known) return large;
    return large.value === null ? surveyOf(window, MINUTE, budget) : known(large.value);
  }

  /** Signals that were found, with the names of services: of some services of a large system, or of all of a small one. */
  async function foundFor(
    services: readonly string[] | undefined,
    window: Window,
    budget: Budget,
  ): Promise<Pick<Surveyed, 'recognition' | 'naming'> | null> {
    const large = await directory(window, budget);
    if (large.known && large.value !== null) {
      const { naming, recognition } = large.value;
      const some = services && recognitionAmong(large.value, new Set(services));
      return { naming, recognition: some ?? recognition };
    }
    // Any window surveyed on this budget will do: it has already identified the services.
    const surveyed = await [...(readings.get(budget)?.values() ?? [])][0];
    if (surveyed === undefined || !surveyed.known) return null;
    const { naming, recognition, series } = surveyed.value;
    const ids = new Set(series.map(({ signal }) => signal.id));
    return {
      naming,
      recognition: { ...recognition, offers: recognition.offers.filter(({ signal }) => ids.has(signal.id)) },
    };
  }

  const exports = cachePerBudget<Reading<Exported[]>>();
  const exportedIn = (wanted: Window, budget: Budget, services: readonly string[] | null) =>
    exports(JSON.stringify([wanted, services]), budget, async () => {
      const reading = await namesIn(wanted, budget);
      if (!reading.known) return reading;
      const { recognition, naming } = reading.value;
      return exportedBy({
        client,
        recognition,
        naming,
        services,
        window: sampledOf(wanted, reading),
        budget,
      });
    });

  async function split(parts: Parts, window: Window, budget: Budget): Promise<Reading<Series[]>> {
    const found = await foundFor(parts.services ?? undefined, window, budget);
    if (found === null) return known([]);
    return partsOf(found, parts, {
      client,
      window: sampledOf(window, known(found)),
      stepMs: MINUTE,
      budget,
      explore,
    });
  }

  const state: TelemetrySource['state'] = async (wanted, budget, _linesOf, near) => {
    const [all, services] = [await exportedIn(wanted, budget, near ?? null), await namesIn(wanted, budget)];
    if (!all.known || !services.known) return known([]);
    const names = new Set(services.value.services.map(({ name }) => name));
    const meant = Object.entries(focused.get(budget) ?? {}).filter(([label]) => !OF_ALERTS.includes(label));
    const stated = [...meant.map(([, value]) => value), ...(texts.get(budget) ?? [])];
    return known(statesIn(all.value, names, new Set(stated)), all.caveats);
  };

  return {
    name: NAME,
    pastMs: PAST_MS,
    services: async (window, budget) => {
      const reading = await namesIn(window, budget);
      return reading.known ? known([...reading.value.services]) : reading;
    },
    edges: async (window, budget) => {
      const reading = await namesIn(window, budget);
      if (!reading.known) return reading;
      if (reading.value.edges.length === 0)
        return unknown(
          'Prometheus has no metrics that tell which service calls which: a service graph of traces, a mesh, or client metrics would.',
        );
      return known([...reading.value.edges]);
    },
    unusual: async (window, budget) => {
      const large = await directory(window, budget);
      if (!large.known) return large;
      if (large.value === null) return known(null);
      const sampled = { from: window.from, to: large.value.recognition.sampled.to };
      return departuresIn(large.value, { window: sampled, budget });
    },
    signals: async (window, budget) => {
      const reading = await namesIn(window, budget);
      return reading.known ? known(reading.value.recognition.offers.map(({ signal }) => signal)) : reading;
    },
    series: async (
      { signals, services, stepMs, byInstance: isByInstance = false, by = [], isAverage = false },
      window,
      budget,
    ) => {
      const labels = isByInstance ? INSTANCE_LABELS : by;
      if (labels.length > 0)
        return split({ signals, services: services ?? null, labels, isAverage }, window, budget);
      const wanted = new Set(signals);
      const named = services === undefined ? null : new Set(services);
      return mapped(await surveyOf(window, stepMs, budget, services), ({ series }) =>
        series.filter(
          ({ signal, service }) => wanted.has(signal.id) && (named === null || named.has(service)),
        ),
      );
    },
    recent: async (window, budget, services) => {
      const found = await foundFor(services, window, budget);
      if (found === null) return known([]);
      const options = { client, window: sampledOf(window, known(found)), budget, explore };
      const reading = await recentSeries(found, options);
      return services === undefined
        ? reading
        : mapped(reading, (all) => all.filter(isAmong(new Set(services))));
    },
    exported: exportedIn,
    // It keeps what it scraped, so what is asked of then is answered as of then.
    state,
    stateThen: state,
    catalog: (window, budget) => catalogOf(client, window, budget),
    logs: async () => known([]),
    spans: async () => known([]),
    changes: async (window, budget) => {
      const reading = await namesIn(window, budget);
      if (!reading.known) return reading;
      const { recognition, naming } = reading.value;
      const { to } = sampledOf(window, reading);
      const lately = Math.max(window.from, to - RECENT_MS);
      const { names, labels } = recognition;
      const isLarge = !('series' in reading.value);
      const asked = { client: recognition.client, names, naming, budget, ...(isLarge && { labels }) };
      const stepMs = 1000 * (recognition.scrapeSeconds ?? 30);
      const found = await Promise.all([
        rolloutsIn({ ...asked, window: { from: window.from, to: lately }, stepMs: MINUTE }),
        rolloutsIn({ ...asked, window: { from: lately, to }, stepMs: Math.min(MINUTE, stepMs) }),
      ]);
      return known(
        found.flatMap(({ changes }) => changes),
        [...new Set(found.flatMap(({ reasons }) => reasons))],
      );
    },
    alertRule: async ({ name, labels, expression }, budget) => {
      const reading = await client.alertRules(budget);
      if (!reading.known && expression == null) return reading;
      const all = reading.known ? reading.value : [];
      const named = all.filter((rule) => isNamed(name, rule.name));
      const fitting = named.filter((rule) =>
        Object.entries(rule.labels).every(
          ([key, value]) => labels[key] === undefined || labels[key] === value,
        ),
      );
      const rule = (fitting.length > 0 ? fitting : named).sort((a, b) => b.name.length - a.name.length)[0];
      const own = expression == null ? null : ruleOf(labels.alertname ?? name, expression, labels);
      return known(
        rule === undefined ? own : alertRuleOf(rule),
        rule?.lastError ? [`The rule ${rule.name} of Prometheus fails: ${rule.lastError.slice(0, 200)}`] : [],
      );
    },
    alertRules: async (budget) => mapped(await client.alertRules(budget), (rules) => rules.map(alertRuleOf)),
    objectives: async (service, window, budget) => {
      const reading = await namesIn(window, budget);
      if (!reading.known) return reading;
      const { recognition, services } = reading.value;
      const at = sampledOf(window, reading).to - 1;
      return objectivesOf(service, { recognition, services: services.map(({ name }) => name), at, budget });
    },
    fired: (window, budget) => firedIn(client, window, budget),
    evaluate: async (rule, wanted, budget) => {
      const surveyed = await namesIn(wanted, budget);
      const expression = surveyed.known ? surveyed.value.recognition.scoped(rule) : rule;
      const window = sampledOf(wanted, surveyed);
      const counted = await client.query(`count(${expression})`, window.to - 1, budget);
      const count = counted.known ? (counted.value[0]?.points.values[0] ?? 0) : 0;
      if (count > MOST_EVALUATED)
        return unknown(
          `The rule of the alert returns ${count} series, more than are read: aggregate it, such as by job.`,
        );
      const about = { subject: 'The rule of the alert' };
      const stepMs = surveyed.known ? 1000 * (surveyed.value.recognition.scrapeSeconds ?? 60) : MINUTE;
      const lately = { from: Math.max(window.from, window.to - RECENT_MS), to: window.to };
      const [reading, fine] = await Promise.all([
        client.queryRange(expression, window, MINUTE, budget, about),
        stepMs < MINUTE ? client.queryRange(expression, lately, stepMs, budget, about) : known([]),
      ]);
      if (!reading.known) return reading;
      const finely = new Map(fine.known ? fine.value.map((one) => [keyOf(one.labels), one.points]) : []);
      const asked = stepMs < MINUTE ? askedOf(lately, stepMs) : askedOf(window, MINUTE);
      const providerUrl = linkTo(expression, { base: client.publicBase, explore, asked });
      return known(
        reading.value.map(
          ({ labels, points }): Series => ({
            signal: {
              id: ALERT_RULE_SIGNAL,
              name: expression,
              label: 'alert expression',
              measure: 'other',
              unit: '',
              bad: 'either',
              metricType: 'gauge',
            },
            service: scrapedIdentity(labels)?.name ?? '',
            instance: null,
            edge: null,
            labels,
            points: joined(points, finely.get(keyOf(labels)) ?? NO_POINTS),
            limit: null,
            query: expression,
            asked,
            providerUrl,
            provider: NAME,
          }),
        ),
        reading.caveats,
      );
    },
    focus: (labels, _window, budget, text = '') => {
      focused.set(budget, labels);
      texts.set(budget, text.match(/\w+(?:[-.]\w+)+/gu) ?? []);
    },
    copies: async (labels, window, budget) => {
      const reading = await recognised(window, labels, budget);
      return mapped(reading, ({ copies }) => copies.map((copy) => ({ labels: copy, name: nameOf(copy) })));
    },
    knows: async (labels, window, budget) => {
      const some = Object.entries(labels).filter(
        ([name]) => /^[A-Za-z_]\w*$/u.test(name) && !OF_ALERTS.includes(name),
      );
      const found = await Promise.all(
        some
          .slice(0, MOST_LABELS)
          .map(([name, value]) => client.metricNames(window, budget, { [name]: value })),
      );
      return found.filter((reading) => reading.known && reading.value.length > 0).length;
    },
    check: async (budget) => {
      const now = clock.now();
      const product = await client.product(budget);
      const window = { from: now - 60 * MINUTE, to: now + 1 };
      const reading = await namesIn(window, budget);
      if (!reading.known) return { name: NAME, ok: false, summary: reading.reason, details: [] };
      const history = await historyOf(client, now, budget);
      const { names } = reading.value.recognition;
      const stated = await idleSignals(signals, names, (expression) => client.query(expression, now, budget));
      return healthOf(reading.value, { product, history, base: client.base, stated, tenantLabel });
    },
    close: client.close,
  };
}

/** A window without the part after the newest sample, if that is known. */
function sampledOf({ from, to }: Window, surveyed: Reading<Pick<Surveyed, 'recognition'>>): Window {
  const newest = surveyed.known ? surveyed.value.recognition.sampled.to : to;
  return { from, to: newest > from ? Math.min(to, newest) : to };
}

/** Whether an alert's title is a rule's name, or begins with it as monitoring tools write it. */
function isNamed(title: string, rule: string): boolean {
  return title === rule || title.split(/[\s:·,()[\]"']+/u).includes(rule);
}

/** Which series to split by which labels. */
interface Parts {
  signals: readonly string[];
  services: readonly string[] | null;
  labels: readonly string[];
  /** Whether to read the average over the window, and what has none of the labels too. */
  isAverage: boolean;
}

/** Some services split by labels, each part with its own series; none for signals of edges and machines. */
async function partsOf(
  { recognition, naming }: Pick<Surveyed, 'recognition' | 'naming'>,
  { signals, services, labels: by, isAverage }: Parts,
  { client, window, stepMs, budget, explore }: SurveyOptions,
): Promise<Reading<Series[]>> {
  const over = `${Math.round((window.to - window.from) / 1000)}s`;
  const rate = isAverage ? over : recognition.rate;
  const wanted = recognition.offers.filter(
    ({ signal, edge }) => signals.includes(signal.id) && edge === undefined && !signal.shared,
  );
  const caveats = new Set<string>();
  const split = wanted.map((offer) => ({
    offer,
    query: regrouped(offer.query(rate), by === INSTANCE_LABELS ? labelsOf(offer.place) : [], {
      more: by,
    }),
  }));
  const questions = split.map(({ offer, query }) => {
    // A rule that was recorded has a window of its own.
    const isRecorded = isAverage && offer.query('1s') === offer.query('2s');
    return { expression: isRecorded ? `avg_over_time((${query})[${over}:30s])` : query, subject: offer.name };
  });
  const last = isAverage ? { from: window.to - 1, to: window.to } : window;
  const answers = await askedTogether(recognition.client, questions, { window: last, stepMs, budget });
  const found = split.flatMap(({ offer, query }, i) => {
    const reading = answers[i];
    if (reading?.known !== true) {
      if (reading !== undefined) caveats.add(reading.reason);
      return [];
    }
    const written = recognition.write(query);
    const asked = askedOf(window, stepMs);
    const providerUrl = linkTo(written, { base: client.publicBase, explore, asked });
    return reading.value.flatMap(({ labels, points }): Series[] => {
      const service = naming.service(labels, offer.place);
      const instance =
        by === INSTANCE_LABELS ? instanceIn(labels) : (by.flatMap((label) => labels[label] || [])[0] ?? null);
      if (service === null || (instance === null && !isAverage) || services?.includes(service) === false)
        return [];
      return [
        {
          signal: offer.signal,
          service,
          instance,
          edge: null,
          labels,
          points,
          limit: null,
          query: written,
          asked,
          providerUrl,
          provider: NAME,
        },
      ];
    });
  });
  return known(found, [...caveats]);
}

/** A rule that this server does not list, as its alert links to it. */
function ruleOf(name: string, expression: string, labels: Labels): AlertRule {
  const about = { annotations: {}, heldFor: 0 };
  return { name, ...measuredBy(expression), labels, ...about };
}

function alertRuleOf({ name, query, duration, labels, annotations }: Rule): AlertRule {
  return { name, ...measuredBy(query), labels, annotations, heldFor: duration * 1000 };
}
