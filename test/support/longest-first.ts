import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These take longest, as was last measured: begun late, they would keep one worker busy long after the others have ended. */
const LONG = [
  'flows/chaos',
  'flows/replicas.postgres',
  'service/telemetry/prometheus/systems',
  'browser/walkthrough-panel',
  'flows/backfill',
  'flows/fuzz-neighbours',
  'flows/faults',
  'browser/walkthrough',
  'service/replicas.postgres',
  'main',
  'flows/disk',
  'flows/digest',
  'flows/laptop-bot',
  'flows/storm',
  'flows/damaged-wal',
  'flows/day',
  'flows/control-panel',
  'flows/talking-conversation',
  'browser/quick-start',
  'flows/redelivery',
  'flows/fuzz',
  'browser/assistant',
  'browser/modal',
  'flows/laptop-start',
  'service/investigation/recognition',
  'flows/prometheus',
  'flows/webhooks-crash',
  'browser/page',
  'browser/accessibility',
  'flows/issue-command',
  'browser/tools',
  'flows/talking-where',
  'flows/recovery',
  'flows/agent',
  'flows/socket-trouble',
  'flows/slack-trouble',
  'flows/newer-blocks',
  'flows/slack-token',
  'flows/faults-of-the-workspace',
  'flows/out-of-order',
  'docker',
  'flows/service-trouble',
  'bot/render/properties',
  'flows/private-organization',
  'flows/service-key',
];

/** The first so many of them are begun before everything else, whatever their project. */
const LONGEST = 3;
/** The units come last, and fill what the long ones leave. */
const PROJECTS = ['flows', 'browser', 'postgres', 'programs', 'unit'];

/**
 * The longest files first, then one project after the other: a worker takes files of one project only, and a new one loads
 * the whole program. Within a project, what is known to take long comes first, and then Vitest's own order (large files first).
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const known = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return known === -1 ? LONG.length : known;
    };
    const block = (file: TestSpecification) =>
      place(file) < LONGEST ? -1 : PROJECTS.indexOf(file.project.name);
    return sorted.toSorted((a, b) => block(a) - block(b) || place(a) - place(b));
  }
}
