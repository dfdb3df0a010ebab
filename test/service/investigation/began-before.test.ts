import { describe, expect, it } from 'vitest';
import { deploy, found, level, MINUTE, noise, ONSET, system } from './freight.ts';

const HOUR = 60 * MINUTE;
const daily = (at: number) => 1 + 0.5 * Math.sin((at / (24 * HOUR)) * 2 * Math.PI);

describe('a window that begins inside a trouble', () => {
  it('is compared with what was before that, with the onset to the minute', async () => {
    const since = ONSET - 150 * MINUTE;
    const { overview } = await found(
      system({ felt: false, tariffs: { latency: level(0.04, 0.4, since), errors: level(0.002) } }),
      { title: 'Is tariffs slow?', service: 'tariffs' },
    );
    expect(overview).toMatch(/^tariffs p95 latency rose from \d+(?:\.\d)? ms to 4\d\d ms at 07:5\d UTC/u);
  });

  it('says *before* where what was read finely does not reach back to the onset', async () => {
    const since = ONSET - 8 * HOUR;
    const { overview } = await found(
      system({ felt: false, tariffs: { latency: level(0.04, 0.4, since), errors: level(0.002) } }),
      { title: 'Is tariffs slow?', service: 'tariffs' },
    );
    expect(overview).toMatch(/^tariffs p95 latency rose from .* to 4\d\d ms before 0[2-4]:\d\d UTC/u);
  });

  it('finds where a queue began to grow, and not where the window does', async () => {
    const since = ONSET - 100 * MINUTE;
    const { overview } = await found(
      system({
        felt: false,
        tariffs: {},
        services: [{ name: 'portal' }, { name: 'label-printing', kind: 'worker' }],
        edges: [],
        metrics: [
          {
            service: 'label-printing',
            measure: 'queue',
            unit: '{message}',
            label: 'messages ready',
            at: (at) => Math.round(40 + 5 * noise(3, at) + (at < since ? 0 : ((at - since) / MINUTE) * 900)),
          },
        ],
      }),
      { title: 'Is label-printing behind?', service: 'label-printing' },
    );
    expect(overview).toMatch(/^label-printing messages ready rose from 4\d to [\d,]+ at 08:4\d UTC/u);
  });

  it.each([
    ['comes every day at this hour', (at: number) => 0.04 * daily(at) ** 3],
    ['has been so for days', level(0.04, 0.12, ONSET - 100 * HOUR)],
  ])('finds nothing in what %s', async (_, latency) => {
    const { cause } = await found(system({ felt: false, tariffs: { latency, errors: level(0.002) } }), {
      title: 'Is tariffs slow?',
      service: 'tariffs',
    });
    expect(cause).toBe('nothing');
  });

  it('keeps two troubles of different hours apart', async () => {
    const old = ONSET - 150 * MINUTE;
    const { cause } = await found(
      system({
        felt: false,
        edges: [],
        tariffs: { errors: level(0.002, 0.2) },
        metrics: [
          {
            service: 'printer',
            measure: 'waiting',
            unit: '{request}',
            label: 'requests waiting for a connection',
            at: level(0.1, 30, old),
          },
        ],
      }),
      { title: 'Tariffs fails', service: 'tariffs' },
    );
    expect(cause).toMatch(/tariffs$/u);
  });

  it('blames no other trouble of an hour before, where no call is known', async () => {
    const { cause } = await found(
      system({
        felt: false,
        services: [{ name: 'booking' }, { name: 'mails', kind: 'queue' }],
        edges: [],
        booking: { errors: level(0.002, 0.09, ONSET - 55 * MINUTE) },
        tariffs: {},
        metrics: [
          {
            service: 'mails',
            measure: 'queue',
            unit: '{message}',
            label: 'queue depth',
            at: (at) => (at < ONSET ? 3 : ((at - ONSET) / MINUTE) * 190),
          },
        ],
      }),
      { title: 'QueueGrows', service: 'mails' },
    );
    expect(cause).toBe('Queue backlog at mails');
  });

  it('blames no pool that ran out an hour before, and suspects what changed at the other thing that the alert names', async () => {
    const { cause, overview } = await found(
      system({
        felt: false,
        services: [
          { name: 'booking' },
          { name: 'mails', kind: 'queue' },
          { name: 'mailer', kind: 'worker' },
          { name: 'printer' },
        ],
        edges: [],
        changes: [deploy('mailer', ONSET - MINUTE), deploy('printer', ONSET - 2 * MINUTE)],
        booking: { errors: level(0.002, 0.09, ONSET - 55 * MINUTE) },
        tariffs: {},
        metrics: [
          {
            service: 'booking',
            measure: 'connections',
            unit: '{connection}',
            label: 'connections in use',
            limit: 40,
            at: (at) => (at < ONSET - 55 * MINUTE ? 9 : 40),
          },
          {
            service: 'mails',
            measure: 'queue',
            unit: '{message}',
            label: 'queue depth',
            at: (at) => (at < ONSET ? 3 : ((at - ONSET) / MINUTE) * 190),
          },
          {
            service: 'mailer',
            measure: 'up',
            unit: '{instance}',
            label: 'instances up',
            at: (at) => (at < ONSET ? 2 : 0),
          },
        ],
      }),
      { title: 'QueueGrows', service: 'mailer', tags: ['queue:mails'] },
    );
    expect(cause).toBe('Queue backlog at mails');
    expect(overview).toContain('mailer 7.3.0');
    expect(overview).not.toMatch(/booking|printer/u);
  });

  it('tells of a machine what it shows itself, and not the worst elsewhere', async () => {
    const { overview } = await found(
      system({
        services: [{ name: 'portal' }, { name: 'booking' }, { name: 'tariffs' }, { name: 'batch-7' }],
        edges: [],
        metrics: [
          {
            service: 'batch-7',
            measure: 'cpu',
            unit: '1',
            label: 'node CPU usage',
            shared: true,
            at: level(0.1, 0.93, ONSET - 3 * HOUR),
          },
        ],
      }),
      { title: 'Is batch-7 ok?', service: 'batch-7' },
    );
    expect(overview).toMatch(/batch-7 node CPU usage rose from 9\.\d+% to 9[\d.]+% before 07:\d\d UTC/u);
    expect(overview).not.toMatch(/Caused by|booking|portal/u);
  });
});
