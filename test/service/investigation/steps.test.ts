import { describe, expect, it } from 'vitest';
import { partialSource } from '../../../src/service/telemetry/combined.ts';
import type { Change } from '../../../src/service/telemetry/model.ts';
import { madeSource } from '../../support/made-source.ts';
import { deploy, found, level, MINUTE, ONSET, system } from './freight.ts';

type Found = Awaited<ReturnType<typeof found>>;

/** Every step's title and what to do, as one text. */
function stepsOf({ investigation }: Found): string {
  const { actions } = investigation.results.remediation;
  return actions
    .flatMap(({ title, description, steps }) => [
      title,
      description,
      ...steps.flatMap((one) => [one.title, one.content]),
    ])
    .join('\n');
}

const alone = ['portal', 'booking', 'tariffs', 'printer'].map((name) => ({
  name,
  instances: [`${name}:8080`],
}));

describe('steps', () => {
  it('compare and roll no instances where one is known, which nothing manages', async () => {
    const one = stepsOf(await found(system({ services: alone })));
    expect(one).toContain('Take a closer look at tariffs');
    expect(one).not.toMatch(/others|one after the other|rolling/u);
    expect(stepsOf(await found(system({})))).toContain('Restart one instance and compare it with the others');
  });

  it('say how a deploy is taken back that is suspected, as something to try and nothing to run', async () => {
    const changes = [deploy('tariffs', ONSET - 2 * MINUTE, { before: '7.2.9' })];
    const suspected = await found(system({ services: alone, changes }));
    expect(stepsOf(suspected)).toMatch(
      /Look at 7\.3\.0 of tariffs\n(?:.*\n)*Take it back, and see\nDeploy tariffs 7\.2\.9\./u,
    );
    expect(suspected.commands).toEqual([]);
  });

  it('begin with a change shortly before where nothing shows why, at that place and not at its callers', async () => {
    const asked = async (service: string) => {
      const { actions, cause } = await found(system({ changes: [deploy(service, ONSET - 20 * MINUTE)] }));
      return [cause, ...actions];
    };
    const closer = 'Take a closer look at tariffs';
    const cause = 'Unexplained degradation of tariffs';
    expect(await asked('tariffs')).toEqual([cause, 'Look at 7.3.0 of tariffs', closer]);
    expect(await asked('booking')).toEqual([cause, closer]);
  });

  /** `tariffs` fails for six minutes, with its callers; the alert came meanwhile, and finer samples show that it is over. */
  async function over(changes: readonly Change[]) {
    const until = ONSET + 6 * MINUTE;
    const then = (usual: number, bad: number) => (at: number) => level(usual, at < until ? bad : usual)(at);
    const made = system({
      felt: false,
      services: alone,
      tariffs: { errors: then(0.002, 0.12) },
      booking: { errors: then(0.002, 0.06) },
      changes,
    });
    const source = madeSource(made);
    const fine = partialSource({
      name: 'fine',
      check: source.check,
      recent: async ({ to }, budget) => {
        const window = { from: to - 45 * MINUTE, to };
        const signals = await source.signals(window, budget);
        const ids = signals.known ? signals.value.map(({ id }) => id) : [];
        return source.series({ signals: ids, stepMs: 15_000 }, window, budget);
      },
    });
    return found(made, { title: 'Booking fails', service: 'booking', ago: 4 * MINUTE }, [fine]);
  }

  it('are for when it comes back, where it is over', async () => {
    const { investigation } = await over([]);
    const { actions } = investigation.results.remediation;
    expect(actions.map(({ description }) => description)).toEqual([
      expect.stringMatching(/^It has been over since 10:2\d UTC: only if it comes back\. /u),
    ]);
  });

  it('take back nothing that was taken back: what ended it is proof, and stands in the timeline', async () => {
    const back = { title: 'Back to 7.2.9', kind: 'rollback', version: '7.2.9', before: '7.3.0' };
    const { summary, actions, investigation } = await over([
      deploy('tariffs', ONSET - MINUTE),
      deploy('tariffs', ONSET + 4 * MINUTE, back),
    ]);
    expect(summary).toMatch(
      /^Bad deploy of tariffs: 7\.3\.0 rolled out .*; it ended with the rollback at 10:26 UTC\./u,
    );
    expect(actions).toEqual(['Fix what 7.3.0 broke']);
    expect(investigation.results.timeline).toContainEqual(
      expect.objectContaining({ title: 'Back to 7.2.9', description: 'Rollback of tariffs.' }),
    );
  });

  it('take nothing back that was over before it began: neither the version that no longer runs, nor the one that came back', async () => {
    const back = { title: 'tariffs 7.2.9', version: '7.2.9', before: '7.3.0' };
    const one = await found(
      system({
        changes: [deploy('tariffs', ONSET - 5 * MINUTE), deploy('tariffs', ONSET - 2 * MINUTE, back)],
      }),
    );
    expect(one.summary).not.toMatch(/7\.3\.0|7\.2\.9/u);
    expect(stepsOf(one)).not.toMatch(/7\.3\.0|7\.2\.9/u);
  });

  it('take nothing back twice: where it goes on after a rollback, that is said', async () => {
    const back = { title: 'Back to 7.2.9', kind: 'rollback', version: '7.2.9', before: '7.3.0' };
    const one = await found(
      system({
        changes: [deploy('tariffs', ONSET - MINUTE), deploy('tariffs', ONSET + 3 * MINUTE, back)],
      }),
    );
    expect(stepsOf(one)).not.toMatch(/Deploy tariffs 7\.2\.9|Roll back/u);
    expect(one.investigation.results.rootCause.incidentOverview).toMatch(
      /Ongoing\. It went on after "Back to 7\.2\.9" at 10:2\d UTC\./u,
    );
  });
});
