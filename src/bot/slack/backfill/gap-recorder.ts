import type { Logger } from '../../../lib/log.ts';
import type { Gaps } from './gaps.ts';

/** Records the gaps that begin when Slack's connection ends. */
export interface GapRecorder {
  begins(): void;
  /** Whether the last gap is recorded; if not, tries again. Without that, nobody would know where to read on. */
  isRecorded(): Promise<boolean>;
  ends(): Promise<void>;
}

/** A gap often begins when the database is away too, so it may only be recorded once the database is back. */
export function createGapRecorder(
  gaps: Pick<Gaps, 'begin' | 'end'>,
  log: Pick<Logger, 'error'>,
): GapRecorder {
  let recording = Promise.resolve(true);

  async function record(): Promise<boolean> {
    try {
      await gaps.begin();
      return true;
    } catch (error) {
      log.error({ err: error }, 'could not record a gap yet');
      return false;
    }
  }

  async function isRecorded(): Promise<boolean> {
    if (await recording) return true;
    recording = record();
    return recording;
  }

  return {
    begins: () => {
      recording = record();
    },
    isRecorded,
    ends: async () => {
      await isRecorded();
      gaps.end();
    },
  };
}
