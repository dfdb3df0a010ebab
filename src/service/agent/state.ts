import { z } from 'zod';
import { duration, joinNames } from '../investigation/format.ts';
import type { StateFinding, StateObject } from '../telemetry/model.ts';
import { code } from './echo.ts';
import { concernedBy } from './issue-scope.ts';
import { momentOf } from './moment.ts';
import { cannotTell, type Found, howItIs, services, tool } from './tool.ts';
import { lookInto } from './tools/investigation.ts';
import { isUnwell, restartsSince, startsSince, workloadOf } from './tools/workload.ts';
import type { Facts } from './types.ts';
import { EVERYTHING, expectsOf, namespaceIn } from './understand.ts';
import { conditionInWords } from './words/health.ts';
import { lookInWords } from './words/verdict.ts';
import { workloadInWords } from './words/workload.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MOST_FINDINGS = 5;
const MOST_LISTED = 15;
/** What is less sure than this is not worth an answer of its own. */
const LEAST = 0.4;

/** Kinds of objects as people name them. */
const KINDS = [
  ['Pod', 'pods?|containers?|replicas'],
  ['Deployment', 'deployments?'],
  ['StatefulSet', 'stateful ?sets?'],
  ['DaemonSet', 'daemon ?sets?'],
  ['CronJob', 'cron ?jobs?'],
  ['Job', 'jobs?'],
  ['Node', 'nodes?|workers?|machines?'],
  ['Namespace', 'namespaces?'],
  ['PersistentVolumeClaim', 'pvcs?|persistent volume claims?|volume claims?'],
  ['PersistentVolume', 'pvs?|persistent volumes?'],
  ['ConfigMap', 'config ?maps?'],
  ['Ingress', 'ingress(?:es)?'],
  ['HorizontalPodAutoscaler', 'hpas?|autoscalers?'],
] as const;
const ANY_KIND = KINDS.map(([, words]) => words).join('|');
/** An object that is counted, listed or described is what is asked for. */
const COUNTED = new RegExp(
  String.raw`\b(?:how many|number of|count(?: of| the)?|list|which|what|get|describe|are there|any|all|show(?: me)?(?: the)?)\s+(?:\w+\s+){0,2}(?:${ANY_KIND})\b`,
  'iu',
);

/** Asks what is wrong, or how it is. */
const WRONG =
  /\b(?:why|wrong|issues?|problems?|fail\w*|health\w*|unhealthy|broken|ok|status|pending|crash\w*|evict\w*|unschedulable|restart(?:s|ing)?)\b/iu;

const input = z.object({
  services,
  /** What is wrong, or a count or a list of objects. */
  show: z.enum(['wrong', 'count', 'list']).default('wrong'),
  kind: z
    .enum(KINDS.map(([kind]) => kind))
    .nullable()
    .default(null),
  namespace: z.string().max(300).nullable().default(null),
  /** Only those that are not well; only those with or without restarts. */
  only: z.enum(['unwell', 'well', 'restarted', 'never restarted']).nullable().default(null),
  /** Whether the question is about all of them, and whether *yes* would mean that they are well. */
  all: z.boolean().default(false),
  expects: z.enum(['over', 'ongoing']).nullable().default(null),
  /** The question, where it is about why something is as it is. */
  asked: z.string().max(1_000).default(''),
  labels: z.record(z.string(), z.string()).default({}),
  /** Since when restarts are counted, where the question says so. */
  from: z.number().nullable().default(null),
  name: z.string().max(300).nullable().default(null),
});
type StateArgs = z.output<typeof input>;

/** Why is payments pending? How many pods never restarted? What is wrong in namespace shop? */
export const state = tool({
  name: 'state',
  answers:
    'a Kubernetes cluster as it is now: counts and lists of pods, deployments, nodes …, and what is wrong with them (pending, crashing, not ready)',
  example: 'Why is {service} pending?',
  input,
  fill: ({ question, words, named, instance, timed, window }, { scope }): z.input<typeof input> => {
    const kinds = KINDS.filter(([, own]) => new RegExp(String.raw`\b(?:${own})\b`, 'iu').test(words));
    const [first] = kinds.filter(([kind]) => kind !== 'Namespace' || kinds.length === 1);
    const namespace = namespaceIn(question);
    const counts = /\bhow many\b|\bnumber of\b|\bcount\b/iu.test(words);
    const lists = COUNTED.test(words) && !WRONG.test(words);
    const only = /\bnever restart|\bno(?:t)? restart|\bwithout restarts?|\bzero restarts/iu.test(words)
      ? 'never restarted'
      : /\brestart|\boom|\bkilled\b/iu.test(words) || (!counts && /\bcrash/iu.test(words))
        ? 'restarted'
        : /\bnot (?:ready|running|healthy)|\bunhealthy|\bpending|\bfail|\bcrash|\bunready/iu.test(words)
          ? 'unwell'
          : /\b(?:running|ready|healthy)\b/iu.test(words)
            ? 'well'
            : null;
    const isOther = (word: string) => namespace === null || word.toLowerCase() !== namespace.toLowerCase();
    const show = counts ? 'count' : lists ? 'list' : 'wrong';
    // What is wrong elsewhere says nothing of an issue.
    const isOfIssue = scope !== null && show === 'wrong' && namespace === null && !EVERYTHING.test(question);
    return {
      services: named.length === 0 && isOfIssue ? [...scope.services] : named.filter(isOther),
      show,
      name: instance?.name ?? null,
      from: timed ? window.from : null,
      kind: first?.[0] ?? null,
      namespace,
      only,
      all: /\b(?:all|every|each)\b/iu.test(words),
      labels: labelsIn(question),
      expects: expectsOf(question),
      asked: ABOUT_ONE.test(words) ? question.slice(0, 1_000) : '',
    };
  },
  run: async (args, facts) => {
    const isOfPods =
      args.namespace === null && (args.kind === null || ['Pod', 'Deployment'].includes(args.kind));
    const exported = isOfPods ? await exportedIn(args, facts) : null;
    if (exported !== null) return exported;
    if (args.show !== 'wrong') return listed(args, facts);
    const found = (await asAnIssue(args, facts)) ?? (await wrong(args, facts));
    const { findings } = found.data;
    const isAsked = args.only !== null && args.only !== 'well' && args.services.length > 0;
    const isClear = Array.isArray(findings) && findings.length === 0;
    const parts = isAsked && isClear ? await partsOf(args, facts) : null;
    return parts === null ? found : { ...found, ...parts, text: `${parts.text}\n\n${found.text}` };
  },
});

/** What exporters say of the pods that are asked about, where no cluster is connected that would say more; `null` where they say nothing. */
async function exportedIn(args: StateArgs, facts: Facts): Promise<Found | null> {
  const { scope, now } = facts;
  const own = args.services.length > 0 ? args.services : scope === null ? [] : concernedBy(scope).slice(0, 1);
  if (facts.catalog === null || (await facts.objects()) !== null) return null;
  if (own.length === 0)
    return args.only === 'restarted' ? await restartedIn(args.from ?? now - DAY, facts) : null;
  const read = await Promise.all(own.map((name) => workloadOf(name, args.from ?? now - DAY, facts)));
  const all = read.filter((one) => one !== null);
  const isAsked = args.show !== 'wrong' || args.only === 'restarted' || all.some(isUnwell);
  if (all.length === 0 || !isAsked) return null;
  const text = all.map((one) => workloadInWords(one, now)).join('\n\n');
  const isOfRestarts = args.only === 'restarted' && all.every(({ restarts }) => restarts !== null);
  const holds = isOfRestarts ? all.some(({ restarts }) => restarts?.last != null) : null;
  if (args.show !== 'wrong' || args.only === 'restarted')
    return { data: { workloads: all }, text, says: { relation: 'restarted', holds } };
  const found = await wrong(args, facts);
  const isFound = Array.isArray(found.data.findings) && found.data.findings.length > 0;
  return {
    data: { ...found.data, workloads: all },
    text: isFound ? `${text}\n\n${found.text}` : text,
  };
}

/** What started anywhere, where nothing counts restarts. */
async function startedIn(since: number, facts: Facts): Promise<Found> {
  const all = await startsSince(since, facts);
  if (all === null)
    return cannotTell(
      'I can’t tell what restarted: no metric that I can read counts restarts or says when something started.',
    );
  const when = momentOf(since, facts.now);
  return {
    data: { started: all },
    says: { relation: 'restarted', holds: all.length > 0, ...(all.length === 0 && { text: '' }) },
    text:
      all.length === 0
        ? `Nothing has started since ${when}, going by the exported start times. What is down now exports none.`
        : [
            `Started since ${when}, going by the exported start times:\n`,
            ...all.slice(0, MOST_LISTED).map(({ of, at }) => `- ${code(of)}: ${momentOf(at, facts.now)}`),
          ].join('\n'),
  };
}

/** What restarted anywhere, as exporters count it: that no state is bad now says nothing of it. */
async function restartedIn(since: number, facts: Facts): Promise<Found> {
  const all = await restartsSince(since, facts);
  if (all === null) return await startedIn(since, facts);
  const rows = all.map(
    ({ pod, count, ended }) =>
      `- \`${pod}\`: ${count}${ended === null ? '' : ` (the last container ended with: ${ended})`}`,
  );
  return {
    data: { restarted: all },
    says: { relation: 'restarted', holds: all.length > 0, ...(all.length === 0 && { text: '' }) },
    text: [
      `${all.length === 0 ? 'No' : all.length} ${all.length === 1 ? 'pod has' : 'pods have'} restarted since ${momentOf(since, facts.now)}, as kube-state-metrics counts it${all.length === 0 ? '.' : ':\n'}`,
      ...rows.slice(0, MOST_LISTED),
    ].join('\n'),
  };
}

/** The objects of what is named, where it is asked of their state: that nothing is wrong with it says nothing of a restart. */
async function partsOf(args: StateArgs, facts: Facts): Promise<Pick<Found, 'text' | 'says'> | null> {
  const reading = await facts.objects();
  if (reading?.known !== true) return null;
  const own = ofArgs({ ...args, kind: 'Pod' }, reading.value, facts);
  const named = own.filter(({ name }) => name === args.name);
  const pods = named.length > 0 ? named : own;
  if (pods.length === 0) return null;
  const met = pods.filter((one) => fits(one, args.only));
  const restarts = pods.map((one) => one.restarts ?? 0);
  const isMet = met.length > 0;
  const count = Math.max(...restarts);
  return {
    text: [
      `${met.length} of ${pods.length} ${pods.length === 1 ? 'pod is' : 'pods are'} ${QUALITY[args.only ?? 'unwell']}; ${count === 0 ? 'none has restarted' : `at most ${count} ${count === 1 ? 'restart' : 'restarts'} each`}:`,
      '',
      ...pods
        .sort(worstFirst)
        .slice(0, MOST_FINDINGS)
        .map((one) => lineOf(one, facts.now)),
    ].join('\n'),
    says: howItIs(args.expects, isMet === (args.only !== 'well')),
  };
}

/** `env=prod`, `app.kubernetes.io/name=cart`. */
function labelsIn(question: string): Record<string, string> {
  const found = question.matchAll(/(?<![\w./-])([a-z][\w./-]{0,100})\s?==?\s?[`"']?([\w.-]{1,63})/giu);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value]));
}

/** Why something is as it is, or what is the matter with it: an issue about it would be investigated. */
const ABOUT_ONE = /\bwhy\b|\b(?:wrong|issues?|problems?|trouble) with\b|\bcaus(?:e[ds]?|ing)\b|·/iu;

async function asAnIssue(args: StateArgs, facts: Facts): Promise<Found | null> {
  if (args.asked === '' || facts.scope !== null || facts.thread !== null || facts.context !== null)
    return null;
  const { look } = await lookInto(
    { question: args.asked, service: args.services[0] ?? null, at: facts.now },
    facts,
  );
  const { verdict } = look;
  const state = await wrong(args, facts);
  const data = { connected: true, ...state.data, verdict };
  const isFound = Array.isArray(state.data.findings) && state.data.findings.length > 0;
  if (verdict.summary === null || look.elsewhere !== null) {
    // What its own state does not show, its lines or metrics may: nothing is denied before they were looked at.
    const isBlind = state.data.findings === undefined || args.services.length === 0;
    return isBlind || isFound
      ? state
      : { data, text: [state.text, conditionInWords(look, facts.now)].join('\n\n') };
  }
  const isIll = look.is === 'ill' || look.is === 'bad';
  return {
    data,
    // The same, with what proves and mends it.
    text: state.text.includes(verdict.summary) ? state.text : lookInWords(verdict),
    says: isFound || !isIll ? state.says : howItIs(args.expects, isIll),
  };
}

async function wrong(args: StateArgs, facts: Facts): Promise<Found> {
  const reading = await facts.state();
  if (reading?.known !== true) return unread(reading, 'its state');
  const { found, where } = concerned(
    args,
    reading.value.filter(({ confidence }) => confidence >= LEAST),
    facts,
  );
  const missing = notRead(reading.caveats);
  const data = {
    connected: true,
    where,
    findings: found.slice(0, 20).map(({ object, namespace, sentence, evidence, confidence, show, mend }) => ({
      object,
      namespace,
      sentence,
      evidence,
      confidence,
      show,
      mend,
    })),
  };
  const says = howItIs(args.expects, found.length > 0);
  if (found.length === 0)
    return {
      data,
      says,
      text: [
        (await facts.objects()) === null
          ? `I see nothing wrong${where} in the states that exporters report; no Kubernetes cluster is connected.`
          : `I see nothing wrong${where} in the cluster.`,
        ...missing,
      ].join('\n'),
    };
  const more = found.length - MOST_FINDINGS;
  return {
    data,
    says,
    text: [
      `**${found.length === 1 ? 'One thing is' : `${found.length} things are`} wrong${where}:**`,
      '',
      ...found.slice(0, MOST_FINDINGS).map(described),
      ...(more > 0 ? [`- … and ${more} more`] : []),
      ...missing,
    ].join('\n'),
  };
}

/** That nothing of a cluster is read, and why. */
function unread(reading: { reason: string } | null, what: string): Found {
  if (reading === null)
    return cannotTell(`No Kubernetes cluster is connected, so I can’t see ${what}.`, { connected: false });
  const { reason } = reading;
  return cannotTell(`I can’t read the cluster right now. ${reason}`, { connected: true, unreadable: reason });
}

function notRead(caveats: readonly string[]): string[] {
  return caveats.length === 0 ? [] : ['', `Not everything could be read: ${caveats.slice(0, 2).join(' ')}`];
}

async function listed(args: StateArgs, facts: Facts): Promise<Found> {
  const reading = await facts.objects();
  if (reading?.known !== true) return unread(reading, 'what is in one');
  const kind = args.kind ?? 'Pod';
  const all = ofArgs(args, reading.value, facts);
  const found = all.filter((one) => fits(one, args.only)).sort(worstFirst);
  const noun = `${kind.toLowerCase()}${found.length === 1 ? '' : kind === 'Ingress' ? 'es' : 's'}`;
  const where = [
    ...Object.entries(args.labels).map(([name, value]) => ` with the label \`${name}=${value}\``),
    ...(args.namespace === null ? [] : [` in namespace ${args.namespace}`]),
    ...(args.services.length === 0 ? [] : [` of ${joinNames(args.services)}`]),
  ].join('');
  const of = args.only === null ? '' : ` (${QUALITY[args.only]}, of ${all.length})`;
  const head = `**${found.length} ${noun}${where}**${of}${byCluster(all, found)}${found.length === 0 ? '.' : ':'}`;
  const unwell = found.filter(({ isWell }) => !isWell);
  const shown = args.show === 'count' && args.only === null ? unwell : found;
  const lead =
    args.show === 'count' && args.only === null && found.length > 0
      ? [unwell.length === 0 ? 'All are well.' : `${unwell.length} unhealthy:`]
      : [];
  return {
    data: {
      connected: true,
      kind,
      where,
      total: all.length,
      count: found.length,
      objects: found.slice(0, 100).map(({ name, namespace, cluster, status, restarts, images, node }) => ({
        name,
        namespace,
        ...(cluster !== undefined && { cluster }),
        status,
        restarts,
        images,
        node,
      })),
    },
    says: {
      relation: 'exists',
      holds:
        args.all || (args.expects === 'over' && args.only === null)
          ? all.length > 0 && all.every((one) => fits(one, args.only ?? 'well'))
          : found.length > 0,
    },
    text: [
      head,
      ...(lead.length > 0 || shown.length > 0 ? [''] : []),
      ...lead,
      ...shown.slice(0, MOST_LISTED).map((one) => lineOf(one, facts.now)),
      ...(shown.length > MOST_LISTED ? [`- … and ${shown.length - MOST_LISTED} more`] : []),
      ...notRead(reading.caveats),
    ].join('\n'),
  };
}

const QUALITY = {
  unwell: 'not ready',
  well: 'ready',
  restarted: 'restarted',
  'never restarted': 'never restarted',
};

function ofArgs(args: StateArgs, all: readonly StateObject[], { view }: Facts): StateObject[] {
  const kind = args.kind ?? 'Pod';
  const names = args.services.flatMap((name) => [name, view.node(name)?.workload?.name ?? name]);
  return all.filter(
    (one) =>
      one.kind === kind &&
      (args.namespace === null || one.namespace === args.namespace) &&
      Object.entries(args.labels).every(([name, value]) => one.labels?.[name] === value) &&
      (names.length === 0 || names.some((name) => isOf(one, name))),
  );
}

/** ` (cluster eu: 7, cluster us: 0)`; nothing if one cluster was read. */
function byCluster(all: readonly StateObject[], found: readonly StateObject[]): string {
  const clusters = [...new Set(all.flatMap(({ cluster }) => cluster ?? []))];
  if (clusters.length === 0) return '';
  return ` (${clusters.map((name) => `cluster ${name}: ${found.filter(({ cluster }) => cluster === name).length}`).join(', ')})`;
}

/** `payments-7d9f-x2` belongs to payments. */
function isOf({ name, owner }: StateObject, workload: string): boolean {
  return [name, owner ?? ''].some((one) => one === workload || one.startsWith(`${workload}-`));
}

function fits({ isWell, restarts }: StateObject, only: StateArgs['only']): boolean {
  switch (only) {
    case 'unwell':
      return !isWell;
    case 'well':
      return isWell;
    case 'restarted':
      return (restarts ?? 0) > 0;
    case 'never restarted':
      return restarts === 0;
    case null:
      return true;
  }
}

function worstFirst(a: StateObject, b: StateObject): number {
  return (
    Number(a.isWell) - Number(b.isWell) ||
    (b.restarts ?? 0) - (a.restarts ?? 0) ||
    a.name.localeCompare(b.name, 'en')
  );
}

function lineOf(
  { name, namespace, cluster, status, restarts, images, node, createdAt }: StateObject,
  now: number,
): string {
  const image = images[0]?.slice(images[0].lastIndexOf('/') + 1);
  const parts = [
    ...(status === '' ? [] : [status]),
    ...(cluster === undefined ? [] : [`in cluster ${cluster}`]),
    ...(restarts === null || restarts === 0 ? [] : [`${restarts} restart${restarts === 1 ? '' : 's'}`]),
    ...(image === undefined ? [] : [image]),
    ...(node === null ? [] : [`on ${node}`]),
    ...(createdAt === null ? [] : [`${duration(now - createdAt)} old`]),
  ];
  return `- \`${namespace === '' ? name : `${namespace}/${name}`}\`${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}

function concerned(
  args: StateArgs,
  all: readonly StateFinding[],
  { view }: Facts,
): { found: StateFinding[]; where: string } {
  const { namespace } = args;
  if (namespace !== null)
    return {
      found: all.filter((one) => one.namespace === namespace || one.object === `namespace/${namespace}`),
      where: ` in namespace ${namespace}`,
    };
  if (args.services.length > 0) {
    const names = args.services.flatMap((name) => [
      name,
      ...(view.node(name)?.aliases ?? []),
      view.node(name)?.workload?.name ?? name,
    ]);
    return {
      found: all.filter(({ object, explains = [] }) =>
        names.some((name) => [object, ...explains].includes(`app/${name}`)),
      ),
      where: ` with ${args.services.join(' or ')}`,
    };
  }
  if (args.only === 'restarted')
    return {
      found: all.filter(({ evidence }) => evidence.some((one) => /restarts|Liveness|BackOff/u.test(one))),
      where: '',
    };
  return { found: [...all], where: '' };
}

function described({ sentence, evidence, show, mend, confidence }: StateFinding): string {
  const sure = confidence >= 0.75 ? '' : ' (not certain)';
  const commands = [show, mend].filter((one) => one !== null).map((one) => `\`${one}\``);
  return [
    `- ${sentence}${sure}`,
    ...evidence.slice(0, 2).map((one) => `  - ${one}`),
    ...(commands.length > 0 ? [`  - ${commands.join(', then ')}`] : []),
  ].join('\n');
}
