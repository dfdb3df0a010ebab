import { describe, expect, it } from 'vitest';
import { createBudget, UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { createJournaldSource, type Journalctl } from '../../../src/service/telemetry/journald.ts';
import { manualClock } from '../../support/manual-clock.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 60_000, to: NOON };
const clock = manualClock(NOON);

const entry = (unit: string, ago: number, MESSAGE: unknown, PRIORITY = '6') =>
  JSON.stringify({
    __REALTIME_TIMESTAMP: String((NOON - ago) * 1000),
    _SYSTEMD_UNIT: unit,
    MESSAGE,
    PRIORITY,
    _PID: '42',
  });

/** A journal that answers so, and what it was asked. */
function journal(
  lines: readonly string[],
  units = ['payments.service', 'worker@1.service', 'worker@2.service', 'session-3.scope'],
) {
  const asked: string[][] = [];
  const run: Journalctl = async (args) => {
    asked.push([...args]);
    return args.includes('--field=_SYSTEMD_UNIT') ? `${units.join('\n')}\n` : `${lines.join('\n')}\n`;
  };
  return { asked, source: createJournaldSource({ clock, run }) };
}

async function linesOf(lines: readonly string[], service: string | null = 'payments') {
  const reading = await journal(lines).source.logs(service, WINDOW, UNLIMITED);
  return reading.known
    ? reading.value.map(({ at, service, instance, level, message }) => [
        NOON - at,
        service,
        instance,
        level,
        message,
      ])
    : reading.reason;
}

describe('journald', () => {
  it('has the units of the machine as services', async () => {
    const reading = await journal([]).source.services(WINDOW, UNLIMITED);
    expect(reading.known && reading.value.map(({ name }) => name)).toEqual(['payments', 'worker']);
  });

  it('has lines with their levels, also of what is JSON or bytes, oldest first', async () => {
    expect(
      await linesOf([
        entry('payments.service', 9_000, 'started'),
        entry('payments.service', 5_000, '{"level":"error","msg":"no route to db"}', '6'),
        entry('payments.service', 3_000, [...Buffer.from('caf\u00e9 \u0007')], '3'),
        entry('payments.service', 2_000, null),
        'no JSON',
        '{"MESSAGE":"without a unit","__REALTIME_TIMESTAMP":"1"}',
      ]),
    ).toEqual([
      [9_000, 'payments', '42', 'info', 'started'],
      [5_000, 'payments', '42', 'info', 'no route to db'],
      [3_000, 'payments', '42', 'error', 'caf\u00e9 \u0007'],
    ]);
  });

  it('is asked for the units of a service, the window and no more lines than are read', async () => {
    const { asked, source } = journal([]);
    await source.logs('worker', WINDOW, UNLIMITED);
    expect(asked[1]).toEqual([
      '--output=json',
      '--output-fields=MESSAGE,PRIORITY,_PID,_SYSTEMD_UNIT',
      `--since=@${WINDOW.from / 1000}`,
      `--until=@${WINDOW.to / 1000}`,
      '--lines=5001',
      '--unit=worker@1.service',
      '--unit=worker@2.service',
    ]);
  });

  it('is not asked for what is no unit', async () => {
    const { asked, source } = journal([]);
    await source.logs('--vacuum-size=1', WINDOW, UNLIMITED);
    expect(asked).toEqual([['--field=_SYSTEMD_UNIT']]);
  });
});

describe('doctor says', () => {
  const failing =
    (code: string): Journalctl =>
    async () => {
      throw Object.assign(new Error(code), { code });
    };
  it.each([
    [
      'that there is no journalctl',
      failing('ENOENT'),
      /^JOURNALD is set, and there is no journalctl here: .* use LOG_FILES/u,
    ],
    ['that it fails', failing('1'), /^journalctl could not read the journal \(1\): let the user/u],
    ['that nothing may be read', async () => '', /^The journal shows no services: let the user/u],
  ])('%s', async (_, run, summary) => {
    const budget = createBudget({ requests: 10, ms: 1_000 }, { clock });
    expect(await createJournaldSource({ clock, run }).check(budget)).toMatchObject({
      ok: false,
      summary: expect.stringMatching(summary),
    });
  });

  it('how many services there are', async () => {
    expect(await journal([]).source.check(UNLIMITED)).toMatchObject({
      ok: true,
      summary: 'The journal of this machine is read: 2 services.',
    });
  });
});
