import { describe, expect, it } from 'vitest';
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

  it('begin with a change shortly before where nothing shows why, whosever it is', async () => {
    const { actions, cause } = await found(
      system({ changes: [deploy('booking', ONSET - 2 * MINUTE, { before: '7.2.9' })] }),
    );
    expect([cause, ...actions]).toEqual([
      'Unexplained degradation of tariffs',
      'Look at 7.3.0 of booking',
      'Take a closer look at tariffs',
    ]);
  });

  it('are for when it comes back, where it is over', async () => {
    const until = ONSET + 6 * MINUTE;
    const over = (usual: number, then: number) => (at: number) => level(usual, at < until ? then : usual)(at);
    const { investigation } = await found(
      system({
        felt: false,
        tariffs: { errors: over(0.002, 0.12) },
        booking: { errors: over(0.002, 0.06) },
      }),
      { title: 'Booking fails', service: 'booking' },
    );
    for (const { description } of investigation.results.remediation.actions)
      expect(description).toMatch(/^It is over since 10:2\d UTC: only if it comes back\. /u);
  });
});
