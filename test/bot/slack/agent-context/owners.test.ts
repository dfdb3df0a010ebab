import { expect, it } from 'vitest';
import { namedIn, type Owners, ownerOf } from '../../../../src/bot/owners/index.ts';
import type { Issue } from '../../../../src/bot/store/issues.ts';
import { readOwners } from '../../../../src/lib/owners.ts';
import { addCreated } from '../../../support/issues.ts';
import { conversation, question, reading } from './support.ts';

const { entries } = readOwners('*  platform\npayments*  team-money  C0MONEY001  oncall:P1\ncart  team-cart');
const owners: Owners = {
  of: (asked) => ownerOf(asked, entries),
  named: () => null,
  pager: null,
  secrets: [],
  namedIn: (text) => namedIn(text, entries),
  onCall: async ({ schedule }) => (schedule === null ? null : { names: ['ana'], until: null, asOf: 0 }),
};

type More = Parameters<typeof reading>[1];

/** What is told of owners where the thread is about an issue of a service. */
async function told(text: string, service: string | null, more: More = {}) {
  const { agentContext, store } = await reading([], { owners, ...more });
  const issue: Issue | null =
    service === null ? null : await addCreated(store, 1, { id: 'issue-1', service });
  return agentContext.owners(conversation, { ...question, text }, issue);
}

it('are those of the issue’s service and of what the question names, without names of people', async () => {
  expect(await told('who do I wake, and who owns cart?', 'payments-api')).toEqual([
    { service: 'payments-api', name: 'team-money', channel: 'C0MONEY001', on_call: [] },
    { service: 'cart', name: 'team-cart', channel: null, on_call: [] },
  ]);
});

it('names who is on call where names are shared', async () => {
  expect(await told('why?', 'payments', { shareUserNames: true })).toEqual([
    { service: 'payments', name: 'team-money', channel: 'C0MONEY001', on_call: ['ana'] },
  ]);
});

it('names no channel that the readers of the answer may not read', async () => {
  expect(await told('who owns payments?', null, { mayRead: async () => false })).toEqual([
    { service: 'payments', name: 'team-money', channel: null, on_call: [] },
  ]);
});

it('is nobody where nothing is named, or no file says so', async () => {
  expect(await told('who owns it?', null)).toEqual([]);
  expect(await (await reading([])).agentContext.owners(conversation, question, null)).toEqual([]);
});

it('takes no word for a service because a pattern begins like it', async () => {
  const { entries: wide } = readOwners('*  platform\npay*  team-money\n*-svc  team-small');
  const named = (text: string) => namedIn(text, wide).map(({ service, owner }) => `${service} ${owner.name}`);
  expect(named('who pays for the deploy of cart-svc, pay-api and pay?')).toEqual([
    'cart-svc team-small',
    'pay-api team-money',
    'pay team-money',
  ]);
  const { entries: parted } = readOwners('mysql-*  team-dba');
  expect(namedIn('who do i wake for mysql, or mysqld?', parted).map(({ service }) => service)).toEqual([
    'mysql',
  ]);
});
