import { describe, expect, it } from 'vitest';
import { indexOf } from '../../../src/service/agent/catalog/find.ts';
import { changesCalledIn, changesNamedIn, measuredBy } from '../../../src/service/agent/unknown.ts';
import type { Change } from '../../../src/service/telemetry/model.ts';

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

it('a value of a label is of the service that measures it', () => {
  const catalog = indexOf([
    { name: 'sent_total', type: 'counter', unit: '', help: '', labels: { job: ['sender'], site: ['north'] } },
  ]);
  const sender = { name: 'sender', kind: 'service' as const, calls: [], aliases: [], workload: null };
  expect(measuredBy('north', catalog, [sender])).toEqual(['sender']);
  expect(measuredBy('south', catalog, [sender])).toBeNull();
});
