import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { createJournaldSource } from '../../../src/service/telemetry/journald.ts';

const hasJournalctl = spawnSync('journalctl', ['--version']).status === 0;
const NOW = Date.UTC(2026, 5, 1, 12);

it.skipIf(!hasJournalctl)(
  'the real journalctl takes what it is asked, and no line is no failure',
  async () => {
    const source = createJournaldSource({ clock: systemClock });
    const window = { from: NOW - 60_000, to: NOW };
    expect(await source.services(window, UNLIMITED)).toMatchObject({ known: true });
    expect(await source.logs(null, window, UNLIMITED)).toMatchObject({ known: true, value: [] });
  },
);
