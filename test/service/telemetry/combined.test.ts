import { expect, it } from 'vitest';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { combine, partialSource } from '../../../src/service/telemetry/combined.ts';
import { known, type LogLine, unknown } from '../../../src/service/telemetry/model.ts';
import { answerOf } from '../../support/telemetry.ts';

const WINDOW = { from: 0, to: 60_000 };
const named = (name: string, aliases: string[] = []) => ({
  name,
  kind: 'unknown' as const,
  aliases,
  workload: null,
});
const check = async () => ({ name: 'test', ok: true, summary: 'It answers.', details: [] });
const line = (service: string): LogLine => ({
  at: 1,
  service,
  instance: null,
  level: null,
  message: 'jam',
  traceId: null,
});

it('makes one service of names that differ in how they are written, or by an alias, and asks each source by its own', async () => {
  const asked: (string | null)[] = [];
  const system = combine([
    partialSource({ name: 'a', check, services: async () => known([named('print_press', ['guillotine'])]) }),
    partialSource({
      name: 'b',
      check,
      services: async () => known([named('print-press'), named('archive')]),
      logs: async (service) => {
        asked.push(service);
        return known([line('print-press')]);
      },
    }),
    partialSource({
      name: 'c',
      check,
      services: async () => known([named('guillotine')]),
      edges: async () => known([{ caller: 'archive', callee: 'guillotine' }]),
    }),
  ]);
  const services = await answerOf(system.services(WINDOW, UNLIMITED));
  expect(services.map(({ name }) => name)).toEqual(['print_press', 'archive']);
  expect(await answerOf(system.logs('print_press', WINDOW, UNLIMITED))).toEqual([line('print_press')]);
  expect(asked).toEqual(['print-press']);
  expect(await answerOf(system.edges(WINDOW, UNLIMITED))).toEqual([
    { caller: 'archive', callee: 'print_press' },
  ]);
});

it('goes on without a source that cannot tell, and says why', async () => {
  const down = async () => unknown('It is down.');
  const system = combine([
    partialSource({ name: 'a', check, services: down }),
    partialSource({ name: 'b', check, services: async () => known([named('press')]) }),
  ]);
  expect(await system.services(WINDOW, UNLIMITED)).toEqual({
    known: true,
    value: [named('press')],
    caveats: ['It is down.'],
  });
});

it('does not know what none of its sources can tell', async () => {
  const down = async () => unknown('It is down.');
  const system = combine([
    partialSource({ name: 'a', check, services: down }),
    partialSource({ name: 'b', check, services: down }),
  ]);
  expect(await system.services(WINDOW, UNLIMITED)).toEqual({ known: false, reason: 'It is down.' });
});

it('keeps what a team says of its system, beside whatever else is read', () => {
  const actions = [{ services: 'payments', kind: '*', title: null, template: 'ci undo' }];
  const own = partialSource({ name: 'own', check, tenantLabel: 'customer', actions });
  const both = combine([own, partialSource({ name: 'b', check })]);
  expect([both.tenantLabel, both.actions]).toEqual(['customer', actions]);
});
