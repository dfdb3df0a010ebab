import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These take longest, as was last measured: begun late, they would keep one worker busy long after the others have ended. */
const LONG = [
  'flows/replicas.postgres',
  'flows/chaos.long',
  'flows/chaos.deep',
  'service/replicas.postgres',
  'flows/backfill.deep',
  'flows/fuzz-neighbours',
  'browser/walkthrough-panel',
  'flows/faults',
  'flows/disk',
  'flows/laptop-bot',
  'flows/damaged-wal',
  'main',
  'flows/day',
  'flows/control-panel',
  'browser/walkthrough',
  'flows/storm',
  'flows/socket-trouble',
  'flows/quickstart-document',
  'docker',
  'flows/redelivery.deep',
  'flows/steady-load',
  'browser/accessibility',
  'flows/fuzz',
  'browser/gallery',
  'browser/page',
  'bot/slack/receivers/silent-socket',
  'browser/quick-start',
  'flows/talking-failures',
  'flows/issue-command',
  'browser/panel',
  'flows/digest.deep',
  'flows/prometheus',
  'flows/talking-conversation',
  'flows/out-of-order',
  'flows/laptop-start',
  'browser/tools',
  'flows/recovery',
  'flows/talking-where',
  'flows/crash',
  'flows/commands',
  'flows/alertmanager-rules',
  'flows/newer-blocks',
  'service/investigation/recognition',
  'flows/service-key',
  'browser/assistant',
  'flows/slack-trouble',
  'sandbox/slack/coverage',
  'flows/service-trouble',
  'browser/modal',
  'service/telemetry/prometheus/restart',
  'flows/home',
  'flows/private-organization',
  'flows/talking-answer',
  'flows/faults-of-the-workspace',
  'bot/compose/replicas.postgres',
];

/** They wait for most of their time. */
const WAITING = /\/test\/(?:flows|browser)\//u;
/** When the last of what takes long or waits is begun, as a share of the files of its project. */
const LAST_BEGUN = 0.75;

/**
 * PostgreSQL first, then SQLite: a worker takes files of one project only, and a new one loads the whole program. Within a
 * project, what takes long or waits is begun in the order of `LONG`, evenly between the others in Vitest's own order (large
 * files first): the ones use the cores while the others wait.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = Map.groupBy(sorted, ({ project }) => project.name);
    return [...(projects.get('postgres') ?? []).toSorted(byLength), ...woven(projects.get('sqlite') ?? [])];
  }
}

function woven(files: TestSpecification[]): TestSpecification[] {
  const isSlow = (file: TestSpecification) => place(file) < LONG.length || WAITING.test(file.moduleId);
  const slow = files.filter(isSlow).toSorted(byLength);
  const quick = files.filter((file) => !isSlow(file));
  const turns = [
    ...slow.map((file, n) => ({ file, turn: (n / slow.length) * LAST_BEGUN })),
    ...quick.map((file, n) => ({ file, turn: n / quick.length })),
  ];
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ file }) => file);
}

function byLength(a: TestSpecification, b: TestSpecification): number {
  return place(a) - place(b);
}

function place({ moduleId }: TestSpecification): number {
  const known = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return known === -1 ? LONG.length : known;
}
