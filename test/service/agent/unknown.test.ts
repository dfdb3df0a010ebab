import { describe, expect, it } from 'vitest';
import { indexOf } from '../../../src/service/agent/catalog/find.ts';
import { health } from '../../../src/service/agent/health.ts';
import { metric } from '../../../src/service/agent/metric.ts';
import type { Tool } from '../../../src/service/agent/tool.ts';
import { understand } from '../../../src/service/agent/understand.ts';
import { changesCalledIn, changesNamedIn, measuredBy, thingsIn } from '../../../src/service/agent/unknown.ts';
import { unknownInWords } from '../../../src/service/agent/words/answer.ts';
import type { Change, Service } from '../../../src/service/telemetry/model.ts';

function change(title: string, more: Partial<Change>): Change {
  const none = { version: null, ref: null, url: null, details: null };
  return { at: 0, service: 'press', kind: 'deploy', title, ...none, ...more };
}

const CHANGES = [
  change('Deploy press 6.1.0', { version: '6.1.0', authors: ['Omar Haddad'] }),
  change('Deploy press v6.2.0', { version: 'v6.2.0', authors: ['May Page', 'Omar Haddad'] }),
];

describe('changes that a question names', () => {
  it.each([
    ['what did omar change', ['Omar Haddad'], 2],
    ['is it haddad’s deploy?', ['Omar Haddad'], 2],
    ['was it 6.2.0', ['6.2.0'], 1],
    ['did May Page do it', ['May Page'], 1],
  ])('%s', (question, names, count) => {
    const found = changesNamedIn(question, CHANGES);
    expect([found?.names, found?.changes.length]).toEqual([names, count]);
  });

  it('a word that means something else is nobody', () => {
    for (const question of ['may it be the deploy?', 'is the page slow?', 'was it 6.2?'])
      expect(changesNamedIn(question, CHANGES)).toBeNull();
  });
});

it('a change is known by a word of its title that is no service’s', () => {
  const all = [...CHANGES, change('press-db: binlog_expire_seconds 3 -> 9', {})];
  const called = (question: string) => changesCalledIn({ question, services: ['press-db'] }, all);
  expect(called('who changed the binlog thing')).toMatchObject({ names: ['*binlog*'], changes: [all[2]] });
  expect(called('who deployed press')).toBeNull();
});

const catalog = indexOf([
  {
    name: 'sent_total',
    type: 'counter',
    unit: '',
    help: '',
    labels: { job: ['post/sender'], site: ['north.example', 'west'] },
  },
]);

function known(name: string, instances: string[] = []): Service {
  return { name, kind: 'service', aliases: [], instances, workload: null };
}

it('a value of a label or an instance, or whole segments of it, are of the service that has it', () => {
  const directory = [known('sender', ['mail-1.example:9100']), known('proxy', ['west'])];
  const by = (name: string) => measuredBy(name, catalog, directory);
  expect(by('north.example')).toEqual(['sender']);
  expect(by('north')).toEqual(['sender']);
  expect(by('mail-1')).toEqual(['sender']);
  expect(by('west')).toEqual(['sender', 'proxy']);
  for (const name of ['nort', 'mail-2', 'south']) expect(by(name)).toBeNull();
});

describe('what is named by a part of its name', () => {
  const directory = ['api.paystone.example', 'my-a', 'my-b', 'my-c', 'my-d', 'payments-db'].map((name) =>
    known(name),
  );
  const things = (question: string, tool: Tool) =>
    thingsIn({ tool, turn: understand(question, null, directory, 0) }, directory);

  it.each([
    ['errors of paystone', ['api.paystone.example']],
    ['errors of my', []],
    ['errors of payments', []],
    ['errors of paystones', []],
  ])('%s', (question, names) => {
    expect(things(question, metric)).toEqual(names);
  });

  it('is what is looked at, and no name that nobody has', () => {
    expect(things('is my-7 ok', health)).toEqual(['my-7']);
    expect(things('why does paystone hang', health)).toEqual(['api.paystone.example']);
    const proxy = { ...known('controller'), aliases: ['ingress-nginx'] };
    const asked = { tool: health, turn: understand('is ingress ok', null, [proxy], 0) };
    expect(thingsIn(asked, [proxy, known('ocpp-gateway')])).toEqual(['controller']);
  });

  it('is asked for where it may be several', () => {
    expect(unknownInWords('my', ['my-a', 'my-b', 'web'], [])).toBe(
      'I can’t tell which my you mean. Services I know: my-a, my-b.',
    );
    expect(unknownInWords('ledger', ['web'], [])).toContain('no service called ledger');
  });
});
