import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These take up to a minute and more: begun late, they would keep one worker busy long after the others have ended. */
const LONG = [
  'flows/chaos',
  'browser/walkthrough',
  'flows/digest',
  'flows/backfill',
  'flows/faults',
  'flows/fuzz-neighbours',
  'service/telemetry/prometheus/systems',
  'main.test',
];

/** Vitest's own order (browser, flows, units; large files first), but what is known to take long begins first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const known = LONG.findIndex((name) => moduleId.includes(`/test/${name}`));
      return known === -1 ? LONG.length : known;
    };
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
